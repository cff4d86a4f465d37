/** Tables of runs: what a node is asked for, what the platform does with it, and what must come of it. */
import type { INodeParameters } from 'n8n-workflow';
import { type NodeOptions, type Result, type usePlatform, until } from '../harness/index.cts';
import { failure, hintsOf } from './scene.cts';

/** What a text has to say, in all its parts. */
type Words = string | RegExp | Array<string | RegExp>;

export interface Case {
	node: string;
	parameters: INodeParameters;
	items?: object[];
	/** What is chosen for the node: Retry On Fail, On Error. */
	chosen?: Omit<NodeOptions, 'items'>;
	settings?: object;
	manners?: object;
	/** Faults, as `strike` takes them. */
	strikes?: Array<Parameters<ReturnType<typeof usePlatform>['sandbox']['strike']>>;
	/** What somebody else does as soon as the first request of `sent` has arrived. */
	meanwhile?: () => Promise<unknown>;
	/** Why the run fails; without it, the run has to come to its end. */
	fails?: Words;
	/** What neither the error nor a hint says. */
	silent?: string;
	hints?: Words;
	json?: object[];
	/** How many requests of a method and path (a regular expression) the platform saw: `POST /contacts`. */
	sent?: Record<string, number>;
	/** How many records of a collection there are in the end. */
	there?: Record<string, number>;
}

const expectWords = (text: string, words: Words): void => {
	for (const part of [words].flat()) expect(text).toMatch(part);
};

/** Makes a test of each row of a table; a row is made when its test runs. */
export function cases(
	{ sandbox, engine }: ReturnType<typeof usePlatform>,
	table: Record<string, () => Promise<Case> | Case>,
): void {
	const requestsOf = async (request: string): Promise<number> => {
		const [method, path] = request.split(' ') as [string, string];
		return (await sandbox.ledger({ method })).filter((one) =>
			new RegExp(`^${path}$`).test(one.path),
		).length;
	};

	test.each(Object.entries(table))('%s', async (_, make) => {
		const row = await make();
		const { node, parameters, items, chosen, settings, manners, meanwhile, fails } = row;
		if (settings) await sandbox.settings(settings);
		if (manners) await sandbox.settings({ manners });
		for (const strike of row.strikes ?? []) await sandbox.strike(...strike);
		await sandbox.clearLedger();
		const options = { ...(items && { items: items as never }), ...chosen };
		const running: Promise<Result> = engine.runNode(node, parameters, options);
		if (meanwhile) {
			const [first] = Object.keys(row.sent!) as [string];
			await until('the request', async () => (await requestsOf(first)) > 0);
			await meanwhile();
		}
		const result = await running;
		const why = failure(result);
		if (fails === undefined) expect(why).toBeUndefined();
		else expectWords(why ?? 'the run came to its end', fails);
		expectWords(hintsOf(result), row.hints ?? '');
		if (row.silent) expect(`${why} ${hintsOf(result)}`).not.toContain(row.silent);
		if (row.json) expect(result.json()).toMatchObject(row.json);
		for (const [request, times] of Object.entries(row.sent ?? {}))
			expect([request, await requestsOf(request)]).toEqual([request, times]);
		for (const [collection, count] of Object.entries(row.there ?? {}))
			expect(await sandbox.state(collection)).toHaveLength(count);
	});
}
