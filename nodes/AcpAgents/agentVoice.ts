import { agent, mapper } from '../engine/fields';
import { callBehavior, interaction } from './agentFields';
import { fitVoice, noVoice } from './fitVoice';
import { voiceFields } from '../engine/lookups/voiceFields';
import { fromRequest, operation, read, resource } from '../engine/operation';

export const agentVoice = resource({
	label: 'Agent Voice',
	value: 'agentVoice',
	defaultOperation: 'getVoiceSettings',
	operations: {
		getCompliance: operation.get('GET /agents/{uuid}/compliance', {
			action: 'Get the compliance settings of an agent',
			description: 'Read the GDPR and HIPAA settings of an agent; Agent › Update changes them',
			path: { uuid: agent() },
		}),
		getVoiceAdvanced: operation.get('GET /agents/{uuid}/voice-advanced', {
			name: 'Get Voice Tuning',
			action: 'Get the voice tuning of an agent',
			description:
				'List the tuning options of the selected voice, with their bounds and current values',
			path: { uuid: agent() },
			hint: (record) =>
				Array.isArray(record.fields) && voiceFields(record).length === 0
					? `${noVoice}.`
					: undefined,
		}),
		getVoiceSettings: operation.get('GET /agents/{uuid}/voice', {
			action: 'Get all voice settings of an agent',
			description:
				'Read the messages, interruption, voice, call behavior and compliance settings of an agent',
			path: { uuid: agent() },
		}),
		updateCallBehavior: operation.update('PATCH /agents/{uuid}/call-behavior', {
			action: 'Update the call behavior of an agent',
			description:
				'Change recording, background sound and time limits of calls; only the fields you fill in are sent',
			path: { uuid: agent() },
			body: callBehavior,
		}),
		updateInteraction: operation.update('PATCH /agents/{uuid}/interaction', {
			action: 'Update the opening and closing messages of an agent',
			description:
				'Change what the agent says first, during silence and at the end; only the fields you fill in are sent',
			path: { uuid: agent() },
			body: interaction,
		}),
		updateVoiceAdvanced: operation.update('PATCH /agents/{uuid}/voice-advanced', {
			name: 'Update Voice Tuning',
			action: 'Update the voice tuning of an agent',
			description: "Change values like stability or speed, within the bounds of the agent's voice",
			path: { uuid: agent() },
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
