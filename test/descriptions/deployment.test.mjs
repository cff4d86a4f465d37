/** The files that others run as they are: the containers of queue mode, and the workflows of this repository. */
import '../asserted.mjs';
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { test } from 'node:test';
import { load } from 'js-yaml';
import { defaultVersion, hosts } from '../../tools/bootstrap.mjs';
import { root } from './nodes.mjs';

const read = (...path) => readFileSync(join(root, ...path), 'utf8');
const compose = read('docker-compose.yml');

test('containers: only this computer reaches their ports', () => {
	const ports = Object.values(load(compose).services).flatMap((service) => service.ports ?? []);
	assert.ok(ports.length > 0);
	for (const port of ports) assert.match(port, /^127\.0\.0\.1:\d+:\d+$/);
});

test('containers: nothing starts while a secret is missing', () => {
	const variables = compose.match(/\$\{[^}]*\}/g);
	assert.ok(variables.length >= 4);
	for (const variable of variables) assert.match(variable, /^\$\{[A-Z0-9_]+:\?[^}]+\}$/);
});

test('containers: all that the main process does not serve goes to the webhook processor', () => {
	const { services, configs } = load(compose);
	assert.equal(services.main.environment.N8N_DISABLE_PRODUCTION_MAIN_PROCESS, 'true');
	const routes = configs[services.proxy.configs[0].source].content;
	const paths = /@webhooks path (.*)/.exec(routes)[1].split(' ');
	// n8n 2.41.1, abstract-server.js: what stands under `if (this.webhooksEnabled)`.
	const served = ['form', 'webhook', 'form-waiting', 'webhook-waiting', 'mcp'];
	assert.deepEqual(paths.sort(), served.map((path) => `/${path}/*`).sort());
	assert.match(routes, /reverse_proxy @webhooks webhook:5678\n\s*reverse_proxy main:5678/);
});

test('one n8n everywhere: containers, what is tested, and the engine of the tests', () => {
	const version = defaultVersion.replaceAll('.', '\\.');
	assert.match(compose, new RegExp(`image: docker\\.n8n\\.io/n8nio/n8n:${version}$`, 'm'));
	// Each has a lockfile of its own, and no other is kept.
	assert.deepEqual(
		readdirSync(join(root, 'hosts'))
			.filter((name) => name.startsWith('n8n-'))
			.sort(),
		hosts.map(({ version: one }) => `n8n-${one}`).sort(),
	);
	// The engine of the tests is the one that this n8n brings.
	const lock = load(read('hosts', `n8n-${defaultVersion}`, 'pnpm-lock.yaml')).snapshots;
	const engine = Object.entries(lock).find(([name]) => name.startsWith(`n8n@${defaultVersion}`))[1];
	const { devDependencies } = JSON.parse(read('package.json'));
	for (const part of ['n8n-core', 'n8n-workflow'])
		assert.equal(devDependencies[part], engine.dependencies[part].split('(')[0], part);
});

const workflows = readdirSync(join(root, '.github', 'workflows')).map((file) => ({
	file,
	...load(read('.github', 'workflows', file)),
}));
const jobs = workflows.flatMap(({ file, jobs: all, permissions }) =>
	Object.entries(all).map(([name, job]) => ({ file, name, permissions, ...job })),
);

test('workflows: actions are pinned by commit', () => {
	const used = jobs.flatMap(({ steps }) => steps.flatMap(({ uses }) => uses ?? []));
	assert.ok(used.length >= 5);
	for (const action of used) assert.match(action, /^[\w-]+\/[\w-]+@[0-9a-f]{40}$/);
});

