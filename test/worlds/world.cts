/** Worlds from a seed: who and what is there, what a person wishes, in which order, and how the platform shows it. */
import fc from 'fast-check';
import { contract, resolve } from '../../tools/contract.cjs';

/** People by their line, in spellings that real lists have; the first is the line itself. */
export const people = [
	{
		name: 'Anna',
		email: 'anna@example.com',
		spellings: ['+14155550101', '+1 (415) 555-0101', '0014155550101', 14155550101],
	},
	{
		name: 'Hugo',
		email: 'hugo@example.com',
		spellings: ['+541123456789', '+5491123456789', '+54 9 11 2345-6789', 541123456789],
	},
	{
		name: 'Luz',
		email: 'luz@example.com',
		spellings: ['+525512345678', '+5215512345678', '+52 1 55 1234 5678', 525512345678],
	},
	{
		name: 'Hugo',
		email: 'h2@example.com',
		spellings: ['+447400123456', '+44 7400 123456', '00447400123456', '44 7400 123456 '],
	},
	{
		name: 'Émile',
		email: 'emile@example.com',
		spellings: [
			'+33612345678',
			'+33 6 12 34 56 78',
			'+33 (0)6 12 34 56 78',
			'tel:+33-6-12-34-56-78',
		],
	},
] as const;

/** One input item: a person, how the cell spells them, and a text of its own. */
export interface Row {
	who: number;
	spelling: number;
	text: number;
}

const row: fc.Arbitrary<Row> = fc.record({
	who: fc.nat(people.length - 1),
	spelling: fc.nat(3),
	/** Of `texts` (`wishes.cts`); the last ones are an empty cell and a missing column. */
	text: fc.oneof({ weight: 6, arbitrary: fc.nat(2) }, fc.nat(6)),
});
const rows = fc.array(row, { minLength: 1, maxLength: 4 });
const who = fc.nat(people.length - 1);

/** The options of a send that say who is reached, and how often. */
export const sending = fc.record({
	reach: fc.constantFrom('everyRun', 'everyRun', 'once', 'onceADay', 'ownKey'),
	/** A key of the user's for each item, or one for all of them. */
	sharedKey: fc.boolean(),
	skip: fc.array(fc.record({ who, spelling: fc.nat(3) }), { maxLength: 2 }),
	skipBlacklisted: fc.boolean(),
	preview: fc.oneof({ weight: 6, arbitrary: fc.constant(false) }, fc.constant(true)),
});

/** Operations that write something for each item (`kinds.cts`). */
export const writes = [
	'email',
	'template',
	'smsByApiRequest',
	'note',
	'contact',
	'contactByApiRequest',
	'findOrCreate',
	'listing',
	'task',
	'queue',
	'retry',
] as const;

