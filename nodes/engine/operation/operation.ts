import type { IDataObject } from 'n8n-workflow';
import type { Fields } from '../fields/shape';
import type { EndpointFacts } from '../platform/facts';
import type { ErrorText } from '../errors/errorText';
import type { RequestError } from '../errors/requestError';
import type { PageSize } from '../pages/pages';
import type { Filters } from './filters';
import type { Recovery } from './recovery';
import type { SecondaryRead } from './secondaryRead';
import type { Zone } from '../time';

/** How a list endpoint is read. The layouts are recognized by themselves (interface §4.1 rule 9: not shown). */
export interface ListPages {
	/** Key of the rows, if they are neither under `data.items`, `data.data` nor `data`. */
	rows?: string;
	/** Key of the rows' ID, if it is neither `uuid` nor `id`. */
	id?: string;
	/** Absent if the endpoint has no parameter for the page size. */
	pageSize?: PageSize;
	/** Its sources show the list as a whole, and no parameter for a page. */
	unpaged?: true;
	/** Filters that are applied here, because the platform may not know them. */
	filters?: Filters;
}

/** A list that shows many of the records that are waited for together, the newest first. */
export interface WaitList {
	in: SecondaryRead;
	/** Asks for that order and for fewer rows, if the platform accepts it. */
	query: IDataObject;
	pageSize: PageSize;
	/** Key of a row's ID. */
	rowId: string;
	/** The place of that ID in the request's own response. */
	responseId: string;
	/** Whether a record may be done without saying so; then a row and the record itself are read as one. */
	hidesEnd?: (record: IDataObject) => boolean;
}

/** Waits for something to become true after the request, by reading a resource again and again. */
export interface WaitDefinition {
	read: SecondaryRead;
	/** Read for all items of a run together; a single read then only ends the wait. */
	list?: WaitList;
	/** Shown if the platform named nothing that could be read; the item goes on unchanged. */
	nothingNamed?: string;
	/** Seconds between two reads. */
	everySeconds: number;
	/** Default and maximum of the user's time-out, in seconds. */
	timeoutSeconds: number;
	/** What the last read says. `unknown` goes on waiting and is told to the user in a hint. */
	state: (record: IDataObject) => 'waiting' | 'done' | 'unknown';
	/** How the state reads, for the hint; default the record's `status`. */
	says?: (record: IDataObject) => string;
	/** What the user waits for, for messages: "the call to end". */
	forWhat: string;
	/**
	 * Maximum that may be accepted and not yet done: what they are ("calls"), and the sentence shown if there are more
	 * items.
	 */
	atOnce?: { most: number; what: string; why: string };
	/** What has been done once the waiting begins, for messages: "The call was placed". */
	acceptedText?: (first: IDataObject) => string;
}

export interface DownloadDefinition {
	/** URL of the file in a record; nothing when the record has none. */
	url?: (record: IDataObject) => unknown;
	/** Name of the file in a record, with or without an extension; the response's own name comes first. */
	fileName?: (record: IDataObject) => string | undefined;
	/** The text of the file, if the record itself holds it, and the file's name. */
	text?: { of: (record: IDataObject) => unknown; fileName: (record: IDataObject) => string };
	/** `option`: only with "Download File" under Options. */
	when: 'always' | 'option';
	/** What the file is, for messages: "recording". */
	what: string;
}

/** Reads a list to its end and makes one record of it, instead of one per row. */
export interface SummaryDefinition {
	/** What is kept of a row until all are read. */
	keep: (row: IDataObject) => IDataObject;
	/** Another list that tells more, read once per query; if it cannot be read, the record does without. */
	beside: {
		in: SecondaryRead;
		pageSize: PageSize;
		queries: (kept: IDataObject[]) => IDataObject[];
		keep: (row: IDataObject) => IDataObject;
	};
	/**
	 * @param beside undefined if there was nothing to ask for, or if it could not be read
	 * @returns the record, and a sentence for each figure that is not known
	 */
	into: (
		kept: IDataObject[],
		beside: IDataObject[] | undefined,
		filters: IDataObject,
	) => { record: IDataObject; unknown: string[] };
	/** The output before the first run: JSON type of each field. */
	fields: Record<string, 'string' | 'number' | 'object' | 'array'>;
}

