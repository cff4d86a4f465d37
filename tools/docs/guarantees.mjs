/**
 * docs/reference/guarantees.md: what the nodes promise about what happens on the platform, and the tests that prove it.
 * The table is made from the names of groups of tests, and from what the worlds promise, so that it cannot promise what
 * nothing proves.
 */
import { globSync } from 'node:fs';
import { basename } from 'node:path';
import lodash from 'lodash';
import { repository } from '../bootstrap.mjs';
import { jsonOf, contentOf } from '../files.mjs';
import { cell, table } from './markdown.mjs';

/** A title that says what is guaranteed; what follows " › " is one of several ways in which that is tried. */
const title = /(['"`])Guarantee: (.+?)(?: › .*?)?\1/g;

/** Guarantees that a promise of the worlds holds, by the guarantee. @returns {Record<string, string>} */
const heldByWorlds = () => jsonOf('test/worlds/guarantees.json');

/** @returns {Map<string, string[]>} the test files by guarantee: the page's main promises first, random faults last */
function inFiles() {
	const files = globSync('test/{engine,server}/*.test.{cts,mjs}', { cwd: repository })
		.map((file) => file.replaceAll('\\', '/'))
		.sort();
	const main = (file) => file.endsWith('/guarantees.test.cts');
	const faults = (file) => basename(file).startsWith('faults');
	const found = new Map();
	for (const file of lodash.sortBy(files, (one) => (main(one) ? 0 : faults(one) ? 2 : 1)))
		for (const [, , guarantee] of contentOf(file).matchAll(title))
			found.set(guarantee, [...new Set([...(found.get(guarantee) ?? []), file])]);
	return found;
}

/** @returns {Map<string, string[]>} what holds each guarantee, as links */
function guaranteed() {
	const link = (file) => `[${basename(file).replace(/\.test\.\w+$/, '')}](../../${file})`;
	const ofFiles = [...inFiles()].map(([guarantee, files]) => [guarantee, files.map(link)]);
	const ofWorlds = Object.entries(heldByWorlds()).map(([guarantee, promise]) => [
		guarantee,
		[`[worlds](../contributing/worlds.md): ${cell(promise)}`],
	]);
	return new Map([...ofFiles, ...ofWorlds]);
}

/** @returns {string} the generated part of the page */
export const guarantees = () =>
	table(
		['Guarantee', 'Tests'],
		[...guaranteed()].map(([guarantee, holders]) => [cell(guarantee), holders.join(', ')]),
	);
