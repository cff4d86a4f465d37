import type { IBinaryData, IDataObject, IExecuteFunctions, INodeParameters } from 'n8n-workflow';
import type { ErrorText } from '../errors/errorText';
import type { RequestError } from '../errors/requestError';
import type { BinaryReference } from '../fields/binary';
import type { ContactRead, NumberRead, Report } from '../fields/field';
import type { Endpoint, Fields } from '../fields/shape';
import type { Client } from '../http/client';
import type { Delivery, KnownRequest, RunJournal } from '../journal/journal';
import type { ReachMemory } from '../journal/reachMemory';
import type { LookupName } from '../lookups';
import type { Names } from '../lookups/names';
import type { PagesRequest } from '../pages/pages';
import type { Search } from '../pages/whole';
import type { Country } from '../phone/phoneNumber';
import type { EndpointFacts } from '../platform/facts';
import type { Hints } from '../text/hints';
import type { Zone } from '../time';
import type { Filters } from './filters';
import type { RunOptions } from './runOptions';
import type { SecondaryRead } from './secondaryRead';

/** What an operation is, a request that is made with it, and the run in which that is sent. */

/** How a list endpoint is read. The layouts are recognized by themselves (interface §4.1 rule 9: not shown). */
export interface ListPages extends Pick<PagesRequest, 'pageSize' | 'unpaged'> {
	/** Filters that are applied here, because the platform may not know them. */
	filters?: Filters;
}

/** What is read about the target before anything is written. */
export interface PreflightDefinition {
	read: SecondaryRead;
	/** It is a list, read to its end; `unread` is shown wherever it cannot be. */
	whole?: true;
	/** Shown if the platform lacks the read (404, 405) or tells too little; then it leaves unchanged. Without it: refused. */
	unread?: string;
	/** @returns the sentence to show when the request does not fit what was read */
	check?: (response: unknown, body: IDataObject, matching: string[]) => string | undefined;
	/** @throws InvalidValue naming the field; RequestError if it cannot read what was read */
	fit?: (response: unknown, body: IDataObject, zone: Zone, path: IDataObject) => IDataObject;
}

/** Whom a request reaches, and how people say it: what is checked before the run calls or writes to anyone. */
export interface Reaches {
	/** Where the body, or a row of it, names the recipient: by phone number, email address, or ID of a contact. */
	at: string[];
	/** List of the body whose rows are the recipients. */
	rows?: string;
	/** Several items of a run that reach one person are usually a mistake, also if they differ. */
	once?: true;
	/** What one request or row is, what many are, and what is done with them: "call", "calls", "placed". */
	words: [one: string, many: string, done: string];
	/** How many of them a response says were taken; undefined if it does not say: then nothing is claimed. */
	counted?: { in: (record: IDataObject) => number | undefined; sent: string };
}

/** Another body of the same request, if the platform refuses a field that is our guess (400, 422). It is sent once. */
export interface FallbackBody {
	/** The guessed fields of a body, like `record.price`; none if it has no other form. */
	guessed: (body: IDataObject) => string[];
	/** @param ask reads what the other body is made with, right before it is sent */
	body: (
		body: IDataObject,
		ask: (read: SecondaryRead) => Promise<unknown>,
		path: IDataObject,
	) => IDataObject | Promise<IDataObject>;
	hint?: string;
	/** The workspace wants it for all requests to the endpoint. */
	lasts?: true;
}

