/**
 * docs/reference/guarantees.md: what the nodes promise about what happens on the platform, and the tests that prove it.
 * The table is made from the names of groups of tests, so that it cannot promise what nothing proves.
 */
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { repository } from '../bootstrap.mjs';
import { cell, table } from './markdown.mjs';

/** A title that says what is guaranteed; what follows " › " is one of several ways in which that is tried. */
const title = /(['"`])Guarantee: (.+?)(?: › .*?)?\1/g;

/** @returns {Map<string, string[]>} the test files by guarantee: the page's main promises first, random faults last */
export function guaranteed() {
	const files = globSync('test/{engine,server}/*.test.{cts,mjs}', { cwd: repository })
		.map((file) => file.replaceAll('\\', '/'))
		.sort();
	const main = (/** @type {string} */ file) => file.endsWith('/guarantees.test.cts');
	const faults = (/** @type {string} */ file) => basename(file).startsWith('faults');
	const ordered = [
		...files.filter(main),
		...files.filter((file) => !main(file) && !faults(file)),
		...files.filter(faults),
	];
	/** @type {Map<string, string[]>} */
	const found = new Map();
	for (const file of ordered)
		for (const [, , guarantee] of readFileSync(join(repository, file), 'utf8').matchAll(title))
			found.set(guarantee, [...new Set([...(found.get(guarantee) ?? []), file])]);
	return found;
}

/** @returns {string} the generated part of the page */
export const guarantees = () =>
	table(
		['Guarantee', 'Tests'],
		[...guaranteed()].map(([guarantee, files]) => [
			cell(guarantee),
			files
				.map((file) => `[${basename(file).replace(/\.test\.\w+$/, '')}](../../${file})`)
				.join(', '),
		]),
	);
