import type { INodeProperties } from 'n8n-workflow';
import { country } from '../fields/phone';
import { boolean, choice, integer, text } from '../fields/scalar';
import type { Fields } from '../fields/shape';
import { json } from '../fields/json';
import { defaultTimeout } from '../http/client';
import { place, type Placed, showAll } from '../fields/structure';
import { partition } from 'lodash';
import { isRaw } from '../operation/kinds';
import type { Operation } from '../operation/operation';
import { mostLiveOf, takesPhone, twiceByDefault } from '../operation/places';
import { keySourceOf } from '../operation/recovery';
import {
	advanced,
	defaultConcurrency,
	defaultMaximumFileSize,
	itemsThatDisagree,
	mostConcurrency,
	mostMaximumFileSize,
	reachEachPerson,
	sameNumberTwice,
} from '../operation/runOptions';
import { bodyJson, queryParametersJson } from '../platform/guesses';
import { byName, collection } from './parameter';

const furtherBody = json('Further request fields as a JSON object', { ...bodyJson });

export const furtherBodyShown = furtherBody.show(bodyJson.name, bodyJson.displayName);

const optOuts = (reaches: NonNullable<Operation['reaches']>): Fields => ({
	skipBlacklistedContacts: boolean(
		"Whether to skip contacts on the platform's blacklist. Reads all contacts first, 100 per request.",
	),
	skipNumbers: text(
		"Numbers or email addresses to skip, separated by commas, or another node's items. Unreadable rows stop the run.",
		{ placeholder: "e.g. {{ $('Opt-outs').all() }}" },
	),
	...(reaches.rows && {
		itemsThatDisagree: choice(
			itemsThatDisagree,
			'What to do with items that have the same number, but different values',
			{ default: 'stop' },
		),
	}),
	...(!reaches.rows && {
		sameNumberTwice: choice(
			sameNumberTwice,
			`What to do with items that have the same number. By default, ${reaches.once ? 'they stop the run' : "those with the same content stop the run ('Stop If Identical')"}.`,
			{ default: twiceByDefault(reaches) },
		),
	}),
});

function writing(operation: Operation): Fields {
	const { allItems, guard, method, reaches, run } = operation;
	const api = isRaw(operation);
	const mostLive = mostLiveOf(operation);
	const keySource = keySourceOf(operation.recover);
	return {
		preview: boolean(
			reaches
				? 'Whether to show who would be reached, without sending anything'
				: 'Whether to return the prepared requests without sending anything',
		),
		...(reaches && optOuts(reaches)),
		...(guard && { startAgain: boolean(guard.unless) }),
		...(keySource !== 'documented' &&
			!run && {
				retryWrites: boolean(
					'Whether to send again what may have gone through; it may then happen twice',
				),
			}),
		...(keySource === 'documented' &&
			reaches &&
			!reaches.rows && {
				reachEachPerson: choice(
					reachEachPerson,
					'How often this node reaches the same person. How long the platform remembers is unknown.',
					{ default: 'everyRun' },
				),
			}),
		...((keySource || api) && {
			requestKey: text(
				`Your unique ID for this request, such as an order number. ${keySource === 'documented' ? 'A workspace that deduplicates acts on it once per recipient.' : 'The platform may ignore or refuse it.'}`,
				{ placeholder: 'e.g. {{ $json.order_number }}' },
			),
		}),
		...(!allItems &&
			!api && {
				concurrency: integer(
					mostLive && reaches
						? `Maximum ${reaches.words[1]} that one run waits for in parallel`
						: 'Maximum requests in parallel',
					{
						default: mostLive ?? defaultConcurrency,
						min: 1,
						max: mostLive ?? mostConcurrency,
					},
				),
			}),
		...(allItems && {
			batchSize: integer(
				`Maximum ${reaches?.words[1]} per request. Further ones follow in further requests. If not set, all go in one.`,
				// What the editor proposes once the option is added. Without it, nothing is divided.
				{ default: 5000, min: 1 },
			),
		}),
		...(['PATCH', 'PUT'].includes(method) && {
			sendEmptyFields: boolean('Whether to send fields that you added and left empty'),
		}),
	};
}

const downloading = ({ download }: Operation, api: boolean): Fields => ({
	...((download?.what || api) && {
		downloadFile: boolean(
			api
				? 'Whether the response is a file'
				: `Whether to download the ${download?.what} too. Items that have none get no file.`,
		),
	}),
	binaryPropertyName: text('Name of the output field for the file', {
		displayName: 'Put Output File in Field',
		default: 'data',
		placeholder: 'e.g. data',
	}),
	maximumFileSize: integer('Maximum megabytes of a file; 256 if n8n keeps files in memory', {
		default: defaultMaximumFileSize,
		min: 1,
		max: mostMaximumFileSize,
	}),
});

/** The options of an operation as fields: how a request behaves, in the same words everywhere. */
export function optionFieldsOf(operation: Operation): Placed[] {
	const { download, openBody, jsonOnTop, openQuery, queryHint, wait } = operation;
	const api = isRaw(operation);
	const options: Fields = {
		maxRetries: integer('Maximum retries after a lost connection or an outage', {
			default: 5,
			min: 0,
			max: 20,
		}),
		timeout: integer('Maximum seconds to wait for the complete response', {
			default: defaultTimeout,
			min: 1,
			max: 600,
		}),
		timezone: text("Replaces the credential's time zone in this node", {
			placeholder: 'e.g. Europe/Istanbul',
		}),
		...(takesPhone(operation) && {
			defaultCountry: country(
				'Country of phone numbers without a country code, as two letters like DE',
			),
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
			[queryParametersJson.name]: json('Further query parameters as a JSON object', {
				...queryParametersJson,
				...(queryHint ? { hint: queryHint } : {}),
			}),
		}),
		...(openBody && !jsonOnTop && { [bodyJson.name]: furtherBody }),
	};
	return place(options);
}

export const optionsOf = (operation: Operation): INodeProperties[] =>
	showAll(optionFieldsOf(operation)).sort(byName);

/** The options of a node as the editor shows them: those that few people need are one entry among the others. */
export function folded(options: INodeProperties[]): INodeProperties {
	const [inside, beside] = partition(options.sort(byName), ({ name }) => advanced.includes(name));
	return collection([collection(inside, 'Advanced', 'Add Advanced Option'), ...beside]);
}
