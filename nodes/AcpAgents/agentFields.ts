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
	text,
	texts,
	zone,
	type FieldOptions,
} from '../engine/fields';
import type { Schema, Shape } from '../engine/operation';

/**
 * Fields that creating, updating and single-section operations of agents share (interface
 * §2.2 to §2.7; reference: agents).
 */

/** What an update says beside a section: it is replaced as a whole (reference: agents). */
const replaces = 'Replaces what the agent has. Leave it empty to keep that';

interface Use {
	/** For a change of an agent that exists. */
	update?: true;
}

const section = ({ update }: Use): Pick<FieldOptions, 'top' | 'hint'> => ({
	top: true,
	...(update ? { hint: replaces } : {}),
});

const optionalAgent = (name: string, description: string) =>
	agent({ name, displayName: 'Destination Agent', required: undefined, description });

/** Intents of an agent that exists can be listed; a new agent has none yet. */
const intent = ({ update }: Use) =>
	locator(update ? 'searchAgentIntents' : null, {
		name: 'intent',
		displayName: 'Intent',
		description: 'The intent that the step calls',
	});

const order = integer({ description: 'Position among the others, from 0' });

export const guideline: Shape<Schema<'GuidelineWrite'>> = {
	content: text({
		required: true,
		rows: 3,
		description: "One short do or don't, consulted on every reply",
		placeholder: 'e.g. Never promise a delivery date',
	}),
	order,
};

export const note: Shape<Schema<'NoteWrite'>> = {
	content: text({
		required: true,
		rows: 4,
		description: 'A fact, consulted when a question needs it',
		placeholder: 'e.g. The shop is open from 9:00 to 18:00',
	}),
	order,
};

export const procedureSteps = (use: Use) =>
	list<Schema<'ProcedureStep'>>(
		{
			entry: 'Step',
			displayName: 'Steps',
			description: 'What the agent does, one after the other',
		},
		{
			description: text({
				required: true,
				rows: 2,
				description: 'What to do in this step',
				placeholder: 'e.g. Ask for the order number',
			}),
			intent_uuid: intent(use),
			order: integer({ description: 'Position among the steps, from 1' }),
		},
	);

export const trainingItem: Shape<Schema<'TrainingItemWrite'>> = {
	content: text({
		required: true,
		rows: 2,
		displayName: 'Question',
		name: 'content',
		description: 'What a customer asks or says',
		placeholder: 'e.g. Do you deliver on Sundays?',
	}),
	response: text({
		rows: 3,
		description: 'The ideal answer',
		placeholder: 'e.g. Yes, from 10:00 to 14:00',
	}),
	intent: text({
		description: 'A key of your own for what the customer wants',
		placeholder: 'e.g. delivery_times',
	}),
};

export const guidelines = (use: Use) =>
	list<Schema<'GuidelineWrite'>>(
		{
			entry: 'Guideline',
			displayName: 'Guidelines',
			description: 'Short rules, consulted on every reply',
			...section(use),
		},
		guideline,
	);

export const notes = (use: Use) =>
	list<Schema<'NoteWrite'>>(
		{
			entry: 'Note',
			displayName: 'Notes',
			description: 'Reference facts, consulted when a question needs them',
			...section(use),
		},
		note,
	);

export const procedures = (use: Use) =>
	list<Schema<'ProcedureWrite'>>(
		{
			entry: 'Procedure',
			displayName: 'Procedures',
			description: 'What the agent does step by step in a situation',
			...section(use),
		},
		{
			name: text({
				required: true,
				description: 'What the procedure is called',
				placeholder: 'e.g. Order status',
			}),
			description: text({
				rows: 2,
				description: 'When the procedure applies',
				placeholder: 'e.g. The customer asks where an order is',
			}),
			steps: procedureSteps(use),
		},
	);

export const training = (use: Use) =>
	list<Schema<'TrainingItemWrite'>>(
		{
			entry: 'Training Item',
			displayName: 'Training',
			description: 'Questions of customers with the ideal answers',
			...section(use),
		},
		trainingItem,
	);

