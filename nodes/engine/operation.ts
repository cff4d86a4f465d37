import type { INodeProperties, INodePropertyOptions, IDataObject } from 'n8n-workflow';
import type { components, paths } from '../../contract/types';
import type { Field } from './fields/field';
import type { Zone } from './time';

type Verb = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** Every endpoint of the contract, written `METHOD /path` as in `contract/openapi.yaml`. */
export type Endpoint = {
	[P in keyof paths & string]: {
		[V in Verb]: paths[P][V] extends { responses: unknown } ? `${Uppercase<V>} ${P}` : never;
	}[Verb];
}[keyof paths & string];

type Method<E extends string> = E extends `${infer V} ${infer P}`
	? P extends keyof paths
		? Lowercase<V> extends keyof paths[P]
			? paths[P][Lowercase<V>]
			: never
		: never
	: never;

type Known<T> = [T] extends [undefined | never] ? Record<never, never> : NonNullable<T>;
type PathOf<E extends string> =
	Method<E> extends { parameters: { path: infer T } } ? T : Record<never, never>;
type QueryOf<E extends string> =
	Method<E> extends { parameters: { query?: infer T } } ? Known<T> : Record<never, never>;
type BodyOf<E extends string> =
	Method<E> extends { requestBody?: infer R }
		? NonNullable<R> extends { content: infer C }
			? C extends { 'application/json': infer T }
				? Known<T>
				: C extends { 'multipart/form-data': infer T }
					? Known<T>
					: Record<never, never>
			: Record<never, never>
		: Record<never, never>;

/** An object of the contract by its name, for fields that several operations share. */
export type Schema<Name extends keyof components['schemas']> = components['schemas'][Name];

type Leaf = string | number | boolean | unknown[] | Blob;

/** What may stand for a value of the contract: a field of its type or, for an object, a nested shape (a group). */
export type Entry<T> =
	| Field<NonNullable<T>>
	| (NonNullable<T> extends Leaf
			? never
			: NonNullable<T> extends object
				? Shape<NonNullable<T>>
				: never);

/** The fields of an object of the contract. Unknown fields, missing required ones and wrong types do not compile. */
export type Shape<T> = { [K in keyof T]: Entry<T[K]> };

/** Fields by API name, as the engine sees them once the compiler has checked them. */
export interface Fields {
	[name: string]: Field<unknown> | Fields;
}

/** How a list endpoint is read. The layouts are recognised by themselves (interface §4.1 rule 9: not shown). */
export interface ListDefinition {
	/** Key of the rows where they stand neither under `data.items`, `data.data` nor `data`. */
	rows?: string;
	/** Query parameter that sets the page size and its maximum; absent where the endpoint has none. */
	pageSize?: { name: string; max: number };
	/** Query parameter that chooses the page; default `page`. */
	cursor?: string;
	narrow?: NarrowDefinition;
}

/** Filters that the platform does not offer, or not under a name that is known: rows are read and sorted out here. */
export interface NarrowDefinition {
	/** Shown among the filters; never sent. */
	fields: Fields;
	/** Whether a row stays. `values` holds the fields that were filled in, at least one. */
	keeps: (row: IDataObject, values: IDataObject) => boolean;
	/** Query that may narrow the list on the platform already, under names that are our guess. */
	guess?: (values: IDataObject) => IDataObject;
}

/** Waits for something to become true after the request, by reading a resource again and again. */
export interface WaitDefinition {
	/** Path that is read, with `{name}` for values of the first answer. */
	path: string;
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
	 * Most that may be begun and not yet done at once: what they are ("calls"), and the
	 * sentence shown when there are more items.
	 */
	atOnce?: { most: number; what: string; why: string };
	/** What has been done once the waiting begins, for messages: "The call was placed". */
	begun?: (first: IDataObject) => string;
}

export interface DownloadDefinition {
	/** Address of the file in a record; nothing when the record has none. */
	url?: (record: IDataObject) => unknown;
	/** The text of the file where the record itself holds it, and what the file is called. */
	text?: { of: (record: IDataObject) => unknown; fileName: (record: IDataObject) => string };
	/** `option`: only with "Download File" under Options. */
	when: 'always' | 'option';
	/** What the file is, for messages: "recording". */
	what: string;
}

/** How the node looks for what it may have created when an answer was lost (costly one-shots). */
export interface LookDefinition {
	/** Whether the request is a costly one; the others are sent like any write. */
	when?: (body: IDataObject) => boolean;
	/** List that would hold it. */
	path: string;
	query?: (body: IDataObject) => IDataObject;
	/** Whether a record of the list is what the request asked for. */
	matches: (record: IDataObject, body: IDataObject) => boolean;
	pageSize?: { name: string; max: number };
}

/**
 * Where a small write is recognised after its answer was lost: the record that it became a part of.
 * What is not found there is sent again.
 */
export interface TraceDefinition {
	/** Path of the record, with `{name}` for path values of the request. Its answer stands for the lost one. */
	path: string;
	/** Key of the list in the record. */
	inside: string;
	/** Whether a part is what the request added. */
	matches: (part: IDataObject, body: IDataObject) => boolean;
}

/**
 * Where a record is looked for before it is created; what is found is returned instead, and
 * `created` tells which it was.
 */
export interface FindDefinition {
	path: string;
	/** Query that may narrow the list, under names that are our guess. The same values mean the same record. */
	guess: (body: IDataObject) => IDataObject;
	/** Whether a record of the list is the one that was asked for. */
	matches: (record: IDataObject, body: IDataObject) => boolean;
	pageSize?: { name: string; max: number };
}