test('workflows: the job that may publish runs nothing but the publishing', () => {
	const may = jobs.filter(
		(job) => ({ ...job.permissions, ...job.permissions })['id-token'] !== undefined,
	);
	assert.deepEqual(
		may.map(({ file, name }) => `${file} ${name}`),
		['publish.yml publish'],
	);
	const [{ steps, needs }] = may;
	assert.equal(needs, 'test');
	const commands = steps.flatMap(({ run }) => run?.trim().split('\n') ?? []);
	assert.equal(commands.length, 2);
	// npm takes an empty token for a token, and then does not ask GitHub who publishes.
	assert.match(
		commands[0],
		/^if \[ -n "\$NPM_TOKEN" \]; then npm config set \S+ "\$NPM_TOKEN"; fi$/,
	);
	assert.equal(commands[1], 'npm publish --provenance --access public ./*.tgz');
	assert.deepEqual(
		steps.flatMap((step) => Object.keys(step.env ?? {})),
		['NPM_TOKEN'],
	);
	assert.ok(!steps.some((step) => step.with?.['registry-url']));
	assert.ok(!steps.some(({ uses }) => uses?.startsWith('actions/checkout@')));
});

test('workflows: the job that may write issues runs nothing but that; one issue is opened, kept, closed', (context) => {
	const may = jobs.filter((job) => job.permissions?.issues !== undefined);
	assert.deepEqual(
		may.map(({ file, name }) => `${file} ${name}`),
		['nightly.yml tell'],
	);
	const [{ steps, permissions }] = may;
	assert.deepEqual(permissions, { issues: 'write' });
	assert.deepEqual(Object.keys(steps[0]), ['run', 'env']);
	assert.equal(steps.length, 1);
	// GitHub fills expressions into the script as text: they belong into variables.
	assert.doesNotMatch(steps[0].run, /\$\{\{/);

	const folder = mkdtempSync(join(tmpdir(), 'gh-'));
	context.after(() => rmSync(folder, { recursive: true, force: true }));
	// Stands for GitHub's own program: writes down what it is asked, and knows an issue or none.
	writeFileSync(
		join(folder, 'gh'),
		'#!/bin/sh\n[ "$2" = list ] && { echo "$ISSUE"; exit; }\nprintf "%s|" "$@"\n',
	);
	chmodSync(join(folder, 'gh'), 0o755);
	const said = 'n8n 9 `breaks` "$(this)"';
	const tell = (ISSUE, RESULT) =>
		execFileSync('bash', ['-e', '-c', steps[0].run], {
			encoding: 'utf8',
			env: {
				PATH: `${folder}${delimiter}${process.env.PATH}`,
				...{ ISSUE, RESULT, TITLE: 'It breaks', SAID: said, BODY: `${said} in a run` },
			},
		});
	assert.equal(tell('', 'failure'), `issue|create|--title|It breaks|--body|${said} in a run|`);
	assert.equal(tell('7', 'failure'), `issue|edit|7|--body|${said} in a run|`);
	assert.equal(tell('7', 'success'), `issue|close|7|--comment|${said}|`);
	assert.equal(tell('', 'success'), '');
});

test('workflows: CI runs every stage once, and installs what the tests may not', () => {
	const { strategy, steps } = jobs.find((job) => job.file === 'ci.yml' && job.strategy);
	const parts = strategy.matrix.include.map(({ stages, packages = '' }) => ({
		stages: stages.split(','),
		packages,
	}));
	const all = execFileSync(process.execPath, [join(root, 'scripts', 'test.mjs'), '--list'], {
		encoding: 'utf8',
	})
		.trim()
		.split('\n')
		.map((line) => /^[\w-]+/.exec(line)[0]);
	assert.ok(all.length > 15);
	assert.deepEqual(
		parts.flatMap(({ stages }) => stages).sort(),
		// Whatever needs it brings it along.
		all.filter((name) => name !== 'install').sort(),
	);
	for (const { stages, packages } of parts)
		assert.equal(packages, stages.includes('queue') ? 'redis-server postgresql' : '');
	assert.ok(steps.some(({ run }) => run === 'npm test -- --only ${{ matrix.stages }}'));
});
