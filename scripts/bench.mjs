/**
 * Benchmarks in a real n8n, this pack beside other ways of doing the same work in the same run.
 *
 *   npm run bench                    everything; writes docs/reference/benchmarks.md
 *   npm run bench -- --only sends,notes     these; the other sections of the page stay
 *   npm run bench -- --print         prints, writes nothing
 *
 * Timings are n8n's own for the nodes that do the work; counts come from the sandbox's ledger.
 */
import { parseArgs } from 'node:util';
import { ensureBuild, ensureNodeVersion, ensurePackage, exitWith } from '../tools/bootstrap.mjs';

/**
 * @typedef {{title: string, text: string, columns: string[], rows: any[][], bars: Array<{bar: string, held: boolean,
 *   figure: string}>}} Section a table of the page, and what must hold
 * @typedef {import('../tools/workspace.mjs').Workspace} Workspace
 * @typedef {{workspace: Workspace, sandbox: Workspace['sandbox'], say: (line: string) => void,
 *   another: (options?: object) => Promise<Workspace>}} Bench `another`: an n8n more beside the same sandbox, with
 *   options of `openWorkspace`; whoever opens it kills it
 */

try {
	ensureNodeVersion();
	const { values } = parseArgs({
		options: { only: { type: 'string' }, print: { type: 'boolean', default: false } },
	});
	await ensurePackage();
	await ensureBuild();
	const { openWorkspace } = await import('../tools/workspace.mjs');
	const { works, pageWith, writePage } = await import('./bench/page.mjs');
	const chosen = values.only?.split(',') ?? Object.keys(works);
	const unknown = chosen.find((name) => !works[name]);
	if (unknown)
		throw new Error(`There is no work "${unknown}". Works: ${Object.keys(works).join(', ')}`);
	const open = async ({ env, ...options } = {}) =>
		await openWorkspace({ env: { N8N_RUNNERS_TASK_TIMEOUT: '600', ...env }, ...options });
	const workspace = await open();
	const { sandbox } = workspace;
	const sections = {};
	try {
		for (const name of chosen) {
			console.log(`\n── ${name}`);
			sections[name] = await works[name]({
				workspace,
				sandbox,
				another: async (options) => await open({ ...options, sandbox }),
				say: (line) => console.log(`   ${line}`),
			});
			for (const { bar, held, figure } of sections[name].bars)
				console.log(`   ${held ? 'held  ' : 'MISSED'} ${bar}: ${figure}`);
			// What was measured stays, whatever becomes of the rest.
			if (values.print) console.log(`\n${pageWith(sections)}`);
			else writePage(sections);
		}
	} finally {
		await workspace.kill();
		await sandbox.stop();
	}
	const bars = Object.values(sections).flatMap((section) => section.bars);
	process.exitCode = bars.every(({ held }) => held) ? 0 : 1;
} catch (error) {
	exitWith(error);
}