/** @param at options of the fields that most rules need */
export const routingRule = (
	at: Pick<FieldOptions, 'top'> = {},
): Shape<Schema<'RoutingRuleWrite'>> => ({
	department_name: text({ ...at, description: 'A label for people', placeholder: 'e.g. Sales' }),
	detection_mode: text({
		clearable: false,
		...at,
		samples: ['exact', 'intent', 'both'],
		description: 'How the rule notices that it applies',
	}),
	trigger_keyword: text({
		...at,
		description: "The word that triggers the rule; needed when 'Detection Mode' is exact or both",
		placeholder: 'e.g. sales',
	}),
	ai_prompt: text({
		...at,
		rows: 3,
		displayName: 'AI Prompt',
		description: "When the rule applies, in words; needed when 'Detection Mode' is intent or both",
		placeholder: 'e.g. The caller wants to buy something',
	}),
	phrases: lines({ description: 'What callers say then; three to five are advised' }),
	destination_type: text({
		...at,
		samples: ['extension', 'agent'],
		description: 'Where the call goes',
	}),
	destination: text({
		...at,
		description: 'The extension or phone number',
		placeholder: 'e.g. 101',
	}),
	destination_agent_uuid: optionalAgent('destinationAgent', 'The agent that takes over'),
	transfer_type: text({ samples: ['transfer_call'], description: 'How the call is handed over' }),
	transfer_config: json({
		displayName: 'Transfer Config (JSON)',
		description: 'Settings of the transfer as a JSON object',
	}),
	voice_response: text({ rows: 2, description: 'What the agent says when the rule applies' }),
	voice_on_error: text({
		rows: 2,
		displayName: 'Voice When Not Transferred',
		description: 'What the agent says when the transfer did not work',
	}),
	voice_on_success: text({
		rows: 2,
		displayName: 'Voice When Transferred',
		description: 'What the agent says when the transfer worked',
	}),
	priority: integer({
		description:
			'Rules with a lower number are looked at first; a new rule goes last unless you set it',
	}),
	is_active: boolean({ displayName: 'Active', description: 'Whether the rule applies' }),
});

/** @param at options of the fields that most rules need */
export const guardRule = (at: Pick<FieldOptions, 'top' | 'required'> = {}) =>
	({
		when_condition: text({
			...at,
			rows: 3,
			description: 'The situation, in words',
			placeholder: 'e.g. The customer threatens with a lawyer',
		}),
		then_action: text({
			clearable: false,
			...at,
			samples: ['forward', 'end_conversation'],
			description: 'What the agent does then',
		}),
		name: text({ description: 'What the rule is called' }),
		example_phrases: lines({ description: 'What people say then; three to five are advised' }),
		selected_channels: texts({
			// A new rule with an empty list is accepted (interface §2.7); in a change the list would be cleared.
			...(at.required ? { keepsEmpty: true } : {}),
			samples: ['phone', 'instagram', 'whatsapp', 'facebook_messenger'],
			description: 'Where the rule applies; phone alone when left out',
		}),
		say_before_forwarding: text({ rows: 2, description: 'What the agent says before it forwards' }),
		say_before_end: text({
			rows: 2,
			description: 'What the agent says before it ends the conversation',
		}),
		destination_type: text({
			samples: ['extension', 'agent'],
			description: "What 'Destination' is; the platform may want it when 'Then Action' is forward",
		}),
		destination: text({
			description: 'The extension or phone number; needed to forward, unless an agent takes over',
			placeholder: 'e.g. 101',
		}),
		destination_agent_uuid: optionalAgent(
			'destinationAgent',
			"The agent that takes over; needed when 'Destination Type' is agent",
		),
		is_active: boolean({ displayName: 'Active', description: 'Whether the rule applies' }),
		is_default: boolean({
			displayName: 'Default',
			description: 'Whether this is the default rule',
		}),
	}) satisfies Shape<Schema<'GuardRuleWrite'>>;

export const routingRules = (use: Use) =>
	list<Schema<'RoutingRuleWrite'>>(
		{
			entry: 'Routing Rule',
			displayName: 'Routing Rules',
			description: 'When calls are handed over, and to whom',
			...section(use),
		},
		routingRule(),
	);

export const guardRules = (use: Use) =>
	list<Schema<'GuardRuleWrite'>>(
		{
			entry: 'Guard Rule',
			displayName: 'Guard Rules',
			description: 'Situations in which the agent forwards or ends the conversation',
			...section(use),
		},
		guardRule({ required: true }),
	);

const hours = (description: string, sample: string) => text({ samples: [sample], description });

