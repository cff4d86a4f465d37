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

/** What is not known of an endpoint. */
export interface EndpointFacts {
	/** No source shows the endpoint: what is not known of it. */
	guess?: readonly string[];
	/** Fields of the body whose names are a guess. */
	guessedFields?: readonly string[];
	/** There may be more query parameters than the contract has. */
	openQuery?: true;
	/** There may be more fields in the body than the contract has. */
	openBody?: true;
}

export const endpointFacts: Record<string, EndpointFacts | undefined> = {
	'GET /agents': { openQuery: true },
	'GET /agents/{uuid}': { guess: ['whether the endpoint exists'] },
	'DELETE /agents/{uuid}/webhooks/{webhookUuid}': {
		guess: ['whether the endpoint exists', 'response'],
	},
	'PATCH /agents/{uuid}/voice-advanced': {
		guess: ['method', 'path', 'body', 'response'],
		openBody: true,
	},
	'DELETE /agents/{uuid}/guidelines/{guidelineUuid}': { guess: ['method', 'path', 'response'] },
	'DELETE /agents/{uuid}/notes/{noteUuid}': { guess: ['method', 'path', 'response'] },
	'POST /agents/{uuid}/training': {
		guess: ['method', 'path', 'required fields', 'response'],
		openBody: true,
	},
	'DELETE /agents/{uuid}/training/{trainingUuid}': { guess: ['method', 'path', 'response'] },
	'POST /agents/{uuid}/routing-rules': {
		guess: [
			'name of the field for the message spoken before the transfer',
			'defaults',
			'success status code',
		],
		openBody: true,
	},
	'PUT /agents/{uuid}/routing-rules': {
		guess: ['path', 'body', 'success status code'],
		openBody: true,
	},
	'DELETE /agents/{uuid}/guard-rules/{ruleUuid}': { guess: ['method', 'path', 'response'] },
	'POST /agents/{uuid}/intents': {
		guess: ['method', 'path', 'success status code'],
		openBody: true,
	},
	'POST /agents/{uuid}/intents/{intentUuid}/event/publish': {
		guess: ['method', 'full path', 'body', 'response'],
		openBody: true,
	},
	'POST /agents/{uuid}/channels/sms': { openBody: true },
	'POST /builders/{uuid}/start': { guess: ['method', 'path', 'body', 'response'], openBody: true },
	'POST /builders/{uuid}/stop': { guess: ['method', 'path', 'body', 'response'], openBody: true },
	'GET /builders/{uuid}/logs': {
		guess: ['method', 'path', 'query parameters', 'response'],
		openQuery: true,
	},
	'GET /builders/{uuid}/files': {
		guess: ['method', 'path', 'query parameters', 'response'],
		openQuery: true,
	},
	'POST /calls/action/{uuid}/forward': {
		guess: ['method', 'path', 'name of the body field', 'status codes'],
		guessedFields: ['phone_number'],
		openBody: true,
	},
	'POST /calls/action/{uuid}/hangup': {
		guess: ['method', 'path', 'name of the body field', 'status codes'],
		guessedFields: ['message'],
		openBody: true,
	},
	'POST /calls/action/{uuid}/mute': { guess: ['method', 'path', 'status codes'], openBody: true },
	'POST /calls/action/{uuid}/unmute': { guess: ['method', 'path', 'status codes'], openBody: true },
	'POST /campaigns/{uuid}/pools': { guessedFields: ['pool_uuids'], openBody: true },
	'POST /coaching-agents/{uuid}/set-default': { openBody: true },
	'GET /contacts': { openQuery: true },
	'GET /contacts/approvals': { openQuery: true },
	'GET /contacts/fields': { openQuery: true },
	'POST /contacts/fields': { openBody: true },
	'PUT /contacts/fields/{key}': { openBody: true },
	'DELETE /contacts/fields/{key}': { guess: ['method', 'path', 'response'] },
	'GET /conversations': { openQuery: true },
	'GET /conversations/{uuid}/sessions': { openQuery: true },
	'GET /sessions/{uuid}/messages': {
		guess: ['path', 'names of the query parameters', 'fields of a message'],
		openQuery: true,
	},
	'POST /data/import/file': { guessedFields: ['file', 'name', 'description'], openBody: true },
	'POST /data/import/website': { guessedFields: ['url', 'name', 'description'], openBody: true },
	'GET /data/{uuid}/records': { openQuery: true },
	'POST /data/{uuid}/sync': { openBody: true },
	'GET /logs/actions': { guess: ['path', 'query parameters', 'response'], openQuery: true },
	'POST /email/messages': { guessedFields: ['to'], openBody: true },
	'POST /agents/{uuid}/evaluate/assign': { openBody: true },
	'GET /evaluations': { openQuery: true },
	'GET /listings': { openQuery: true },
	'GET /medias': { openQuery: true },
	'GET /whatsapp/templates': { openQuery: true },
	'POST /whatsapp/templates': { openBody: true },
	'GET /whatsapp/wabas': { openQuery: true },
	'GET /analytics/conversations': { openQuery: true },
	'GET /analytics/evaluations': { openQuery: true },
	'GET /flows': { openQuery: true },
	'POST /flow/{uuid}/deploy': { openBody: true },
	'GET /flow/apps': { openQuery: true },
	'GET /flow/connections': { openQuery: true },
	'GET /outbound/summary': { openQuery: true },
	'GET /pools/{uuid}/contacts': { openQuery: true },
	'GET /rules': { openQuery: true },
	'GET /phone-numbers': { openQuery: true },
	'POST /phone-numbers/{uuid}/release': {
		guess: ['method', 'path', 'body', 'response'],
		openBody: true,
	},
	'GET /phone-numbers/search': { openQuery: true },
	'GET /phone-numbers/search/requirements': { openQuery: true },
	'POST /phone-numbers/documents': {
		guess: ['method', 'form fields', 'response'],
		guessedFields: ['file'],
		openBody: true,
	},
	'GET /phone-numbers/trunks': { openQuery: true },
	'DELETE /phone-numbers/trunks': { guess: ['path', 'response'] },
	'PATCH /qa-agents/{uuid}': { openBody: true },
};
