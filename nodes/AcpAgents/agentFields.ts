import {
	agent,
	boolean,
	collection,
	integer,
	json,
	lines,
	list,
	locator,
	number,
	reference,
	text,
	texts,
	titled,
	zone,
	type FieldOptions,
} from '../engine/fields';
import type { Schema, Shape } from '../engine/operation';

/**
 * Fields that creating, updating and single-section operations of agents share (interface
 * §2.2 to §2.7; reference: agents).
 */

/** A list that replaces all that the agent has. @param entry "Guard Rule" */
export const replacing = <T>(entry: string, row: Shape<NoInfer<T>>) =>
	list<T>(
		{
			entry,
			required: true,
			description: `All ${entry.toLowerCase()}s the agent should have`,
			hint: "To remove all, leave the list empty and turn on 'Send Empty Fields' under Options",
		},
		row,
	);

const optionalAgent = (name: string, description: string) =>
	agent({ name, displayName: 'Destination Agent', required: undefined, description });

const intent = locator('searchAgentIntents', 'The intent this step calls', { name: 'intent' });

const order = integer('Position in the list, starting at 0');

export const guideline: Shape<Schema<'GuidelineWrite'>> = {
	content: text("One short do or don't that the agent consults for every reply", {
		required: true,
		rows: 3,
		placeholder: 'e.g. Never promise a delivery date',
	}),
	order,
};

export const note: Shape<Schema<'NoteWrite'>> = {
	content: text('A fact the agent looks up when a question needs it', {
		required: true,
		rows: 4,
		placeholder: 'e.g. The shop is open from 9:00 to 18:00',
	}),
	order,
};

export const procedureSteps = list<Schema<'ProcedureStep'>>(
	{
		entry: 'Step',
		displayName: 'Steps',
		description: 'What the agent does, in order',
	},
	{
		description: text('What to do in this step', {
			rows: 2,
			placeholder: 'e.g. Ask for the order number',
		}),
		intent_uuid: intent,
		order: integer('Position of the step, starting at 1'),
	},
);

export const trainingItem: Shape<Schema<'TrainingItemWrite'>> = {
	content: text('What a customer asks or says', {
		required: true,
		rows: 2,
		displayName: 'Question',
		name: 'content',
		placeholder: 'e.g. Do you deliver on Sundays?',
	}),
	response: text('The ideal answer', { rows: 3, placeholder: 'e.g. Yes, from 10:00 to 14:00' }),
	intent: text('Your own key for what the customer wants', { placeholder: 'e.g. delivery_times' }),
};

export const guidelines = list<Schema<'GuidelineWrite'>>(
	{
		entry: 'Guideline',
		description: 'Short rules that the agent consults for every reply',
	},
	guideline,
);

export const notes = list<Schema<'NoteWrite'>>(
	{
		entry: 'Note',
		description: 'Reference facts the agent looks up when a question needs them',
	},
	note,
);

export const procedures = list<Schema<'ProcedureWrite'>>(
	{
		entry: 'Procedure',
		description: 'Step-by-step instructions for a situation',
	},
	{
		name: text({
			placeholder: 'e.g. Order status',
		}),
		description: text('When the procedure applies', {
			rows: 2,
			placeholder: 'e.g. The customer asks where an order is',
		}),
		steps: procedureSteps,
	},
);

export const training = list<Schema<'TrainingItemWrite'>>(
	{
		entry: 'Training Item',
		description: 'Customer questions with their ideal answers',
	},
	trainingItem,
);

