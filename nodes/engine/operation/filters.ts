import type { IDataObject } from 'n8n-workflow';
import { get, gte, lt } from 'lodash';
import type { Field } from '../fields/field';
import { instant } from '../fields/time';
import { hasOffset } from '../time';

/** A filter that the platform does not offer, or whose name is our guess: rows are sorted out here. */
export interface Filter<T = unknown> {
	field: Field<T, unknown>;
	/** Also sent, under the filter's name, because the platform may understand it. */
	guessed: boolean;
	/** Whether a row stays; undefined if the row does not show what is asked about. */
	keeps(row: IDataObject, value: T): boolean | undefined;
}

export type Filters = Record<string, Filter>;

/** A filter that is applied here alone. */
export const ownFilter = <T>(field: Field<T, unknown>, keeps: Filter<T>['keeps']): Filter<T> => ({
	field,
	keeps,
	guessed: false,
});

/** A filter that is sent under a name that is our guess, and applied here in case nothing comes of it. */
export const guessedFilter = <T>(
	field: Field<T, unknown>,
	keeps: Filter<NoInfer<T>>['keeps'],
): Filter<T> & { guessed: true } => ({ field, keeps, guessed: true });

/** When a record was created; undefined if it does not show a moment. */
export const createdAt = ({ created_at: created }: IDataObject): number | undefined =>
	typeof created === 'string' && hasOffset(created) ? Date.parse(created) : undefined;

const created = (when: string, fits: (at: number, moment: number) => boolean) =>
	ownFilter(instant(when, { needsOffset: 'compared' }), (row, moment) => {
		const at = createdAt(row);
		return at === undefined ? undefined : fits(at, Date.parse(moment));
	});

/** Records of a period, by `created_at`. @param what the records, as people call them */
export const createdWithin = (what: string) => ({
	created_after: created(`Only ${what} created at this time or later`, gte),
	created_before: created(`Only ${what} created before this time`, lt),
});

const lower = (value: unknown): string => String(value).trim().toLowerCase();

/** A key of the row has the value, in capitals or not. */
export const hasValue =
	(key: string): Filter['keeps'] =>
	(row, value) => {
		const shown: unknown = get(row, key);
		return shown === undefined || shown === null ? undefined : lower(shown) === lower(value);
	};

/** Every word looked for is in one of these keys of the row. */
export const hasWords =
	(...keys: string[]): Filter['keeps'] =>
	(row, search) => {
		const shown = keys
			.map((key) => get(row, key) as unknown)
			.filter((part) => typeof part === 'string');
		if (shown.length === 0) return undefined;
		const text = lower(shown.join(' '));
		return lower(search)
			.split(/\s+/)
			.every((word) => text.includes(word));
	};