export interface Told {
	/** Title Case, without the resource: "Add Note". Made from the operation's value if it is not given. */
	name?: string;
	/** Sentence case with the resource; also what an AI model reads: "Get many agents". The usual ones are made. */
	action?: string;
	description?: string;
	/** The notice above the parameters if an operation costs money or cannot be undone. */
	notice?: string;
	/** What is better than sending very many of these one by one, in a sentence. */
	forMany?: string;
	/** What is known, from elsewhere, of query parameters that no source shows of this endpoint. */
	queryHint?: string;
	/** A sentence shown in the output panel: what a record, and the body sent for it, mean for the next step. */
	hint?: (record: IDataObject, workflowZone: string, body: IDataObject) => string | undefined;
	/** Checks that concern several fields together; returns the sentence to show, or nothing. */
	check?: (values: {
		path: IDataObject;
		query: IDataObject;
		body: IDataObject;
		matching: string[];
	}) => string | undefined;
	/** Sentences for error codes or statuses of this endpoint, instead of the general ones. */
	explain?: Record<string, ErrorText>;
	/** What a record implies, under names of our own: the output shows it beside the record. `told`: its values in words. */
	implied?: { of: (record: IDataObject) => IDataObject; told: Record<string, string> };
	/** Turns the response into records if taking `data` is not enough. */
	output?: (
		response: unknown,
		request: { pathValues: IDataObject; body: IDataObject },
	) => IDataObject | IDataObject[];
}

export type OperationKind =
	'list' | 'get' | 'create' | 'update' | 'remove' | 'action' | 'send' | 'raw';

interface Every extends Told, Omit<EndpointFacts, 'openBody'> {
	name: string;
	action: string;
	kind: OperationKind;
	endpoint: string;
	method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
	template: string;
	path: Fields;
	query: Fields;
	body: Fields;
	recover: Recovery;
	/** One of the four sending endpoints: 5 per second per workspace (interface §8). */
	paced: boolean;
	/** False: withheld from AI agents. */
	tool?: false;
}

interface Some {
	// Of what its output is made.
	/** Fields kept by Simplify, at most ten; `contact.name` becomes `contact_name`. */
	simplify: string[];
	wait: WaitDefinition;
	/** `what` the file is, if people get it only with "Download File" under Options. @throws RequestError, Cancelled */
	download: { what?: string; file: Store };
	// Of reads.
	/** Of a list: it is read page by page. */
	pages: ListPages;
	/** What is read may be an empty list: no source shows its shape. */
	mayBeEmpty: true;
	// Of writes.
	preflight: PreflightDefinition;
	fallback: FallbackBody;
	/** Of an action: whether its response, the record of the path, shows that it was done; undefined if it does not say. */
	confirms: (record: IDataObject, body: IDataObject) => boolean | undefined;
	/** Of a removal: name of the path parameter that is the uuid of what it deletes. */
	removes: string;
	/** The user may add JSON beside the fields, which win: for bodies that are open, or large and perhaps at hand. */
	openBody: true;
	/** That JSON is beside the fields, because the request may not work without it; otherwise it is under Options. */
	jsonOnTop: true;
	/** What it adds to has an order: items of one run go one after the other. */
	inOrder: true;
	// Of sends, and of creates that reach people.
	reaches: Reaches;
	/** One request for all items. With "Batch Size", further rows go here: to its own endpoint, or the list that it made. */
	allItems: Endpoint;
	/**
	 * Why a request must not leave, asked last of all and in its turn, unless 'Start Again' (`unless`) is on;
	 * `leaves` remembers that it left, and returns what forgets it. @throws Cancelled
	 */
	guard: {
		check: (execution: Execution, prepared: PreparedRequest) => Promise<string | undefined>;
		leaves: (execution: Execution, prepared: PreparedRequest) => () => void;
		unless: string;
	};
	/** What turning Preview off starts, in a sentence. @throws Cancelled */
	preview: (execution: Execution, requests: PreparedRequest[]) => Promise<string>;
	// Of a function beside the resource, which does more than a request.
	/** Carries the operation out. @throws RequestError, Cancelled */
	run: (execution: Delivering, prepared: PreparedRequest) => Promise<IDataObject[]>;
	/** The output before the first run, as the JSON type of each field. */
	outputFields: Readonly<Record<string, 'string' | 'number' | 'boolean' | 'object' | 'array'>>;
}

/** As the engine runs it; the kinds (`kinds.ts`) say what each may have of the optional parts. */
export type Operation = Every & Partial<Some>;

