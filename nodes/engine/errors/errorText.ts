import { NodeApiError, NodeOperationError, type INode } from 'n8n-workflow';
import { camelCase, lowerCase } from 'lodash';
import { DateTime } from 'luxon';
import { apiRequestWay, type OpenFacts, openParts, wayRoundGuess } from '../platform/guesses';
import { longWaitMs } from '../platform/paceLimits';
import {
	escapeHtml,
	inSentence,
	many,
	sentence,
	sentences,
	spanOf,
	title,
	withoutTags,
} from '../text/text';
import type { Outcome, RequestError } from './requestError';

export interface Situation {
	host?: string;
	/** What is not known of the endpoint, and the operation's own sentences for codes and statuses. */
	operation?: OpenFacts & { action?: string; explain?: Record<string, ErrorText> };
	labels?: Record<string, string>;
	/** Lists that were made from input items, by their parameter. */
	rows?: Record<string, { displayName: string; items: number[][] }>;
	/** Rows of the request, if the option "Batch Size" could make them fewer, and what they are. */
	batch?: { size: number; rows: string };
	nameOf?: (item: number) => string;
	/** Whether the request writes, and whether repeating it is safe; by default it reads. */
	class?: 'read' | 'keyed' | 'write';
	ownKey?: boolean;
	/** The user looks at a list in the editor, to which no option of the node applies. */
	inEditor?: true;
	/** Whether to repeat it is said beside it, for all items. */
	counted?: boolean;
	/** What has been done although the rest of the operation was not: "The call was accepted". */
	accepted?: string;
}

export interface ErrorText {
	message: string;
	description: string;
	listed?: string[];
}

export interface ItemError {
	message: string;
	description: string;
	code: string;
	field?: string;
	status?: number;
	outcome: Outcome;
}

type Facts = RequestError['facts'];
type Looked = NonNullable<Facts['looked']>;

/** Words for one reason: what happened, and what to do. What may have been done is added for all (`describeError`). */
type Words = (
	facts: Facts,
	situation: Situation & { host: string; error: RequestError },
) => ErrorText;

const messageOf = ({ message }: Facts): string | undefined =>
	message && sentence(message).replace(/\.$/, '');

const codeSentence = ({ code }: Facts): string => (code ? ` Its code for this is ${code}.` : '');

const inAMoment = 'Try again in a moment.';

/** The result of looking for a record whose create request got no response; nothing is created again on a guess. */
const afterSearching: Record<Looked, string> = {
	missing: 'A search did not find it',
	several: 'Several new records match',
	alike: 'A new record looks like it but may be another',
	part: 'The platform lists only some of its records',
	impossible: 'The platform could not be searched for it',
	unchanged: 'The record has not changed',
	changed: 'The record has changed since, but its status does not show why',
};

const lost: Words = ({ looked = 'impossible' }, { host, counted }) => {
	const what = looked === 'several' ? 'which one it is' : 'whether it went through';
	const isKnown = looked === 'unchanged' || looked === 'changed';
	const check = isKnown ? 'If nothing was done' : 'If the platform lacks it';
	// 'Retry Writes' sends again only what was certainly not there.
	const allowed = looked === 'missing' || looked === 'unchanged';
	return {
		message: `The response of ${host} was lost; the request may have gone through`,
		description: counted
			? `${afterSearching[looked]}.`
			: `${afterSearching[looked]}, so it is not known ${what}. It was not sent again. ${check}, start a new run${allowed ? " or turn on 'Retry Writes'" : ''}. Executions › Retry only checks.`,
	};
};

const invalid: Words = (facts, situation) => ({
	message: `The platform did not accept ${facts.field ? fieldName(facts.field, situation) : 'the request'}${facts.message ? `: ${messageOf(facts)}` : ''}`,
	description: situation.counted
		? "Correct this, or set 'On Error: Continue'."
		: 'Correct this and run again.',
});

const unknownEndpoint: Words = (_, { operation: { guess, action = '' } = {} }) => ({
	message: guess
		? `This workspace has no endpoint to ${inSentence(action.replace(' (beta)', ''))} at the undocumented path this node tried`
		: 'The platform does not know this endpoint',
	description: `This workspace may have it at another path.${guess ? '' : " Find the path in its API documentation and use 'Other Endpoint'."}`,
});

