import type { Operation } from './operation';

/** A resource of a node: its operations by `operation` value. */
export interface Resource {
	/** Title Case, singular, as in the resource dropdown. */
	label: string;
	value: string;
	description?: string;
	operations: Record<string, Operation>;
	/** Resources without a known endpoint have API Request alone. */
	defaultOperation?: string;
	/** What is reached through API Request alone, and what to know about it; stands above its parameters. */
	apiRequestNotice?: string;
}

/** Declares a resource; `apiRequest` is added to each by the engine. */
export const resource = (definition: Resource): Resource => definition;

/**
 * A resource for an area of the platform that publishes no endpoint: API Request alone, and why.
 * @param definition `area` as the platform names it; `description`: what it is for;
 * `notice`: what else to know; whole sentences
 */
export const unpublished = ({
	label,
	value,
	area,
	description,
	notice,
}: Pick<Resource, 'label' | 'value' | 'description'> & {
	area: string;
	notice?: string;
}): Resource => ({
	label,
	value,
	description: description
		? `${description} Reached through API Request: the platform does not publish its addresses.`
		: 'Reached through API Request: the platform does not publish its addresses',
	apiRequestNotice: `The platform has an area ${area} but does not publish its addresses. Take the path from your workspace's own API documentation.${notice ? ` ${notice}` : ''}`,
	operations: {},
});