export interface Watch {
	/** Milliseconds until it may tell something new. */
	nextIn: () => number;
	/** @returns `waits` if something else than `read`, which reads the record itself, shows that it is not done */
	look: (
		read: () => Promise<IDataObject | undefined>,
		isLast: boolean,
	) => Promise<IDataObject | 'waits' | undefined>;
	end: () => void;
}

export interface WaitDefinition {
	read: SecondaryRead;
	watch: (execution: Delivering, prepared: PreparedRequest, first: IDataObject) => Watch;
	/** Default of the user's time-out, in seconds. */
	timeoutSeconds: number;
	/** What the last read says. `unknown` goes on waiting and is told to the user in a hint. */
	state: (record: IDataObject) => 'waiting' | 'done' | 'unknown';
	/** What the user waits for, for messages: "the call to end". */
	forWhat: string;
}

export type Store = (
	execution: Execution,
	record: IDataObject,
	options: RunOptions,
) => Promise<IBinaryData | undefined>;

/** A request that could be sent as it is. A step that changes it makes another one of the same identity. */
export interface PreparedRequest extends KnownRequest {
	readonly operation: Operation;
	/** What the platform said of its target before (`preflight` of the operation). */
	readonly checked?: unknown;
	/** Keys of the body that are only in 'Body (JSON)': they are sent as they were written. */
	readonly asWritten?: string[];
	readonly filters: IDataObject;
	readonly files: BinaryReference[];
	/** Maximum number of records of a list; Infinity for all. */
	readonly limit: number;
	readonly simplify: boolean;
	/** It carries a later part of this request's list, and leaves after it (`prepare/inBatches.ts`). */
	readonly batchOf?: PreparedRequest;
	/** What reading did to the values: facts beside the response, and sentences for the output panel. */
	readonly report: Report;
}

export type Draft = Omit<PreparedRequest, 'identity'>;

export type Result<Done> = { done: Done } | { requestError: RequestError } | undefined;

export interface KeyedRecord {
	/** Empty if the row shows none. */
	id: string;
	row: IDataObject;
	keys: string[];
	/** What it holds that an update may lose. */
	values: IDataObject;
	/** Keys of records that it may be, and why: they keep one from being created. */
	mayBe?: Array<[key: string, why: string]>;
}

export interface Look {
	keys: string[];
	/** Possible countries of numbers without a country code. */
	countries: Array<Country | undefined>;
	matching: string[];
	/** What was read before (`preflight` of the operation). */
	checked: unknown;
}

/**
 * A record is looked for before it is created, by its keys: the one that has them is returned, or updated. If several
 * have them, or if that cannot be known, nothing is sent. `created` in the output tells which it was.
 */
export interface MatchFirst extends Pick<PagesRequest, 'pageSize'> {
	by: 'match';
	in: SecondaryRead;
	what: string;
	/** What the record of a request is found by; undefined if that cannot be compared. */
	key: (body: IDataObject, matching: string[]) => string | undefined;
	says: (body: IDataObject, matching: string[]) => string;
	/** Whether a row must be kept until the list is read; all by default. */
	keeps?: (look: Look) => (row: IDataObject) => boolean;
	/** @returns also why nothing can be concluded from the kept rows of all, or a sentence for the output panel */
	records: (
		kept: IDataObject[],
		look: Look,
		rows: number,
	) => { records: KeyedRecord[]; unclear?: string; hint?: string };
	/** A search that may narrow the list, under a name that is our guess; nothing if it does not search such keys. */
	search?: (matching: string[]) => (Search & { guess: (key: string) => IDataObject }) | undefined;
	/** The endpoint that updates the record, with the same body, and its path parameter that names the record. */
	update?: { endpoint: string; id: string; sent: (body: IDataObject) => IDataObject };
}

