import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';
import { difference, union } from 'lodash';
import type { Resource } from '../operation/resource';

/** A parameter, or an option, where an operation shows it. */
export interface Shown {
	resource: string;
	operation: string;
	property: INodeProperties;
}

/** Shows a parameter under further conditions. */
export const showOnly = (
	property: INodeProperties,
	show: IDisplayOptions['show'],
): INodeProperties =>
	Object.keys(show ?? {}).length === 0
		? property
		: {
				...property,
				displayOptions: {
					...property.displayOptions,
					show: { ...show, ...property.displayOptions?.show },
				},
			};

type Operations = Map<string, string[]>;

/**
 * Resources and operations as few conditions of n8n's: any of these resources with any of these operations. A condition
 * that says nothing is absent.
 * @param by operations by resource
 * @param above what leads from the parameter to the node's: a slash inside a collection
 */
function conditions(resources: Resource[], by: Operations, above: '' | '/'): IDisplayOptions[] {
	const fits = (names: string[], operations: string[]) =>
		resources
			.filter(({ value }) => names.includes(value))
			.every((one) =>
				operations.every(
					(operation) => !one.operations[operation] || by.get(one.value)?.includes(operation),
				),
			);
	const everywhere = resources.map(({ value }) => value);
	const every = union(...[...by.values()]);
	if (
		resources.every(
			({ value, operations }) => by.get(value)?.length === Object.keys(operations).length,
		)
	)
		return [{}];
	if (fits(everywhere, every)) {
		const others = difference(
			union(...resources.map(({ operations }) => Object.keys(operations))),
			every,
		);
		// n8n's AI builder looks at what is hidden only if nothing is said about what is shown, so it gets the latter.
		return above === '/' && others.length < every.length
			? [{ hide: { '/operation': others } }]
			: [{ show: { [`${above}operation`]: every } }];
	}
	const places: Array<{ resource: string[]; operation: string[] }> = [];
	for (const [value, names] of by) {
		const place = places.find(({ resource, operation }) =>
			fits([...resource, value], union(operation, names)),
		);
		if (place) {
			place.resource.push(value);
			place.operation = union(place.operation, names);
		} else {
			places.push({ resource: [value], operation: names });
		}
	}
	return places.map(({ resource, operation }) => ({
		show: { [`${above}resource`]: resource, [`${above}operation`]: operation },
	}));
}

/**
 * Each parameter once for all operations of the node that show it, wherever n8n's conditions can say so.
 * @param shown in the order of the editor for each operation
 * @param above a slash for options of a collection
 */
export function across(
	resources: Resource[],
	shown: Shown[],
	above: '' | '/' = '',
): INodeProperties[] {
	const found = new Map<string, { property: INodeProperties; by: Operations }>();
	for (const { resource, operation, property } of shown) {
		const text = JSON.stringify(property);
		const entry = found.get(text) ?? { property, by: new Map<string, string[]>() };
		entry.by.set(resource, [...(entry.by.get(resource) ?? []), operation]);
		found.set(text, entry);
	}
	return [...found.values()].flatMap(({ property, by }) =>
		conditions(resources, by, above).map(({ show, hide }) =>
			hide ? { ...property, displayOptions: { hide } } : showOnly(property, show),
		),
	);
}

/** Each parameter once for the operations of one resource that show it; keeps the order of each operation. */
export function within(resource: Resource, shown: Shown[]): INodeProperties[] {
	const every = Object.keys(resource.operations).length;
	const laid: Array<{ text: string; property: INodeProperties; operations: string[] }> = [];
	let from = 0;
	let before: string | undefined;
	for (const { operation, property } of shown) {
		if (operation !== before) from = 0;
		before = operation;
		const text = JSON.stringify(property);
		const at = laid.findIndex((entry, index) => index >= from && entry.text === text);
		if (at >= 0) {
			laid[at]?.operations.push(operation);
			from = at + 1;
		} else {
			laid.splice(from, 0, { text, property, operations: [operation] });
			from++;
		}
	}
	return laid.map(({ property, operations }) =>
		showOnly(property, {
			resource: [resource.value],
			...(operations.length < every ? { operation: operations } : {}),
		}),
	);
}
