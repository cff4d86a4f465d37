import { get, isPlainObject } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import type { IntentParameter } from './agentIntents';
import { masked } from '../engine/registration/delivered';

/**
 * Where a request of the platform may hold its values: at the top, or under one of these. No source shows a request
 * (interface §2.8; catalogue, intentAnswer).
 */
const roots = ['', 'data.', 'payload.'].flatMap((outer) => [
	outer,
	`${outer}call.`,
	`${outer}intent.`,
]);

/** The first value that is found at these paths, under all roots. */
function find<T>(
	body: IDataObject,
	paths: string[],
	read: (value: unknown) => T | undefined,
): T | undefined {
	for (const path of paths)
		for (const root of roots) {
			const value = read(get(body, `${root}${path}`));
			if (value !== undefined) return value;
		}
	return undefined;
}

const text = (value: unknown): string | undefined => {
	if (typeof value === 'number') return String(value);
	return typeof value === 'string' && value.trim() !== '' ? value.trim().slice(0, 200) : undefined;
};

const conversationPlaces = [
	'conversation_uuid',
	'conversationUuid',
	'conversation_id',
	'conversationId',
	'conversation.uuid',
	'conversation.conversation_uuid',
	'conversation.id',
];

/** The conversation's uuid; null if the request does not have it. */
export const conversationOf = (body: IDataObject): string | null =>
	find(body, conversationPlaces, text) ?? null;

const people = ['contact_info', 'contact', 'customer', 'caller', 'participant'];
const ofPerson = (names: string[]): string[] =>
	people.flatMap((person) => names.map((name) => `${person}.${name}`));

/** The person on the phone; null for each field that the request does not have. */
export const contactOf = (body: IDataObject): IDataObject => ({
	uuid: find(body, [...ofPerson(['uuid', 'contact_uuid', 'id']), 'contact_uuid'], text) ?? null,
	name: find(body, [...ofPerson(['name']), 'contact_name'], text) ?? null,
	phone_number:
		find(
			body,
			[...ofPerson(['phone_number', 'phoneNumber', 'phone', 'number']), 'phone_number', 'number'],
			text,
		) ?? null,
	email: find(body, [...ofPerson(['email']), 'email'], text) ?? null,
});

function parsed(value: unknown): unknown {
	if (typeof value !== 'string') return value;
	try {
		return JSON.parse(value) as unknown;
	} catch {
		return undefined;
	}
}

/** Named values: an object, a list of entries with a key, or either of them as JSON text. */
function namedValues(given: unknown): IDataObject | undefined {
	const value = parsed(given);
	if (isPlainObject(value)) return value as IDataObject;
	if (!Array.isArray(value) || value.length === 0) return undefined;
	const entries = value.map((entry) => {
		const { key, name, value: inside } = (entry ?? {}) as IDataObject;
		return [text(key) ?? text(name), inside] as const;
	});
	return entries.every(([key]) => key !== undefined)
		? (Object.fromEntries(entries) as IDataObject)
		: undefined;
}

const parameterPlaces = ['parameters', 'params', 'arguments', 'args', 'slots', 'variables'];

const truths: Record<string, boolean> = {
	true: true,
	yes: true,
	1: true,
	false: false,
	no: false,
	0: false,
};

/** A value as its parameter's type wants it; unchanged if that is impossible or the type is unknown. */
function typed(value: unknown, type: string): unknown {
	switch (type.toLowerCase()) {
		case 'string':
		case 'text':
			return typeof value === 'number' || typeof value === 'boolean' ? String(value) : value;
		case 'number':
		case 'integer':
		case 'int':
		case 'float':
		case 'double':
		case 'decimal': {
			const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : NaN;
			return Number.isFinite(number) ? number : value;
		}
		case 'boolean':
		case 'bool':
			return truths[String(value).trim().toLowerCase()] ?? value;
		case 'object':
		case 'json':
		case 'array':
		case 'list': {
			const inside = parsed(value);
			return typeof inside === 'object' && inside !== null ? inside : value;
		}
		default:
			return value;
	}
}

/**
 * What the agent found out, typed as the intent declares it. A value that is missing is its default, or null. Values
 * that the intent does not declare stay unchanged; possible credentials are masked.
 */
export function parametersOf(body: IDataObject, declared: IntentParameter[]): IDataObject {
	const given = find(body, parameterPlaces, namedValues);
	const heard = declared.map(({ key, type, default: standard }): [string, unknown] => {
		const beside = given ? undefined : find(body, [key], (value) => value ?? undefined);
		const value = given && Object.hasOwn(given, key) ? given[key] : beside;
		const known = value === undefined || value === null || value === '' ? standard : value;
		return [key, known === '' ? null : typed(known, type)];
	});
	return {
		...(masked(given ?? {}) as IDataObject),
		...(Object.fromEntries(heard) as IDataObject),
	};
}
