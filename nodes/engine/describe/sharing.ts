import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';
import { difference, findLastIndex, groupBy, intersection, minBy, sortBy, union } from 'lodash';
import type { Resource } from '../operation/resource';

export interface Shown {
	resource: string;
	operation: string;
	property: INodeProperties;
}

export const showOnly = (
	property: INodeProperties,
	show: IDisplayOptions['show'] = {},
): INodeProperties =>
	Object.keys(show).length === 0
		? property
		: {
				...property,
				displayOptions: {
					...property.displayOptions,
					show: { ...show, ...property.displayOptions?.show },
				},
			};

export type Operations = Map<string, string[]>;

export const addTo = (by: Operations, resource: string, operation: string): Operations =>
	by.set(resource, [...(by.get(resource) ?? []), operation]);

/** As few and short conditions as n8n can express. @param above leads to the node's parameters: a slash inside a collection */
export function conditions(
	resources: Resource[],
	by: Operations,
	above: '' | '/' = '',
): IDisplayOptions[] {
	const ofNode = new Map(resources.map((one) => [one.value, Object.keys(one.operations)]));
	/** Whether a place has all that these resources have of these operations. */
	const fits = (place: Operations, names: Iterable<string>, operations: string[]) =>
		[...names].every(
			(name) =>
				difference(intersection(ofNode.get(name), operations), place.get(name) ?? []).length === 0,
		);
	const shortest = (place: Operations): IDisplayOptions | undefined => {
		const operation = union(...place.values());
		const all = union(...ofNode.values());
		const ofResources = { [`${above}resource`]: [...place.keys()] };
		const ofOperations = { [`${above}operation`]: operation };
		const ways: IDisplayOptions[] = [];
		if (fits(place, ofNode.keys(), all)) ways.push({});
		if (fits(place, place.keys(), all)) ways.push({ show: ofResources });
		if (fits(place, place.keys(), operation))
			ways.push({ show: { ...ofResources, ...ofOperations } });
		if (fits(place, ofNode.keys(), operation)) {
			ways.push({ show: ofOperations });
			// n8n's AI builder looks at what is hidden only if nothing is said about what is shown, so it gets the latter.
			if (above) ways.push({ hide: { [`${above}operation`]: difference(all, operation) } });
		}
		return minBy(ways, (way) => JSON.stringify(way).length);
	};
	const one = shortest(by);
	if (one) return [one];
	const places: Operations[] = [];
	for (const [value, operations] of by) {
		const place = places.find((place) =>
			fits(by, [...place.keys(), value], union(operations, ...place.values())),
		);
		if (place) place.set(value, operations);
		else places.push(new Map([[value, operations]]));
	}
	return places.flatMap((place) => shortest(place) ?? []);
}

interface Laid {
	text: string;
	property: INodeProperties;
	by: Operations;
}

const laidOut = (resources: Resource[], laid: Laid[], above: '' | '/' = ''): INodeProperties[] =>
	laid.flatMap(({ property, by }) =>
		conditions(resources, by, above).map(({ show, hide }) =>
			hide ? { ...property, displayOptions: { hide } } : showOnly(property, show),
		),
	);

/** Each parameter once for all operations of the node that show it, wherever n8n's conditions can say so. */
export function inAnyOrder(
	resources: Resource[],
	shown: Shown[],
	above: '' | '/' = '',
): INodeProperties[] {
	const laid = new Map<string, Laid>();
	for (const { resource, operation, property } of shown) {
		const text = JSON.stringify(property);
		const entry = laid.get(text) ?? { text, property, by: new Map<string, string[]>() };
		addTo(entry.by, resource, operation);
		laid.set(text, entry);
	}
	return laidOut(resources, [...laid.values()], above);
}

/**
 * The same for parameters that each operation shows in an order of its own. Long lists are laid first; from the end of
 * each, a parameter that is laid already, before what follows it, is shared; any other goes there.
 */
export function inTheirOrder(resources: Resource[], shown: Shown[]): INodeProperties[] {
	const lists = Object.values(groupBy(shown, (one) => `${one.resource}.${one.operation}`));
	const laid: Laid[] = [];
	for (const list of sortBy(lists, ({ length }) => -length)) {
		let next = laid.length;
		for (const { resource, operation, property } of list.reverse()) {
			const text = JSON.stringify(property);
			const found = findLastIndex(laid.slice(0, next), { text });
			if (found < 0) laid.splice(next, 0, { text, property, by: new Map() });
			else next = found;
			addTo((laid[next] as Laid).by, resource, operation);
		}
	}
	return laidOut(resources, laid);
}
