import type { IHookFunctions, WebhookType } from 'n8n-workflow';
import {
	entriesHere,
	entriesInWorkspace,
	forget,
	forgetStrangers,
	hasStrangers,
	markOutdated,
	remembered,
	stranded,
} from './memory';
import { pendingCleanups } from './pendingCleanups';
import { explain, preparePlan, readTakeOverFrom, type Plan } from './plan';
import { isGone } from './platform';
import {
	findRegistrant,
	isSameTarget,
	isTesting,
	refuseLoopback,
	refuseSharedAddress,
	registrationError,
	warn,
	type Entry,
	type Registrant,
	type Target,
	type TriggerType,
} from './registrant';
import { mapInParallel, settleInParallel } from '../concurrency';
import { apiError } from '../errors/errorText';
import { RequestError, rethrow } from '../errors/requestError';
import { sentence } from '../text/text';

const width = 4;

/** What the node wants at a target, compared with what is there. */
export interface Survey {
	upToDate: boolean;
	/** Why the node cannot register, in words; undefined if it can. */
	obstacle: () => Promise<string | undefined>;
	remarks: string[];
	/** Makes it as it should be. @returns whether it changed anything @throws RequestError, NodeOperationError */
	settle: () => Promise<boolean>;
}

/** What distinguishes the registrations of one trigger from those of the other. */
export interface Adapter<E extends Entry, Wanted extends Target> {
	type: TriggerType;
	/** Name of the webhook that the platform calls, if there are several. */
	webhookOf?: (context: IHookFunctions) => WebhookType;
	/** Refuses what cannot be published, before anything is read. @throws NodeOperationError */
	refuse: (context: IHookFunctions) => void;
	/** What the parameters ask for. @throws NodeOperationError */
	wanted: (context: IHookFunctions) => Wanted[];
	/** Reads what is there. It may note the ID of what it found in `wanted`. @throws RequestError */
	survey: (plan: Plan<E>, wanted: Wanted) => Promise<Survey>;
	/** Restores what a target had. @returns why something of this node is still there @throws RequestError */
	release: (plan: Plan<E>, target: E | Wanted) => Promise<string[]>;
	/** "… could not be removed. <reason> …" */
	explainLeftover: (target: Target & { address: string }, reason: string) => string;
	/** What stays in a workspace that the credential no longer leads to. @param host of the present one */
	unreachable: (entry: E, host: string) => string;
}

type Step<Wanted> = Survey & { wanted: Wanted; thrown?: unknown };

/** Several complaints as one error, with what is known of the first request that did not succeed. */
function asError({ context }: Plan, complaints: string[], thrown: unknown[]): Error {
	const message = [...new Set(complaints)].join(' ');
	const requestError = thrown.find((one) => one instanceof RequestError);
	return requestError
		? apiError(context.getNode(), { message, description: message }, requestError.facts)
		: registrationError(context, message);
}

/** Whoever tests waits for nothing that others have left. */
async function finishOthers(registrant: Registrant): Promise<void> {
	const finishing = pendingCleanups.runOthers(registrant);
	if (!isTesting(registrant.context)) return await finishing;
	finishing.catch((thrown: Error) => registrant.context.logger.debug(thrown.message));
}

/** What can be registered. If a person publishes: all or an error. */
async function withoutObstacles<Wanted>(
	plan: Plan,
	steps: Array<Step<Wanted>>,
): Promise<Array<Step<Wanted>>> {
	const ready: Array<Step<Wanted>> = [];
	const obstacles: string[] = [];
	for (const step of steps) {
		const obstacle = await step.obstacle();
		if (obstacle === undefined) ready.push(step);
		else obstacles.push(obstacle);
	}
	const remarks = steps.flatMap((step) => step.remarks);
	if (obstacles.length > 0 && (!plan.starting || ready.length === 0)) {
		const thrown = steps.map((step) => step.thrown);
		throw asError(plan, [...obstacles, ...remarks], thrown);
	}
	warn(plan, remarks);
	const goesOn = obstacles.map((obstacle) => `${plan.type.goesOn} ${obstacle}`);
	warn(plan, goesOn);
	return ready;
}

/**
 * Whether n8n tries a `delete` that throws again, and then shows a person the message. Older ones do neither: there, a
 * throw keeps n8n from the other triggers of the workflow and from saving static data. Nothing but the caller's name
 * tells (n8n 2.41: workflow-trigger-activator.js). If it is called otherwise, it is not taken for it.
 */
function isTriedAgain(): boolean {
	const { stackTraceLimit } = Error;
	Error.stackTraceLimit = 30;
	const { stack = '' } = new Error('Who calls?');
	Error.stackTraceLimit = stackTraceLimit;
	return stack.includes('deregisterExternalWebhookWithRetry');
}

