/** The engine process: n8n-core in plain Node, driven by a test over Node's inter-process messages. See ../engine.cts. */
import { rmSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import type { INodeTypeDescription } from 'n8n-workflow';
import type { Clock } from '../clock.cts';
import { fullTypeName, loadAgain, loadTriggersAgain, nodeTypes, openHost } from './host.mts';
import { forgetDuplicates } from './deduplication.mts';
import * as methods from './methods.mts';
import { Container, core, n8n, setDebugLog } from './n8n.mts';
import { cancel, finished, isRunning, retry, start } from './run.mts';
import * as triggers from './trigger.mts';

const { forgetTriggers, serveWebhooks, ...ofTriggers } = triggers;

/** What a test asks of the engine process, each with one object of options. */
const handlers = {
	async open({ port, ...options }: Parameters<typeof openHost>[0] & { port: number }) {
		await openHost(options);
		// Otherwise written at a regular end, which this process does not have.
		flushCompileCache();
		return { port: await serveWebhooks(port) };
	},
	/** Its test file is done. @returns whether another may have the process: no execution is going on. */
	leave(_: object): boolean {
		forgetTriggers();
		return !isRunning();
	},
	/** A test file takes over a process: its time, and whether it reads what n8n logs at level debug. */
	begin({ clock, debugLog }: { clock: Clock; debugLog: boolean }): void {
		(globalThis as unknown as { setClock(to: object): void }).setClock(clock);
		setDebugLog(debugLog);
	},
	forget: async ({ triggers: alone }: { triggers?: boolean }): Promise<void> =>
		alone ? loadTriggersAgain() : await loadAgain(),
	forgetDuplicates: (_: object): void => forgetDuplicates(),
	binary: async ({ binary }: { binary: { id?: string; data: string } }): Promise<Buffer> =>
		await Container.get(core.BinaryDataService).getAsBuffer(binary as never),
	describe({ nodeType, typeVersion }: { nodeType: string; typeVersion?: number }) {
		const { description } = nodeTypes.getByNameAndVersion(fullTypeName(nodeType), typeVersion);
		return n8n.deepCopy(wholeDescription(description)) as unknown as INodeTypeDescription;
	},
	/** On both streams, behind all that was printed before. */
	async print({ mark }: { mark: string }): Promise<void> {
		await new Promise(setImmediate);
		for (const stream of [process.stdout, process.stderr]) stream.write(mark);
	},
	start,
	retry,
	finished,
	cancel,
	...methods,
	...ofTriggers,
};
export type EngineMethods = typeof handlers;

/** A tool's description inherits from its node's, and its `properties` are hidden from loops. */
function wholeDescription(description: INodeTypeDescription): object {
	const copy: Record<string, unknown> = {};
	for (const key in description) copy[key] = description[key as keyof INodeTypeDescription];
	copy.properties = Array.from(description.properties);
	return copy;
}

interface Message {
	id: number;
	method: keyof EngineMethods;
	options: never;
}

process.on('message', async ({ id, method, options }: Message) => {
	try {
		const result = await (handlers[method] as (options: never) => unknown)(options);
		process.send!({ id, result });
	} catch (thrown) {
		const error = thrown as Error & { description?: string; httpCode?: string };
		const { name, message, stack, description, httpCode } = error;
		process.send!({ id, error: { name, message, stack, description, httpCode } });
	}
});
process.on('disconnect', () => {
	rmSync(process.env.N8N_USER_FOLDER!, { recursive: true, force: true });
	process.exit();
});
