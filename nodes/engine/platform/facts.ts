// Generated from openapi.yaml by `npm run contract`. Do not edit.

/** Rates and sizes of the platform as a whole (interface §8). */
export const limits = {
	sends: { most: 5, seconds: 1 },
	requests: { most: 1000, seconds: 60 },
	liveCalls: { most: 50 },
	deliveries: { most: 100, seconds: 1 },
	webhooksPerAgent: { most: 5 },
	pageSize: { most: 100 },
} as const;

/** The status that each error code stands for (interface §7). */
export const errorStatuses: Record<string, number> = {
	MISSING_AUTH_TOKEN: 401,
	INVALID_AUTH_TOKEN: 401,
	FORBIDDEN: 403,
	VALIDATION_ERROR: 422,
	INVALID_FORMAT: 422,
	INVALID_UUID: 422,
	RESOURCE_NOT_FOUND: 404,
	ENDPOINT_NOT_FOUND: 404,
	RATE_LIMIT_EXCEEDED: 429,
	INTERNAL_SERVER_ERROR: 500,
	SERVICE_UNAVAILABLE: 503,
	webhook_limit_reached: 409,
};

/** What is not known of an endpoint. */
export interface EndpointFacts {
	/** Part of the endpoint was guessed: what to do instead if that is wrong, or what to do before relying on it. */
	guess?: { instead: string } | { first: string };
	/** What is not known of fields that are absent from an update, and what is done about it. */
	leftOut?: string;
	/** Fields of the body whose names are a guess, with a star for all of an object; those of rows without their place. */
	guessedFields?: readonly string[];
	/** There may be more query parameters than the contract has. */
	openQuery?: true;
	/** There may be more fields in the body than the contract has. */
	openBody?: true;
	/** What only the platform sets in the record that the request makes: `notes.uuid` in each row of a list. */
	setByPlatform?: readonly string[];
	/** How long the response may take: the field of the body that says it, and the seconds without it. */
	takes?: { field: string; seconds: number };
}

const usual = {
	leftOut: 'Fill in all fields that should stay; empty ones may be cleared.',
	instead: "use 'Other Endpoint' with the path from your workspace's API documentation",
	first: 'Test it on a call to yourself',
};

