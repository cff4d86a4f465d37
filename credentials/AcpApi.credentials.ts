import type {
	Icon,
	ICredentialDataDecryptedObject,
	ICredentialTestRequest,
	ICredentialType,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';
import { cleanToken, targetOf, workspaceOf } from '../nodes/engine/http/workspace';

/** What an answer other than success says, and the message for it: the first match counts (interface §7). */
const refusals: Array<{ message: string; when: Array<[key: string, value: unknown]> }> = [
	{
		message:
			'The platform did not accept the token. It is mistyped, incomplete or revoked. Create ' +
			"one in your profile's Developer section and paste it here.",
		when: [
			['error.code', 'MISSING_AUTH_TOKEN'],
			['error.code', 'INVALID_AUTH_TOKEN'],
		],
	},
	{
		message:
			'The token is valid, but it may not list agents. Ask an administrator of the workspace ' +
			'for a token with more permissions.',
		when: [['error.code', 'FORBIDDEN']],
	},
	{
		message:
			"No workspace found at this URL. Check 'Base URL': its first part is the name of your " +
			'workspace.',
		when: [
			['error.code', 'RESOURCE_NOT_FOUND'],
			['error.code', 'ENDPOINT_NOT_FOUND'],
		],
	},
	{
		message:
			'The platform cannot respond right now. Nothing shows that the credential is wrong. Test ' +
			'it again later.',
		when: [
			['error.code', 'RATE_LIMIT_EXCEEDED'],
			['error.code', 'INTERNAL_SERVER_ERROR'],
			['error.code', 'BAD_GATEWAY'],
			['error.code', 'SERVICE_UNAVAILABLE'],
		],
	},
	{
		message: "The platform refused to list agents. Check 'Base URL' and 'Token'.",
		when: [['success', false]],
	},
	{
		message:
			'This URL does not respond like the platform: it redirects or returns something else. ' +
			"Check 'Base URL'. If the workspace has moved, enter its new URL.",
		when: [
			['success', undefined],
			['data', undefined],
			['data', null],
			['data', ''],
		],
	},
];

export class AcpApi implements ICredentialType {
	name = 'acpApi';

	displayName = 'Agent Conversation Platform API';

	icon: Icon = { light: 'file:../icons/acp.svg', dark: 'file:../icons/acp.dark.svg' };

	documentationUrl =
		'https://github.com/agent-conversation-platform/n8n-nodes-agent-conversation-platform/blob/main/docs/credential.md';

	properties: INodeProperties[] = [
		{
			displayName: 'Base URL',
			name: 'baseUrl',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. https://your-workspace.example.com',
			hint: 'The URL of your workspace in the browser, up to the first slash after https://',
		},
		{
			displayName: 'Token',
			name: 'token',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			hint: "Create it on the platform, in your profile's Developer section. It is shown only once.",
		},
		{
			displayName: 'Timezone',
			name: 'timezone',
			type: 'string',
			default: '',
			placeholder: 'e.g. Europe/Istanbul',
			hint: "Optional. Times are read and returned in this time zone. Defaults to the workspace's.",
		},
		{
			displayName: 'Webhook Secret',
			name: 'webhookSecret',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			hint:
				'Optional. The platform signs events with it. Use at least 32 random characters. If empty, the ' +
				'Conversation Event Trigger creates a secret itself.',
		},
		{
			displayName: 'Request Keys Confirmed',
			name: 'requestKeysConfirmed',
			type: 'multiOptions',
			options: [
				{ name: 'Listings', value: 'POST /listings' },
				{ name: 'Tasks', value: 'POST /tasks' },
			],
			default: [],
			hint:
				'Optional. Choose only what you have tested: the same request key sent twice made one record. ' +
				'The nodes then retry a request with its key if its response was lost.',
		},
		{
			displayName: 'Number Search Confirmed',
			name: 'numberSearchConfirmed',
			type: 'boolean',
			default: false,
			hint:
				'Optional. Turn on if a search among your contacts finds a phone number however it is stored. The ' +
				'nodes then search for a number instead of reading all contacts.',
		},
		{
			displayName: 'Number of Workers',
			name: 'numberOfWorkers',
			type: 'number',
			typeOptions: { minValue: 1, numberPrecision: 0 },
			default: 1,
			hint:
				'Only for queue mode: how many n8n workers send to this workspace. Each then keeps to its ' +
				'part of the rate limit.',
		},
	];

	/**
	 * Adds the token, cleaned of what copying adds to it, to every request with this credential that goes to the API of
	 * its workspace, whichever node sends it. No node follows a redirect with it; n8n's older helper knows only the
	 * maximum number of redirects.
	 * @throws InvalidBaseUrl if the credential cannot be used; ForeignRequest if the token would leave for another place
	 */
	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		requestOptions: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		const target = targetOf(workspaceOf(credentials).root, requestOptions);
		return {
			...requestOptions,
			// As it was checked: n8n's helpers read a URL in ways of their own.
			baseURL: undefined,
			url: target,
			...('uri' in requestOptions ? { uri: target } : {}),
			headers: {
				...requestOptions.headers,
				Authorization: `Bearer ${cleanToken(credentials.token)}`,
			},
			disableFollowRedirect: true,
			maxRedirects: 0,
			sendCredentialsOnCrossOriginRedirect: false,
		};
	}

	/**
	 * One cheap read. The content of any answer other than success decides what the person at the form reads: n8n 1.x
	 * does not apply rules about the status. The last rule is for everything that does not look like a list of agents
	 * (interface §4.1), like a web page or a redirect, which is not followed.
	 */
	test: ICredentialTestRequest = {
		request: {
			baseURL: '={{ $credentials.baseUrl }}',
			url: '/agents',
			qs: { per_page: 1 },
			headers: { accept: 'application/json' },
			ignoreHttpStatusErrors: true,
		},
		rules: refusals.flatMap(({ message, when }) =>
			when.map(([key, value]) => ({
				type: 'responseSuccessBody' as const,
				properties: { key, value, message },
			})),
		),
	};
}
