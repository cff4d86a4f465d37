import {
	NodeApiError,
	NodeOperationError,
	type IDataObject,
	type INode,
	type JsonObject,
} from 'n8n-workflow';
import { camelCase } from 'lodash';
import { DateTime } from 'luxon';
import { longWaitMs } from '../platform/waits';
import { RequestError } from './requestError';
import type { ItemPlace } from '../text/itemName';
import { escapeHtml, sentence, title } from '../text/text';
import { apiRequestWay, type OpenFacts, openParts } from '../platform/guesses';

/** What a message needs to know about the request that did not succeed. */
export interface Situation {
	/** Host of the workspace, without scheme. */
	host?: string;
	/** Display names of fields by the platform's field name. */
	labels?: Record<string, string>;
	/** Lists that were made from input items, by their parameter. */
	rows?: Record<string, { displayName: string; items: number[][] }>;
	/** Rows of the request, if the option "Batch Size" could make them fewer, and what they are. */
	batch?: { size: number; rows: string };
	item?: number;
	/** An input item as people find it. */
	nameOf?: (item: number) => string;
	/** Sentences of the operation for its own codes and statuses. */
	explain?: Record<string, { message: string; description: string }>;
	/** What is not known of the endpoint. */
	facts?: OpenFacts;
	/** Whether the request writes, and whether repeating it is safe. */
	class?: 'read' | 'keyed' | 'write';
	/** The request key is the user's own. */
	ownKey?: boolean;
	timeoutSeconds?: number;
	/** The user looks at a list in the editor, to which no option of the node applies. */
	inEditor?: true;
	/** What has been done although the rest of the operation was not: "The call was placed". */
	accepted?: string;
}

export interface ErrorText {
	message: string;
	description: string;
	/** Shown as a list below the description. */
	listed?: string[];
}

/** n8n shows a description as HTML; rows and the platform may have written parts of it. */
const descriptionOf = ({ description, listed = [] }: ErrorText): string => {
	const lines = listed.map((line) => `<li>${escapeHtml(line)}</li>`).join('');
	return [escapeHtml(description), lines && `<ul>${lines}</ul>`].filter(Boolean).join(' ');
};

/** What a status says already: not worth repeating. */
const nothingNew =
	/^((an? )?(internal|unknown|unexpected)( server)? error( occurred)?|bad gateway|not found|forbidden|unauthorized)\.?$/i;

const platformSays = (requestError: RequestError): string => {
	const { message, details } = requestError.facts;
	const parts = [message, details === message ? undefined : details].filter(
		(part) => part && !nothingNew.test(part),
	);
	return parts.length ? ` The platform says: ${parts.map(sentence).join(' ')}` : '';
};

/** The result of looking for a record whose create request got no response; nothing is created again on a guess. */
const afterSearching: Record<NonNullable<RequestError['facts']['looked']>, string> = {
	missing:
		'A search on the platform did not find it, so it is not known whether the request went ' +
		'through. It was not sent again.',
	several:
		'Several new records on the platform match, so it is not known which one it is. It was ' +
		'not sent again.',
	alike:
		'A new record on the platform looks like it, but the platform does not show whether it is the one ' +
		'that was requested. It was not sent again.',
	part:
		'The platform lists only some of its records, and it is not among them. It is not known ' +
		'whether the request went through. It was not sent again.',
	impossible:
		'The platform could not be searched for it, so it is not known whether the request went ' +
		'through. It was not sent again.',
	unchanged:
		'The record was read and has not changed, so it is not known whether the request went ' +
		'through. It was not sent again.',
	changed:
		'The record has changed since, but its status does not show whether the request went ' +
		'through. It was not sent again.',
};

/** 'Retry Writes' sends again only what was certainly not there. */
const checkBeforeRepeating = (looked: NonNullable<RequestError['facts']['looked']>): string => {
	const check =
		looked === 'unchanged' || looked === 'changed'
			? 'Check the record on the platform. If nothing was done'
			: 'Check the platform. If it is there, continue from there; if not';
	const allowed =
		looked === 'missing' || looked === 'unchanged'
			? ", or turn on 'Retry Writes' under Options"
			: '';
	return `${check}, start a new run of the workflow${allowed}. Retrying this execution only checks again.`;
};

