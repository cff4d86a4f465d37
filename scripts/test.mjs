/**
 * All tests, in one command, on a machine with only Node and npm. What is missing is installed and built first.
 *
 *   npm test                       everything but the long stages, which run by name: servers,
 *   versions, browser, queue, soak
 *   npm test -- --only lint,unit   some stages (see the list below)
 *   npm test -- --skip host        all but some
 *
 * Ends with a line "N passed, N failed" over the stages; exit code 1 when one failed.
 */
import { spawn } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { parseArgs } from 'node:util';
import {
	ensureBuild,
	ensureNodeVersion,
	ensurePackage,
	exitWith,
	repository,
} from '../tools/bootstrap.mjs';

/** Each stage is one command of package.json or of a tool, run under the Node 24 of node_modules. */
const stages = [
	{
		name: 'lint',
		says: 'n8n’s official linter, strict',
		command: ['npm', 'run', '--silent', 'lint'],
	},
	{
		name: 'types',
		says: 'TypeScript, nodes and tests',
		command: ['npm', 'run', '--silent', 'types'],
	},
	{
		name: 'contract',
		says: 'the contract is valid and its types are fresh',
		command: ['node', 'scripts/contract.mjs', '--check'],
	},
	{
		name: 'unit',
		says: 'unit and contract tests',
		command: ['jest', '--selectProjects', 'unit', 'contract'],
	},
	{
		name: 'descriptions',
		says: 'what the nodes show, linted as if written by hand',
		command: ['node', '--test', '--test-reporter=dot', 'test/descriptions/**/*.test.mjs'],
	},
	{
		name: 'package',
		says: 'what is published passes n8n’s scan',
		command: ['node', '--test', '--test-reporter=dot', 'test/package/**/*.test.mjs'],
	},
	{
		name: 'security',
		says: 'each claim of docs/security.md has its test',
		command: ['node', '--test', '--test-reporter=dot', 'test/security/**/*.test.mjs'],
	},
	{
		name: 'sandbox',
		says: 'the sandbox keeps the interface',
		command: ['node', '--test', '--test-reporter=dot', 'test/contract/**/*.test.mjs'],
	},
	{
		name: 'engine',
		says: 'nodes in n8n’s own engine against the sandbox',
		command: ['jest', '--selectProjects', 'engine', '--maxWorkers=2'],
	},
	{
		name: 'host',
		says: 'the main job in a real n8n server',
		command: [
			'node',
			'--test',
			'--test-concurrency=1',
			'--test-reporter=spec',
			'test/server/main-job.test.mjs',
		],
	},
	{
		name: 'servers',
		long: true,
		says: 'examples, AI tools, a killed n8n, secrets and the trigger in real n8n servers',
		command: [
			'node',
			'--test',
			'--test-concurrency=1',
			'--test-reporter=spec',
			'test/server/{aiTool,examples,killed,secrets,trigger-lifecycle}.test.mjs',
		],
	},
	{
		name: 'versions',
		long: true,
		says: 'the oldest and the newest n8n that the package runs in',
		command: [
			'node',
			'--test',
			'--test-reporter=spec',
			'--test-name-pattern=oldest|newest',
			'test/versions/**/*.test.mjs',
		],
	},
	{
		name: 'browser',
		long: true,
		says: 'n8n’s editor, driven as a person would',
		command: ['node', '--test', '--test-reporter=spec', 'test/browser/**/*.test.mjs'],
	},
	{
		name: 'queue',
		long: true,
		says: 'queue mode: two workers, one of them killed',
		command: ['node', '--test', '--test-reporter=spec', 'test/queue/**/*.test.mjs'],
		env: { QUEUE_SENDS: '100' },
	},
	{
		name: 'soak',
		long: true,
		says: 'two minutes at half the platform’s limits',
		command: ['node', 'scripts/soak.mjs', '--minutes', '2', '--print'],
	},
];

// Tools and the Node 24 that belong to the repository come first, whatever the machine has.
const env = {
	...process.env,
	PATH: `${join(repository, 'node_modules', '.bin')}${delimiter}${process.env.PATH}`,
};

try {
	ensureNodeVersion();
	const { values } = parseArgs({ options: { only: { type: 'string' }, skip: { type: 'string' } } });
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
	const chosen = stages.filter(
		({ name, long }) => (only ? only.includes(name) : !long) && !skip.includes(name),
	);
	const results = [];
	for (const stage of chosen) {
		console.log(`\n── ${stage.name}: ${stage.says}`);
		const begun = Date.now();
		const code = await run(stage.command, stage.env);
		results.push({ name: stage.name, code, seconds: Math.round((Date.now() - begun) / 1000) });
	}
	console.log('');
	for (const { name, code, seconds } of results)
		console.log(`${code === 0 ? 'ok    ' : 'failed'} ${name} (${seconds} s)`);
	for (const { name } of stages.filter((stage) => !chosen.includes(stage)))
		console.log(`left out: ${name}, which runs with npm test -- --only ${name}`);
	const failed = results.filter(({ code }) => code !== 0).length;
	console.log(`${results.length - failed} passed, ${failed} failed`);
	process.exitCode = failed === 0 && results.length > 0 ? 0 : 1;
} catch (error) {
	exitWith(error);
}

function run([program, ...parameters], more = {}) {
	return new Promise((resolve) => {
		const child = spawn(program, parameters, {
			cwd: repository,
			stdio: 'inherit',
			env: { ...env, ...more },
		});
		child.on('error', (error) => {
			console.error(error.message);
			resolve(1);
		});
		child.on('exit', (code) => resolve(code ?? 1));
	});
}
