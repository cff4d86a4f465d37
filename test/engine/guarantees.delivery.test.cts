/**
 * Every way of finding out about a lost answer, crossed with every option that could go round it. What counts is what
 * the platform carried out, by its own ledger: with API Request and with files as well, nothing happens twice.
 */
import { countBy } from 'lodash';
import type { INodeParameters } from 'n8n-workflow';
import { usePlatform } from './guarantees/platform.cts';
import {
	agentOf,
	byId,
	contact,
	fast,
	note,
	onceEach,
	people,
	sms,
	requestsShown,
} from './guarantees/scene.cts';
import type { FaultRule, NodeOptions, Result } from './harness/index.cts';

const { sandbox, engine, run } = usePlatform({ settings: fast, speed: 50 });

const count = 5;
const items = people(count);
const texts = items.map(({ text }) => text);
/** Which item a task was made for. */
const taskTexts = new Map<string, string>();

interface Way {
	/** Makes what the items are about. @returns the items */
	scene?: () => Promise<Array<(typeof items)[number]>>;
	node: string;
	parameters: (agent: string, options: INodeParameters) => INodeParameters;
	/** Where the platform carries it out, and what tells the items apart there. */
	path: (agent: string) => string;
	of: (body: any, path: string) => string;
	/** Whether a lost answer is found out about; else the item stays uncertain and is not sent again. */
	certain: boolean;
	/** API Request can take its answer as a file. */
	asFile?: true;
}

/** The same requests, written by hand. */
const written = (path: string, body: string) => (agent: string, options: INodeParameters) => ({
	resource: 'otherEndpoint',
	operation: 'apiRequest',
	method: 'POST',
	path,
	body: `={{ ${body.replace('AGENT', JSON.stringify(agent))} }}`,
	options,
});

const ways: Record<string, Way> = {
	'request key': {
		node: 'acpMessages',
		parameters: sms,
		path: () => '/sms/send',
		of: ({ message }) => message,
		certain: true,
	},
	'API Request with a request key': {
		node: 'acpContacts',
		parameters: written(
			'/sms/send',
			'{ agentId: AGENT, phoneNumber: $json.phone, message: $json.text }',
		),
		path: () => '/sms/send',
		of: ({ message }) => message,
		certain: true,
		asFile: true,
	},
	'search in the parent': {
		node: 'acpAgents',
		parameters: note,
		path: (agent) => `/agents/${agent}/notes`,
		of: ({ content }) => content,
		certain: true,
	},
	'search in the list': {
		node: 'acpOutreach',
		parameters: (agent, options) => ({
			resource: 'listing',
			operation: 'create',
			name: '={{ $json.text }}',
			agent: byId(agent),
			autoStart: true,
			contacts: { values: [{ phoneNumber: '={{ $json.phone }}', name: 'Ada' }] },
			options,
		}),
		path: () => '/listings',
		of: ({ name }) => name,
		certain: true,
	},
	'a look at the record': {
		scene: async () =>
			await Promise.all(
				items.map(async (item) => {
					const { data } = await sandbox.api.post('/tasks', {
						title: item.text,
						type: 'make_call',
						agent_uuid: await agent(),
						scheduled_at: '2035-03-05T10:00:00',
						contact: { phone_number: item.phone },
					});
					taskTexts.set(data.data.uuid, item.text);
					return { ...item, task: data.data.uuid as string };
				}),
			),
		node: 'acpOutreach',
		parameters: (_, options) => ({
			resource: 'task',
			operation: 'queue',
			task: byId('={{ $json.task }}'),
			options,
		}),
		path: () => '/tasks/[^/]+/queue',
		of: (_, path) => taskTexts.get(path.split('/')[2] as string) as string,
		certain: true,
	},
	'search first': {
		node: 'acpContacts',
		parameters: (_, options) => ({ ...contact(options), operation: 'findOrCreate' }),
		path: () => '/contacts',
		of: ({ name }) => name,
		certain: true,
	},
	'nothing to find out by': {
		node: 'acpContacts',
		parameters: (_, options) => contact(options),
		path: () => '/contacts',
		of: ({ name }) => name,
		certain: false,
	},
	'API Request without a request key': {
		node: 'acpContacts',
		parameters: written('/contacts', '{ phone_number: $json.phone, name: $json.text }'),
		path: () => '/contacts',
		of: ({ name }) => name,
		certain: false,
		asFile: true,
	},
};

const retrying: NodeOptions = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };

