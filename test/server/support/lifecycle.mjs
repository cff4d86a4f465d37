/** The life of a trigger in real n8n servers of several versions. */
import { after, before, describe, test } from 'node:test';
import { defaultVersion, oldestVersion } from '../../../tools/bootstrap.mjs';
import { startHost } from '../../../tools/host.mjs';
import { openWorkspace } from '../../../tools/workspace.mjs';
import { inFull } from '../../full.mjs';

const versions = process.env.HOST_VERSIONS?.split(',') ?? [defaultVersion, oldestVersion];

/** What a person, the platform and the machine do. */
class Life {
	/** @type {import('../../../tools/workspace.mjs').Workspace} once the tests run */
	workspace;

	/** @param {string} version of n8n */
	constructor(version) {
		this.version = version;
		/** Why tests that are defined now do not run. @type {string | false} */
		this.skip = false;
	}

	get host() {
		return this.workspace.host;
	}

	get sandbox() {
		return this.workspace.sandbox;
	}

	/**
	 * A test with a generous deadline: machines differ, and every step has a deadline of its own.
	 * @param {string} name @param {() => Promise<void>} run
	 */
	lives(name, run) {
		test(name, { timeout: 900_000, skip: this.skip }, run);
	}

	/** The tests from here on run with `--full` alone: they start n8n again, or wait. */
	takeLong() {
		this.skip = inFull.skip;
	}

	/**
	 * The platform fails for requests to a path.
	 * @param {string} path @param {object} [fault] @param {object} [more] `method`, `times`
	 */
	async fails(path, fault = { kind: 'status', status: 503 }, { times, ...match } = {}) {
		await this.sandbox.control('POST /faults', [{ match: { path, ...match }, times, fault }]);
	}

	async recovers() {
		await this.sandbox.control('DELETE /faults');
	}

	/** The platform is slow meanwhile. @param {number} latencyMs @param {() => Promise<void>} run */
	async slowly(latencyMs, run) {
		await this.sandbox.control('PATCH /settings', { latencyMs });
		try {
			await run();
		} finally {
			await this.sandbox.control('PATCH /settings', { latencyMs: 0 });
		}
	}

	/** n8n starts under another address. @param {string} url */
	async moveTo(url) {
		await this.host.stop();
		this.host.options.env = { ...this.host.options.env, WEBHOOK_URL: url };
		await this.host.start();
	}

	/**
	 * Another n8n runs meanwhile.
	 * @param {string} url its address @param {string} userFolder
	 * @param {(other: import('../../../tools/host.mjs').Host) => Promise<void>} run
	 * @param {number} [port] default: any that is free
	 */
	async withAnother(url, userFolder, run, port = 0) {
		const env = { ...this.host.options.env, WEBHOOK_URL: url };
		const other = await startHost({ version: this.version, bare: true, userFolder, env, port });
		try {
			await run(other);
		} finally {
			await other.stop();
		}
	}
}

/**
 * @param {string} trigger its name
 * @param {object} settings of the sandbox
 * @param {(life: Life) => void} define the tests
 */
export function inEachVersion(trigger, settings, define) {
	for (const version of versions)
		describe(`${trigger} in n8n ${version}`, { concurrency: 1 }, () => {
			const life = new Life(version);
			before(
				async () => {
					life.workspace = await openWorkspace({
						version,
						settings,
						bare: true,
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
}
