import {
	NodeOperationError,
	type IDataObject,
	type IHookFunctions,
	type IWebhookFunctions,
} from 'n8n-workflow';
import { uniq } from 'lodash';
import { webhookEvents } from '../engine/platform/events';
import { isUuid } from '../engine/response/response';
import { isPlainObject } from '../engine/text/text';

type Reader = IHookFunctions | IWebhookFunctions;

export interface TriggerOptions {
	channels?: string[];
	/** Minutes; Infinity for no limit. */
	maximumAge: number;
	signature: 'report' | 'required' | 'off';
	simplify: boolean;
}

/** What stands for a record in a list: its ID, or an item of Get Many. */
function idIn(entry: unknown): unknown {
	if (!isPlainObject(entry)) return entry;
	const { agent_uuid, uuid, value } = entry as IDataObject;
	return agent_uuid ?? uuid ?? value;
}

/** A list, a single value, or text with commas or line breaks, as texts without repetition. */
function texts(value: unknown): string[] {
	const list = typeof value === 'string' ? value.split(/[\s,;]+/) : [value].flat();
	return uniq(list.map((entry) => String(idIn(entry) ?? '').trim()).filter((text) => text !== ''));
}

/** @throws NodeOperationError if there is none, or a wrong one */
function readTexts(
	context: Reader,
	name: string,
	isRight: (text: string) => boolean,
	about: { wrong: (text: string) => string; none: string },
): string[] {
	const all = texts(context.getNodeParameter(name, []));
	const wrong = all.find((text) => !isRight(text));
	if (wrong === undefined && all.length > 0) return all;
	throw new NodeOperationError(
		context.getNode(),
		wrong === undefined ? about.none : about.wrong(wrong.slice(0, 60)),
	);
}

/**
 * The agents to listen to, from the list or from an expression: uuids as a list, separated by commas, or as items of
 * Get Many.
 */
export const readAgents = (context: Reader): string[] =>
	readTexts(context, 'agents', isUuid, {
		wrong: (text) =>
			`'Agent Names or IDs' contains a value that is not an agent's ID: "${text}". Choose agents from the list, or enter their IDs separated by commas`,
		none: "No agent is chosen. Choose at least one under 'Agent Names or IDs'",
	});

const known = new Set<string>(webhookEvents.map(({ value }) => value));

/** Whether the interface names the event (interface §6). */
export const isKnownEvent = (event: string): boolean => known.has(event);

export const readEvents = (context: Reader): string[] =>
	readTexts(context, 'events', isKnownEvent, {
		wrong: (text) =>
			`'Events' contains an unknown event: "${text}". Choose from: ${[...known].join(', ')}`,
		none: "No event is chosen. Choose at least one under 'Events'",
	});

/** Five minutes, the usual limit, if there is no usable value. */
const ageOf = (minutes: unknown): number => {
	const age = minutes === undefined || minutes === '' ? NaN : Number(minutes);
	return age === 0 ? Infinity : age > 0 ? age : 5;
};

export function readTriggerOptions(context: Reader): TriggerOptions {
	const { channels, maximumAge, signature, simplify } = context.getNodeParameter(
		'options',
		{},
	) as Partial<TriggerOptions>;
	return {
		...(channels?.length ? { channels: texts(channels) } : {}),
		maximumAge: ageOf(maximumAge),
		signature: signature === 'required' || signature === 'off' ? signature : 'report',
		simplify: simplify === true,
	};
}
