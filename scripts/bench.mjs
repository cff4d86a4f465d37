/**
 * Benchmarks in a real n8n, this pack beside other ways of doing the same work in the same run.
 *
 *   npm run bench                    everything; writes docs/benchmarks.md
 *   npm run bench -- --only sends,notes
 *   npm run bench -- --print         prints, writes nothing
 *
 * Timings are n8n's own for the node that does the work; counts come from the sandbox's ledger.
 */
import { writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ensureBuild, ensureHost, ensureNodeVersion, ensurePack, ensurePackage, exitWith, localFolder, repository } from './lib/bootstrap.mjs';

try {
	ensureNodeVersion();
	const { values } = parseArgs({ options: { only: { type: 'string' }, print: { type: 'boolean', default: false } } });
	await ensurePackage();
	const { startHost, defaultVersion } = await import('./lib/host.mjs');
	const { startSandbox } = await import('../test/sandbox/client.mjs');
	const { works } = await import('./bench/works.mjs');
	await ensureHost(defaultVersion);
	await ensureBuild();
	const tarball = await ensurePack();
	const chosen = values.only?.split(',') ?? Object.keys(works);
	const userFolder = await mkdtemp(join(localFolder, 'bench-'));
	const sandbox = await startSandbox();
	const host = await startHost({ version: defaultVersion, userFolder, tarball, env: { N8N_RUNNERS_TASK_TIMEOUT: '600' } });
	const sections = [];
	let missed = 0;
	try {
		const { id, name } = await host.createCredential({
			name: 'Sandbox',
			type: 'acpApi',
			data: { baseUrl: sandbox.url, token: sandbox.token, timezone: '', webhookSecret: '' },
		});
		for (const work of chosen) {
			if (!works[work]) throw new Error(`There is no work "${work}". Works: ${Object.keys(works).join(', ')}`);
			console.log(`\n── ${work}`);
			const section = await works[work]({ host, sandbox, credential: { id, name }, say: (line) => console.log(`   ${line}`) });
			sections.push(section);
			for (const { bar, held, figure } of section.bars) {
				console.log(`   ${held ? 'held  ' : 'MISSED'} ${bar}: ${figure}`);
				if (!held) missed++;
			}
		}
	} finally {
		await host.stop();
		await sandbox.stop();
		await rm(userFolder, { recursive: true, force: true });
	}
	const page = render(sections, defaultVersion);
	if (values.print || values.only) console.log(`\n${page}`);
	else writeFileSync(join(repository, 'docs', 'benchmarks.md'), page);
	process.exitCode = missed === 0 ? 0 : 1;
} catch (error) {
	exitWith(error);
}

function render(sections, n8n) {
	const [cpu] = cpus();
	const lines = [
		'# Benchmarks',
		'',
		`Made by \`npm run bench\` on ${new Date().toISOString().slice(0, 10)}: ${cpus().length} × ${cpu.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.versions.node}, n8n ${n8n} in regular mode with SQLite, the sandbox on the same machine. Figures of one run; compare within a table only.`,
		'',
	];
	for (const { title, text, columns, rows, bars } of sections) {
		lines.push(`## ${title}`, '', text, '', `| ${columns.join(' | ')} |`, `|${columns.map(() => '---').join('|')}|`);
		for (const row of rows) lines.push(`| ${row.join(' | ')} |`);
		lines.push('', ...bars.map(({ bar, held, figure }) => `- ${held ? 'Held' : '**Missed**'}: ${bar}: ${figure}`), '');
	}
	return `${lines.join('\n').trimEnd()}\n`;
}
