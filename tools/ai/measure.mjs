/** All that `npm run ai` prints and the tests bound. */
import { definitions } from './definitions.mjs';
import { openHost } from './host.mjs';
import { ranks, shown } from './search.mjs';
import { workflows } from './workflows.mjs';

const sum = (/** @type {number[]} */ numbers) => numbers.reduce((a, b) => a + b, 0);

/**
 * Measures the built package in an installed n8n, without a model and without the network.
 * @param {Awaited<ReturnType<typeof openHost>>} [opened]
 */
export async function measure(opened) {
	const host = opened ?? (await openHost());
	const places = ranks(host);
	const nodes = definitions(host);
	const found = (/** @type {'catalogue' | 'panel'} */ search) =>
		places.filter((place) => place[search] > 0 && place[search] <= shown).length;
	return {
		places,
		nodes,
		workflows: await workflows(host),
		phrases: places.length,
		foundByCatalogue: found('catalogue'),
		foundByPanel: found('panel'),
		operations: sum(nodes.map(({ operations }) => operations)),
		characters: sum(nodes.map(({ characters }) => characters)),
		longest: Math.max(...nodes.map(({ characters }) => characters)),
		bytes: sum(nodes.map((node) => node.bytes)),
		wrongDescriptions: nodes.flatMap(({ wrongDescriptions }) => wrongDescriptions),
		withoutOutput: nodes.flatMap(({ withoutOutput }) => withoutOutput),
		mappersWithoutHint: nodes.flatMap(({ mappersWithoutHint }) => mappersWithoutHint),
	};
}
