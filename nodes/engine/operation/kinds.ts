import { endpointFacts } from '../platform/facts';
import { place } from '../fields/structure';
import type { BodyOf, Endpoint, Fields, GuessOf, PathOf, QueryOf, Shape } from '../fields/shape';
import type { Filter, Filters } from './filters';
import type { ListPages, Operation, OperationKind, Told, Recovery } from './operation';
import { requestKey, unrecoverable } from './recovery';
import { decodedPath } from '../http/path';

/** Not for AI agents: what costs money until someone ends it, runs programs there, or loses a number. */
const withheld: Endpoint[] = [
	'DELETE /phone-numbers/trunks',
	'POST /builders',
	'POST /builders/{uuid}/exec',
	'POST /builders/{uuid}/ssh',
	'POST /builders/{uuid}/ssh/recreate',
	'POST /phone-numbers',
	'POST /phone-numbers/{uuid}/release',
];

/** The parts of a path, in whichever spelling servers take for it. */
function partsOf(path: string): string[] {
	const decoded = decodedPath(path);
	return decoded === path ? path.toLowerCase().split(/[/\\]/).filter(Boolean) : partsOf(decoded);
}

/** Which of these endpoints a path leads to. @param path below `/api/v1`, filled in or a template */
export const endpointAmong = (
	endpoints: readonly Endpoint[],
	method: string,
	path: string,
): Endpoint | undefined =>
	endpoints.find((endpoint) => {
		const [verb, template = ''] = endpoint.split(' ');
		const [wanted, parts] = [partsOf(template), partsOf(path)];
		return (
			verb === method &&
			wanted.length === parts.length &&
			wanted.every((part, at) => part === parts[at] || part.startsWith('{'))
		);
	});

export const withheldEndpoint = (method: string, path: string): Endpoint | undefined =>
	endpointAmong(withheld, method, path);

type EndpointOf<Verb extends string> = Extract<Endpoint, `${Verb} ${string}`>;

/** Path and query, checked against the endpoint by the compiler; what the path lacks is its resource's. */
type Address<E extends Endpoint> = {
	query?: Shape<QueryOf<E>>;
} & (keyof PathOf<E> extends never ? { path?: undefined } : { path?: Partial<Shape<PathOf<E>>> });

interface WithBody<E extends Endpoint> {
	body?: Shape<BodyOf<E>>;
	openBody?: true;
}

/** Filters whose names are a guess are named only here, so that nobody forgets to apply them. */
interface PagesOf<E extends Endpoint> extends Omit<ListPages, 'filters'> {
	filters?: Filters & {
		[Name in keyof GuessOf<E>]?: Filter<NonNullable<GuessOf<E>[Name]>> & { guessed: true };
	};
}

type May<Names extends keyof Operation> = Partial<Pick<Operation, Names>>;

interface Parts<E extends Endpoint> {
	list: May<'simplify' | 'run'> & { pages?: PagesOf<E> };
	get: May<'simplify' | 'wait' | 'download' | 'mayBeEmpty'>;
	create: WithBody<E> &
		May<'simplify' | 'preflight' | 'fallback' | 'recover' | 'guard' | 'preview'> &
		May<'allItems' | 'reaches' | 'inOrder'>;
	update: WithBody<E> & May<'simplify' | 'preflight' | 'fallback' | 'recover'>;
	remove: object;
	action: WithBody<E> & May<'simplify' | 'preflight' | 'recover' | 'confirms'>;
	send: WithBody<E> &
		Pick<Required<Operation>, 'reaches'> &
		May<'simplify' | 'preflight' | 'fallback' | 'wait' | 'download'>;
}

/** What this kind has not, or no definition says; named, because a spread object would bring it in unseen. */
type Nothing<Own> = {
	[Name in Exclude<keyof Operation, keyof Told | keyof Own | 'path' | 'query'>]?: never;
};

type Definition<E extends Endpoint, Own> = Told & Address<E> & Own & Nothing<Own>;

/** The four endpoints that share 5 requests per second and take a request key (interface §8). */
export const sending = [
	...(['POST /call', 'POST /whatsapp/template', 'POST /sms/send', 'POST /email/messages'] as const),
];

const ofEndpoint = (endpoint: string) => {
	const [method, template] = endpoint.split(' ') as [Operation['method'], string];
	return { endpoint, method, template, ...endpointFacts[endpoint] };
};

function declare(
	kind: OperationKind,
	endpoint: string,
	definition: Told & {
		path?: unknown;
		query?: unknown;
		body?: unknown;
		pages?: ListPages;
	} & May<'recover' | 'openBody'>,
): Operation {
	const { path, query, body, pages, ...rest } = definition;
	const facts = ofEndpoint(endpoint);
	const fields = place((body ?? {}) as Fields).map(({ field }) => field);
	const isOnlyJson = rest.openBody && fields.length === 0;
	return {
		name: '',
		action: '',
		recover: unrecoverable,
		...rest,
		...((isOnlyJson || fields.some(({ options }) => options.orBodyJson)) && { jsonOnTop: true }),
		kind,
		path: (path ?? {}) as Fields,
		query: (query ?? {}) as Fields,
		body: (body ?? {}) as Fields,
		paced: kind === 'send',
		...(withheldEndpoint(facts.method, facts.template) && { tool: false }),
		...(kind === 'remove' && { removes: [...endpoint.matchAll(/\{(\w+)\}/g)].at(-1)?.[1] }),
		...(kind === 'list' && { pages: pages ?? {} }),
		...facts,
	};
}

/** An operation at another endpoint, which takes the same body: it changes what is there, or adds to it. */
export function atEndpoint(operation: Operation, endpoint: string): Operation {
	const at = ofEndpoint(endpoint);
	const kind = at.method === 'POST' ? 'create' : 'update';
	return { ...operation, kind, recover: unrecoverable, ...at };
}

/** Declares operations of one kind. Like all kinds it only describes the request; the engine sends it. */
const kind =
	<Kind extends keyof Parts<Endpoint>, Some extends Endpoint>(name: Kind, recover?: Recovery) =>
	<E extends Some>(endpoint: E, definition: Definition<E, Parts<E>[Kind]>): Operation =>
		declare(name, endpoint, recover ? { ...definition, recover } : definition);

/** Carried out by a function beside the resource. @param endpoint what it reads, or does with each of many records */
const programme = <E extends EndpointOf<'GET' | 'POST'>>(
	endpoint: E,
	definition: Told &
		Required<Pick<Operation, 'run' | 'outputFields'>> & { path?: Fields; pages?: PagesOf<E> },
): Operation => ({
	...declare(endpoint.startsWith('GET ') ? 'list' : 'action', endpoint, definition),
	...(definition.path && { template: '' }),
});

/** API Request: any method and path below `/api/v1`, which the person writes. */
const raw = (definition: Pick<Told, 'name' | 'action' | 'description'>): Operation =>
	declare('raw', 'POST ', definition);

/** `operation.create('POST /agents', {…})`: path, query and body are checked against the contract. */
export const operation = {
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
	send: kind<'send', (typeof sending)[number]>('send', requestKey),
	programme,
	raw,
};

export const isRaw = ({ kind }: Operation): boolean => kind === 'raw';
