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

/** The hint that an update replaces a section as a whole (reference: agents). */
const replaces = 'Replaces the existing entries; leave empty to keep them';

interface Use {
	/** For changes of an existing agent. */
	update?: true;
}

const section = ({ update }: Use): Pick<FieldOptions, 'hint'> => (update ? { hint: replaces } : {});

const optionalAgent = (name: string, description: string) =>
	agent({ name, displayName: 'Destination Agent', required: undefined, description });

/** The editor can list the intents of an existing agent; a new agent has none yet. */
const intent = ({ update }: Use) =>
	locator(update ? 'searchAgentIntents' : null, {
		name: 'intent',
		description: 'The intent this step calls',
	});

const order = integer({ description: 'Position in the list, starting at 0' });

export const guideline: Shape<Schema<'GuidelineWrite'>> = {
	content: text({
		required: true,
		rows: 3,
		description: "One short do or don't that the agent consults for every reply",
		placeholder: 'e.g. Never promise a delivery date',
	}),
	order,
};

export const note: Shape<Schema<'NoteWrite'>> = {
	content: text({
		required: true,
		rows: 4,
		description: 'A fact the agent looks up when a question needs it',
		placeholder: 'e.g. The shop is open from 9:00 to 18:00',
	}),
	order,
};

export const procedureSteps = (use: Use) =>
	list<Schema<'ProcedureStep'>>(
		{
			entry: 'Step',
			displayName: 'Steps',
			description: 'What the agent does, in order',
		},
		{
			description: text({
				rows: 2,
				description: 'What to do in this step',
				placeholder: 'e.g. Ask for the order number',
			}),
			intent_uuid: intent(use),
			order: integer({ description: 'Position of the step, starting at 1' }),
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
		description: 'Your own key for what the customer wants',
		placeholder: 'e.g. delivery_times',
	}),
};

export const guidelines = (use: Use) =>
	list<Schema<'GuidelineWrite'>>(
		{
			entry: 'Guideline',
			description: 'Short rules that the agent consults for every reply',
			...section(use),
		},
		guideline,
	);

export const notes = (use: Use) =>
	list<Schema<'NoteWrite'>>(
		{
			entry: 'Note',
			description: 'Reference facts the agent looks up when a question needs them',
			...section(use),
		},
		note,
	);

