import { eventually } from '../../../sandbox/client.mjs';
import { blacklisted } from '../support/steps.mjs';

/** What a reader changes after a look at the preview. */
function start({ name, parameters }) {
	if (name !== 'Create the Listing') return;
	parameters.autoStart = true;
	parameters.options.preview = false;
	parameters.options.defaultCountry = { __rl: true, mode: 'id', value: 'US' };
}

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
		'Call the Sheet': {
			ends: 'Mark the Rows',
			sends: {
				'Mark the Rows': [
					{ columns: { value: { row_number: 3, status: 'queued', listing: /^8d3f1b6a-/ } } },
					{ columns: { value: { row_number: 4, status: 'queued', listing: /^8d3f1b6a-/ } } },
				],
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
		'a first look': {
			from: 'Call the Sheet',
			ends: 'Listing Created',
			shows: { 'Create the Listing': [{ text: /^Nothing was sent\. .*2 contacts/ }, {}] },
		},
		'rows that were not called yet': {
			from: 'Call the Sheet',
			change: start,
			// One as Google Sheets has a number that was typed with a plus, one as people write it, one who said no.
			arrange: async (live) => {
				const [first, ben, chloe] = live.pinned('Read the Sheet');
				await blacklisted('+12125550104')(live);
				const more = { ...chloe, listing: '' };
				return {
					'Read the Sheet': [
						first,
						{ ...ben, phone_number: Number(ben.phone_number) },
						{ ...chloe, phone_number: '(212) 555-0103' },
						{ ...more, row_number: 5, name: 'Dan', phone_number: '+12125550104' },
						{
							...more,
							row_number: 6,
							name: 'Eve',
							phone_number: '+12125550105',
							do_not_call: 'yes',
						},
					],
				};
			},
			ends: 'Mark the Rows',
			// The rows of the sheet would be marked by now.
			refusedAgain: /may be running already/,
			created: {
				'/listings': [
					{
						name: /^Sheet 2\d{3}-\d\d-\d\d, rows 3 to 6$/,
						auto_start: true,
						rule: { start_time: '09:00', end_time: '18:00' },
						contacts: [
							{ phone_number: '+12125550102', name: 'Ben Okafor' },
							{ phone_number: '+12125550103', name: 'Chloe Martin' },
						],
					},
				],
			},
			sends: {
				'Mark the Rows': [
					{ columns: { value: { row_number: 3, listing: /^[0-9a-f-]{36}$/ } } },
					{ columns: { value: { row_number: 4, listing: /^[0-9a-f-]{36}$/ } } },
					{ columns: { value: { row_number: 5, status: /blacklist/ } } },
					{ columns: { value: { row_number: 6, status: /Skip Numbers/ } } },
				],
			},
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
