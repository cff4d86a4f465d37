import type { IDataObject } from 'n8n-workflow';
import { compact, countBy, filter, get, groupBy, map, sumBy, uniq } from 'lodash';
import { type Reach, reachOf } from '../shared/callState';
import { readList, tellIncomplete } from '../engine/deliver/list';
import { RequestError, rethrow } from '../engine/errors/requestError';
import { listBeside } from '../engine/execution';
import { perPage, read } from '../engine/operation';
import { paginate } from '../engine/pages/pages';
import { many } from '../engine/text/text';
import { belongsTo, type Progress, progressOf } from './taskState';
import type { PreparedRequest, Delivering, Execution } from '../engine/operation/operation';

const textOrNull = (value: unknown): string | null =>
	typeof value === 'string' && value !== '' ? value : null;

const attempted = (row: IDataObject) => {
	const seconds: unknown = get(row, 'call.duration');
	const number = textOrNull(get(row, 'contact.phone_number'));
	return {
		/** The contact's ID, else its number; null if the conversation does not show with whom it was. */
		contact: textOrNull(get(row, 'contact.uuid')) ?? textOrNull(row.contact_uuid) ?? number,
		number,
		campaign: textOrNull(row.campaign_uuid),
		status: textOrNull(get(row, 'call.status')) ?? textOrNull(row.status) ?? 'unknown',
		reach: reachOf(row),
		seconds: typeof seconds === 'number' ? seconds : 0,
		at: textOrNull(row.created_at),
	};
};

const planned = (row: IDataObject) => ({
	contact: textOrNull(row.contact_uuid),
	status: textOrNull(row.status) ?? 'unknown',
	progress: progressOf(row),
});

type Attempt = ReturnType<typeof attempted>;
type Planned = ReturnType<typeof planned>;

const ofContacts = <Row extends { contact: string | null }>(rows: Row[]) =>
	groupBy(filter(rows, 'contact'), 'contact');

/** How many have each status, as a text by frequency: "completed: 3, missed: 1". */
const counted = (rows: Array<{ status: string }>): string =>
	Object.entries(countBy(rows, 'status'))
		.sort(([one, many], [other, few]) => few - many || one.localeCompare(other))
		.map(([status, count]) => `${status}: ${count}`)
		.join(', ');

type State = Reach | 'notBegun';

/** How far one contact is: its best conversation counts, and whether an attempt is still to come. */
function stateOfContact(attempts: Attempt[], tasks: Planned[]): State {
	const has = (reach: Reach) => attempts.some((one) => one.reach === reach);
	const isAny = (progress: Progress) => tasks.some((one) => one.progress === progress);
	if (has('reached')) return 'reached';
	if (has('inProgress') || isAny('underWay')) return 'inProgress';
	if (isAny('ahead')) return attempts.length > 0 ? 'inProgress' : 'notBegun';
	if (has('unclear')) return 'unclear';
	const isGivenUp = tasks.some(
		({ progress, status }) =>
			progress === 'canceled' || (progress === 'over' && status !== 'completed'),
	);
	return attempts.length > 0 || isGivenUp ? 'notReached' : 'unclear';
}

const noContacts =
	"How many contacts the listing has is not known, because no known endpoint lists them. Enter in 'Number of Contacts' how many the listing was created with.";

const noTasks = (conversations: number) =>
	conversations === 0
		? 'This listing has no conversations yet. Its tasks are found through its conversations, so the number of tasks still to come is not known.'
		: "The campaign's tasks could not be read, so the number of tasks still to come is not known.";

/** A row with ID and number joins rows that show one alone. @returns how many numbers may still be another contact's */
function joinNumbers(attempts: Attempt[], tasks: Planned[] = []): number {
	const idOf = new Map<string, string>();
	for (const { contact, number } of attempts)
		if (contact && number && contact !== number) idOf.set(number, contact);
	for (const attempt of attempts)
		if (attempt.number) attempt.contact = idOf.get(attempt.number) ?? attempt.contact;
	const known = new Set([...idOf.values(), ...compact(map(attempts, 'number'))]);
	const people = uniq(compact(map([...attempts, ...tasks], 'contact')));
	const isWithoutNumber = people.some((contact) => !known.has(contact));
	return isWithoutNumber
		? people.filter((contact) => attempts.some(({ number }) => number === contact)).length
		: 0;
}

