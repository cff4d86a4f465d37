/**
 * All tests, in one command, on a machine with only Node and npm. What is missing is installed and built first.
 *
 *   npm test                       everything but the long stages
 *   npm test -- --all              the long stages, too: whole servers, n8n's versions, the browser, queue mode, a soak
 *   npm test -- --only lint,unit   some stages (see the list below)
 *   npm test -- --skip host        all but some
 *   npm test -- --changed          what the changes since main touch, and what that leaves out
 *   npm test -- --jobs 1           one stage after the other
 *   npm test -- --list             the stages, which are long, and which start a real n8n; runs nothing
 *
 * Stages run side by side, two at a time and one beside them; what each prints stays together. The last line is "N
 * passed, N failed" over the stages; exit code 1 when one failed. Where something is missing that only an administrator
 * may install (Chromium, Redis, PostgreSQL), its stages are skipped and say so; where CI is set, they fail.
 */
import { availableParallelism } from 'node:os';
import { delimiter, join } from 'node:path';
import { parseArgs } from 'node:util';
import {
	defaultVersion,
	ensureBuild,
	ensureNodeVersion,
	ensurePackage,
	exitWith,
	hosts,
	oldestVersion,
	repository,
} from '../tools/bootstrap.mjs';
import { changedFiles, touchedBy } from './changed.mjs';
import { runAll } from './stages.mjs';

const nodeTests = (files, ...more) => ['node', '--test', '--test-reporter=dot', ...more, ...files];

/** Test files of n8n servers; what a failed one leaves running does not hold its stage up. */
const serversAtOnce = (count, files, ...more) => [
	'node',
	'--test',
	'--test-force-exit',
	`--test-concurrency=${count}`,
	'--test-reporter=spec',
	...more,
	...files,
];
const servers = (files, ...more) => serversAtOnce(1, files, ...more);
/** They wait for n8n's own delays most of the time. */
const triggerLives = () => serversAtOnce(2, ['test/server/{intent,trigger}-lifecycle.test.mjs']);

/** Engine tests wait more than they compute, so they get more processes than there are cores. */
const engineWorkers = String(Math.min(8, 2 * availableParallelism()));

/**
 * Each stage is one command of package.json or of a tool, run under the Node 24 of node_modules. They begin in this
 * order: first what takes long. `command` is given the test files that a change touches, or nothing for all.
 *
 * `needs`: what the stage `install` installs first (scripts/install.mjs), because two that install at once collide.
 *
 * @type {Array<import('./stages.mjs').Stage & {needs?: string[]}>}
 */
const stages = [
	{
		name: 'engine',
		says: 'nodes in n8n’s own engine against the sandbox',
		command: (files) => [
			'jest',
			'--selectProjects=engine',
			`--maxWorkers=${engineWorkers}`,
			...(files ? ['--runTestsByPath', ...files] : ['--json', '--outputFile=.local/engine.json']),
		],
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
		command: triggerLives,
		env: { HOST_VERSIONS: defaultVersion },
	},
	{
		name: 'trigger-oldest',
		long: true,
		beside: true,
		needs: [oldestVersion],
		says: 'the life of the triggers in the oldest n8n',
		command: triggerLives,
		env: { HOST_VERSIONS: oldestVersion },
	},
	{
		name: 'servers',
		long: true,
		needs: [defaultVersion],
		says: 'examples, recipes, AI tools, a killed n8n and secrets in real n8n servers',
		command: () => servers(['test/server/{aiTool,examples,killed,recipes,secrets}.test.mjs']),
	},
	{
		name: 'browser',
		long: true,
		needs: [defaultVersion, 'chromium'],
		says: 'n8n’s editor, driven as a person would',
		command: () => servers(['test/browser/**/*.test.mjs']),
	},
	{
		name: 'soak',
		long: true,
		beside: true,
		needs: [defaultVersion],
		says: 'two minutes at half the platform’s limits',
		command: () => ['node', 'scripts/soak.mjs', '--minutes', '2', '--print'],
	},
	{
		name: 'package',
		scratch: true,
		says: 'what is published passes n8n’s scan',
		command: () => nodeTests(['test/package/**/*.test.mjs']),
	},
	{
		name: 'host',
		needs: [defaultVersion],
		says: 'the main job in a real n8n server, and the nodes of the examples',
		command: () => servers(['test/server/{main-job,exampleNodes}.test.mjs']),
	},
	{
		name: 'sandbox',
		beside: true,
		says: 'the sandbox keeps the interface',
		command: (files = ['test/contract/**/*.test.mjs']) => nodeTests(files),
	},
	{
		name: 'queue',
		long: true,
		needs: [defaultVersion, 'services'],
		says: 'queue mode: two workers, one of them killed',
		command: () => servers(['test/queue/**/*.test.mjs']),
		env: { QUEUE_SENDS: '100' },
	},
	{
		name: 'fuzz',
		long: true,
		says: 'ten thousand deliveries of every kind',
		command: () => ['jest', '--selectProjects=engine', '--testPathPatterns', 'trigger.fuzz.test'],
		env: { FUZZ_COUNT: '10000' },
	},
	{
		name: 'versions',
		long: true,
		needs: hosts.map(({ version }) => version),
		says: 'every n8n that the package runs in',
		command: () => servers(['test/versions/versions.test.mjs']),
	},
	{
		name: 'missing-import',
		long: true,
		beside: true,
		needs: [...hosts.map(({ version }) => version), 'chromium', 'services'],
		says: 'a package with an import that n8n lacks fails in every stage with a real n8n',
		command: () => nodeTests(['test/versions/missingImport.test.mjs']),
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
		command: (files = ['test/descriptions/**/*.test.mjs']) => nodeTests(files),
	},
	{
		name: 'lint',
		scratch: true,
		says: 'n8n’s official linter, strict',
		command: (files) => (files ? lintOf(files) : ['npm', 'run', '--silent', 'lint']),
	},
	{
		name: 'unit',
		says: 'unit and contract tests',
		command: (files) => [
			'jest',
			'--selectProjects',
			'unit',
			'contract',
			...(files ? ['--runTestsByPath', ...files] : []),
		],
	},
	{
		name: 'contract',
		says: 'the contract is valid and its types are fresh',
		command: () => ['node', 'scripts/contract.mjs', '--check'],
	},
	{
		name: 'security',
		says: 'each claim of docs/reference/security.md has its test',
		command: (files = ['test/security/**/*.test.mjs']) => nodeTests(files),
	},
	{
		name: 'runner',
		says: 'stages side by side, and what a change touches',
		command: (files = ['test/runner/**/*.test.mjs']) => nodeTests(files),
	},
];

