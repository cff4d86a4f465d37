import { get, isPlainObject, mapValues, memoize, partition, uniq } from 'lodash';
import { place, type Placed, takePhone } from '../fields/structure';
import type { Operation, Reaches, Draft, PreparedRequest } from './operation';
import type { IDataObject } from 'n8n-workflow';
import { isUuid } from '../response/response';
import { limits } from '../platform/facts';
import type { RunOptions, SameNumberTwice } from './runOptions';

export type Place = 'top' | 'additionalFields' | 'updateFields' | 'filters';

export const placeOfOptional = (operation: Operation): Exclude<Place, 'top'> =>
	operation.method === 'GET'
		? 'filters'
		: operation.method === 'PATCH' || operation.method === 'PUT'
			? 'updateFields'
			: 'additionalFields';

export type Part = 'path' | 'query' | 'body' | 'filters';

/** Where a part of a body has something at a path, with a star for any name; rows stand in it without their number. */
const placesIn = (part: unknown, [key, ...below]: string[]): string[][] =>
	[part]
		.flat()
		.filter(isPlainObject)
		.flatMap((one) => Object.entries(one as IDataObject))
		.filter(([name]) => key === '*' || key === name)
		.flatMap(([name, value]) =>
			below.length === 0 ? [[name]] : placesIn(value, below).map((rest) => [name, ...rest]),
		);

/** Fields of a body whose names are a guess that the contract marks: `contacts.timezone`. */
export const guessedIn = ({ guessedFields = [] }: Operation, body: IDataObject): string[] =>
	uniq(
		guessedFields.flatMap((path) => placesIn(body, path.split('.')).map((one) => one.join('.'))),
	);

export type PlacedField = Placed & { part: Part; at: Place };

/** Whether a field of the body names whom the request reaches; rows of people are content. */
const isRecipient = ({ reaches }: Operation, { path }: Placed): boolean =>
	reaches !== undefined && reaches.rows === undefined && reaches.at.includes(path.join('.'));

/** All fields of an operation with their places, path first. They are put in their places once, not for every item. */
export const fieldsOf = memoize((operation: Operation): PlacedField[] => {
	const optional = placeOfOptional(operation);
	const { path, query, body, pages } = operation;
	const parts = { path, query, body, filters: mapValues(pages?.filters, ({ field }) => field) };
	return (['path', 'query', 'body', 'filters'] as const).flatMap((part) =>
		place(parts[part]).map((placed) => ({
			...placed,
			...(part !== 'body' || isRecipient(operation, placed) ? { decides: true as const } : {}),
			part,
			at:
				part === 'path' ||
				placed.field.options.required ||
				placed.field.options.top ||
				placed.field.options.orBodyJson ||
				placed.field.options.showWhen
					? ('top' as const)
					: optional,
		})),
	);
});
fieldsOf.cache = new WeakMap();

export const takesPhone = (operation: Operation): boolean => takePhone(fieldsOf(operation));

export const reachesBy = (operation: Operation): 'number' | 'address' =>
	takesPhone(operation) ? 'number' : 'address';

export interface Recipient<Request extends Draft = PreparedRequest> {
	request: Request;
	/** Phone number or email address, the first that the request names; absent if it only names a contact. */
	number?: string;
	addresses: string[];
	/** Others whom the request reaches, too: copies of an email. */
	also?: string[];
	contact?: string;
	items: number[];
	/** Place in the list of the body, from 0. */
	row?: number;
}

/** The address as an output shows it: under the name that says what it is. */
export const shownAddress = (address: string): IDataObject => ({
	[address.includes('@') ? 'email' : 'phone_number']: address,
});

/** All phone numbers and email addresses that a request reaches with this recipient. */
export const reachedBy = ({ addresses, also = [] }: Recipient): string[] =>
	also.length > 0 ? [...addresses, ...also] : addresses;

/** Called for every row of long lists, so a path without dots is read directly. */
function addressesIn(part: IDataObject, { at }: Reaches): string[] {
	const found: string[] = [];
	for (const path of at) {
		const value: unknown = path.includes('.') ? get(part, path) : part[path];
		for (const one of Array.isArray(value) ? (value as unknown[]) : [value])
			if ((typeof one === 'string' && one !== '') || typeof one === 'number')
				found.push(String(one));
	}
	return found;
}

/** Whether the node itself keeps a later run from reaching the same person. */
export const isReachLimited = (options: RunOptions): boolean =>
	options.reachEachPerson === 'onceADay' || options.reachEachPerson === 'once';

/** Whether it is one request that changes something: what a programme sends, it decides itself. */
export const isSingleWrite = ({ operation: { method, run } }: PreparedRequest): boolean =>
	method !== 'GET' && !run;

/** What 'Same Number Twice' does if the user chose nothing. */
export const twiceByDefault = ({ once }: Reaches): SameNumberTwice =>
	once ? 'stop' : 'stopIdentical';

export const recipientCount = ({ operation: { reaches }, body }: PreparedRequest): number =>
	reaches?.rows === undefined ? 1 : ((body[reaches.rows] as unknown[] | undefined)?.length ?? 0);

/** What is sent and then waited for is a live call, of which a workspace has only so many. */
export const mostLiveOf = ({ paced, wait }: Operation): number | undefined =>
	paced && wait ? limits.liveCalls.most : undefined;

/** Everybody whom a request reaches, as its body says. */
export function recipientsOf<Request extends Draft>(request: Request): Array<Recipient<Request>> {
	const { operation, body, items, report } = request;
	const { reaches } = operation;
	if (!reaches) return [];
	const read = (part: IDataObject): Recipient<Request> => {
		const addresses = addressesIn(part, reaches);
		return { request, items, number: addresses[0], addresses };
	};
	if (reaches.rows === undefined) {
		const [[contact], addresses] = partition(addressesIn(body, reaches), isUuid);
		return [{ request, items, number: addresses[0], addresses, contact }];
	}
	const from = report.rows[reaches.rows]?.items;
	return ((body[reaches.rows] ?? []) as IDataObject[]).map((part, row) => ({
		...read(part),
		items: from?.[row] ?? items,
		row,
	}));
}
