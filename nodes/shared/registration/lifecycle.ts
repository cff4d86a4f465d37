import {
	type IDataObject,
	type IExecuteFunctions,
	type IHookFunctions,
	type INodeExecutionData,
	type IRun,
	type ITriggerFunctions,
	type ITriggerResponse,
	type WebhookType,
} from 'n8n-workflow';
import { attempt, isError, uniqWith } from 'lodash';
import {
	entriesHere,
	entriesInWorkspace,
	forget,
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
	isStarting,
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
import { endWatch, type Heard, watch } from './watch';
import { mapInParallel, settleInParallel } from '../../engine/inParallel';
import { clock, pause } from '../../engine/http/clock';
import { apiError } from '../../engine/errors/errorText';
import { RequestError } from '../../engine/errors/requestError';
import { sentence } from '../../engine/text/text';

const width = 4;
/** So long an execution that catches up holds back the next one. */
const longestMs = 60_000;

export interface Survey {
	upToDate: boolean;
	/** Why the node cannot register, in words; undefined if it can. */
	obstacle: () => Promise<string | undefined>;
	remarks: string[];
	/** Makes it as it should be. @returns whether it changed anything */
	settle: () => Promise<boolean>;
}

type Emit = (event: IDataObject) => Promise<void>;

/** Events that did not arrive, for a trigger that can read on the platform what they would have told. */
export interface Missed {
	isWanted: (context: IHookFunctions) => boolean;
	/** A person publishes: what happened before is not missed. */
	forget: (context: ITriggerFunctions) => void;
	heard: (context: IHookFunctions | ITriggerFunctions) => Heard;
	/** Starts the workflow for the events since then, oldest first. @throws RequestError */
	catchUp: (plan: Plan, heard: Heard, emit: Emit) => Promise<void>;
	/** @returns the input items that the workflow has not had */
	pass: (context: IExecuteFunctions) => Promise<INodeExecutionData[]>;
}

/** What distinguishes the registrations of one trigger from those of the other. */
export interface Adapter<E extends Entry, Wanted extends Target> {
	type: TriggerType;
	/** Name of the webhook that the platform calls, if there are several. */
	webhookOf?: (context: IHookFunctions) => WebhookType;
	/** Refuses what cannot be published, before anything is read. @throws NodeOperationError */
	refuse: (context: IHookFunctions) => void;
	wanted: (context: IHookFunctions) => Wanted[];
	/** Reads what is there. It may note the ID of what it found in `wanted`. */
	survey: (plan: Plan<E>, wanted: Wanted) => Promise<Survey>;
	/** Restores what a target had. @returns why something of this node is still there */
	release: (plan: Plan<E>, target: E | Wanted) => Promise<string[]>;
	missed?: Missed;
	/** "… could not be removed. <reason> …" */
	explainLeftover: (target: Target & { address: string }, reason: string) => string;
	/** What stays in a workspace that the credential no longer leads to. @param host of the present one */
	unreachable: (entry: E, host: string) => string;
}

type Step<Wanted> = Survey & { wanted: Wanted };

interface Failure {
	complaint: string;
	thrown?: unknown;
}

function failureOf(plan: Plan, { agent }: Target, thrown: unknown): Failure {
	const complaint = isGone(thrown)
		? `The agent ${agent} was not found at ${plan.client.workspace.host}: it was deleted, or it belongs to another workspace. ${plan.type.chooseAgent}, or check the credential.`
		: `${plan.starting ? `Agent ${agent}: ` : ''}${explain(thrown, plan)}`;
	return { complaint, thrown };
}

const sorted = <T>(plan: Plan, targets: Target[], settled: Array<PromiseSettledResult<T>>) => ({
	done: settled.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : [])),
	failures: settled.flatMap((one, index) =>
		one.status === 'rejected' ? [failureOf(plan, targets[index] as Target, one.reason)] : [],
	),
});

