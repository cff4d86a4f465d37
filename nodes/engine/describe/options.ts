import type { INodeProperties } from 'n8n-workflow';
import { country } from '../fields/phone';
import { isRaw } from '../operation/kinds';
import type { Operation } from '../operation/operation';
import { takesPhone } from '../operation/places';
import { twiceByDefault } from '../operation/recipients';
import { keySourceOf } from '../operation/recovery';
import {
	defaultConcurrency,
	defaultMaximumFileSize,
	mostConcurrency,
	mostMaximumFileSize,
	sameNumberTwice,
} from '../operation/runOptions';
import { bodyJson, queryParametersJson } from '../platform/guesses';
import { byName, parameter } from './parameter';

/** Options that exclude people whom the run may not call or write to. */
function optOuts({ reaches }: Operation): INodeProperties[] {
	const options = [
		parameter('Skip Blacklisted Contacts', 'skipBlacklistedContacts', {
			type: 'boolean',
			default: false,
			description:
				"Whether to skip contacts on the platform's blacklist. All contacts are read before anything is sent, " +
				'one request per 100. Unconfirmed: that the platform lists every blacklisted contact; a hint tells how ' +
				'to check.',
		}),
		parameter('Skip Numbers', 'skipNumbers', {
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
			parameter('Same Number Twice', 'sameNumberTwice', {
				type: 'options',
				options: [...sameNumberTwice],
				default: reaches && twiceByDefault(reaches),
				description: `What to do with items of one run that have the same number. If not set, the run stops at ${reaches?.once ? 'them' : 'those with the same content'} before anything is sent.`,
			}),
		);
	return options;
}

/** For people who know the platform's fields. */
export const furtherBody: INodeProperties = {
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
export function optionsOf(operation: Operation): INodeProperties[] {
	const writes = operation.method !== 'GET';
	const api = isRaw(operation);
	const keySource = keySourceOf(operation.recover);
	const options: INodeProperties[] = [
		parameter('Max Retries', 'maxRetries', {
			type: 'number',
			default: 5,
			typeOptions: { minValue: 0, maxValue: 20 },
			description: 'Maximum retries after a lost connection or an outage of the platform',
		}),
		parameter('Timeout', 'timeout', {
			type: 'number',
			default: 60,
			typeOptions: { minValue: 1, maxValue: 600 },
			description: 'Maximum seconds to wait for the complete response',
		}),
		parameter('Timezone', 'timezone', {
			type: 'string',
			default: '',
			placeholder: 'e.g. Europe/Istanbul',
			description:
				"Time zone of this node instead of the credential's, for times you enter without an offset " +
				'and times returned',
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
			parameter('Preview', 'preview', {
				type: 'boolean',
				default: false,
				description: operation.reaches
					? 'Whether to return a summary of who would be reached and the prepared requests, without ' +
						'sending anything'
					: 'Whether to return the prepared requests without sending anything',
			}),
		);
		if (operation.reaches) options.push(...optOuts(operation));
		if (operation.before)
			options.push(
				parameter('Start Again', 'startAgain', {
					type: 'boolean',
					default: false,
					description: operation.before.unless,
				}),
			);
		if (keySource !== 'documented' && !operation.run) {
			options.push(
				parameter('Retry Writes', 'retryWrites', {
					type: 'boolean',
					default: false,
					description:
						'Whether to retry even if the request may have gone through. It may then happen twice.',
				}),
			);
		}
		if (keySource || api) {
			options.push(
				parameter('Request Key', 'requestKey', {
					type: 'string',
					default: '',
					placeholder: 'e.g. {{ $json.order_number }}',
					description: `Your unique ID for this request, such as an order number. ${keySource === 'documented' ? 'The platform acts on each key once per recipient, however often the workflow runs.' : 'Documented for calls and messages alone; elsewhere the platform may ignore or refuse it.'} A key with an empty part is refused.`,
				}),
			);
		}
		if (!operation.allItems && !api) {
			options.push(
				parameter('Concurrency', 'concurrency', {
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
				parameter('Batch Size', 'batchSize', {
					type: 'number',
					default: 5000,
					typeOptions: { minValue: 1 },
					description: `Maximum ${rows} per request, if the platform accepts no larger requests. Further ${rows} follow in further requests, one after the other. If not set, all ${rows} go in one request.`,
				}),
			);
		}
		if (operation.method === 'PATCH' || operation.method === 'PUT') {
			options.push(
				parameter('Send Empty Fields', 'sendEmptyFields', {
					type: 'boolean',
					default: false,
					description: 'Whether to send fields that you added and left empty, which clears them',
				}),
			);
		}
	}
	if (operation.wait) {
		options.push(
			parameter('Wait Timeout', 'waitTimeout', {
				type: 'number',
				default: operation.wait.timeoutSeconds,
				typeOptions: { minValue: 1, maxValue: 86400 },
				description: `Maximum seconds to wait for ${operation.wait.forWhat}`,
			}),
		);
	}
	if (operation.download?.when === 'option' || api) {
		options.push(
			parameter('Download File', 'downloadFile', {
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
			parameter('Put Output File in Field', 'binaryPropertyName', {
				type: 'string',
				default: 'data',
				placeholder: 'e.g. data',
				description: 'Name of the output field for the file',
			}),
			parameter('Maximum File Size', 'maximumFileSize', {
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
