import type { Endpoint } from './catalog.cjs';

/** What a request is made of. `path` is below `/api/v1`; a query may be text, as it is on its way. */
export interface Request {
	path: string;
	query?: Record<string, unknown>;
	body?: unknown;
}

export interface Judge {
	endpoints: Endpoint[];
	/**
	 * What is wrong with a request, by the contract alone; empty when nothing is. Unknown
	 * fields are wrong unless it says that there may be more.
	 */
	requestFaults(key: string, request: Request): string[];
	/** Whether a request may hold fields that the contract does not name. */
	/** Whether the contract has a body for the endpoint. */
	takesBody(key: string): boolean;
	takesFurtherFields(key: string): boolean;
	/** What is wrong with a record out of an answer, or with a row of a list; it may hold more than is known. */
	recordFaults(key: string, record: unknown, list: boolean): string[];
	/** How a whole answer departs from the contract, fields beyond it included; `shown` says how a name is told. */
	answerDifferences(
		key: string,
		body: unknown,
		shown?: (name: string, depth: number) => string,
	): string[];
	/** Whether the contract knows what an answer holds. */
	knowsAnswer(key: string): boolean;
	parametersOf(key: string, place: 'path' | 'query'): any[];
	/** A schema of the contract with its reference followed and its parts joined. */
	flat(schema: any): any;
}

/** @throws for keys that are not in the contract */
export declare function judge(): Judge;
