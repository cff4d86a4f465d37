/** A workspace in which every reference can be met: each scene makes the records that it is asked for, new ones every time. */
import { get } from 'lodash';
import type { INodeParameters, INodeProperties } from 'n8n-workflow';
import type { Engine, Sandbox } from '../harness/index.cts';
import { until } from '../harness/index.cts';
import { absent, type Extent, type Known } from './samples.cts';

const form = (field: string, type: string, fileName: string): FormData => {
	const data = new FormData();
	data.append(field, new Blob(['content'], { type }), fileName);
	return data;
};

let lastNumber = 0;
/** A phone number that nobody had before. */
const freshNumber = () => `+1415${String(5_550_000 + ++lastNumber)}`;

const [at, later] = ['2035-03-05T10:00:00', '2035-03-05T11:00:00'];
const interested = { outcome: 'interested', answered: true, seconds: [60, 61] };
const columns = [
	{ name: 'item', data_type: 'text' },
	{ name: 'price', data_type: 'number' },
];

/**
 * Records by their names: the request that makes or reads one, its body, and where its answer has the ID (default `uuid`; of
 * a list, the last one counts). `{name}` stands for another record, `{+}` for a number that nobody had before.
 */
const records: Record<string, [request: string, body?: unknown, id?: string]> = {
	agent: [
		'POST /agents',
		{
			name: 'An agent',
			settings: { voice: { voice_profile: { voice_uuid: '{voice}', voice_name: 'Warm' } } },
		},
		'agent_uuid',
	],
	note: ['POST /agents/{agent}/notes', { content: 'Open from 9 to 18' }, 'notes'],
	guideline: ['POST /agents/{agent}/guidelines', { content: 'Be brief' }, 'guidelines'],
	procedure: [
		'POST /agents/{agent}/procedures',
		{ name: 'Order status', steps: [{ order: 1, description: 'Ask for the number' }] },
		'procedures',
	],
	trainingItem: ['POST /agents/{agent}/training', { content: 'Do you deliver?' }, 'training'],
	routingRule: [
		'POST /agents/{agent}/routing-rules',
		{ detection_mode: 'intent', ai_prompt: 'billing' },
		'routing_rules',
	],
	guardRule: [
		'POST /agents/{agent}/guard-rules',
		{ when_condition: 'threat', then_action: 'end_conversation' },
		'guard_rules',
	],
	bareIntent: ['POST /agents/{agent}/intents', { name: 'Wants a refund' }, 'intent_uuid'],
	webhook: [
		'POST /agents/{agent}/webhooks',
		{ url: 'https://example.com/hook', events: ['conversation_status'] },
		'webhook_uuid',
	],
	contact: ['POST /contacts', { name: 'Zoe', phone_number: '{+}', email: 'zoe@example.com' }],
	contactFieldKey: ['POST /contacts/fields', { key: '{freshKey}', name: 'Plan' }, 'key'],
	emptyPool: ['POST /pools', { name: 'Pool', description: 'Leads' }],
	campaign: ['POST /campaigns', { name: 'Spring', status: 'Draft' }],
	pbxConnector: [
		'POST /pbx_extension_connectors',
		{ registrar_server: 'pbx.example.com' },
		'pbx_extension_connector_uuid',
	],
	task: [
		'POST /tasks',
		{
			...{ title: 'Call back', type: 'make_call', agent_uuid: '{agent}', scheduled_at: at },
			contact: { phone_number: '{+}' },
		},
	],
	rule: ['POST /rules', { name: 'Rule', type: 'call' }],
	listing: ['POST /listings', { name: 'Leads', contacts: [{ phone_number: '{listedNumber}' }] }],
	startedListing: [
		'POST /listings',
		{ name: 'Leads', agent_uuid: '{agent}', auto_start: true, contacts: [{ phone_number: '{+}' }] },
	],
	/** A live call. */
	conversation: [
		'POST /call',
		{ agentId: '{agent}', participant: { number: '{+}' } },
		'conversation_uuid',
	],
	call: ['GET /conversations/{conversation}', undefined, 'call.uuid'],
	session: ['GET /conversations/{spokenConversation}/sessions', undefined, 'data.0.uuid'],
	evaluation: ['GET /sessions/{session}/evaluation'],
	appointment: [
		'POST /appointments',
		{ schedule_uuid: '{schedule}', title: 'Visit', start_time: at, end_time: later },
	],
	appointmentRequest: [
		'POST /appointment-requests',
		{
			...{ schedule_uuid: '{schedule}', title: 'Ask', start_time: at },
			...{ contact_name: 'Ann', contact_email: 'ann@example.com' },
		},
	],
	table: ['POST /data/tables', { name: 'Prices', columns }],
	record: ['POST /data/{table}/records', { record: { item: 'tea', price: 3 } }],
	whatsappAccount: ['GET /whatsapp/wabas', undefined, '0.waba_id'],
	coachingAgent: ['POST /coaching-agents', { name: 'Coach' }],
	gathering: ['POST /builder-agents', { prompt: 'An app that counts calls' }],
	builder: [
		'POST /builders',
		{ name: '{appName}', entrypoint: 'python3 main.py', files: { 'main.py': 'print(1)' } },
	],
	aTrigger: ['GET /flow/apps/agents/triggers', undefined, '0.key'],
	triggerStep: [
		'POST /flow/{flow}/steps',
		{ kind: 'trigger', app_uid: 'agents', trigger_key: '{aTrigger}' },
	],
	step: [
		'POST /flow/{flowWithTrigger}/steps',
		{ kind: 'action', app_uid: 'tables', action_key: 'ai_query', config: { text: 'a' } },
	],
	conditionStep: [
		'POST /flow/{flowWithTrigger}/steps',
		{ kind: 'action', app_uid: 'logic', action_key: 'if_condition' },
	],
	ownNumber: ['POST /phone-numbers', { number: '{offeredPhoneNumber}' }, 'phone_number_uuid'],
	offeredPhoneNumber: ['GET /phone-numbers/search', undefined, '0.number'],
	ownNumberInUse: ['GET /phone-numbers', undefined, 'items.0.number'],
};

