import { agent, mapper } from '../engine/fields';
import { callBehavior, interaction } from './agentFields';
import { voiceFields, numberOf, type VoiceField } from '../engine/lookups/voiceFields';
import { fromRequest, operation, read, resource } from '../engine/operation';
import type { IDataObject } from 'n8n-workflow';
import { mapValues } from 'lodash';
import { InvalidValue, title } from '../engine/text/text';

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

/** Brings a change into the types of the voice's fields. @param response of `GET …/voice-advanced` @throws InvalidValue */
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

export const agentVoice = resource({
	label: 'Agent Voice',
	value: 'agentVoice',
	path: { uuid: agent() },
	defaultOperation: 'getVoiceSettings',
	operations: {
		getCompliance: operation.get('GET /agents/{uuid}/compliance', {
			action: 'Get the compliance settings of an agent',
			description: 'Read the GDPR and HIPAA settings of an agent; Agent › Update changes them',
		}),
		getVoiceAdvanced: operation.get('GET /agents/{uuid}/voice-advanced', {
			name: 'Get Voice Tuning',
			action: 'Get the voice tuning of an agent',
			description:
				'List the tuning options of the selected voice, with their bounds and current values',
			hint: (record) =>
				Array.isArray(record.fields) && voiceFields(record).length === 0
					? `${noVoice}.`
					: undefined,
		}),
		getVoiceSettings: operation.get('GET /agents/{uuid}/voice', {
			action: 'Get all voice settings of an agent',
			description:
				'Read the messages, interruption, voice, call behavior and compliance settings of an agent',
		}),
		updateCallBehavior: operation.update('PATCH /agents/{uuid}/call-behavior', {
			action: 'Update the call behavior of an agent',
			description:
				'Change recording, background sound and time limits of calls; only the fields you fill in are sent',
			body: callBehavior,
		}),
		updateInteraction: operation.update('PATCH /agents/{uuid}/interaction', {
			action: 'Update the opening and closing messages of an agent',
			description:
				'Change what the agent says first, during silence and at the end; only the fields you fill in are sent',
			body: interaction,
		}),
		updateVoiceAdvanced: operation.update('PATCH /agents/{uuid}/voice-advanced', {
			name: 'Update Voice Tuning',
			action: 'Update the voice tuning of an agent',
			description: "Change values like stability or speed, within the bounds of the agent's voice",
			body: {
				fields: mapper<number | boolean | string>('getVoiceAdvancedFields', {
					orBodyJson: true,
					description:
						"Tuning options of the selected agent's voice; only the ones you fill in are sent",
					words: { singular: 'field', plural: 'fields' },
					dependsOn: ['agent.value'],
					clearable: false,
					spread: true,
					autoMap: false,
				}),
			},
			preflight: {
				read: read('GET /agents/{uuid}/voice-advanced', { uuid: fromRequest('uuid') }),
				fit: fitVoice,
			},
		}),
	},
});
