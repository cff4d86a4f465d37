import { blacklisted } from '../support/blacklisted.mjs';

const looking = [
	'Mondays at 9:00',
	'Read the Sheet',
	'Not Called Yet',
	'Look First',
	'Ask for Approval',
	'Approved?',
];
const trying = [...looking, 'Colleagues', 'One by One', 'Call Colleagues', 'Ask Again', 'Go On?'];
const whole = [
	...trying,
	'Rows',
	'Row by Row',
	'Create the Listing',
	'Rows of the Listing',
	'Row by Row Again',
	'Mark the Rows',
];
const colleagues = {
	'/call': ['+12125550191', '+12125550192', '+12125550193'].map((number) => ({
		participant: { number },
	})),
};
const from = { from: 'Mondays at 9:00' };
const no = [{ data: { approved: false } }];

/** @type {import('../recipes.test.mjs').Recipe} */
export default {
	click: {
		'Mondays at 9:00': {
			runs: whole,
			sends: {
				'Ask for Approval': [
					{ message: /\n3 of 3 rows\. Left aside: 0 on the blacklist, 0 who said no\.$/ },
				],
				'Mark the Rows': [2, 3, 4].map((row_number) => ({
					columns: { value: { row_number, listing: /^8d3f1b6a-/ } },
				})),
			},
		},
	},
	live: {
		'both questions are answered with yes': {
			...from,
			// One is on the blacklist, one said no in the sheet, one was called already.
			async arrange(live) {
				await blacklisted(live, '+12125550103');
				const [row, ...more] = live.pinned('Read the Sheet');
				return {
					'Read the Sheet': [
						row,
						...more,
						{ ...row, row_number: 5, phone_number: '+12125550104', do_not_call: 'yes' },
						{ ...row, row_number: 6, phone_number: '+12125550105', listing: 'of last week' },
					],
				};
			},
			runs: whole,
			refusedAgain: /may be running already/,
			sends: {
				'Ask for Approval': Array(4).fill({
					message: /\n2 of 4 rows\. Left aside: 1 on the blacklist, 1 who said no\.$/,
				}),
			},
			created: {
				...colleagues,
				'/listings': [
					{
						auto_start: true,
						rule: { start_time: '09:00', end_time: '18:00' },
						contacts: [{ phone_number: '+12125550101' }, { phone_number: '+12125550102' }],
					},
				],
			},
		},
		'the first answer is no': {
			...from,
			arrange: async () => ({ 'Ask for Approval': no }),
			runs: looking,
		},
		'nobody answers the first question': {
			...from,
			arrange: async () => ({ 'Ask for Approval': [{}] }),
			runs: looking,
		},
		'it sounds wrong to a colleague': {
			...from,
			arrange: async () => ({ 'Ask Again': no }),
			runs: trying,
			created: colleagues,
		},
	},
};
