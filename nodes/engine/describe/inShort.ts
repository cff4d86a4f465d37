import { omit } from 'lodash';
import type { INodeProperties, INodePropertyCollection } from 'n8n-workflow';
import { sentence } from '../text/text';
import type { Shown } from './sharing';

/** No node has this version, so no editor shows what is for it alone. */
const noVersion = 0;

/** n8n's AI builder takes the first parameter of one name. @param says where the long one is described */
export const inShort = (property: INodeProperties, says: string): INodeProperties => ({
	displayName: property.displayName,
	name: property.name,
	type: 'collection',
	default: {},
	description: says,
	displayOptions: {
		...property.displayOptions,
		show: { ...property.displayOptions?.show, '@version': [noVersion] },
	},
});

const keysAs = (
	{ displayName, description = displayName, hint }: INodeProperties,
	before: string,
) =>
	[description, hint, `Keys as in ${before}`]
		.filter((text) => text !== undefined)
		.map(sentence)
		.join(' ');

/** The same inside a collection, whose short form is hidden as a whole. */
const nestedInShort = (property: INodeProperties, before: string) =>
	omit(inShort(property, keysAs(property, before)), 'displayOptions');

/** From here on it is worth reading a parameter once instead of twice. */
const long = 1000;

type Entries = NonNullable<INodeProperties['options']>;

const insideOf = (entry: Entries[number]): Entries =>
	(entry as INodePropertyCollection).values ?? (entry as INodeProperties).options ?? [];

const namesIn = (entry: Entries[number]): string =>
	`(${insideOf(entry)
		.map((inner) => inner.name + namesIn(inner))
		.sort()
		.join()})`;

function* longOnes(entry: Entries[number], path = entry.name): Generator<[string, string]> {
	if (JSON.stringify(insideOf(entry)).length < long) return;
	yield [namesIn(entry), path];
	for (const inner of insideOf(entry)) yield* longOnes(inner, `${path}.${inner.name}`);
}

export type Known = Map<string, string>;

function insideInShort(entry: Entries[number], known: Known): Entries | undefined {
	const all = insideOf(entry);
	const inside = all.map((inner) => {
		const before = known.get(namesIn(inner));
		if (before !== undefined) return nestedInShort(inner as INodeProperties, before);
		const nested = insideInShort(inner, known);
		return nested ? { ...inner, ['values' in inner ? 'values' : 'options']: nested } : inner;
	});
	return inside.some((inner, at) => inner !== all[at]) ? (inside as Entries) : undefined;
}

/** A short form before each long parameter that has the fields of an earlier one. @param known gets what is described here */
export function shortenRepeated(shown: Shown[], known: Known): Shown[] {
	return shown.flatMap((one) => {
		const { resource, operation, property } = one;
		if (property.type !== 'collection' && property.type !== 'fixedCollection') return [one];
		const short = (inner: INodeProperties) => ({ resource, operation, property: inner });
		const before = known.get(namesIn(property));
		if (before !== undefined) return [short(inShort(property, keysAs(property, before))), one];
		const changed =
			property.type === 'collection'
				? insideInShort(property, known)?.filter((inner) => !insideOf(property).includes(inner))
				: undefined;
		for (const [key, path] of longOnes(property))
			if (!known.has(key)) known.set(key, `"${path}" of ${resource}.${operation}`);
		if (changed === undefined) return [one];
		const { description = property.displayName } = property;
		return [short({ ...inShort(property, description), options: changed }), one];
	});
}