/** @param at options of the fields that a rule usually needs */
export const routingRule = (
	at: Pick<FieldOptions, 'top'> = {},
): Shape<Schema<'RoutingRuleWrite'>> => ({
	department_name: text('A label for your team', { ...at, placeholder: 'e.g. Sales' }),
	detection_mode: text('How the rule detects that it applies', {
		clearable: false,
		samples: ['exact', 'intent', 'both'],
	}),
	trigger_keyword: text(
		"The word that triggers the rule; required if 'Detection Mode' is exact or both",
		{ ...at, placeholder: 'e.g. sales' },
	),
	ai_prompt: text(
		"When the rule applies, in plain words; required if 'Detection Mode' is intent or both",
		{ ...at, rows: 3, placeholder: 'e.g. The caller wants to buy something' },
	),
	phrases: lines('What callers typically say; three to five phrases are recommended'),
	destination_type: text('What to transfer the call to', { samples: ['extension', 'agent'] }),
	destination: text('The extension or phone number to transfer to', {
		...at,
		placeholder: 'e.g. 101',
	}),
	destination_agent_uuid: optionalAgent('destinationAgent', 'The agent that takes over'),
	transfer_type: text('How to transfer the call', { samples: ['transfer_call'] }),
	transfer_config: json('Transfer settings as a JSON object', {
		displayName: 'Transfer Config (JSON)',
	}),
	voice_response: text('What the agent says when the rule applies', { rows: 2 }),
	voice_on_error: text('What the agent says if the transfer fails', {
		rows: 2,
		displayName: 'Voice on Failed Transfer',
	}),
	voice_on_success: text('What the agent says if the transfer succeeds', {
		rows: 2,
		displayName: 'Voice on Successful Transfer',
	}),
	priority: integer(
		'Rules with lower numbers are checked first; a new rule goes last unless you set this',
	),
	is_active: boolean('Whether the rule applies', { displayName: 'Active' }),
});

/** @param at options of the fields that a rule usually needs */
export const guardRule = (at: Pick<FieldOptions, 'top' | 'required'> = {}) =>
	({
		when_condition: text('The situation the rule covers, in plain words', {
			...at,
			rows: 3,
			placeholder: 'e.g. The customer threatens legal action',
		}),
		then_action: text('What the agent does in this situation', {
			clearable: false,
			...at,
			samples: ['forward', 'end_conversation'],
		}),
		name: text(),
		example_phrases: lines('What customers typically say; three to five phrases are recommended'),
		selected_channels: texts({
			// The platform accepts a new rule with an empty list (interface §2.7). In a change, an empty list would clear the
			// old one.
			...(at.required ? { keepsEmpty: true } : {}),
			samples: ['phone', 'instagram', 'whatsapp', 'facebook_messenger'],
			description: 'Channels the rule applies to; defaults to phone only',
		}),
		say_before_forwarding: text('What the agent says before it forwards the conversation', {
			rows: 2,
		}),
		say_before_end: text('What the agent says before it ends the conversation', { rows: 2 }),
		destination_type: text(
			"The kind of 'Destination'; the platform may require it if 'Then Action' is forward",
			{ samples: ['extension', 'agent'] },
		),
		destination: text(
			'The extension or phone number; required to forward, unless an agent takes over',
			{ placeholder: 'e.g. 101' },
		),
		destination_agent_uuid: optionalAgent(
			'destinationAgent',
			"The agent that takes over; required if 'Destination Type' is agent",
		),
		is_active: boolean('Whether the rule applies', { displayName: 'Active' }),
		is_default: boolean('Whether this is the default rule', { displayName: 'Default' }),
	}) satisfies Shape<Schema<'GuardRuleWrite'>>;

export const routingRules = list<Schema<'RoutingRuleWrite'>>(
	{
		entry: 'Routing Rule',
		description: 'When to hand over calls, and to whom',
	},
	routingRule(),
);

export const guardRules = list<Schema<'GuardRuleWrite'>>(
	{
		entry: 'Guard Rule',
		description: 'Situations in which the agent forwards or ends the conversation',
	},
	guardRule({ required: true }),
);

const hours = (description: string, sample: string) => text({ samples: [sample], description });

