import type { IWebhookFunctions } from 'n8n-workflow';
import { isSameTarget, warn, type Registrant, type Target } from './registrant';
import { mapInParallel } from '../concurrency';

/** Takes something back from the platform. Never throws. @returns what is left then */
type CleanUp = () => Promise<string[]>;

/** What a node has on the platform and no longer needs, or needs for a test only. */
interface Cleanup {
	targets: Target[];
	cleanUp: CleanUp;
	trying?: Promise<string[]>;
	/** A test listens until then. n8n does not tell its end if the workflow is deleted meanwhile. */
	listensUntil?: number;
}

/** n8n listens at most so long (n8n 2.41: TEST_WEBHOOK_MAX_TIMEOUT). */
export const longestTestMs = 10 * 60_000;

/**
 * Of all our triggers, also of workflows that were deleted since. Static data is lost with the workflow, so this lives
 * as long as the process.
 */
const pending = new Map<string, Cleanup>();

/** A test and the published workflow follow each other at the same targets. */
const keyOf = ({ workflow, node }: Pick<Registrant, 'workflow' | 'node'>): string =>
	JSON.stringify([workflow, node]);

/** Tries a cleanup, and forgets it if that succeeds. @param first what has to end before */
async function tryNow(key: string, cleanup: Cleanup, first?: Promise<void>): Promise<string[]> {
	cleanup.trying = first ? first.then(cleanup.cleanUp) : cleanup.cleanUp();
	const complaints = await cleanup.trying;
	delete cleanup.trying;
	if (complaints.length === 0 && pending.get(key) === cleanup) pending.delete(key);
	return complaints;
}

/** What is to be taken back: a test's end is under way, the platform was away or refused the token. */
export const pendingCleanups = {
	/**
	 * The node itself goes on: nothing of it is pending any more, and no try of another may disturb it. What a test has
	 * at targets that the node no longer wants is taken back.
	 */
	async resume(registrant: Registrant, wanted: Target[]): Promise<void> {
		const own = keyOf(registrant);
		const earlier = pending.get(own);
		pending.delete(own);
		await earlier?.trying;
		if (earlier?.listensUntil === undefined) return;
		if (earlier.targets.every((target) => wanted.some((one) => isSameTarget(one, target)))) return;
		delete earlier.listensUntil;
		const key = JSON.stringify([own, earlier.targets]);
		pending.set(key, earlier);
		warn(registrant, await tryNow(key, earlier));
	},

	/** Waits for tries of others at the same agents, above all the ends of tests: that makes room there. */
	async waitFor(wanted: Target[]): Promise<void> {
		const isThere = ({ targets }: Cleanup): boolean =>
			targets.some(({ agent }) => wanted.some((one) => one.agent === agent));
		await Promise.all([...pending.values()].filter(isThere).map(({ trying }) => trying));
	},

	/**
	 * Takes back what the node has. What is left even then stays for the next time that any of our triggers is published
	 * or unpublished. @returns what is left
	 */
	async run(registrant: Registrant, targets: Target[], cleanUp: CleanUp): Promise<string[]> {
		const key = keyOf(registrant);
		const earlier = pendingCleanups.resume(registrant, targets);
		const cleanup: Cleanup = { targets, cleanUp };
		pending.set(key, cleanup);
		return await tryNow(key, cleanup, earlier);
	},

	/** Takes back what other triggers have left, and names in the log what is left even then. */
	async runOthers(registrant: Registrant): Promise<void> {
		const own = keyOf(registrant);
		const others = [...pending].filter(
			([key, { trying, listensUntil = 0 }]) =>
				key !== own && trying === undefined && listensUntil <= Date.now(),
		);
		await mapInParallel(others, 4, async ([key, cleanup]) => {
			for (const complaint of await tryNow(key, cleanup))
				warn(registrant, [`another trigger of this n8n has left something. ${complaint}`]);
		});
	},

	/** Notes what a test has registered, until the node ends it. */
	addTest(registrant: Registrant, targets: Target[], cleanUp: CleanUp): void {
		const listensUntil = Date.now() + longestTestMs;
		pending.set(keyOf(registrant), { targets, cleanUp, listensUntil });
	},

	/**
	 * A test has got what it listened for. If n8n does not tell its end, others end it: n8n 1.x forgets all tests when
	 * one of them ends (TestWebhooks, `deregisterAll`).
	 */
	testReceived(context: IWebhookFunctions): void {
		if (context.getMode() !== 'manual') return;
		const [workflow, node] = [String(context.getWorkflow().id), context.getNode().id];
		const cleanup = pending.get(keyOf({ workflow, node }));
		if (cleanup?.listensUntil !== undefined) cleanup.listensUntil = 0;
	},
};
