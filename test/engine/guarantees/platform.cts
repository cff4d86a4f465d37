/** The platform for tests of guarantees. */
import type { IDataObject } from 'n8n-workflow';
import { usePlatform as usePlatformOf } from '../harness/index.cts';
import { unsaid } from './saidOptions.cjs';

/**
 * As the harness has it. A guarantee is what people get who change nothing: a test whose node has another option that
 * bears on it ends here, unless its title says so.
 */
export function usePlatform(
	...options: Parameters<typeof usePlatformOf>
): ReturnType<typeof usePlatformOf> {
	const platform = usePlatformOf(...options);
	beforeAll(() => {
		const { engine } = platform;
		const workflowOf = engine.nodeWorkflow.bind(engine);
		engine.nodeWorkflow = (nodeType, parameters, node) => {
			const title = expect.getState().currentTestName ?? '';
			const options = parameters.options as IDataObject | undefined;
			const missing = title.startsWith('Guarantee: ') ? unsaid(title, options) : [];
			if (missing.length > 0)
				throw new Error(`The title does not say that the node has ${missing.join(' and ')}`);
			return workflowOf(nodeType, parameters, node);
		};
	});
	return platform;
}
