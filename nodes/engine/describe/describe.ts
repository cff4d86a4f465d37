import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { apiRequestProperties } from '../apiRequest/apiRequestParameters';
import { country } from '../fields/phone';
import { isRaw } from '../operation/kinds';
import { keySourceOf } from '../operation/recovery';
import type { Operation } from '../operation/operation';
import { fieldsOf, isGuessed, type Place, placeOfOptional, takesPhone } from '../operation/places';
import { resourcesOf } from '../apiRequest/apiRequest';
import type { Resource } from '../operation/resource';
import {
	defaultConcurrency,
	defaultMaximumFileSize,
	mostConcurrency,
	mostMaximumFileSize,
	sameNumberTwice,
} from '../operation/runOptions';
import { sortBy } from 'lodash';
import { inShort, type Known, shortenRepeated } from './inShort';
import { across, type Shown, showOnly, within } from './sharing';
import { sentence } from '../text/text';
import { bodyJson, guessHint, guessNotice, queryParametersJson } from '../platform/guesses';

const byName = <T extends { displayName: string }>(a: T, b: T) =>
	a.displayName.localeCompare(b.displayName);

const option = (
	displayName: string,
	name: string,
	property: Partial<INodeProperties> & Pick<INodeProperties, 'type' | 'default'>,
): INodeProperties => ({ displayName, name, ...property });

/** Options that exclude people whom the run may not call or write to. */
function optOuts({ reaches }: Operation): INodeProperties[] {
	const options = [
		option('Skip Blacklisted Contacts', 'skipBlacklistedContacts', {
			type: 'boolean',
			default: false,
			description:
				"Whether to skip contacts on the platform's blacklist. All contacts are read before anything is sent, " +
				'one request per 100. Unconfirmed: that the platform lists every blacklisted contact; a hint tells how ' +
				'to check.',
		}),
		option('Skip Numbers', 'skipNumbers', {
			type: 'string',
			default: '',
			placeholder: "e.g. {{ $('Opt-outs').all() }}",
			description:
				'Phone numbers or email addresses to skip, in any format. Separate them with commas, or ' +
				"use an expression that returns a list or another node's items. A row that cannot be compared stops " +
				'the run. An empty list ([]) skips nobody. A hint names the columns.',
		}),
	];
	if (!reaches?.rows)
		options.push(
			option('Same Number Twice', 'sameNumberTwice', {
				type: 'options',
				options: [...sameNumberTwice],
				default: 'both',
				description: 'What to do with items of one run that have the same number',
			}),
		);
	return options;
}

/** For people who know the platform's fields. */
const furtherBody: INodeProperties = {
	...bodyJson,
	type: 'json',
	default: '{}',
	description: 'Further request fields as a JSON object; those filled in elsewhere take precedence',
};

const furtherQuery: INodeProperties = {
	...queryParametersJson,
	type: 'json',
	default: '{}',
	description:
		'Further query parameters as a JSON object; those filled in elsewhere take precedence',
};

