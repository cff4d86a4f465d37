import type { components, guessedFilters, paths } from '../../../contract/types';
import type { Field } from './field';

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
export type PathOf<E extends string> =
	Method<E> extends { parameters: { path: infer T } } ? T : Record<never, never>;
type WholeQueryOf<E extends string> =
	Method<E> extends { parameters: { query?: infer T } } ? Known<T> : Record<never, never>;
/** Filters whose names are a guess: the response is also filtered here (`operation/filters.ts`). */
export type GuessedFilterOf<E extends string> = E extends keyof guessedFilters
	? guessedFilters[E]
	: never;
/** The query of which the platform is known to take notice. */
export type QueryOf<E extends string> = Omit<WholeQueryOf<E>, GuessedFilterOf<E>>;
/** Values of the filters whose names are a guess. */
export type GuessOf<E extends string> = Pick<
	WholeQueryOf<E>,
	GuessedFilterOf<E> & keyof WholeQueryOf<E>
>;
export type BodyOf<E extends string> =
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
	| Field<NonNullable<T>, unknown>
	| (NonNullable<T> extends Leaf
			? never
			: NonNullable<T> extends object
				? Shape<NonNullable<T>>
				: never);

/** The fields of an object of the contract. Unknown fields, missing required ones and wrong types do not compile. */
export type Shape<T> = { [K in keyof T]: Entry<T[K]> };

/** Fields by API name, as the engine sees them once the compiler has checked them. */
export interface Fields {
	[name: string]: Field<unknown, unknown> | Fields;
}
