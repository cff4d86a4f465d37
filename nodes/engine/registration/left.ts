import type { IWebhookFunctions } from 'n8n-workflow';
import { isSamePlace, type Place } from './plan';
import type { Registrant } from './registrant';
import { registrationError, warn } from './registrant';
import { mapInParallel } from '../concurrency';

/**
 * What a node has to take back from the platform: the end of a test is under way, the platform was away or refused the
 * token, or a test still listens.
 */
interface Left {
	places: Place[];
	complaints: string[];
	/** Takes it back. Never throws. @returns what is left then */
	again: () => Promise<string[]>;
	/** Ends with a try that is under way. */
	trying?: Promise<string[]>;
	/** A test listens until then. n8n does not tell its end if the workflow is deleted meanwhile. */
	listensUntil?: number;
	/** IDs of the workflow and the node. */
	owner: string;
}

/** n8n listens at most so long (n8n 2.41: TEST_WEBHOOK_MAX_TIMEOUT). */
export const longestTestMs = 10 * 60_000;

/**
 * What is left of any of our triggers, also of workflows that were deleted since. Static data is lost with the
 * workflow, so this lives as long as the process.
 */
const left = new Map<string, Left>();

/** A test and the published workflow follow each other at the same places. */
const keyOf = ({ workflow, node, addresses }: Registrant): string =>
	JSON.stringify([addresses.published, workflow, node]);

const ownerOf = (workflow: string, node: string): string => JSON.stringify([workflow, node]);

/** Takes something back, and forgets it if that succeeds. @param first what has to end before */
async function tryAgain(key: string, work: Left, first?: Promise<void>): Promise<string[]> {
	work.trying = first ? first.then(work.again) : work.again();
	work.complaints = await work.trying;
	delete work.trying;
	if (work.complaints.length === 0 && left.get(key) === work) left.delete(key);
	return work.complaints;
}

/** Ends what an earlier test of the node has at places that the node no longer wants. */
async function endEarlier(registrant: Registrant, work: Left, wanted: Place[]): Promise<void> {
	const isWanted = (place: Place): boolean => wanted.some((one) => isSamePlace(one, place));
	if (work.listensUntil === undefined || work.places.every(isWanted)) return;
	const key = JSON.stringify([keyOf(registrant), work.places]);
	delete work.listensUntil;
	left.set(key, work);
	for (const complaint of await tryAgain(key, work)) warn(registrant, complaint);
}

/** The node itself goes on: nothing of it is left any more, and no try of another may disturb it. */
export async function takeUp(registrant: Registrant, wanted: Place[]): Promise<void> {
	const key = keyOf(registrant);
	const work = left.get(key);
	left.delete(key);
	await work?.trying;
	if (work) await endEarlier(registrant, work, wanted);
}

/** Waits for what others are taking back at the same agents, above all the ends of tests: that makes room there. */
export async function waitForEnds(wanted: Place[]): Promise<void> {
	const there = [...left.values()].filter(({ places }) =>
		places.some(({ agent }) => wanted.some((one) => one.agent === agent)),
	);
	await Promise.all(there.map(({ trying }) => trying));
}

/** Notes what a test has registered, until the node ends it. */
export function noteTest(registrant: Registrant, places: Place[], again: Left['again']): void {
	const listensUntil = Date.now() + longestTestMs;
	const owner = ownerOf(registrant.workflow, registrant.node);
	left.set(keyOf(registrant), { places, complaints: [], again, listensUntil, owner });
}

/**
 * A test has got what it listened for. If n8n does not tell its end, others end it: n8n 1.x forgets all tests when one
 * of them ends (TestWebhooks, `deregisterAll`).
 */
export function noteReceived(context: IWebhookFunctions): void {
	if (context.getMode() !== 'manual') return;
	const owner = ownerOf(String(context.getWorkflow().id), context.getNode().id);
	for (const work of left.values())
		if (work.owner === owner && work.listensUntil !== undefined) work.listensUntil = 0;
}

/**
 * Takes back what a node has. What is left even then stays for the next time that any of our triggers is published or
 * unpublished. @returns what is left
 */
export async function takeBack(
	registrant: Registrant,
	places: Place[],
	again: Left['again'],
): Promise<string[]> {
	const key = keyOf(registrant);
	const earlier = takeUp(registrant, places);
	const owner = ownerOf(registrant.workflow, registrant.node);
	const work: Left = { places, complaints: [], again, owner };
	left.set(key, work);
	return await tryAgain(key, work, earlier);
}

/** Finishes what other triggers have left, and names in the log what is left even then. */
export async function finishLeft(registrant: Registrant): Promise<void> {
	const own = keyOf(registrant);
	const others = [...left].filter(
		([key, { trying, listensUntil = 0 }]) =>
			key !== own && trying === undefined && listensUntil <= Date.now(),
	);
	await mapInParallel(others, 4, async ([key, work]) => {
		for (const complaint of await tryAgain(key, work))
			warn(registrant, `another trigger of this n8n has left something. ${complaint}`);
	});
}

/**
 * Whether n8n tries a `delete` that throws again, and then shows a person the message. Older ones do neither: there, a
 * throw keeps n8n from the other triggers of the workflow and from saving static data. Nothing but the caller's name
 * tells (n8n 2.41: workflow-trigger-activator.js). If it is called otherwise, it is not taken for it.
 */
const isTriedAgain = (): boolean => {
	const { stackTraceLimit } = Error;
	Error.stackTraceLimit = 30;
	const { stack = '' } = new Error('Who calls?');
	Error.stackTraceLimit = stackTraceLimit;
	return stack.includes('deregisterExternalWebhookWithRetry');
};

/** Shows what is left where n8n can show it. To be made before anything is awaited. */
export function tellsOfLeft({
	context,
}: Pick<Registrant, 'context'>): (complaints: string[]) => void {
	const triedAgain = isTriedAgain();
	return (complaints) => {
		if (triedAgain && complaints.length > 0)
			throw registrationError(context, [...new Set(complaints)].join(' '));
	};
}
