/**
 * What n8n's server gives to n8n-core: node types, credential types, the credentials helper, additional data.
 * Each part does what the file of the `n8n` package named beside it does, without its database and licence checks.
 */
import { createRequire } from 'node:module';
import path from 'node:path';
import type {
	ICredentialDataDecryptedObject,
	ICredentials,
	ICredentialType,
	IHttpRequestOptions,
	INodeCredentialsDetails,
	INodeProperties,
	INodeType,
	INodeTypeDescription,
	INodeTypes,
	IExecuteData,
	IVersionedNodeType,
	IWorkflowExecuteAdditionalData,
	WorkflowExecuteMode,
} from 'n8n-workflow';
import type { PackageDirectoryLoader } from 'n8n-core';
import type { CredentialsByType } from '../types.cts';
import { openDeduplication } from './deduplication.mts';
import { helperNodes } from './helperNodes.mts';
import { Container, core, n8n } from './n8n.mts';

/** Set once by `openHost`. */
export const host = {
	loaders: {} as Record<string, PackageDirectoryLoader>,
	/** Base URL of the engine's own web server, with a slash at the end. */
	baseUrl: '',
};

/**
 * Loads node packages with n8n's own loader and makes n8n-core ready.
 * @throws when a package cannot be loaded, e.g. because it was not built.
 */
export async function openHost(options: {
	packages: string[];
	timezone: string;
	expressionEngine: 'vm' | 'legacy';
}): Promise<void> {
	n8n.setGlobalState({ defaultTimezone: options.timezone });
	// Settings of n8n's ExpressionEngineConfig.
	await n8n.Expression.initExpressionEngine({
		engine: options.expressionEngine,
		poolSize: 1,
		maxCodeCacheSize: 1024,
		bridgeTimeout: 5000,
		bridgeMemoryLimit: 128,
	});
	await Container.get(core.BinaryDataService).init();
	await openDeduplication();
	// The instance's own key, as n8n uses it before its first key rotation.
	const cipher = Container.get(core.Cipher);
	const instanceKey = {
		id: 'instance',
		value: cipher.encryptDEKWithInstanceKey(Container.get(core.InstanceSettings).encryptionKey),
		algorithm: 'aes-256-cbc',
		format: 'no-prefix' as const,
	};
	Container.get(core.EncryptionKeyProxy).setProvider({
		getActiveKey: async () => instanceKey,
		getKeyById: async () => instanceKey,
		getLegacyKey: async () => instanceKey,
	});
	for (const directory of options.packages) await loadPackage(directory);
}

async function loadPackage(directory: string): Promise<void> {
	const loader = new core.PackageDirectoryLoader(directory);
	await loader.loadAll();
	for (const name of Object.keys(loader.known.credentials)) {
		const { type } = loader.getCredential(name);
		type.properties = n8n.injectDomainRestrictionFields(type);
	}
	host.loaders[loader.packageName] = loader;
}

/** Forgets what the triggers alone kept in memory, in a tenth of the time. */
export function loadTriggersAgain(): void {
	const { cache } = createRequire(import.meta.url);
	for (const { directory, known, nodeTypes: loaded } of Object.values(host.loaders)) {
		for (const file of Object.keys(cache))
			if (/^dist.*(Trigger|registration)\W/.test(path.relative(directory, file)))
				delete cache[file];
		for (const name of Object.keys(known.nodes)) if (name.endsWith('Trigger')) delete loaded[name];
	}
}

/** Loads the packages anew: what their modules kept in memory is gone. */
export async function loadAgain(): Promise<void> {
	const { cache } = createRequire(import.meta.url);
	for (const { directory } of Object.values(host.loaders)) {
		for (const file of Object.keys(cache))
			if (file.startsWith(path.join(directory, 'dist'))) delete cache[file];
		await loadPackage(directory);
	}
}

/** Full names of all node types of the loaded packages. */
const nodeTypeNames = () =>
	Object.entries(host.loaders).flatMap(([packageName, { known }]) =>
		Object.keys(known.nodes).map((name) => `${packageName}.${name}`),
	);

/** `acpCalls` → `n8n-nodes-…​.acpCalls`; a name with a package stays as it is. */
export function fullTypeName(name: string): string {
	if (name.includes('.')) return name;
	const base = name.replace(/Tool$/, '');
	const found = nodeTypeNames().find(
		(full) => full.endsWith(`.${name}`) || full.endsWith(`.${base}`),
	);
	if (found === undefined) {
		throw new Error(
			`No loaded package has a node "${name}". Loaded: ${nodeTypeNames().join(', ') || 'nothing'}`,
		);
	}
	return `${found.split('.')[0]}.${name}`;
}