/** Assignments of an agent's calendars (interface §2.5). Durations are words like 3_hours, not numbers. */
export const scheduleAssignments = list<Schema<'ScheduleAssignment'>>(
	{
		entry: 'Schedule',
		displayName: 'Schedule Assignments',
		name: 'scheduleAssignments',
		top: true,
		description: 'The schedules that the agent books into',
	},
	{
		schedule_uuid: locator('searchSchedules', {
			name: 'schedule',
			displayName: 'Schedule',
			required: true,
			description: 'The schedule to book into',
		}),
		name: text({
			description: 'What the agent calls this schedule',
			placeholder: 'e.g. First consultation',
		}),
		description: text({
			rows: 2,
			description: 'When this schedule applies; the agent decides by it',
			placeholder: 'e.g. For new customers',
		}),
		slot_rules: collection<NonNullable<Schema<'ScheduleAssignment'>['slot_rules']>>(
			{ displayName: 'Slot Rules', description: 'Which times are offered' },
			{
				offer_slots_from: hours('How long before its start a time is still offered', '3_hours'),
				book_slots_from: hours('How long before its start a time can still be booked', '6_hours'),
				max_appointments_per_day: integer({ description: 'Most appointments on one day' }),
				conflict_resolution_enabled: boolean({
					description: 'Whether other times are offered when the wanted one is taken',
				}),
				alternative_slots_count: integer({
					description: 'How many other times are offered',
				}),
				suggestion_priority: text({
					samples: ['nearest'],
					description: 'Which other times come first',
				}),
				prefer_same_day: boolean({ description: 'Whether other times of the same day come first' }),
				prefer_same_time_slot: boolean({
					description: 'Whether the same time on other days comes first',
				}),
				include_same_week: boolean({
					description: 'Whether other days of the same week are offered',
				}),
			},
		),
		rescheduling: collection<NonNullable<Schema<'ScheduleAssignment'>['rescheduling']>>(
			{ displayName: 'Rescheduling', description: 'How appointments may be moved' },
			{
				policy: text({
					samples: ['always_ask'],
					description: 'Whether the agent moves appointments by itself',
				}),
				minor_change_hours: integer({
					description: 'Up to how many hours a move counts as minor',
				}),
				minor_change_same_day: boolean({
					description: 'Whether a move within the day counts as minor',
				}),
				minor_change_same_week: boolean({
					description: 'Whether a move within the week counts as minor',
				}),
				minor_change_same_slot: boolean({
					description: 'Whether a move to the same time of another day counts as minor',
				}),
				min_rescheduling_notice: hours(
					'How long before its start an appointment can still be moved',
					'2_hours',
				),
			},
		),
		cancellation: collection<NonNullable<Schema<'ScheduleAssignment'>['cancellation']>>(
			{ displayName: 'Cancellation', description: 'How appointments may be cancelled' },
			{
				min_cancellation_notice: hours(
					'How long before its start an appointment can still be cancelled',
					'24_hours',
				),
				ai_can_cancel: boolean({
					displayName: 'AI Can Cancel',
					description: 'Whether the agent cancels by itself',
				}),
				require_cancellation_reason: boolean({
					description: 'Whether the agent asks for the reason',
				}),
				cancellation_fee_policy: text({
					samples: ['no_fee'],
					description: 'Whether cancelling costs something',
				}),
			},
		),
		questions: collection<NonNullable<Schema<'ScheduleAssignment'>['questions']>>(
			{ displayName: 'Questions', description: 'What the agent asks before it books' },
			{
				inherit_from_schedule: boolean({
					description: "Whether the schedule's own questions are asked",
				}),
				custom_questions: list(
					{ entry: 'Question', displayName: 'Custom Questions', description: 'Further questions' },
					{
						name: text({
							required: true,
							description: 'What the answer is called',
							placeholder: 'e.g. party_size',
						}),
						type: text({ samples: ['text'], description: 'What kind of answer is expected' }),
						description: text({
							rows: 2,
							description: 'What is asked',
							placeholder: 'e.g. For how many people?',
						}),
						required: boolean({ description: 'Whether an answer is needed' }),
					},
				),
			},
		),
		approval: collection<NonNullable<Schema<'ScheduleAssignment'>['approval']>>(
			{ displayName: 'Approval', description: 'When a person has to agree' },
			{
				require_approval: boolean({ description: 'Whether a person has to agree' }),
				approval_threshold: hours('How close to its start an appointment needs approval', '1_hour'),
				approval_for_create: boolean({ description: 'Whether booking needs approval' }),
				approval_for_reschedule: boolean({ description: 'Whether moving needs approval' }),
				approval_for_cancel: boolean({ description: 'Whether cancelling needs approval' }),
				approval_for_notes: boolean({ description: 'Whether notes need approval' }),
				notify_calendar_owner: text({
					samples: ['always'],
					description: 'When the owner of the calendar is told',
				}),
				notify_admins: text({ samples: ['always'], description: 'When administrators are told' }),
				expected_response_time: text({
					samples: ['5_min'],
					description: 'How soon an answer is expected',
				}),
			},
		),
	},
);

