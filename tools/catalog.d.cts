import type { INodeProperties, INodeTypeDescription } from 'n8n-workflow';
import type { Operation } from '../nodes/engine/operation/operation';
import type { Resource } from '../nodes/engine/operation/resource';

/** An endpoint of the contract. */
export interface Endpoint {
	/** `METHOD /path`, as operations name it. */
	key: string;
	method: string;
	/** Below /api/v1. */
	path: string;
	/** Tag of the contract. */
	area: string;
	source: 'seed' | 'reference' | 'workspace' | 'client' | 'catalogue' | 'inferred';
	/** Layout of a list. */
	paging?: string;
	/** What is not known. */
	open: string[];
	/** What was guessed, what happens if it is wrong, and what to do then. */
	unconfirmed?: string;
	leftOut?: string;
	/** The operation object of the contract. */
	contract: any;
}

export interface OperationEntry {
	/** `operation` value. */
	value: string;
	operation: Operation;
	/** Parameters in their order on the canvas, `resource` and `operation` left out. */
	parameters: INodeProperties[];
}

export type ResourceEntry = Omit<Resource, 'operations'> & {
	/** Without API Request, in the order of their dropdown. */
	operations: OperationEntry[];
	/** In Other Endpoint, and where no endpoint is known. */
	apiRequest?: OperationEntry;
};

export interface NodeEntry {
	className: string;
	name: string;
	description: INodeTypeDescription;
	/** In the order of the dropdown. */
	resources: ResourceEntry[];
}

export declare function shownToNobody(property: INodeProperties): boolean;
export declare function parametersOf(
	description: INodeTypeDescription,
	resource: string,
	operation: string,
): INodeProperties[];

export declare const repository: string;
/** Areas of interface §1 without a known endpoint, and the node whose Other Endpoint reaches each. */
export declare const areasWithoutEndpoint: Record<string, string>;
/** Endpoints that Other Endpoint alone reaches, with the reason. */
export declare const endpointsWithoutOperation: Record<string, string>;
export declare function contract(file?: string): {
	document: any;
	endpoints: Endpoint[];
	areas: Array<{ name: string; beyond: boolean }>;
};
/** The nodes of package.json. @throws when one is not built */
export declare function nodes(): NodeEntry[];
export declare function operationsOf(
	nodes: NodeEntry[],
): Array<OperationEntry & { node: NodeEntry; resource: ResourceEntry }>;
