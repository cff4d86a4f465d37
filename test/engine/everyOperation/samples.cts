/**
 * Values for a node's parameters, made from what the parameters themselves say: their type, bounds and options, their
 * placeholder ("e.g. …") and their samples (hint "e.g. …"). A placeholder that is no valid value is found that way too.
 */
import type { INodeParameters, INodeProperties } from 'n8n-workflow';

/** Chosen from the list where there is one: n8n checks the form of an ID within a time limit that a busy machine exceeds. */
const modeOf = (property: { modes?: Array<{ name: string }> }): string =>
	property.modes?.some(({ name }) => name === 'list') ? 'list' : 'id';

/** How much is filled in: every field, or those alone that may not be empty. */
export type Extent = 'all' | 'required';

/** Stands for a parameter that is left out. */
export const absent = Symbol('absent');

/** Values that only the workspace knows. */
export interface Known {
	/** Value of a parameter by its name, e.g. the uuid of an agent; undefined when the name means nothing special, or `absent`. */
	valueOf(property: INodeProperties, above: string[]): Promise<unknown>;
	/** The fields that a resource mapper offers, with a value each. */
	mapped(property: INodeProperties, soFar: INodeParameters): Promise<Record<string, unknown>>;
}

/** A moment far enough away that nothing has happened yet, with the day and the hour that a parameter's name asks for. */
function moment(name: string, dateOnly: boolean): string {
	const isEnd = !/^(start|from)/i.test(name) && /^to$|To$|end|until|expires/i.test(name);
	const day = isEnd && (dateOnly || !/time|at$/i.test(name)) ? '2035-03-06' : '2035-03-05';
	return dateOnly ? day : `${day}T${isEnd ? '11' : '10'}:00:00`;
}

const example = (property: INodeProperties): string | undefined => {
	const said = /^e\.g\. (.+)$/s.exec(property.placeholder ?? '')?.[1];
	if (said?.startsWith('3f2b8c1e-5d47-…')) return '3f2b8c1e-5d47-4a9b-8f60-2c1d9e7a4b35';
	return said?.includes('{{') ? undefined : said;
};

const samples = (property: INodeProperties): string[] =>
	/e\.g\. (.+)$/.exec(property.hint ?? '')?.[1]?.split(', ') ?? [];

async function leaf(
	property: INodeProperties,
	known: Known,
	above: string[],
	extent: Extent,
	soFar: INodeParameters,
): Promise<unknown> {
	const given = await known.valueOf(property, above);
	if (given === absent) return given;
	if (given !== undefined)
		return property.type === 'resourceLocator'
			? { __rl: true, mode: modeOf(property), value: given }
			: given;
	const { minValue, maxValue } = property.typeOptions ?? {};
	const path = [...above, property.name];
	switch (property.type) {
		case 'string': {
			const [sample = `Text for ${property.displayName}`] = samples(property);
			const isList = /^Separate multiple values/.test(property.hint ?? '');
			return example(property) ?? ((isList && samples(property).join(', ')) || sample);
		}
		case 'number': {
			const wanted = Number(example(property) ?? (property.default || 1));
			return Math.min(maxValue ?? Infinity, Math.max(minValue ?? -Infinity, wanted));
		}
		case 'boolean':
			return true;
		case 'options':
			return property.default || (property.options as Array<{ value: string }>)[0]?.value;
		case 'multiOptions':
			return (property.options as Array<{ value: string }>).map(({ value }) => value);
		case 'dateTime':
			return moment(property.name, property.typeOptions?.dateOnly === true);
		case 'json': {
			const filled = { '{}': '{"key": "value"}', '[]': '["value"]' }[String(property.default)];
			return example(property) ?? filled ?? property.default;
		}
		case 'resourceMapper': {
			const value = await known.mapped(property, soFar);
			const matches = property.typeOptions?.resourceMapper?.mode === 'upsert';
			return {
				mappingMode: 'defineBelow',
				value,
				...(matches ? { matchingColumns: Object.keys(value).slice(0, 1) } : {}),
			};
		}
		case 'collection': {
			const options = property.options as INodeProperties[];
			return extent === 'all' ? await fill(options, known, extent, path) : {};
		}
		case 'fixedCollection': {
			const [group] = property.options as Array<{ name: string; values: INodeProperties[] }>;
			return { [group!.name]: [await fill(group!.values, known, extent, path)] };
		}
		default:
			throw new Error(`There is no sample for ${path.join('.')}, of the type ${property.type}`);
	}
}

/** Parameters that are behaviour, not fields: tested on their own. */
const behaviour = new Set(['options', 'returnAll', 'limit', 'simplify']);

/** Options without what is behaviour: JSON beside the fields. */
const furtherJson = (options: INodeProperties): INodeProperties => ({
	...options,
	options: (options.options as INodeProperties[]).filter(({ type }) => type === 'json'),
});

/** Whether a parameter is shown beside the values chosen so far. */
export const isShown = ({ displayOptions }: INodeProperties, values: INodeParameters): boolean =>
	Object.entries(displayOptions?.show ?? {}).every(
		([name, wanted]) =>
			name === 'resource' || name === 'operation' || (wanted as unknown[]).includes(values[name]),
	);

/** Values for all parameters of a level. */
export async function fill(
	properties: INodeProperties[],
	known: Known,
	extent: Extent,
	above: string[] = [],
	chosen: INodeParameters = {},
): Promise<INodeParameters> {
	const values: INodeParameters = { ...chosen };
	// Mapped fields depend on what was chosen beside them.
	const inOrder = [...properties].sort(
		(a, b) => Number(a.type === 'resourceMapper') - Number(b.type === 'resourceMapper'),
	);
	for (const property of inOrder) {
		if (property.name === 'options' && above.length === 0 && extent === 'all') {
			const further = furtherJson(property);
			if (further.options!.length)
				values.options = (await leaf(further, known, above, extent, values)) as INodeParameters;
			continue;
		}
		if (
			property.type === 'notice' ||
			(above.length === 0 && behaviour.has(property.name)) ||
			property.name in chosen
		)
			continue;
		if (!isShown(property, values)) continue;
		if (extent === 'required' && !property.required) continue;
		const value = await leaf(property, known, above, extent, values);
		if (value !== absent) values[property.name] = value as INodeParameters[string];
	}
	return values;
}

/**
 * The forms of an operation: dropdowns that decide which other parameters are shown are set to one value for each set of
 * parameters that they can show. @returns chosen values per form; a single empty one where nothing depends on anything
 */
export function forms(properties: INodeProperties[]): INodeParameters[] {
	const deciding = new Set(
		properties.flatMap(({ displayOptions }) => Object.keys(displayOptions?.show ?? {})),
	);
	let result: INodeParameters[] = [{}];
	for (const property of properties) {
		if (property.type !== 'options' || !deciding.has(property.name)) continue;
		const byShown = new Map<string, string>();
		for (const { value } of property.options as Array<{ value: string }>) {
			const shown = properties.filter(({ displayOptions }) =>
				(displayOptions?.show?.[property.name] as string[] | undefined)?.includes(value),
			);
			byShown.set(shown.map(({ name }) => name).join(), value);
		}
		result = result.flatMap((form) =>
			isShown(property, form)
				? [...byShown.values()].map((value) => ({ ...form, [property.name]: value }))
				: [form],
		);
	}
	return result;
}
