/** How fast phone numbers are read, what the library behind it weighs, and what loading it takes. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { repository } from '../../tools/bootstrap.mjs';

const folder = join(repository, 'dist', 'nodes', 'engine', 'phone');
const count = 50_000;
const rounds = 7;
/** What a sheet holds, with the country that the option names. */
const sheets = {
	'in international format already': [(index) => `+1415555${1000 + (index % 9000)}`, 'US'],
	'with a country code and separators': [(index) => `+1 (415) 555-${1000 + (index % 9000)}`],
	'of the default country': [(index) => `(415) 555-${1000 + (index % 9000)}`, 'US'],
	'of the default country, lengths that vary': [(index) => `030 ${901820 + index}`, 'DE'],
	'that begin with its calling code': [(index) => `4915${10_000_000 + index}`, 'DE'],
	'that are none': [(index) => `ask Anna ${index}`, 'US'],
};

const median = (values) => values.sort((one, other) => one - other)[Math.floor(values.length / 2)];

/** Milliseconds of processor time that a fresh process takes to load the library. */
async function loadTime() {
	const program = `const begun = process.cpuUsage(); require(${JSON.stringify(join(folder, 'libphonenumber.js'))}); const { user, system } = process.cpuUsage(begun); console.log((user + system) / 1000);`;
	const runs = [];
	for (let round = 0; round < rounds; round++)
		runs.push(Number((await promisify(execFile)(process.execPath, ['-e', program])).stdout.trim()));
	return median(runs);
}

/** @param {{say: (line: string) => void}} bench @returns the section of docs/reference/benchmarks.md */
export async function phones({ say }) {
	const { readPhone } = createRequire(import.meta.url)(join(folder, 'phoneNumber.js'));
	const rows = Object.entries(sheets).map(([title, [written, country]]) => {
		const times = Array.from({ length: rounds }, () => {
			const begun = performance.now();
			for (let index = 0; index < count; index++) readPhone(written(index), country);
			return performance.now() - begun;
		});
		const perSecond = Math.round((count / median(times)) * 1000);
		say(`${title}: ${perSecond} per second`);
		return { title, example: written(7), perSecond };
	});
	const library = readFileSync(join(folder, 'libphonenumber.js'));
	const zipped = gzipSync(library).length / 1000;
	const milliseconds = await loadTime();
	const slowest = Math.min(...rows.map(({ perSecond }) => perSecond));
	return {
		title: 'Reading phone numbers',
		text:
			`${count} numbers each, the median of ${rounds} rounds. The library and its metadata are one file of ` +
			`${(library.length / 1000).toFixed(1)} kB, ${zipped.toFixed(1)} kB zipped, which takes ${milliseconds.toFixed(1)} ms of processor time to load, once per process.`,
		columns: ['numbers', 'for example', 'read per second'],
		rows: rows.map(({ title, example, perSecond }) => [title, example, perSecond]),
		bars: [
			{
				bar: 'at least 30,000 numbers per second, however they are written',
				held: slowest >= 30_000,
				figure: `${slowest} per second`,
			},
			{
				bar: 'at least 200,000 per second that are in international format already',
				held: rows[0].perSecond >= 200_000,
				figure: `${rows[0].perSecond} per second`,
			},
			{
				bar: 'the library: at most 60 kB zipped',
				held: zipped <= 60,
				figure: `${zipped.toFixed(1)} kB`,
			},
		],
	};
}
