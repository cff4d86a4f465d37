import type { INodeProperties } from 'n8n-workflow';
import { country } from '../fields/phone';
import { boolean, choice, integer, text } from '../fields/scalar';
import type { Fields } from '../fields/shape';
import { json } from '../fields/json';
import { place, showAll } from '../fields/structure';
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
import { byName } from './parameter';

/** For people who know the platform's fields. */
const furtherBody = json({
	...bodyJson,
	description: 'Further request fields as a JSON object; those filled in elsewhere take precedence',
});

export const furtherBodyShown = furtherBody.show(bodyJson.name, bodyJson.displayName);

/** What an operation that reaches people lets them be spared of. */
const optOuts = (reaches: NonNullable<Operation['reaches']>): Fields => ({
	skipBlacklistedContacts: boolean({
		description:
			"Whether to skip contacts on the platform's blacklist. All contacts are read before anything is sent, " +
			'one request per 100. Unconfirmed: that the platform lists every blacklisted contact; a hint tells how ' +
			'to check.',
	}),
	skipNumbers: text({
		placeholder: "e.g. {{ $('Opt-outs').all() }}",
		description:
			'Phone numbers or email addresses to skip, in any format. Separate them with commas, or ' +
			"use an expression that returns a list or another node's items. A row that cannot be compared stops " +
			'the run. An empty list ([]) skips nobody. A hint names the columns.',
	}),
	...(!reaches.rows && {
		sameNumberTwice: choice(sameNumberTwice, {
			default: twiceByDefault(reaches),
			description: `What to do with items of one run that have the same number. If not set, the run stops at ${reaches.once ? 'them' : 'those with the same content'} before anything is sent.`,
		}),
	}),
});

/** Options of operations that change something. */
function writing(operation: Operation): Fields {
	const { allItems, batches, before, method, reaches, run, wait } = operation;
	const api = isRaw(operation);
	const keySource = keySourceOf(operation.recover);
	return {
		preview: boolean({
			description: reaches
				? 'Whether to return a summary of who would be reached and the prepared requests, without ' +
					'sending anything'
				: 'Whether to return the prepared requests without sending anything',
		}),
		...(reaches && optOuts(reaches)),
		...(before && { startAgain: boolean({ description: before.unless }) }),
		...(keySource !== 'documented' &&
			!run && {
				retryWrites: boolean({
					description:
						'Whether to retry even if the request may have gone through. It may then happen twice.',
				}),
			}),
		...((keySource || api) && {
			requestKey: text({
				placeholder: 'e.g. {{ $json.order_number }}',
				description: `Your unique ID for this request, such as an order number. ${keySource === 'documented' ? 'The platform acts on each key once per recipient, however often the workflow runs.' : 'Documented for calls and messages alone; elsewhere the platform may ignore or refuse it.'} A key with an empty part is refused.`,
			}),
		}),
		...(!allItems &&
			!api && {
				concurrency: integer({
					default: wait?.atOnce?.most ?? defaultConcurrency,
					min: 1,
					max: wait?.atOnce?.most ?? mostConcurrency,
					description: `Maximum ${wait?.atOnce?.what ?? 'requests'} in parallel`,
				}),
			}),
		...(batches && {
			batchSize: integer({
				default: 5000,
				min: 1,
				description: `Maximum ${batches.rows} per request, if the platform accepts no larger requests. Further ${batches.rows} follow in further requests, one after the other. If not set, all ${batches.rows} go in one request.`,
			}),
		}),
		...(['PATCH', 'PUT'].includes(method) && {
			sendEmptyFields: boolean({
				description: 'Whether to send fields that you added and left empty, which clears them',
			}),
		}),
	};
}

/** Options of operations that return a file. */
const downloading = ({ download }: Operation, api: boolean): Fields => ({
	...((download?.when === 'option' || api) && {
		downloadFile: boolean({
			description: api
				? 'Whether the response is a file'
				: `Whether to download the ${download?.what ?? 'file'} too`,
		}),
	}),
	binaryPropertyName: text({
		displayName: 'Put Output File in Field',
		default: 'data',
		placeholder: 'e.g. data',
		description: 'Name of the output field for the file',
	}),
	maximumFileSize: integer({
		default: defaultMaximumFileSize,
		min: 1,
		max: mostMaximumFileSize,
		description:
			'Megabytes that a file may have. A larger file is not read completely. If n8n keeps ' +
			'files in memory, the maximum is 256.',
	}),
});

/** The options of an operation: how a request behaves, in the same words everywhere. */
export function optionsOf(operation: Operation): INodeProperties[] {
	const { download, openBody, jsonOnTop, openQuery, queryHint, wait } = operation;
	const api = isRaw(operation);
	const options: Fields = {
		maxRetries: integer({
			default: 5,
			min: 0,
			max: 20,
			description: 'Maximum retries after a lost connection or an outage of the platform',
		}),
		timeout: integer({
			default: 60,
			min: 1,
			max: 600,
			description: 'Maximum seconds to wait for the complete response',
		}),
		timezone: text({
			placeholder: 'e.g. Europe/Istanbul',
			description:
				"Time zone of this node instead of the credential's, for times you enter without an offset " +
				'and times returned',
		}),
		...(takesPhone(operation) && {
			defaultCountry: country({ description: 'Country of phone numbers without a country code' }),
		}),
		...(operation.method !== 'GET' && writing(operation)),
		...(wait && {
			waitTimeout: integer({
				default: wait.timeoutSeconds,
				min: 1,
				max: 86400,
				description: `Maximum seconds to wait for ${wait.forWhat}`,
			}),
		}),
		...((download || api) && downloading(operation, api)),
		...(openQuery && {
			[queryParametersJson.name]: json({
				...queryParametersJson,
				description:
					'Further query parameters as a JSON object; those filled in elsewhere take precedence',
				...(queryHint ? { hint: queryHint } : {}),
			}),
		}),
		...(openBody && !jsonOnTop && { [bodyJson.name]: furtherBody }),
	};
	return showAll(place(options)).sort(byName);
}