/** What a person wishes, weighted by the harm that a mistake does. */
export const wish = fc.oneof(
	{
		weight: 8,
		arbitrary: fc.record({
			does: fc.constantFrom('sms', 'call'),
			rows,
			how: sending,
			/** People are named by their contacts; who is none is not to be reached. */
			toContact: fc.oneof({ weight: 3, arbitrary: fc.constant(false) }, fc.constant(true)),
		}),
	},
	{ weight: 5, arbitrary: fc.record({ does: fc.constant('launch'), rows, other: fc.boolean() }) },
	{
		weight: 4,
		arbitrary: fc.record({ does: fc.constantFrom('stop', 'summary', 'tasksOfCampaign') }),
	},
	{
		weight: 2,
		arbitrary: fc.record({ does: fc.constantFrom('cancelTask', 'queueTask', 'makeTask'), who }),
	},
	{ weight: 4, arbitrary: fc.record({ does: fc.constantFrom('findOrCreate', 'upsert'), rows }) },
	{
		weight: 3,
		arbitrary: fc.record({
			does: fc.constantFrom('deleteContact', 'blacklistContact'),
			who,
		}),
	},
	{
		weight: 3,
		arbitrary: fc.record({
			does: fc.constant('find'),
			by: fc.constantFrom('phone_number', 'email', 'name', 'any'),
			asked: fc.constantFrom('number', 'email', 'name', 'extension', 'unknown'),
			who,
		}),
	},
	{
		weight: 2,
		arbitrary: fc.record({
			does: fc.constantFrom('contactsList', 'conversationsOf', 'records'),
			who,
		}),
	},
	{
		weight: 6,
		arbitrary: fc.record({
			does: fc.constant('write'),
			kind: fc.constantFrom(...writes),
			count: fc.integer({ min: 1, max: 4 }),
			how: fc.record({
				retryWrites: fc.oneof({ weight: 3, arbitrary: fc.constant(false) }, fc.constant(true)),
				maxRetries: fc.constantFrom(undefined, undefined, 0, 1),
				concurrency: fc.constantFrom(undefined, 1),
				preview: fc.oneof({ weight: 9, arbitrary: fc.constant(false) }, fc.constant(true)),
				/** What each try says in another way, as \`$now\` does. */
				moves: fc.boolean(),
				/** API Request: the response as a file. */
				downloadFile: fc.boolean(),
				/** Items that fail take the error branch, where the node goes on. */
				errorOutput: fc.boolean(),
			}),
		}),
	},
	{
		weight: 1,
		arbitrary: fc.record({ does: fc.constant('read'), count: fc.integer({ min: 1, max: 6 }) }),
	},
	{
		weight: 4,
		arbitrary: fc.record({
			does: fc.constantFrom('updateContact', 'updateRecord', 'replaceGuidelines'),
			who,
			values: fc.array(fc.nat(9), { minLength: 2, maxLength: 6 }),
		}),
	},
) as fc.Arbitrary<any>;

/** In which order the wish is carried out (`play.cts`). */
export const order = fc.constantFrom(
	'once',
	'again',
	'atOnce',
	'atOnceInTwo',
	'twice',
	'loop',
	'subWorkflow',
	'retryOnFail',
	'retryExecution',
	'corrected',
	'restarted',
	'stopped',
	'killed',
	'tool',
);

/** Fields that a platform may leave out or leave empty: no source says that a response must have them. */
const hideable = [
	'campaign_uuid',
	'listing_uuid',
	'phone_number',
	'email',
	'contacts_count',
	'status',
	'contact',
];

/** All fields of the contract's responses to what the wishes ask for; it requires none of them. */
function namesShown(): string[] {
	const { document, endpoints } = contract();
	const names = new Set<string>();
	const look = (schema: any, seen: any[]): void => {
		const part = resolve(document, schema);
		if (!part || seen.includes(part)) return;
		for (const [name, inner] of Object.entries(part.properties ?? {})) {
			names.add(name);
			look(inner, [...seen, part]);
		}
		for (const inner of [
			part.items,
			...['allOf', 'anyOf', 'oneOf'].flatMap((of) => part[of] ?? []),
		])
			look(inner, [...seen, part]);
	};
	for (const { path, contract: operation } of endpoints)
		if (/^\/(contacts|tasks|listings|campaigns|conversations|call|sms|data)\b/.test(path))
			for (const [status, response] of Object.entries<any>(operation.responses))
				if (status.startsWith('2'))
					for (const { schema } of Object.values<any>(resolve(document, response).content ?? {}))
						look(schema, []);
	return [...names].sort();
}

/** What can befall a request; `view.cts` says whether it was carried out before. */
export const faults = [
	'lost',
	'dropped',
	'failsAfter',
	'failsBefore',
	'cut',
	'page',
	'late',
	'busy',
	'hollow',
	'redirects',
	'denied',
	'short',
	'refused',
] as const;