/** A moment's wait, a refusal that lasts, or an endpoint closed for a while (interface §8 rule 1). */
const tooMany: Words = ({ closed, retryAfterMs = 0 }, { counted, error: { attempts } }) => {
	const wait = spanOf(retryAfterMs / 1000);
	if (closed === 'asked' || retryAfterMs > longWaitMs) {
		const until = DateTime.now().plus(retryAfterMs);
		return {
			message: `The platform asked to wait ${wait}, until ${until.toFormat('HH:mm')}`,
			description: `Wait until ${until.toFormat('yyyy-MM-dd HH:mm')} (${until.zoneName}).${counted ? '' : ' For up to three minutes, this operation stops without asking the platform. All others still work.'}`,
		};
	}
	const later = counted ? '' : ' Run it again later, or send fewer at a time.';
	const said =
		closed === 'refusing'
			? `The platform has refused every request of this kind for ten minutes.${later}`
			: attempts > 1
				? `The platform still refused this request after ${attempts} tries.${later}`
				: `Wait ${retryAfterMs > 0 ? wait : 'a moment'}${counted ? '' : ' and run again'}, or raise 'Max Retries' under Options › Advanced.`;
	return {
		message: 'The platform is receiving more requests than it allows',
		description: `Other senders in the same workspace count too. ${said}`,
	};
};

export const allowsRetry =
	"turn on 'Retry Writes' and use Executions › Retry with the current workflow";