class Lifecycle<E extends Entry, Wanted extends Target> {
	constructor(private readonly adapter: Adapter<E, Wanted>) {}

	/**
	 * n8n's `checkExists`: whether everything that the node wants is as it should be, and nothing else of this node is
	 * there. Only reads.
	 * @throws NodeApiError, NodeOperationError, both with everything to know in the message
	 */
	async isRegistered(context: IHookFunctions): Promise<boolean> {
		const { plan, wanted } = await this.openPlan(context);
		if (remembered(plan).length === 0 || hasStrangers(plan)) return false;
		const steps = await this.surveyAll(plan, wanted);
		if (!plan.starting) {
			const isAll = remembered(plan).length === steps.length && stranded(plan).length === 0;
			return isAll && steps.every(({ upToDate }) => upToDate);
		}
		// At start-up nobody reads messages. What cannot be read silences nothing: it is probably there.
		const unread = steps.filter(({ thrown }) => thrown !== undefined);
		for (const { obstacle } of unread)
			warn(plan, [`could not check what it registered: ${await obstacle()}`]);
		return unread.length < steps.length
			? steps.every(({ upToDate, thrown }) => upToDate || thrown !== undefined)
			: unread.some(({ thrown }) => !isGone(thrown));
	}

	/**
	 * n8n's `create`: registers, adopts and repairs. If a person publishes: everything or nothing. If n8n starts: as
	 * much as possible; the log names the rest.
	 * @throws NodeApiError, NodeOperationError, both with everything to know in the message
	 */
	async register(context: IHookFunctions): Promise<boolean> {
		const { plan, wanted } = await this.openPlan(context);
		forgetStrangers(plan);
		const steps = await this.surveyAll(plan, wanted);
		await this.settleAll(plan, await withoutObstacles(plan, steps));
		await this.releaseOthers(plan, wanted);
		if (plan.test) pendingCleanups.addTest(plan, wanted, this.cleaningUp(plan, wanted));
		await finishOthers(plan);
		return true;
	}

	/**
	 * n8n's `delete`. What it cannot restore it logs and remembers; the next `create` or `delete` of this node tries
	 * again, and so does that of any other trigger of ours.
	 *
	 * A test ends behind n8n's back: while n8n 2.41 waits here, its cache of tests holds what it cannot copy, and another
	 * test that begins or ends meanwhile blocks n8n for a minute (TestWebhooks, `workflowExecuteAdditionalData`).
	 * @returns whether nothing of this node is left; true for a test
	 * @throws NodeOperationError only where n8n tries again and shows it
	 */
	async unregister(context: IHookFunctions): Promise<boolean> {
		const triedAgain = isTriedAgain();
		const ending = this.end(context);
		if (isTesting(context)) return true;
		const complaints = await ending;
		if (triedAgain && complaints.length > 0)
			throw registrationError(context, [...new Set(complaints)].join(' '));
		return complaints.length === 0;
	}

	private registrantOf(context: IHookFunctions): Registrant<E> {
		return findRegistrant<E>(context, this.adapter.type, this.adapter.webhookOf?.(context));
	}

	/** The plan of what a person publishes, or n8n when it starts. Waits for what ends meanwhile. */
	private async openPlan(context: IHookFunctions): Promise<{ plan: Plan<E>; wanted: Wanted[] }> {
		this.adapter.refuse?.(context);
		refuseSharedAddress(context, this.adapter.type);
		const plan = await preparePlan(this.registrantOf(context), readTakeOverFrom(context));
		const wanted = this.adapter.wanted(context);
		refuseLoopback(plan, plan.client);
		await pendingCleanups.resume(plan, wanted);
		await pendingCleanups.waitFor(wanted);
		return { plan, wanted };
	}

	private async surveyAll(plan: Plan<E>, wanted: Wanted[]): Promise<Array<Step<Wanted>>> {
		const explainUnread = (thrown: unknown, agent: string): string => {
			if (!isGone(thrown)) return explain(thrown, plan);
			return `The agent ${agent} was not found at ${plan.client.workspace.host}: it was deleted, or it belongs to another workspace. ${plan.type.chooseAgent}, or check the credential.`;
		};
		return await mapInParallel(wanted, width, async (one) => {
			try {
				return { wanted: one, ...(await this.adapter.survey(plan, one)) };
			} catch (thrown) {
				if (!(thrown instanceof RequestError)) return rethrow(thrown);
				return {
					wanted: one,
					thrown,
					upToDate: false,
					obstacle: async () => explainUnread(thrown, one.agent),
					remarks: [],
					settle: async () => rethrow(thrown),
				};
			}
		});
	}

