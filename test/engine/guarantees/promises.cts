/** Tables: a kind of operation, what happens to it, and what must come of it. */
import { countBy } from 'lodash';
import type { INodeParameters } from 'n8n-workflow';
import { type NodeOptions, type Result, until, type usePlatform } from '../harness/index.cts';
import type { Sandbox } from '../harness/index.cts';
import type { Kind } from './kinds.cts';
import { agentOf, failure, hintsOf, onceEach, people, ok, keptAndSkipped } from './scene.cts';

/** What a text has to say, in all its parts. */
export type Words = string | RegExp | Array<string | RegExp>;

type Strike = Parameters<Sandbox['strike']>;
type Fault = Strike[1];

/** What hits the request of a kind itself: the first one, these, or all. */
export const hit =
	(fault: Fault) =>
	(nth: number | number[] | 'all' = 1, which: Strike[2] = {}) => ({
		fault,
		which: { ...(nth !== 'all' && { nth }), ...which },
	});
/** The answer is lost, after the platform has carried it out. */
export const lost = hit('reset-after');
/** The request is lost, and nothing was carried out. */
export const unsent = hit('reset-before');
export const refused = hit(403);
/** Status 200 with something else than what was asked for. */
export const answer = (body: unknown) => ({ status: 200, body }) as const;
/** So many numbers, from the first one on. */
export const numbers = (first: number, count: number): number[] =>
	Array.from({ length: count }, (_, index) => first + index);

/** What a person chooses: for the node, under Options, and in its other parameters. */
export interface Chosen extends Omit<NodeOptions, 'items'> {
	options?: INodeParameters;
	change?: INodeParameters;
}

/** What happens. */
export interface Happening extends Chosen {
	settings?: object;
	manners?: object;
	/** Faults: of the kind's own request, or as `sandbox.strike` takes them. */
	strikes?: Array<Strike | ReturnType<ReturnType<typeof hit>>>;
	/** What somebody else does as soon as the first request has arrived. */
	meanwhile?: () => Promise<unknown>;
	/** The run fails, and is retried: as it was, or in the current workflow, with something changed. */
	again?: 'retry' | Chosen;
}

/** What must come of a run, whatever runs. */
export interface Ending {
	/** Why the run fails; without it, it has to come to its end. */
	fails?: Words;
	hints?: Words;
	json?: object[];
	/** How many requests of a method and path (a regular expression) the platform saw: `POST /contacts`. */
	sent?: Record<string, number>;
	/** How many records of a collection there are in the end. */
	there?: Record<string, number>;
}

/** What must come of a kind of operation. */
export interface Outcome extends Ending {
	/** Why the run fails that is retried. */
	first?: Words;
	/** What neither the error nor a hint says. */
	silent?: string;
	/** Which items are error items; in the regular output. */
	errors?: number[];
	/** What the platform carried out, and how often; `once`: each item once. */
	happens?: 'once' | Record<string, number>;
	/** How many requests of the kind the platform saw. */
	requests?: number;
}

export interface Case {
	/** A kind of operation, for one person; or for so many people, or for items. */
	does: Kind | [Kind, number | object[]];
	when?: Happening;
	then: Outcome;
}

const expectWords = (text: string, words: Words): void => {
	for (const part of [words].flat()) expect(text).toMatch(part);
};

/** Requests that a sandbox saw of a method and path, which is a regular expression. */
export const requestsOf = async (sandbox: Sandbox, path: string, method = 'POST') =>
	(await sandbox.ledger({ method })).filter((one) => new RegExp(`^${path}$`).test(one.path));

export async function expectEnding(sandbox: Sandbox, result: Result, ending: Ending) {
	if (ending.fails === undefined) ok(result);
	else expectWords(failure(result) ?? 'the run came to its end', ending.fails);
	expectWords(hintsOf(result), ending.hints ?? '');
	if (ending.json) expect(keptAndSkipped(result)).toMatchObject(ending.json);
	for (const [request, times] of Object.entries(ending.sent ?? {})) {
		const [method, path] = request.split(' ') as [string, string];
		expect([request, (await requestsOf(sandbox, path, method)).length]).toEqual([request, times]);
	}
	for (const [collection, count] of Object.entries(ending.there ?? {}))
		expect(await sandbox.state(collection)).toHaveLength(count);
}