/** Whether it is safe to repeat a request that the platform may have carried out. */
const afterUnknown = (requestError: RequestError, situation: Situation): string => {
	if (requestError.outcome === 'nothing') return '';
	switch (situation.class) {
		case 'write':
			return (
				' The request may have gone through. Check the platform before you run it again, so that ' +
				'it does not happen twice.'
			);
		case 'keyed':
			return situation.ownKey
				? ' Running it again with the same request key is safe: the platform acts on each key once.'
				: ' Retry On Fail and retrying this execution are safe: they send the same request key, ' +
						'and the platform acts on each key once. A new run of the workflow is a new request.';
		default:
			return '';
	}
};

/** A file that was not kept is the response to a request that was carried out. */
const afterFile = ({ class: requestClass }: Situation): string =>
	requestClass === 'write' || requestClass === 'keyed'
		? ' The platform accepted the request. Check the platform before you run it again.'
		: '';

/** Why n8n did not store a file, by the code of its disk or its memory. */
function storageSays({ code = '', message }: RequestError['facts']): string {
	if (/^(ENOSPC|EDQUOT)$/.test(code)) return 'The disk on which n8n stores files is full.';
	if (/^(ERR_STRING_TOO_LONG|ERR_BUFFER_TOO_LARGE|ERR_MEMORY_ALLOCATION_FAILED)$/.test(code))
		return 'n8n keeps files in memory, and this one is too large for that.';
	const why = code || message;
	return `Ask who runs this n8n to check where it stores files${why ? ` (${why.replace(/\.$/, '')})` : ''}.`;
}

/** What the platform has done with a request that it refused in the end. */
const sayNothingDone = (requestError: RequestError, situation: Situation): string =>
	requestError.outcome === 'nothing'
		? ' Nothing was done for this item.'
		: afterUnknown(requestError, situation);

/**
 * Puts a request error into words: what happened, and what to do next (interface §5 rules 3 and 6, §7, §8).
 * Never contains a token, a secret or a header.
 */
export function describeError(requestError: RequestError, situation: Situation = {}): ErrorText {
	const { accepted, ...rest } = situation;
	if (!accepted) return describeRequestError(requestError, rest);
	const { message } = describeRequestError(requestError, {
		...rest,
		class: 'read',
		explain: undefined,
	});
	return {
		message: `${accepted}, but its result could not be read`,
		description: `${message}. ${retryContinues}`,
	};
}

/** What a later try does with a request that is done and was not seen to its end. */
export const retryContinues =
	'Retry On Fail and retrying this execution continue from there and do not send the ' +
	'request again.';

/** An entry of a table by a name from the platform, which may be `constructor`. */
const of = <T>(table: Record<string, T> | undefined, name: string | undefined): T | undefined =>
	table && name !== undefined && Object.hasOwn(table, name) ? table[name] : undefined;

