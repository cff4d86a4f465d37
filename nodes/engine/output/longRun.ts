import { type Execution } from '../execution';
import { longRun, sendsPerSecond } from '../operation/forMany';
import { spanOf } from '../text/text';

/**
 * Says before the first request how long a very large run takes, and what is better. n8n shows hints when a node has
 * ended, so n8n's log has it, too; the editor shows one before the run (`describe/operationHints.ts`).
 * @param requests how many are to be sent, or shown in a preview
 */
export function tellLongRun({ context, operation, hints }: Execution, requests: number): void {
	if (!operation.forMany || requests < longRun) return;
	const text = `${requests} items at ${sendsPerSecond} per second take at least ${spanOf(requests / sendsPerSecond)}. ${operation.forMany}`;
	hints.add(text);
	context.logger.info(`${context.getNode().name}: ${text}`);
}
