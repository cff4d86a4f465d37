/** The copy of the repository in which mutants live; the working tree never holds instrumented code. */
import { cpSync, mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { repository } from '../../tools/bootstrap.mjs';
import { isText } from './texts.mjs';

const require = createRequire(import.meta.url);
const ts = require('typescript');

const parts = [
	'.prettierrc.js',
	'contract',
	'credentials',
	'dist',
	'docs',
	'examples',
	'icons',
	'jest.config.cjs',
	'nodes',
	'package.json',
	'sandbox',
	'scripts',
	'test',
	'tools',
	'tsconfig.json',
	'README.md',
];
/** What holds mutants. */
const sources = ['nodes', 'credentials'];

/**
 * @typedef {object} Mutant
 * @property {string} id
 * @property {string} [identity] what it is, the same in another run
 * @property {string} file relative to the repository
 * @property {number} line counted from 1
 * @property {string} code the whole line in which it begins, trimmed
 * @property {string} from
 * @property {string} to
 * @property {string} kind
 * @property {[number, number]} range where it stands in the file
 * @property {string} replacement
 */

/** Made by `npm run contract`; `npm run contract -- --check` tells when it is not what was made. */
const generated = ['nodes/engine/platform/facts.ts'];

/** @returns {string[]} all source files that people write, relative to the repository */
export function sourceFiles() {
	return sources
		.flatMap((folder) =>
			readdirSync(join(repository, folder), { recursive: true }).map((name) =>
				join(folder, String(name)),
			),
		)
		.filter((name) => name.endsWith('.ts') && !name.endsWith('.d.ts'))
		.filter((name) => !generated.includes(name))
		.sort();
}

/**
 * Puts all mutants into the code of all source files, each behind a switch.
 * @returns {Promise<{files: Map<string, string>, mutants: Mutant[], texts: number}>} `texts`: how many were left out
 * because they change nothing but a text for people
 */
export async function instrument() {
	const core = createRequire(require.resolve('@stryker-mutator/core/package.json'));
	const { Instrumenter } = await import(
		pathToFileURL(core.resolve('@stryker-mutator/instrumenter')).href
	);
	const silent = { isDebugEnabled: () => false, debug() {}, info() {}, warn() {} };
	const contents = new Map(
		sourceFiles().map((file) => [file, readFileSync(join(repository, file), 'utf8')]),
	);
	const { files, mutants } = await new Instrumenter(silent).instrument(
		[...contents].map(([name, content]) => ({ name, content, mutate: true })),
		{
			plugins: ['typescript', 'classProperties'],
			excludedMutations: [],
			ignorers: [{ shouldIgnore: (path) => (isText(path) ? 'text' : undefined) }],
		},
	);
	const linesOf = new Map([...contents].map(([file, text]) => [file, text.split('\n')]));
	const wanted = mutants.filter(({ status }) => status === undefined);
	return {
		files: new Map(files.map(({ name, content }) => [name, content])),
		texts: mutants.length - wanted.length,
		mutants: wanted.map(({ id, fileName, location: { start, end }, replacement, mutatorName }) => {
			const lines = linesOf.get(fileName);
			const piece = lines.slice(start.line, end.line + 1);
			piece[piece.length - 1] = piece.at(-1).slice(0, end.column);
			piece[0] = piece[0].slice(start.column);
			return {
				id,
				file: fileName,
				line: start.line + 1,
				code: lines[start.line].trim(),
				from: flat(piece.join('\n')),
				to: flat(replacement),
				kind: mutatorName,
				range: [offset(lines, start), offset(lines, end)],
				replacement,
			};
		}),
	};
}

const offset = (lines, { line, column }) =>
	lines.slice(0, line).reduce((sum, { length }) => sum + length + 1, column);
const flat = (/** @type {string} */ code) => code.replace(/\s+/g, ' ').trim();

/**
 * Fills a folder with a copy of the repository that has been built from instrumented code.
 * @param {string} folder @param {Map<string, string>} files instrumented sources
 */
export function makeCopy(folder, files) {
	for (const part of parts) cpSync(join(repository, part), join(folder, part), { recursive: true });
	symlinkSync(join(repository, 'node_modules'), join(folder, 'node_modules'));
	const { config } = ts.readConfigFile(join(repository, 'tsconfig.json'), ts.sys.readFile);
	const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, repository);
	const recorder = JSON.stringify(join(folder, 'scripts/mutants/recorder.cjs'));
	for (const [file, content] of files) {
		const code = `require(${recorder});\n${content}`;
		writeFileSync(join(folder, file), code);
		const output = join(folder, 'dist', file.replace(/\.ts$/, '.js'));
		mkdirSync(dirname(output), { recursive: true });
		writeFileSync(
			output,
			ts.transpileModule(code, { compilerOptions: options, fileName: file }).outputText,
		);
	}
	// The engine tests have an environment of their own, which the others can do with.
	writeFileSync(
		join(folder, 'environment.mutants.cjs'),
		`const { projects } = require('./jest.config.cjs');
const { testEnvironment } = projects.find(({ displayName }) => displayName === 'engine');
const Environment = require(testEnvironment.replace('<rootDir>', __dirname));
module.exports = require('./scripts/mutants/environment.cjs')(Environment);
`,
	);
	writeFileSync(
		join(folder, 'jest.mutants.cjs'),
		`const { projects } = require('./jest.config.cjs');
const testEnvironment = require.resolve('./environment.mutants.cjs');
const testSequencer = require.resolve('./scripts/mutants/sequencer.cjs');
module.exports = { testSequencer, projects: projects.map((project) => ({ ...project, testEnvironment })) };
`,
	);
}
