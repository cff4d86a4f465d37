/**
 * Benchmarks in a real n8n, this pack beside other ways of doing the same work in the same run.
 *
 *   npm run bench                    everything; writes docs/reference/benchmarks.md
 *   npm run bench -- --only sends,notes     these; the other sections of the page stay
 *   npm run bench -- --print         prints, writes nothing
 *
 * Timings are n8n's own for the node that does the work; counts come from the sandbox's ledger.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import {
	ensureBuild,
	ensureHost,
	ensureNodeVersion,
	ensurePack,
	ensurePackage,
	exitWith,
} from '../tools/bootstrap.mjs';
import { pageWith, writePage } from './bench/page.mjs';

/** @type {Record<string, (bench: any) => Promise<any>>} */
let works;

try {
	ensureNodeVersion();
	const { values } = parseArgs({
		options: { only: { type: 'string' }, print: { type: 'boolean', default: false } },
	});
	await ensurePackage();
	const { startHost, defaultVersion } = await import('../tools/host.mjs');
	const { startSandbox } = await import('../sandbox/client.mjs');
	({ works } = await import('./bench/works.mjs'));
	await ensureHost(defaultVersion);
	await ensureBuild();
	const tarball = await ensurePack();
	const chosen = values.only?.split(',') ?? Object.keys(works);
	const userFolder = await mkdtemp(join(tmpdir(), 'bench-'));
	const sandbox = await startSandbox();
	/** An n8n with the sandbox's credential. */
	const startOne = async (folder, env, version = defaultVersion, credentialData = {}) => {
		await ensureHost(version);
		const host = await startHost({
			version,
			userFolder: join(userFolder, folder),
			tarball,
			env: { N8N_RUNNERS_TASK_TIMEOUT: '600', ...env },
		});
		const { id, name } = await host.createCredential({
			name: 'Sandbox',
			type: 'acpApi',
			data: {
				baseUrl: sandbox.url,
				token: sandbox.token,
				timezone: '',
				webhookSecret: '',
				...credentialData,
			},
		});
		return { host, credential: { id, name } };
	};
	let others = 0;
	const { host, credential } = await startOne('plain');
	/** For work that compares settings of n8n, or needs several. Whoever starts it ends it. */
	const another = (env, version, credentialData) =>
		startOne(`another-${++others}`, env, version, credentialData);
	const sections = {};
	let missed = 0;
	try {
		for (const work of chosen) {
			if (!works[work])
				throw new Error(`There is no work "${work}". Works: ${Object.keys(works).join(', ')}`);
			console.log(`\n── ${work}`);
			const section = await works[work]({
				host,
				credential,
				another,
				sandbox,
				say: (line) => console.log(`   ${line}`),
			});
			sections[work] = section;
			for (const { bar, held, figure } of section.bars) {
				console.log(`   ${held ? 'held  ' : 'MISSED'} ${bar}: ${figure}`);
				if (!held) missed++;
			}
			// What was measured stays, whatever becomes of the rest.
			const made = `n8n ${defaultVersion}`;
			if (values.print) console.log(`\n${pageWith(sections, made)}`);
			else writePage(sections, made);
		}
	} finally {
		// Ending in an orderly way would wait for executions that nobody needs.
		await host.kill();
		await sandbox.stop();
		await rm(userFolder, { recursive: true, force: true });
	}
	process.exitCode = missed === 0 ? 0 : 1;
} catch (error) {
	exitWith(error);
}