/** By reason or status, and by code before. */
const words: Record<string, Words> = {
	connectionRefused: (_, { host }) => ({
		message: `Could not connect to ${host}`,
		description: "Check 'Base URL' and this n8n's internet connection, or try again later.",
	}),
	name: (_, { host }) => ({
		message: `The host ${host} was not found`,
		description:
			"Check 'Base URL' in the credential for typos, above all the name of the workspace.",
	}),
	tls: ({ code = 'TLS' }, { host }) => ({
		message: `Could not make a secure connection to ${host}`,
		description: `The certificate or the encryption was not accepted (${code}). The usual causes are a proxy in between or a wrong clock. Ask who runs this n8n.`,
	}),
	timeout: ({ timeoutSeconds }, { host, inEditor }) => ({
		message: `${host} did not respond within ${many(Number(timeoutSeconds), 'second')}`,
		description: inEditor
			? inAMoment
			: "Raise 'Timeout' under Options › Advanced if this happens often.",
	}),
	dropped: (_, { host, class: kind = 'read' }) => ({
		message: `The connection to ${host} was lost before the response arrived`,
		description: kind === 'read' ? inAMoment : '',
	}),
	tooLarge: ({ largest, inMemory }) => ({
		message: `The file is larger than ${largest} MB and was not read completely`,
		description: inMemory
			? 'This n8n keeps files in memory, and that is its maximum. Whoever runs it can store them on disk instead (N8N_DEFAULT_BINARY_DATA_MODE).'
			: "To read it, raise 'Maximum File Size' under Options › Advanced.",
	}),
	longAnswer: ({ largest }, { host }) => ({
		message: `${host} answered with more than ${largest} MB, which was not read`,
		description:
			"Ask for less per request: a lower 'Limit', or filters. For a file, turn on 'Download File' in API Request.",
	}),
	storage: ({ code = '', message = 'no reason' }) => ({
		message: 'The file arrived, but n8n could not store it',
		description: /^(ENOSPC|EDQUOT)$/.test(code)
			? 'The disk on which n8n stores files is full.'
			: /^ERR_(STRING|BUFFER|MEMORY)_/.test(code)
				? 'n8n keeps files in memory, and this one is too large for that.'
				: `Ask who runs this n8n to check where it stores files (${code || message.replace(/\.$/, '')}).`,
	}),
	uncertain: (_, { counted }) => ({
		message: 'This request may have gone through in an earlier try',
		description: counted
			? 'It was not sent again.'
			: `Its response was lost, so it was not sent again. Check the platform. If it is not there, ${allowsRetry}.`,
	}),
	'uncertain OTHER_VALUES': (_, { counted }) => ({
		message: 'An earlier try sent this with other values, and it may have gone through',
		description: `The new values were not sent. Correct what arrived${counted ? '' : ` on the platform, start a new run, or ${allowsRetry}`}.`,
	}),
	otherRecipient: ({ message, details }) => ({
		message: `The platform returned a request to ${details} instead of ${message}`,
		description:
			'An earlier request has the same request key, so probably nothing was sent for this item. Check the platform, and use another key for each item.',
	}),
	notSent: ({ message, details = '' }) => ({
		message: message ?? 'Not sent, because it would happen twice',
		description: details,
	}),
	notBegun: ({ code }) => ({
		message: 'Not sent, because the previous request did not succeed',
		description:
			code === 'NO_ID'
				? 'The first request went through, but the platform did not return the ID of the new record. Find it on the platform and add the rest there.'
				: '',
	}),
	redirect: ({ location }, { host }) => ({
		message: `${host} redirects to ${location || 'another URL'}`,
		description: "The redirect was not followed, so that the token stays here. Check 'Base URL'.",
	}),
	refused: (facts) => ({
		message: messageOf(facts) ?? 'The platform refused this without a reason',
		description: `${facts.message ? 'The platform refused the request.' : 'Check the record on the platform, or ask its support.'}${codeSentence(facts)}`,
	}),
	html: ({ status }, { host, class: kind = 'read', error: { temporary, outcome } }) => ({
		message: `${host} responded with a web page instead of data`,
		description:
			temporary || outcome !== 'nothing'
				? `Something between n8n and the platform responded, or the platform is in maintenance (status ${status}).${kind === 'read' ? ' Try again in some minutes.' : ''}`
				: `Check 'Base URL' in the credential; it should lead to your workspace (status ${status}).`,
	}),
	htmlRefusal: ({ status }, { host }) => ({
		message: `${host} refused the request with a web page (status ${status})`,
		description:
			"Something between n8n and the platform refused it, for example a firewall or a proxy. Ask who runs that network, or the platform's support, to let this n8n through.",
	}),
	unreadable: ({ asked, received, endpoint, message }, { host, class: kind = 'read' }) =>
		kind === 'read' && (asked ?? message)
			? {
					message: `The platform returned no ${asked ?? 'data'} for ${endpoint ?? 'this request'}`,
					description: `This does not mean that there is none.${received ? ` It returned ${received}.` : ''} ${inAMoment} Or look at the response with 'Other Endpoint'.`,
				}
			: {
					message: `The response of ${host} could not be read`,
					description: `The response was empty or incomplete.${kind === 'read' ? ` ${inAMoment}` : ''}`,
				},
	unexpected: ({ message, details }) => ({
		message: message ?? 'Something unexpected happened in this node',
		description: `This node did not expect it. ${details ? `${sentence(details)} ` : ''}Run it again. If it happens again, report it with the version of this node.`,
	}),
	'400': invalid,
	'401': () => ({
		message: 'The platform did not accept the token',
		description:
			"The token is missing, mistyped or revoked. Create one in your profile's Developer section and enter it in the credential.",
	}),
	'403': () => ({
		message: 'The token is valid, but it has no permission for this',
		description: 'Ask an administrator for a token with that permission.',
	}),
	'404': (_, { host, operation }) => ({
		message: `The workspace ${host} was not found, or it has no such record`,
		description: `Check 'Base URL' in the credential: its first part is the name of your workspace.${operation?.guess ? '' : ' Or choose the record again.'}`,
	}),
	'404 ENDPOINT_NOT_FOUND': unknownEndpoint,
	'404 RESOURCE_NOT_FOUND': (facts) => ({
		message: messageOf(facts) ?? 'The platform found no record with this ID',
		description: 'The record may be deleted, or belong to another workspace. Choose it again.',
	}),
	'405': unknownEndpoint,
	'409': (facts, { error: { outcome } }) => ({
		message:
			messageOf(facts) ?? 'The platform refused this, because it conflicts with an existing record',
		description: `${outcome === 'nothing' ? 'Check the record on the platform.' : 'The platform may have accepted this request before.'}${codeSentence(facts)}`,
	}),
	/** Of the platform or a proxy before it: a limit that no source states (contract: `x-open: count limit`). */
	'413': (_, { batch: { size, rows } = { size: 0, rows: '' } }) => ({
		message: 'The request is larger than the platform accepts',
		description:
			size > 1
				? `It contained ${size} ${rows}. Set 'Batch Size' under Options › Advanced to ${Math.min(5000, Math.ceil(size / 4))}, for example. The rest follows in further requests.`
				: 'Send less in one request.',
	}),
	'422': invalid,
	'423': () => ({
		message: 'The record is locked on the platform',
		description: `Another change is in progress. ${inAMoment}`,
	}),
	'429': tooMany,
	'503': () => ({
		message: 'The platform is unavailable or in maintenance',
		description: 'Try again later.',
	}),
	temporary: ({ status }, { class: kind = 'read' }) => ({
		message: `The platform could not process the request (status ${status})`,
		description: kind === 'read' ? inAMoment : '',
	}),
	status: (facts) => ({
		message: messageOf(facts) ?? `The platform responded with status ${facts.status}`,
		description: codeSentence(facts).trim() || 'Check the parameters of the node.',
	}),
};