/** Records that every workspace of the sandbox has. */
const stored: Record<string, [collection: string, key?: string]> = {
	...{ voice: ['voices'], schedule: ['schedules'], qaAgent: ['qa_agents'] },
	...{ connection: ['flow_connections'], tagNumber: ['contact_tags', 'id'] },
};

/** Records that something is done to: the one that it is, and the requests; a third word is the status to wait for. */
const after: Record<string, [record: string, ...Array<[request: string, body?: unknown]>]> = {
	intent: [
		'bareIntent',
		[
			'PUT /agents/{agent}/intents/{bareIntent}/event',
			{ event_type: 'webhook', webhook: { url: 'https://example.com/x' } },
		],
	],
	pool: ['emptyPool', ['POST /pools/{emptyPool}/contacts', { contact_uuids: ['{contact}'] }]],
	questioned: ['gathering', ['GET /builder-agents/{gathering} gathering']],
	awaitingApproval: [
		'questioned',
		['POST /builder-agents/{questioned}/answers', { message: 'EU' }],
		['GET /builder-agents/{questioned} awaiting_approval'],
	],
	deployed: [
		'awaitingApproval',
		['POST /builder-agents/{awaitingApproval}/approve'],
		['GET /builder-agents/{awaitingApproval} deployed'],
	],
	testedFlow: [
		'flow',
		['POST /flow/{flow}/steps/{triggerStep}/test'],
		['POST /flow/{flow}/steps/{step}/test'],
	],
	deployedFlow: ['testedFlow', ['POST /flow/{testedFlow}/deploy']],
	agentWithEvaluation: ['agent', ['POST /agents/{agent}/evaluate/assign']],
};

/** The records of one run. What belongs together (an agent and its note) is made together. */
export class Scene implements Known {
	private readonly made = new Map<string, Promise<any>>();

	constructor(
		readonly sandbox: Sandbox,
		private readonly engine: Engine,
		/** `resource.operation` that the scene is for. */
		readonly subject: string,
		private readonly nodeType: string,
		/** What was chosen in dropdowns that decide which parameters are shown. */
		readonly form: INodeParameters,
		/** What is filled in: every field, or the required ones alone. */
		readonly extent: Extent,
		/** Whether the endpoint takes fields that the contract does not name. */
		readonly takesFurtherFields: boolean,
	) {}

