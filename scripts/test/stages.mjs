/** The stages of `npm test`, and which test file belongs to which. */
import { readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { defaultVersion, earlyVersion, oldestVersion, repository } from '../../tools/bootstrap.mjs';

/**
 * @typedef {object} Stage
 * @property {string} name
 * @property {string} says what it is about, in a few words
 * @property {boolean} [long] part of `npm test -- --all`, not of a plain `npm test`
 * @property {boolean} [full] part of `npm test -- --full` alone
 * @property {boolean} [quick] takes less than a minute, and `--changed` runs it whole
 * @property {boolean} [scratch] writes code into `.local` or lints what stands there: one such stage at a time
 * @property {string[]} [needs] what is installed first
 * @property {string} [reads] how the files begin that it depends on, `*` for all; without it, it always runs
 * @property {Record<string, string>} [env]
 * @property {RegExp} [files] its test files, of which it can run some alone
 * @property {string} [jest] the project that runs them; otherwise Node's own test runner does
 * @property {boolean} [together] its test files run in one process, which loads the nodes or starts n8n once
 * @property {number} [servers] how many of its test files may start an n8n at once
 * @property {string} [named] of its tests those with such names
 * @property {string} [command] instead of test files
 */

/** What the nodes are built from. */
const nodes = 'nodes/ credentials/ contract/ icons/ package.json tsconfig.json gulpfile.js pnpm-';
const lives = { long: true, servers: 2, files: /^test\/server\/\w+-lifecycle\.test/ };

/** They begin in this order: first what takes long, or has to wait for its turn to write. @type {Stage[]} */
export const stages = [
	{
		name: 'engine',
		says: 'nodes in n8n’s own engine against the sandbox',
		files: /^test\/engine\/(?!faults\.).+\.test\.cts$/,
		jest: 'engine',
		reads: `${nodes} sandbox/ tools/ test/engine/ docs/guides/ docs/credential.md docs/troubleshooting.md docs/examples.md docs/reference/empty jest.config.cjs`,
	},
	{
		name: 'descriptions',
		quick: true,
		says: 'what the nodes show, linted as if written by hand',
		scratch: true,
		together: true,
		files: /^test\/descriptions\//,
		reads: '*',
	},
	{
		name: 'lint',
		says: 'n8n’s official linter, strict',
		scratch: true,
		command: 'npm run --silent lint',
		reads: '*',
	},
	{
		name: 'examples',
		says: 'examples and AI tools in a real n8n server',
		long: true,
		together: true,
		files: /^test\/server\/(aiTool|examples)\.test/,
		servers: 1,
		needs: [defaultVersion],
	},
	{
		name: 'runs',
		says: 'recipes, and runs that go on after a call, a stop or a crash of a real n8n server',
		full: true,
		together: true,
		files: /^test\/server\/(continuesAfterwards|interrupted|recipes|untilReached)\.test/,
		servers: 1,
		needs: [defaultVersion],
	},
	{
		name: 'trigger',
		says: 'the life of the triggers in the newest n8n',
		...lives,
		needs: [defaultVersion],
		env: { HOST_VERSIONS: defaultVersion },
	},
	{
		name: 'queue',
		says: 'queue mode: two workers, one of them killed',
		full: true,
		files: /^test\/queue\//,
		servers: 1,
		needs: [defaultVersion, 'services'],
	},
	{
		name: 'browser',
		says: 'n8n’s editor, driven as a person would',
		long: true,
		together: true,
		files: /^test\/browser\//,
		servers: 1,
		needs: [defaultVersion, 'chromium'],
	},
	{
		name: 'trigger-oldest',
		says: 'the life of the triggers in the oldest n8n',
		...lives,
		full: true,
		needs: [oldestVersion],
		env: { HOST_VERSIONS: oldestVersion },
	},
	{
		name: 'trigger-early',
		says: 'what triggers restore in the first n8n 2, which publishes otherwise',
		...lives,
		full: true,
		files: /^test\/server\/intent-lifecycle\.test/,
		named: 'what was there before|unpublished while',
		needs: [earlyVersion],
		env: { HOST_VERSIONS: earlyVersion },
	},
	{
		name: 'recipes-oldest',
		says: 'recipes in the oldest n8n',
		full: true,
		files: /^test\/server\/recipes\.test/,
		servers: 1,
		needs: [oldestVersion],
		env: { HOST_VERSIONS: oldestVersion },
	},
	{
		name: 'servers',
		says: 'secrets in a real n8n server',
		full: true,
		files: /^test\/server\/secrets\.test/,
		servers: 1,
		needs: [defaultVersion],
	},
	{
		name: 'worlds',
		says: 'worlds from a seed: what is true on the platform against what is told',
		files: /^test\/worlds\/.+\.test\.cts$/,
		jest: 'engine',
		reads: `${nodes} sandbox/ test/engine/harness test/engine/guarantees/scene test/worlds/ jest.config.cjs`,
	},
	{
		name: 'host',
		says: 'the main job in a real n8n server',
		files: /^test\/server\/main-job\.test/,
		servers: 1,
		needs: [defaultVersion],
		reads: `${nodes} sandbox/ scripts/ tools/ test/server/ examples/ test/hosts/`,
	},
	{
		name: 'package',
		says: 'what is published passes n8n’s scan and imports only what each n8n has',
		scratch: true,
		files: /^test\/package\//,
		reads: `${nodes} sandbox/ scripts/ tools/ test/package/ README.md LICENSE.md test/hosts/`,
	},
	{
		name: 'ai',
		says: 'what n8n’s AI builder gets to see of the nodes',
		scratch: true,
		files: /^test\/ai\//,
		needs: [defaultVersion],
		reads: `${nodes} tools/ test/ai/ test/hosts/`,
	},
	{
		name: 'versions',
		says: 'the oldest n8n that the package runs in, with --full each of them',
		full: true,
		files: /^test\/versions\/versions\.test/,
		servers: 1,
		needs: [oldestVersion],
	},
	{
		name: 'sandbox',
		quick: true,
		says: 'the sandbox keeps the interface',
		files: /^test\/sandbox\//,
		reads: 'sandbox/ contract/ tools/ test/sandbox/ package.json pnpm-',
	},
	{
		name: 'probe',
		says: 'the contract, compared with a workspace',
		full: true,
		files: /^test\/probe\//,
	},
	{
		name: 'fuzz',
		says: 'ten thousand deliveries of every kind',
		full: true,
		command: 'jest --selectProjects=engine --testPathPatterns=trigger.fuzz.test',
		env: { FUZZ_COUNT: '10000' },
	},
	{
		name: 'faults',
		says: 'faults of every class, crossed with the manners of real platforms',
		full: true,
		files: /^test\/engine\/faults\./,
		jest: 'engine',
	},
	{
		name: 'types',
		quick: true,
		says: 'TypeScript, nodes and tests',
		command: 'npm run --silent types',
		reads: 'nodes/ credentials/ contract/ test/ tools/ tsconfig.json package.json pnpm-',
	},
	{
		name: 'unit',
		quick: true,
		says: 'single modules, and what the nodes take from the contract',
		files: /^test\/unit\/.+\.test\.cts$/,
		jest: 'unit',
		reads: `${nodes} sandbox/ tools/ scripts/contract test/unit/ jest.config.cjs`,
	},
	{
		name: 'security',
		says: 'each claim of docs/reference/security.md has its test',
		files: /^test\/security\//,
		reads: '*',
	},
	{
		name: 'runner',
		says: 'stages side by side, what a change touches, and how a release is made',
		full: true,
		files: /^test\/runner\//,
		reads: '*',
	},
];

/** More processes than cores end earlier alone, but compute a fifth more beside other stages. */
export const engineWorkers = Math.min(8, availableParallelism());

/** @param {Stage} stage @returns {string[]} its test files, relative to the repository */
export function filesOf({ files }) {
	if (!files) return [];
	return readdirSync(join(repository, 'test'), { recursive: true })
		.map((name) => `test/${String(name).replaceAll('\\', '/')}`)
		.filter((file) => files.test(file) && /\.test\.\w+$/.test(file))
		.sort();
}

/** @param {Stage} stage @param {string} file relative to the repository */
export const readsFile = ({ reads = '' }, file) =>
	reads === '*' || reads.split(' ').some((begin) => begin && file.startsWith(begin));

/**
 * @param {Stage} stage
 * @param {{files?: string[], named?: string, bail?: boolean}} [some] of its tests: test files, and a regular expression
 *   for names
 * @returns {string[]} program and parameters
 */
export function commandOf(stage, { files = filesOf(stage), named = stage.named, bail } = {}) {
	if (stage.command) return stage.command.split(' ');
	if (stage.jest)
		return [
			'jest',
			`--selectProjects=${stage.jest}`,
			...(stage.jest === 'engine' ? [`--maxWorkers=${engineWorkers}`] : []),
			...(bail ? ['--bail'] : []),
			// Without a line for each test that the name leaves out.
			...(named ? [`--testNamePattern=${named}`, '--verbose=false'] : []),
			'--runTestsByPath',
			...files,
		];
	return [
		'node',
		'--test',
		...(named ? [`--test-name-pattern=${named}`] : []),
		...(stage.together ? ['--test-isolation=none'] : []),
		...(stage.servers
			? // What a failed n8n leaves running does not hold its stage up.
				['--test-force-exit', `--test-concurrency=${stage.servers}`, '--test-reporter=spec']
			: ['--test-reporter=dot']),
		...files,
	];
}