export const appointments = ({ update }: Use) =>
	collection<Schema<'AgentAppointments'>>(
		{
			displayName: 'Appointments',
			description: 'Whether and how the agent books appointments',
			...(update ? { hint: 'Settings and schedules of the agent are replaced together' } : {}),
		},
		{
			enabled: boolean({ description: 'Whether the agent books appointments' }),
			random_assignment: boolean({
				description: 'Whether one of several schedules is taken at random',
			}),
			schedule_assignments: scheduleAssignments,
		},
	);

/** The opening, silence and closing messages (interface §2.3). */
export const interaction: Shape<Schema<'VoiceInteraction'>> = {
	customer_speak_first: boolean({
		displayName: 'Customer Speaks First',
		description: 'Whether the agent waits until the customer has spoken',
	}),
	inbound_first_message: text({
		rows: 2,
		displayName: 'Inbound First Message',
		description: 'What the agent says first when it is called',
	}),
	outbound_first_message: text({
		rows: 2,
		displayName: 'Outbound First Message',
		description: 'What the agent says first when it calls',
	}),
	voice_mail_message: text({
		rows: 2,
		displayName: 'Voicemail Message',
		description: 'What the agent says to a voicemail',
	}),
	end_call_message: text({
		rows: 2,
		displayName: 'End Call Message',
		description: 'What the agent says before it hangs up',
	}),
	silence_message: text({
		rows: 2,
		displayName: 'Silence Message',
		description: 'What the agent says when nobody speaks',
	}),
	max_silence_prompts: integer({
		displayName: 'Max Silence Prompts',
		description: 'How often the agent speaks into silence',
	}),
};

/** Recording, sounds and lengths of calls (interface §2.3; reference: agents for the last three of the sounds). */
export const callBehavior: Shape<Schema<'CallBehavior'>> = {
	audio_recording: boolean({
		displayName: 'Audio Recording',
		description: 'Whether calls are recorded',
	}),
	background_sound: boolean({
		displayName: 'Background Sound',
		description: 'Whether a background can be heard',
	}),
	background_sound_ambience: text({
		displayName: 'Background Sound Ambience',
		samples: ['office'],
		description: 'Which background can be heard',
	}),
	background_sound_volume: number({
		displayName: 'Background Sound Volume',
		description: 'How loud the background is',
		placeholder: 'e.g. 0.3',
	}),
	noise_cancellation: boolean({
		displayName: 'Noise Cancellation',
		description: "Whether noise on the customer's side is taken out",
	}),
	silence_timeout_seconds: integer({
		displayName: 'Silence Timeout (Seconds)',
		description: 'After how much silence the call ends',
	}),
	max_call_duration_seconds: integer({
		displayName: 'Max Call Duration (Seconds)',
		description: 'After how long the call ends',
	}),
	max_call_duration_message: text({
		rows: 2,
		displayName: 'Max Call Duration Message',
		description: 'What the agent says when the longest duration is reached',
	}),
};