	/** Calls the platform as another program would. @returns what stands under `data`, or the whole body */
	async call(request: string, body?: unknown): Promise<any> {
		const [method, url] = request.split(' ');
		const data = body ?? (method === 'GET' || method === 'DELETE' ? undefined : {});
		const answer = await this.sandbox.api.request({ method, url, data });
		if (answer.status >= 300)
			throw new Error(
				`${this.subject} needs ${request}: ${answer.status} ${JSON.stringify(answer.data)}`,
			);
		return answer.data?.data ?? answer.data;
	}

	/** A thing by its name, made when it is first asked for. */
	async get(name: string): Promise<any> {
		if (!this.made.has(name)) this.made.set(name, this.make(name));
		return await this.made.get(name);
	}

	private async make(name: string): Promise<any> {
		const [collection, key = 'uuid'] = stored[name] ?? [];
		if (collection) return (await this.sandbox.state(collection))[0][key];
		const [request, body, id = 'uuid'] = records[name] ?? [];
		if (request) {
			const answer = await this.call(await this.filledIn(request), await this.filledIn(body));
			const found = get(answer, id);
			return Array.isArray(found) ? found.at(-1).uuid : found;
		}
		const [record, ...steps] = after[name] ?? [];
		for (const [step, body] of steps) await this.take(step, body);
		if (record) return await this.get(record);
		if (!this.makers[name]) throw new Error(`${this.subject}: nobody knows how to make "${name}"`);
		return await this.makers[name]();
	}

	/** A text, or JSON, with what stands for other records. */
	async filledIn(value: any): Promise<any> {
		let text = JSON.stringify(value ?? null);
		for (const [place, name] of text.matchAll(/\{(\w+|\+)\}/g))
			text = text.replace(place, name === '+' ? freshNumber() : await this.get(name!));
		return JSON.parse(text) ?? undefined;
	}

	/** Makes a request; one that names a status is repeated until the record has it. */
	private async take(step: string, body?: unknown): Promise<void> {
		const [method, path, status] = (await this.filledIn(step)).split(' ');
		const ask = async () => await this.call(`${method} ${path}`, await this.filledIn(body));
		if (status) await until(step, async () => (await ask()).status === status);
		else await ask();
	}

	private readonly found = async (collection: string, isIt: (one: any) => boolean) =>
		(await this.sandbox.state(collection)).find(isIt);

	/** What takes more than one request. */
	private readonly makers: Record<string, () => Promise<any>> = {
		freshNumber: async () => freshNumber(),
		listedNumber: async () => freshNumber(),
		freshKey: async () => `key_${++lastNumber}`,
		templateName: async () => `name_${++lastNumber}`,
		appName: async () => `app-${++lastNumber}`,
		/** A record of a kind for which no endpoint is known. */
		unlisted: async () => '3f2b8c1e-5d47-4a9b-8f60-2c1d9e7a4b35',
		failedTask: async () => {
			await this.sandbox.change('tasks', await this.get('task'), { status: 'failed' });
			return await this.get('task');
		},
		/** A listing with a task that has not begun. */
		waitingListing: async () => {
			const listing = await this.get('startedListing');
			const { uuid: task } = await this.found('tasks', (one) => one.listing_uuid === listing);
			await this.sandbox.change('tasks', task, { status: 'scheduled' });
			return listing;
		},
		waitingCampaign: async () => {
			const listing = await this.get('waitingListing');
			return (await this.found('listings', ({ uuid }) => uuid === listing)).campaign_uuid;
		},
		listedContact: async () => {
			await this.get('listing');
			const number = await this.get('listedNumber');
			return (await this.found('contacts', (one) => one.phone_number === number)).uuid;
		},
		/** A call that was answered and has ended by itself, with all that was said. */
		spokenConversation: async () => {
			const { call } = await this.sandbox.settings();
			const outcomes = [{ ...interested, sentiment: 'positive', success: 'yes' }];
			await this.sandbox.settings({ call: { lifeMs: 1, outcomes } });
			const conversation = await this.get('conversation');
			await this.take('GET /conversations/{conversation} Closed');
			await this.sandbox.settings({ call });
			return conversation;
		},
		transcription: async () => {
			const body = form('voice_file', 'audio/wav', 'a.wav');
			const { uuid } = await this.call('POST /transcriptions', body);
			await this.take(`GET /transcriptions/${uuid} completed`);
			return uuid;
		},
		media: async () => (await this.call('POST /medias', form('file', 'text/plain', 'a.txt'))).uuid,
		template: async () => {
			const wanted = this.extent === 'all' ? 'order_confirmation' : 'hello';
			return (await this.found('whatsapp_templates', ({ name }) => name === wanted)).uuid;
		},
		flow: async () => {
			const flow = { name: 'Flow', description: null, status: 'draft', steps: [] };
			return (await this.sandbox.add('flows', flow)).uuid;
		},
		flowWithTrigger: async () => {
			await this.get('triggerStep');
			return await this.get('flow');
		},
		intentLog: async () => (await this.found('logs_actions', ({ type }) => type === 'intent')).uuid,
		trunk: async () => {
			const number = freshNumber();
			const about = { phone_number: number, channel: 'call', agent_uuid: await this.get('agent') };
			const sip = { gateway: 'sip.example.com' };
			await this.call('POST /phone-numbers/trunks', { ...about, sip });
			return number;
		},
		sipConnection: async () =>
			(await this.sandbox.add('sip_connections', { phone_number: freshNumber() })).uuid,
	};