export const procedures = (use: Use) =>
	list<Schema<'ProcedureWrite'>>(
		{
			entry: 'Procedure',
			description: 'Step-by-step instructions for a situation',
			...section(use),
		},
		{
			name: text({
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
			description: 'Customer questions with their ideal answers',
			...section(use),
		},
		trainingItem,
	);

/** @param at options of the fields that a rule usually needs */
export const routingRule = (
	at: Pick<FieldOptions, 'top'> = {},
): Shape<Schema<'RoutingRuleWrite'>> => ({
	department_name: text({ ...at, description: 'A label for your team', placeholder: 'e.g. Sales' }),
	detection_mode: text({
		clearable: false,
		samples: ['exact', 'intent', 'both'],
		description: 'How the rule detects that it applies',
	}),
	trigger_keyword: text({
		...at,
		description: "The word that triggers the rule; required if 'Detection Mode' is exact or both",
		placeholder: 'e.g. sales',
	}),
	ai_prompt: text({
		...at,
		rows: 3,
		description:
			"When the rule applies, in plain words; required if 'Detection Mode' is intent or both",
		placeholder: 'e.g. The caller wants to buy something',
	}),
	phrases: lines({
		description: 'What callers typically say; three to five phrases are recommended',
	}),
	destination_type: text({
		samples: ['extension', 'agent'],
		description: 'What to transfer the call to',
	}),
	destination: text({
		...at,
		description: 'The extension or phone number to transfer to',
		placeholder: 'e.g. 101',
	}),
	destination_agent_uuid: optionalAgent('destinationAgent', 'The agent that takes over'),
	transfer_type: text({ samples: ['transfer_call'], description: 'How to transfer the call' }),
	transfer_config: json({
		displayName: 'Transfer Config (JSON)',
		description: 'Transfer settings as a JSON object',
	}),
	voice_response: text({ rows: 2, description: 'What the agent says when the rule applies' }),
	voice_on_error: text({
		rows: 2,
		displayName: 'Voice on Failed Transfer',
		description: 'What the agent says if the transfer fails',
	}),
	voice_on_success: text({
		rows: 2,
		displayName: 'Voice on Successful Transfer',
		description: 'What the agent says if the transfer succeeds',
	}),
	priority: integer({
		description:
			'Rules with lower numbers are checked first; a new rule goes last unless you set this',
	}),
	is_active: boolean({ displayName: 'Active', description: 'Whether the rule applies' }),
});

/** @param at options of the fields that a rule usually needs */
export const guardRule = (at: Pick<FieldOptions, 'top' | 'required'> = {}) =>
	({
		when_condition: text({
			...at,
			rows: 3,
			description: 'The situation the rule covers, in plain words',
			placeholder: 'e.g. The customer threatens legal action',
		}),
		then_action: text({
			clearable: false,
			...at,
			samples: ['forward', 'end_conversation'],
			description: 'What the agent does in this situation',
		}),
		name: text(),
		example_phrases: lines({
			description: 'What customers typically say; three to five phrases are recommended',
		}),
		selected_channels: texts({
			// The platform accepts a new rule with an empty list (interface §2.7). In a change, an empty list would clear the
			// old one.
			...(at.required ? { keepsEmpty: true } : {}),
			samples: ['phone', 'instagram', 'whatsapp', 'facebook_messenger'],
			description: 'Channels the rule applies to; defaults to phone only',
		}),
		say_before_forwarding: text({
			rows: 2,
			description: 'What the agent says before it forwards the conversation',
		}),
		say_before_end: text({
			rows: 2,
			description: 'What the agent says before it ends the conversation',
		}),
		destination_type: text({
			samples: ['extension', 'agent'],
			description:
				"The kind of 'Destination'; the platform may require it if 'Then Action' is forward",
		}),
		destination: text({
			description: 'The extension or phone number; required to forward, unless an agent takes over',
			placeholder: 'e.g. 101',
		}),
		destination_agent_uuid: optionalAgent(
			'destinationAgent',
			"The agent that takes over; required if 'Destination Type' is agent",
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
			description: 'When to hand over calls, and to whom',
			...section(use),
		},
		routingRule(),
	);

export const guardRules = (use: Use) =>
	list<Schema<'GuardRuleWrite'>>(
		{
			entry: 'Guard Rule',
			description: 'Situations in which the agent forwards or ends the conversation',
			...section(use),
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
		schedule_uuid: locator('searchSchedules', {
			name: 'schedule',
			required: true,
			description: 'The schedule to book into',
		}),
		name: text({
			description: 'The name the agent uses for this schedule',
			placeholder: 'e.g. First consultation',
		}),
		description: text({
			rows: 2,
			description: 'When to use this schedule; the agent decides based on this',
			placeholder: 'e.g. For new customers',
		}),
		slot_rules: collection<NonNullable<Schema<'ScheduleAssignment'>['slot_rules']>>(
			{ description: 'Which times the agent offers' },
			{
				offer_slots_from: hours('From when to offer slots; not documented', '3_hours'),
				book_slots_from: hours('From when to book slots; not documented', '6_hours'),
				max_appointments_per_day: integer(),
				conflict_resolution_enabled: boolean({
					description: 'Whether to resolve conflicts; not documented',
				}),
				alternative_slots_count: integer({
					description: 'How many other times to offer',
				}),
				suggestion_priority: text({
					samples: ['nearest'],
					description: 'Which other times to offer first',
				}),
				prefer_same_day: boolean({
					description: 'Whether to offer other times on the same day first',
				}),
				prefer_same_time_slot: boolean({
					description: 'Whether to offer the same time on other days first',
				}),
				include_same_week: boolean({
					description: 'Whether to offer other days of the same week',
				}),
			},
		),
		rescheduling: collection<NonNullable<Schema<'ScheduleAssignment'>['rescheduling']>>(
			{ description: 'Rules for moving appointments' },
			{
				policy: text({
					samples: ['always_ask'],
					description: 'Policy for moving appointments',
				}),
				minor_change_hours: integer({
					description: 'Hours of a minor change; not documented',
				}),
				minor_change_same_day: boolean({
					description: 'Whether a move within the same day counts as minor',
				}),
				minor_change_same_week: boolean({
					description: 'Whether a move within the same week counts as minor',
				}),
				minor_change_same_slot: boolean({
					description: 'Whether a move to the same time on another day counts as minor',
				}),
				min_rescheduling_notice: hours(
					'How long before the start an appointment can still be moved',
					'2_hours',
				),
			},
		),
		cancellation: collection<NonNullable<Schema<'ScheduleAssignment'>['cancellation']>>(
			{ description: 'Rules for cancelling appointments' },
			{
				min_cancellation_notice: hours(
					'How long before the start an appointment can still be cancelled',
					'24_hours',
				),
				ai_can_cancel: boolean({
					description: 'Whether the agent may cancel appointments on its own',
				}),
				require_cancellation_reason: boolean({
					description: 'Whether the agent asks for a reason',
				}),
				cancellation_fee_policy: text({
					samples: ['no_fee'],
					description: 'Whether cancelling incurs a fee',
				}),
			},
		),
		questions: collection<NonNullable<Schema<'ScheduleAssignment'>['questions']>>(
			{ description: 'What the agent asks before booking' },
			{
				inherit_from_schedule: boolean({
					description: "Whether to ask the schedule's own questions",
				}),
				custom_questions: list(
					{
						entry: 'Question',
						description: 'Additional questions',
					},
					{
						name: text({
							description: 'Name of the question',
							placeholder: 'e.g. party_size',
						}),
						type: text({ samples: ['text'], description: 'The kind of answer expected' }),
						description: text({
							rows: 2,
							description: 'What the agent asks',
							placeholder: 'e.g. For how many people?',
						}),
						required: boolean({ description: 'Whether an answer is required' }),
					},
				),
			},
		),
		approval: collection<NonNullable<Schema<'ScheduleAssignment'>['approval']>>(
			{ description: 'When a person must approve' },
			{
				require_approval: boolean({ description: 'Whether a person must approve' }),
				approval_threshold: hours('Threshold of the approval; not documented', '1_hour'),
				approval_for_create: boolean({ description: 'Whether new bookings require approval' }),
				approval_for_reschedule: boolean({
					description: 'Whether moving an appointment requires approval',
				}),
				approval_for_cancel: boolean({ description: 'Whether cancelling requires approval' }),
				approval_for_notes: boolean({ description: 'Whether notes require approval' }),
				notify_calendar_owner: text({
					samples: ['always'],
					description: 'When to notify the calendar owner',
				}),
				notify_admins: text({ samples: ['always'], description: 'When to notify administrators' }),
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
			description: 'Whether and how the agent books appointments',
			...(update
				? { hint: 'Schedules replace all schedules of the agent; leave them empty to keep them' }
				: {}),
		},
		{
			enabled: boolean({ description: 'Whether the agent books appointments' }),
			random_assignment: boolean({
				description: 'Whether to assign at random; not documented',
			}),
			schedule_assignments: scheduleAssignments,
		},
	);

/** The opening, silence and closing messages (interface §2.3). */
export const interaction: Shape<Schema<'VoiceInteraction'>> = {
	customer_speak_first: boolean({
		displayName: 'Customer Speaks First',
		description: 'Whether the agent waits for the customer to speak first',
	}),
	inbound_first_message: text({
		rows: 2,
		description: 'What the agent says first on inbound calls',
	}),
	outbound_first_message: text({
		rows: 2,
		description: 'What the agent says first on outbound calls',
	}),
	voice_mail_message: text({
		rows: 2,
		displayName: 'Voicemail Message',
		description: 'What the agent says when it reaches voicemail',
	}),
	end_call_message: text({
		rows: 2,
		description: 'What the agent says before it hangs up',
	}),
	silence_message: text({
		rows: 2,
		description: 'What the agent says when nobody speaks',
	}),
	max_silence_prompts: integer({
		description: 'Maximum times the agent prompts a silent customer',
	}),
};

/** Recording, sounds and lengths of calls (interface §2.3; reference: agents for the last three of the sounds). */
export const callBehavior: Shape<Schema<'CallBehavior'>> = {
	audio_recording: boolean({
		description: 'Whether calls are recorded',
	}),
	background_sound: boolean({
		description: 'Whether to play a background sound',
	}),
	background_sound_ambience: text({
		samples: ['office'],
		description: 'Which background sound to play',
	}),
	background_sound_volume: number({
		description: 'How loud the background sound is',
		placeholder: 'e.g. 0.3',
	}),
	noise_cancellation: boolean({
		description: 'Whether to cancel noise; not documented',
	}),
	silence_timeout_seconds: integer({
		displayName: 'Silence Timeout (Seconds)',
		description: 'Ends the call after this much silence',
	}),
	max_call_duration_seconds: integer({
		displayName: 'Max Call Duration (Seconds)',
		description: 'Ends the call after this time',
	}),
	max_call_duration_message: text({
		rows: 2,
		description: 'What the agent says when the call reaches its maximum duration',
	}),
};

export const voiceSettings = () =>
	collection<Schema<'VoiceSettings'>>(
		{
			displayName: 'Voice Settings',
			description: 'Settings for phone agents',
		},
		{
			interaction,
			interruption: {
				mode: text({
					displayName: 'Interruption Mode',
					samples: ['balanced', 'advance'],
					description: 'How the agent reacts when the customer interrupts',
				}),
				advanced: {
					allow_interruptions: boolean({
						displayName: 'Interruption: Allow',
						description: 'Whether the customer can interrupt the agent',
					}),
					preemptive_generation: boolean({
						displayName: 'Interruption: Preemptive Generation',
						description: 'Whether to generate answers preemptively; not documented',
					}),
					manual_word_count_interrupt: boolean({
						displayName: 'Interruption: Manual Word Count',
						description: 'Whether to interrupt by a manual word count; not documented',
					}),
					resume_after_false_interruption: boolean({
						displayName: 'Interruption: Resume After False Interruption',
						description: 'Whether to resume after a false interruption',
					}),
					min_endpointing_delay: number({
						displayName: 'Interruption: Min Endpointing Delay',
						description: 'Probably in seconds; not documented',
					}),
					max_endpointing_delay: number({
						displayName: 'Interruption: Max Endpointing Delay',
						description: 'Probably in seconds; not documented',
					}),
					min_interruption_duration: number({
						displayName: 'Interruption: Min Duration',
						description: 'Minimum duration of an interruption, probably in seconds; not documented',
					}),
					min_interruption_words: integer({
						displayName: 'Interruption: Min Words',
						description: 'Minimum number of words of an interruption; not documented',
					}),
					balanced_interrupt_word_count: integer({
						displayName: 'Interruption: Balanced Word Count',
						description: 'Interrupting word count of the balanced mode; not documented',
					}),
					false_interruption_timeout: number({
						displayName: 'Interruption: False Interruption Timeout',
						description: 'Timeout for false interruptions, probably in seconds; not documented',
					}),
				},
			},
			voice_profile: {
				language: text({
					displayName: 'Voice Language',
					description: 'Code of the spoken language',
					placeholder: 'e.g. en',
				}),
				voice_uuid: locator(null, {
					name: 'voice',
					description: 'ID of the voice, as shown on the platform',
				}),
				voice_name: text({ displayName: 'Voice Name' }),
			},
			call_behavior: callBehavior,
			compliance: {
				eu_gdpr_compliance: boolean({
					description: 'Whether EU GDPR compliance is on; its effect is undocumented',
				}),
				hipaa_compliance: boolean({
					description: 'Whether HIPAA compliance is on; its effect is undocumented',
				}),
			},
			normalizers: {
				outbound: json({
					displayName: 'Outbound Normalizers (JSON)',
					description: 'Normalizers for outbound, as a JSON object; not documented',
				}),
				inbound: json({
					displayName: 'Inbound Normalizers (JSON)',
					description: 'Normalizers for inbound, as a JSON object; not documented',
				}),
			},
		},
	);

const whether = (displayName: string, description: string) =>
	boolean({ displayName, description: `Whether ${description}` });
const amount = (displayName: string, description?: string) =>
	number({ displayName, ...(description ? { description } : {}) });

export const textSettings = () =>
	collection<Schema<'TextSettings'>>(
		{
			displayName: 'Text Settings',
			description: 'Settings for messaging agents',
		},
		{
			daily_limits: {
				daily_max_messages_per_conversation: integer({}),
				daily_conversation_limit_exceeded_message: text({
					rows: 2,
					displayName: 'Daily Limit Message',
					description: 'What the agent writes when the daily limit is reached',
				}),
			},
			timing_and_delay: {
				base_delay: amount('Timing: Base Delay', 'Base delay of replies; its unit is undocumented'),
				pause_before_reply: amount('Timing: Pause Before Reply'),
				typing_speed_char: amount(
					'Timing: Typing Speed per Character',
					'Typing speed by characters; its unit is undocumented',
				),
				delay_jitter_min: amount('Timing: Delay Jitter Min', 'Minimum random delay to add'),
				delay_jitter_max: amount('Timing: Delay Jitter Max', 'Maximum random delay to add'),
				typing_speed_wpm_min: amount(
					'Timing: Typing Speed Min (WPM)',
					'Minimum typing speed in words per minute',
				),
				typing_speed_wpm_max: amount(
					'Timing: Typing Speed Max (WPM)',
					'Maximum typing speed in words per minute',
				),
			},
			typing_simulation: {
				show_typing_indicator: whether(
					'Typing: Show Indicator',
					'the customer sees that the agent is typing',
				),
				simulate_typing_breaks: whether(
					'Typing: Simulate Breaks',
					'the agent sometimes appears to stop typing',
				),
				simulate_typos_corrections: whether(
					'Typing: Simulate Corrections',
					'the agent sometimes appears to correct itself',
				),
			},
			working_hours: {
				enabled: whether('Working Hours: Enabled', 'the agent has working hours'),
				start: text({
					displayName: 'Working Hours: Start',
					samples: ['9 AM'],
					description: 'Start time, as an hour with AM or PM',
				}),
				end: text({
					displayName: 'Working Hours: End',
					samples: ['6 PM'],
					description: 'End time, as an hour with AM or PM',
				}),
				timezone: zone({
					displayName: 'Working Hours: Timezone',
					ianaOnly: true,
				}),
				outside_hours_behavior: text({
					displayName: 'Working Hours: Outside Behavior',
					samples: ['Auto-reply'],
				}),
				offline_message: text({
					rows: 2,
					displayName: 'Working Hours: Offline Message',
					description: 'The message sent outside working hours',
				}),
				during_hours_agent: text({
					displayName: 'Working Hours: Agent',
					samples: ['ai'],
					description: 'Who answers during working hours',
				}),
			},
			handover: {
				enabled: whether('Handover: Enabled', 'to hand over conversations'),
				handover_triggers: text({
					displayName: 'Handover: Triggers',
					samples: ['User request'],
					description: 'What makes the agent hand over',
				}),
				handover_method: text({
					displayName: 'Handover: Method',
					samples: ['Assign agent'],
				}),
				assignment_strategy: text({
					displayName: 'Handover: Assignment Strategy',
					samples: ['First available'],
					description: 'Who gets the conversation',
				}),
				fallback_agent: text({
					displayName: 'Handover: Fallback Agent',
					samples: ['Bot assistant'],
					description: 'Who answers if nobody is available',
				}),
				handover_message: text({
					rows: 2,
					displayName: 'Handover: Message',
					description: 'What the agent writes when handing over',
				}),
				handover_timeout: amount(
					'Handover: Timeout',
					'Timeout of the handover; its unit is undocumented',
				),
				release_after_minutes: amount(
					'Handover: Release After (Minutes)',
					'Releases the conversation after this many minutes',
				),
				release_channels: texts({
					displayName: 'Handover: Release Channels',
					samples: ['whatsapp', 'instagram'],
					description: 'Channels the release applies to',
				}),
			},
			confidence_controls: {
				min_confidence_threshold: amount(
					'Confidence: Min Threshold',
					'Minimum confidence; its scale is undocumented',
				),
				ask_clarifying_questions: whether(
					'Confidence: Ask Clarifying Questions',
					'the agent asks clarifying questions',
				),
			},
			message_behavior: {
				second_message_behavior: {
					enabled: whether('Second Message: Enabled', 'the agent sometimes sends a second message'),
					chance: amount(
						'Second Message: Chance',
						'Chance of a second message; its scale is undocumented',
					),
					delay_min: amount('Second Message: Delay Min'),
					delay_max: amount('Second Message: Delay Max'),
				},
				follow_up_behavior: {
					enabled: whether('Follow-Up: Enabled', 'the agent follows up'),
					delay_min: amount('Follow-Up: Delay Min'),
					delay_max: amount('Follow-Up: Delay Max'),
				},
			},
			personality: {
				use_response_variations: whether(
					'Personality: Response Variations',
					'the agent varies its responses',
				),
				use_punctuation_variation: whether(
					'Personality: Punctuation Variation',
					'the agent varies its punctuation',
				),
				use_filler_words: whether('Personality: Filler Words', 'the agent uses filler words'),
				enable_small_talk: whether('Personality: Small Talk', 'the agent makes small talk'),
				emoji_usage: text({
					displayName: 'Personality: Emoji Usage',
					samples: ['None'],
				}),
				energy_level: text({
					displayName: 'Personality: Energy Level',
					samples: ['Friendly'],
					description: 'How lively the agent sounds',
				}),
				empathy_level: text({
					displayName: 'Personality: Empathy Level',
					samples: ['Medium'],
					description: 'How strongly the agent responds to feelings',
				}),
			},
			advanced: {
				split_messages: whether('Advanced: Split Messages', 'to split messages'),
				simulate_message_editing: whether(
					'Advanced: Simulate Message Editing',
					'the agent sometimes appears to edit messages',
				),
				use_memory_based_context: whether(
					'Advanced: Memory-Based Context',
					'to use context from memory; not documented',
				),
				human_first_mode: whether(
					'Advanced: Human First Mode',
					'human first mode is on; its effect is undocumented',
				),
			},
			email: {
				signature: text({
					rows: 3,
					displayName: 'Email: Signature (HTML)',
					description: 'Added below each email',
				}),
			},
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