export const voiceSettings = ({ update }: Use) =>
	collection<Schema<'VoiceSettings'>>(
		{
			displayName: 'Voice Settings',
			description: 'For agents that speak on the phone',
			...(update ? { hint: 'Only the settings that you add are sent' } : {}),
		},
		{
			interaction,
			interruption: {
				mode: text({
					displayName: 'Interruption Mode',
					samples: ['balanced', 'advance'],
					description: 'How the agent takes it when the customer interrupts',
				}),
				advanced: {
					allow_interruptions: boolean({
						displayName: 'Interruption: Allow',
						description: 'Whether the customer can interrupt the agent',
					}),
					preemptive_generation: boolean({
						displayName: 'Interruption: Preemptive Generation',
						description: 'Whether the agent prepares its answer while the customer still speaks',
					}),
					manual_word_count_interrupt: boolean({
						displayName: 'Interruption: Manual Word Count',
						description: 'Whether the number of words below decides',
					}),
					resume_after_false_interruption: boolean({
						displayName: 'Interruption: Resume When Mistaken',
						description: 'Whether the agent goes on when it was not really interrupted',
					}),
					min_endpointing_delay: number({
						displayName: 'Interruption: Min Endpointing Delay',
						description: 'Shortest pause after which the customer counts as done',
					}),
					max_endpointing_delay: number({
						displayName: 'Interruption: Max Endpointing Delay',
						description: 'Longest pause that is waited for',
					}),
					min_interruption_duration: number({
						displayName: 'Interruption: Min Duration',
						description: 'How long the customer must speak to interrupt',
					}),
					min_interruption_words: integer({
						displayName: 'Interruption: Min Words',
						description: 'How many words the customer must say to interrupt',
					}),
					balanced_interrupt_word_count: integer({
						displayName: 'Interruption: Balanced Word Count',
						description: 'How many words interrupt in the balanced mode',
					}),
					false_interruption_timeout: number({
						displayName: 'Interruption: Mistaken Timeout',
						description: 'After how long the agent takes an interruption as mistaken',
					}),
				},
			},
			voice_profile: {
				language: text({
					displayName: 'Voice Language',
					description: 'Code of the language that is spoken',
					placeholder: 'e.g. en',
				}),
				voice_uuid: locator(null, {
					name: 'voice',
					displayName: 'Voice',
					description: 'The voice that speaks; the platform shows its ID',
				}),
				voice_name: text({ displayName: 'Voice Name', description: 'The name of the voice' }),
			},
			call_behavior: callBehavior,
			compliance: {
				eu_gdpr_compliance: boolean({
					displayName: 'EU GDPR Compliance',
					description: 'Whether the agent keeps the rules of the GDPR',
				}),
				hipaa_compliance: boolean({
					displayName: 'HIPAA Compliance',
					description: 'Whether the agent keeps the rules of HIPAA',
				}),
			},
			normalizers: {
				outbound: json({
					displayName: 'Outbound Normalizers (JSON)',
					description: 'How what the agent says is rewritten, as a JSON object',
				}),
				inbound: json({
					displayName: 'Inbound Normalizers (JSON)',
					description: 'How what the customer says is rewritten, as a JSON object',
				}),
			},
		},
	);

const whether = (displayName: string, description: string) =>
	boolean({ displayName, description: `Whether ${description}` });
const amount = (displayName: string, description: string) => number({ displayName, description });

