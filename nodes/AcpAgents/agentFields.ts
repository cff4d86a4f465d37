import {
	type FieldOptions,
	boolean,
	collection,
	integer,
	json,
	list,
	locator,
	number,
	reference,
	text,
	texts,
	titled,
	zone,
} from '../engine/fields';
import type { Schema, Shape } from '../engine/operation';
import {
	guardRule,
	guideline,
	note,
	procedureFields,
	routingRule,
	trainingItem,
} from '../shared/agentParts';

/** Fields that creating, updating and single-section operations share (interface §2.2 to §2.7; reference: agents). */

export const guidelines = list<Schema<'GuidelineWrite'>>('Guideline', guideline, {
	description: 'Short rules for every reply',
});

export const notes = list<Schema<'NoteWrite'>>('Note', note);

export const procedures = list<Schema<'ProcedureWrite'>>('Procedure', procedureFields(), {
	description: 'Instructions step by step',
});

export const training = list<Schema<'TrainingItemWrite'>>('Training Item', trainingItem);

export const routingRules = list<Schema<'RoutingRuleWrite'>>('Routing Rule', routingRule());

export const guardRules = list<Schema<'GuardRuleWrite'>>(
	'Guard Rule',
	guardRule({ required: true }),
);

const hours = (sample: string) => text({ samples: [sample] });

/** An agent's calendars (interface §2.5). Durations are words like 3_hours, not numbers. */
export const scheduleAssignments = (options: FieldOptions = {}) =>
	list<Schema<'ScheduleAssignment'>>(
		'Schedule',
		{
			schedule_uuid: reference('searchSchedules'),
			name: text({
				placeholder: 'e.g. First consultation',
			}),
			description: text('When to use it', {
				rows: 2,
				placeholder: 'e.g. For new customers',
			}),
			slot_rules: collection<NonNullable<Schema<'ScheduleAssignment'>['slot_rules']>>('', {
				offer_slots_from: hours('3_hours'),
				book_slots_from: hours('6_hours'),
				max_appointments_per_day: integer(),
				conflict_resolution_enabled: boolean(),
				alternative_slots_count: integer(),
				suggestion_priority: text({ samples: ['nearest'] }),
				prefer_same_day: boolean(),
				prefer_same_time_slot: boolean(),
				include_same_week: boolean(),
			}),
			rescheduling: collection<NonNullable<Schema<'ScheduleAssignment'>['rescheduling']>>('', {
				policy: text({ samples: ['always_ask'] }),
				minor_change_hours: integer(),
				minor_change_same_day: boolean(),
				minor_change_same_week: boolean(),
				minor_change_same_slot: boolean(),
				min_rescheduling_notice: hours('2_hours'),
			}),
			cancellation: collection<NonNullable<Schema<'ScheduleAssignment'>['cancellation']>>('', {
				min_cancellation_notice: hours('24_hours'),
				ai_can_cancel: boolean(),
				require_cancellation_reason: boolean(),
				cancellation_fee_policy: text({ samples: ['no_fee'] }),
			}),
			questions: collection<NonNullable<Schema<'ScheduleAssignment'>['questions']>>('', {
				inherit_from_schedule: boolean(),
				custom_questions: list('Question', {
					name: text({ placeholder: 'e.g. party_size' }),
					type: text({ samples: ['text'] }),
					description: text('What the agent asks', {
						rows: 2,
						placeholder: 'e.g. For how many people?',
					}),
					required: boolean(),
				}),
			}),
			approval: collection<NonNullable<Schema<'ScheduleAssignment'>['approval']>>('', {
				require_approval: boolean(),
				approval_threshold: hours('1_hour'),
				approval_for_create: boolean(),
				approval_for_reschedule: boolean(),
				approval_for_cancel: boolean(),
				approval_for_notes: boolean(),
				notify_calendar_owner: text({ samples: ['always'] }),
				notify_admins: text({ samples: ['always'] }),
				expected_response_time: text({ samples: ['5_min'] }),
			}),
		},
		{ top: true, description: 'The schedules the agent books into', ...options },
	);

export const appointments = collection<Schema<'AgentAppointments'>>(
	{
		top: true,
	},
	{
		enabled: boolean('Whether the agent books appointments'),
		random_assignment: boolean(),
		schedule_assignments: scheduleAssignments(),
	},
);

/** The opening, silence and closing messages (interface §2.3). */
export const interaction: Shape<Schema<'VoiceInteraction'>> = {
	customer_speak_first: boolean({
		displayName: 'Customer Speaks First',
	}),
	inbound_first_message: text('Greeting when called', { rows: 2 }),
	outbound_first_message: text('Greeting when calling', { rows: 2 }),
	voice_mail_message: text({
		rows: 2,
		displayName: 'Voicemail Message',
	}),
	end_call_message: text({ rows: 2 }),
	silence_message: text({ rows: 2 }),
	max_silence_prompts: integer(),
};

/** Recording, sounds and lengths of calls (interface §2.3; reference: agents for the last three of the sounds). */
export const callBehavior: Shape<Schema<'CallBehavior'>> = {
	audio_recording: boolean(),
	background_sound: boolean(),
	background_sound_ambience: text({ samples: ['office'] }),
	background_sound_volume: number({ placeholder: 'e.g. 0.3' }),
	noise_cancellation: boolean(),
	silence_timeout_seconds: integer({
		displayName: 'Silence Timeout (Seconds)',
	}),
	max_call_duration_seconds: integer({
		displayName: 'Max Call Duration (Seconds)',
	}),
	max_call_duration_message: text({ rows: 2 }),
};

