import { createHash } from 'node:crypto';
import { isPlainObject as isPlain, startCase } from 'lodash';
import type { IDataObject } from 'n8n-workflow';

const spelled =
	'ID IDs URL LLM AI API SMS JSON HTML CRM HIPAA GDPR EU QA SIP SSH WPM WABA WhatsApp a of per the and to in for or by';
const spelling = new Map(spelled.split(' ').map((word) => [word.toLowerCase(), word]));
spelling.set('uuid', 'ID').set('uuids', 'IDs');

/** A parameter name as people read it: `max_calls_per_day` or `maxCallsPerDay` → "Max Calls per Day". */
export function title(name: string): string {
	return startCase(name)
		.split(' ')
		.map((word, index) => {
			const known = spelling.get(word.toLowerCase());
			if (known === undefined) return word;
			return index === 0 ? known.charAt(0).toUpperCase() + known.slice(1) : known;
		})
		.join(' ');
}

/** As lodash's, which compares the code of a class each time: that takes too long for the rows of a list. */
export const isPlainObject = (value: unknown): value is IDataObject =>
	typeof value === 'object' &&
	value !== null &&
	(Object.getPrototypeOf(value) === Object.prototype || isPlain(value));

/** A value for a message: short, on one line. */
export function quoted(value: unknown): string {
	const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? String(value));
	const line = text.replace(/\s+/g, ' ');
	return `"${line.length > 60 ? `${line.slice(0, 57)}…` : line}"`;
}

/** Text without control characters, short enough for a message. */
export const tidy = (text: unknown, length = 300): string | undefined => {
	if (typeof text !== 'string') return undefined;
	const line = text.replace(/[\s\p{Cc}]+/gu, ' ').trim();
	return line === '' ? undefined : line.length > length ? `${line.slice(0, length - 1)}…` : line;
};

/** A part of a URL or a header; what is not encoded properly stays unchanged. */
export function decoded(text: string): string {
	try {
		return decodeURIComponent(text);
	} catch {
		return text;
	}
}

export const sentence = (text: string | undefined): string => {
	if (!text) return '';
	const trimmed = text.trim();
	return /[.!?…]$/.test(trimmed) ? trimmed : `${trimmed}.`;
};

/** A list of names, written as one text: "uuid name status". */
export const words = (text: string): string[] => text.split(' ');

/** Sentences one after the other, without those that have nothing to say. */
export const sentences = (...parts: Array<string | false | 0 | undefined>): string =>
	parts.filter(Boolean).join(' ');

/** "1 item", "3 items" */
export const many = (count: number, one: string, several = `${one}s`): string =>
	`${count} ${count === 1 ? one : several}`;

/** A span of seconds as people say it: "57 minutes", "2 hours 47 minutes". */
export function spanOf(seconds: number): string {
	const minutes = Math.round(seconds / 60);
	if (seconds < 60) return many(Math.ceil(seconds), 'second');
	if (minutes < 120) return many(minutes, 'minute');
	return sentences(
		many(Math.floor(minutes / 60), 'hour'),
		minutes % 60 > 0 && many(minutes % 60, 'minute'),
	);
}

/** Text for what n8n shows as HTML here and as text there: messages of errors. */
export const withoutTags = (words: string): string => words.replace(/</g, '‹').replace(/>/g, '›');

/** Text for what n8n shows as HTML: hints, and descriptions of errors. */
export const escapeHtml = (words: string): string =>
	words.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');

/** A label inside a sentence: "live call", but "SMS", "WhatsApp" and "Instagram" keep their spelling. */
export const inSentence = (label: string): string =>
	label.replace(/\S+/g, (word) =>
		/[A-Z]/.test(word.slice(1)) || /^(Facebook|Instagram|Messenger)$/.test(word)
			? word
			: word.toLowerCase(),
	);

/** What a text says as a boolean; undefined if it says neither. */
export function yesOrNo(text: string): boolean | undefined {
	const word = text.trim().toLowerCase();
	if (['true', 'yes', '1'].includes(word)) return true;
	return ['false', 'no', '0'].includes(word) ? false : undefined;
}

/** A state in one spelling: `In Progress` and `in_progress` become `in-progress`. Empty if it is not a text. */
export const stateWord = (value: unknown): string =>
	typeof value === 'string'
		? value
				.trim()
				.toLowerCase()
				.replace(/[\s_]+/g, '-')
		: '';

/** The number that a text says in plain digits; not what only programs read so ("0x10"), nor a thousand ("1.000"). */
export const numberIn = (text: string): number =>
	/^[+-]?(?!0*[1-9]\d{0,2}\.\d{3}$)(?:\d+(?:\.\d*)?|\.\d+)$/.test(text.trim()) ? Number(text) : NaN;

const firstOf = (texts: string[], most: number): string[] =>
	texts.length > most ? [...texts.slice(0, most), `${texts.length - most} more`] : texts;

/** A list of texts; of many the first ones. */
export const listOf = (texts: string[], most = 10, between = ', '): string =>
	firstOf(texts, most).join(between);

/** Texts as a sentence names them: "item 3, item 5 and item 7"; of many the first ones. */
export function andList(texts: string[], most = 10): string {
	const shown = firstOf(texts, most);
	return [shown.slice(0, -1).join(', '), ...shown.slice(-1)].filter(Boolean).join(' and ');
}

/** Tells contents apart without keeping them. */
export const digest = (...parts: unknown[]): string =>
	createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 40);

/** A value that cannot be sent: which field, and what is wrong with it in words a no-code user can act on. */
export class InvalidValue extends Error {
	override name = 'InvalidValue';

	constructor(
		readonly field: string | undefined,
		text: string,
	) {
		super(field === undefined ? text : `'${field}' ${text}`);
	}
}

export type Fail = (text: string) => never;

export const refusing =
	(field: string | undefined): Fail =>
	(text) => {
		throw new InvalidValue(field, text);
	};
