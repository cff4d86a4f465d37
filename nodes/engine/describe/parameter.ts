import type { INodeProperties } from 'n8n-workflow';

/** A parameter as n8n wants it. */
export const parameter = (
	displayName: string,
	name: string,
	rest: Partial<INodeProperties> & Pick<INodeProperties, 'type' | 'default'>,
): INodeProperties => ({ displayName, name, ...rest });

/** The order of collections and dropdowns, which n8n's linter asks for. */
export const byName = <T extends { displayName: string }>(a: T, b: T) =>
	a.displayName.localeCompare(b.displayName);

/** The order of the dropdown Resource. */
export const byLabel = (a: { label: string }, b: { label: string }) =>
	a.label.localeCompare(b.label);
