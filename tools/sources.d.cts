import type { contract } from './catalog.cjs';

export type Source = 'seed' | 'reference' | 'workspace' | 'client' | 'catalogue' | 'inferred';

export interface Bound {
	/** As OpenAPI names it. */
	bound: string;
	value: number | string;
	source?: Source;
}

export interface ContractField {
	/** `METHOD /path`. */
	endpoint: string;
	place: 'path' | 'query' | 'header' | 'body' | 'answer';
	/** `a.b`; `[]` stands for each entry of a list, `*` for each value of a map. */
	name: string;
	/** Absent where nothing says where the field comes from. */
	source?: Source;
	/** The field itself, or a schema above it, says so; otherwise the endpoint does. */
	marked: boolean;
	bounds: Bound[];
}

export const sources: Source[];
export const boundNames: string[];
/** Endpoints whose fields the interface document shows. */
export const shownByInterface: Set<string>;
/** Every field of every endpoint: parameters, body and successful answer. */
export function contractFields(of?: ReturnType<typeof contract>): ContractField[];
