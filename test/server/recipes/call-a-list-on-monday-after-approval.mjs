import { blacklisted } from '../support/steps.mjs';

const colleagues = {
	'/call': ['+12125550191', '+12125550192', '+12125550193'].map((number) => ({
		participant: { number },
	})),
};
const no = [{ data: { approved: false } }];

/** @type {import('../recipes.test.mjs').Recipe} */
export default {
	click: {
		'Mondays at 9:00': {
			ends: 'Mark the Rows',
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
			// One is on the blacklist, one said no in the sheet, one was called already.
			async arrange(live) {
				await blacklisted('+12125550103')(live);
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
			ends: 'Mark the Rows',
			refusedAgain: /may be running already/,
			sends: {
				'Ask for Approval': [
					{ message: /\n2 of 4 rows\. Left aside: 1 on the blacklist, 1 who said no\.$/ },
				],
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
			arrange: async () => ({ 'Ask for Approval': no }),
			ends: 'Approved?',
		},
		'nobody answers the first question': {
			arrange: async () => ({ 'Ask for Approval': [{}] }),
			ends: 'Approved?',
		},
		'it sounds wrong to a colleague': {
			arrange: async () => ({ 'Ask Again': no }),
			ends: 'Go On?',
			created: colleagues,
		},
	},
};
