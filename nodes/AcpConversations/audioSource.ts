import type { INodeProperties } from 'n8n-workflow';
import { binary, choice, type Field, url } from '../engine/fields';
import { readDeciding } from '../engine/fields/answered';
import { place, type Placed, readFields, showAll } from '../engine/fields/structure';

const [name, displayName] = ['audioSource', 'Audio Source'];
const description = 'Where the recording comes from';
const sources = ['binary', 'url'];
const from = choice(
	[
		{ name: 'Input Binary Field', value: 'binary', description: 'A file of the input item' },
		{ name: 'URL', value: 'url', description: 'A file on the web, read by the platform' },
	],
	description,
);
const parts = place({
	voice_file: binary(),
	voice_url: url('Where the platform reads the audio from', { required: true }),
});

/** A recording that is either uploaded from the input item or read by the platform from a URL: one of two body fields. */
export const audioSource: Field<never> = {
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