/** An agent's calendars (interface §2.5). Durations are words like 3_hours, not numbers. */
export const scheduleAssignments = list<Schema<'ScheduleAssignment'>>(
	{
		entry: 'Schedule',
		name: 'scheduleAssignments',
		top: true,
		description: 'The schedules the agent books into',
	},
	{
		schedule_uuid: reference('searchSchedules', 'The schedule to book into'),
		name: text('The name the agent uses for this schedule', {
			placeholder: 'e.g. First consultation',
		}),
		description: text('When to use this schedule; the agent decides based on this', {
			rows: 2,
			placeholder: 'e.g. For new customers',
		}),
		slot_rules: collection<NonNullable<Schema<'ScheduleAssignment'>['slot_rules']>>(
			'Which times the agent offers',
			{
				offer_slots_from: hours('From when to offer slots; not documented', '3_hours'),
				book_slots_from: hours('From when to book slots; not documented', '6_hours'),
				max_appointments_per_day: integer(),
				conflict_resolution_enabled: boolean('Whether to resolve conflicts; not documented'),
				alternative_slots_count: integer('How many other times to offer'),
				suggestion_priority: text('Which other times to offer first', { samples: ['nearest'] }),
				prefer_same_day: boolean('Whether to offer other times on the same day first'),
				prefer_same_time_slot: boolean('Whether to offer the same time on other days first'),
				include_same_week: boolean('Whether to offer other days of the same week'),
			},
		),
		rescheduling: collection<NonNullable<Schema<'ScheduleAssignment'>['rescheduling']>>(
			'Rules for moving appointments',
			{
				policy: text('Policy for moving appointments', { samples: ['always_ask'] }),
				minor_change_hours: integer('Hours of a minor change; not documented'),
				minor_change_same_day: boolean('Whether a move within the same day counts as minor'),
				minor_change_same_week: boolean('Whether a move within the same week counts as minor'),
				minor_change_same_slot: boolean(
					'Whether a move to the same time on another day counts as minor',
				),
				min_rescheduling_notice: hours(
					'How long before the start an appointment can still be moved',
					'2_hours',
				),
			},
		),
		cancellation: collection<NonNullable<Schema<'ScheduleAssignment'>['cancellation']>>(
			'Rules for cancelling appointments',
			{
				min_cancellation_notice: hours(
					'How long before the start an appointment can still be cancelled',
					'24_hours',
				),
				ai_can_cancel: boolean('Whether the agent may cancel appointments on its own'),
				require_cancellation_reason: boolean('Whether the agent asks for a reason'),
				cancellation_fee_policy: text('Whether cancelling incurs a fee', { samples: ['no_fee'] }),
			},
		),
		questions: collection<NonNullable<Schema<'ScheduleAssignment'>['questions']>>(
			'What the agent asks before booking',
			{
				inherit_from_schedule: boolean("Whether to ask the schedule's own questions"),
				custom_questions: list(
					{
						entry: 'Question',
						description: 'Additional questions',
					},
					{
						name: text('Name of the question', { placeholder: 'e.g. party_size' }),
						type: text('The kind of answer expected', { samples: ['text'] }),
						description: text('What the agent asks', {
							rows: 2,
							placeholder: 'e.g. For how many people?',
						}),
						required: boolean('Whether an answer is required'),
					},
				),
			},
		),
		approval: collection<NonNullable<Schema<'ScheduleAssignment'>['approval']>>(
			'When a person must approve',
			{
				require_approval: boolean('Whether a person must approve'),
				approval_threshold: hours('Threshold of the approval; not documented', '1_hour'),
				approval_for_create: boolean('Whether new bookings require approval'),
				approval_for_reschedule: boolean('Whether moving an appointment requires approval'),
				approval_for_cancel: boolean('Whether cancelling requires approval'),
				approval_for_notes: boolean('Whether notes require approval'),
				notify_calendar_owner: text('When to notify the calendar owner', { samples: ['always'] }),
				notify_admins: text('When to notify administrators', { samples: ['always'] }),
				expected_response_time: text('How soon an answer is expected', { samples: ['5_min'] }),
			},
		),
	},
);

export const appointments = collection<Schema<'AgentAppointments'>>(
	{
		description: 'Whether and how the agent books appointments',
		top: true,
	},
	{
		enabled: boolean('Whether the agent books appointments'),
		random_assignment: boolean('Whether to assign at random; not documented'),
		schedule_assignments: scheduleAssignments,
	},
);

/** The opening, silence and closing messages (interface §2.3). */
export const interaction: Shape<Schema<'VoiceInteraction'>> = {
	customer_speak_first: boolean('Whether the agent waits for the customer to speak first', {
		displayName: 'Customer Speaks First',
	}),
	inbound_first_message: text('What the agent says first on inbound calls', { rows: 2 }),
	outbound_first_message: text('What the agent says first on outbound calls', { rows: 2 }),
	voice_mail_message: text('What the agent says when it reaches voicemail', {
		rows: 2,
		displayName: 'Voicemail Message',
	}),
	end_call_message: text('What the agent says before it hangs up', { rows: 2 }),
	silence_message: text('What the agent says when nobody speaks', { rows: 2 }),
	max_silence_prompts: integer('Maximum times the agent prompts a silent customer'),
};

