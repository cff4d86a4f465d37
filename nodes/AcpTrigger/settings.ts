import { NodeOperationError, type IHookFunctions, type IWebhookFunctions } from 'n8n-workflow';
import { isPlainObject } from 'lodash';
import { webhookEvents } from '../engine/platform/events';
import { isUuid } from '../engine/answer/answer';

type Reader = IHookFunctions | IWebhookFunctions;

export interface TriggerOptions {
	channels?: string[];
	/** Minutes; Infinity for no limit. */
	maximumAge: number;
	signature: 'report' | 'required' | 'off';
	simplify: boolean;
}

/** A list, a single value, or text with commas or line breaks, as texts without repetition. */
function texts(value: unknown): string[] {
	const list = Array.isArray(value)
		? (value as unknown[])
		: typeof value === 'string'
			? value.split(/[\s,;]+/)
			: [value];
	const plain = list.map((entry) => {
		const inside = isPlainObject(entry) ? (entry as Record<string, unknown>) : undefined;
		return String(
			inside ? (inside.agent_uuid ?? inside.uuid ?? inside.value ?? '') : (entry ?? ''),
		).trim();
	});
	return [...new Set(plain.filter((text) => text !== ''))];
}

/**
 * The agents to listen to, from the list or from an expression: uuids as a list, separated by commas, or as items of
 * Get Many.
 * @throws NodeOperationError if there is none, or one is no uuid
 */
export function readAgents(context: Reader): string[] {
	const agents = texts(context.getNodeParameter('agents', []));
	const wrong = agents.find((agent) => !isUuid(agent));
	if (wrong !== undefined) {
		throw new NodeOperationError(
			context.getNode(),
			`'Agent Names or IDs' contains a value that is not an agent's ID: "${wrong.slice(0, 60)}". Choose agents from the list, or enter their IDs separated by commas`,
		);
	}
	if (agents.length === 0) {
		throw new NodeOperationError(
			context.getNode(),
			"No agent is chosen. Choose at least one under 'Agent Names or IDs'",
		);
	}
	return agents;
}

const known = new Set<string>(webhookEvents.map(({ value }) => value));

/** Whether the interface names the event (interface §6). */
export const isKnownEvent = (event: string): boolean => known.has(event);

/** @throws NodeOperationError if there is none, or the interface does not name one of them */
export function readEvents(context: Reader): string[] {
	const events = texts(context.getNodeParameter('events', []));
	const wrong = events.find((event) => !isKnownEvent(event));
	if (wrong !== undefined) {
		throw new NodeOperationError(
			context.getNode(),
			`'Events' contains an unknown event: "${wrong.slice(0, 60)}". Choose from: ${[...known].join(', ')}`,
		);
	}
	if (events.length === 0) {
		throw new NodeOperationError(
			context.getNode(),
			"No event is chosen. Choose at least one under 'Events'",
		);
	}
	return events;
}

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
