import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { sortBy } from 'lodash';
import { apiRequestProperties } from '../apiRequest/apiRequest';
import { isRaw } from '../operation/kinds';
import type { Operation } from '../operation/operation';
import { fieldsOf, type Place, placeOfOptional } from '../operation/places';
import type { Placed } from '../fields/field';
import type { Resource } from '../operation/resource';
import { guessNotice } from '../platform/guesses';
import { sentence, sentences, title } from '../text/text';
import { inShort, type Known, shortenRepeated } from './inShort';
import { folded, furtherBodyShown, optionsOf } from './options';
import { byLabel, byName, notice, parameter } from './parameter';
import { inAnyOrder, inTheirOrder, type Shown, showOnly } from './sharing';

const listing: INodeProperties[] = [
	parameter('Return All', 'returnAll', {
		type: 'boolean',
		default: false,
		description: 'Whether to return all results or only up to a given limit',
	}),
	parameter('Limit', 'limit', {
		type: 'number',
		default: 50,
		typeOptions: { minValue: 1 },
		description: 'Max number of results to return',
		displayOptions: { show: { returnAll: [false] } },
	}),
];

const simplifying = parameter('Simplify', 'simplify', {
	type: 'boolean',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
});

function noticeOf(operation: Operation): INodeProperties[] {
	const text = sentences(operation.notice, guessNotice(operation), operation.leftOut);
	return text ? [notice(text)] : [];
}

/** The parameters of one operation, in the order of the editor; `common` are those that many have in the same words. */
function partsOf(operation: Operation) {
	const fields = fieldsOf(operation);
	const comesFirst = ({ field: { options } }: Placed) =>
		!!options.required || options.top === 'first';
	const show = (at: Place, first: boolean) =>
		fields
			.filter((placed) => placed.at === at && (at !== 'top' || comesFirst(placed) === first))
			.flatMap(({ field, name, displayName }) =>
				field.show(name, displayName).map((one) => showOnly(one, field.options.showWhen)),
			);
	const optional = placeOfOptional(operation);
	const inside = show(optional, false).sort(byName);
	const collected = parameter(title(optional), optional, {
		type: 'collection',
		placeholder: optional === 'filters' ? 'Add Filter' : 'Add Field',
		default: {},
		options: inside,
	});
	return {
		notices: noticeOf(operation),
		fields: [...show('top', true), ...show('top', false)],
		common: [
			...(isRaw(operation) ? apiRequestProperties : []),
			...(operation.pages && !operation.run ? listing : []),
			...(operation.simplify ? [simplifying] : []),
		],
		collected: inside.length > 0 ? [collected] : [],
		json: operation.openBody && operation.jsonOnTop ? furtherBodyShown : [],
		options: optionsOf(operation),
	};
}

/** The parameters of a node. Operations of a resource that have the same one share one description. */
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
			parts: partsOf(operation),
		})),
	);
	const shown = (part: keyof ReturnType<typeof partsOf>): Shown[] =>
		all.flatMap(({ resource, operation, parts }) =>
			parts[part].map((property) => ({ resource, operation, property })),
		);
	const known: Known = new Map();
	const laid = (part: 'fields' | 'collected') =>
		inTheirOrder(sorted, hintsBesideLabels(shortenRepeated(shown(part), known)));
	// First, because collections hold what other parameters repeat.
	const collected = laid('collected');
	const options = folded(inAnyOrder(sorted, shown('options'), '/'));
	return [
		...properties,
		...inOrder(inAnyOrder(sorted, shown('notices'))),
		...laid('fields'),
		...inOrder(inAnyOrder(sorted, shown('common'))),
		...collected,
		...inOrder(inAnyOrder(sorted, shown('json'))),
		inShort(options, 'Keys: as above'),
		options,
	];
}

/** The editor shows no hint at fields that hold others; without it they are the same for more operations. */
const hintsBesideLabels = (shown: Shown[]): Shown[] =>
	shown.map(({ property, ...place }) => {
		const { hint, description, ...rest } = property;
		if (!hint || !['collection', 'fixedCollection'].includes(property.type))
			return { ...place, property };
		const both = description ? `${sentence(description)} ${sentence(hint)}` : hint;
		return { ...place, property: { ...rest, description: both } };
	});

const commonOrder = [
	'notice',
	...['method', 'path', 'query', 'body', 'paginate'],
	...['returnAll', 'limit', 'simplify'],
	'bodyJson',
];

const inOrder = (properties: INodeProperties[]) =>
	sortBy(properties, ({ name }) => commonOrder.indexOf(name));
