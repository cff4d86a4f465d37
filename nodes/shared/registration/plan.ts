import { get } from 'lodash';
import {
	NodeOperationError,
	type IDataObject,
	type IHookFunctions,
	type INode,
	type INodeProperties,
} from 'n8n-workflow';
import { derive } from './proof';
import {
	isStarting,
	isTesting,
	registrationError,
	addressOfUrl,
	type Entry,
	type Registrant,
	type Target,
} from './registrant';
import { Client } from '../../engine/http/client';
import { cleanToken, InvalidBaseUrl } from '../../engine/http/workspace';
import { describeError } from '../../engine/errors/errorText';
import { RequestError } from '../../engine/errors/requestError';
import { sentence } from '../../engine/text/text';

export interface Owner extends Target {
	workflow: string;
	/** The node's ID, which does not change when the node is renamed. */
	node: string;
	version?: string;
}

/** What a person changes to make all secrets of a trigger invalid. It is in the workflow, so that it cannot be lost. */
export const urlVersion: INodeProperties = {
	displayName: 'URL Version',
	name: 'urlVersion',
	type: 'string',
	noDataExpression: true,
	default: '',
	placeholder: 'e.g. 2',
	description:
		'Change this text and publish to get a new callback URL and new secrets, for example after a leak. The former ones are then refused.',
};

/** Read as it was written, so that no stranger's request fails at an expression. */
export const versionOf = ({ parameters }: INode): string =>
	String(get(parameters, ['options', 'urlVersion']) ?? '').trim();

/** A secret of one registration. @param family of secrets, one per node type */
export const secretOf = (family: string, purpose: string, apiToken: string, owner: Owner): Buffer =>
	derive(apiToken, [
		family,
		purpose,
		owner.workflow,
		owner.node,
		owner.agent,
		...(owner.intent === undefined ? [] : [owner.intent]),
		...(owner.version ? ['version', owner.version] : []),
	]);

export interface Plan<E extends Entry = Entry> extends Registrant<E> {
	client: Client;
	test: boolean;
	starting: boolean;
	version: string;
	takeOverFrom: string | undefined;
	/** A secret of the registration for a target: the token in its callback URL, for example. */
	secretOf: (purpose: string, target: Target) => Buffer;
	/** A mark or a key of these parts: without the API token it can neither be made nor tried out. */
	derive: (parts: string[]) => string;
	/**
	 * The token in the query of the callback URL: 43 characters, 256 bits. That of another 'URL Version' lets nothing in,
	 * but still shows that the node made a URL.
	 */
	tokenOf: (target: Target, version?: string) => string;
}

/** What people copy from the browser goes on behind the public URL with a page of the editor. */
const editorPages = ['workflow', 'home', 'projects', 'settings', 'executions'];

function withoutPage(url: string): string {
	const parts = url.split('/');
	const page = parts.findIndex((part, at) => at > 2 && editorPages.includes(part));
	return page < 0 ? url : parts.slice(0, page).join('/');
}

/** The public URL of the n8n from which the node may take over what it registered. @throws NodeOperationError if it is none */
export function readTakeOverFrom(context: IHookFunctions): string | undefined {
	const options = context.getNodeParameter('options', {}) as IDataObject;
	const address = String(options.takeOverFrom ?? '').trim();
	if (address === '') return undefined;
	const url = /^[a-z]+:\/\//i.test(address) ? address : `https://${address}`;
	if (URL.canParse(url) && /^https?:$/.test(new URL(url).protocol))
		return withoutPage(addressOfUrl(url) as string);
	throw new NodeOperationError(
		context.getNode(),
		`'Take Over From' is not a URL: "${address.slice(0, 60)}". Enter the former public URL of this n8n, for example https://n8n.example.com`,
	);
}

/** @throws NodeOperationError, and what n8n throws if it cannot read the credential */
export async function preparePlan<E extends Entry>(
	registrant: Registrant<E>,
	takeOverFrom?: string,
): Promise<Plan<E>> {
	const { context, type, workflow, node } = registrant;
	const client = await Client.open(context).catch((thrown: Error) => {
		throw thrown instanceof InvalidBaseUrl ? registrationError(context, thrown.message) : thrown;
	});
	const apiToken = cleanToken((await context.getCredentials('acpApi')).token);
	const version = versionOf(context.getNode());
	const secret = (purpose: string, { agent, intent }: Target, of = version): Buffer =>
		secretOf(type.family, purpose, apiToken, { workflow, node, version: of, agent, intent });
	return {
		...registrant,
		client,
		test: isTesting(context),
		starting: isStarting(context),
		version,
		takeOverFrom,
		secretOf: secret,
		derive: (parts) => derive(apiToken, parts).toString('base64url'),
		tokenOf: (target, of) => secret('callback', target, of).toString('base64url'),
	};
}

export function urlFor(
	plan: Plan,
	{ agent, intent }: Target,
	more: Record<string, string> = {},
): string {
	const url = new URL(plan.address);
	const token = plan.tokenOf({ agent, intent });
	for (const [name, value] of Object.entries({ agent, intent, ...more, token }))
		if (value !== undefined) url.searchParams.set(name, value);
	return url.href;
}

/** What happened and what to do, all in the message: while publishing, n8n shows nothing else of an error. */
export function explain(thrown: unknown, { client, type }: Plan): string {
	if (!(thrown instanceof RequestError)) return sentence((thrown as Error).message);
	const { status, field = '' } = thrown.facts;
	const about = { host: client.workspace.host, class: 'read', labels: type.labels } as const;
	const { message, description } = describeError(thrown, about);
	const hint =
		status === 422 && /\burl$/.test(field)
			? ` The callback URL is n8n's public URL, set by WEBHOOK_URL. The platform ${type.verb} only public https URLs.`
			: '';
	return `${message}. ${description}${hint}`;
}
