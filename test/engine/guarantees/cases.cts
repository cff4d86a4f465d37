/** Tables of single runs: an operation with its parameters, and what must come of it. */
import { omit } from 'lodash';
import type { INodeParameters } from 'n8n-workflow';
import type { NodeOptions, usePlatform } from '../harness/index.cts';
import { writesOf } from './scene.cts';
import { type Ending, expectEnding, requestsOf, type Words } from './promises.cts';

export interface Case extends Ending {
	node: string;
	parameters: INodeParameters;
	items?: object[];
	/** What is chosen for the node: Retry On Fail, On Error. */
	chosen?: Omit<NodeOptions, 'items'>;
	settings?: object;
	/** Faults, as `strike` takes them. */
	strikes?: Array<Parameters<ReturnType<typeof usePlatform>['sandbox']['strike']>>;
	/** Why the run fails before anything is asked of the platform. */
	refused?: Words;
	/** The files of each item, by their names; undefined for none. */
	files?: Array<object | undefined>;
	/** What requests as in `sent` carried, in order: their bodies without a request key, or the queries of reads. */
	got?: Record<string, unknown[]>;
}

/** Makes a test of each row of a table; what a row needs to know of the platform, it asks when its test runs. */
export function cases(
	{ sandbox, engine }: ReturnType<typeof usePlatform>,
	table: Record<string, Case | (() => Promise<Case> | Case)>,
): void {
	test.each(Object.entries(table))('%s', async (_, make) => {
		const row = typeof make === 'function' ? await make() : make;
		const { node, parameters, items, chosen, settings, refused } = row;
		if (settings) await sandbox.settings(settings);
		for (const strike of row.strikes ?? []) await sandbox.strike(...strike);
		await sandbox.clearLedger();
		const options = { ...(items && { items: items as never }), ...chosen };
		const result = await engine.runNode(node, parameters, options);
		await expectEnding(sandbox, result, { ...row, fails: row.fails ?? refused });
		if (row.files) {
			const files = result.items().map(({ binary }) => binary);
			expect(files).toEqual(row.files.map((one) => one && expect.objectContaining(one)));
		}
		const sent = await writesOf(sandbox);
		if (refused !== undefined) expect(sent).toEqual([]);
		for (const [request, contents] of Object.entries(row.got ?? {})) {
			const [method, path] = request.split(' ') as [string, string];
			const got = (await requestsOf(sandbox, path, method)).map(({ body, query }) =>
				method === 'GET' ? query : omit(body, 'request_key'),
			);
			expect([request, got]).toEqual([request, contents]);
		}
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
