import type { IDisplayOptions, INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { apiRequestProperties } from './apiRequest';
import { country } from '../fields/phone';
import { isRaw } from '../operation/kinds';
import { keySourceOf } from '../operation/recovery';
import type { Operation } from '../operation/operation';
import { fieldsOf, isGuessed, type Place, placeOfOptional, takesPhone } from '../operation/places';
import { type Resource, resourcesOf } from '../operation/resource';
import {
	defaultConcurrency,
	defaultLargestFile,
	mostConcurrency,
	mostLargestFile,
	sameNumberTwice,
} from '../operation/runOptions';
import { bodyJson, guessHint, guessNotice, queryJson } from '../text/waysRound';

const byName = <T extends { displayName: string }>(a: T, b: T) =>
	a.displayName.localeCompare(b.displayName);

const option = (
	displayName: string,
	name: string,
	property: Partial<INodeProperties> & Pick<INodeProperties, 'type' | 'default'>,
): INodeProperties => ({ displayName, name, ...property });

/** Options about whom nobody may call or write to. */
function optOuts({ reaches }: Operation): INodeProperties[] {
	const options = [
		option('Skip Blacklisted Contacts', 'skipBlacklisted', {
			type: 'boolean',
			default: false,
			description:
				"Whether to leave out contacts that are on the platform's blacklist. It reads contacts " +
				'before anything is sent: one request for each number or for every 100 contacts, ' +
				'whichever is less; three where nobody is blacklisted.',
		}),
		option('Skip Numbers', 'skipNumbers', {
			type: 'string',
			default: '',
			placeholder: "e.g. {{ $('Opt-outs').all() }}",
			description:
				'Phone numbers or email addresses that are left out, however they are written: separated ' +
				'by commas, or from an expression that gives a list or the items of another node. Each ' +
				'item that is left out says so in the output.',
		}),
	];
	if (!reaches?.rows)
		options.push(
			option('Same Number Twice', 'sameNumberTwice', {
				type: 'options',
				options: [...sameNumberTwice],
				default: 'both',
				description: 'What happens to items of one run that have the same number',
			}),
		);
	return options;
}

/** The `options` collection: behaviour, the same words everywhere. */
function optionsCollection(operation: Operation): INodeProperties {
	const writes = operation.method !== 'GET';
	const api = isRaw(operation);
	const keySource = keySourceOf(operation.recover);
	const options: INodeProperties[] = [
		option('Max Retries', 'maxRetries', {
			type: 'number',
			default: 5,
			typeOptions: { minValue: 0, maxValue: 20 },
			description:
				'How often a request is tried again after a broken connection or a passing disturbance of the platform',
		}),
		option('Timeout', 'timeout', {
			type: 'number',
			default: 60,
			typeOptions: { minValue: 1, maxValue: 600 },
			description: 'Seconds until the whole answer must be there',
		}),
		option('Timezone', 'timezone', {
			type: 'string',
			default: '',
			placeholder: 'e.g. Europe/Istanbul',
			description:
				"The time zone for this node, instead of the credential's. Times without an offset " +
				'are read in it, and answers come in it.',
		}),
	];
	if (takesPhone(operation)) {
		const field = country({
			description: 'The country of phone numbers that are written without a country code',
		});
		options.push(...field.show('defaultCountry', 'Default Country'));
	}
	if (writes) {
		options.push(
			option('Preview', 'preview', {
				type: 'boolean',
				default: false,
				description: operation.reaches
					? 'Whether to return the prepared requests without sending anything, after a summary of who would be reached'
					: 'Whether to return the prepared requests without sending anything',
			}),
		);
		if (operation.reaches) options.push(...optOuts(operation));
		if (keySource !== 'documented') {
			options.push(
				option('Retry Writes', 'retryWrites', {
					type: 'boolean',
					default: false,
					description:
						'Whether to try again even when it is not known whether the platform carried the ' +
						'request out. It may then happen twice.',
				}),
			);
		}
		if (keySource || api) {
			options.push(
				option('Request Key', 'requestKey', {
					type: 'string',
					default: '',
					placeholder: 'e.g. {{ $json.order_number }}',
					description:
						'A text of your own that stands for this one send, like an order number or a row ID. ' +
						'However often the workflow runs, the platform carries out each key once.',
				}),
			);
		}
		if (!operation.allItems && !api) {
			options.push(
				option('Concurrency', 'concurrency', {
					type: 'number',
					default: operation.wait?.atOnce?.most ?? defaultConcurrency,
					typeOptions: { minValue: 1, maxValue: operation.wait?.atOnce?.most ?? mostConcurrency },
					description: `How many ${operation.wait?.atOnce?.what ?? 'requests'} may be under way at once`,
				}),
			);
		}
		if (operation.batches) {
			const { rows } = operation.batches;
			options.push(
				option('Batch Size', 'batchSize', {
					type: 'number',
					default: 5000,
					typeOptions: { minValue: 1 },
					description: `How many ${rows} one request carries, where the platform takes no larger ones. Further ${rows} are added by further requests, one after the other. Without this option all ${rows} go in one request.`,
				}),
			);
		}
		if (operation.method === 'PATCH' || operation.method === 'PUT') {
			options.push(
				option('Send Empty Fields', 'sendEmpty', {
					type: 'boolean',
					default: false,
					description: 'Whether fields that were added and left empty are sent, which clears them',
				}),
			);
		}
	}
	if (operation.wait) {
		options.push(
			option('Wait Timeout', 'waitTimeout', {
				type: 'number',
				default: operation.wait.timeoutSeconds,
				typeOptions: { minValue: 1, maxValue: 86400 },
				description: `Seconds to wait for ${operation.wait.forWhat}`,
			}),
		);
	}
	if (operation.download?.when === 'option' || api) {
		options.push(
			option('Download File', 'downloadFile', {
				type: 'boolean',
				default: false,
				description: api
					? 'Whether the answer is a file'
					: `Whether to download the ${operation.download?.what ?? 'file'} too`,
			}),
		);
	}
	if (operation.download || api) {
		options.push(
			option('Put Output File in Field', 'binaryProperty', {
				type: 'string',
				default: 'data',
				placeholder: 'e.g. data',
				description: 'The name of the output field that the file is put into',
			}),
			option('Largest File', 'largestFile', {
				type: 'number',
				default: defaultLargestFile,
				typeOptions: { minValue: 1, maxValue: mostLargestFile },
				description:
					'How many megabytes a file may have; a larger one is not read to its end. Where n8n ' +
					'keeps files in memory, 256 is the most.',
			}),
		);
	}
	return option('Options', 'options', {
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: options.sort(byName),
	});
}

const collectionNames: Record<
	Exclude<Place, 'top'>,
	{ displayName: string; placeholder: string }
> = {
	additionalFields: { displayName: 'Additional Fields', placeholder: 'Add Field' },
	updateFields: { displayName: 'Update Fields', placeholder: 'Add Field' },
	filters: { displayName: 'Filters', placeholder: 'Add Filter' },
};

const merge = (property: INodeProperties, show: IDisplayOptions['show']): INodeProperties => ({
	...property,
	displayOptions: {
		...property.displayOptions,
		show: { ...show, ...property.displayOptions?.show },
	},
});

/** A field whose name is a guess says so below. */
const withGuess = (property: INodeProperties, path: string[]): INodeProperties => ({
	...property,
	hint: [property.hint, guessHint(path.join('.'), property.required === true).hint]
		.filter(Boolean)
		.join('. '),
});

/** All parameters of one operation, in the order they stand on the canvas, without resource and operation. */
function propertiesOf(operation: Operation): INodeProperties[] {
	const properties: INodeProperties[] = [];
	if (operation.notice) {
		properties.push(option(operation.notice, 'notice', { type: 'notice', default: '' }));
	}
	if (isRaw(operation))
		return [...properties, ...apiRequestProperties, optionsCollection(operation)];
	const { notice } = guessNotice(operation);
	if (notice) properties.push(option(notice, 'guessNotice', { type: 'notice', default: '' }));
	const fields = fieldsOf(operation);
	const show = (at: Place, required: boolean) =>
		fields
			.filter(
				(field) => field.at === at && (at !== 'top' || !!field.field.options.required === required),
			)
			.flatMap((placed) => {
				const { field, name, displayName } = placed;
				return field.show(name, displayName).map((property) => {
					const marked = isGuessed(operation, placed) ? withGuess(property, placed.path) : property;
					return field.options.showWhen ? merge(marked, field.options.showWhen) : marked;
				});
			});
	properties.push(...show('top', true));
	properties.push(...show('top', false));
	if (operation.pages && !operation.summary) {
		properties.push(
			{
				displayName: 'Return All',
				name: 'returnAll',
				type: 'boolean',
				default: false,
				description: 'Whether to return all results or only up to a given limit',
			},
			{
				displayName: 'Limit',
				name: 'limit',
				type: 'number',
				default: 50,
				typeOptions: { minValue: 1 },
				description: 'Max number of results to return',
				displayOptions: { show: { returnAll: [false] } },
			},
		);
	}
	if (operation.simplify) {
		properties.push({
			displayName: 'Simplify',
			name: 'simplify',
			type: 'boolean',
			default: true,
			description: 'Whether to return a simplified version of the response instead of the raw data',
		});
	}
	const optional = placeOfOptional(operation);
	const collected = show(optional, false).sort(byName);
	if (collected.length) {
		const { displayName, placeholder } = collectionNames[optional];
		properties.push(
			option(displayName, optional, {
				type: 'collection',
				placeholder,
				default: {},
				options: collected,
			}),
		);
	}
	// For people who know the platform's fields: after everything that can be chosen.
	if (operation.openQuery) {
		properties.push({
			...queryJson,
			type: 'json',
			default: '{}',
			description:
				'Further query parameters of the request as a JSON object; fields filled in above win',
			...(operation.queryHint ? { hint: operation.queryHint } : {}),
		});
	}
	if (operation.openBody) {
		properties.push({
			...bodyJson,
			type: 'json',
			default: '{}',
			description: 'Further fields of the request as a JSON object; fields filled in above win',
		});
	}
	properties.push(optionsCollection(operation));
	return properties;
}

/**
 * The parameters of a node: resource, operation, and every field of every operation.
 * A parameter that several operations of a resource share is described once.
 */
export function describe(resources: Resource[]): INodeProperties[] {
	const sorted = resourcesOf(resources).sort((a, b) => a.label.localeCompare(b.label));
	const properties: INodeProperties[] = [
		option('Resource', 'resource', {
			type: 'options',
			noDataExpression: true,
			options: sorted.map(({ label, value, description }) => ({
				name: label,
				value,
				...(description ? { description } : {}),
			})),
			default: (resources[0] as Resource).value,
		}),
	];
	for (const { value, operations, defaultOperation } of sorted) {
		properties.push(
			option('Operation', 'operation', {
				type: 'options',
				noDataExpression: true,
				displayOptions: { show: { resource: [value] } },
				options: Object.entries(operations)
					.map(([operationValue, { name, action, description, tool }]): INodePropertyOptions => ({
						name,
						value: operationValue,
						action,
						description: description ?? action,
						...(tool === false ? { displayOptions: { hide: { '@tool': [true] } } } : {}),
					}))
					.sort((a, b) => a.name.localeCompare(b.name)),
				default: defaultOperation ?? (Object.keys(operations)[0] as string),
			}),
		);
	}
	for (const { value, operations } of sorted) properties.push(...shared(value, operations));
	return properties;
}

/** Lays the parameter lists of all operations over each other, keeping each one's order. */
function shared(resource: string, operations: Record<string, Operation>): INodeProperties[] {
	const laid: Array<{ text: string; property: INodeProperties; operations: string[] }> = [];
	for (const [name, operation] of Object.entries(operations)) {
		let from = 0;
		for (const property of propertiesOf(operation)) {
			const text = JSON.stringify(property);
			const at = laid.findIndex((entry, index) => index >= from && entry.text === text);
			if (at >= 0) {
				laid[at]?.operations.push(name);
				from = at + 1;
			} else {
				laid.splice(from, 0, { text, property, operations: [name] });
				from++;
			}
		}
	}
	return laid.map(({ property, operations: names }) =>
		merge(property, { resource: [resource], operation: names }),
	);
}

/** What stands below a node on the canvas: operation and resource in the words of their dropdowns. */
export function subtitle(resources: Resource[]): string {
	const labels: Record<string, string> = {};
	for (const { value, label, operations } of resourcesOf(resources)) {
		for (const [name, operation] of Object.entries(operations))
			labels[`${value}.${name}`] = `${operation.name}: ${label}`;
	}
	return `={{ (${JSON.stringify(labels)})[$parameter["resource"] + "." + $parameter["operation"]] }}`;
}