/** The tasks of the campaigns that conversations name; undefined if there are none or they cannot be read. */
async function tasksOf(
	execution: Execution,
	prepared: PreparedRequest,
	conversations: Attempt[],
	tellUnnamed: (count: number) => void,
): Promise<Planned[] | undefined> {
	const campaigns = compact(uniq(conversations.map(({ campaign }) => campaign)));
	if (campaigns.length === 0) return undefined;
	const tasks: Planned[] = [];
	try {
		// One after the other: there are few, and their pages are read in parallel.
		for (const campaign of campaigns)
			await paginate({
				...listBeside(execution, prepared, { in: read('GET /tasks'), pageSize: perPage }),
				query: { campaign_uuid: campaign },
				limit: Infinity,
				take: (rows) => {
					const own = rows.filter((row) => belongsTo(row, campaign));
					tellUnnamed(rows.filter((row) => belongsTo(row, campaign) === undefined).length);
					tasks.push(...own.map(planned));
					return [];
				},
				incomplete: (why) => tellIncomplete(execution.hints, why),
			});
		return tasks;
	} catch (thrown) {
		return thrown instanceof RequestError ? undefined : rethrow(thrown);
	}
}

/**
 * How a listing is doing, from documented reads alone: its conversations, which name their listing, and the tasks of
 * the campaigns that these name (reference: conversations, tasks). No known endpoint lists the contacts of a listing.
 * What is not known is listed under `unknown`, and in the output panel.
 * @throws RequestError if the conversations cannot be read; Cancelled
 */
export async function summarizeListing(
	execution: Delivering,
	prepared: PreparedRequest,
): Promise<IDataObject[]> {
	const conversations: Attempt[] = [];
	await readList(execution, prepared, (rows) => {
		conversations.push(...rows.map(attempted));
		return [];
	});
	let unnamed = 0;
	const tasks = await tasksOf(execution, prepared, conversations, (count) => (unnamed += count));
	const unjoined = joinNumbers(conversations, tasks);
	const anonymous = conversations.filter(({ contact }) => contact === null).length;
	const { contactCount } = prepared.filters;
	const given = typeof contactCount === 'number' && contactCount > 0 ? contactCount : undefined;
	const [byContact, tasksByContact] = [ofContacts(conversations), ofContacts(tasks ?? [])];
	const people = uniq([...Object.keys(byContact), ...Object.keys(tasksByContact)]);
	const states = countBy(people, (contact) =>
		stateOfContact(byContact[contact] ?? [], tasksByContact[contact] ?? []),
	);
	const count = (state: State): number => states[state] ?? 0;
	const unseen = given === undefined ? 0 : Math.max(0, given - people.length);
	const times = compact(conversations.map(({ at }) => at)).sort();
	const areAllKnown = tasks !== undefined && unnamed === 0 && anonymous === 0 && unjoined === 0;
	const seen = areAllKnown ? people.length : undefined;
	const contacts = given === undefined ? seen : Math.max(given, people.length - unjoined);
	const unclear = count('unclear');
	const unknown = compact([
		contacts === undefined && noContacts,
		!tasks && noTasks(conversations.length),
		unnamed > 0 &&
			`${many(unnamed, 'task names', 'tasks name')} no campaign and ${unnamed === 1 ? 'is' : 'are'} not counted.`,
		anonymous > 0 &&
			`${many(anonymous, 'conversation does', 'conversations do')} not show the contact, so the counts of contacts leave ${anonymous === 1 ? 'it' : 'them'} out.`,
		unjoined > 0 &&
			`${many(unjoined, 'contact is', 'contacts are')} known by number alone and others by ID alone, so one contact may be counted twice.`,
		unclear > 0 &&
			`${many(unclear, 'contact is', 'contacts are')} in a state this node does not know; 'unclear' counts them.`,
	]);
	for (const sentence of unknown) execution.hints.add(sentence, 'warning');
	return [
		{
			contacts: contacts ?? null,
			reached: count('reached'),
			inProgress: count('inProgress'),
			notReached: count('notReached'),
			notBegun: tasks || given !== undefined ? count('notBegun') + unseen : null,
			unclear,
			conversations: conversations.length,
			talkSeconds: sumBy(conversations, 'seconds'),
			byStatus: counted(conversations),
			tasksByStatus: tasks ? counted(tasks) : null,
			firstAt: times[0] ?? null,
			lastAt: times[times.length - 1] ?? null,
			unknown: unknown.join(' '),
		},
	];
}

export const summaryOutput = {
	contacts: 'number',
	reached: 'number',
	inProgress: 'number',
	notReached: 'number',
	notBegun: 'number',
	unclear: 'number',
	conversations: 'number',
	talkSeconds: 'number',
	byStatus: 'string',
	tasksByStatus: 'string',
	firstAt: 'string',
	lastAt: 'string',
	unknown: 'string',
} as const;
