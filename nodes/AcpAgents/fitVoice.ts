import type { IDataObject } from 'n8n-workflow';
import { mapValues } from 'lodash';
import { numberOf, voiceFields, type VoiceField } from '../engine/lookups/voiceFields';
import { InvalidValue, title } from '../engine/text/text';

/** What to do about an agent without a voice. */
export const noVoice =
	'No voice is selected for this agent, so there is nothing to tune. Select a voice on the platform first';

/** A value in the type of its field: text that is a number or a switch is accepted, as sheets and models write it. */
function fitted({ key, type, min, max, values }: VoiceField, value: unknown): unknown {
	const said = String(value);
	const fail = (text: string): never => {
		throw new InvalidValue(undefined, `'${title(key)}' ${text}`);
	};
	if (values)
		return (
			values.find((option) => String(option) === said) ??
			fail(`is "${said}"; this voice takes: ${values.join(', ')}`)
		);
	if (type === 'string') return value;
	if (type === 'boolean')
		return ['true', 'false'].includes(said)
			? said === 'true'
			: fail(`should be true or false, but it is "${said}"`);
	const amount = numberOf(value) ?? fail(`should be a number, but it is "${said}"`);
	if (min !== undefined && amount < min) fail(`is ${amount}; this voice takes ${min} or more`);
	if (max !== undefined && amount > max) fail(`is ${amount}; this voice takes ${max} or less`);
	return amount;
}

/**
 * Brings the values of a change into the types of the voice's fields.
 * @param response of `GET /agents/{uuid}/voice-advanced`
 * @throws InvalidValue for what does not fit the agent's voice
 */
export function fitVoice(response: unknown, changes: IDataObject): IDataObject {
	const fields = voiceFields(response);
	if (fields.length === 0) throw new InvalidValue(undefined, noVoice);
	return mapValues(changes, (value, key) => {
		const field = fields.find((one) => one.key === key);
		if (!field)
			throw new InvalidValue(
				undefined,
				`The voice of this agent has no field "${key}". It has: ${fields.map((one) => one.key).join(', ')}`,
			);
		return fitted(field, value) as string;
	});
}