/** Code beside the resource finds it out, from the pieces in `deliver/recovery/finder.ts`. */
export interface OwnFinder {
	by: 'finder';
	/** `request_key` is sent although only the four sending endpoints are known to take it (interface §8 rule 3). */
	inferredKey?: true;
	/** @returns undefined for a request whose outcome nothing shows, or that does no harm twice */
	finderOf: (execution: Delivering, prepared: PreparedRequest) => Finder | undefined;
}

export type Recovery = { by: 'nothing' } | { by: 'requestKey' } | MatchFirst | OwnFinder;

type Looked = NonNullable<RequestError['facts']['looked']>;

/** What a look at the platform says of a lost request: it was done, it does not show, or that is unknown. */
export type Verdict =
	| { found: Delivery }
	/** Not seen, which is no proof. No reason if there was nothing to look at. */
	| { absent: Extract<Looked, 'missing' | 'unchanged'> | undefined }
	| { unknown: Exclude<Looked, 'missing' | 'unchanged'> };

/** What a finder saw before the request left; null if it could not look. It is kept across tries. */
export type Before = string[] | null;

export type First =
	{ before: Before } | { there: Delivery } | { instead: PreparedRequest; mayBeGone: boolean };

export interface Finder {
	/** What could be taken for this request: requests that share it go one after the other. */
	turn?: unknown;
	/**
	 * What must be known before the request leaves: what exists already, or the request to send instead; `mayBeGone`: if
	 * the platform does not find that by now, the request itself is sent.
	 * @throws RequestError if that cannot be known: then nothing is sent
	 */
	first: () => Promise<First>;
	look: (before: Before) => Promise<Verdict>;
	/** It left, and nobody knows what became of it. */
	uncertain?: () => void;
	/** What the items get from a request that was sent, or sent instead, if that is more than its response. */
	delivered?: (delivery: Delivery, instead?: true) => Delivery;
	/** Shown in the output panel if a lost request was found, and it did not create a record. */
	hint?: string;
}

/** The zones of a run's items: the option's, or by default the credential's; the platform's if a value needs it. */
export interface ItemZones {
	/** The zone that times of an item without an offset are read in, as far as it is known. */
	of: (item: number) => Zone;
	/** For a value that needs it here; not `iana` if the platform does not tell. @throws Needed before it was asked */
	needed: (item: number) => Zone;
	/** Zones that were learned for items; from then on also those of their requests. */
	learned: Map<number, Zone>;
	/** Why a zone could not be asked for, by the zone's name: it is not tried again for every item. */
	unread: Map<string, Error>;
}

/** An item's parameter; undefined if the operation does not show it. @throws InvalidValue if it cannot be resolved */
export type ReadParameter = (name: string, item: number) => unknown;

export interface Execution {
	context: IExecuteFunctions;
	client: Client;
	journal: RunJournal;
	reach: ReachMemory;
	operation: Operation;
	asTool: boolean;
	/** On Error = stop: the first request error ends the run. */
	stops: boolean;
	hints: Hints;
	/** Names of the fields that the node itself adds to output items; all items of a run have them. */
	added: Set<string>;
	numbers: Map<number, NumberRead[]>;
	/** What this run knows of the lists in which it looks for records (`deliver/recovery/match.ts`), by name. */
	lists: Map<string, object>;
	names: Map<LookupName, Names>;
	contacts: Map<string, ContactRead>;
	parameter: ReadParameter;
	/** As they were written, expressions unresolved. */
	written: INodeParameters;
	options: (item: number) => RunOptions;
	zones: ItemZones;
}

export interface Delivering extends Execution {
	readonly requests: readonly PreparedRequest[];
	/** Fires when the execution or, at the first request error, the run is stopped; ends all waiting. */
	readonly signal: AbortSignal;
	/** Ends the run: what has not left is not sent. */
	readonly halting: AbortController;
	/** Results of writes that are done; the rest of their operation (a wait, a file) may not be. */
	readonly deliveries: Map<PreparedRequest, Delivery>;
	/** Items whose write has left, and may have been done, without a response that says which. */
	readonly mayBeDone: Set<number>;
}
