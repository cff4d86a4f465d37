/**
 * Every stage that starts a real n8n goes red when the package imports what n8n lacks, although this repository has it:
 * n8n and the package are where no parent folder holds the repository's modules. Takes minutes, so it is a stage.
 */
import '../asserted.mjs';
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import {
	ensureBuild,
	ensurePack,
	hosts,
	hostFolder,
	oldestVersion,
	repository,
} from '../../tools/bootstrap.mjs';

/** A development tool of this repository, which lies beside a package below it. */
const missing = 'fast-check';
/** Where the tools of this repository find their own tools: reached by NODE_PATH, if at all. */
const inner = join(repository, 'node_modules', '.pnpm', 'node_modules');
/** One of those, which no n8n has. */
const innerModule = readdirSync(inner).find(
	(name) =>
		/^[a-z]/.test(name) &&
		canResolve(join(inner, 'any.js'), name) &&
		hosts.every(({ version }) => !has(hostFolder(version), name)),
);
const script = join(repository, 'scripts', 'test.mjs');

function has(root, name) {
	return existsSync(join(root, 'node_modules', name));
}
function canResolve(from, name) {
	try {
		return Boolean(createRequire(from).resolve(name));
	} catch {
		return false;
	}
}

let folder;
let damaged;

before(async () => {
	await ensureBuild();
	folder = mkdtempSync(join(tmpdir(), 'missing-import-'));
	execFileSync('tar', ['-xzf', await ensurePack(), '-C', folder]);
	const file = join(folder, 'package', 'dist', 'nodes', 'engine', 'run', 'run.js');
	// Goes on if it finds one of the two, so that a stage that finds either stays green and is noticed below.
	const damage = `try { require.resolve('${innerModule}'); } catch { require('${missing}'); }`;
	writeFileSync(file, `${damage}\n${readFileSync(file, 'utf8')}`);
	damaged = join(folder, 'damaged.tgz');
	execFileSync('tar', ['-czf', damaged, '-C', folder, 'package']);
});
after(() => rmSync(folder, { recursive: true, force: true }));

test('the repository has both modules, and no n8n has them', () => {
	assert.ok(has(repository, missing));
	assert.ok(innerModule);
	assert.ok(hosts.length > 1);
	for (const { version } of hosts) assert.equal(has(hostFolder(version), missing), false, version);
});

/** One test file of each stage, so that each stage starts n8n as few times as it can. */
const files = [
	'intent-lifecycle',
	'aiTool',
	'editor.test',
	'main-job',
	'queue.test',
	'versions/versions.test',
];

/** @param {string[]} words for `npm test` @returns {Promise<string>} what it printed */
async function run(...words) {
	const child = spawn(process.execPath, [script, ...words], {
		// Without what would make the tests below believe that they are part of this one.
		env: {
			...process.env,
			PACKAGE_TARBALL: damaged,
			NODE_TEST_CONTEXT: undefined,
			// One of all versions shows whether its stage notices.
			HOST_VERSIONS: oldestVersion,
		},
	});
	let printed = '';
	for (const stream of [child.stdout, child.stderr])
		stream.setEncoding('utf8').on('data', (text) => (printed += text));
	await new Promise((resolve) => child.on('close', resolve));
	return printed;
}

test('every stage with a real n8n fails', { timeout: 15 * 60_000 }, async () => {
	const listed = execFileSync(process.execPath, [script, '--list'], { encoding: 'utf8' });
	const stages = listed
		.split('\n')
		// The stage `ai` starts no n8n, and two stages use the files of others.
		.filter(
			(line) =>
				line.includes('(n8n)') && !/^(missing-import|trigger-early|recipes-oldest|ai) /.test(line),
		)
		.map((line) => line.split(' ')[0]);
	assert.ok(stages.length >= 7, listed);
	const printed = await run('--tests', files.join(), '--only', stages.join());
	const wrong = stages
		.map((stage) => [stage, wrongOf(stage, printed)])
		.filter(([, said]) => said)
		.map(([stage, said]) => `${stage}: ${said}`);
	assert.equal(wrong.join('\n\n'), '');
});

/**
 * @param {string} stage @param {string} printed by all stages
 * @returns {string} what is wrong with the failure of this stage, with the end of what it printed; '' for nothing
 */
function wrongOf(stage, printed) {
	const end = (/** @type {string} */ text) => text.slice(-1500);
	if (!new RegExp(`^failed ${stage} `, 'm').test(printed)) return `did not fail:\n${end(printed)}`;
	const [, said = ''] = printed.split(`── ${stage}: `);
	const [own] = said.split('\n── ');
	return own.includes(`Cannot find module '${missing}'`)
		? ''
		: `failed for another reason:\n${end(own)}`;
}