/** What is read about the target before anything is written. */
export interface ConsultDefinition {
	/** Path that is read once per target, with `{name}` for path values of the request. */
	path: string;
	/** @returns the sentence to show when the request does not fit what was read */
	check?: (answer: unknown, body: IDataObject) => string | undefined;
	/**
	 * Brings the body into the form that what was read asks for.
	 * @param zone that times without offset are read in
	 * @returns the body to send
	 * @throws InvalidValue naming the field
	 */
	fit?: (answer: unknown, body: IDataObject, zone: Zone, path: IDataObject) => IDataObject;
}

interface Common {
	/** Title Case, without the resource: "Get Many". */
	name: string;
	/** Sentence case with the resource; also what an AI model reads: "Get many agents". */
	action: string;
	description?: string;
	/** What stands above the parameters where an operation costs money or cannot be undone. */
	notice?: string;
	/** A sentence shown in the output panel: what a record means for the next step. */
	hint?: (record: IDataObject) => string | undefined;
	list?: ListDefinition;
	/** Fields kept by Simplify, at most ten; `contact.name` becomes `contact_name`. */
	simplify?: string[];
	/** The answer of a delete is `{deleted: true, uuid}`; the value names the path parameter that is the uuid. */
	deletes?: string;
	/** One of the four sending endpoints: 5 per second per workspace (interface §8). */
	send?: true;
	/** Carries `request_key`: stated by the interface (`documented`, §8 rule 3) or our guess (`inferred`). */
	keyed?: 'documented' | 'inferred';
	consult?: ConsultDefinition;
	/** Look here first, and create only what is not there. */
	find?: FindDefinition;
	/** After an unknown outcome: look here before creating again. */
	look?: LookDefinition;
	trace?: TraceDefinition;
	/**
	 * The user may add JSON beside the fields, which win: where the body is open, or large and
	 * somebody may have it already.
	 */
	openBody?: true;
	/** A file that a record of the answer points to; fetched when the user asks, or always. */
	download?: DownloadDefinition;
	wait?: WaitDefinition;
	/** Seconds that the request itself asks the platform to take; the time-out is never shorter. */
	takes?: (body: IDataObject) => number;
	/** Multipart form data even without a file. */
	multipart?: true;
	/** One request for all input items instead of one each. */
	allItems?: true;
	/** False: not offered to AI agents (buying numbers, exec, SSH). */
	tool?: false;
	/** Checks that concern several fields at once; returns the sentence to show, or nothing. */
	check?: (values: {
		path: IDataObject;
		query: IDataObject;
		body: IDataObject;
	}) => string | undefined;
	/** Turns the answer into records where taking `data` is not enough. */
	output?: (
		answer: unknown,
		request: { path: IDataObject; body: IDataObject },
	) => IDataObject | IDataObject[];
	/** Sentences for error codes or statuses of this endpoint, instead of the general ones. */
	explain?: Record<string, { message: string; description: string }>;
}

/** What a person writes in a resource file; path, query and body are checked against the contract by the compiler. */
export type Definition<E extends Endpoint> = Common &
	(keyof PathOf<E> extends never ? { path?: undefined } : { path: Shape<PathOf<E>> }) & {
		query?: Shape<QueryOf<E>>;
		body?: Shape<BodyOf<E>>;
		/** Query parameters or body fields with a fixed value. */
		fixed?: { query?: Partial<QueryOf<E>>; body?: Partial<BodyOf<E>> };
	};

/** An operation as the engine runs it. */
export interface Operation extends Common {
	endpoint: string;
	method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
	template: string;
	path: Fields;
	query: Fields;
	body: Fields;
	fixed: { query?: IDataObject; body?: IDataObject };
}

/**
 * Declares an operation. Pure data: nothing runs here.
 * @param endpoint key of the contract, `METHOD /path` below `/api/v1`
 * @param definition names, fields and behaviour; `path`, `query`, `body` must fit the endpoint
 */
export function operation<E extends Endpoint>(endpoint: E, definition: Definition<E>): Operation {
	const [method, template] = endpoint.split(' ') as [Operation['method'], string];
	const { path, query, body, fixed, ...common } = definition as Common & {
		path?: Fields;
		query?: Fields;
		body?: Fields;
		fixed?: Operation['fixed'];
	};
	return {
		...common,
		endpoint,
		method,
		template,
		path: path ?? {},
		query: query ?? {},
		body: body ?? {},
		fixed: fixed ?? {},
	};
}

/** A resource of a node: its operations by `operation` value. */
export interface Resource {
	/** Title Case, singular, as in the resource dropdown. */
	label: string;
	value: string;
	description?: string;
	operations: Record<string, Operation>;
	/** Resources without a known endpoint have API Request alone. */
	defaultOperation?: string;
	/** What is reached through API Request alone, and what to know about it; stands above its parameters. */
	apiRequestNotice?: string;
}

/** Declares a resource; `apiRequest` is added to each by the engine. */
export const resource = (definition: Resource): Resource => definition;

/**
 * A resource for an area of the platform that publishes no endpoint: API Request alone, and why.
 * @param definition `area` as the platform names it; `description`: what it is for; `notice`:
 * what else to know; whole sentences
 */
export const unpublished = ({
	label,
	value,
	area,
	description,
	notice,
}: Pick<Resource, 'label' | 'value' | 'description'> & {
	area: string;
	notice?: string;
}): Resource => ({
	label,
	value,
	description: description
		? `${description} Reached through API Request: the platform does not publish its addresses.`
		: 'Reached through API Request: the platform does not publish its addresses',
	apiRequestNotice: `The platform has an area ${area} but does not publish its addresses. Take the path from your workspace's own API documentation.${notice ? ` ${notice}` : ''}`,
	operations: {},
});

/** Properties and options as n8n names them, for callers that build on `describe`. */
export type { INodeProperties, INodePropertyOptions };