/** The official rules and Prettier, for some files: two commands. */
const lintOf = (files) => {
	const code = files.filter((file) => /^(nodes|credentials)\/.+\.ts$|^package\.json$/.test(file));
	return [
		...(code.length > 0 ? [['eslint', ...code]] : []),
		['prettier', '--check', '--ignore-unknown', '--log-level', 'warn', ...files],
		['cspell', '--no-progress', '--no-summary', '--no-must-find-files', ...files],
	];
};

/** What to do, where something that a stage needs is missing and cannot be installed here. */
async function cannotHave(needs = []) {
	if (needs.includes('chromium')) {
		const { withoutChromium } = await import('../tools/browser.mjs');
		return withoutChromium();
	}
	if (needs.includes('services')) {
		const { withoutServices } = await import('../tools/services.mjs');
		return await withoutServices();
	}
}

// Tools and the Node 24 that belong to the repository come first, whatever the machine has.
const env = {
	...process.env,
	PATH: `${join(repository, 'node_modules', '.bin')}${delimiter}${process.env.PATH}`,
	// What a stage prints goes through a pipe first.
	...(process.stdout.isTTY && !process.env.NO_COLOR ? { FORCE_COLOR: '1' } : {}),
};

try {
	ensureNodeVersion();
	const { values } = parseArgs({
		options: {
			only: { type: 'string' },
			skip: { type: 'string' },
			all: { type: 'boolean' },
			changed: { type: 'boolean' },
			list: { type: 'boolean' },
			jobs: { type: 'string', default: '2' },
		},
	});
	if (values.list) {
		for (const { name, long, needs, says } of stages)
			console.log(`${name}${long ? ' (long)' : ''}${needs ? ' (n8n)' : ''}: ${says}`);
		process.exit(0);
	}
	const only = values.only?.split(',');
	const skip = values.skip?.split(',') ?? [];
	for (const name of [...(only ?? []), ...skip]) {
		if (!stages.some((stage) => stage.name === name))
			throw new Error(
				`There is no stage "${name}". Stages: ${stages.map((stage) => stage.name).join(', ')}`,
			);
	}
	await ensurePackage();
	await ensureBuild();
	const touched = values.changed ? touchedBy(changedFiles()) : undefined;
	const isAskedFor = ({ name, long }) =>
		touched ? touched.stages.has(name) : only ? only.includes(name) : !long || values.all;
	const skipped = new Map();
	const wanted = [];
	for (const stage of stages.filter((one) => isAskedFor(one) && !skip.includes(one.name))) {
		const advice = process.env.CI ? undefined : await cannotHave(stage.needs);
		if (advice) skipped.set(stage, advice);
		else wanted.push(stage);
	}
	const needs = [...new Set(wanted.flatMap((stage) => stage.needs ?? []))];
	const chosen = stages.filter(
		(stage) => wanted.includes(stage) || (stage.name === 'install' && needs.length > 0),
	);
	const results = await runAll(
		chosen.map((stage) => {
			const files = touched?.stages.get(stage.name);
			return {
				...stage,
				...(stage.needs && { after: 'install' }),
				command:
					stage.name === 'install'
						? ['node', 'scripts/install.mjs', ...needs]
						: stage.command(files === undefined || files === 'all' ? undefined : [...files]),
				env: {
					...env,
					...stage.env,
					...(touched?.operations.length ? { OPERATIONS_OF: touched.operations.join() } : {}),
				},
			};
		}),
		{ jobs: Number(values.jobs), cwd: repository },
	);
	console.log('');
	for (const { name, code, seconds } of results)
		console.log(`${code === 0 ? 'ok    ' : 'failed'} ${name} (${seconds} s)`);
	for (const [name, files] of Object.entries(touched?.leftOut ?? {}))
		if (files.length > 0) console.log(`left out of ${name}: ${files.join(', ')}`);
	if (touched?.operations.length)
		console.log(`left out of everyOperation: all but ${touched.operations.join(', ')}`);
	if (touched?.stages.has('lint')) console.log('left out of lint: what is not changed');
	for (const file of touched?.unknown ?? []) console.log(`no test is known for ${file}`);
	for (const [{ name }, advice] of skipped) console.log(`skipped ${name}: ${advice}`);
	const leftOut = stages
		.filter((stage) => !chosen.includes(stage) && !skipped.has(stage))
		.map(({ name }) => name);
	if (leftOut.length > 0)
		console.log(`left out: ${leftOut.join(', ')}; each runs with npm test -- --only <name>`);
	const failed = results.filter(({ code }) => code !== 0).length;
	console.log(
		`${results.length - failed} passed, ${failed} failed${skipped.size > 0 ? `, ${skipped.size} skipped` : ''}`,
	);
	process.exitCode = failed === 0 && (results.length > 0 || touched) ? 0 : 1;
} catch (error) {
	exitWith(error);
}