/** Recording, sounds and lengths of calls (interface §2.3; reference: agents for the last three of the sounds). */
export const callBehavior: Shape<Schema<'CallBehavior'>> = {
	audio_recording: boolean('Whether calls are recorded'),
	background_sound: boolean('Whether to play a background sound'),
	background_sound_ambience: text('Which background sound to play', { samples: ['office'] }),
	background_sound_volume: number('How loud the background sound is', { placeholder: 'e.g. 0.3' }),
	noise_cancellation: boolean('Whether to cancel noise; not documented'),
	silence_timeout_seconds: integer('Ends the call after this much silence', {
		displayName: 'Silence Timeout (Seconds)',
	}),
	max_call_duration_seconds: integer('Ends the call after this time', {
		displayName: 'Max Call Duration (Seconds)',
	}),
	max_call_duration_message: text(
		'What the agent says when the call reaches its maximum duration',
		{ rows: 2 },
	),
};

export const voiceSettings = collection<Schema<'VoiceSettings'>>(
	{
		displayName: 'Voice Settings',
		description: 'Settings for phone agents',
		top: true,
	},
	{
		interaction,
		interruption: {
			mode: text('How the agent reacts when the customer interrupts', {
				displayName: 'Interruption Mode',
				samples: ['balanced', 'advance'],
			}),
			advanced: titled('Interruption', {
				allow_interruptions: boolean('Whether the customer can interrupt the agent', {
					displayName: 'Allow',
				}),
				preemptive_generation: boolean('Whether to generate answers preemptively; not documented'),
				manual_word_count_interrupt: boolean(
					'Whether to interrupt by a manual word count; not documented',
					{ displayName: 'Manual Word Count' },
				),
				resume_after_false_interruption: boolean('Whether to resume after a false interruption'),
				min_endpointing_delay: number('Probably in seconds; not documented'),
				max_endpointing_delay: number('Probably in seconds; not documented'),
				min_interruption_duration: number(
					'Minimum duration of an interruption, probably in seconds; not documented',
					{ displayName: 'Min Duration' },
				),
				min_interruption_words: integer(
					'Minimum number of words of an interruption; not documented',
					{ displayName: 'Min Words' },
				),
				balanced_interrupt_word_count: integer(
					'Interrupting word count of the balanced mode; not documented',
					{ displayName: 'Balanced Word Count' },
				),
				false_interruption_timeout: number(
					'Timeout for false interruptions, probably in seconds; not documented',
				),
			}),
		},
		voice_profile: {
			language: text('Code of the spoken language', {
				displayName: 'Voice Language',
				placeholder: 'e.g. en',
			}),
			voice_uuid: locator(null, 'ID of the voice, as shown on the platform', { name: 'voice' }),
			voice_name: text({ displayName: 'Voice Name' }),
		},
		call_behavior: callBehavior,
		compliance: {
			eu_gdpr_compliance: boolean('Whether EU GDPR compliance is on; its effect is undocumented'),
			hipaa_compliance: boolean('Whether HIPAA compliance is on; its effect is undocumented'),
		},
		normalizers: {
			outbound: json('Normalizers for outbound, as a JSON object; not documented', {
				displayName: 'Outbound Normalizers (JSON)',
			}),
			inbound: json('Normalizers for inbound, as a JSON object; not documented', {
				displayName: 'Inbound Normalizers (JSON)',
			}),
		},
	},
);