	async valueOf(property: INodeProperties, above: string[]): Promise<unknown> {
		const path = [...above, property.name].join('.');
		const key = [
			`${this.subject}.${path}`,
			`${this.subject.split('.')[0]}.*.${property.name}`,
			`*.${property.name}`,
		].find((one) => one in needs);
		if (key !== undefined) return await needs[key]!(this);
		return property.type === 'resourceLocator' ? await this.get(property.name) : undefined;
	}

	async mapped(
		property: INodeProperties,
		soFar: INodeParameters,
	): Promise<Record<string, unknown>> {
		const method = property.typeOptions!.resourceMapper!.resourceMapperMethod!;
		const [resource, operation] = this.subject.split('.') as [string, string];
		const { fields } = await this.engine.resourceMapping(this.nodeType, method, {
			parameters: { resource, operation, ...soFar },
		});
		const sample = ({ id, type, options }: (typeof fields)[number]): unknown => {
			if (id === 'phone_number') return freshNumber();
			if (id === 'email') return 'zoe@example.com';
			if (id === 'timezone') return 'Europe/Istanbul';
			if (options?.length) return options[0]!.value;
			return (
				{ number: 1, boolean: true, dateTime: '2035-03-05', object: { key: 'value' } }[
					type as string
				] ?? 'text'
			);
		};
		return Object.fromEntries(fields.map((field) => [field.id, sample(field)]));
	}
}

const thing = (name: string) => (scene: Scene) => scene.get(name);
const fixed = (value: unknown) => () => value;
const byExtent = (all: string, required: string) => (scene: Scene) =>
	scene.extent === 'all' ? all : required;
const unlessTrigger = (needed: (scene: Scene) => unknown) => (scene: Scene) =>
	scene.form.kind === 'trigger' ? absent : needed(scene);

/** Records that parameters need whose names do not tell, by the places that `needs` knows. */
const places: Record<string, string> = {
	agent: '*.destinationAgent *.targetAgent',
	agentWithEvaluation: 'evaluationSetting.delete.agent',
	awaitingApproval: 'buildConversation.approve.buildConversation',
	conditionStep: '*.parentStep',
	connection: '*.appConnection',
	contact: 'contactPool.*.contactUuids',
	contactFieldKey: 'contact.upsert.matchField contactField.*.key',
	deployed: 'buildConversation.rebuild.buildConversation',
	deployedFlow: 'flow.undeploy.flow',
	failedTask: 'task.retry.task',
	freshKey: 'contactField.create.key',
	freshNumber:
		'agentChannel.createSipTrunkConnection.phoneNumber phoneNumber.registerTrunk.phoneNumber ' +
		'phoneNumber.createPbxConnector.phoneNumber',
	listedContact: 'listing.removeContact.contact',
	offeredPhoneNumber: 'phoneNumber.buy.phoneNumber',
	ownNumber: 'agentChannel.*.phoneNumber phoneNumber.*.phoneNumber',
	ownNumberInUse: 'phoneNumber.getChannelsByNumber.phoneNumber',
	pool: '*.pipeline campaign.attachPools.pools',
	questioned: 'buildConversation.*.buildConversation',
	sipConnection: 'agentChannel.*.connection',
	spokenConversation: 'conversation.*.conversation session.getAll.conversation',
	startedListing: 'listing.getOutcomes.listing listing.getSummary.listing',
	tagNumber: 'contact.addTag.tagId contact.removeTag.tagId',
	templateName: 'whatsappTemplate.create.name',
	testedFlow: 'flow.deploy.flow',
	triggerStep: '*.insertAfterStep',
	trunk:
		'phoneNumber.assignTrunk.phoneNumber phoneNumber.deleteTrunk.phoneNumber ' +
		'phoneNumber.updateTrunk.phoneNumber',
	unlisted: '*.availabilityType *.stage *.tag',
	waitingCampaign: 'listing.stop.campaign',
	waitingListing: 'listing.stop.listing',
	whatsappAccount: '*.waba',
};