/** A request error in words, whatever part of its operation is done. */
function describeRequestError(requestError: RequestError, situation: Situation): ErrorText {
	const { facts } = requestError;
	const host = situation.host ?? 'the workspace';
	const own =
		of(situation.explain, facts.code) ??
		(requestError.reason === 'status' ? of(situation.explain, String(facts.status)) : undefined);
	if (own) {
		const way = isUnknownAddress(requestError)
			? guessWay(situation, own)
			: partsWay(requestError, situation);
		return {
			message: own.message,
			description: `${own.description}${way}${platformSays(requestError)}`,
		};
	}
	if (facts.looked) {
		return {
			message: `The response of ${host} was lost; the request may have gone through`,
			description: `${afterSearching[facts.looked]} ${checkBeforeRepeating(facts.looked)}${platformSays(requestError)}`,
		};
	}

	if (facts.status === 413) return describeTooLarge(requestError, situation);

	switch (requestError.reason) {
		case 'connectionRefused':
			return {
				message: `Could not connect to ${host}`,
				description: `${requestError.outcome === 'nothing' ? 'Nothing was sent. ' : ''}Check 'Base URL' in the credential and whether this n8n can reach the internet.${afterUnknown(requestError, situation)}`,
			};
		case 'name':
			return {
				message: `The host ${host} was not found`,
				description: `${requestError.outcome === 'nothing' ? 'Nothing was sent. ' : ''}Check 'Base URL' in the credential for typos, above all the name of the workspace.${afterUnknown(requestError, situation)}`,
			};
		case 'tls':
			return {
				message: `Could not make a secure connection to ${host}`,
				description: `${requestError.outcome === 'nothing' ? 'Nothing was sent. ' : ''}The certificate or the encryption was not accepted (${facts.code ?? 'TLS'}). The usual causes are a proxy in between or a wrong clock. Ask who runs this n8n.${afterUnknown(requestError, situation)}`,
			};
		case 'timeout':
			return {
				message: `${host} did not respond within ${facts.timeoutSeconds ?? situation.timeoutSeconds ?? 60} seconds`,
				description: `${situation.inEditor ? 'Try again in a moment.' : "Raise 'Timeout' under Options if this happens often."}${afterUnknown(requestError, situation)}`,
			};
		case 'tooLarge':
			return {
				message: `The file is larger than ${facts.largest ?? 0} MB and was not read completely`,
				description: `${
					facts.inMemory
						? 'This n8n keeps files in memory, where that is the maximum. Whoever runs it can store ' +
							'them on disk instead (N8N_DEFAULT_BINARY_DATA_MODE).'
						: "To read it, raise 'Maximum File Size' under Options."
				}${afterFile(situation)}`,
			};
		case 'longAnswer':
			return {
				message: `${host} answered with more than ${facts.largest ?? 0} MB, which was not read`,
				description: `Ask for less per request: a smaller page, a lower 'Limit', or filters. If it is a file, turn on 'Download File' in API Request.${afterFile(situation)}`,
			};
		case 'storage':
			return {
				message: 'The file arrived, but n8n could not store it',
				description: `${storageSays(facts)}${afterFile(situation)}`,
			};
		case 'dropped':
		case 'network':
			return {
				message: `The connection to ${host} was lost before the response arrived`,
				description: `Try again in a moment.${afterUnknown(requestError, situation)}`,
			};
		case 'uncertain':
			if (facts.code === 'OTHER_VALUES')
				return {
					message: 'An earlier try sent this with other values, and it may have gone through',
					description:
						'Its response was lost, so the new values were not sent. Check the platform and correct ' +
						'there what arrived. To send the new values, start a new run of the workflow, or turn on ' +
						"'Retry Writes' under Options and retry this execution with the current workflow.",
				};
			return {
				message: 'This request may have gone through in an earlier try',
				description:
					'An earlier try sent it and lost the response, so it was not sent again. Check the ' +
					"platform. If it is not there, turn on 'Retry Writes' under Options and retry this " +
					'execution with the current workflow.',
			};
		case 'otherRecipient':
			return {
				message: `The platform returned a request to ${facts.details} instead of ${facts.message}`,
				description:
					'Its request key stands for that earlier request, so probably nothing was sent for ' +
					'this item. Check the platform, and give each item its own request key.',
			};
		case 'notSent':
			return {
				message: facts.message ?? 'Not sent, because it would happen twice',
				description: `${facts.details ?? ''} Nothing was sent for this item.`.trim(),
			};
		case 'notBegun':
			return {
				message: 'Not sent, because the previous request did not succeed',
				description:
					facts.code === 'NO_ID'
						? 'The first request went through, but the platform did not return the ID of the new ' +
							'record. Find it on the platform and add the rest there.'
						: 'Nothing was done for this item.',
			};
		case 'redirect':
			return {
				message: facts.location
					? `${host} redirects to ${facts.location}`
					: `${host} redirects to another URL`,
				description:
					'The redirect was not followed, so that the token does not reach another host. If the ' +
					"workspace has moved, enter its new URL as 'Base URL' in the credential.",
			};
		case 'refused':
			return {
				message: facts.message
					? sentence(facts.message).replace(/\.$/, '')
					: 'The platform refused this without a reason',
				description: [
					'The platform refused the request.',
					facts.details ? sentence(facts.details) : '',
					facts.code ? `Its code for this is ${facts.code}.` : '',
					sayNothingDone(requestError, situation).trim(),
				]
					.filter(Boolean)
					.join(' '),
			};
		case 'html':
			if (facts.status === 429) return describeTooMany(requestError, situation);
			if ([401, 403, 407, 451].includes(facts.status ?? 0)) {
				return {
					message: `${host} refused the request with a web page (status ${facts.status})`,
					description:
						'Something between n8n and the platform refused it, for example a firewall or a proxy. ' +
						`Ask who runs that network, or the platform's support, to let this n8n through.${sayNothingDone(requestError, situation)}`,
				};
			}
			return {
				message: `${host} responded with a web page instead of data`,
				description:
					requestError.temporary || requestError.outcome !== 'nothing'
						? `Something between n8n and the platform responded, or the platform is in maintenance (status ${facts.status ?? 'unknown'}).${afterUnknown(requestError, situation)}`
						: `Check 'Base URL' in the credential; it should lead to your workspace (status ${facts.status ?? 'unknown'}).`,
			};
		case 'unreadable':
			return describeUnreadable(requestError, situation, host);
		case 'unexpected':
			return {
				message: facts.message ?? 'Something unexpected happened in this node',
				description: `This node did not expect it. ${facts.details ? `${sentence(facts.details)} ` : ''}Run it again. If it happens again, report it with the version of this node.${afterUnknown(requestError, situation)}`,
			};
		default:
			return describeStatus(requestError, situation, host);
	}
}

