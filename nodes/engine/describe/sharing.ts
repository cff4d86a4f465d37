import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';
import { difference, intersection, minBy, union } from 'lodash';
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

/** Names of operations, by resource. */
export type Operations = Map<string, string[]>;

/** Adds an operation. */
export const addTo = (by: Operations, resource: string, operation: string): Operations =>
	by.set(resource, [...(by.get(resource) ?? []), operation]);

/**
 * Resources and operations as few and short conditions of n8n's: any of these resources with any of these operations. A
 * condition that says nothing is absent.
 * @param above what leads from the parameter to the node's: a slash inside a collection
 */
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

/** A parameter with all operations that show it. */
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

/**
 * Each parameter once for all operations of the node that show it, wherever n8n's conditions can say so.
 * @param above a slash for options of a collection
 */
export function inAnyOrder(
	resources: Resource[],
	shown: Shown[],
	above: '' | '/' = '',
): INodeProperties[] {
	const found = new Map<string, Laid>();
	for (const { resource, operation, property } of shown) {
		const text = JSON.stringify(property);
		const entry = found.get(text) ?? { text, property, by: new Map<string, string[]>() };
		addTo(entry.by, resource, operation);
		found.set(text, entry);
	}
	return laidOut(resources, [...found.values()], above);
}

/** What each operation shows. */
function listsOf(shown: Shown[]): Laid[][] {
	const lists = new Map<string, Laid[]>();
	for (const { resource, operation, property } of shown) {
		const place = `${resource}.${operation}`;
		const list = lists.get(place) ?? [];
		list.push({ text: JSON.stringify(property), property, by: new Map([[resource, [operation]]]) });
		lists.set(place, list);
	}
	return [...lists.values()];
}

/** Two lists as one that keeps the order of both and has as much of both only once as it can. */
function joined(laid: Laid[], own: Laid[]): Laid[] {
	// shared[i][j]: characters that the lists share from these places on
	const shared = laid.map(() => own.map(() => 0));
	const from = (i: number, j: number) => shared[i]?.[j] ?? 0;
	for (let i = laid.length - 1; i >= 0; i--)
		for (let j = own.length - 1; j >= 0; j--)
			(shared[i] as number[])[j] =
				laid[i]?.text === own[j]?.text
					? from(i + 1, j + 1) + (own[j] as Laid).text.length
					: Math.max(from(i + 1, j), from(i, j + 1));
	const result: Laid[] = [];
	let [i, j] = [0, 0];
	while (i < laid.length || j < own.length) {
		const [one, mine] = [laid[i], own[j]];
		if (one && one.text === mine?.text) {
			for (const [resource, operations] of mine.by)
				for (const operation of operations) addTo(one.by, resource, operation);
			result.push(one);
			i++;
			j++;
		} else if (one && (!mine || from(i + 1, j) >= from(i, j + 1))) {
			result.push(one);
			i++;
		} else {
			result.push(mine as Laid);
			j++;
		}
	}
	return result;
}

/** The same for parameters that each operation shows in an order of its own. */
export const inTheirOrder = (resources: Resource[], shown: Shown[]): INodeProperties[] =>
	laidOut(resources, listsOf(shown).reduce(joined, []));