const recognizes = (fullName: string) => {
	const [packageName, name] = fullName.split('.') as [string, string];
	return fullName in helperNodes || name in (host.loaders[packageName]?.known.nodes ?? {});
};

const loadNode = (fullName: string): INodeType | IVersionedNodeType => {
	const helper = helperNodes[fullName];
	if (helper) return helper;
	const [packageName, name] = fullName.split('.') as [string, string];
	const loader = host.loaders[packageName];
	if (!loader) throw new Error(`No package "${packageName}" is loaded (node type "${fullName}")`);
	return loader.getNode(name).type;
};

const isSyntheticTool = (fullName: string) => fullName.endsWith('Tool') && !recognizes(fullName);

/** The version that a node gets when a person adds it to a workflow. */
export function latestVersion(fullName: string): number {
	const nodeType = loadNode(
		isSyntheticTool(fullName) ? fullName.slice(0, -'Tool'.length) : fullName,
	);
	if ('nodeVersions' in nodeType) return nodeType.currentVersion;
	return nodeType.description.defaultVersion ?? [nodeType.description.version].flat().at(-1)!;
}

/** n8n: tool-generation/ai-tools.js, convertNodeToAiTool. */
function convertNodeToAiTool(item: {
	description: INodeTypeDescription & { usableAsTool?: unknown };
}) {
	const { description } = item;
	description.name += 'Tool';
	description.inputs = [];
	description.outputs = [n8n.NodeConnectionTypes.AiTool];
	description.displayName += ' Tool';
	delete (description as Partial<INodeTypeDescription>).usableAsTool;
	const names = description.properties.map(({ name }) => name);
	if (!names.includes('toolDescription')) {
		const toolDescription: INodeProperties = {
			displayName: 'Description',
			name: 'toolDescription',
			type: 'string',
			default: description.description,
			required: true,
			typeOptions: { rows: 2 },
		};
		const callouts = description.properties.map(({ type }) => type);
		const after = callouts.lastIndexOf('callout') + 1;
		description.properties.splice(after, 0, toolDescription);
		if (names.includes('resource') || names.includes('operation')) {
			description.properties.splice(after, 0, {
				displayName: 'Tool Description',
				name: 'descriptionType',
				type: 'options',
				noDataExpression: true,
				options: [
					{ name: 'Set Automatically', value: 'auto' },
					{ name: 'Set Manually', value: 'manual' },
				],
				default: 'auto',
			});
			toolDescription.displayOptions = { show: { descriptionType: ['manual'] } };
		}
	}
	return item;
}

const tools = new Map<string, INodeType>();

/** n8n: node-types.js. */
export const nodeTypes: INodeTypes = {
	getByName: (name) => loadNode(name),
	getKnownTypes: () => ({}),
	getByNameAndVersion(name, version) {
		const isTool = isSyntheticTool(name);
		const nodeType = n8n.NodeHelpers.getVersionedNodeType(
			loadNode(isTool ? name.slice(0, -'Tool'.length) : name),
			version,
		);
		if (!isTool) return nodeType;
		const key = `${name}?version=${version ?? 'default'}`;
		const known = tools.get(key);
		if (known) return known;
		if (!nodeType.description.usableAsTool) {
			throw new n8n.UserError('Node cannot be used as a tool', { extra: { nodeType: name } });
		}
		const properties = Object.create(nodeType.description.properties) as INodeProperties[];
		const description = Object.create(nodeType.description, {
			properties: { value: properties },
		}) as INodeTypeDescription;
		const tool = Object.create(nodeType, { description: { value: description } }) as INodeType;
		convertNodeToAiTool(tool);
		tools.set(key, tool);
		return tool;
	},
};

/** A credential type of a loaded package. */
export function credentialType(name: string): ICredentialType {
	for (const loader of Object.values(host.loaders)) {
		if (name in loader.known.credentials) return loader.getCredential(name).type;
	}
	throw new core.UnrecognizedCredentialTypeError(name);
}

const absent = (what: string) => async () => {
	throw new Error(`${what} is not part of the engine test harness`);
};