/** A response from which nothing can be concluded: what came instead of what was asked for, and what to do. */
function describeUnreadable(
	requestError: RequestError,
	situation: Situation,
	host: string,
): ErrorText {
	const { asked, received, endpoint = 'this request', message } = requestError.facts;
	if (situation.class !== 'read')
		return {
			message: `The response of ${host} could not be read`,
			description: `It was empty or incomplete, although the platform accepted the request.${afterUnknown(requestError, situation)}`,
		};
	if (asked === undefined && message === undefined)
		return {
			message: `The response of ${host} could not be read`,
			description: 'It was empty or incomplete. Try again in a moment.',
		};
	const what = asked === undefined ? 'no data' : `no ${asked}`;
	const came = received ? ` It returned ${received}.` : '';
	return {
		message: `The platform returned ${what} for ${endpoint}`,
		description: `Nothing can be concluded from this response, so the run does not treat it as empty.${came}${platformSays(requestError)} Try again in a moment. If it happens again, look at the response with the resource 'Other Endpoint'.`,
	};
}

/** A field of the platform under the name that people see; in a list made from input items with the item of the row. */
function nameOf(
	field: string,
	{ labels = {}, rows = {}, nameOf: name = (item) => `item ${item}` }: Situation,
): string {
	const [list = '', row = '', ...inside] = field.split(/[.[\]]+/).filter((part) => part !== '');
	const made = of(rows, camelCase(list));
	const item = made?.items[Number(row)]?.[0];
	if (item !== undefined)
		return `'${[made?.displayName, ...inside.map(title)].join(' › ')}' of ${name(item)}`;
	const label = of(labels, field) ?? of(labels, field.split('.').pop());
	return label ? `'${label}'` : `"${field}"`;
}

/** Whether the platform takes no such request at all. */
const isUnknownAddress = ({ facts: { status, code } }: RequestError): boolean =>
	status === 405 || (status === 404 && code !== 'RESOURCE_NOT_FOUND');

/** What to use instead of a path that is our guess. */
const guessWay = ({ facts }: Situation, said?: ErrorText): string => {
	if (!facts?.guess || said?.description.includes('Other Endpoint')) return '';
	return ` The path that this node uses is unconfirmed: ${apiRequestWay}.`;
};

/** Where to enter what the platform asks for, if it does not accept what it was sent. */
const partsWay = (requestError: RequestError, { facts }: Situation): string => {
	if (!requestError.isInvalidRequest || !facts) return '';
	const parts = openParts(facts);
	const way = parts
		? ` If the platform asks for a field that is missing here, enter it in ${parts}.`
		: '';
	return `${way}${facts.guess ? ` The operation is unconfirmed: if that does not help, ${apiRequestWay}.` : ''}`;
};

