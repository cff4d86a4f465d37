import type { IDataObject } from 'n8n-workflow';
import type { Endpoint, Fields } from '../fields/shape';
import type { EndpointFacts } from '../platform/facts';
import type { ErrorText } from '../errors/errorText';
import type { PagesRequest } from '../pages/pages';
import type { Filters } from './filters';
import type { Recovery } from './recovery';
import type { SecondaryRead } from './secondaryRead';
import type { Zone } from '../time';

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
	/**
	 * Shown in the output panel if the platform does not have the read (404, 405), or if it cannot be taken from the
	 * response; the request then leaves unchanged. Without it the item is refused.
	 */
	unread?: string;
	/** @returns the sentence to show when the request does not fit what was read */
	check?: (response: unknown, body: IDataObject, matching: string[]) => string | undefined;
	/**
	 * @returns the body in the form that what was read asks for
	 * @throws InvalidValue naming the field; RequestError if it cannot read what was read
	 */
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
		/** The keys by which a record is matched. */
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
	recover: Recovery;
	/** One of the four sending endpoints: 5 per second per workspace (interface §8). */
	paced: boolean;
	/** False: withheld from AI agents. */
	tool?: false;
	/** Present if the response is a list that is read page by page. */
	pages?: ListPages;
	/** Present if it is more than a request (`run`): the output before the first run, as the JSON type of each field. */
	outputFields?: Readonly<Record<string, 'string' | 'number' | 'boolean' | 'object' | 'array'>>;
	/** Fields kept by Simplify, at most ten; `contact.name` becomes `contact_name`. */
	simplify?: string[];
	/** Name of the path parameter that is the uuid of what a delete removes. */
	removes?: string;
	/**
	 * Whether the response, which is the record of the path, shows that an action was done; undefined if it does not say.
	 */
	done?: (record: IDataObject, body: IDataObject) => boolean | undefined;
	preflight?: PreflightDefinition;
	reaches?: Reaches;
	fallback?: FallbackBody;
	/**
	 * The user may add JSON beside the fields, which win. For bodies that are open, or large and perhaps already at hand.
	 */
	openBody?: true;
	/** That JSON is beside the fields, because the request may not work without it; otherwise it is under Options. */
	jsonOnTop?: true;
	/** What it adds to has an order: items of one run go one after the other. */
	inOrder?: true;
	/** What is read may be an empty list: no source shows its shape. */
	mayBeEmpty?: true;
	/**
	 * One request for all input items, which are the rows of whom it reaches. With "Batch Size", further rows go to this
	 * endpoint: its own, or that of the list of what the first request made.
	 */
	allItems?: Endpoint;
}
