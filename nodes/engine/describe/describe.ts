import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { sortBy } from 'lodash';
import { apiRequestProperties } from '../apiRequest/apiRequestParameters';
import { isRaw } from '../operation/kinds';
import type { Operation } from '../operation/operation';
import { fieldsOf, isGuessed, type Place, placeOfOptional } from '../operation/places';
import type { Placed } from '../fields/field';
import type { Resource } from '../operation/resource';
import { guessHint, guessNotice } from '../platform/guesses';
import { sentence } from '../text/text';
import { inShort, type Known, shortenRepeated } from './inShort';
import { furtherBodyShown, optionsOf } from './options';
import { byLabel, byName, parameter } from './parameter';
import { inAnyOrder, inTheirOrder, type Shown, showOnly } from './sharing';

const collectionNames: Record<
	Exclude<Place, 'top'>,
	{ displayName: string; placeholder: string }
> = {
	additionalFields: { displayName: 'Additional Fields', placeholder: 'Add Field' },
	updateFields: { displayName: 'Update Fields', placeholder: 'Add Field' },
	filters: { displayName: 'Filters', placeholder: 'Add Filter' },
};

/** Fields whose names are a guess say so in their hints, inside collections and rows too. */
function withGuesses(
	property: INodeProperties,
	placed: Placed,
	operation: Operation,
	above: string[] = [],
): INodeProperties {
	const path = [...above, ...placed.path];
	const inside = placed.field.inside ?? [];
	const isMapper = property.type === 'resourceMapper';
	const guessed = [path, ...(isMapper ? inside.map((one) => [...path, ...one.path]) : [])].filter(
		(one) => isGuessed(operation, { part: 'body', path: one }),
	);
	const guess = guessHint(guessed);
	const hint = guessed.length
		? { hint: property.hint ? [property.hint, guess].map(sentence).join(' ') : guess }
		: {};
	const within = (one: INodeProperties): INodeProperties => {
		const entry = inside.find(({ name }) => name === one.name);
		if (entry) return withGuesses(one, entry, operation, path);
		return one.type === 'collection' ? { ...one, options: below(one.options) } : one;
	};
	const below = (options: INodeProperties['options']) =>
		options?.map((one) =>
			'values' in one ? { ...one, values: one.values.map(within) } : within(one as INodeProperties),
		) as INodeProperties['options'];
	return {
		...property,
		...hint,
		...(inside.length && property.options ? { options: below(property.options) } : {}),
	};
}

/** The parameters of one operation but its options, in the order of the editor. */
interface Parts {
	notices: INodeProperties[];
	fields: INodeProperties[];
	/** What many operations have in the same words. */
	common: INodeProperties[];
	/** The collection of optional fields. */
	collected: INodeProperties[];
	json: INodeProperties[];
}

function partsOf(operation: Operation): Parts {
	const notices: INodeProperties[] = [];
	const common: INodeProperties[] = [];
	if (operation.notice) {
		notices.push(parameter(operation.notice, 'notice', { type: 'notice', default: '' }));
	}
	if (isRaw(operation))
		return { notices, fields: [], common: apiRequestProperties, collected: [], json: [] };
	const notice = guessNotice(operation);
	if (notice) notices.push(parameter(notice, 'guessNotice', { type: 'notice', default: '' }));
	if (operation.leftOut)
		notices.push(parameter(operation.leftOut, 'leftOutNotice', { type: 'notice', default: '' }));
	const fields = fieldsOf(operation);
	const show = (at: Place, required: boolean) =>
		fields
			.filter(
				(field) => field.at === at && (at !== 'top' || !!field.field.options.required === required),
			)
			.flatMap((placed) => {
				const { field, name, displayName } = placed;
				return field.show(name, displayName).map((property) => {
					const marked =
						placed.part === 'body' ? withGuesses(property, placed, operation) : property;
					return field.options.showWhen ? showOnly(marked, field.options.showWhen) : marked;
				});
			});
	const own = [...show('top', true), ...show('top', false)];
	if (operation.pages && !operation.run) {
		common.push(
			{
				displayName: 'Return All',
				name: 'returnAll',
				type: 'boolean',
				default: false,
				description: 'Whether to return all results or only up to a given limit',
			},
			{
				displayName: 'Limit',
				name: 'limit',
				type: 'number',
				default: 50,
				typeOptions: { minValue: 1 },
				description: 'Max number of results to return',
				displayOptions: { show: { returnAll: [false] } },
			},
		);
	}
	if (operation.simplify) {
		common.push({
			displayName: 'Simplify',
			name: 'simplify',
			type: 'boolean',
			default: true,
			description: 'Whether to return a simplified version of the response instead of the raw data',
		});
	}
	const optional = placeOfOptional(operation);
	const inside = show(optional, false).sort(byName);
	const collected = inside.length
		? [
				parameter(collectionNames[optional].displayName, optional, {
					type: 'collection',
					placeholder: collectionNames[optional].placeholder,
					default: {},
					options: inside,
				}),
			]
		: [];
	const json = operation.openBody && operation.jsonOnTop ? furtherBodyShown : [];
	return { notices, fields: own, common, collected, json };
}

