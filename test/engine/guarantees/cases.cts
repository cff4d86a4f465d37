/** Tables of single runs: an operation with its parameters, and what must come of it. */
import { omit } from 'lodash';
import type { INodeParameters } from 'n8n-workflow';
import type { NodeOptions, usePlatform } from '../harness/index.cts';
import type { Words } from './promises.cts';
import { failure, hintsOf } from './scene.cts';

export interface Case {
	node: string;
	parameters: INodeParameters;
	items?: object[];
	/** What is chosen for the node: Retry On Fail, On Error. */
	chosen?: Omit<NodeOptions, 'items'>;
	settings?: object;
	/** Faults, as `strike` takes them. */
	strikes?: Array<Parameters<ReturnType<typeof usePlatform>['sandbox']['strike']>>;
	/** Why the run fails; without it, the run has to come to its end. */
	fails?: Words;
	/** The same, and nothing is asked of the platform. */
	refused?: Words;
	hints?: Words;
	json?: object[];
	/** The files of each item, by their names; undefined for none. */
	files?: Array<object | undefined>;
	/** How many requests of a method and path (a regular expression) the platform saw: `POST /contacts`. */
	sent?: Record<string, number>;
	/** What those carried, in order: their bodies without a request key, or the queries of reads. */
	got?: Record<string, unknown[]>;
	/** How many records of a collection there are in the end. */
	there?: Record<string, number>;
}

const expectWords = (text: string, words: Words): void => {
	for (const part of [words].flat()) expect(text).toMatch(part);
};

/** Makes a test of each row of a table; what a row needs to know of the platform, it asks when its test runs. */
export function cases(
	{ sandbox, engine }: ReturnType<typeof usePlatform>,
	table: Record<string, Case | (() => Promise<Case> | Case)>,
): void {
	const requestsOf = async (request: string) => {
		const [method, path] = request.split(' ') as [string, string];
		const all = await sandbox.ledger({ method });
		return all.filter((one) => new RegExp(`^${path}$`).test(one.path));
	};

	test.each(Object.entries(table))('%s', async (_, make) => {
		const row = typeof make === 'function' ? await make() : make;
		const { node, parameters, items, chosen, settings, refused } = row;
		const fails = row.fails ?? refused;
		if (settings) await sandbox.settings(settings);
		for (const strike of row.strikes ?? []) await sandbox.strike(...strike);
		await sandbox.clearLedger();
		const options = { ...(items && { items: items as never }), ...chosen };
		const result = await engine.runNode(node, parameters, options);
		const why = failure(result);
		if (fails === undefined) expect(why).toBeUndefined();
		else expectWords(why ?? 'the run came to its end', fails);
		expectWords(hintsOf(result), row.hints ?? '');
		if (row.json) expect(result.json()).toMatchObject(row.json);
		if (row.files) {
			const files = result.items().map(({ binary }) => binary);
			expect(files).toEqual(row.files.map((one) => one && expect.objectContaining(one)));
		}
		if (refused !== undefined) expect(await sandbox.ledger()).toEqual([]);
		for (const [request, times] of Object.entries(row.sent ?? {}))
			expect([request, (await requestsOf(request)).length]).toEqual([request, times]);
		for (const [request, contents] of Object.entries(row.got ?? {})) {
			const got = (await requestsOf(request)).map(({ method, body, query }) =>
				method === 'GET' ? query : omit(body, 'request_key'),
			);
			expect([request, got]).toEqual([request, contents]);
		}
		for (const [collection, count] of Object.entries(row.there ?? {}))
			expect(await sandbox.state(collection)).toHaveLength(count);
	});
}

/** Rows of what is refused before anything is asked of the platform: an operation, its parameters, the words. */
export const refusals = (
	node: string,
	rows: Array<[operation: string, parameters: INodeParameters, refused: Words]>,
): Record<string, Case> =>
	Object.fromEntries(
		rows.map(([operation, parameters, refused]) => [
			`${operation} ${JSON.stringify(parameters)} is refused before anything leaves`,
			{ node: `${node} ${operation}`, parameters, refused },
		]),
	);
