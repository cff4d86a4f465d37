/** What the tests of guarantees share: workflows of a few fields, and the ledger read as an oracle. */
import type { INodeParameters } from 'n8n-workflow';
import type { Result, Sandbox } from '../harness/index.cts';

/**
 * Limits that are out of the way, for tests that are not about them. 100 per second is the
 * most that a pack follows for sends.
 */
export const fast = { rate: { send: { limit: 100 }, general: { limit: 600_000 } } };

export const byId = (value: unknown) => ({ __rl: true, mode: 'id', value: String(value) });

/** A phone number of its own for each index up to 9999. */
export const phoneOf = (index: number): string => `+1415555${String(index).padStart(4, '0')}`;

/** Retry On Fail, as often as n8n allows without waiting. */
export const retrying = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };

/** Items `{phone, text}`, each with its own number and text. */
export const people = (count: number) =>
	Array.from({ length: count }, (_, index) => ({ phone: phoneOf(index), text: `Hello ${index}` }));

export const agentOf = async (sandbox: Sandbox, index = 0): Promise<string> =>
	(await sandbox.state('agents'))[index].agent_uuid;

/** A table with columns of these types that holds these records; its making is not in the ledger. @returns its ID */
export async function tableWith(
	sandbox: Sandbox,
	types: Record<string, string>,
	records: object[] = [],
): Promise<string> {
	const columns = Object.entries(types).map(([name, data_type]) => ({ name, data_type }));
	const { data } = await sandbox.api.post('/data/tables', { name: 'Prices', columns });
	const { uuid } = data.data;
	for (const record of records) await sandbox.api.post(`/data/${uuid}/records`, { record });
	await sandbox.clearLedger();
	return uuid;
}

/** A message as the sandbox keeps it, of a conversation that it does not have. */
export const message = (index: number) => ({
	conversation_uuid: '3f2b8c1e-5d47-4a9b-8f60-2c1d9e7a4b35',
	session_uuid: null,
	contact_uuid: null,
	agent_uuid: null,
	channel: 'sms',
	direction: 'outbound',
	sender: 'AI',
	message_type: 'text',
	content: `Message ${index}`,
	created_at: '2035-03-05T12:00:00Z',
});

/** A mapper whose columns are filled in by hand. */
export const mapped = (value: object) =>
	({ mappingMode: 'defineBelow', value, schema: [] }) as never;

/** One SMS per item, keyed by the platform's own `request_key`. */
export const sms = (
	agent: string,
	options: INodeParameters = {},
	change: INodeParameters = {},
): INodeParameters => ({
	resource: 'sms',
	operation: 'send',
	agentId: byId(agent),
	agent: byId(agent),
	phoneNumber: '={{ $json.phone }}',
	message: '={{ $json.text }}',
	options,
	...change,
});

/** One new contact per item: a write without a key that leaves no trace to look for. */
export const contact = (options: INodeParameters = {}): INodeParameters => ({
	resource: 'contact',
	operation: 'create',
	phoneNumber: '={{ $json.phone }}',
	name: '={{ $json.text }}',
	options,
});

/** One note per item: a write without a key that can be recognized on its agent. */
export const note = (agent: string, options: INodeParameters = {}): INodeParameters => ({
	resource: 'agentKnowledge',
	operation: 'addNote',
	agent: byId(agent),
	content: '={{ $json.text }}',
	options,
});

/** One task for the far future, for a contact of the workspace. */
export const taskFor = (
	agent: string,
	contactUuid: string,
	options: INodeParameters = {},
): INodeParameters => ({
	resource: 'task',
	operation: 'create',
	title: 'T',
	type: 'make_call',
	scheduledAt: '2031-05-01T10:00:00+02:00',
	agent: byId(agent),
	additionalFields: { contact: byId(contactUuid) },
	options,
});

/** How often something really happened, by what tells the items apart. */
export async function happened(
	sandbox: Sandbox,
	path: string,
	of: (body: any) => string,
): Promise<Record<string, number>> {
	const counts: Record<string, number> = {};
	for (const { body } of await sandbox.created(path))
		counts[of(body)] = (counts[of(body)] ?? 0) + 1;
	return counts;
}

/** All requests that were to change something. */
export const writesOf = async (sandbox: Sandbox) =>
	(await sandbox.ledger()).filter(({ method }) => method !== 'GET');

/** Each of the given names once. */
export const onceEach = (names: string[]): Record<string, number> =>
	Object.fromEntries(names.map((name) => [name, 1]));

/** Everything that a result tells about why it ended, for comparing with "nothing". */
export const failure = ({ error }: Result): string | undefined =>
	error ? `${error.message} | ${error.description ?? ''}` : undefined;

/** A result of a run that came to its end. */
export function ok(result: Result): Result {
	expect(failure(result)).toBeUndefined();
	return result;
}

/** Items of a run with Preview, each with the parts of the request that it shows. */
export const requestsShown = (result: Result): any[] =>
	result.json().map(({ request, ...json }) => ({ ...json, ...request }));

/** Fields of items that hold lists or objects. */
export const nested = (items: object[], ...raw: string[]): string[] =>
	items.flatMap((item) =>
		Object.entries(item).flatMap(([name, value]) =>
			value !== null && typeof value === 'object' && !raw.includes(name) ? [name] : [],
		),
	);

/** Items of *Kept* and *Skipped*, in the order of the input; the latter are marked. */
export const keptAndSkipped = (result: Result): any[] =>
	[0, 1]
		.flatMap((output) =>
			result.json('Node', output).flatMap((json, at) => {
				const [of = 0] = result.pairedItems('Node', output)[at] ?? [];
				if (output === 0) return [{ json, of }];
				return 'reason' in json ? [{ json: { skipped: true, ...json }, of }] : [];
			}),
		)
		.sort((one, other) => one.of - other.of)
		.map(({ json }) => json);

/** All sentences of the node's hints in one text, as a person reads them. */
export const allHintsOf = (result: Result): string =>
	result
		.hints()
		.map(({ message }) => message.replaceAll('<br>', ' '))
		.join(' ');

/** The hints without the sentence on delays: whether a request is delayed is the load's, not the test's. */
export const hintsOf = (result: Result): string =>
	allHintsOf(result)
		.replace(/\d+ requests? (was|were) delayed to keep .*? seconds?\./, '')
		.trim();
