import { place, type Placed } from '../fields/structure';
import type { Operation } from './operation';

/** Where a field of an operation stands among the parameters. */
export type Place = 'top' | 'additionalFields' | 'updateFields' | 'filters';

/** The collection in which optional fields of an operation stand. */
export const placeOfOptional = (operation: Operation): Exclude<Place, 'top'> =>
	operation.method === 'GET'
		? 'filters'
		: operation.method === 'PATCH' || operation.method === 'PUT'
			? 'updateFields'
			: 'additionalFields';

/** Which part of the request a field fills. */
export type Part = 'path' | 'query' | 'body' | 'narrow';

/** All fields of an operation with their places, path first. */
export function fieldsOf(operation: Operation): Array<Placed & { part: Part; at: Place }> {
	const optional = placeOfOptional(operation);
	return (['path', 'query', 'body', 'narrow'] as const).flatMap((part) =>
		place(part === 'narrow' ? (operation.pages?.narrow?.fields ?? {}) : operation[part]).map(
			(placed) => ({
				...placed,
				part,
				at:
					part === 'path' ||
					placed.field.options.required ||
					placed.field.options.top ||
					placed.field.options.showWhen
						? ('top' as const)
						: optional,
			}),
		),
	);
}
