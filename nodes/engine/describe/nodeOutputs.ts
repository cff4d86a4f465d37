import { NodeConnectionTypes, type INodeTypeDescription } from 'n8n-workflow';
import { pickBy } from 'lodash';
import type { Operation } from '../operation/operation';
import type { Resource } from '../operation/resource';

/** Whoever an operation leaves out, of those whom it could reach, leaves by an output of its own. */
export const hasSkipped = ({ reaches }: Operation): boolean => reaches !== undefined;

/** One output, or *Kept* and *Skipped* where people are reached: then an expression decides by the operation. */
export function outputsOf(resources: Resource[]): INodeTypeDescription['outputs'] {
	const chosen = resources.flatMap(({ value, operations }) =>
		Object.keys(pickBy(operations, hasSkipped)).map((operation) => `${value}.${operation}`),
	);
	const two = ['Kept', 'Skipped'].map((displayName) => ({
		type: NodeConnectionTypes.Main,
		displayName,
	}));
	if (chosen.length === 0) return [NodeConnectionTypes.Main];
	return `={{ ${JSON.stringify(chosen)}.includes($parameter["resource"] + "." + $parameter["operation"]) ? ${JSON.stringify(two)} : ["main"] }}`;
}