export const textSettings = ({ update }: Use) =>
	collection<Schema<'TextSettings'>>(
		{
			displayName: 'Text Settings',
			description: 'For agents that write messages',
			...(update ? { hint: 'Only the settings that you add are sent' } : {}),
		},
		{
			daily_limits: {
				daily_max_messages_per_conversation: integer({
					displayName: 'Daily Max Messages per Conversation',
					description: 'Most messages on one day in one conversation',
				}),
				daily_conversation_limit_exceeded_message: text({
					rows: 2,
					displayName: 'Daily Limit Message',
					description: 'What the agent writes when the limit of the day is reached',
				}),
			},
			timing_and_delay: {
				base_delay: amount('Timing: Base Delay', 'How long the agent waits before it writes'),
				pause_before_reply: amount(
					'Timing: Pause Before Reply',
					'How long the agent pauses before a reply',
				),
				typing_speed_char: amount(
					'Timing: Typing Speed per Character',
					'How long one character takes',
				),
				delay_jitter_min: amount(
					'Timing: Delay Jitter Min',
					'The least that chance adds to a delay',
				),
				delay_jitter_max: amount(
					'Timing: Delay Jitter Max',
					'The most that chance adds to a delay',
				),
				typing_speed_wpm_min: amount(
					'Timing: Typing Speed Min (WPM)',
					'The least words per minute',
				),
				typing_speed_wpm_max: amount('Timing: Typing Speed Max (WPM)', 'The most words per minute'),
			},
			typing_simulation: {
				show_typing_indicator: whether(
					'Typing: Show Indicator',
					'the customer sees that the agent is typing',
				),
				simulate_typing_breaks: whether(
					'Typing: Simulate Breaks',
					'the agent seems to stop typing at times',
				),
				simulate_typos_corrections: whether(
					'Typing: Simulate Corrections',
					'the agent seems to correct itself at times',
				),
			},
			working_hours: {
				enabled: whether('Working Hours: Enabled', 'the agent keeps working hours'),
				start: text({
					displayName: 'Working Hours: Start',
					samples: ['9 AM'],
					description: 'When work begins, as an hour with AM or PM',
				}),
				end: text({
					displayName: 'Working Hours: End',
					samples: ['6 PM'],
					description: 'When work ends, as an hour with AM or PM',
				}),
				timezone: zone({
					displayName: 'Working Hours: Timezone',
					ianaOnly: true,
					description: 'The time zone of the working hours',
				}),
				outside_hours_behavior: text({
					displayName: 'Working Hours: Outside Behavior',
					samples: ['Auto-reply'],
					description: 'What happens outside the working hours',
				}),
				offline_message: text({
					rows: 2,
					displayName: 'Working Hours: Offline Message',
					description: 'What is written outside the working hours',
				}),
				during_hours_agent: text({
					displayName: 'Working Hours: Agent',
					samples: ['ai'],
					description: 'Who answers during the working hours',
				}),
			},
			handover: {
				enabled: whether('Handover: Enabled', 'people can take conversations over'),
				handover_triggers: text({
					displayName: 'Handover: Triggers',
					samples: ['User request'],
					description: 'What makes the agent hand over',
				}),
				handover_method: text({
					displayName: 'Handover: Method',
					samples: ['Assign agent'],
					description: 'How the conversation is handed over',
				}),
				assignment_strategy: text({
					displayName: 'Handover: Assignment Strategy',
					samples: ['First available'],
					description: 'Who gets the conversation',
				}),
				fallback_agent: text({
					displayName: 'Handover: Fallback Agent',
					samples: ['Bot assistant'],
					description: 'Who answers when nobody is there',
				}),
				handover_message: text({
					rows: 2,
					displayName: 'Handover: Message',
					description: 'What the agent writes when it hands over',
				}),
				handover_timeout: amount('Handover: Timeout', 'How long a person has to take over'),
				release_after_minutes: amount(
					'Handover: Release After (Minutes)',
					'After how many minutes the agent takes the conversation back',
				),
				release_channels: texts({
					displayName: 'Handover: Release Channels',
					samples: ['whatsapp', 'instagram'],
					description: 'Where the agent takes conversations back',
				}),
			},
			confidence_controls: {
				min_confidence_threshold: amount(
					'Confidence: Min Threshold',
					'How sure the agent must be to answer',
				),
				ask_clarifying_questions: whether(
					'Confidence: Ask Clarifying Questions',
					'the agent asks back when it is not sure',
				),
			},
			message_behavior: {
				second_message_behavior: {
					enabled: whether('Second Message: Enabled', 'the agent sometimes sends a second message'),
					chance: amount('Second Message: Chance', 'How often a second message follows'),
					delay_min: amount('Second Message: Delay Min', 'The shortest wait before it'),
					delay_max: amount('Second Message: Delay Max', 'The longest wait before it'),
				},
				follow_up_behavior: {
					enabled: whether(
						'Follow-Up: Enabled',
						'the agent writes again when the customer does not answer',
					),
					delay_min: amount('Follow-Up: Delay Min', 'The shortest wait before it'),
					delay_max: amount('Follow-Up: Delay Max', 'The longest wait before it'),
				},
			},
			personality: {
				use_response_variations: whether(
					'Personality: Response Variations',
					'the agent words the same answer differently at times',
				),
				use_punctuation_variation: whether(
					'Personality: Punctuation Variation',
					'punctuation varies',
				),
				use_filler_words: whether('Personality: Filler Words', 'the agent uses filler words'),
				enable_small_talk: whether('Personality: Small Talk', 'the agent makes small talk'),
				emoji_usage: text({
					displayName: 'Personality: Emoji Usage',
					samples: ['None'],
					description: 'How many emojis the agent uses',
				}),
				energy_level: text({
					displayName: 'Personality: Energy Level',
					samples: ['Friendly'],
					description: 'How lively the agent is',
				}),
				empathy_level: text({
					displayName: 'Personality: Empathy Level',
					samples: ['Medium'],
					description: 'How much the agent responds to feelings',
				}),
			},
			advanced: {
				split_messages: whether('Advanced: Split Messages', 'long messages are split'),
				simulate_message_editing: whether(
					'Advanced: Simulate Message Editing',
					'the agent seems to edit messages at times',
				),
				use_memory_based_context: whether(
					'Advanced: Memory-Based Context',
					'the agent uses what it remembers of the customer',
				),
				human_first_mode: whether('Advanced: Human First Mode', 'people answer first'),
			},
			email: {
				signature: text({
					rows: 3,
					displayName: 'Email: Signature (HTML)',
					description: 'What stands below emails',
				}),
			},
		},
	);

/** What to say when a platform does not have an endpoint that is our guess (contract: x-source inferred). */
export const notOffered = (what: string, instead: string) => {
	const words = {
		message: `This workspace does not ${what} at the path this node tried`,
		description: instead,
	};
	return { ENDPOINT_NOT_FOUND: words, '405': words };
};