/**
 * The parameters of a node: resource, operation, and every field of every operation. Operations of a resource that have
 * the same parameter share one description.
 */
export function describe(resources: Resource[]): INodeProperties[] {
	const sorted = [...resources].sort(byLabel);
	const properties: INodeProperties[] = [
		parameter('Resource', 'resource', {
			type: 'options',
			noDataExpression: true,
			options: sorted.map(({ label, value, description }) => ({
				name: label,
				value,
				...(description ? { description } : {}),
			})),
			default: (resources[0] as Resource).value,
		}),
	];
	for (const { value, operations, defaultOperation } of sorted) {
		properties.push(
			parameter('Operation', 'operation', {
				type: 'options',
				noDataExpression: true,
				displayOptions: { show: { resource: [value] } },
				options: Object.entries(operations)
					.map(([operationValue, { name, action, description, tool }]): INodePropertyOptions => ({
						name,
						value: operationValue,
						action,
						description: description ?? action,
						...(tool === false ? { displayOptions: { hide: { '@tool': [true] } } } : {}),
					}))
					.sort((a, b) => a.name.localeCompare(b.name)),
				default: defaultOperation ?? (Object.keys(operations)[0] as string),
			}),
		);
	}
	const all = sorted.flatMap(({ value, operations }) =>
		Object.entries(operations).map(([name, operation]) => ({
			resource: value,
			operation: name,
			parts: { ...partsOf(operation), options: optionsOf(operation) },
		})),
	);
	const shown = (part: keyof Parts | 'options'): Shown[] =>
		all.flatMap(({ resource, operation, parts }) =>
			parts[part].map((property) => ({ resource, operation, property })),
		);
	const known: Known = new Map();
	const laid = (part: 'fields' | 'collected') =>
		inTheirOrder(sorted, hintsAsNotices(shortenRepeated(shown(part), known)));
	// First, because collections hold what other parameters repeat.
	const collected = laid('collected');
	return [
		...properties,
		...inOrder(inAnyOrder(sorted, shown('notices'))),
		...laid('fields'),
		...inOrder(inAnyOrder(sorted, shown('common'))),
		...collected,
		...inOrder(inAnyOrder(sorted, shown('json'))),
		...optionsCollection(inAnyOrder(sorted, shown('options'), '/').sort(byName)),
	];
}

/** The `options` collection with every option of the node; each operation shows those that it has. */
function optionsCollection(options: INodeProperties[]): INodeProperties[] {
	const collection = parameter('Options', 'options', {
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		options,
	});
	return [inShort(collection, 'Keys: as above'), collection];
}

/** The editor shows no hint at fields that hold others; without it they are the same for more operations. */
const hintsAsNotices = (shown: Shown[]): Shown[] =>
	shown.flatMap(({ property: { hint, ...property }, ...place }) =>
		hint && (property.type === 'collection' || property.type === 'fixedCollection')
			? [
					{ ...place, property },
					{
						...place,
						property: parameter(sentence(hint), `${property.name}Hint`, {
							type: 'notice',
							default: '',
						}),
					},
				]
			: [{ ...place, property: { ...property, ...(hint ? { hint } : {}) } }],
	);

/** Parameters that many operations share, in the order of the editor. */
const commonOrder = [
	...['notice', 'guessNotice', 'leftOutNotice'],
	...['method', 'path', 'query', 'body', 'paginate'],
	...['returnAll', 'limit', 'simplify'],
	'bodyJson',
];

const inOrder = (properties: INodeProperties[]) =>
	sortBy(properties, ({ name }) => commonOrder.indexOf(name));
