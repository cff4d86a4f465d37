import type { SweepDefinition } from '../engine/operation';
import { perPage, read } from '../engine/operation';
import { stateWord } from '../engine/text/text';

/** States of a task (reference: tasks) by what stopping means for it. */
const states: Record<string, ReturnType<SweepDefinition['state']>> = {
	pending: 'ahead',
	scheduled: 'ahead',
	queued: 'ahead',
	'on-hold': 'ahead',
	'in-progress': 'underWay',
	completed: 'over',
	failed: 'over',
	cancelled: 'done',
	canceled: 'done',
	expired: 'over',
};

/**
 * Stops a listing by the endpoints that are known: launching it makes tasks of a campaign (reference: listings), and
 * tasks can be canceled (catalogue). No source shows an endpoint for the listing as a whole.
 */
export const stopListing: SweepDefinition = {
	words: ['task', 'tasks', 'canceled'],
	given: 'campaign',
	groups: [
		{
			in: read('GET /listings'),
			pageSize: perPage,
			belongs: (row, { listing }) => row.uuid === listing,
			of: (row) => row.campaign_uuid,
		},
		{
			in: read('GET /conversations'),
			pageSize: perPage,
			guess: ({ listing }) => ({ listing_uuid: listing }),
			belongs: (row, { listing }) => row.listing_uuid === listing,
			of: (row) => row.campaign_uuid,
		},
	],
	noGroup: {
		message: 'Nothing on the platform shows which campaign this listing has started',
		description:
			"Choose its campaign in 'Campaign' and run again. If you do not know it, cancel the tasks " +
			"of single contacts with Task › Get Many, filtered by 'Contact', and Task › Cancel.",
	},
	rows: {
		in: read('GET /tasks'),
		pageSize: perPage,
		query: (campaign) => ({ campaign_uuid: campaign }),
		belongs: (row, campaign, { listing }) => {
			const { campaign_uuid: shown, listing_uuid: ofListing } = row;
			if (typeof ofListing === 'string' && ofListing !== listing) return false;
			return typeof shown === 'string' ? shown === campaign : undefined;
		},
		show: ['uuid', 'title', 'status', 'contact_uuid', 'scheduled_at'],
	},
	state: ({ status }) => states[stateWord(status)] ?? 'unknown',
	act: { method: 'POST', path: (uuid) => `/tasks/${encodeURIComponent(uuid)}/cancel` },
	fields: {
		listing: 'string',
		stopped: 'boolean',
		tasks: 'number',
		canceled: 'number',
		underWay: 'number',
		over: 'number',
		notCanceled: 'number',
		reasons: 'string',
		notTouched: 'number',
		campaigns: 'string',
		message: 'string',
	},
};