/**
 * If a person publishes, everything is registered, or nothing, and one error tells all. If n8n starts, nobody reads it:
 * what can run goes on, and the log names the rest.
 */
function goOnWithout(plan: Plan, failures: Failure[], others: number, remarks: string[] = []) {
	const complaints = failures.map(({ complaint }) => complaint);
	if (complaints.length > 0 && (!plan.starting || others === 0)) {
		const message = [...new Set([...complaints, ...remarks])].join(' ');
		const request = failures.map(({ thrown }) => thrown).find((one) => one instanceof RequestError);
		throw request
			? apiError(plan.context.getNode(), { message, description: message }, request.facts)
			: registrationError(plan.context, message);
	}
	const { goesOn } = plan.type;
	warn(plan, [...remarks, ...complaints.map((complaint) => `${goesOn} ${complaint}`)]);
}

/**
 * Whether n8n tries a `delete` that throws again, and then shows the message. In older ones a throw keeps n8n from the
 * other triggers and from saving static data. n8n tells a node neither its version nor this; only the name of the caller
 * in the stack does (n8n 2.41: workflow-trigger-activator.js), and without that name nothing is thrown.
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

	/** n8n's `checkExists`: whether everything is as it should be, and nothing else of this node is there. Only reads. */
	async isRegistered(context: IHookFunctions): Promise<boolean> {
		const { plan, wanted } = await this.openPlan(context);
		if (remembered(plan).length === 0) return false;
		const { done, failures } = await this.surveyAll(plan, wanted);
		const isUpToDate = done.every((step) => step.upToDate);
		const isAll = [done, remembered(plan)].every(({ length }) => length === wanted.length);
		if (!plan.starting) return isUpToDate && isAll && stranded(plan).length === 0;
		// At start-up nobody reads messages. What cannot be read silences nothing: it is probably there.
		for (const { complaint } of failures)
			warn(plan, [`could not check what it registered: ${complaint}`]);
		return isUpToDate && (done.length > 0 || failures.some(({ thrown }) => !isGone(thrown)));
	}

	/** n8n's `create`: registers, adopts and repairs. */
	async register(context: IHookFunctions): Promise<boolean> {
		const { plan, wanted } = await this.openPlan(context);
		const { done, failures } = await this.surveyAll(plan, wanted);
		const complaints = await mapInParallel(done, width, async ({ obstacle }) => await obstacle());
		const refused = complaints.flatMap((complaint) => (complaint ? [{ complaint }] : []));
		const ready = done.filter((_, index) => complaints[index] === undefined);
		const remarks = done.flatMap((step) => step.remarks);
		goOnWithout(plan, [...failures, ...refused], ready.length, remarks);
		await this.settleAll(plan, ready);
		await this.releaseOthers(plan, wanted);
		this.forgetStranded(plan);
		if (plan.test) pendingCleanups.addTest(plan, wanted, this.cleaningUp(plan, wanted));
		await pendingCleanups.runOthers(plan);
		return true;
	}

	/**
	 * n8n's `delete`. What it cannot restore it logs and remembers for the next `create` or `delete` of any trigger. A
	 * test ends behind n8n's back: while n8n 2.41 waits here, another test that begins or ends blocks it for a minute.
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

	/**
	 * Puts right what a published trigger registered and has no more, and starts the workflow for what it missed.
	 * Never throws. @param behind what it had heard when n8n started @returns whether it could look
	 */
	async look(context: IHookFunctions, emit: Emit, behind?: Heard): Promise<boolean> {
		const { title } = this.adapter.type;
		let repaired = false;
		try {
			const plan = await preparePlan(this.registrantOf(context), readTakeOverFrom(context));
			const wanted = this.adapter.wanted(context);
			const { done, failures } = await this.surveyAll(plan, wanted);
			warn(
				plan,
				failures.map(({ complaint }) => `could not check what it registered. ${complaint}`),
			);
			await this.releaseOthers(plan, wanted);
			for (const { wanted: target, upToDate, obstacle, settle } of done) {
				if (upToDate) continue;
				const complaint = await obstacle();
				if (complaint === undefined && !(await settle())) continue;
				repaired ||= complaint === undefined;
				warn(plan, [
					complaint ??
						`put right what it registered (agent ${target.agent}): it was missing on the platform, switched off or changed there.`,
				]);
			}
			if (failures.length > 0) return false;
			if (behind ?? repaired) await this.catchUp(plan, emit, behind);
			return true;
		} catch (thrown) {
			const reason = sentence((thrown as Error).message);
			context.logger.warn(`${title}: could not look after what it registered. ${reason}`);
			return false;
		}
	}

	private async catchUp(plan: Plan<E>, emit: Emit, behind?: Heard): Promise<void> {
		const { missed } = this.adapter;
		if (!missed?.isWanted(plan.context)) return;
		await missed.catchUp(plan as unknown as Plan, behind ?? missed.heard(plan.context), emit);
	}

	private registrantOf(context: IHookFunctions): Registrant<E> {
		return findRegistrant<E>(context, this.adapter.type, this.adapter.webhookOf?.(context));
	}

	private async openPlan(context: IHookFunctions): Promise<{ plan: Plan<E>; wanted: Wanted[] }> {
		this.adapter.refuse(context);
		refuseSharedAddress(context, this.adapter.type);
		const plan = await preparePlan(this.registrantOf(context), readTakeOverFrom(context));
		const wanted = this.adapter.wanted(context);
		refuseLoopback(plan, plan.client);
		await pendingCleanups.resume(plan, wanted);
		await pendingCleanups.waitFor(wanted);
		return { plan, wanted };
	}

	private async surveyAll(plan: Plan<E>, all: Wanted[]) {
		const survey = async (wanted: Wanted): Promise<Step<Wanted>> => {
			return { wanted, ...(await this.adapter.survey(plan, wanted)) };
		};
		return sorted(plan, all, await settleInParallel(all, width, survey));
	}

	/** Makes everything as it should be. If a person publishes and one of it fails, all is given back. */
	private async settleAll(plan: Plan<E>, steps: Array<Step<Wanted>>): Promise<void> {
		const targets = steps.map(({ wanted }) => wanted);
		const settling = async ({ wanted, settle }: Step<Wanted>) => ({ wanted, made: await settle() });
		const settled = await settleInParallel(steps, width, settling);
		const { done, failures } = sorted(plan, targets, settled);
		if (failures.length > 0 && !plan.starting)
			for (const { wanted, made } of done) if (made) warn(plan, await this.release(plan, wanted));
		goOnWithout(plan, failures, done.length);
	}

	/** Takes back what this node has at targets that it no longer wants. */
	private async releaseOthers(plan: Plan<E>, wanted: Wanted[]): Promise<void> {
		for (const entry of remembered(plan))
			if (!wanted.some((one) => isSameTarget(entry, one)))
				warn(plan, await this.release(plan, markOutdated(plan, entry)));
	}

	private forgetStranded(plan: Plan<E>): void {
		warn(plan, this.explainStranded(plan));
		const lost = stranded(plan);
		forget(plan, (entry) => lost.includes(entry));
	}

	/** Restores what a target had. Never throws. @returns why something of this node is still there */
	private async release(plan: Plan<E>, target: E | Wanted): Promise<string[]> {
		try {
			return await this.adapter.release(plan, target);
		} catch (thrown) {
			const known = entriesInWorkspace(plan).filter((entry) => isSameTarget(entry, target));
			// What is gone has nothing of this node.
			if (isGone(thrown)) {
				forget(plan, (entry) => known.includes(entry));
				return [];
			}
			const reason = explain(thrown, plan);
			return known.some(({ token }) => token !== '')
				? [this.adapter.explainLeftover({ address: plan.address, ...target }, reason)]
				: [
						`could not check whether agent ${target.agent} still has something of this workflow. ${reason}`,
					];
		}
	}

	private explainStranded(plan: Plan<E>): string[] {
		const { host } = plan.client.workspace;
		return stranded(plan).map((entry) => this.adapter.unreachable(entry, host));
	}

	/** Restores everything that is provably this node's, now or later. Never throws. */
	private cleaningUp(registrant: Registrant<E>, wanted: Wanted[]): () => Promise<string[]> {
		return async () => {
			try {
				const plan = await preparePlan(registrant);
				// Static data may be lost; the token in the URL is proof enough.
				const targets = uniqWith<E | Wanted>([...remembered(plan), ...wanted], isSameTarget);
				const releasing = async (target: E | Wanted) => await this.release(plan, target);
				return (await mapInParallel(targets, width, releasing)).flat();
			} catch (thrown) {
				const reason = sentence((thrown as Error).message);
				return entriesHere(registrant).map((entry) => this.adapter.explainLeftover(entry, reason));
			}
		};
	}

	/** Takes back what the node has. Reads what n8n evaluates before it first waits. @returns what is left */
	private async end(context: IHookFunctions): Promise<string[]> {
		try {
			const registrant = this.registrantOf(context);
			// What is remembered is restored although the parameters cannot be read.
			const read = attempt(this.adapter.wanted, context);
			const wanted = isError(read) ? [] : read;
			const unwatched = isTesting(context) ? undefined : endWatch(context);
			const cleanUp = this.cleaningUp(registrant, wanted);
			await unwatched;
			const left = await pendingCleanups.run(registrant, wanted, cleanUp);
			const plan = await preparePlan(registrant).catch(() => undefined);
			const complaints = [...left, ...(plan ? this.explainStranded(plan) : [])];
			warn(registrant, complaints);
			await pendingCleanups.runOthers(registrant);
			return complaints;
		} catch (thrown) {
			const complaint = `could not restore what it changed. ${sentence((thrown as Error).message)}`;
			context.logger.warn(`${this.adapter.type.title}: ${complaint}`);
			return [complaint];
		}
	}
}

