import type { IHookFunctions, WebhookType } from 'n8n-workflow';
import type { Entry } from './entry';
import { finishLeft, noteTest, takeBack, takeUp, tellsOfLeft, waitForEnds } from './left';
import { entriesHere, forget, forgetStrangers, hasStrangers, remembered, stranded } from './memory';
import { explainRequestError, isSamePlace, preparePlan, type Place, type Plan } from './plan';
import { isGone } from './platform';
import {
	findRegistrant,
	isTesting,
	refuseLoopback,
	refuseSharedAddress,
	type Registrant,
	registrationError,
	warn,
} from './registrant';
import { mapInParallel, settleInParallel } from '../concurrency';
import { apiError } from '../errors/errorText';
import { RequestError } from '../errors/requestError';
import { rethrow } from '../errors/rethrow';
import { sentence } from '../text/text';

/** How many agents are handled in parallel. */
const width = 4;

/** What distinguishes the registrations of one trigger from those of the other. */
export interface Kind<E extends Entry, Wanted extends Place, State> {
	/** Of the node type. */
	title: string;
	/** Name of the webhook that the platform calls, if there are several. */
	webhookOf?: (context: IHookFunctions) => WebhookType;
	/** Of its secrets. */
	family: string;
	/** What arrives, and what the platform does, after "The platform cannot". */
	arrives: string;
	does: string;
	/** Labels of the fields that the platform may complain about, and what it does with a URL. */
	labels: Record<string, string>;
	verb: string;
	/** Where a person chooses another agent, after "Choose another one". */
	chooseAgent: string;
	/** Says of a trigger that starts what it does without the rest. */
	goesOn: string;

	/** What the parameters ask for. @param toClear only the place counts @throws NodeOperationError */
	wanted: (context: IHookFunctions, toClear?: boolean) => Wanted[];
	takeOverFrom?: (context: IHookFunctions) => string | undefined;
	/** Refuses other nodes of the workflow that stand in the way. @throws NodeOperationError */
	refuseOthers?: (context: IHookFunctions) => void;

	/** Reads what is there. @throws RequestError */
	survey: (plan: Plan<E>, wanted: Wanted) => Promise<State>;
	isUpToDate: (plan: Plan<E>, state: State) => boolean;
	/** Why the node cannot register, in words; undefined if it can. */
	obstacle: (plan: Plan<E>, state: State) => Promise<string | undefined>;
	/** What a person should know beside. */
	remarks: (plan: Plan<E>, state: State) => string[];
	/** Makes it as it should be. @returns whether it changed anything @throws RequestError, NodeOperationError */
	settle: (plan: Plan<E>, state: State) => Promise<boolean>;
	/** Says more of a request that did not succeed, if there is more to say. */
	explainWrite?: (plan: Plan<E>, place: Place, thrown: RequestError) => Promise<string | undefined>;

	placeOf: (entry: E | Wanted) => Place;
	/** The node now wants something else than it has at a place. */
	outdated?: (plan: Plan<E>, entry: E) => void;
	/** Restores what a place had. Never throws. @returns why something of this node is still there */
	release: (plan: Plan<E>, place: Place | Wanted) => Promise<string[]>;
	/** "… could not be removed. <reason> …" */
	explainLeftover: (entry: E, reason: string) => string;
	/** What stays in a workspace that the credential no longer leads to. */
	unreachable: (plan: Plan<E>, entry: E) => string;
}

type Lifecycle = Record<
	'isRegistered' | 'register' | 'unregister',
	(context: IHookFunctions) => Promise<boolean>
>;

type Surveyed<Wanted, State> =
	{ wanted: Wanted; state: State } | { wanted: Wanted; requestError: RequestError };