export const textSettings = collection<Schema<'TextSettings'>>(
	{
		displayName: 'Text Settings',
		description: 'Settings for messaging agents',
		top: true,
	},
	{
		daily_limits: {
			daily_max_messages_per_conversation: integer(),
			daily_conversation_limit_exceeded_message: text(
				'What the agent writes when the daily limit is reached',
				{ rows: 2, displayName: 'Daily Limit Message' },
			),
		},
		timing_and_delay: titled('Timing', {
			base_delay: number('Base delay of replies; its unit is undocumented'),
			pause_before_reply: number(),
			typing_speed_char: number('Typing speed by characters; its unit is undocumented', {
				displayName: 'Typing Speed per Character',
			}),
			delay_jitter_min: number('Minimum random delay to add'),
			delay_jitter_max: number('Maximum random delay to add'),
			typing_speed_wpm_min: number('Minimum typing speed in words per minute', {
				displayName: 'Typing Speed Min (WPM)',
			}),
			typing_speed_wpm_max: number('Maximum typing speed in words per minute', {
				displayName: 'Typing Speed Max (WPM)',
			}),
		}),
		typing_simulation: titled('Typing', {
			show_typing_indicator: boolean('Whether the customer sees that the agent is typing', {
				displayName: 'Show Indicator',
			}),
			simulate_typing_breaks: boolean('Whether the agent sometimes appears to stop typing', {
				displayName: 'Simulate Breaks',
			}),
			simulate_typos_corrections: boolean('Whether the agent sometimes appears to correct itself', {
				displayName: 'Simulate Corrections',
			}),
		}),
		working_hours: titled('Working Hours', {
			enabled: boolean('Whether the agent has working hours'),
			start: text('Start time, as an hour with AM or PM', { samples: ['9 AM'] }),
			end: text('End time, as an hour with AM or PM', { samples: ['6 PM'] }),
			timezone: zone({ ianaOnly: true }),
			outside_hours_behavior: text({
				displayName: 'Outside Behavior',
				samples: ['Auto-reply'],
			}),
			offline_message: text('The message sent outside working hours', { rows: 2 }),
			during_hours_agent: text('Who answers during working hours', {
				displayName: 'Agent',
				samples: ['ai'],
			}),
		}),
		handover: titled('Handover', {
			enabled: boolean('Whether to hand over conversations'),
			handover_triggers: text('What makes the agent hand over', {
				displayName: 'Triggers',
				samples: ['User request'],
			}),
			handover_method: text({
				displayName: 'Method',
				samples: ['Assign agent'],
			}),
			assignment_strategy: text('Who gets the conversation', { samples: ['First available'] }),
			fallback_agent: text('Who answers if nobody is available', { samples: ['Bot assistant'] }),
			handover_message: text('What the agent writes when handing over', {
				rows: 2,
				displayName: 'Message',
			}),
			handover_timeout: number('Timeout of the handover; its unit is undocumented', {
				displayName: 'Timeout',
			}),
			release_after_minutes: number('Releases the conversation after this many minutes', {
				displayName: 'Release After (Minutes)',
			}),
			release_channels: texts('Channels the release applies to', {
				samples: ['whatsapp', 'instagram'],
			}),
		}),
		confidence_controls: titled('Confidence', {
			min_confidence_threshold: number('Minimum confidence; its scale is undocumented', {
				displayName: 'Min Threshold',
			}),
			ask_clarifying_questions: boolean('Whether the agent asks clarifying questions'),
		}),
		message_behavior: {
			second_message_behavior: titled('Second Message', {
				enabled: boolean('Whether the agent sometimes sends a second message'),
				chance: number('Chance of a second message; its scale is undocumented'),
				delay_min: number(),
				delay_max: number(),
			}),
			follow_up_behavior: titled('Follow-Up', {
				enabled: boolean('Whether the agent follows up'),
				delay_min: number(),
				delay_max: number(),
			}),
		},
		personality: titled('Personality', {
			use_response_variations: boolean('Whether the agent varies its responses', {
				displayName: 'Response Variations',
			}),
			use_punctuation_variation: boolean('Whether the agent varies its punctuation', {
				displayName: 'Punctuation Variation',
			}),
			use_filler_words: boolean('Whether the agent uses filler words', {
				displayName: 'Filler Words',
			}),
			enable_small_talk: boolean('Whether the agent makes small talk', {
				displayName: 'Small Talk',
			}),
			emoji_usage: text({ samples: ['None'] }),
			energy_level: text('How lively the agent sounds', { samples: ['Friendly'] }),
			empathy_level: text('How strongly the agent responds to feelings', { samples: ['Medium'] }),
		}),
		advanced: titled('Advanced', {
			split_messages: boolean('Whether to split messages'),
			simulate_message_editing: boolean('Whether the agent sometimes appears to edit messages'),
			use_memory_based_context: boolean('Whether to use context from memory; not documented', {
				displayName: 'Memory-Based Context',
			}),
			human_first_mode: boolean('Whether human first mode is on; its effect is undocumented'),
		}),
		email: titled('Email', {
			signature: text('Added below each email', {
				rows: 3,
				displayName: 'Signature (HTML)',
			}),
		}),
	},
);

/** What to say if the platform does not have an endpoint that is our guess (contract: x-source inferred). */
export const notOffered = (what: string, instead: string) => {
	const words = {
		message: `This workspace has no endpoint to ${what} at the undocumented path this node tried`,
		description: instead,
	};
	return { ENDPOINT_NOT_FOUND: words, '405': words };
};
