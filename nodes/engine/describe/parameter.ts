import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';

export const parameter = (
	displayName: string,
	name: string,
	rest: Partial<INodeProperties> & Pick<INodeProperties, 'type' | 'default'>,
): INodeProperties => ({ displayName, name, ...rest });

export const textParameter = (
	displayName: string,
	name: string,
	rest: Partial<INodeProperties>,
): INodeProperties => parameter(displayName, name, { type: 'string', default: '', ...rest });

export const notice = (
	displayName: string,
	name = 'notice',
	rest: Partial<INodeProperties> = {},
): INodeProperties => parameter(displayName, name, { type: 'notice', default: '', ...rest });

export const collection = (
	options: INodeProperties[],
	displayName = 'Options',
	placeholder = 'Add Option',
): INodeProperties =>
	parameter(displayName, displayName.toLowerCase(), {
		type: 'collection',
		placeholder,
		default: {},
		options,
	});

export const choice = (name: string, value: string, description?: string): INodePropertyOptions =>
	description === undefined ? { name, value } : { name, value, description };

export const byName = <T extends { displayName: string }>(a: T, b: T) =>
	a.displayName.localeCompare(b.displayName);

export const byLabel = (a: { label: string }, b: { label: string }) =>
	a.label.localeCompare(b.label);