/** How the platform shows what is true. Silent, late, or a no that is true: never the opposite of the truth. */
export const view = fc.record({
	hidden: fc.oneof(
		{ weight: 3, arbitrary: fc.constant([]) },
		fc.subarray(hideable, { minLength: 1, maxLength: 2 }),
		fc.subarray(namesShown(), { minLength: 1, maxLength: 3 }),
	),
	/** Not null where that says that there is none (`saysNone` in `view.cts`). */
	hiddenAs: fc.constantFrom('absent', 'null'),
	numbers: fc.oneof(
		{ weight: 4, arbitrary: fc.constant('whole') },
		fc.constantFrom('masked', 'national'),
	),
	noCounts: fc.oneof({ weight: 5, arbitrary: fc.constant(false) }, fc.constant(true)),
	/** Forbidden: longer than a process remembers what it made (`match.ts`). */
	lagMs: fc.oneof({ weight: 4, arbitrary: fc.constant(0) }, fc.constantFrom(500, 10_000)),
	manners: fc.oneof(
		{ weight: 4, arbitrary: fc.constant({}) },
		fc.constantFrom<object>(
			{ ignoreGuesses: true },
			{ filters: 'lenient' },
			{ filters: 'lenient' },
			{ contactSearch: 'exact' },
			{ listLayout: 'bare' },
			{ rowsPerPage: 15 },
			{ recordLayout: 'flat' },
			{ recordLayout: 'flat', rowsPerPage: 15 },
			{ blacklistShown: 'untold' },
			{ repeatedKeys: 'record' },
			{ guessedKeys: 'field' },
		),
	),
	/** What befalls the writes that come in, or the reads: the first so many after `from`. */
	fault: fc.oneof(
		{ weight: 4, arbitrary: fc.constant(undefined) },
		fc.record({
			kind: fc.oneof(
				{ weight: 4, arbitrary: fc.constantFrom(...faults) },
				fc.constantFrom('hollow' as const),
			),
			of: fc.constantFrom('writes', 'writes', 'reads'),
			/** Which of `hollow` (`view.cts`). */
			says: fc.nat(20),
			from: fc.nat(2),
			times: fc.constantFrom(1, 1, 2, 99),
		}),
	),
	/** For each request in turn, how many others it lets go first. */
	holds: fc.array(fc.nat(2), { maxLength: 8 }),
	latencyMs: fc.constantFrom(0, 0, 3),
	/** The write in the middle of which a run is stopped, where the order says so. */
	stopsAt: fc.nat(2),
});

/** What is there before, beside the people: who is a contact and who of them is blacklisted. */
const workspace = fc.record({
	contacts: fc.uniqueArray(fc.record({ who, spelling: fc.nat(3) }), {
		selector: (one) => one.who,
		maxLength: 4,
	}),
	/** Their numbers as somebody wrote them: not every way into a workspace asks for a format. */
	asWritten: fc.oneof({ weight: 3, arbitrary: fc.constant(false) }, fc.constant(true)),
	blacklisted: fc.subarray([0, 1, 2, 3, 4], { maxLength: 2 }),
	/** Tasks that nobody's listing made, and whether they name a campaign of another one. */
	tasks: fc.array(fc.constantFrom('byHand', 'another'), { maxLength: 3 }),
	ownIdColumn: fc.boolean(),
});

/** Whether an item that fails leaves by the regular output. */
const continues = fc.boolean();

/** Whether somebody looks for what is there, and does something if nothing is: at first, or after a lost answer. */
const looks = (
	{ does, kind = does }: { does: string; kind?: string },
	losesWrites: boolean,
): boolean =>
	['launch', 'findOrCreate', 'upsert', 'queueTask', 'queue', 'retry'].includes(kind) ||
	(does === 'write' && losesWrites);

export const world = fc.record({ workspace, wish, order, view, continues }).map((one) => ({
	...one,
	// Forbidden: two processes that look before either has done it, or find what the other has made. Neither knows of the other.
	order:
		one.order === 'atOnceInTwo' && looks(one.wish, one.view.fault?.of === 'writes')
			? ('atOnce' as const)
			: one.order,
}));
export type World = typeof world extends fc.Arbitrary<infer W> ? W : never;

/** A world but for its wish, in which nothing is special. */
export const plain: Omit<World, 'wish'> = {
	workspace: { contacts: [], asWritten: false, blacklisted: [], tasks: [], ownIdColumn: false },
	order: 'once',
	view: {
		hidden: [],
		hiddenAs: 'absent',
		numbers: 'whole',
		noCounts: false,
		lagMs: 0,
		manners: {},
		fault: undefined,
		holds: [],
		latencyMs: 0,
		stopsAt: 0,
	},
	continues: false,
};
