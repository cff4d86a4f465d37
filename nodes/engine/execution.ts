import type { IExecuteFunctions } from 'n8n-workflow';
import type { Client, ClientRequest } from './http/client';
import type { RunJournal } from './journal/journal';
import type { Operation } from './operation/operation';
import type { Delivery, PreparedRequest } from './operation/preparedRequest';
import type { RunOptions } from './operation/runOptions';
import type { Zone } from './time';

/** One run of a node: what its steps share. */
export interface Execution {
	context: IExecuteFunctions;
	client: Client;
	journal: RunJournal;
	operation: Operation;
	/** Run as a tool of an AI agent. */
	asTool: boolean;
	/** On Error = stop: the first request error ends the run. */
	stops: boolean;
	/** Sentences for the output panel. */
	hints: Set<string>;
	/** All requests of the run, once they are being sent. */
	requests: PreparedRequest[];
	/** Records that this run found or made, by what they were looked for with. */
	found: Map<string, Delivery>;
	/** Does work of the same name one after the other. */
	inTurn: <T>(name: string, work: () => Promise<T>) => Promise<T>;
	/** Fires when the execution or, at the first request error, the run is stopped; ends all waiting. */
	signal?: AbortSignal;
	options: (item: number) => RunOptions;
	/** The zone that times of an item without an offset are read in. */
	zone: (item: number) => Zone;
}

/** What every request for an item has in common. */
export function requestSettings(
	{ options, zone, signal }: Execution,
	{ item }: Pick<PreparedRequest, 'item'>,
): Pick<ClientRequest, 'zone' | 'timeout' | 'maxRetries' | 'retryWrites' | 'signal'> {
	const { timeout, maxRetries, retryWrites } = options(item);
	return { zone: zone(item), timeout, maxRetries, retryWrites, signal };
}
