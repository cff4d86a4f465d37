/**
 * The ten slowest tests and files of the last run of the engine stage, or of another file that
 * Jest wrote with `--json`.
 *
 *   npm run slowest                       from .local/engine.json
 *   npm run slowest -- other.json         from another run
 *   npm run slowest -- --keep             also keeps how long each file took: the order of the next runs
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { ClearError, exitWith, localFolder, repository } from '../tools/bootstrap.mjs';

const durations = join(repository, 'test', 'durations.json');
const longest = (list) => list.sort((one, two) => two.seconds - one.seconds);
const print = (title, list) => {
	console.log(title);
	for (const { seconds, name } of list.slice(0, 10))
		console.log(`${seconds.toFixed(1).padStart(7)} s  ${name}`);
};

try {
	const { values, positionals } = parseArgs({
		options: { keep: { type: 'boolean' } },
		allowPositionals: true,
	});
	const file = positionals[0] ?? join(localFolder, 'engine.json');
	if (!existsSync(file))
		throw new ClearError(`There is no ${relative(repository, file)}: run npm test first.`);
	const { testResults } = JSON.parse(readFileSync(file, 'utf8'));
	const files = longest(
		testResults.map(({ name, startTime, endTime }) => ({
			name: basename(name),
			seconds: (endTime - startTime) / 1000,
		})),
	);
	const tests = longest(
		testResults.flatMap(({ name, assertionResults }) =>
			assertionResults.map(({ fullName, duration }) => ({
				name: `${basename(name)}: ${fullName}`,
				seconds: (duration ?? 0) / 1000,
			})),
		),
	);
	print('Slowest files', files);
	print('Slowest tests', tests);
	if (values.keep) {
		const kept = Object.fromEntries(files.map(({ name, seconds }) => [name, Math.round(seconds)]));
		const before = existsSync(durations) ? JSON.parse(readFileSync(durations, 'utf8')) : {};
		writeFileSync(durations, `${JSON.stringify({ ...before, ...kept }, null, '\t')}\n`);
	}
} catch (error) {
	exitWith(error);
}
