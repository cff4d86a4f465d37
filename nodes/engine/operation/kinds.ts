import { endpointFacts } from '../platform/facts';
import { place } from '../fields/structure';
import type { BodyOf, Endpoint, Fields, GuessOf, PathOf, QueryOf, Shape } from '../fields/shape';
import type { Filter, Filters } from './filters';
import type {
	BatchesDefinition,
	PreflightDefinition,
	DownloadDefinition,
	ListPages,
	Operation,
	OperationKind,
	FallbackBody,
	Reaches,
	Told,
	WaitDefinition,
} from './operation';
import { type Recovery, requestKey, unrecoverable } from './recovery';
import { withheldEndpoint } from './withheld';

type EndpointOf<Verb extends string> = Extract<Endpoint, `${Verb} ${string}`>;

/** Path and query, checked against the endpoint by the compiler. */
type Address<E extends Endpoint> = {
	query?: Shape<QueryOf<E>>;
} & (keyof PathOf<E> extends never ? { path?: undefined } : { path: Shape<PathOf<E>> });

interface WithBody<E extends Endpoint> {
	body?: Shape<BodyOf<E>>;
	fixed?: { query?: Partial<QueryOf<E>>; body?: Partial<BodyOf<E>> };
	openBody?: true;
	jsonOnTop?: true;
}

interface WithRecord {
	simplify?: string[];
}

/** Filters whose names are a guess are named only here, so that nobody forgets to apply them. */
interface PagesOf<E extends Endpoint> extends Omit<ListPages, 'filters'> {
	filters?: Filters & {
		[Name in keyof GuessOf<E>]?: Filter<NonNullable<GuessOf<E>[Name]>> & { guessed: true };
	};
}

interface ListParts<E extends Endpoint> extends WithRecord {
	pages?: PagesOf<E>;
	fixed?: { query?: Partial<QueryOf<E>> };
}

interface GetParts<E extends Endpoint> extends WithRecord {
	fixed?: { query?: Partial<QueryOf<E>> };
	wait?: WaitDefinition;
	download?: DownloadDefinition;
	mayBeEmpty?: true;
}

interface CreateParts<E extends Endpoint> extends WithBody<E>, WithRecord {
	preflight?: PreflightDefinition;
	fallback?: FallbackBody;
	recover?: Recovery;
	multipart?: true;
	allItems?: true;
	batches?: BatchesDefinition;
	reaches?: Reaches;
	before?: Operation['before'];
	preview?: Operation['preview'];
}

interface UpdateParts<E extends Endpoint> extends WithBody<E>, WithRecord {
	preflight?: PreflightDefinition;
	fallback?: FallbackBody;
	recover?: Recovery;
}

interface RemoveParts<E extends Endpoint> {
	body?: Shape<BodyOf<E>>;
	/** The path parameter that is the uuid of what is removed. */
	removes?: keyof PathOf<E> & string;
}

interface ActionParts<E extends Endpoint> extends WithBody<E>, WithRecord {
	done?: Operation['done'];
	preflight?: PreflightDefinition;
	recover?: Recovery;
	takes?: Operation['takes'];
}

interface SendParts<E extends Endpoint> extends WithBody<E>, WithRecord {
	reaches: Reaches;
	fallback?: FallbackBody;
	wait?: WaitDefinition;
	download?: DownloadDefinition;
}

/** The parts of a definition, by kind. */
interface Parts<E extends Endpoint> {
	list: ListParts<E>;
	get: GetParts<E>;
	create: CreateParts<E>;
	update: UpdateParts<E>;
	remove: RemoveParts<E>;
	action: ActionParts<E>;
	send: SendParts<E>;
}

type NamesOf<Some> = Some extends unknown ? keyof Some : never;
type Part = NamesOf<Parts<Endpoint>[keyof Parts<Endpoint>]>;

/** What other kinds have and this one has not; named, because a spread object would bring it in unseen. */
type Nothing<Own> = { [Name in Exclude<Part, keyof Own>]?: never };

type Definition<E extends Endpoint, Own> = Told & Address<E> & Own & Nothing<Own>;

/** The four endpoints that share 5 requests per second and take a request key (interface §8). */
export type SendEndpoint =
	'POST /call' | 'POST /whatsapp/template' | 'POST /sms/send' | 'POST /email/messages';