function describeStatus(requestError: RequestError, situation: Situation, host: string): ErrorText {
	const { status = 0, code, field, message } = requestError.facts;
	const fieldName = field ? nameOf(field, situation) : undefined;
	switch (true) {
		case status === 401:
			return {
				message: 'The platform did not accept the token',
				description: `It is missing, mistyped or revoked. Create a token in your profile's Developer section on the platform, enter it in the credential and save.${platformSays(requestError)}`,
			};
		case status === 403:
			return {
				message: 'The token is valid, but it has no permission for this',
				description: `Ask an administrator of the workspace for a token with that permission.${platformSays(requestError)}`,
			};
		case status === 405:
		case status === 404 && code === 'ENDPOINT_NOT_FOUND':
			return {
				message: 'The platform does not know this endpoint',
				description: `This workspace may have it at another path, or not at all.${guessWay(situation) || " Find the path in its API documentation and use the resource 'Other Endpoint'."}${platformSays(requestError)}`,
			};
		case status === 404 && code === 'RESOURCE_NOT_FOUND':
			return {
				message: message
					? sentence(message).replace(/\.$/, '')
					: 'The platform found no record with this ID',
				description:
					'It may have been deleted, or it belongs to another workspace. Choose it from the list again.',
			};
		case status === 404:
			return {
				message: `The workspace ${host} was not found, or it has no such record`,
				description: `Check 'Base URL' in the credential: its first part is the name of your workspace. If it is right, choose the record from the list again.${guessWay(situation)}${platformSays(requestError)}`,
			};
		case status === 409:
			return {
				message: message
					? sentence(message).replace(/\.$/, '')
					: 'The platform refused this, because it conflicts with an existing record',
				description: `${requestError.outcome === 'nothing' ? 'Check the record on the platform.' : 'The platform may have accepted this request before.'}${code ? ` Its code for this is ${code}.` : ''}${sayNothingDone(requestError, situation)}`,
			};
		case status === 400 || status === 422:
			return {
				message: fieldName
					? `The platform did not accept ${fieldName}${message ? `: ${sentence(message).replace(/\.$/, '')}` : ''}`
					: `The platform did not accept the request${message ? `: ${sentence(message).replace(/\.$/, '')}` : ''}`,
				description: `${requestError.facts.details ? `${sentence(requestError.facts.details)} ` : ''}Correct the value and run again.${partsWay(requestError, situation)}${sayNothingDone(requestError, situation)}`,
			};
		case status === 429:
			return describeTooMany(requestError, situation);
		case status === 503:
			return {
				message: 'The platform is unavailable or in maintenance',
				description: `Try again later.${platformSays(requestError)}${afterUnknown(requestError, situation)}`,
			};
		case status === 423:
			return {
				message: 'The record is locked on the platform',
				description: `Another change is in progress. Try again in a moment.${platformSays(requestError)}${sayNothingDone(requestError, situation)}`,
			};
		case status >= 500 || requestError.temporary:
			return {
				message: `The platform could not process the request (status ${status})`,
				description: `Try again in a moment.${platformSays(requestError)}${afterUnknown(requestError, situation)}`,
			};
		default:
			return {
				message: message
					? sentence(message).replace(/\.$/, '')
					: `The platform responded with status ${status}`,
				description: code ? `Code ${code}.` : 'Check the parameters of the node.',
			};
	}
}

/** "57 minutes", for people: rounded up. */
const spanOf = (milliseconds: number): string => {
	const seconds = Math.ceil(milliseconds / 1000);
	const [count, unit] =
		seconds < 120
			? [seconds, 'second']
			: seconds < 7200
				? [Math.ceil(seconds / 60), 'minute']
				: [Math.ceil(seconds / 3600), 'hour'];
	return `${count} ${unit}${count === 1 ? '' : 's'}`;
};

/**
 * Status 413, of the platform or a proxy before it: a limit that no source states (contract: `x-open: count limit`).
 */