/** An entry of a table by a name from the platform, which may be `constructor`. */
const of = <T>(table: Record<string, T> | undefined, name = ''): T | undefined =>
	table && Object.hasOwn(table, name) ? table[name] : undefined;

function wordsOf({ reason, facts, temporary }: RequestError): Words {
	const { status = 0, code = '', looked } = facts;
	if (looked) return lost;
	// The limits of a proxy are as good as the platform's.
	const isLimit = status === 413 || status === 429;
	const isRefusal = status >= 400 && status < 500 && status !== 404 && !temporary;
	const names: Partial<Record<typeof reason, string[]>> = {
		status: [`${status} ${code}`, `${status}`, temporary || status >= 500 ? 'temporary' : 'status'],
		html: [isLimit ? `${status}` : isRefusal ? 'htmlRefusal' : 'html'],
	};
	const found = (names[reason] ?? [`${reason} ${code}`, reason]).find((name) => of(words, name));
	return words[found ?? reason] as Words;
}

/** A field of the platform under the name that people see; in a list made from input items with the item of the row. */
function fieldName(field: string, { labels, rows, nameOf = (item) => `item ${item}` }: Situation) {
	const [list = '', row = '', ...inside] = field.split(/[.[\]]+/).filter((part) => part !== '');
	const made = of(rows, camelCase(list));
	const item = made?.items[Number(row)]?.[0];
	if (item !== undefined)
		return `'${[made?.displayName, ...inside.map(title)].join(' › ')}' of ${nameOf(item)}`;
	const label = of(labels, field) ?? of(labels, field.split('.').pop());
	return label ? `'${label}'` : `"${field}"`;
}

/** What to do if the platform does not know the request, or asks for more than the node has fields for. */
function wayRound(
	{ isInvalidRequest, facts: { status, code, field } }: RequestError,
	{ description }: ErrorText,
	{ operation = {}, labels }: Situation,
	isOwn: boolean,
): string {
	const isUnknown = status === 405 || (status === 404 && code !== 'RESOURCE_NOT_FOUND');
	if (isUnknown && operation.guess && !description.includes('Other Endpoint'))
		return isOwn ? `Or ${apiRequestWay}.` : wayRoundGuess(operation.guess);
	if (!isInvalidRequest) return '';
	// A field that the node has is not missing.
	const parts = isOwn || of(labels, field) ? '' : openParts(operation);
	return sentences(
		parts && !description.includes(parts) && `Enter missing fields in ${parts}.`,
		operation.guess && "This operation is in beta; 'Other Endpoint' may help.",
	);
}

/** What the platform says, as far as the message does not say it, and if it is more than its code in words. */
function platformSays({ facts }: RequestError, { message, description }: ErrorText): string {
	const said = `${message} ${description}`;
	const parts = [facts.message, facts.details]
		.filter((part) => part && !said.includes(part.replace(/\.$/, '')))
		.filter((part) => lowerCase(part) !== lowerCase(facts.code))
		.map(sentence);
	return parts.length ? `The platform says: ${[...new Set(parts)].join(' ')}` : '';
}

