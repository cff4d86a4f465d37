import type { INodeProperties } from 'n8n-workflow';
import { camelCase } from 'lodash';
import { readDeciding } from './answered';
import { type Field, type FieldOptions, leaf } from './field';
import { choice, url } from './scalar';
import { place, type Placed, readFields, showAll } from './structure';

export class BinaryReference {
	constructor(
		readonly property: string,
		readonly item: number,
		readonly label: string,
		readonly maxBytes: number,
	) {}

	toJSON(): string {
		return `[file in the input field "${this.property}"]`;
	}
}

export const megabyte = 1024 * 1024;

interface BinaryOptions extends FieldOptions {
	/** Largest file in megabytes, if the platform states a limit below the general one. */
	maxMegabytes?: number;
}

/** Form data is held in memory while it is sent, so the size of one upload has a limit, in megabytes. */
export const mostMegabytes = 128;

/** A file taken from an input item's binary field; sent as multipart form data (interface §4). */
export function binary(given: BinaryOptions = {}): Field<string, BinaryReference> {
	const maxMegabytes = Math.min(given.maxMegabytes ?? mostMegabytes, mostMegabytes);
	const options: FieldOptions = {
		name: 'binaryPropertyName',
		displayName: 'Input Binary Field',
		required: true,
		placeholder: 'e.g. data',
		hint: `Name of the input field that contains the file, at most ${maxMegabytes} MB`,
		...given,
	};
	return leaf<unknown>(
		options,
		{ type: 'string', default: 'data' },
		(value, _fail, { item }, label) =>
			new BinaryReference(String(value).trim(), item, label(), maxMegabytes * megabyte),
		{ missing: 'is empty. Enter the name of the input field that contains the file' },
	) as Field<string, BinaryReference>;
}

interface FileOrUrl {
	file: string;
	url: string;
	/** What it is, for people: "Audio". */
	what: string;
	description: string;
}

/**
 * A file that is either uploaded from the input item or read by the platform from a URL. Its value is beside the other
 * body fields, under one of two names. The parameters are `<what>Source` and those of the file and the URL.
 */
export function fileOrUrl({ file, url: link, what, description }: FileOrUrl): Field<never> {
	const name = `${camelCase(what)}Source`;
	const displayName = `${what} Source`;
	const ofWeb = `Where the platform reads the ${what.toLowerCase()} from`;
	const parts = place({ [file]: binary(), [link]: url(ofWeb, { required: true }) });
	const sources = ['binary', 'url'];
	const from = choice(
		[
			{ name: 'Input Binary Field', value: 'binary', description: 'A file of the input item' },
			{ name: 'URL', value: 'url', description: 'A file on the web, read by the platform' },
		],
		description,
	);
	return {
		spread: true,
		isFile: true,
		decides: true,
		options: { required: true, name, displayName, description },
		show: () => [
			...from.show(name, displayName),
			...parts.flatMap((part, at) =>
				showAll([part]).map((property): INodeProperties => ({
					...property,
					displayOptions: { show: { [name]: [sources[at] as string] } },
				})),
			),
		],
		read: (source) => {
			const chosen = readDeciding(from, source, name, displayName) ?? 'binary';
			return readFields([parts[sources.indexOf(chosen)] as Placed], source) as never;
		},
	};
}