function describeTooLarge(requestError: RequestError, situation: Situation): ErrorText {
	const { size = 0, rows = '' } = situation.batch ?? {};
	const advice =
		size > 1
			? `It contained ${size} ${rows}. Set 'Batch Size' under Options to fewer, for example ${Math.min(5000, Math.ceil(size / 4))}. Further ${rows} then follow in further requests.`
			: 'Send less in one request.';
	return {
		message: 'The request is larger than the platform accepts',
		description: `${advice}${platformSays(requestError)}${sayNothingDone(requestError, situation)}`,
	};
}

/** Status 429: a moment's wait, a refusal that lasts, or an endpoint closed for a while (interface §8 rule 1). */
function describeTooMany(requestError: RequestError, situation: Situation): ErrorText {
	const { closed, retryAfterMs = 0 } = requestError.facts;
	const nothingDone = sayNothingDone(requestError, situation);
	if (closed === 'asked' || retryAfterMs > longWaitMs) {
		const until = DateTime.now().plus(retryAfterMs);
		return {
			message: `The platform asked to wait until ${until.toFormat('HH:mm')} (${spanOf(retryAfterMs)})`,
			description: `That is ${until.toFormat('yyyy-MM-dd HH:mm')} in the time zone ${until.zoneName}. Until then, requests of this kind are not sent. All others continue. Run it again afterwards.${platformSays(requestError)}${nothingDone}`,
		};
	}
	const advice =
		closed === 'refusing'
			? 'It has refused every request of this kind for ten minutes. Run it again later, or send ' +
				'fewer at a time.'
			: requestError.attempts > 1
				? `It still refused this request after ${requestError.attempts} tries. Run it again later, or send fewer at a time.`
				: `Wait ${retryAfterMs > 0 ? spanOf(retryAfterMs) : 'a moment'} and run again, or raise 'Max Retries' under Options.`;
	return {
		message: 'The platform is receiving more requests than it allows',
		description: `Other senders in the same workspace count too. ${advice}${nothingDone}`,
	};
}

/** The platform's code; otherwise the network's, the status or our own word, in this order. */
export const codeOf = ({ reason, facts }: RequestError): string =>
	facts.code ?? (reason === 'status' ? `HTTP_${facts.status ?? 'UNKNOWN'}` : reason.toUpperCase());

/** Facts for an error item, under one key there, so that they replace nothing of the input. */
export function errorFacts(
	requestError: RequestError,
	said: ErrorText,
	place: ItemPlace,
): IDataObject {
	return {
		message: said.message,
		description: said.description,
		code: codeOf(requestError),
		...(requestError.facts.field ? { field: requestError.facts.field } : {}),
		...(requestError.facts.status ? { status: requestError.facts.status } : {}),
		...place,
	};
}

/**
 * An n8n error with our words. Built from a plain object, because n8n's class keeps the texts of a wrapped error and of
 * response bodies instead of those passed to it.
 */
export function apiError(
	node: INode,
	said: ErrorText,
	facts: { status?: number; code?: string; field?: string; item?: number },
): NodeApiError {
	// An AI model only sees the message, so there the message also says what to do.
	const alone = node.type.endsWith('Tool') && !said.message.includes(said.description);
	const message = alone ? `${sentence(said.message)} ${said.description}` : said.message;
	const plain: JsonObject = { message };
	const error = new NodeApiError(node, plain, {
		message,
		description: said.description,
		httpCode: facts.status ? String(facts.status) : undefined,
		itemIndex: facts.item,
		level: 'warning',
	});
	// n8n replaces messages in which it recognizes a network code; ours are already in plain words.
	error.message = message;
	error.description = descriptionOf(said);
	if (facts.code) error.context.code = facts.code;
	if (facts.field) error.context.field = facts.field;
	return error;
}

/**
 * An error that concerns the node's settings or items, with our words: n8n replaces messages in which it recognizes a
 * network code.
 */
export function operationError(node: INode, said: ErrorText, item?: number): NodeOperationError {
	const error = new NodeOperationError(node, said.message, {
		description: said.description,
		itemIndex: item,
		level: 'warning',
	});
	error.message = said.message;
	error.description = descriptionOf(said);
	return error;
}