/**
 * What a parameter needs where its name and its own words do not tell:
 * `resource.operation.path`, else `resource.*.name`, else `*.name`.
 */
export const needs: Record<string, (scene: Scene) => unknown> = {
	...Object.fromEntries(
		Object.entries(places).flatMap(([name, all]) =>
			all.split(' ').map((place) => [place, thing(name)]),
		),
	),
	// An app with a connection where one can be given, else one without.
	'*.action': byExtent('create_event', 'ai_query'),
	'*.actionKey': byExtent('create_event', 'ai_query'),
	'*.app': byExtent('calendar', 'tables'),
	'*.bodyJson': (scene) => (scene.takesFurtherFields ? '{"further": "value"}' : '{}'),
	'*.queryParametersJson': fixed('{"further": "value"}'),
	'*.triggerKey': byExtent('event_created', 'conversation_ended'),
	'agentChannel.assignSms.bodyJson': async (scene) => ({
		phone_number_uuid: await scene.get('ownNumber'),
	}),
	'agentVoice.updateVoiceAdvanced.bodyJson': fixed('{"style": 0.25}'),
	'campaign.create.additionalFields.agent': fixed('12'),
	'contact.find.findBy': fixed('phone_number'),
	'contact.find.find': async (scene) =>
		(await scene.call(`GET /contacts/${await scene.get('contact')}`)).phone_number,
	'contactAnalyzer.*.internalId': async (scene) => `f_${await scene.get('contactFieldKey')}`,
	// A trigger is the first step.
	'flowCatalog.getTriggers.app': fixed('agents'),
	'flowStep.add.additionalFields.branchKey': unlessTrigger(fixed('true')),
	'flowStep.add.additionalFields.insertAfterStep': unlessTrigger(thing('triggerStep')),
	'flowStep.add.additionalFields.parentStep': unlessTrigger(thing('conditionStep')),
	'flowStep.add.flow': (scene) =>
		scene.get(scene.form.kind === 'trigger' ? 'flow' : 'flowWithTrigger'),
	'flowStep.add.app': ({ extent, form }) =>
		extent === 'all' ? 'calendar' : form.kind === 'trigger' ? 'agents' : 'tables',
	'log.get.log': thing('intentLog'),
	'phoneNumber.buy.additionalFields.capabilities': fixed('{"call": true, "sms": true}'),
	'whatsappTemplate.uploadMedia.mediaType': fixed('document'),
};

/** What must be there so that a list is not empty. */
export const beforehand: Record<string, string[]> = {
	'agentWebhook.getAll': ['webhook'],
	'analytics.exportMessages': ['spokenConversation'],
	'appointment.getAll': ['appointment'],
	'appointmentRequest.getAll': ['appointmentRequest'],
	'call.getAll': ['conversation'],
	'campaign.getAll': ['campaign'],
	'conversation.getAll': ['conversation'],
	'evaluation.getAll': ['evaluation'],
	'listing.getAll': ['listing'],
	'listing.getOutcomes': ['startedListing'],
	'media.getAll': ['media'],
	'outreachRule.getAll': ['rule'],
	'phoneNumber.getTrunks': ['trunk'],
	'record.getAll': ['record'],
	'task.getAll': ['task'],
};

/** Files of the input item. */
export const files = {
	data: {
		data: Buffer.from('item,price\ntea,3\n').toString('base64'),
		mimeType: 'text/plain',
		fileName: 'prices.csv',
	},
};