const textOf = (body: any): string => body.message ?? body.content ?? body.title ?? body.name;

/** Verbs for tests of a platform. */
export function promisesOf({ sandbox, engine }: ReturnType<typeof usePlatform>) {
	const agent = async (index = 0): Promise<string> => await agentOf(sandbox, index);

	/** Requests of a method and path, which is a regular expression. */
	const requests = async (path: string, method?: string) => await requestsOf(sandbox, path, method);

	/** How often something really happened, by what tells the items apart. */
	const happened = async ({ path, method, of = textOf }: Kind): Promise<Record<string, number>> =>
		countBy(
			(await requests(path, method)).filter(({ effect }) => effect === 'created'),
			(one) => of(one.body, one.path),
		);

	const parametersOf = async (kind: Kind, { options = {}, change }: Chosen) => ({
		...(await kind.parameters(await agent(), sandbox)),
		options,
		...change,
	});

	const itemsOf = async (kind: Kind, items: number | object[] = 1): Promise<any[]> => {
		const given = typeof items === 'number' ? people(items) : items;
		return (await kind.scene?.(sandbox, given)) ?? given;
	};

	/** Runs a kind of operation on items; a number means so many people. */
	const perform = async (kind: Kind, items?: number | object[], chosen: Chosen = {}) => {
		const { options: _options, change: _change, ...node } = chosen;
		const given = { ...node, items: await itemsOf(kind, items) };
		return await engine.runNode(kind.node, await parametersOf(kind, chosen), given);
	};

	/** Executions › Retry, with the current workflow. */
	const retry = async (failed: Result, kind: Kind, items?: number | object[], chosen = {}) => {
		const given = { ...chosen, items: await itemsOf(kind, items) };
		const parameters = await parametersOf(kind, chosen);
		const currentWorkflow = engine.nodeWorkflow(kind.node, parameters, given);
		return await engine.retry(failed, { currentWorkflow });
	};

	/** Sets what happens to the requests of a kind. */
	async function given({ path, method = 'POST' }: Kind, happening: Happening): Promise<void> {
		const { settings, manners, strikes = [] } = happening;
		if (settings) await sandbox.settings(settings);
		if (manners) await sandbox.settings({ manners });
		for (const one of strikes)
			if (Array.isArray(one)) await sandbox.strike(...one);
			else await sandbox.strike(`${method} ^${path}$`, one.fault, one.which);
	}

	async function judge({ does, when = {}, then }: Case): Promise<void> {
		const [{ scene, ...kind }, wanted] = Array.isArray(does) ? does : [does];
		const { settings: _, manners: _manners, strikes: _strikes, meanwhile, again, ...chosen } = when;
		const items = await itemsOf({ ...kind, scene }, wanted);
		await given(kind, when);
		await sandbox.clearLedger();
		const running = perform(kind, items, chosen);
		if (meanwhile) {
			await until('the request', async () => (await requests(kind.path, kind.method)).length > 0);
			await meanwhile();
		}
		let result = await running;
		if (again) {
			expect(result.status).toBe('error');
			expectWords(failure(result)!, then.first ?? '');
			if (again === 'retry') result = await engine.retry(result);
			else result = await retry(result, kind, items, { ...chosen, ...again });
		}
		await expectEnding(sandbox, result, then);
		if (then.silent) expect(`${failure(result)} ${hintsOf(result)}`).not.toContain(then.silent);
		if (then.errors)
			expect(result.json().flatMap(({ errorItem }) => errorItem ?? [])).toEqual(then.errors);
		if (then.happens)
			expect(await happened(kind)).toEqual(
				then.happens === 'once' ? onceEach(items.map(({ text }) => text)) : then.happens,
			);
		if (then.requests !== undefined)
			expect(await requests(kind.path, kind.method)).toHaveLength(then.requests);
	}

	/** Makes a test of each row of a table; a row that is a function is made when its test runs. */
	function promises(table: Record<string, Case | (() => Promise<Case> | Case)>): void {
		test.each(Object.entries(table))('%s', async (_, row) => {
			await judge(typeof row === 'function' ? await row() : row);
		});
	}

	return { agent, requests, happened, perform, retry, given, promises };
}
