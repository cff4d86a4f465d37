import { get, mapValues } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import type { IntentParameter } from './agentIntents';
import { masked, opened, plainKey, shortText } from '../shared/registration/delivered';
import { isPlainObject, words, yesOrNo } from '../engine/text/text';

/**
 * Where a request of the platform may hold its values: at the top, or under one of these. No source shows a request
 * (interface §2.8; catalogue, intentAnswer).
 */
const roots = ['', 'data.', 'payload.'].flatMap((outer) => [
	outer,
	`${outer}call.`,
	`${outer}intent.`,
]);

interface Found<T> {
	value: T;
	place: string;
}

function find<T>(
	body: IDataObject,
	paths: string[],
	read: (value: unknown) => T | undefined,
	mayBe: (place: string) => boolean = () => true,
): Found<T> | undefined {
	for (const path of paths)
		for (const root of roots) {
			const place = `${root}${path}`;
			const value = read(get(body, place));
			if (value !== undefined && mayBe(place)) return { value, place };
		}
	return undefined;
}

const conversationPlaces = words(
	'conversation_uuid conversationUuid conversation_id conversationId conversation.uuid ' +
		'conversation.conversation_uuid conversation.id',
);

/** Records of a request. What is inside of them is the platform's, whatever the parameters are called. */
const people = ['contact_info', 'contact', 'customer', 'caller', 'participant'];
const records = [...people, 'conversation'];

/** Whether a place may hold what the customer said, because a parameter of the intent has its name. */
function isParameter(place: string, declared: IntentParameter[]): boolean {
	const segments = place.split('.');
	const record = segments.findIndex((segment) => records.includes(segment));
	const own = (record < 0 ? segments : segments.slice(0, record + 1)).map(plainKey);
	return declared.some(({ key }) =>
		key.includes('.') ? `.${place}`.endsWith(`.${key}`) : own.includes(plainKey(key)),
	);
}

/**
 * The conversation's uuid; null if the request does not have it.
 * @param declared the intent's parameters; undefined if they are not known
 */
export const conversationOf = (
	body: IDataObject,
	declared: IntentParameter[] | undefined,
): string | null => {
	const mayBe = (place: string): boolean =>
		declared === undefined ? place.includes('conversation.') : !isParameter(place, declared);
	return find(body, conversationPlaces, shortText, mayBe)?.value ?? null;
};

const ofPerson = (names: string[]): string[] =>
	people.flatMap((person) => names.map((name) => `${person}.${name}`));

const contactPlaces = {
	uuid: [...ofPerson(['uuid', 'contact_uuid', 'id']), 'contact_uuid'],
	name: [...ofPerson(['name']), 'contact_name'],
	phone_number: [
		...ofPerson(['phone_number', 'phoneNumber', 'phone', 'number']),
		'phone_number',
		'number',
	],
	email: [...ofPerson(['email']), 'email'],
};

/**
 * The person on the phone, and where the request says so; null for each field that the request does not have. What a
 * parameter may hold is left out: the customer could say anybody's number.
 * @param declared the intent's parameters; undefined if they are not known
 */
export function contactOf(body: IDataObject, declared: IntentParameter[] | undefined): IDataObject {
	const isOfPerson = (place: string): boolean =>
		place.split('.').some((segment) => people.includes(segment));
	const mayBe = (place: string): boolean =>
		declared === undefined ? isOfPerson(place) : !isParameter(place, declared);
	const found = mapValues(contactPlaces, (paths) => find(body, paths, shortText, mayBe));
	return {
		contact: mapValues(found, (one) => one?.value ?? null),
		contactFrom: mapValues(found, (one) => one?.place ?? null),
	};
}

/** Named values: an object, a list of entries with a key, or either of them as JSON text. */
function namedValues(given: unknown): IDataObject | undefined {
	const value = opened(given);
	if (isPlainObject(value)) return value;
	if (!Array.isArray(value) || value.length === 0) return undefined;
	const entries = value.map((entry) => {
		const { key, name, value: inside } = (entry ?? {}) as IDataObject;
		return [shortText(key) ?? shortText(name), inside] as const;
	});
	return entries.every(([key]) => key !== undefined)
		? (Object.fromEntries(entries) as IDataObject)
		: undefined;
}

const parameterPlaces = ['parameters', 'params', 'arguments', 'args', 'slots', 'variables'];

/** A number without the zeros that add nothing to it: `4.50` is `4.5`. */
const shortest = (number: string): string =>
	number.trim().replace(/^(-?\d+)(?:\.0+|(\.\d*[1-9])0+)$/, '$1$2');

const asText = (value: unknown): unknown =>
	typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;

const asNumber = (value: unknown): unknown => {
	const number = typeof value === 'string' ? Number(value) : NaN;
	return Number.isFinite(number) && String(number) === shortest(value as string) ? number : value;
};

const asBoolean = (value: unknown): unknown => yesOrNo(shortText(value) ?? '') ?? value;

const types = new Map<string, (value: unknown) => unknown>([
	...['string', 'text'].map((name) => [name, asText] as const),
	...['number', 'integer', 'int', 'float', 'double', 'decimal'].map((n) => [n, asNumber] as const),
	...['boolean', 'bool'].map((name) => [name, asBoolean] as const),
	...['object', 'json', 'array', 'list'].map((name) => [name, opened] as const),
]);

/**
 * A value as its parameter's type wants it; unchanged if that is impossible or the type is unknown. Text stays text if
 * a number could not be written back as it was: a phone number, an ID with zeros before it or with too many digits.
 */
const typed = (value: unknown, type: string): unknown =>
	types.get(type.toLowerCase())?.(value) ?? value;

/**
 * What the agent found out, typed as the intent declares it. A value that is missing is its default, or null. Values
 * that the intent does not declare stay unchanged; possible credentials are masked.
 */
export function parametersOf(body: IDataObject, declared: IntentParameter[]): IDataObject {
	const given = find(body, parameterPlaces, namedValues)?.value;
	const heard = declared.map(({ key, type, default: standard }): [string, unknown] => {
		const beside = given ? undefined : find(body, [key], (value) => value ?? undefined)?.value;
		const value = given && Object.hasOwn(given, key) ? given[key] : beside;
		const known = value === undefined || value === null || value === '' ? standard : value;
		return [key, known === '' ? null : typed(known, type)];
	});
	return {
		...(masked(given ?? {}) as IDataObject),
		...(Object.fromEntries(heard) as IDataObject),
	};
}
