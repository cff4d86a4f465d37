import type {
	Icon,
	ICredentialDataDecryptedObject,
	ICredentialTestRequest,
	ICredentialType,
	IHttpRequestOptions,
	INodeProperties,
} from 'n8n-workflow';
import { apiRoot, cleanToken } from '../nodes/engine/http/workspace';

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
	 * Adds the token, cleaned of what copying adds to it, to every request made with this credential.
	 * @throws InvalidBaseUrl when the base URL cannot be used, so that no token leaves over an open connection
	 */
	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		requestOptions: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		const { root } = apiRoot(credentials.baseUrl);
		return {
			...requestOptions,
			...(requestOptions.baseURL === undefined ? {} : { baseURL: root }),
			headers: {
				...requestOptions.headers,
				Authorization: `Bearer ${cleanToken(credentials.token)}`,
			},
		};
	}

	/** One cheap read. Anything but success is explained in the words of the person who fills in the form. */
	test: ICredentialTestRequest = {
		request: {
			baseURL: '={{ $credentials.baseUrl }}',
			url: '/agents',
			qs: { per_page: 1 },
		},
		rules: [
			{
				type: 'responseCode',
				properties: {
					value: 401,
					message:
						'The token was not accepted. It is mistyped, incomplete or revoked; create one in ' +
						"your profile's Developer section and paste it again",
				},
			},
			{
				type: 'responseCode',
				properties: {
					value: 403,
					message:
						'The token is valid, but it may not read agents. Ask an administrator of the ' +
						'workspace for a token with more permissions',
				},
			},
			{
				type: 'responseCode',
				properties: {
					value: 404,
					message:
						'No workspace was found at this address. Check the Base URL: its first part is the name of your workspace',
				},
			},
		],
	};
}