/** A list of the body that is made from input items and may go in several requests. */
export interface BatchesDefinition {
	/** Key of the list in the body. */
	list: string;
	/** What the rows are, for people: "contacts". */
	rows: string;
	/** Adds the further rows to what the first request made, which names it by `uuid`; absent: the same operation. */
	further?: Operation;
}

/** What is read about the target before anything is written. */
export interface ConsultDefinition {
	/** Read once per target. */
	read: SecondaryRead;
	/**
	 * Shown in the output panel if the platform does not have the read (404, 405), or if `fit` cannot read the response;
	 * the request then leaves unchanged. Without it the item is refused.
	 */
	unread?: string;
	/**
	 * @param matching the columns by which a record is matched
	 * @returns the sentence to show when the request does not fit what was read
	 */
	check?: (response: unknown, body: IDataObject, matching: string[]) => string | undefined;
	/**
	 * Brings the body into the form that what was read asks for.
	 * @param zone that times without offset are read in
	 * @returns the body to send
	 * @throws InvalidValue naming the field; RequestError if it cannot read what was read
	 */
	fit?: (response: unknown, body: IDataObject, zone: Zone, path: IDataObject) => IDataObject;
}

/**
 * A request that may start much by itself, and how the platform shows that it was started before. What the platform
 * does not show is unknown, and then nothing is sent.
 */
export interface LaunchDefinition {
	/** Whether this request starts immediately. */
	when: (body: IDataObject) => boolean;
	/** What is started, for people: "listing". */
	what: string;
	/** What happens to the people, for a preview: "called". */
	verb: (body: IDataObject) => string;
	/** The place of the agent in the body, and the list that tells its name. */
	agent: { at: string; in: SecondaryRead; pageSize: PageSize; ids: string[]; name: string };
	/** List that shows what was started before. */
	in: SecondaryRead;
	pageSize: PageSize;
	/** Whether a record is the same by its name. */
	isNamesake: (record: IDataObject, body: IDataObject) => boolean;
	/** Whether it is over for certain. */
	hasEnded: (record: IDataObject) => boolean;
	/** How many people it has; undefined if it does not say so. */
	sizeOf: (record: IDataObject) => number | undefined;
	/** List that shows whom it has already reached. */
	people: {
		in: SecondaryRead;
		pageSize: PageSize;
		/** Query that may narrow the list to it, under a name that is our guess. */
		guess: (record: IDataObject) => IDataObject;
		belongs: (row: IDataObject, record: IDataObject) => boolean;
		/** Phone number and email address of a row's contact. */
		of: (row: IDataObject) => unknown[];
	};
}

/**
 * An operation that acts on everything in a list that belongs to its target: it finds the groups that the target has
 * started, reads their rows and acts on each that is still ahead, until a reading shows nothing new.
 */
export interface SweepDefinition {
	/** What a row is, and what is done with it: task, tasks, canceled. */
	words: [one: string, many: string, done: string];
	/** Path parameter that names the group, if the user knows it. */
	given: string;
	/** Lists whose rows name the groups of the target. */
	groups: Array<{
		in: SecondaryRead;
		pageSize: PageSize;
		/** Query that may narrow the list, under names that are our guess. */
		guess?: (path: IDataObject) => IDataObject;
		belongs: (row: IDataObject, path: IDataObject) => boolean;
		of: (row: IDataObject) => unknown;
	}>;
	/** Shown if nothing names a group. */
	noGroup: ErrorText;
	rows: {
		in: SecondaryRead;
		pageSize: PageSize;
		query: (group: string) => IDataObject;
		/** Whether a row belongs to the group; undefined if it does not say so. */
		belongs: (row: IDataObject, group: string, path: IDataObject) => boolean | undefined;
		/** What a preview and the output show of a row. */
		show: string[];
	};
	/**
	 * `done`: what the act leads to; `over`: it ended otherwise. Unknown states are acted on: whoever stops something
	 * wants nothing to go on.
	 */
	state: (row: IDataObject) => 'ahead' | 'underWay' | 'done' | 'over' | 'unknown';
	/** What is done with a row; doing it twice changes nothing more. */
	act: { method: 'POST'; path: (id: string) => string };
	/** The output before the first run: JSON type of each field. */
	fields: Record<string, 'string' | 'number' | 'boolean' | 'array'>;
}

