import { mapValues, groupBy, sortBy, uniq } from 'lodash';
import { isPlainObject, decoded } from '../text/text';

export const mask = '********';

export const namesSecret = /secret|token|password/i;
const namesWebhook = /webhook/i;
/** Names of a webhook's URL, inside a value that is about a webhook. */
const namesUrl = /^(url|uri|endpoint|(target|callback|webhook|delivery|request)_?url)$/i;
/** Names of a webhook's URL anywhere (interface §2.9; reference: webhook guide). */
const namesCallback = /^(target|callback|webhook)_?url$/i;

/** A URL without the parts that may be secrets of its owner: query, fragment, user name and password. */
export const withoutQuery = (url: string): string =>
	(url.split(/[?#]/)[0] as string).replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/@]*@/i, '$1');

/** A URL with masked query values, fragment, user name and password. The names in the query stay. */
export function maskedUrl(url: string): string {
	const [, address = '', query = '', fragment = ''] = /^([^?#]*)(\?[^#]*)?(#.*)?$/s.exec(url) ?? [];
	const shown = address.replace(/^([a-z][a-z0-9+.-]*:\/\/)[^/@]*@/i, `$1${mask}@`);
	const values = query.replace(
		/([?&])([^=&]*=)?([^&]*)/g,
		(_, sign: string, name = '', value: string) => `${sign}${name}${value && mask}`,
	);
	return `${shown}${values}${fragment && `#${mask}`}`;
}

interface Change {
	url: (text: string, key: string) => string;
	secret: (text: string, key: string) => string;
}

/** A webhook's URL, whose query can hold a token, and secrets beside it. @param about the value as a whole is about a webhook */
function changeWebhooks(value: unknown, change: Change, about: boolean): unknown {
	if (Array.isArray(value)) return value.map((entry) => changeWebhooks(entry, change, about));
	if (!isPlainObject(value)) return value;
	const record = value as Record<string, unknown>;
	const webhook = about || 'webhook_uuid' in record;
	return mapValues(record, (inner, key) => {
		const named = webhook || namesWebhook.test(key);
		if (typeof inner !== 'string') return changeWebhooks(inner, change, named);
		if (inner === '') return inner;
		if (namesCallback.test(key) || (named && namesUrl.test(key))) return change.url(inner, key);
		return named && namesSecret.test(key) ? change.secret(inner, key) : inner;
	});
}

const isAboutWebhooks = (path: string): boolean => namesWebhook.test(path);

/** Masks the secrets of webhooks: otherwise whoever may read an execution could deliver events. */
export const maskWebhooks = <T>(value: T, path = ''): T =>
	changeWebhooks(value, { url: maskedUrl, secret: () => mask }, isAboutWebhooks(path)) as T;

/** Names of the values that hold a mask instead of a secret: if sent, they would replace the secret with the mask. */
export function namesOfMasked(value: unknown, name = ''): string[] {
	if (typeof value === 'string') return value.includes(mask) ? [name] : [];
	if (typeof value !== 'object' || value === null) return [];
	return Object.entries(value).flatMap(([key, inner]) =>
		namesOfMasked(inner, Array.isArray(value) ? name : key),
	);
}

/** Real secrets are longer. To mask shorter values would tear words apart. */
const shortestSecret = 8;

/** No message may repeat them, even if a response does. @param path what it contains is known anyway */
export function secretsOf(content: unknown, path: string): string[] {
	const found = new Set<string>();
	const add = (text: string): void => {
		if (text.length >= shortestSecret && !path.includes(text)) found.add(text);
	};
	const ofUrl = (url: string): string => {
		const [, query = ''] = /\?([^#]*)/.exec(url) ?? [];
		for (const part of query.split('&')) {
			const value = part.replace(/^[^=]*=/, '');
			add(value);
			add(decoded(value));
		}
		return url;
	};
	const named = (value: unknown): void => {
		if (Array.isArray(value)) value.forEach(named);
		if (!isPlainObject(value)) return;
		for (const [key, inner] of Object.entries(value as object)) {
			if (typeof inner !== 'string') named(inner);
			else if (namesSecret.test(key)) add(inner);
		}
	};
	named(content);
	changeWebhooks(content, { url: ofUrl, secret: (text) => text }, isAboutWebhooks(path));
	return [...found];
}

const asJson = (text: string): string => JSON.stringify(text).slice(1, -1);
const asAscii = (text: string): string =>
	text.replace(/[^\x20-\x7e]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** How a response may spell a secret: as it is, in a URL, in JSON, in JSON within JSON. */
function spellingsOf(secret: string): string[] {
	const slashed = asJson(secret).replaceAll('/', '\\/');
	const inJson = [asJson(secret), slashed].flatMap((text) => [text, asAscii(text)]);
	return [secret, encodeURIComponent(secret), ...inJson, ...inJson.map(asJson)];
}

/** So many are faster looked for one after the other. */
const few = 50;
const isLong = ({ length }: string): boolean => length >= shortestSecret;
const startOf = (text: string, at = 0): string => text.slice(at, at + shortestSecret);

/** The text of a response without these secrets, however it spells them. */
export function withoutThese(text: string, secrets: string[]): string {
	const spelled = sortBy(
		uniq(secrets.filter(isLong).flatMap(spellingsOf)),
		({ length }) => -length,
	);
	if (spelled.length <= few) return spelled.reduce((rest, one) => rest.replaceAll(one, mask), text);
	// A query may hold thousands of values: by how they begin, in one pass.
	const byStart = new Map(Object.entries(groupBy(spelled, (one) => startOf(one))));
	const kept: string[] = [];
	let from = 0;
	for (let at = 0; at <= text.length - shortestSecret;) {
		const found = byStart.get(startOf(text, at))?.find((one) => text.startsWith(one, at));
		if (found === undefined) at++;
		else {
			kept.push(text.slice(from, at), mask);
			from = at += found.length;
		}
	}
	return kept.join('') + text.slice(from);
}

/** The same for a message: also without the parts of URLs that may be secrets. */
export function withoutSecrets(text: string, secrets: string[]): string {
	// JSON may spell the characters between the parts of a query as \u0026 and \u003d, and slashes with a backslash.
	return withoutThese(text, secrets)
		.replace(/(https?:(?:\\*\/){2})[^\s"'<>/\\?#@]+@/gi, `$1${mask}@`)
		.replace(
			/(https?:[^\s"'<>?#]*)(?:([?#])(?:[^\s"'<>\\]|\\+u00(?:26|3d)|\\+\/)+)?/gi,
			(_, address: string, sign?: string) => (sign ? address + sign + mask : address),
		);
}