	/** Makes everything as it should be. If a person publishes and one of it fails, all is given back. */
	private async settleAll(plan: Plan<E>, steps: Array<Step<Wanted>>): Promise<void> {
		const settled = await settleInParallel(steps, width, async ({ settle }) => await settle());
		const changed: Wanted[] = [];
		const failed: Array<{ agent: string; thrown: unknown }> = [];
		for (const [index, { wanted }] of steps.entries()) {
			const result = settled[index];
			if (result?.status === 'rejected')
				failed.push({ agent: wanted.agent, thrown: result.reason as unknown });
			else if (result?.value) changed.push(wanted);
		}
		if (failed.length > 0 && (!plan.starting || failed.length === steps.length)) {
			for (const wanted of changed) warn(plan, await this.release(plan, wanted));
			const thrown = failed.map((one) => one.thrown);
			const complaints = thrown.map((one) =>
				one instanceof RequestError ? explain(one, plan) : (one as Error).message,
			);
			throw asError(plan, complaints, thrown);
		}
		for (const { agent, thrown } of failed)
			warn(plan, [`${plan.type.goesOn} Agent ${agent}: ${explain(thrown, plan)}`]);
	}

	private async releaseOthers(plan: Plan<E>, wanted: Wanted[]): Promise<void> {
		const complaints: string[] = [];
		for (const entry of remembered(plan))
			if (!wanted.some((one) => isSameTarget(entry, one)))
				complaints.push(...(await this.release(plan, markOutdated(plan, entry))));
		warn(plan, [...complaints, ...this.explainStranded(plan)]);
		const lost = stranded(plan);
		forget(plan, (entry) => lost.includes(entry));
	}

	/** Restores what a target had. Never throws. @returns why something of this node is still there */
	private async release(plan: Plan<E>, target: E | Wanted): Promise<string[]> {
		try {
			return await this.adapter.release(plan, target);
		} catch (thrown) {
			if (!isGone(thrown)) {
				const known = { address: plan.address, ...target };
				return [this.adapter.explainLeftover(known, explain(thrown, plan))];
			}
			// What is gone has nothing of this node.
			const known = entriesInWorkspace(plan).filter((entry) => isSameTarget(entry, target));
			forget(plan, (entry) => known.includes(entry));
			return [];
		}
	}

	private explainStranded(plan: Plan<E>): string[] {
		const { host } = plan.client.workspace;
		return stranded(plan).map((entry) => this.adapter.unreachable(entry, host));
	}

	/** Restores everything that is provably this node's: now or later, without ever throwing. */
	private cleaningUp(registrant: Registrant<E>, wanted: Wanted[]): () => Promise<string[]> {
		return async () => {
			try {
				const plan = await preparePlan(registrant);
				const targets: Array<E | Wanted> = [];
				// Static data may be lost; the token in the URL is proof enough.
				for (const one of [...remembered(plan), ...wanted])
					if (!targets.some((target) => isSameTarget(target, one))) targets.push(one);
				const complaints = await mapInParallel(
					targets,
					width,
					async (target) => await this.release(plan, target),
				);
				return complaints.flat();
			} catch (thrown) {
				const reason = sentence((thrown as Error).message);
				return entriesHere(registrant).map((entry) => this.adapter.explainLeftover(entry, reason));
			}
		};
	}

	/** What the parameters ask for, if they can be read: what is restored must not depend on it. */
	private wantedToClear(context: IHookFunctions): Wanted[] {
		try {
			return this.adapter.wanted(context);
		} catch (thrown) {
			context.logger.debug(
				`${this.adapter.type.title} restores only what it remembers: ${(thrown as Error).message}`,
			);
			return [];
		}
	}

	/**
	 * Takes back what the node has. Reads what n8n evaluates before it first waits. Never throws.
	 * @returns what is left
	 */
	private async end(context: IHookFunctions): Promise<string[]> {
		try {
			const registrant = this.registrantOf(context);
			const wanted = this.wantedToClear(context);
			const cleanUp = this.cleaningUp(registrant, wanted);
			const left = await pendingCleanups.run(registrant, wanted, cleanUp);
			const plan = await preparePlan(registrant).catch(() => undefined);
			const complaints = plan ? [...left, ...this.explainStranded(plan)] : left;
			warn(registrant, complaints);
			await finishOthers(registrant);
			return complaints;
		} catch (thrown) {
			const complaint = `could not restore what it changed. ${sentence((thrown as Error).message)}`;
			context.logger.warn(`${this.adapter.type.title}: ${complaint}`);
			return [complaint];
		}
	}
}

export function lifecycleOf<E extends Entry, Wanted extends Target>(adapter: Adapter<E, Wanted>) {
	const lifecycle = new Lifecycle(adapter);
	return {
		async checkExists(this: IHookFunctions): Promise<boolean> {
			return await lifecycle.isRegistered(this);
		},
		async create(this: IHookFunctions): Promise<boolean> {
			return await lifecycle.register(this);
		},
		async delete(this: IHookFunctions): Promise<boolean> {
			return await lifecycle.unregister(this);
		},
	};
}
