import type {
	Icon,
	ICredentialDataDecryptedObject,
	ICredentialTestRequest,
	ICredentialType,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';
import { cleanToken, workspaceOf } from '../nodes/engine/http/workspace';

/** What an answer says that is no success, and what is shown then: the first that fits (interface §7). */
const refusals: Array<{ message: string; when: Array<[key: string, value: unknown]> }> = [
	{
		message:
			'The token was not accepted. It is mistyped, incomplete or revoked; create one in ' +
			"your profile's Developer section and paste it again",
		when: [
			['error.code', 'MISSING_AUTH_TOKEN'],
			['error.code', 'INVALID_AUTH_TOKEN'],
		],
	},
	{
		message:
			'The token is valid, but it may not read agents. Ask an administrator of the ' +
			'workspace for a token with more permissions',
		when: [['error.code', 'FORBIDDEN']],
	},
	{
		message:
			'No workspace was found at this address. Check the Base URL: its first part is the name of your workspace',
		when: [
			['error.code', 'RESOURCE_NOT_FOUND'],
			['error.code', 'ENDPOINT_NOT_FOUND'],
		],
	},
	{
		message:
			'The platform cannot answer at the moment. Nothing is known to be wrong with the credential; test it again later',
		when: [
			['error.code', 'RATE_LIMIT_EXCEEDED'],
			['error.code', 'INTERNAL_SERVER_ERROR'],
			['error.code', 'BAD_GATEWAY'],
			['error.code', 'SERVICE_UNAVAILABLE'],
		],
	},
	{
		message: 'The platform refused to list agents. Check the Base URL and the token',
		when: [['success', false]],
	},
	{
		message:
			'This address does not answer like the platform: it redirects or shows something else. Check the Base URL; if ' +
			'the workspace has moved, put its new address there',
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
			hint: 'The address of your workspace as it stands in the browser, up to the first slash after https://',
		},
		{
			displayName: 'Token',
			name: 'token',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			required: true,
			hint: "Create it in the platform, in your profile's Developer section; it is shown once",
		},
		{
			displayName: 'Timezone',
			name: 'timezone',
			type: 'string',
			default: '',
			placeholder: 'e.g. Europe/Istanbul',
			hint: "Optional: the time zone that times are read and returned in; empty means the workspace's",
		},
		{
			displayName: 'Webhook Secret',
			name: 'webhookSecret',
			type: 'string',
			typeOptions: { password: true },
			default: '',
			hint: 'Optional: what the platform signs events with; empty means that the ACP Trigger makes one by itself',
		},
	];

	/**
	 * Adds the token, cleaned of what copying adds to it, to every request made with this credential. No redirect is
	 * followed with it, whichever node asks: n8n's older helper knows only the number of them.
	 * @throws InvalidBaseUrl when the credential cannot be used, so that no token leaves over an open connection
	 */
	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		requestOptions: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		const { root } = workspaceOf(credentials);
		return {
			...requestOptions,
			...(requestOptions.baseURL === undefined ? {} : { baseURL: root }),
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
	 * One cheap read. Anything but success is explained in the words of the person who fills in the form, by what stands
	 * in the answer: n8n 1.x does not apply rules about its status. The last rule is for all that has not the shape of a
	 * list of agents (interface §4.1), like a web page or a redirect, which is not followed.
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
