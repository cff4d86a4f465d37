/** The stages of `npm test`, and which test file belongs to which. */
import { readdirSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import {
	defaultVersion,
	earlyVersion,
	hosts,
	oldestVersion,
	repository,
} from '../../tools/bootstrap.mjs';

/**
 * `needs`: what the stage `install` installs first (scripts/install.mjs), because two that install at once collide.
 * `files`: its test files, where it runs some of them alone when asked to.
 *
 * @typedef {Omit<import('./stages.mjs').Stage, 'command'> & {
 * 	needs?: string[], files?: RegExp, command: (some?: string[]) => any}} Listed
 */

/** Engine tests wait more than they compute, so they get more processes than there are cores. */
const engineWorkers = String(Math.min(8, 2 * availableParallelism()));

/** Jest passes when no test has the name that was asked for. */
const someTestRan = `
	const { numPassedTests } = require('./.local/named.json');
	if (numPassedTests === 0) process.exitCode = 1;
	console.log(numPassedTests === 0 ? 'No test has this name.' : numPassedTests + ' tests have this name.');
`;

/**
 * Each stage is one command of package.json or of a tool, run under the Node 24 of node_modules. They begin in this
 * order: first what takes long.
 * @param {{full?: boolean, name?: string}} [options] `full`: in their long form, where they have one; `name`: only the
 *   tests whose names fit this regular expression
 * @returns {Listed[]}
 */
export function listed({ full = false, name } = {}) {
	const jest = (/** @type {string} */ project, /** @type {string[]} */ ...more) => {
		const command = ['jest', `--selectProjects=${project}`, ...more];
		if (!name) return command;
		const named = [
			'--verbose=false',
			'--json',
			'--outputFile=.local/named.json',
			`--testNamePattern=${name}`,
		];
		return [
			[...command, ...named],
			['node', '-e', someTestRan],
		];
	};
	const node = (/** @type {string[]} */ files, /** @type {string[]} */ ...more) => [
		'node',
		'--test',
		...(name ? [`--test-name-pattern=${name}`] : []),
		...more,
		...files,
	];
	const short = (/** @type {string[]} */ files) => node(files, '--test-reporter=dot');
	/** n8n servers; what a failed one leaves running does not hold its stage up. */
	const serversAtOnce = (
		/** @type {number} */ count,
		/** @type {string[]} */ files,
		/** @type {string[]} */ ...more
	) =>
		node(
			files,
			'--test-force-exit',
			`--test-concurrency=${count}`,
			'--test-reporter=spec',
			...more,
		);
	const servers = (/** @type {string[]} */ files) => serversAtOnce(1, files);
	/** @param {RegExp} files @param {(files: string[]) => string[]} run */
	const of = (files, run) => ({ files, command: (some = filesOf({ files })) => run(some) });
	/** They wait for n8n's own delays most of the time. */
	const lives = of(/^test\/server\/(intent|trigger)-lifecycle\.test\.mjs$/, (files) =>
		serversAtOnce(2, files),
	);
	return [
		{
			name: 'engine',
			says: 'nodes in n8n’s own engine against the sandbox',
			files: /^test\/engine\/(?!faults\.).+\.test\.cts$/,
			command: (some) =>
				jest(
					'engine',
					`--maxWorkers=${engineWorkers}`,
					...(some
						? ['--runTestsByPath', ...some]
						: [
								'--json',
								'--outputFile=.local/engine.json',
								'--testPathIgnorePatterns',
								'test/engine/faults',
							]),
				),
		},
		{
			name: 'install',
			says: 'real n8n servers, and what they need beside them',
			command: () => [],
		},
		{
			name: 'trigger',
			long: true,
			beside: true,
			needs: [defaultVersion],
			says: 'the life of the triggers in the newest n8n',
			...lives,
			env: { HOST_VERSIONS: defaultVersion },
		},
		{
			name: 'trigger-oldest',
			long: true,
			beside: true,
			needs: [oldestVersion],
			says: 'the life of the triggers in the oldest n8n',
			...lives,
			env: { HOST_VERSIONS: oldestVersion },
		},
		{
			name: 'trigger-early',
			long: true,
			beside: true,
			needs: [earlyVersion],
			says: 'what triggers restore in the first n8n 2, which publishes otherwise',
			...of(/^test\/server\/intent-lifecycle\.test\.mjs$/, (files) =>
				serversAtOnce(1, files, '--test-name-pattern=what was there before|unpublished while'),
			),
			env: { HOST_VERSIONS: earlyVersion },
		},
		{
			name: 'recipes-oldest',
			long: true,
			needs: [oldestVersion],
			says: 'recipes in the oldest n8n',
			...of(/^test\/server\/recipes\.test\.mjs$/, servers),
			env: { HOST_VERSIONS: oldestVersion },
		},
		{
			name: 'servers',
			long: true,
			needs: [defaultVersion],
			says: 'examples, recipes, AI tools, a killed n8n, a stopped run and secrets in real n8n servers',
			...of(/^test\/server\/(aiTool|examples|killed|recipes|secrets|stopped)\.test\.mjs$/, servers),
		},
		{
			name: 'browser',
			long: true,
			needs: [defaultVersion, 'chromium'],
			says: 'n8n’s editor, driven as a person would',
			...of(/^test\/browser\/.+\.test\.mjs$/, servers),
		},
		{
			name: 'package',
			scratch: true,
			says: 'what is published passes n8n’s scan and imports only what each n8n has',
			...of(/^test\/package\/.+\.test\.mjs$/, short),
		},
		{
			name: 'host',
			needs: [defaultVersion],
			says: 'the main job in a real n8n server, and the nodes of the examples',
			...of(/^test\/server\/(main-job|exampleNodes)\.test\.mjs$/, servers),
		},
		{
			name: 'ai',
			needs: [defaultVersion],
			scratch: true,
			says: 'what n8n’s AI builder gets to see of the nodes',
			...of(/^test\/ai\/.+\.test\.mjs$/, short),
		},
		{
			name: 'sandbox',
			beside: true,
			says: 'the sandbox keeps the interface',
			...of(/^test\/sandbox\/.+\.test\.mjs$/, short),
		},
		{
			name: 'probe',
			long: true,
			beside: true,
			says: 'the contract, compared with a workspace',
			...of(/^test\/probe\/.+\.test\.mjs$/, short),
		},
		{
			name: 'queue',
			long: true,
			needs: [defaultVersion, 'services'],
			says: 'queue mode: two workers, one of them killed',
			...of(/^test\/queue\/.+\.test\.mjs$/, servers),
			env: full ? {} : { QUEUE_SENDS: '100' },
		},
		{
			name: 'fuzz',
			long: true,
			says: 'ten thousand deliveries of every kind',
			command: () => jest('engine', '--testPathPatterns', 'trigger.fuzz.test'),
			env: { FUZZ_COUNT: '10000' },
		},
		{
			name: 'faults',
			long: true,
			says: 'faults of every class, crossed with the manners of real platforms',
			...of(/^test\/engine\/faults(\.\w+)?\.test\.cts$/, (files) =>
				jest('engine', `--maxWorkers=${engineWorkers}`, '--runTestsByPath', ...files),
			),
			env: full ? { FAULTS: 'full' } : {},
		},
		{
			name: 'versions',
			long: true,
			beside: true,
			needs: hosts.map(({ version }) => version),
			says: 'every n8n that the package runs in',
			...of(/^test\/versions\/versions\.test\.mjs$/, servers),
		},
		{
			name: 'missing-import',
			long: true,
			beside: true,
			needs: [...hosts.map(({ version }) => version), 'chromium', 'services'],
			says: 'a package with an import that n8n lacks fails in every stage with a real n8n',
			...of(/^test\/versions\/missingImport\.test\.mjs$/, short),
		},
		{
			name: 'types',
			says: 'TypeScript, nodes and tests',
			command: () => ['npm', 'run', '--silent', 'types'],
		},
		{
			name: 'descriptions',
			scratch: true,
			says: 'what the nodes show, linted as if written by hand',
			...of(/^test\/descriptions\/.+\.test\.mjs$/, short),
		},
		{
			name: 'lint',
			scratch: true,
			says: 'n8n’s official linter, strict',
			command: (some) => (some ? lintOf(some) : ['npm', 'run', '--silent', 'lint']),
		},
		{
			name: 'unit',
			says: 'single modules, and what the nodes take from the contract',
			files: /^test\/unit\/.+\.test\.cts$/,
			command: (some) => jest('unit', ...(some ? ['--runTestsByPath', ...some] : [])),
		},
		{
			name: 'contract',
			says: 'the contract is valid and its types are fresh',
			command: () => ['node', 'scripts/contract.mjs', '--check'],
		},
		{
			name: 'security',
			says: 'each claim of docs/reference/security.md has its test',
			...of(/^test\/security\/.+\.test\.mjs$/, short),
		},
		{
			name: 'runner',
			says: 'stages side by side, and what a change touches',
			...of(/^test\/runner\/.+\.test\.mjs$/, short),
		},
	];
}

/**
 * @param {Pick<Listed, 'files'>} stage
 * @returns {string[]} its test files, relative to the repository
 */
export function filesOf({ files }) {
	if (!files) return [];
	return readdirSync(join(repository, 'test'), { recursive: true })
		.map((name) => `test/${String(name).replaceAll('\\', '/')}`)
		.filter((file) => files.test(file))
		.sort();
}

/** What `npm run lint` does, for some files. @param {string[]} files */
function lintOf(files) {
	const code = files.filter((file) => /^(nodes|credentials)\/.+\.ts$|^package\.json$/.test(file));
	const tests = files.filter((file) => /^test\/.+\.(cts|mjs)$/.test(file));
	return [
		...(code.length > 0 ? [['eslint', ...code]] : []),
		...(tests.length > 0
			? [['eslint', '-c', 'test/eslint.config.mjs', '--no-warn-ignored', ...tests]]
			: []),
		['prettier', '--check', '--ignore-unknown', '--log-level', 'warn', ...files],
		// All of them: given by name, it would also read files that its configuration leaves out.
		['cspell', '--no-progress', '--no-summary'],
	];
}
