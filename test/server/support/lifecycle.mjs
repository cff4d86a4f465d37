/** The life of a trigger in real n8n servers of several versions, with a table of what each case leaves. */
import { after, before, describe, test } from 'node:test';
import { defaultVersion, oldestVersion } from '../../../tools/bootstrap.mjs';
import { openWorkspace } from '../../../tools/workspace.mjs';

const versions = process.env.HOST_VERSIONS?.split(',') ?? [defaultVersion, oldestVersion];

/**
 * @typedef {object} Life
 * @property {string} version of n8n
 * @property {import('../../../tools/workspace.mjs').Workspace} workspace once the tests run
 * @property {(name: string, ...cells: unknown[]) => void} record a row of the table: before, during and after
 * @property {(name: string, run: () => Promise<void>) => void} lives a test with a generous deadline: machines differ,
 *   and every step has a deadline of its own
 */

/**
 * @param {string} trigger its name
 * @param {string} column what the table shows
 * @param {object} settings of the sandbox
 * @param {(life: Life) => void} define the tests
 */
export function inEachVersion(trigger, column, settings, define) {
	/** @type {Record<string, Record<string, unknown[]>>} case → version → cells */
	const table = {};
	for (const version of versions)
		describe(`${trigger} in n8n ${version}`, { concurrency: 1 }, () => {
			const life = /** @type {Life} */ ({
				version,
				record: (name, ...cells) => ((table[name] ??= {})[version] = cells),
				lives: (name, run) => test(name, { timeout: 900_000 }, run),
			});
			before(
				async () => {
					life.workspace = await openWorkspace({
						version,
						settings,
						env: {
							// A publication that was under way when n8n was killed is taken up again after this; n8n's own two
							// minutes are long.
							N8N_WORKFLOW_PUBLICATION_OUTBOX_LEASE_SECONDS: '45',
							N8N_WORKFLOW_PUBLICATION_OUTBOX_POLL_INTERVAL_MS: '1000',
							// Expressions have no part in this; the default engine costs a second of computing per publication.
							N8N_EXPRESSION_ENGINE: 'legacy',
						},
					});
				},
				{ timeout: 600_000 },
			);
			after(async () => await life.workspace?.close());
			define(life);
		});
	after(() => {
		const row = (/** @type {unknown[]} */ cells) => console.log(`| ${cells.join(' | ')} |`);
		console.log();
		row([`case: ${column}`, ...versions.map((version) => `n8n ${version}`)]);
		row(['---', ...versions.map(() => '---')]);
		for (const [name, of] of Object.entries(table))
			row([name, ...versions.map((one) => of[one]?.join(' / ') ?? 'did not run to its end')]);
	});
}
