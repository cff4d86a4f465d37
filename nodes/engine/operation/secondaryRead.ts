import type { IDataObject } from 'n8n-workflow';
import { get, mapValues } from 'lodash';
import type { Endpoint, PathOf } from '../fields/shape';
import { fillPath } from '../http/path';
import { readSame } from '../response/response';

export interface PathValue {
	from: 'request' | 'response';
	/** Path parameter of the request, or key of the response (`a.b` for nested ones). */
	name: string;
}

export const fromRequest = (name: string): PathValue => ({ from: 'request', name });

export const fromResponse = (name: string): PathValue => ({ from: 'response', name });

/** A read beside the request itself: before it, after it, or to find out its outcome. */
export interface SecondaryRead {
	/** Path below `/api/v1`, with `{name}` for its values. */
	template: string;
	path: Record<string, PathValue>;
}

/** Declares a secondary read; the compiler checks the endpoint and that each value of its path has a source. */
export function read<E extends Extract<Endpoint, `GET ${string}`>>(
	endpoint: E,
	...[path]: keyof PathOf<E> extends never ? [] : [Record<keyof PathOf<E>, PathValue>]
): SecondaryRead {
	return { template: endpoint.slice('GET '.length), path: path ?? {} };
}

export const valuesOfRead = (
	{ path }: SecondaryRead,
	request: IDataObject,
	response: IDataObject = {},
): IDataObject =>
	mapValues(path, ({ from, name }) => get(from === 'request' ? request : response, name));

/** The path below `/api/v1`. @throws UnsafePath if a value is missing or would lead elsewhere */
export const pathOfRead = (
	read: SecondaryRead,
	request: IDataObject,
	response?: IDataObject,
): string => {
	const values = valuesOfRead(read, request, response);
	return fillPath(read.template, (name) => values[name]);
};

/** Reads a record that a secondary read asks for by its ID; see `readSame`. */
export const readSameOf = (
	read: SecondaryRead,
	request: IDataObject,
	response?: IDataObject,
	mayBeEmpty?: boolean,
): ReturnType<typeof readSame> =>
	readSame(read.template, valuesOfRead(read, request, response), mayBeEmpty);
