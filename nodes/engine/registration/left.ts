import type { Registrant } from './registrant';
import { registrationError, warn } from './registrant';
import { mapInParallel } from '../concurrency';

/** What a node could not take back from the platform, because that was away, or refused the token. */
interface Left {
	title: string;
	complaints: string[];
	/** Tries again. @returns what is left then */
	again: () => Promise<string[]>;
	/** Ends with a try that is under way. */
	trying?: Promise<unknown>;
}

/**
 * What is left of any of our triggers, also of workflows that were deleted since. Static data is lost with the
 * workflow, so this lives as long as the process.
 */
const left = new Map<string, Left>();

/** A test and the published workflow follow each other at the same places. */
const keyOf = ({ workflow, node, addresses }: Registrant): string =>
	JSON.stringify([addresses.published, workflow, node]);

/** The node itself goes on: nothing of it is left any more, and no try of another may disturb it. */
export async function takeUp(registrant: Registrant): Promise<void> {
	const key = keyOf(registrant);
	const work = left.get(key);
	left.delete(key);
	await work?.trying;
}

/** Keeps what is left for the next time that any of our triggers is published or unpublished. */
export function leave(registrant: Registrant, complaints: string[], again: Left['again']): void {
	if (complaints.length > 0)
		left.set(keyOf(registrant), { title: registrant.title, complaints, again });
}

/** Finishes what other triggers have left, and names in the log what is left even then. */
export async function finishLeft(registrant: Registrant): Promise<void> {
	const own = keyOf(registrant);
	const others = [...left].filter(([key, { trying }]) => key !== own && trying === undefined);
	await mapInParallel(others, 4, async ([key, work]) => {
		const trying = work.again();
		work.trying = trying;
		work.complaints = await trying;
		delete work.trying;
		if (work.complaints.length === 0 && left.get(key) === work) left.delete(key);
		for (const complaint of work.complaints)
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
