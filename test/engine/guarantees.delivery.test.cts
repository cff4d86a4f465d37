/**
 * Every way of finding out about a lost answer, crossed with every option that could go round it. What counts is what
 * the platform carried out, by its own ledger: with API Request and with files as well, nothing happens twice.
 */
import type { INodeParameters } from 'n8n-workflow';
import {
	agentOf,
	byId,
	contact,
	fast,
	happened,
	note,
	onceEach,
	people,
	sms,
	requestsShown,
} from './guarantees/scene.cts';
import { usePlatform, type NodeOptions, type Result } from './harness/index.cts';

const platform = usePlatform({ settings: fast, speed: 10 });
jest.setTimeout(120_000);

const count = 5;
const items = people(count);
const texts = items.map(({ text }) => text);

interface Way {
	node: string;
	parameters: (agent: string, options: INodeParameters) => INodeParameters;
	/** Where the platform carries it out, and what tells the items apart there. */
	path: (agent: string) => string;
	of: (body: any) => string;
	/** Whether a lost answer is found out about; else the item stays uncertain and is not sent again. */
	certain: boolean;
	/** API Request can take its answer as a file. */
	asFile?: true;
}

/** The same requests, written by hand. */
const written = (path: string, body: string) => (agent: string, options: INodeParameters) => ({
	resource: 'contact',
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
const choices: Record<
	string,
	{ options?: INodeParameters; node?: NodeOptions; again?: 'retry'; asFile?: true; twice?: true }
> = {
	'Retry On Fail': { node: retrying },
	'Retry execution': { again: 'retry' },
	'one at a time, Retry execution': { options: { concurrency: 1 }, again: 'retry' },
	'Continue, Retry On Fail': { node: { ...retrying, onError: 'continueRegularOutput' } },
	'error output, Retry On Fail': { node: { ...retrying, onError: 'continueErrorOutput' } },
	'a file, Retry On Fail': { options: { downloadFile: true }, node: retrying, asFile: true },
	'a file, Retry execution': { options: { downloadFile: true }, again: 'retry', asFile: true },
	'Retry Writes, Retry On Fail': { options: { retryWrites: true }, node: retrying, twice: true },
};

const faults = {
	'the answer to the first request is lost': { nth: 1, fault: { kind: 'reset-after' } },
	'the fourth request is refused once': { nth: 4, fault: { kind: 'status', status: 422 } },
} as const;

const agent = async () => await agentOf(platform.sandbox);
const carriedOut = async ({ path, of }: Way) =>
	await happened(platform.sandbox, path(await agent()), of);

/** What may be chosen around requests of this way, with each fault. */
const casesOf = (way: Way) =>
	Object.entries(choices)
		.filter(([, { asFile, twice }]) => (!asFile || way.asFile) && !(twice && !way.certain))
		.flatMap(([choiceName, choice]) =>
			Object.entries(faults).map(([faultName, fault]) => ({
				name: `${choiceName}; ${faultName}`,
				choice,
				fault,
			})),
		);

test('every way and every choice is crossed', () => {
	expect(Object.values(ways).flatMap(casesOf)).toHaveLength(88);
});

describe.each(Object.entries(ways))(
	'Guarantee: whatever is chosen around a request, it happens once › %s',
	(_, way) => {
		test.each(casesOf(way))('$name', async ({ choice, fault }) => {
			const { options, node, again } = choice;
			const parameters = way.parameters(await agent(), { maxRetries: 0, ...options });
			await platform.sandbox.faults([
				{
					match: { method: 'POST', path: `^${way.path(await agent())}$`, nth: fault.nth },
					times: 1,
					fault: fault.fault,
				},
			]);
			let result: Result = await platform.engine.runNode(way.node, parameters, { items, ...node });
			// Where the lost answer was found out about at once, there is nothing to retry.
			if (again && result.status === 'error') result = await platform.engine.retry(result);
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
		});

		test('Preview: nothing is sent', async () => {
			const parameters = way.parameters(await agent(), { preview: true });
			const result = await platform.engine.runNode(way.node, parameters, { items });
			expect(requestsShown(result).map(({ preview }) => preview)).toEqual(items.map(() => true));
			const { length } = await platform.sandbox.ledger({ method: 'POST' });
			expect(length).toBe(0);
		});
	},
);