/** n8n's `checkExists`, `create` and `delete` of a trigger. */
export function lifecycleOf<E extends Entry, Wanted extends Place, State>(
	kind: Kind<E, Wanted, State>,
): Lifecycle {
	const explainError = (requestError: RequestError, plan: Plan<E>): string =>
		explainRequestError(requestError, plan, kind.labels, kind.verb);

	const explain = (thrown: unknown, plan: Plan<E>): string =>
		thrown instanceof RequestError
			? explainError(thrown, plan)
			: sentence((thrown as Error).message);

	const openPlan = async (context: IHookFunctions): Promise<Plan<E>> =>
		await preparePlan(
			findRegistrant<E>(context, kind.title, kind.webhookOf?.(context)),
			kind.family,
			kind.takeOverFrom?.(context),
		);

	const surveyAll = async (
		plan: Plan<E>,
		wanted: Wanted[],
	): Promise<Array<Surveyed<Wanted, State>>> =>
		await mapInParallel(wanted, width, async (one) => {
			try {
				return { wanted: one, state: await kind.survey(plan, one) };
			} catch (thrown) {
				if (thrown instanceof RequestError) return { wanted: one, requestError: thrown };
				return rethrow(thrown);
			}
		});

	const obstacleOf = async (
		plan: Plan<E>,
		one: Surveyed<Wanted, State>,
	): Promise<string | undefined> => {
		if ('state' in one) return await kind.obstacle(plan, one.state);
		return isGone(one.requestError)
			? `The agent ${one.wanted.agent} was not found at ${plan.client.workspace.host}: it was deleted, or it belongs to another workspace. ${kind.chooseAgent}, or check the credential.`
			: explainError(one.requestError, plan);
	};

	/** Several complaints as one error, with what is known of the first request that did not succeed. */
	const asError = (plan: Plan<E>, complaints: string[], thrown: unknown[]): Error => {
		const message = [...new Set(complaints)].join(' ');
		const requestError = thrown.find((one) => one instanceof RequestError);
		return requestError
			? apiError(plan.context.getNode(), { message, description: message }, requestError.facts)
			: registrationError(plan.context, message);
	};

	/** Whoever tests waits for nothing that others have left. */
	const finishOthers = async (registrant: Registrant<E>): Promise<void> => {
		const finishing = finishLeft(registrant);
		if (!isTesting(registrant.context)) return await finishing;
		finishing.catch((thrown: Error) => registrant.context.logger.debug(thrown.message));
	};

	const isWanted = (wanted: Place[], entry: E): boolean =>
		wanted.some((one) => isSamePlace(kind.placeOf(entry), one));

	/**
	 * n8n's `checkExists`: whether everything that the node wants is as it should be, and nothing else of this node is
	 * there. Only reads.
	 * @throws NodeApiError, NodeOperationError, both with everything to know in the message
	 */
	async function isRegistered(context: IHookFunctions): Promise<boolean> {
		const plan = await openPlan(context);
		const wanted = kind.wanted(context);
		await takeUp(plan, wanted);
		await waitForEnds(wanted);
		if (remembered(plan).length === 0 || hasStrangers(plan)) return false;
		const surveyed = await surveyAll(plan, wanted);
		const found = surveyed.flatMap((one) => ('state' in one ? [one.state] : []));
		const fits = found.every((state) => kind.isUpToDate(plan, state));
		if (!plan.starting) {
			return (
				found.length === surveyed.length &&
				fits &&
				remembered(plan).length === found.length &&
				stranded(plan).length === 0
			);
		}
		// At start-up nobody reads messages. What cannot be read silences nothing: it is probably there.
		for (const one of surveyed) {
			if ('requestError' in one)
				warn(plan, `could not check what it registered: ${await obstacleOf(plan, one)}`);
		}
		return found.length > 0
			? fits
			: surveyed.some((one) => 'requestError' in one && !isGone(one.requestError));
	}

	/**
	 * n8n's `create`: registers, adopts and repairs. If a person publishes: everything or nothing. If n8n starts: as
	 * much as possible; the log names the rest.
	 * @throws NodeApiError, NodeOperationError, both with everything to know in the message
	 */
	async function register(context: IHookFunctions): Promise<boolean> {
		refuseSharedAddress(context, kind.title, kind.arrives);
		kind.refuseOthers?.(context);
		const plan = await openPlan(context);
		const wanted = kind.wanted(context);
		refuseLoopback(plan, plan.client, kind.does);
		forgetStrangers(plan);
		await takeUp(plan, wanted);
		await waitForEnds(wanted);
		const surveyed = await surveyAll(plan, wanted);
		const ready: Array<{ wanted: Wanted; state: State }> = [];
		const obstacles: string[] = [];
		for (const one of surveyed) {
			const complaint = await obstacleOf(plan, one);
			if (complaint !== undefined) obstacles.push(complaint);
			else if ('state' in one) ready.push(one);
		}
		const told = surveyed.flatMap((one) => ('state' in one ? kind.remarks(plan, one.state) : []));
		if (obstacles.length > 0 && (!plan.starting || ready.length === 0)) {
			const thrown = surveyed.flatMap((one) => ('requestError' in one ? [one.requestError] : []));
			throw asError(plan, [...obstacles, ...told], thrown);
		}
		for (const one of new Set(told)) warn(plan, one);
		for (const complaint of new Set(obstacles)) warn(plan, `${kind.goesOn} ${complaint}`);

		const settled = await settleInParallel(
			ready,
			width,
			async ({ state }) => await kind.settle(plan, state),
		);
		const failures = settled.flatMap((result, index) =>
			result.status === 'rejected'
				? [{ place: (ready[index] as { wanted: Wanted }).wanted, reason: result.reason as Error }]
				: [],
		);
		if (failures.length > 0 && (!plan.starting || failures.length === ready.length)) {
			for (const [index, result] of settled.entries()) {
				if (result.status !== 'fulfilled' || !result.value) continue;
				for (const complaint of await kind.release(
					plan,
					(ready[index] as { wanted: Wanted }).wanted,
				))
					warn(plan, complaint);
			}
			const complaints: string[] = [];
			for (const { place, reason } of failures) {
				if (!(reason instanceof RequestError)) complaints.push(reason.message);
				else
					complaints.push(
						(await kind.explainWrite?.(plan, place, reason)) ?? explainError(reason, plan),
					);
			}
			throw asError(
				plan,
				complaints,
				failures.map(({ reason }) => reason),
			);
		}
		for (const { place, reason } of failures)
			warn(plan, `${kind.goesOn} Agent ${place.agent}: ${explain(reason, plan)}`);

		const complaints: string[] = [];
		for (const entry of remembered(plan)) {
			if (isWanted(wanted, entry)) continue;
			kind.outdated?.(plan, entry);
			complaints.push(...(await kind.release(plan, kind.placeOf(entry))));
		}
		for (const entry of stranded(plan)) {
			complaints.push(kind.unreachable(plan, entry));
			forget(plan, (kept) => kept === entry);
		}
		for (const complaint of new Set(complaints)) warn(plan, complaint);
		if (plan.test) noteTest(plan, wanted, clearing(plan, wanted));
		await finishOthers(plan);
		return true;
	}

	/** What the parameters ask for, if they can be read: what is restored must not depend on it. */
	function wantedToClear(context: IHookFunctions): Wanted[] {
		try {
			return kind.wanted(context, true);
		} catch (thrown) {
			context.logger.debug(
				`${kind.title} restores only what it remembers: ${(thrown as Error).message}`,
			);
			return [];
		}
	}

	/** Restores everything that is provably this node's. @returns why something of it is still there */
	async function clear(plan: Plan<E>, wanted: Wanted[]): Promise<string[]> {
		const places: Array<Place | Wanted> = [];
		// Static data may be lost; the token in the URL is proof enough.
		for (const one of [...remembered(plan).map(kind.placeOf), ...wanted])
			if (!places.some((place) => isSamePlace(place, one))) places.push(one);
		const complaints = await mapInParallel(
			places,
			width,
			async (place) => await kind.release(plan, place),
		);
		return complaints.flat();
	}

	/** Clears without ever throwing, now or later. */
	function clearing(registrant: Registrant<E>, wanted: Wanted[]): () => Promise<string[]> {
		return async () => {
			try {
				return await clear(await preparePlan(registrant, kind.family), wanted);
			} catch (thrown) {
				return entriesHere(registrant).map((entry) =>
					kind.explainLeftover(entry, sentence((thrown as Error).message)),
				);
			}
		};
	}

	/**
	 * Takes back what the node has. Reads what n8n evaluates before it first waits. Never throws.
	 * @returns what is left
	 */
	async function end(context: IHookFunctions): Promise<string[]> {
		try {
			const registrant = findRegistrant<E>(context, kind.title, kind.webhookOf?.(context));
			const wanted = wantedToClear(context);
			const left = await takeBack(registrant, wanted, clearing(registrant, wanted));
			const plan = await preparePlan(registrant, kind.family).catch(() => undefined);
			const lost = plan ? stranded(plan).map((entry) => kind.unreachable(plan, entry)) : [];
			const complaints = [...left, ...lost];
			for (const complaint of complaints) warn(registrant, complaint);
			await finishOthers(registrant);
			return complaints;
		} catch (thrown) {
			const complaint = `could not restore what it changed. ${sentence((thrown as Error).message)}`;
			context.logger.warn(`${kind.title}: ${complaint}`);
			return [complaint];
		}
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
	async function unregister(context: IHookFunctions): Promise<boolean> {
		const tell = tellsOfLeft({ context });
		const ending = end(context);
		if (isTesting(context)) return true;
		const complaints = await ending;
		tell(complaints);
		return complaints.length === 0;
	}

	return { isRegistered, register, unregister };
}
