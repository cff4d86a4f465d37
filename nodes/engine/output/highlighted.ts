import type { IExecuteFunctions } from 'n8n-workflow';

/** Maximum of texts per key and execution: nodes, their runs and tools. */
const mostTexts = 10;

/**
 * Leaves a text with the execution, which the editor shows as Highlighted data: it stays, whatever becomes of the nodes
 * behind. n8n keeps 512 characters of it. Never throws.
 * @param key "acp_done"; with a number from the second one on
 */
export function highlight({ context }: { context: IExecuteFunctions }, key: string, text: string) {
	try {
		const { customData } = context.getWorkflowDataProxy(0).$execution;
		const names = Array.from({ length: mostTexts }, (_, at) => (at ? `${key}_${at + 1}` : key));
		const free = names.find((name) => customData.get(name) === undefined);
		if (free) customData.set(free, text);
	} catch (thrown) {
		context.logger.warn(String(thrown));
	}
}