export const voiceSettings = collection<Schema<'VoiceSettings'>>(
	{
		displayName: 'Voice Settings',
		top: true,
	},
	{
		interaction,
		interruption: {
			mode: text({
				displayName: 'Interruption Mode',
				samples: ['balanced', 'advance'],
			}),
			advanced: titled('Interruption', {
				allow_interruptions: boolean(),
				preemptive_generation: boolean(),
				manual_word_count_interrupt: boolean({ displayName: 'Manual Word Count' }),
				resume_after_false_interruption: boolean({
					displayName: 'Resume After False Interruption',
				}),
				min_endpointing_delay: number('Probably seconds'),
				max_endpointing_delay: number('Probably seconds'),
				min_interruption_duration: number('Probably seconds'),
				min_interruption_words: integer(),
				balanced_interrupt_word_count: integer({ displayName: 'Balanced Word Count' }),
				false_interruption_timeout: number('Probably seconds', {
					displayName: 'False Interruption Timeout',
				}),
			}),
		},
		voice_profile: {
			language: text('Language code', {
				displayName: 'Voice Language',
				placeholder: 'e.g. en',
			}),
			voice_uuid: locator(null, 'ID from the platform', { name: 'voice' }),
			voice_name: text(),
		},
		call_behavior: callBehavior,
		compliance: {
			eu_gdpr_compliance: boolean('Whether it is on; effect undocumented'),
			hipaa_compliance: boolean('Whether it is on; effect undocumented'),
		},
		normalizers: {
			outbound: json({
				displayName: 'Outbound Normalizers (JSON)',
			}),
			inbound: json({
				displayName: 'Inbound Normalizers (JSON)',
			}),
		},
	},
);

export const textSettings = collection<Schema<'TextSettings'>>(
	{
		displayName: 'Text Settings',
		top: true,
	},
	{
		daily_limits: {
			daily_max_messages_per_conversation: integer(),
			daily_conversation_limit_exceeded_message: text({
				rows: 2,
				displayName: 'Daily Limit Message',
			}),
		},
		timing_and_delay: titled('Timing', {
			base_delay: number('Unit undocumented'),
			pause_before_reply: number(),
			typing_speed_char: number('Unit undocumented', {
				displayName: 'Typing Speed per Character',
			}),
			delay_jitter_min: number('Unit undocumented'),
			delay_jitter_max: number('Unit undocumented'),
			typing_speed_wpm_min: number({
				displayName: 'Typing Speed Min (WPM)',
			}),
			typing_speed_wpm_max: number({
				displayName: 'Typing Speed Max (WPM)',
			}),
		}),
		typing_simulation: titled('Typing', {
			show_typing_indicator: boolean(),
			simulate_typing_breaks: boolean(),
			simulate_typos_corrections: boolean({
				displayName: 'Simulate Corrections',
			}),
		}),
		working_hours: titled('Working Hours', {
			enabled: boolean(),
			start: text({ samples: ['9 AM'] }),
			end: text({ samples: ['6 PM'] }),
			timezone: zone({ ianaOnly: true }),
			outside_hours_behavior: text({
				samples: ['Auto-reply'],
			}),
			offline_message: text({ rows: 2 }),
			during_hours_agent: text({
				displayName: 'Agent',
				samples: ['ai'],
			}),
		}),
		handover: titled('Handover', {
			enabled: boolean(),
			handover_triggers: text({
				samples: ['User request'],
			}),
			handover_method: text({
				samples: ['Assign agent'],
			}),
			assignment_strategy: text({ samples: ['First available'] }),
			fallback_agent: text({ samples: ['Bot assistant'] }),
			handover_message: text({
				rows: 2,
			}),
			handover_timeout: number('Unit undocumented'),
			release_after_minutes: number({
				displayName: 'Release After (Minutes)',
			}),
			release_channels: texts({
				samples: ['whatsapp', 'instagram'],
			}),
		}),
		confidence_controls: titled('Confidence', {
			min_confidence_threshold: number('Scale undocumented'),
			ask_clarifying_questions: boolean(),
		}),
		message_behavior: {
			second_message_behavior: titled('Second Message', {
				enabled: boolean(),
				chance: number('Scale undocumented'),
				delay_min: number(),
				delay_max: number(),
			}),
			follow_up_behavior: titled('Follow-Up', {
				enabled: boolean(),
				delay_min: number(),
				delay_max: number(),
			}),
		},
		personality: titled('Personality', {
			use_response_variations: boolean(),
			use_punctuation_variation: boolean(),
			use_filler_words: boolean(),
			enable_small_talk: boolean(),
			emoji_usage: text({ samples: ['None'] }),
			energy_level: text({ samples: ['Friendly'] }),
			empathy_level: text({ samples: ['Medium'] }),
		}),
		advanced: titled('Advanced', {
			split_messages: boolean(),
			simulate_message_editing: boolean(),
			use_memory_based_context: boolean({
				displayName: 'Memory-Based Context',
			}),
			human_first_mode: boolean(),
		}),
		email: titled('Email', {
			signature: text({
				rows: 3,
				displayName: 'Signature (HTML)',
			}),
		}),
	},
);
