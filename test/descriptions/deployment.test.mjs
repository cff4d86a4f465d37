/** The files that others run as they are: the containers of queue mode, and the workflows of this repository. */
import assert, { assertNone } from '../asserted.mjs';
import { execFileSync, spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { load } from 'js-yaml';
import { defaultVersion, hosts } from '../../tools/bootstrap.mjs';
import { jsonOf, contentOf, tracked } from '../../tools/files.mjs';
import { filesOf, stages } from '../../scripts/test/stages.mjs';
import { root } from './nodes.mjs';

const compose = contentOf('docker-compose.yml');
/** Services with what they have in common. */
const servicesOf = () =>
	Object.fromEntries(
		Object.entries(load(compose).services).map(([name, { '<<': common, ...own }]) => [
			name,
			{ ...common, ...own },
		]),
	);

test('containers: only this computer reaches their ports', () => {
	const ports = Object.values(load(compose).services).flatMap((service) => service.ports ?? []);
	assert.ok(ports.length > 0);
	for (const port of ports) assert.match(port, /^127\.0\.0\.1:\d+:\d+$/);
});

test('containers: the sandbox starts only if asked for, under a name that n8n and browsers take for this computer', () => {
	const { services } = load(compose);
	const { profiles, command, networks, ports } = services.sandbox;
	assert.deepEqual(profiles, ['sandbox']);
	const [, name] = /--container (\S+)$/.exec(command);
	// The nodes take plain http for this computer alone, and browsers take such names for it, too.
	assert.match(name, /^\w+\.localhost$/);
	assert.deepEqual(networks, { sandbox: { aliases: [name] } });
	assert.deepEqual(ports, ['127.0.0.1:4010:4010']);
	assert.ok(command.startsWith('node sandbox/main.mjs '));
});

test('containers: the sandbox gets what it reads, without the secrets beside it, and starts', async () => {
	const { volumes } = load(compose).services.sandbox;
	const folder = mkdtempSync(join(tmpdir(), 'container-'));
	try {
		for (const volume of volumes) {
			const [, name] = /^\.\/(\w+):\/repository\/\1:ro$/.exec(volume);
			if (name === 'node_modules') symlinkSync(join(root, name), join(folder, name));
			else cpSync(join(root, name), join(folder, name), { recursive: true });
		}
		const node = spawn(process.execPath, [join(folder, 'sandbox/main.mjs'), '--port', '0']);
		const said = await new Promise((resolve, reject) => {
			node.stdout.once('data', (chunk) => resolve(String(chunk)));
			node.stderr.once('data', (chunk) => reject(new Error(String(chunk))));
		});
		node.kill();
		assert.match(said, /http:\/\//);
	} finally {
		rmSync(folder, { recursive: true });
	}
});

test('containers: every image is of one version', () => {
	const images = Object.values(servicesOf()).map(({ image }) => image);
	assert.ok(images.length > 5);
	for (const image of images) assert.match(image, /:\d+\.\d+(\.\d+)?$/);
});

test('containers: database and queue have passwords and a network that n8n alone shares', () => {
	const { networks } = load(compose);
	const services = servicesOf();
	assert.equal(networks.data.internal, true);
	const inside = Object.keys(services).filter((name) =>
		[services[name].networks ?? []].flat().includes('data'),
	);
	assert.deepEqual(inside.sort(), ['main', 'postgres', 'redis', 'webhook', 'worker-1', 'worker-2']);
	for (const name of ['postgres', 'redis']) {
		assert.deepEqual(services[name].networks, ['data']);
		assert.equal(services[name].ports, undefined);
	}
	assert.match(services.redis.command, /requirepass \$\$REDISCLI_AUTH\b/);
	const { environment } = load(compose)['x-n8n'];
	assert.equal(environment.QUEUE_BULL_REDIS_PASSWORD, services.redis.environment.REDISCLI_AUTH);
	assert.equal(environment.DB_POSTGRESDB_PASSWORD, services.postgres.environment.POSTGRES_PASSWORD);
});

test('containers: .env.example names what must be filled in, and fills in nothing', () => {
	const names = [...compose.matchAll(/\$\{(\w+):/g)].map(([, name]) => name);
	const lines = contentOf('.env.example').split('\n');
	const given = lines.filter((line) => line && !line.startsWith('#'));
	assert.deepEqual(given.sort(), [...new Set(names)].map((name) => `${name}=`).sort());
	assert.ok(contentOf('.gitignore').split('\n').includes('.env'));
});

test('no page and no container runs a package that nobody owns yet', () => {
	// What npx may fetch belongs to others. Our own names are free until the first version is out.
	const owned = ['pnpm', '@n8n/scan-community-package'];
	const files = tracked().filter(
		(file) => /\.(md|ya?ml|json)$/.test(file) && !file.startsWith('test/'),
	);
	assert.ok(files.length > 100);
	const fetched = files.flatMap((file) =>
		[
			...contentOf(file).matchAll(
				/\b(?:npx|npm exec|npm create|pnpx|bunx|(?:pnpm|yarn) dlx)((?: -\S+)*) (@?[\w/-]+)/g,
			),
		].map(([, , name]) => ({ file, name })),
	);
	assert.ok(fetched.length >= 5);
	assertNone(fetched.filter(({ name }) => !owned.includes(name)));
});

test('containers: nothing starts while a secret is missing', () => {
	const variables = compose.match(/\$\{[^}]*\}/g);
	assert.ok(variables.length >= 6);
	for (const variable of variables) assert.match(variable, /^\$\{[A-Z0-9_]+:\?[^}]+\}$/);
});

test('one n8n everywhere: containers, what is tested, and the engine of the tests', () => {
	const version = defaultVersion.replaceAll('.', '\\.');
	assert.match(compose, new RegExp(`image: docker\\.n8n\\.io/n8nio/n8n:${version}$`, 'm'));
	// Each has a lockfile of its own, and no other is kept.
	assert.deepEqual(
		readdirSync(join(root, 'test', 'hosts'))
			.filter((name) => name.startsWith('n8n-'))
			.sort(),
		hosts.map(({ version: one }) => `n8n-${one}`).sort(),
	);
	// The engine of the tests is the one that this n8n brings.
	const lock = load(
		contentOf('test', 'hosts', `n8n-${defaultVersion}`, 'pnpm-lock.yaml'),
	).snapshots;
	const engine = Object.entries(lock).find(([name]) => name.startsWith(`n8n@${defaultVersion}`))[1];
	const { devDependencies } = jsonOf('package.json');
	for (const part of ['n8n-core', 'n8n-workflow'])
		assert.equal(devDependencies[part], engine.dependencies[part].split('(')[0], part);
});

test('one pnpm everywhere', () => {
	const pages = [
		'docker-compose.yml',
		'sandbox/options.md',
		'docs/contributing/releasing.md',
	].concat('docs/guides/try-without-a-phone.md', 'docs/reference/compare-with-your-workspace.md');
	const named = pages.flatMap((page) => contentOf(page).match(/pnpm@[\d.]+\d/g));
	assert.ok(named.length > 5);
	const { packageManager } = jsonOf('package.json');
	assert.deepEqual([...new Set(named)], [packageManager]);
});

const workflows = readdirSync(join(root, '.github', 'workflows')).map((file) => ({
	file,
	...load(contentOf('.github', 'workflows', file)),
}));
const jobs = workflows.flatMap(({ file, jobs: all, permissions }) =>
	Object.entries(all).map(([name, job]) => ({ file, name, permissions, ...job })),
);

test('workflows: actions are pinned by commit; a workflow that another calls is of the same commit', () => {
	const used = jobs.flatMap(({ steps = [] }) => steps.flatMap(({ uses }) => uses ?? []));
	assert.ok(used.length >= 5);
	for (const action of used) assert.match(action, /^[\w-]+\/[\w-]+@[0-9a-f]{40}$/);
	const called = jobs.flatMap(({ uses }) => uses ?? []);
	assert.deepEqual(called, ['./.github/workflows/ci.yml']);
});

test('workflows: nothing is published unless every stage of CI passed for the same commit', () => {
	const ci = workflows.find(({ file }) => file === 'ci.yml');
	const { proof, publish } = workflows.find(({ file }) => file === 'publish.yml').jobs;
	assert.ok('workflow_call' in ci.on);
	// Without inputs and conditions there is nothing that could leave a stage out.
	assert.equal(ci.on.workflow_call, null);
	assert.deepEqual(proof, {
		uses: './.github/workflows/ci.yml',
		permissions: { contents: 'read' },
	});
	assert.ok(publish.needs.includes('proof'));
	// GitHub begins a job without a condition of its own only if all that it needs has succeeded.
	for (const job of [publish, ...Object.values(ci.jobs)]) {
		assert.equal(job.if, undefined);
		assert.equal(job['continue-on-error'], undefined);
		const tests = job.steps.filter(({ run }) => run?.includes('npm test'));
		assert.equal(tests.length, job === publish ? 0 : 1);
		for (const step of tests) assert.deepEqual(Object.keys(step), ['run']);
	}
});

test('workflows: the job that may publish runs nothing but the publishing', () => {
	const may = jobs.filter(
		(job) => ({ ...job.permissions, ...job.permissions })['id-token'] !== undefined,
	);
	assert.deepEqual(
		may.map(({ file, name }) => `${file} ${name}`),
		['publish.yml publish'],
	);
	const [{ steps, needs, environment }] = may;
	assert.deepEqual(needs, ['proof', 'package']);
	const commands = steps.flatMap(({ run }) => run?.trim().split('\n') ?? []);
	assert.equal(commands.length, 2);
	// Only the first version has a token; npm asks GitHub who publishes all others.
	assert.equal(commands[0], 'npm config set //registry.npmjs.org/:_authToken "$NPM_TOKEN"');
	assert.deepEqual(
		steps.filter(({ env }) => env).map((step) => step.if),
		["github.ref_name == '0.1.0'"],
	);
	assert.equal(environment, 'npm');
	assert.equal(commands[1], 'npm publish --provenance --access public ./*.tgz');
	assert.deepEqual(
		steps.flatMap((step) => Object.keys(step.env ?? {})),
		['NPM_TOKEN'],
	);
	assert.ok(!steps.some((step) => step.with?.['registry-url']));
	assert.ok(!steps.some(({ uses }) => uses?.startsWith('actions/checkout@')));
});

test('workflows: the job that may write issues runs nothing but that', () => {
	const may = jobs.filter((job) => job.permissions?.issues !== undefined);
	assert.deepEqual(
		may.map(({ file, name }) => `${file} ${name}`),
		['nightly.yml tell'],
	);
	const [{ steps, permissions }] = may;
	assert.deepEqual(permissions, { issues: 'write' });
	assert.equal(steps.length, 1);
	// GitHub fills expressions into the script as text: they belong into variables.
	assert.doesNotMatch(steps[0].run, /\$\{\{/);
});

test('workflows: CI runs every stage once, and installs what the tests may not', () => {
	const { strategy, steps } = jobs.find((job) => job.file === 'ci.yml' && job.strategy);
	const parts = strategy.matrix.include.map(({ stages, packages = '', full }) => ({
		stages: stages.split(','),
		packages,
		full,
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
	// What .ci/run leaves out of a stage runs here, or nowhere.
	const leavesOut = (name) =>
		filesOf(stages.find((stage) => stage.name === name)).some((file) =>
			/from '.*full\.mjs'|inEachVersion\(/.test(contentOf(file)),
		);
	for (const { stages: names, full } of parts)
		assert.equal(full === '--full', names.some(leavesOut));
	const command = 'npm test -- --only ${{ matrix.stages }} ${{ matrix.full }}';
	assert.ok(steps.some(({ run }) => run === command));
});