function declare(
	kind: OperationKind,
	endpoint: string,
	definition: Told & {
		path?: unknown;
		query?: unknown;
		body?: unknown;
		fixed?: unknown;
		recover?: Recovery;
		jsonOnTop?: true;
	},
): Operation {
	const [method, template] = endpoint.split(' ') as [Operation['method'], string];
	const { path, query, body, fixed, recover, ...rest } = definition;
	const facts = endpointFacts[endpoint];
	const mayNeedJson = place((body ?? {}) as Fields).some(({ field }) => field.options.orBodyJson);
	return {
		...rest,
		...(mayNeedJson ? { jsonOnTop: true } : {}),
		name: rest.name ?? '',
		action: rest.action ?? '',
		kind,
		endpoint,
		method,
		template,
		path: (path ?? {}) as Fields,
		query: (query ?? {}) as Fields,
		body: (body ?? {}) as Fields,
		fixed: (fixed ?? {}) as Operation['fixed'],
		recover: recover ?? unrecoverable,
		paced: kind === 'send',
		...(withheldEndpoint(method, template) ? { tool: false } : {}),
		...(kind === 'list' ? { pages: (rest as { pages?: ListPages }).pages ?? {} } : {}),
		...facts,
	};
}

/** An operation at another endpoint, which takes the same body and changes what is there. */
export function atEndpoint(operation: Operation, endpoint: string): Operation {
	const [method, template] = endpoint.split(' ') as [Operation['method'], string];
	const facts = endpointFacts[endpoint];
	return {
		...operation,
		kind: 'update',
		endpoint,
		method,
		template,
		recover: unrecoverable,
		...facts,
	};
}

/** Declares operations of one kind. Like all kinds it only describes the request; the engine sends it. */
const kind =
	<Kind extends keyof Parts<Endpoint>, Some extends Endpoint>(name: Kind, recover?: Recovery) =>
	/** @param endpoint key of the contract */
	<E extends Some>(endpoint: E, definition: Definition<E, Parts<E>[Kind]>): Operation =>
		declare(name, endpoint, recover ? { ...definition, recover } : definition);

/**
 * More than a request: a function beside the resource carries it out.
 * @param endpoint the list that it reads, or what it does with each of many records
 */
const programme = <E extends EndpointOf<'GET' | 'POST'>>(
	endpoint: E,
	{
		of: path,
		...definition
	}: Told & Required<Pick<Operation, 'run' | 'outputFields'>> & { of?: Fields; pages?: PagesOf<E> },
): Operation => ({
	...declare(endpoint.startsWith('GET ') ? 'list' : 'action', endpoint, { ...definition, path }),
	...(path && { template: '' }),
});

/** API Request: any method and path below `/api/v1`, which the person writes. */
const raw = (definition: Pick<Told, 'name' | 'action' | 'description'>): Operation =>
	declare('raw', 'POST ', definition);

/**
 * Declares an operation by its kind: `operation.create('POST /agents', {…})`. Each kind accepts only what makes sense
 * for it; path, query and body are checked against the contract.
 */
export const operation = {
	/** Reads many records, page by page. */
	list: kind<'list', EndpointOf<'GET'>>('list'),
	/** Reads one record; may wait for it or fetch its file. */
	get: kind<'get', EndpointOf<'GET'>>('get'),
	/** Makes a record, from each input item or from all of them. */
	create: kind<'create', EndpointOf<'POST'>>('create'),
	/** Changes a record; repeating it changes nothing more. */
	update: kind<'update', EndpointOf<'PATCH' | 'PUT'>>('update'),
	/** Removes a record; its response is `{deleted: true, uuid}`. */
	remove: kind<'remove', EndpointOf<'DELETE'>>('remove'),
	/** Has the platform do something that is none of the above. */
	action: kind<'action', EndpointOf<'POST'>>('action'),
	/** Places a call or sends a message, once per request key. */
	send: kind<'send', SendEndpoint>('send', requestKey),
	programme,
	raw,
};

/** Whether an operation is API Request. */
export const isRaw = ({ kind }: Operation): boolean => kind === 'raw';
