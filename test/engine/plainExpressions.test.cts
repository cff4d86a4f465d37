/** Plain expressions, read from the item itself: what n8n would give, for every spelling and every odd item. */
import path from 'node:path';
import { Engine } from './harness/engine.cts';
import { composed, leftToN8n, plain } from './plainExpressions/table.cjs';
import { ok } from './guarantees/scene.cts';

jest.setTimeout(600_000);

const all: unknown[] = [...plain, ...leftToN8n, ...composed];
const type = 'n8n-nodes-plain-expressions.plainExpressions';
const workflow = {
	nodes: [
		{ name: 'Items', type, parameters: { mode: 'items' } },
		{ name: 'Node', type, parameters: { mode: 'compare', table: all as never } },
	],
	connections: { Items: { main: [[{ node: 'Node', type: 'main' as const, index: 0 }]] } },
};

test.each(['vm', 'legacy'] as const)(
	'in the engine %s every spelling gives for every item what n8n gives',
	async (expressionEngine) => {
		const packages = [path.join(__dirname, 'plainExpressions')];
		const engine = await Engine.start({ packages, expressionEngine });
		try {
			const result = ok(await engine.run(workflow, { startNode: 'Items' }));
			const [{ items, counts, different }] = result.json();
			expect(items).toBeGreaterThan(60);
			expect(different).toEqual([]);
			expect(counts.map(({ raw }: any) => raw)).toEqual(all);
			const byUs = counts.map((one: any) => one.byUs);
			const [left, last] = [plain.length, plain.length + leftToN8n.length];
			expect(Math.min(...byUs.slice(0, left))).toBeGreaterThan(5);
			expect(Math.max(...byUs.slice(left, last))).toBe(0);
			// One of them holds a part that is left to n8n.
			expect(byUs.slice(last).filter((count: number) => count === 0)).toHaveLength(1);
		} finally {
			await engine.stop();
		}
	},
);