const unsent = ['connectionRefused', 'name', 'tls'];

function outcomeSays(
	{ reason, outcome, facts }: RequestError,
	{ class: kind = 'read', ownKey, counted }: Situation,
): string {
	const isSaid = facts.looked || ['uncertain', 'otherRecipient'].includes(reason);
	if (isSaid || kind === 'read') return '';
	if (reason === 'notSent' && outcome === 'nothing') return 'Nothing was sent for this item.';
	if (counted) return '';
	if (outcome === 'nothing')
		return unsent.includes(reason) ? '' : 'Nothing was done for this item.';
	const next =
		kind !== 'keyed'
			? 'Check the platform before you run it again.'
			: ownKey
				? 'Running it again with the same key is safe if the workspace deduplicates.'
				: 'Retry On Fail and Executions › Retry are safe if the workspace deduplicates. A new run sends it again.';
	return `${outcome === 'done' ? 'The platform accepted the request.' : 'The request may have gone through.'} ${next}`;
}

/** A request error in words (interface §5 rules 3 and 6, §7, §8), never with a token, a secret or a header. */
export function describeError(error: RequestError, situation: Situation = {}): ErrorText {
	const { accepted, operation, host = 'the workspace' } = situation;
	if (accepted)
		return {
			message: `${accepted}, but its result could not be read`,
			description: `${describeError(error, { host }).message}.${situation.counted ? '' : ' Retry On Fail and Executions › Retry continue from there and do not send the request again.'}`,
		};
	const { reason, outcome, facts } = error;
	const own =
		of(operation?.explain, facts.code) ??
		of(operation?.explain, reason === 'status' ? String(facts.status) : undefined);
	const said = own ?? wordsOf(error)(facts, { ...situation, host, error });
	return {
		message: said.message,
		description: sentences(
			!situation.counted && unsent.includes(reason) && outcome === 'nothing' && 'Nothing was sent.',
			said.description,
			wayRound(error, said, situation, own !== undefined),
			platformSays(error, said),
			outcomeSays(error, situation),
		),
	};
}

/** The platform's code; otherwise the network's, the status or our own word, in this order. */
export const codeOf = ({ reason, facts }: RequestError): string =>
	facts.code ?? (reason === 'status' ? `HTTP_${facts.status ?? 'UNKNOWN'}` : reason.toUpperCase());

export function errorFacts(error: RequestError, { message, description }: ErrorText): ItemError {
	const { field, status } = error.facts;
	return { message, description, code: codeOf(error), field, status, outcome: error.outcome };
}

/** n8n replaces messages that show a network code, and shows descriptions, which others may have written, as HTML. */
function inOurWords<E extends NodeApiError | NodeOperationError>(
	error: E,
	{ message, description, listed = [] }: ErrorText,
): E {
	const lines = listed.map((line) => `<li>${escapeHtml(line)}</li>`).join('');
	const shown = sentences(escapeHtml(description), lines && `<ul>${lines}</ul>`);
	return Object.assign(error, { message: withoutTags(message), description: shown });
}

/** Built from a plain object: n8n's class keeps the texts of a wrapped error and of response bodies. */
export function apiError(
	node: INode,
	said: ErrorText,
	{ status, code, field, item }: { status?: number; code?: string; field?: string; item?: number },
): NodeApiError {
	const { description } = said;
	// An AI model only sees the message, so there the message also says what to do.
	const alone = node.type.endsWith('Tool') && !said.message.includes(description);
	const message = alone ? `${sentence(said.message)} ${description}` : said.message;
	const httpCode = status ? String(status) : undefined;
	const shown = { message, description, httpCode, itemIndex: item, level: 'warning' } as const;
	const error = new NodeApiError(node, { message }, shown);
	Object.assign(error.context, { ...(code && { code }), ...(field && { field }) });
	return inOurWords(error, { ...said, message });
}

export const operationError = (node: INode, said: ErrorText, item?: number): NodeOperationError =>
	inOurWords(
		new NodeOperationError(node, said.message, { itemIndex: item, level: 'warning' }),
		said,
	);
