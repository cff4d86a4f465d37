import { eventually } from '../../../sandbox/client.mjs';
import { blacklisted } from '../support/steps.mjs';

const colleagues = {
	'/call': ['+12125550191', '+12125550192', '+12125550193'].map((number) => ({
		participant: { number },
	})),
};
const no = [{ data: { approved: false } }];
/** @param {object[]} first the answer to the first question */
const answers = (first) => async () => ({ 'Ask for Approval': first });

/** A listing of two numbers that has been called, and rows of the sheet that say so. */
async function called({ sandbox, agent, pinned }) {
	const { body } = await sandbox.api('POST /listings', {
		name: 'Sheet',
		agent_uuid: agent,
		auto_start: true,
		contacts: [{ phone_number: '+12125550102' }, { phone_number: '+12125550103' }],
	});
	const listing = body.data.uuid;
	await eventually(async () => {
		const all = await sandbox.control('GET /state/conversations');
		return all.filter(({ status }) => status === 'Closed').length === 2;
	}, 60_000);
	return {
		'Read the Called Rows': pinned('Read the Called Rows').map((row) =>
			row.status === 'completed'
				? row
				: // as people write it, beside what the platform has
					{ ...row, listing, phone_number: row.phone_number.replace('+1212', '(212) ') },
		),
	};
}

/** @type {import('../recipes.test.mjs').Recipe} */
export default {
	click: {
		'Mondays at 9:00': {
			ends: 'Mark the Rows',
			sends: {
				'Ask for Approval': [
					{ message: /\n3 of 3 rows\. Left aside: 0, on the blacklist or because they said no\.$/ },
				],
				'Mark the Rows': [2, 3, 4].map((row_number) => ({
					columns: { value: { row_number, listing: /^8d3f1b6a-/ } },
				})),
			},
		},
		'Every Hour': {
			ends: 'Write the Outcomes',
			sends: {
				'Write the Outcomes': [
					{ columns: { value: { row_number: 3, status: 'completed', seconds: 96 } } },
					{ columns: { value: { row_number: 4, status: 'no-answer', seconds: 0 } } },
				],
			},
		},
	},
	settings: { call: { outcomeByNumber: { '0102': 'interested', '0103': 'no_answer' } } },
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
					{ message: /\n2 of 4 rows\. Left aside: 2, on the blacklist or because they said no\.$/ },
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
		'the first answer is no': { arrange: answers(no), ends: 'Approved?' },
		'nobody answers the first question': { arrange: answers([{}]), ends: 'Approved?' },
		'it sounds wrong to a colleague': {
			arrange: async () => ({ 'Ask Again': no }),
			ends: 'Go On?',
			created: colleagues,
		},
		'the listing has been called': {
			from: 'Every Hour',
			arrange: called,
			ends: 'Write the Outcomes',
			sends: {
				'Write the Outcomes': [
					{
						columns: {
							value: {
								row_number: 3,
								status: 'completed',
								seconds: /^[1-9]/,
								summary: /interested/,
								recording: /\.wav$/,
							},
						},
					},
					{ columns: { value: { row_number: 4, status: 'no-answer', seconds: 0, recording: '' } } },
				],
			},
		},
		'a number is called again and answers': {
			from: 'Every Hour',
			async arrange(live) {
				const pins = await called(live);
				const [, , { listing }] = pins['Read the Called Rows'];
				await live.sandbox.control('PATCH /settings', {
					call: { outcomeByNumber: { '0103': 'interested' } },
				});
				const again = await live.call('+12125550103');
				await live.sandbox.control(`PATCH /state/conversations/${again}`, {
					listing_uuid: listing,
					created_at: new Date(Date.now() + 60_000).toISOString(),
				});
				return pins;
			},
			ends: 'Write the Outcomes',
			sends: {
				'Write the Outcomes': [
					{ columns: { value: { row_number: 3, status: 'completed' } } },
					{ columns: { value: { row_number: 4, status: 'completed' } } },
				],
			},
		},
	},
};
