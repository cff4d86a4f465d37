import type { IExecuteFunctions, INodeExecutionData, INodeTypeDescription } from 'n8n-workflow';
import { builderHint, type ForBuilders } from '../describe/builderHint';
import { describe } from '../describe/describe';
import { hintsBeforeRuns } from '../describe/operationHints';
import { methods } from '../lookups';
import type { Resource } from '../operation/resource';
import { run } from './run';

/**
 * What every node that acts is made of beside its own words: the parameters of its resources, and what runs them.
 * @param name of the node
 */
export function actionNode(name: string, resources: Resource[], forBuilders: ForBuilders) {
	const properties = describe(resources);
	const hints = hintsBeforeRuns(resources);
	const parts: Pick<INodeTypeDescription, 'properties' | 'builderHint' | 'hints'> = {
		...(hints.length > 0 && { hints }),
		builderHint: builderHint(name, resources, properties, forBuilders),
		properties,
	};
	return {
		parts,
		methods,
		async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
			return await run(this, resources);
		},
	};
}