/** n8n: credentials-helper.js. Credentials are kept encrypted with the instance's key and are decrypted at each use. */
export class CredentialsHelper extends n8n.ICredentialsHelper {
	private readonly stored = new Map<string, { name: string; type: string; data: string }>();

	/** Encrypts credentials; the id of each is its type. */
	static async of(credentials: CredentialsByType): Promise<CredentialsHelper> {
		const helper = new CredentialsHelper();
		for (const [type, data] of Object.entries(credentials)) {
			credentialType(type);
			const encrypted = new core.Credentials({ id: type, name: type }, type);
			await encrypted.setData(data);
			helper.stored.set(type, { name: type, type, data: encrypted.getDataToSave().data! });
		}
		return helper;
	}

	/** Types that there are credentials for. */
	get types(): string[] {
		return [...this.stored.keys()];
	}

	/** The credentials of the loaded packages authenticate by functions. */
	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		typeName: string,
		incoming: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		const { authenticate } = credentialType(typeName);
		if (typeof authenticate !== 'function') throw new Error(`${typeName} has no such function`);
		return await authenticate(credentials, incoming);
	}

	/** The credentials of the loaded packages hold tokens that do not expire, and none extends another. */
	async preAuthentication() {
		return undefined;
	}

	async runPreAuthentication() {
		return undefined;
	}

	getParentTypes = () => [];
	isCredentialUsableByNode = () => true;
	updateCredentials = absent('Saving a credential');
	updateCredentialsOauthTokenData = absent('Saving a token');

	async getCredentials(details: INodeCredentialsDetails, type: string): Promise<ICredentials> {
		const entry = this.stored.get(details.id ?? '');
		if (!entry || entry.type !== type) {
			throw new Error(`Credential with ID "${details.id}" does not exist for type "${type}".`);
		}
		return new core.Credentials(
			{ id: details.id, name: entry.name },
			type,
			entry.data,
		) as unknown as ICredentials;
	}

	async getDecrypted(
		_: IWorkflowExecuteAdditionalData,
		details: INodeCredentialsDetails,
		type: string,
		_mode: WorkflowExecuteMode,
		_executeData?: IExecuteData,
		raw?: boolean,
	): Promise<ICredentialDataDecryptedObject> {
		const decrypted = await (await this.getCredentials(details, type)).getData();
		return raw === true ? decrypted : this.withDefaults(decrypted, type);
	}

	/** Tests write no expressions into credential fields, which n8n would resolve here. */
	withDefaults(data: ICredentialDataDecryptedObject, type: string): ICredentialDataDecryptedObject {
		const properties = this.getCredentialsProperties(type);
		return n8n.NodeHelpers.getNodeParameters(
			properties,
			data as never,
			true,
			false,
			null,
			null,
		) as ICredentialDataDecryptedObject;
	}

	getCredentialsProperties(type: string): INodeProperties[] {
		return credentialType(type).properties;
	}
}

/** n8n: workflow-execute-additional-data.js, getBase. */
export function additionalDataOf(
	credentialsHelper: CredentialsHelper,
	more: Partial<IWorkflowExecuteAdditionalData> = {},
	publicUrl = host.baseUrl,
): IWorkflowExecuteAdditionalData {
	return {
		currentNodeExecutionIndex: 0,
		credentialsHelper,
		executeWorkflow: absent('Running a sub-workflow'),
		getRunExecutionData: absent('Reading another execution'),
		getRuntimeCredential: absent('A runtime credential'),
		startRunnerTask: absent('A task runner'),
		restApiUrl: `${publicUrl}rest`,
		instanceBaseUrl: publicUrl,
		formBaseUrl: `${publicUrl}form`,
		formWaitingBaseUrl: `${publicUrl}form-waiting`,
		formTestBaseUrl: `${publicUrl}form-test`,
		webhookBaseUrl: `${publicUrl}webhook`,
		webhookWaitingBaseUrl: `${publicUrl}webhook-waiting`,
		webhookTestBaseUrl: `${publicUrl}webhook-test`,
		mcpBaseUrl: `${publicUrl}mcp`,
		mcpTestBaseUrl: `${publicUrl}mcp-test`,
		userId: 'owner',
		variables: {},
		externalSecretsProxy: Container.get(core.ExternalSecretsProxy),
		logAiEvent: () => {},
		...more,
	} as unknown as IWorkflowExecuteAdditionalData;
}
