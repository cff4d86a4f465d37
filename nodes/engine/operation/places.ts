import { mapValues, memoize } from 'lodash';
import { place, type Placed, takePhone } from '../fields/structure';
import type { Operation } from './operation';

export type Place = 'top' | 'additionalFields' | 'updateFields' | 'filters';

/** The collection of the optional fields of an operation. */
export const placeOfOptional = (operation: Operation): Exclude<Place, 'top'> =>
	operation.method === 'GET'
		? 'filters'
		: operation.method === 'PATCH' || operation.method === 'PUT'
			? 'updateFields'
			: 'additionalFields';

export type Part = 'path' | 'query' | 'body' | 'filters';

/** Whether the name of a field is a guess that the contract marks. */
export const isGuessed = (
	{ guessedFields = [] }: Operation,
	{ part, path }: { part: Part; path: string[] },
): boolean =>
	part === 'body' &&
	[path, [...path.slice(0, -1), '*']].some((one) => guessedFields.includes(one.join('.')));

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

/** What an operation reaches people by. */
export const reachesBy = (operation: Operation): 'number' | 'address' =>
	takesPhone(operation) ? 'number' : 'address';