/** The options of an operation: how a request behaves, in the same words everywhere. */
function optionsOf(operation: Operation): INodeProperties[] {
	const writes = operation.method !== 'GET';
	const api = isRaw(operation);
	const keySource = keySourceOf(operation.recover);
	const options: INodeProperties[] = [
		option('Max Retries', 'maxRetries', {
			type: 'number',
			default: 5,
			typeOptions: { minValue: 0, maxValue: 20 },
			description: 'Maximum retries after a lost connection or a temporary outage of the platform',
		}),
		option('Timeout', 'timeout', {
			type: 'number',
			default: 60,
			typeOptions: { minValue: 1, maxValue: 600 },
			description: 'Maximum seconds to wait for the complete response',
		}),
		option('Timezone', 'timezone', {
			type: 'string',
			default: '',
			placeholder: 'e.g. Europe/Istanbul',
			description:
				"The time zone for this node, instead of the credential's. It applies to times you " +
				'enter without an offset and to times returned.',
		}),
	];
	if (takesPhone(operation)) {
		const field = country({
			description: 'Country of phone numbers without a country code',
		});
		options.push(...field.show('defaultCountry', 'Default Country'));
	}
	if (writes) {
		options.push(
			option('Preview', 'preview', {
				type: 'boolean',
				default: false,
				description: operation.reaches
					? 'Whether to return a summary of who would be reached and the prepared requests, without ' +
						'sending anything'
					: 'Whether to return the prepared requests without sending anything',
			}),
		);
		if (operation.reaches) options.push(...optOuts(operation));
		if (operation.launch)
			options.push(
				option('Start Again', 'startAgain', {
					type: 'boolean',
					default: false,
					description: `Whether to start a ${operation.launch.what} although one of this name may be running already. People in both are reached twice.`,
				}),
			);
		if (keySource !== 'documented' && !operation.sweep) {
			options.push(
				option('Retry Writes', 'retryWrites', {
					type: 'boolean',
					default: false,
					description:
						'Whether to retry even if the request may have gone through. It may then happen twice.',
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
						'Your unique ID for this request, such as an order number or a row ID. However often the ' +
						`workflow runs, the platform acts on each key once${operation.reaches && !operation.reaches.rows ? ' per recipient' : ''}. An item whose key has an empty part is refused.`,
				}),
			);
		}
		if (!operation.allItems && !api) {
			options.push(
				option('Concurrency', 'concurrency', {
					type: 'number',
					default: operation.wait?.atOnce?.most ?? defaultConcurrency,
					typeOptions: { minValue: 1, maxValue: operation.wait?.atOnce?.most ?? mostConcurrency },
					description: `Maximum ${operation.wait?.atOnce?.what ?? 'requests'} in parallel`,
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
					description: `Maximum ${rows} per request, if the platform accepts no larger requests. Further ${rows} follow in further requests, one after the other. If not set, all ${rows} go in one request.`,
				}),
			);
		}
		if (operation.method === 'PATCH' || operation.method === 'PUT') {
			options.push(
				option('Send Empty Fields', 'sendEmptyFields', {
					type: 'boolean',
					default: false,
					description: 'Whether to send fields that you added and left empty, which clears them',
				}),
			);
		}
		if (operation.keeps) {
			options.push(
				option('Send Only These Fields', 'sendOnlyTheseFields', {
					type: 'boolean',
					default: false,
					description:
						'Whether to send only what you filled in, without reading the other fields first. The platform may ' +
						'then clear the others.',
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
				description: `Maximum seconds to wait for ${operation.wait.forWhat}`,
			}),
		);
	}
	if (operation.download?.when === 'option' || api) {
		options.push(
			option('Download File', 'downloadFile', {
				type: 'boolean',
				default: false,
				description: api
					? 'Whether the response is a file'
					: `Whether to download the ${operation.download?.what ?? 'file'} too`,
			}),
		);
	}
	if (operation.download || api) {
		options.push(
			option('Put Output File in Field', 'binaryPropertyName', {
				type: 'string',
				default: 'data',
				placeholder: 'e.g. data',
				description: 'Name of the output field for the file',
			}),
			option('Maximum File Size', 'maximumFileSize', {
				type: 'number',
				default: defaultMaximumFileSize,
				typeOptions: { minValue: 1, maxValue: mostMaximumFileSize },
				description:
					'Megabytes that a file may have. A larger file is not read completely. If n8n keeps ' +
					'files in memory, the maximum is 256.',
			}),
		);
	}
	if (operation.openQuery)
		options.push({
			...furtherQuery,
			...(operation.queryHint ? { hint: operation.queryHint } : {}),
		});
	if (operation.openBody && !operation.jsonOnTop) options.push(furtherBody);
	return options.sort(byName);
}

const collectionNames: Record<
	Exclude<Place, 'top'>,
	{ displayName: string; placeholder: string }
> = {
	additionalFields: { displayName: 'Additional Fields', placeholder: 'Add Field' },
	updateFields: { displayName: 'Update Fields', placeholder: 'Add Field' },
	filters: { displayName: 'Filters', placeholder: 'Add Filter' },
};

/** A field whose name is a guess says so in its hint. */
const withGuess = (
	property: INodeProperties,
	path: string[],
	operation: Operation,
): INodeProperties => {
	const guess = guessHint(path.join('.'), property.required === true, operation);
	return {
		...property,
		hint: property.hint ? [property.hint, guess].map(sentence).join(' ') : guess,
	};
};

/** The parameters of one operation but its options, in the order of the editor. */
interface Parts {
	notices: INodeProperties[];
	fields: INodeProperties[];
	/** What many operations have in the same words. */
	common: INodeProperties[];
	/** The collection of optional fields. */
	collected: INodeProperties[];
	json: INodeProperties[];
}

function partsOf(operation: Operation): Parts {
	const notices: INodeProperties[] = [];
	const common: INodeProperties[] = [];
	if (operation.notice) {
		notices.push(option(operation.notice, 'notice', { type: 'notice', default: '' }));
	}
	if (isRaw(operation))
		return { notices, fields: [], common: apiRequestProperties, collected: [], json: [] };
	const { notice } = guessNotice(operation);
	if (notice) notices.push(option(notice, 'guessNotice', { type: 'notice', default: '' }));
	if (operation.leftOut)
		notices.push(option(operation.leftOut, 'leftOutNotice', { type: 'notice', default: '' }));
	const fields = fieldsOf(operation);
	const show = (at: Place, required: boolean) =>
		fields
			.filter(
				(field) => field.at === at && (at !== 'top' || !!field.field.options.required === required),
			)
			.flatMap((placed) => {
				const { field, name, displayName } = placed;
				return field.show(name, displayName).map((property) => {
					const marked = isGuessed(operation, placed)
						? withGuess(property, placed.path, operation)
						: property;
					return field.options.showWhen ? showOnly(marked, field.options.showWhen) : marked;
				});
			});
	const own = [...show('top', true), ...show('top', false)];
	if (operation.pages && !operation.summary) {
		common.push(
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
		common.push({
			displayName: 'Simplify',
			name: 'simplify',
			type: 'boolean',
			default: true,
			description: 'Whether to return a simplified version of the response instead of the raw data',
		});
	}
	const optional = placeOfOptional(operation);
	const inside = show(optional, false).sort(byName);
	const collected = inside.length
		? [
				option(collectionNames[optional].displayName, optional, {
					type: 'collection',
					placeholder: collectionNames[optional].placeholder,
					default: {},
					options: inside,
				}),
			]
		: [];
	const json = operation.openBody && operation.jsonOnTop ? [furtherBody] : [];
	return { notices, fields: own, common, collected, json };
}

/**
 * The parameters of a node: resource, operation, and every field of every operation. Operations of a resource that have
 * the same parameter share one description.
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
	const all = sorted.flatMap(({ value, operations }) =>
		Object.entries(operations).map(([name, operation]) => ({
			resource: value,
			operation: name,
			parts: partsOf(operation),
			options: optionsOf(operation),
		})),
	);
	const shown = (part: keyof Parts): Shown[] =>
		all.flatMap(({ resource, operation, parts }) =>
			parts[part].map((property) => ({ resource, operation, property })),
		);
	const known: Known = new Map();
	const apart = (part: 'fields' | 'collected') => {
		const laid = hintsAsNotices(shortenRepeated(shown(part), known));
		return sorted.flatMap((one) =>
			within(
				one,
				laid.filter(({ resource }) => resource === one.value),
			),
		);
	};
	// First, because collections hold what other parameters repeat.
	const collected = apart('collected');
	return [
		...properties,
		...inOrder(across(sorted, shown('notices'))),
		...apart('fields'),
		...inOrder(across(sorted, shown('common'))),
		...collected,
		...inOrder(across(sorted, shown('json'))),
		...optionsCollection(sorted, all),
	];
}

/** The `options` collection: every option once, shown for the operations that have it. */
function optionsCollection(
	resources: Resource[],
	all: Array<{ resource: string; operation: string; options: INodeProperties[] }>,
): INodeProperties[] {
	const collection = option('Options', 'options', {
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
	});
	const names = all.map(({ options, ...place }) => ({
		...place,
		property: {
			...collection,
			description: `Keys: ${options.map(({ name }) => name).join(', ')}`,
		},
	}));
	const each = all.flatMap(({ options, ...place }) =>
		options.map((property) => ({ ...place, property })),
	);
	return [
		...across(resources, names).map((property) => inShort(property, property.description ?? '')),
		{ ...collection, options: across(resources, each, '/').sort(byName) },
	];
}

/** The editor shows no hint at fields that hold others; without it they are the same for more operations. */
const hintsAsNotices = (shown: Shown[]): Shown[] =>
	shown.flatMap(({ property: { hint, ...property }, ...place }) =>
		hint && (property.type === 'collection' || property.type === 'fixedCollection')
			? [
					{ ...place, property },
					{
						...place,
						property: option(sentence(hint), `${property.name}Hint`, {
							type: 'notice',
							default: '',
						}),
					},
				]
			: [{ ...place, property: { ...property, ...(hint ? { hint } : {}) } }],
	);

/** Parameters that many operations share, in the order of the editor. */
const commonOrder = [
	...['notice', 'guessNotice', 'leftOutNotice'],
	...['method', 'path', 'query', 'body', 'paginate'],
	...['returnAll', 'limit', 'simplify'],
	'bodyJson',
];

const inOrder = (properties: INodeProperties[]) =>
	sortBy(properties, ({ name }) => commonOrder.indexOf(name));