export const endpointFacts: Record<string, EndpointFacts | undefined> = {
	'GET /agents': { openQuery: true },
	'POST /agents': {
		guessedFields: [
			'settings.voice.interruption.advanced.*',
			'settings.voice.call_behavior.background_sound_ambience',
			'settings.voice.call_behavior.background_sound_volume',
			'settings.voice.call_behavior.noise_cancellation',
		],
		openBody: true,
		setByPlatform: [
			'agent_uuid',
			'recommendations',
			'guidelines.uuid',
			'notes.uuid',
			'procedures.uuid',
			'training.uuid',
			'routing_rules.uuid',
			'guard_rules.uuid',
			'intents',
			'webhooks',
			'phone_numbers',
			'channels',
			'created_at',
			'updated_at',
		],
	},
	'GET /agents/{uuid}': {
		guess: { instead: "use 'Get Many' with 'Search': it returns complete agents" },
	},
	'PATCH /agents/{uuid}': {
		leftOut:
			"Empty fields stay, except inside 'Voice Settings', 'Text Settings' and 'Appointments': fill in all of the one you change.",
		guessedFields: [
			'settings.voice.interruption.advanced.*',
			'settings.voice.call_behavior.background_sound_ambience',
			'settings.voice.call_behavior.background_sound_volume',
			'settings.voice.call_behavior.noise_cancellation',
		],
		openBody: true,
	},
	'PATCH /agents/{uuid}/webhooks/{webhookUuid}': {
		leftOut: "Fill in 'Is Active' and the secret if they should stay.",
	},
	'DELETE /agents/{uuid}/webhooks/{webhookUuid}': {
		guess: {
			instead: "turn off 'Is Active' with 'Update': the platform delivers nothing to it any more",
		},
	},
	'PATCH /agents/{uuid}/voice-advanced': {
		guess: { instead: 'change it on the platform' },
		leftOut: usual.leftOut,
		openBody: true,
	},
	'PATCH /agents/{uuid}/interaction': { leftOut: usual.leftOut },
	'PATCH /agents/{uuid}/call-behavior': { leftOut: usual.leftOut },
	'DELETE /agents/{uuid}/guidelines/{guidelineUuid}': {
		guess: { instead: "use 'Replace Guidelines' with the guidelines to keep" },
	},
	'DELETE /agents/{uuid}/notes/{noteUuid}': {
		guess: { instead: "use 'Agent: Update' of Agents (ACP) with the notes to keep" },
	},
	'PATCH /agents/{uuid}/procedures/{procedureUuid}': {
		leftOut:
			"Fill in 'Name' and 'Description' if they should stay. Steps that you leave empty stay.",
	},
	'POST /agents/{uuid}/training': {
		guess: { instead: "use 'Replace Training' with all items that the agent should have" },
		openBody: true,
	},
	'PATCH /agents/{uuid}/training/{trainingUuid}': { leftOut: usual.leftOut },
	'DELETE /agents/{uuid}/training/{trainingUuid}': {
		guess: { instead: "use 'Replace Training' with the items to keep" },
	},
	'POST /agents/{uuid}/routing-rules': {
		guess: { instead: "use 'Agent: Update' of Agents (ACP) with all routing rules" },
		openBody: true,
	},
	'PUT /agents/{uuid}/routing-rules': {
		guess: { instead: "use 'Agent: Update' of Agents (ACP)" },
		openBody: true,
	},
	'DELETE /agents/{uuid}/guard-rules/{ruleUuid}': {
		guess: { instead: "turn off 'Active' with 'Update Guard Rule'" },
	},
	'POST /agents/{uuid}/intents': {
		guess: { instead: 'create the intent on the platform; you can update it here' },
		openBody: true,
		setByPlatform: ['intent_uuid', 'is_system', 'created_at', 'updated_at'],
	},
	'PATCH /agents/{uuid}/intents/{intentUuid}': { leftOut: usual.leftOut },
	'POST /agents/{uuid}/intents/{intentUuid}/event/publish': {
		guess: { instead: 'publish it on the platform' },
		openBody: true,
	},
	'PUT /analyzers/{internal_id}': { leftOut: usual.leftOut },
	'PUT /appointments/{uuid}': { leftOut: usual.leftOut },
	'POST /agents/{uuid}/channels/sms': { openBody: true },
	'POST /builders/{uuid}/start': { guess: { instead: usual.instead }, openBody: true },
	'POST /builders/{uuid}/stop': { guess: { instead: 'stop it on the platform' }, openBody: true },
	'GET /builders/{uuid}/logs': { guess: { instead: usual.instead }, openQuery: true },
	'GET /builders/{uuid}/files': { guess: { instead: usual.instead }, openQuery: true },
	'POST /builders/{uuid}/exec': { takes: { field: 'timeout', seconds: 60 } },
	'POST /calls/action/{uuid}/forward': {
		guess: { first: usual.first },
		guessedFields: ['phone_number'],
		openBody: true,
	},
	'POST /calls/action/{uuid}/hangup': {
		guess: { first: usual.first },
		guessedFields: ['message'],
		openBody: true,
	},
	'POST /calls/action/{uuid}/mute': { guess: { first: usual.first }, openBody: true },
	'POST /calls/action/{uuid}/unmute': {
		guess: { first: "Test it on a call to yourself before you use 'Mute'" },
		openBody: true,
	},
	'POST /campaigns': { guessedFields: ['agent_id'], openBody: true },
	'PUT /campaigns/{uuid}': { leftOut: usual.leftOut, guessedFields: ['agent_id'], openBody: true },
	'POST /campaigns/{uuid}/pools': { guessedFields: ['pool_uuids'], openBody: true },
	'POST /coaching-agents/{uuid}/set-default': { openBody: true },
	'GET /contacts': { openQuery: true },
	'GET /contacts/approvals': { openQuery: true },
	'GET /contacts/fields': { openQuery: true },
	'POST /contacts/fields': { guessedFields: ['key', 'name', 'is_active'], openBody: true },
	'PUT /contacts/fields/{key}': { openBody: true },
	'DELETE /contacts/fields/{key}': {
		guess: { instead: "turn off 'Is Active' with 'Update', or delete the field on the platform" },
	},
	'GET /conversations': { openQuery: true },
	'GET /conversations/{uuid}/sessions': { openQuery: true },
	'GET /sessions/{uuid}/messages': {
		guess: { instead: "use the resource 'Conversation', operation 'Get Messages'" },
		openQuery: true,
	},
	'POST /data/tables': { setByPlatform: ['columns.uuid'] },
	'POST /data/import/file': { guessedFields: ['file', 'name', 'description'], openBody: true },
	'POST /data/import/website': { guessedFields: ['url', 'name', 'description'], openBody: true },
	'GET /data/{uuid}/records': { openQuery: true },
	'PUT /data/{uuid}/records/{record}': { leftOut: 'Fill in all columns to be sure.' },
	'POST /data/{uuid}/sync': { openBody: true },
	'GET /logs/actions': {
		guess: { instead: "find the execution in the platform's Logs area, and read it with 'Get'" },
		openQuery: true,
	},
	'POST /email/messages': { guessedFields: ['to'], openBody: true },
	'PUT /agents/{uuid}/evaluate': { guessedFields: ['voice.prompt'], openBody: true },
	'DELETE /agents/{uuid}/evaluate': {
		guess: { instead: "use 'Other Endpoint' with DELETE /agents/{agent ID}/evaluate/assign" },
	},
	'POST /agents/{uuid}/evaluate/assign': {
		guess: { instead: "use 'Update', which makes settings for the agent, too" },
		openBody: true,
	},
	'GET /evaluations': { openQuery: true },
	'GET /listings': { openQuery: true },
	'POST /listings/{uuid}/contacts': {
		guessedFields: [
			'contacts.timezone',
			'contacts.country_code',
			'contacts.primary_language',
			'contacts.preferred_contact_time',
			'contacts.preferred_contact_channel',
		],
		openBody: true,
	},
	'GET /medias': { openQuery: true },
	'GET /whatsapp/templates': { openQuery: true },
	'POST /whatsapp/templates': { openBody: true },
	'GET /whatsapp/wabas': { openQuery: true },
	'PUT /schedules/{uuid}': {
		leftOut: 'Fill in all that should stay, and check the lists in the output.',
	},
	'PUT /tasks/{uuid}': { leftOut: usual.leftOut },
	'GET /analytics/conversations': { openQuery: true },
	'GET /analytics/evaluations': { openQuery: true },
	'GET /flows': { openQuery: true },
	'POST /flow/{uuid}/deploy': { openBody: true },
	'PATCH /flow/{uuid}/steps/{step}': { leftOut: 'Fill in the whole configuration.' },
	'GET /flow/apps': { openQuery: true },
	'GET /flow/connections': { openQuery: true },
	'GET /outbound/summary': { openQuery: true },
	'PUT /pools/{uuid}': { leftOut: usual.leftOut },
	'GET /pools/{uuid}/contacts': { openQuery: true },
	'GET /rules': { openQuery: true },
	'GET /phone-numbers': { openQuery: true },
	'PATCH /phone-numbers/{uuid}': { leftOut: usual.leftOut },
	'POST /phone-numbers/{uuid}/release': {
		guess: { instead: 'release it on the platform' },
		openBody: true,
	},
	'GET /phone-numbers/search': { openQuery: true },
	'GET /phone-numbers/search/requirements': { openQuery: true },
	'POST /phone-numbers/documents': {
		guess: { instead: 'upload the document on the platform' },
		guessedFields: ['file'],
		openBody: true,
	},
	'GET /phone-numbers/trunks': { openQuery: true },
	'PATCH /phone-numbers/trunks': {
		leftOut:
			"Fill in 'Name', 'Direction' and 'Additional Settings' if they should stay. Empty SIP fields stay.",
	},
	'DELETE /phone-numbers/trunks': { guess: { instead: 'delete it on the platform' } },
	'PUT /qa-agents/{uuid}': { leftOut: usual.leftOut },
	'PATCH /qa-agents/{uuid}': { leftOut: usual.leftOut, openBody: true },
	'PUT /qa-agents/{uuid}/skills': {
		guessedFields: [
			'skills.uuid',
			'skills.max_score',
			'skills.ai_evaluation_prompt',
			'skills.positive_items.*',
			'skills.is_custom',
		],
		openBody: true,
	},
};
