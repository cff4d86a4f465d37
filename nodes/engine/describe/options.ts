import type { INodeProperties } from 'n8n-workflow';
import { country } from '../fields/phone';
import { boolean, choice, integer, text } from '../fields/scalar';
import type { Fields } from '../fields/shape';
import { json } from '../fields/json';
import { place, type Placed, showAll } from '../fields/structure';
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
	reachEachPerson,
	sameNumberTwice,
} from '../operation/runOptions';
import { bodyJson, queryParametersJson } from '../platform/guesses';
import { byName } from './parameter';

const furtherBody = json(
	'Further request fields as a JSON object; those filled in elsewhere take precedence',
	{ ...bodyJson },
);

export const furtherBodyShown = furtherBody.show(bodyJson.name, bodyJson.displayName);

const optOuts = (reaches: NonNullable<Operation['reaches']>): Fields => ({
	skipBlacklistedContacts: boolean(
		"Whether to skip contacts on the platform's blacklist. All contacts are read before anything is sent, " +
			'one request per 100. If none is listed there, a hint tells how to check.',
	),
	skipNumbers: text(
		'Phone numbers or email addresses to skip, in any format. Separate them with commas, or ' +
			"use an expression that returns a list or another node's items. A row that cannot be compared stops " +
			'the run. An empty list ([]) skips nobody. A hint names the columns.',
		{ placeholder: "e.g. {{ $('Opt-outs').all() }}" },
	),
	...(!reaches.rows && {
		sameNumberTwice: choice(
			sameNumberTwice,
			`What to do with items of one run that have the same number. If not set, the run stops at ${reaches.once ? 'them' : 'those with the same content'} before anything is sent.`,
			{ default: twiceByDefault(reaches) },
		),
	}),
});

function writing(operation: Operation): Fields {
	const { allItems, batches, before, method, reaches, run, wait } = operation;
	const api = isRaw(operation);
	const keySource = keySourceOf(operation.recover);
	return {
		preview: boolean(
			reaches
				? 'Whether to return a summary of who would be reached and the prepared requests, without ' +
						'sending anything'
				: 'Whether to return the prepared requests without sending anything',
		),
		...(reaches && optOuts(reaches)),
		...(before && { startAgain: boolean(before.unless) }),
		...(keySource !== 'documented' &&
			!run && {
				retryWrites: boolean(
					'Whether to retry even if the request may have gone through. It may then happen twice.',
				),
			}),
		...(keySource === 'documented' &&
			reaches &&
			!reaches.rows && {
				reachEachPerson: choice(
					reachEachPerson,
					'How often this node reaches the same number, email address or contact. Later runs skip ' +
						'whoever was reached. The platform recognizes them; for how long is unknown.',
					{ default: 'everyRun' },
				),
			}),
		...((keySource || api) && {
			requestKey: text(
				`Your unique ID for this request, such as an order number. ${keySource === 'documented' ? 'The platform acts on each key once per recipient, however often the workflow runs.' : 'Documented for calls and messages alone; elsewhere the platform may ignore or refuse it.'} A key with an empty part is refused.`,
				{ placeholder: 'e.g. {{ $json.order_number }}' },
			),
		}),
		...(!allItems &&
			!api && {
				concurrency: integer(
					`Maximum ${(wait?.atOnce && reaches?.words[1]) ?? 'requests'} in parallel`,
					{
						default: wait?.atOnce ?? defaultConcurrency,
						min: 1,
						max: wait?.atOnce ?? mostConcurrency,
					},
				),
			}),
		...(batches && {
			batchSize: integer(
				`Maximum ${batches.rows} per request, if the platform accepts no larger requests. Further ${batches.rows} follow in further requests, one after the other. If not set, all ${batches.rows} go in one request.`,
				{ default: 5000, min: 1 },
			),
		}),
		...(['PATCH', 'PUT'].includes(method) && {
			sendEmptyFields: boolean(
				'Whether to send fields that you added and left empty, which clears them',
			),
		}),
	};
}

const downloading = ({ download }: Operation, api: boolean): Fields => ({
	...((download?.when === 'option' || api) && {
		downloadFile: boolean(
			api
				? 'Whether the response is a file'
				: `Whether to download the ${download?.what ?? 'file'} too`,
		),
	}),
	binaryPropertyName: text('Name of the output field for the file', {
		displayName: 'Put Output File in Field',
		default: 'data',
		placeholder: 'e.g. data',
	}),
	maximumFileSize: integer(
		'Megabytes that a file may have. A larger file is not read completely. If n8n keeps ' +
			'files in memory, the maximum is 256.',
		{ default: defaultMaximumFileSize, min: 1, max: mostMaximumFileSize },
	),
});

/** The options of an operation as fields: how a request behaves, in the same words everywhere. */
export function optionFieldsOf(operation: Operation): Placed[] {
	const { download, openBody, jsonOnTop, openQuery, queryHint, wait } = operation;
	const api = isRaw(operation);
	const options: Fields = {
		maxRetries: integer('Maximum retries after a lost connection or an outage of the platform', {
			default: 5,
			min: 0,
			max: 20,
		}),
		timeout: integer('Maximum seconds to wait for the complete response', {
			default: 60,
			min: 1,
			max: 600,
		}),
		timezone: text(
			"Time zone of this node instead of the credential's, for times you enter without an offset " +
				'and times returned',
			{ placeholder: 'e.g. Europe/Istanbul' },
		),
		...(takesPhone(operation) && {
			defaultCountry: country('Country of phone numbers without a country code'),
		}),
		...(operation.method !== 'GET' && writing(operation)),
		...(wait && {
			waitTimeout: integer(`Maximum seconds to wait for ${wait.forWhat}`, {
				default: wait.timeoutSeconds,
				min: 1,
				max: 86400,
			}),
		}),
		...((download || api) && downloading(operation, api)),
		...(openQuery && {
			[queryParametersJson.name]: json(
				'Further query parameters as a JSON object; those filled in elsewhere take precedence',
				{ ...queryParametersJson, ...(queryHint ? { hint: queryHint } : {}) },
			),
		}),
		...(openBody && !jsonOnTop && { [bodyJson.name]: furtherBody }),
	};
	return place(options);
}

export const optionsOf = (operation: Operation): INodeProperties[] =>
	showAll(optionFieldsOf(operation)).sort(byName);
