import type { Operation } from './operation';

/** A resource of a node: its operations by `operation` value. */
export interface Resource {
	/** Title Case, singular, as in the resource dropdown. */
	label: string;
	value: string;
	description?: string;
	operations: Record<string, Operation>;
	defaultOperation?: string;
	/** What of it is reached through the node's API Request alone, and what to know about it; whole sentences. */
	apiRequestNotice?: string;
}

/** Declares a resource. */
export const resource = (definition: Resource): Resource => definition;
