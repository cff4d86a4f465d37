/** Plain expressions, read from the item itself: what n8n would give, for every spelling and every odd item. */
import path from 'node:path';
import { Engine } from './harness/engine.cts';
import { composed, leftToN8n, plain } from './plainExpressions/table.cjs';
import { ok } from './guarantees/scene.cts';

jest.setTimeout(600_000);

/** An expression, and for how many of the items it was read without n8n. */
interface Count {
	raw: unknown;
	byUs: number;
}
const byUs = ({ byUs: count }: Count): number => count;

const all: unknown[] = [...plain, ...leftToN8n, ...composed];

const workflow = {
	nodes: [
		{
			name: 'Items',
			type: 'n8n-nodes-plain-expressions.plainExpressions',
			parameters: { mode: 'items' },
		},
		{
			name: 'Node',
			type: 'n8n-nodes-plain-expressions.plainExpressions',
			parameters: { mode: 'compare', table: all as never },
		},
	],
	connections: { Items: { main: [[{ node: 'Node', type: 'main' as const, index: 0 }]] } },
};

describe.each(['vm', 'legacy'] as const)('in the engine %s', (expressionEngine) => {
	test('every spelling gives for every item what n8n gives', async () => {
		const engine = await Engine.start({
			packages: [path.join(__dirname, 'plainExpressions')],
			expressionEngine,
		});
		try {
			const result = ok(await engine.run(workflow, { startNode: 'Items' }));
			const [{ items, counts, different }] = result.json() as [
				{ items: number; counts: Count[]; different: string[] },
			];
			expect(items).toBeGreaterThan(60);
			expect(different).toEqual([]);
			const readHere = (rows: unknown[]): number[] =>
				counts.slice(all.indexOf(rows[0]), all.indexOf(rows[0]) + rows.length).map(byUs);
			expect(counts.map(({ raw }: Count) => raw)).toEqual(all);
			expect(readHere(plain).filter((count) => count > 5)).toHaveLength(137);
			expect(readHere(leftToN8n).filter((count) => count === 0)).toHaveLength(118);
			expect(readHere(composed).filter((count) => count === 0)).toHaveLength(1);
		} finally {
			await engine.stop();
		}
	});
});