/** What a user may choose around a request. `again`: what runs after the first execution. */
interface Choice {
	options?: INodeParameters;
	node?: NodeOptions;
	again?: 'retry';
	asFile?: true;
	twice?: true;
}
const choices: Record<string, Choice> = {
	'Retry On Fail': { node: retrying },
	'Retry execution': { again: 'retry' },
	'Concurrency 1, Retry execution': { options: { concurrency: 1 }, again: 'retry' },
	'Continue, Retry On Fail': { node: { ...retrying, onError: 'continueRegularOutput' } },
	'error output, Retry On Fail': { node: { ...retrying, onError: 'continueErrorOutput' } },
	'a file, Retry On Fail': { options: { downloadFile: true }, node: retrying, asFile: true },
	'a file, Retry execution': { options: { downloadFile: true }, again: 'retry', asFile: true },
	'Retry Writes, Retry On Fail': { options: { retryWrites: true }, node: retrying, twice: true },
};

const faults: Record<string, FaultRule> = {
	'the answer to the first request is lost': {
		match: { nth: 1 },
		times: 1,
		fault: { kind: 'reset-after' },
	},
	'the fourth request is refused once': {
		match: { nth: 4 },
		times: 1,
		fault: { kind: 'status', status: 422 },
	},
};
/** As often as the items are sent at all, with the retries that people have who change nothing. */
const lasting: FaultRule = { times: count * 6, fault: { kind: 'reset-after' } };

/** What people have who change nothing, and what leaves all trying again to n8n. */
const settings: Array<[string, INodeParameters]> = [
	['', {}],
	[', with Max Retries 0', { maxRetries: 0 }],
];

const agent = async () => await agentOf(sandbox);
async function carriedOut({ path, of }: Way): Promise<Record<string, number>> {
	const where = new RegExp(`^${path(await agent())}$`);
	const done = (await sandbox.created()).filter((entry) => where.test(entry.path));
	return countBy(done, (entry) => of(entry.body, entry.path));
}

interface Case {
	name: string;
	choice: Choice;
	fault: FaultRule;
	options: INodeParameters;
}

/** What may be chosen around requests of this way, with each fault. */
function casesOf(way: Way): Case[] {
	const fitting = Object.entries(choices).filter(
		([, { asFile, twice }]) => (!asFile || way.asFile) && !(twice && !way.certain),
	);
	const cases = (
		faultName: string,
		fault: FaultRule,
		[words, options]: (typeof settings)[number],
	) =>
		fitting.map(([choiceName, choice]) => ({
			name: `${choiceName}; ${faultName}${words}`,
			choice,
			fault,
			options: { ...options, ...choice.options },
		}));
	const all = settings.flatMap((setting) =>
		Object.entries(faults).flatMap(([name, fault]) => cases(name, fault, setting)),
	);
	return way.certain
		? [...all, ...cases('the answers to the first 30 requests are lost', lasting, settings[0]!)]
		: all;
}

async function happensOnce(way: Way, { choice, fault, options }: Case): Promise<void> {
	const { node, again } = choice;
	const parameters = way.parameters(await agent(), options);
	const given = (await way.scene?.()) ?? items;
	await sandbox.clearLedger();
	const match = { ...fault.match, method: 'POST', path: `^${way.path(await agent())}$` };
	await sandbox.faults([{ ...fault, match }]);
	let result: Result = await run(way.node, parameters, { items: given, ...node });
	// Where the lost answer was found out about at once, there is nothing to retry.
	for (let tries = 0; again && result.status === 'error' && tries < count; tries++)
		result = await engine.retry(result);
	expect(result.error?.message ?? '').not.toMatch(/cannot be sent/);
	const happenedOnce = await carriedOut(way);
	const times = Object.values(happenedOnce);
	expect(times.length).toBeGreaterThan(0);
	expect(Math.max(...times)).toBe(1);

	const refused = fault.fault.kind === 'status';
	const continues = node?.onError !== undefined;
	if (!refused || !continues) {
		// All were carried out; where nobody can tell, the node names the item instead of sending it again.
		expect(happenedOnce).toEqual(onceEach(texts));
		if (way.certain) expect(result.status).toBe('success');
	} else {
		// n8n tries a node that continues again only when its first item failed.
		expect(times).toHaveLength(count - 1);
	}
}

test('every way and every choice is crossed', () => {
	expect(Object.values(ways).flatMap(casesOf)).toHaveLength(238);
});

describe.each(Object.entries(ways))(
	'Guarantee: whatever is chosen around a request, it happens once › %s',
	(_, way) => {
		test.each(casesOf(way))('$name', async (one) => await happensOnce(way, one));

		test('Preview: nothing is sent', async () => {
			const parameters = way.parameters(await agent(), { preview: true });
			const given = (await way.scene?.()) ?? items;
			await sandbox.clearLedger();
			const result = await run(way.node, parameters, { items: given });
			expect(requestsShown(result).map(({ preview }) => preview)).toEqual(items.map(() => true));
			const { length } = await sandbox.ledger({ method: 'POST' });
			expect(length).toBe(0);
		});
	},
);