/** Whom a request reaches, and how people say it: what is checked before the run calls or writes to anyone. */
export interface Reaches {
	/** The places where the body, or a row of it, names the recipient: by phone number, by email address, or by both. */
	at: string[];
	/** What people are reached by; phone numbers by default. */
	by?: 'number' | 'address';
	/** List of the body whose rows are the recipients. */
	rows?: string;
	/** Key of the body that names a contact of the workspace instead. */
	contact?: string;
	/** Several items of a run that reach one person are usually a mistake, also if they differ. */
	once?: true;
	/** What one request or row is, what many are, and what is done with them: "call", "calls", "placed". */
	words: [one: string, many: string, done: string];
	/**
	 * How many of them a response says were taken; undefined if it does not say. Then they are `sent`, in words, and
	 * what became of them is not claimed.
	 */
	counted?: { in: (record: IDataObject) => number | undefined; sent: string };
}

/**
 * Another form of the same request, if the form is our guess and the platform refused it (400, 422). It is sent once.
 * @param refused what the platform said
 * @returns the body to send instead, and a sentence for the output panel; `always` brings later requests into this form
 * from the start, and returns a body that needs no change as it is. Nothing if the refusal is about something else
 */
export type OtherForm = (
	body: IDataObject,
	refused: RequestError['facts'],
) => { body: IDataObject; hint?: string; always?: (body: IDataObject) => IDataObject } | undefined;

/** What an operation is called and what people read about it. */
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
	}) => string | undefined;
	/** Sentences for error codes or statuses of this endpoint, instead of the general ones. */
	explain?: Record<string, ErrorText>;
	/** Turns the response into records if taking `data` is not enough. */
	output?: (
		response: unknown,
		request: { path: IDataObject; body: IDataObject },
	) => IDataObject | IDataObject[];
}

export type OperationKind =
	'list' | 'get' | 'create' | 'update' | 'remove' | 'action' | 'send' | 'raw';

/** An operation as the engine runs it; a resource file declares it with one of the kinds (`kinds.ts`). */
export interface Operation extends Told, Omit<EndpointFacts, 'openBody'> {
	name: string;
	action: string;
	kind: OperationKind;
	endpoint: string;
	method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
	template: string;
	path: Fields;
	query: Fields;
	body: Fields;
	/** Query parameters or body fields with a fixed value. */
	fixed: { query?: IDataObject; body?: IDataObject };
	/** How a lost response is found out about. */
	recover: Recovery;
	/** One of the four sending endpoints: 5 per second per workspace (interface §8). */
	paced: boolean;
	/** False: withheld from AI agents. */
	tool?: false;
	/** Present if the response is a list that is read page by page. */
	pages?: ListPages;
	/** Present if one record is made of the whole list. */
	summary?: SummaryDefinition;
	/** Present if the operation acts on the rows of a list. */
	sweep?: SweepDefinition;
	/** Fields kept by Simplify, at most ten; `contact.name` becomes `contact_name`. */
	simplify?: string[];
	/** Name of the path parameter that is the uuid of what a delete removes. */
	removes?: string;
	/**
	 * Whether the response, which is the record of the path, shows that an action was done; undefined if it does not say.
	 */
	done?: (record: IDataObject, body: IDataObject) => boolean | undefined;
	consult?: ConsultDefinition;
	/** Present if a request calls or writes to people. */
	reaches?: Reaches;
	otherForm?: OtherForm;
	launch?: LaunchDefinition;
	/**
	 * The user may add JSON beside the fields, which win. For bodies that are open, or large and perhaps already at hand.
	 */
	openBody?: true;
	/** That JSON is beside the fields, because the request may not work without it; otherwise it is under Options. */
	jsonOnTop?: true;
	/** A file that a record of the response points to; fetched when the user asks, or always. */
	download?: DownloadDefinition;
	/** What is read may be an empty list: no source shows its shape. */
	mayBeEmpty?: true;
	wait?: WaitDefinition;
	/** Seconds that the request itself asks the platform to take; the time-out is never shorter. */
	takes?: (body: IDataObject) => number;
	/** Multipart form data even without a file. */
	multipart?: true;
	/** One request for all input items instead of one each. */
	allItems?: true;
	/** How a long list of such a request is sent in several (option "Batch Size"). */
	batches?: BatchesDefinition;
}

/** What repeating a request of this operation can do. */
export const classOf = ({ method, recover }: Operation): 'read' | 'keyed' | 'write' => {
	if (method === 'GET') return 'read';
	return recover.by === 'requestKey' ? 'keyed' : 'write';
};
