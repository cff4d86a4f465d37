import { NodeConnectionTypes, type IExecuteFunctions, type INodeExecutionData } from 'n8n-workflow';
import { withOtherEndpoint } from '../apiRequest/apiRequest';
import { builderHint, type ForBuilders } from '../describe/builderHint';
import { describe } from '../describe/describe';
import { hintsBeforeRuns } from '../describe/operationHints';
import { methods } from '../lookups';
import type { Resource } from '../operation/resource';
import { run } from './run';

/** What every node that acts is made of beside its own words. */
export function actionNode(name: string, own: Resource[], forBuilders: ForBuilders) {
	const resources = withOtherEndpoint(own);
	const properties = describe(resources);
	const hints = hintsBeforeRuns(resources);
	return {
		parts: {
			group: ['transform' as const],
			version: 1,
			credentials: [{ name: 'acpApi', required: true }],
			inputs: [NodeConnectionTypes.Main],
			outputs: [NodeConnectionTypes.Main],
			...(hints.length > 0 && { hints }),
			builderHint: builderHint(name, resources, properties, forBuilders),
			properties,
		},
		methods,
		async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
			return await run(this, resources);
		},
	};
}
