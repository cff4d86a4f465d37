/**
 * What the compiler must refuse in an operation, checked by `npm run types`: each line marked
 * as expected to be wrong makes
 * the check fail when it is accepted.
 */
import {
	agent,
	boolean,
	collection,
	integer,
	list,
	text,
	texts,
	timeWindow,
} from '../../nodes/engine/fields';
import {
	fromResponse,
	fromRequest,
	hasWords,
	operation,
	ownFilter,
	read,
	type Schema,
	matchFirst,
} from '../../nodes/engine/operation';

const said = { name: 'Name', action: 'Do something' };
const name = text({ required: true });

const untyped = list('Guideline', { content: text() });

export const accepted = [
	operation.create('POST /agents', {
		...said,
		body: {
			name,
			guidelines: list('Guideline', { content: text(), order: integer() }),
			settings: { voice: collection({}, { interaction: { customer_speak_first: boolean() } }) },
			appointments: collection(
				{},
				{
					schedule_assignments: list('Schedule', {
						slot_rules: collection({}, { prefer_same_day: boolean() }),
					}),
				},
			),
			// A set that is not known stays open, but its samples must be values of the contract.
			guard_rules: list('Rule', {
				then_action: text({ samples: ['forward'] }),
				selected_channels: texts({ samples: ['phone'] }),
			}),
		},
	}),
	operation.get('GET /analytics/calls', { ...said, query: timeWindow() }),
];

export const refused = [
	// @ts-expect-error no such endpoint
	operation.create('POST /agent', said),
	// @ts-expect-error a required field is missing
	operation.create('POST /agents', { ...said, body: { tone: text() } }),
	// @ts-expect-error an unknown field
	operation.create('POST /agents', { ...said, body: { name, colour: text() } }),
	// @ts-expect-error a number where the contract has a text
	operation.create('POST /agents', { ...said, body: { name, tone: integer() } }),
	operation.create('POST /agents', {
		...said,
		// @ts-expect-error an unknown field in a row
		body: { name, guidelines: list('Guideline', { text: text() }) },
	}),
	operation.create('POST /agents', {
		...said,
		body: {
			name,
			// @ts-expect-error a wrong type in a row of a row
			procedures: list('Procedure', { steps: list('Step', { order: text() }) }),
		},
	}),
	operation.create('POST /agents', {
		...said,
		// @ts-expect-error an unknown field in a group of a collection
		body: { name, settings: { voice: collection({}, { interaction: { first_message: text() } }) } },
	}),
	operation.create('POST /agents', {
		...said,
		body: {
			name,
			// @ts-expect-error a sample that is no value of the contract
			guard_rules: list('Rule', { then_action: text({ samples: ['hang_up'] }) }),
		},
	}),
	operation.list('GET /agents', {
		...said,
		// @ts-expect-error a filter whose name is a guess is not sent alone
		query: { status: text() },
	}),
	operation.list('GET /agents', {
		...said,
		// @ts-expect-error nor is it applied here alone
		pages: { filters: { search: ownFilter(text(), hasWords('name')) } },
	}),
	// @ts-expect-error the end of the window is missing
	operation.get('GET /analytics/calls', { ...said, query: { from: timeWindow().from } }),
	// @ts-expect-error a list that was made elsewhere, without its type of the contract
	operation.create('POST /agents', { ...said, body: { name, guidelines: untyped } }),
	// @ts-expect-error an unknown field in a shared list
	list<Schema<'GuidelineWrite'>>('Guideline', { contents: text() }),
];

const waits = {
	wait: {
		read: read('GET /conversations/{uuid}', { uuid: fromResponse('conversation_uuid') }),
		everySeconds: 5,
		timeoutSeconds: 60,
		forWhat: 'the call to end',
		state: () => 'done' as const,
	},
};
const paged = { pages: {} };
const removed = { removes: 'uuid' as const };
const body = { name };
const uuid = { uuid: agent() };

export const acceptedKinds = [
	operation.list('GET /agents', { ...said, ...paged }),
	operation.remove('DELETE /agents/{uuid}/webhooks/{webhookUuid}', {
		...said,
		path: { uuid: agent(), webhookUuid: agent() },
	}),
];

/** What one kind has and another has not; each also by way of a spread object, which the compiler checks less. */
export const refusedKinds = [
	// @ts-expect-error only a GET is a list
	operation.list('POST /agents', said),
	// @ts-expect-error only the four sending endpoints are paced and keyed
	operation.send('POST /listings', { ...said, body: { name, contacts: texts() } }),
	// @ts-expect-error a create has no pages
	operation.create('POST /agents', { ...said, body, pages: {} }),
	// @ts-expect-error a create has no pages, spread
	operation.create('POST /agents', { ...said, body, ...paged }),
	// @ts-expect-error a create does not wait
	operation.create('POST /agents', { ...said, body, ...waits }),
	// @ts-expect-error a create removes nothing
	operation.create('POST /agents', { ...said, body, ...removed }),
	// @ts-expect-error an update is not recovered by a search: repeating it changes nothing more
	operation.update('PATCH /agents/{uuid}', { ...said, path: uuid, recover: matchFirst }),
	// @ts-expect-error a list does not take all items together
	operation.list('GET /agents', { ...said, allItems: 'GET /agents' }),
	// @ts-expect-error a read has no preflight
	operation.get('GET /agents/{uuid}', { ...said, path: uuid, preflight: {} }),
	// @ts-expect-error a list has no file of its own
	operation.list('GET /medias', { ...said, download: { when: 'always', what: 'file' } }),
	operation.remove('DELETE /agents/{uuid}/webhooks/{webhookUuid}', {
		...said,
		path: { uuid: agent(), webhookUuid: agent() },
		// @ts-expect-error its path says what is removed
		removes: 'webhookUuid',
	}),
	// @ts-expect-error nobody sends an operation by hand
	operation.raw({ ...said, paced: true }),
];

/** Reads beside a request are endpoints of the contract, and every value of their paths has a source. */
export const refusedReads = [
	// @ts-expect-error no such endpoint
	read('GET /agentz'),
	// @ts-expect-error a write is no read
	read('POST /agents'),
	// @ts-expect-error the source of the uuid is missing
	read('GET /agents/{uuid}'),
	// @ts-expect-error the path has another name for it
	read('GET /agents/{uuid}', { agent: fromRequest('uuid') }),
	// @ts-expect-error a list without values in its path takes none
	read('GET /listings', { uuid: fromRequest('uuid') }),
];
