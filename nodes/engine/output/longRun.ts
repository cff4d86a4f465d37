import { type Execution } from '../execution';
import { longRun, sendsPerSecond } from '../operation/forMany';

const count = (many: number, unit: string): string => `${many} ${unit}${many === 1 ? '' : 's'}`;

/** A span of seconds as people say it, rounded up. */
const spanOf = (seconds: number): string =>
	seconds < 7200
		? count(Math.ceil(seconds / 60), 'minute')
		: `${count(Math.floor(seconds / 3600), 'hour')} ${count(Math.ceil((seconds % 3600) / 60), 'minute')}`;

/**
 * Says before the first request how long a very large run takes, and what is better. n8n shows hints when a node has
 * ended, so n8n's log has it, too; the editor shows one before the run (`describe/operationHints.ts`).
 * @param requests how many are to be sent, or shown in a preview
 */
export function tellLongRun({ context, operation, hints }: Execution, requests: number): void {
	if (!operation.forMany || requests < longRun) return;
	const sentence = `${requests} items at ${sendsPerSecond} per second take at least ${spanOf(requests / sendsPerSecond)}. ${operation.forMany}`;
	hints.add(sentence);
	context.logger.info(`${context.getNode().name}: ${sentence}`);
}