/** Starts an execution, and waits for its end so that not all run at the same moment. @param signal no more are started */
const emitter =
	({ emit, helpers }: ITriggerFunctions, signal: AbortSignal): Emit =>
	async (event) => {
		if (signal.aborted) return;
		const done = helpers.createDeferredPromise<IRun>();
		const ending = new AbortController();
		const stop = (): void => ending.abort();
		done.promise.then(stop, stop);
		emit([[{ json: event }]], undefined, done);
		const waiting = pause(longestMs, AbortSignal.any([signal, ending.signal]), clock, longestMs);
		await waiting.catch(() => undefined);
	};

/** What a trigger node is made of, beside its words and its `webhook`. */
export function lifecycleOf<E extends Entry, Wanted extends Target>(adapter: Adapter<E, Wanted>) {
	const lifecycle = new Lifecycle(adapter);
	return {
		hooks: {
			async checkExists(this: IHookFunctions): Promise<boolean> {
				return await lifecycle.isRegistered(this);
			},
			async create(this: IHookFunctions): Promise<boolean> {
				return await lifecycle.register(this);
			},
			async delete(this: IHookFunctions): Promise<boolean> {
				return await lifecycle.unregister(this);
			},
		},
		async trigger(this: ITriggerFunctions): Promise<ITriggerResponse> {
			const isPublished = ['activate', 'create'].includes(this.getActivationMode());
			if (isPublished) adapter.missed?.forget(this);
			let behind = isStarting(this) ? adapter.missed?.heard(this) : undefined;
			return watch(this, async (context, signal) => {
				const looked = await lifecycle.look(context, emitter(this, signal), behind);
				if (looked) behind = undefined;
				return looked;
			});
		},
		/** n8n passes what has arrived through it, because there is a `trigger`. */
		async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
			return [await (adapter.missed?.pass(this) ?? this.getInputData())];
		},
	};
}
