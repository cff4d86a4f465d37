import type { IWebhookFunctions } from 'n8n-workflow';
import { isSameTarget, isTesting, warn, type Registrant, type Target } from './registrant';
import { mapInParallel } from '../../engine/inParallel';

/** Takes something back from the platform. Never throws. @returns what is left then */
type CleanUp = () => Promise<string[]>;

/** What a node has on the platform and no longer needs, or needs for a test only. */
interface Cleanup {
	/** The node; none if only others finish it. */
	owner?: string;
	targets: Target[];
	cleanUp: CleanUp;
	trying?: Promise<string[]>;
	/** A test listens until then. n8n does not tell its end if the workflow is deleted meanwhile. */
	listensUntil?: number;
}

/** n8n listens at most so long (n8n 2.41: TEST_WEBHOOK_MAX_TIMEOUT). */
export const longestTestMs = 10 * 60_000;

/** Of all our triggers, also of workflows that were deleted since: static data is lost with them. */
const pending = new Set<Cleanup>();

const ownerOf = ({ workflow, node }: Pick<Registrant, 'workflow' | 'node'>): string =>
	JSON.stringify([workflow, node]);

const findOf = (owner: string): Cleanup | undefined =>
	[...pending].find((cleanup) => cleanup.owner === owner);

/** Tries a cleanup, and forgets it if that succeeds. @param first what has to end before */
async function tryNow(cleanup: Cleanup, first = Promise.resolve()): Promise<string[]> {
	pending.add(cleanup);
	cleanup.trying = first.then(cleanup.cleanUp);
	const complaints = await cleanup.trying;
	delete cleanup.trying;
	if (complaints.length === 0) pending.delete(cleanup);
	return complaints;
}

export const pendingCleanups = {
	/**
	 * The node itself goes on: nothing of it is pending any more, and no try of another may disturb it. What a test has
	 * at targets that the node no longer wants is taken back.
	 */
	async resume(registrant: Registrant, wanted: Target[]): Promise<void> {
		const earlier = findOf(ownerOf(registrant));
		if (!earlier) return;
		pending.delete(earlier);
		await earlier.trying;
		const { targets, cleanUp, listensUntil } = earlier;
		const isWanted = (target: Target) => wanted.some((one) => isSameTarget(one, target));
		if (listensUntil === undefined || targets.every(isWanted)) return;
		warn(registrant, await tryNow({ targets, cleanUp }));
	},

	/** Waits for tries of others at the same agents, above all the ends of tests: that makes room there. */
	async waitFor(wanted: Target[]): Promise<void> {
		const isThere = ({ targets }: Cleanup): boolean =>
			targets.some(({ agent }) => wanted.some((one) => one.agent === agent));
		await Promise.all([...pending].filter(isThere).map(({ trying }) => trying));
	},

	/** Takes back what the node has. @returns what is left even then, for the next time that any trigger of ours is on */
	async run(registrant: Registrant, targets: Target[], cleanUp: CleanUp): Promise<string[]> {
		const earlier = pendingCleanups.resume(registrant, targets);
		return await tryNow({ owner: ownerOf(registrant), targets, cleanUp }, earlier);
	},

	/** Takes back what other triggers have left, and names in the log what is left even then. */
	async runOthers(registrant: Registrant): Promise<void> {
		const others = [...pending].filter(
			({ owner, trying, listensUntil = 0 }) =>
				owner !== ownerOf(registrant) && trying === undefined && listensUntil <= Date.now(),
		);
		const finishing = mapInParallel(others, 4, async (cleanup) => {
			for (const complaint of await tryNow(cleanup))
				warn(registrant, [`another trigger of this n8n may have left something. ${complaint}`]);
		});
		// Whoever tests waits for nothing that others have left.
		if (!isTesting(registrant.context)) await finishing;
	},

	addTest(registrant: Registrant, targets: Target[], cleanUp: CleanUp): void {
		const listensUntil = Date.now() + longestTestMs;
		pending.add({ owner: ownerOf(registrant), targets, cleanUp, listensUntil });
	},

	/**
	 * A test has got what it listened for. If n8n does not tell its end, others end it: n8n 1.x forgets all tests when
	 * one of them ends (TestWebhooks, `deregisterAll`).
	 */
	testReceived(context: IWebhookFunctions): void {
		if (context.getMode() !== 'manual') return;
		const [workflow, node] = [String(context.getWorkflow().id), context.getNode().id];
		const cleanup = findOf(ownerOf({ workflow, node }));
		if (cleanup?.listensUntil !== undefined) cleanup.listensUntil = 0;
	},
};
