/**
 * A workspace in which every reference can be met: each scene makes the records that it is
 * asked for, new ones every time.
 */
import type { INodeParameters, INodeProperties } from 'n8n-workflow';
import type { Engine, Sandbox } from '../harness/index.cts';
import { until } from '../harness/index.cts';
import { absent, type Extent, type Known } from './samples.cts';

const form = (
	fields: Record<string, string>,
	file: { name: string; type: string; text: string },
	field = 'file',
): FormData => {
	const data = new FormData();
	for (const [name, value] of Object.entries(fields)) data.append(name, value);
	data.append(field, new Blob([file.text], { type: file.type }), file.name);
	return data;
};

let lastNumber = 0;
/** A phone number that nobody had before. */
const freshNumber = () => `+1415${String(5_550_000 + ++lastNumber)}`;

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
		const { status, data } = await this.sandbox.api.request({
			method,
			url,
			data: body ?? (method === 'GET' || method === 'DELETE' ? undefined : {}),
		});
		if (status >= 300)
			throw new Error(`${this.subject} needs ${request}: ${status} ${JSON.stringify(data)}`);
		return data?.data ?? data;
	}

	/** A thing by its name, made when it is first asked for. */
	async get(name: string): Promise<any> {
		if (!this.made.has(name)) {
			const make = this.makers[name];
			if (!make) throw new Error(`${this.subject}: nobody knows how to make "${name}"`);
			this.made.set(name, make());
		}
		return await this.made.get(name);
	}

	/** Makes a record. @returns its ID */
	private async newOne(request: string, body: unknown): Promise<string> {
		return (await this.call(request, body)).uuid;
	}

	private async lastOf(section: string, path: string, item: object): Promise<string> {
		return (await this.call(`POST /agents/${await this.get('agent')}/${path}`, item))[section].at(
			-1,
		).uuid;
	}

	private async stored(collection: string, key = 'uuid'): Promise<any> {
		return (await this.sandbox.state(collection))[0][key];
	}

	private async buildConversation(wanted: string): Promise<string> {
		const { uuid } = await this.call('POST /builder-agents', {
			prompt: wanted === 'failed' ? 'An app that will fail' : 'An app that counts calls',
		});
		const path = `/builder-agents/${uuid}`;
		const reaches = async (status: string) =>
			await until(
				`${path} to be ${status}`,
				async () => (await this.call(`GET ${path}`)).status === status,
			);
		await reaches('gathering');
		if (wanted === 'gathering') return uuid;
		await this.call(`POST ${path}/answers`, { message: 'EU' });
		await reaches('awaiting_approval');
		if (wanted === 'awaiting_approval') return uuid;
		await this.call(`POST ${path}/approve`);
		await reaches('deployed');
		return uuid;
	}

	private flowStep = async (kind: 'trigger' | 'action'): Promise<string> => {
		const flow = await this.get('flow');
		const [trigger] = await this.call('GET /flow/apps/agents/triggers');
		const step =
			kind === 'trigger'
				? { kind, app_uid: 'agents', trigger_key: trigger.key }
				: { kind, app_uid: 'tables', action_key: 'ai_query', config: { text: 'a' } };
		return await this.newOne(`POST /flow/${flow}/steps`, step);
	};

	private readonly makers: Record<string, () => Promise<any>> = {
		agent: async () => {
			const voice = await this.stored('voices');
			const agent = await this.call('POST /agents', {
				name: `Agent of ${this.subject}`,
				settings: { voice: { voice_profile: { voice_uuid: voice, voice_name: 'Warm' } } },
			});
			return agent.agent_uuid;
		},
		voice: async () => await this.stored('voices'),
		note: async () => await this.lastOf('notes', 'notes', { content: 'Open from 9 to 18' }),
		guideline: async () => await this.lastOf('guidelines', 'guidelines', { content: 'Be brief' }),
		procedure: async () =>
			await this.lastOf('procedures', 'procedures', {
				name: 'Order status',
				steps: [{ order: 1, description: 'Ask for the number' }],
			}),
		trainingItem: async () =>
			await this.lastOf('training', 'training', { content: 'Do you deliver?' }),
		routingRule: async () =>
			await this.lastOf('routing_rules', 'routing-rules', {
				detection_mode: 'intent',
				ai_prompt: 'billing',
			}),
		guardRule: async () =>
			await this.lastOf('guard_rules', 'guard-rules', {
				when_condition: 'threat',
				then_action: 'end_conversation',
			}),
		intent: async () => {
			const { intent_uuid: uuid } = await this.call(
				`POST /agents/${await this.get('agent')}/intents`,
				{ name: 'Wants a refund' },
			);
			await this.call(`PUT /agents/${await this.get('agent')}/intents/${uuid}/event`, {
				event_type: 'webhook',
				webhook: { url: 'https://example.com/x' },
			});
			return uuid;
		},
		webhook: async () =>
			(
				await this.call(`POST /agents/${await this.get('agent')}/webhooks`, {
					url: 'https://example.com/hook',
					events: ['conversation_status'],
				})
			).webhook_uuid,
		contact: async () =>
			await this.newOne('POST /contacts', {
				name: 'Zoe',
				phone_number: freshNumber(),
				email: 'zoe@example.com',
			}),
		contactFieldKey: async () =>
			(await this.call('POST /contacts/fields', { key: `field_${++lastNumber}`, name: 'Plan' }))
				.key,
		freshKey: async () => `key_${++lastNumber}`,
		pool: async () => {
			const { uuid } = await this.call('POST /pools', { name: 'Pool', description: 'Leads' });
			await this.call(`POST /pools/${uuid}/contacts`, {
				contact_uuids: [await this.get('contact')],
			});
			return uuid;
		},
		campaign: async () => await this.newOne('POST /campaigns', { name: 'Spring', status: 'Draft' }),
		call: async () =>
			(await this.call(`GET /conversations/${await this.get('conversation')}`)).call.uuid,
		tagNumber: async () => await this.stored('contact_tags', 'id'),
		failedTask: async () => {
			const uuid = await this.get('task');
			await this.sandbox.change('tasks', uuid, { status: 'failed' });
			return uuid;
		},
		pbxConnector: async () =>
			(await this.call('POST /pbx_extension_connectors', { registrar_server: 'pbx.example.com' }))
				.pbx_extension_connector_uuid,
		task: async () =>
			await this.newOne('POST /tasks', {
				title: 'Call back',
				type: 'make_call',
				agent_uuid: await this.get('agent'),
				scheduled_at: '2035-03-05T10:00:00',
				contact: { phone_number: freshNumber() },
			}),
		rule: async () => await this.newOne('POST /rules', { name: 'Rule', type: 'call' }),
		listing: async () =>
			await this.newOne('POST /listings', {
				name: 'Leads',
				contacts: [{ phone_number: await this.get('listedNumber') }],
			}),
		startedListing: async () =>
			await this.newOne('POST /listings', {
				name: 'Leads',
				agent_uuid: await this.get('agent'),
				auto_start: true,
				contacts: [{ phone_number: freshNumber() }],
			}),
		/** A listing with a task that has not begun. */
		waitingListing: async () => {
			const uuid = await this.get('startedListing');
			const tasks = await this.sandbox.state('tasks');
			const { uuid: task } = tasks.find(({ listing_uuid: of }) => of === uuid);
			await this.sandbox.change('tasks', task, { status: 'scheduled' });
			return uuid;
		},
		waitingCampaign: async () => {
			const uuid = await this.get('waitingListing');
			return (await this.sandbox.state('listings')).find((one) => one.uuid === uuid).campaign_uuid;
		},
		listedNumber: async () => freshNumber(),
		listedContact: async () => {
			await this.get('listing');
			const number = await this.get('listedNumber');
			return (await this.sandbox.state('contacts')).find(
				({ phone_number: phone }) => phone === number,
			).uuid;
		},
		/** A live call. */
		conversation: async () =>
			(
				await this.call('POST /call', {
					agentId: await this.get('agent'),
					participant: { number: freshNumber() },
				})
			).conversation_uuid,
		/** A call that was answered and has ended by itself, with all that was said. */
		spokenConversation: async () => {
			const { call } = await this.sandbox.settings();
			await this.sandbox.settings({
				call: {
					lifeMs: 1,
					outcomes: [
						{
							outcome: 'interested',
							answered: true,
							seconds: [60, 61],
							sentiment: 'positive',
							success: 'yes',
						},
					],
				},
			});
			const uuid = await this.get('conversation');
			await until(
				'the call to end',
				async () => (await this.call(`GET /conversations/${uuid}`)).status === 'Closed',
			);
			await this.sandbox.settings({ call });
			return uuid;
		},
		session: async () =>
			(await this.call(`GET /conversations/${await this.get('spokenConversation')}/sessions`))
				.data[0].uuid,
		evaluation: async () =>
			(await this.call(`GET /sessions/${await this.get('session')}/evaluation`)).uuid,
		transcription: async () => {
			const file = { text: 'riff', type: 'audio/wav', name: 'a.wav' };
			const body = form({ reference_id: 'R1' }, file, 'voice_file');
			const uuid = await this.newOne('POST /transcriptions', body);
			const path = `GET /transcriptions/${uuid}`;
			await until(path, async () => (await this.call(path)).status === 'completed');
			return uuid;
		},
		schedule: async () => await this.stored('schedules'),
		appointment: async () =>
			await this.newOne('POST /appointments', {
				schedule_uuid: await this.get('schedule'),
				title: 'Visit',
				start_time: '2035-03-05T10:00:00',
				end_time: '2035-03-05T11:00:00',
			}),
		appointmentRequest: async () =>
			await this.newOne('POST /appointment-requests', {
				schedule_uuid: await this.get('schedule'),
				title: 'Ask',
				start_time: '2035-03-05T10:00:00',
				contact_name: 'Ann',
				contact_email: 'ann@example.com',
			}),
		table: async () =>
			await this.newOne('POST /data/tables', {
				name: 'Prices',
				columns: [
					{ name: 'item', data_type: 'text' },
					{ name: 'price', data_type: 'number' },
				],
			}),
		record: async () =>
			await this.newOne(`POST /data/${await this.get('table')}/records`, {
				record: { item: 'tea', price: 3 },
			}),
		media: async () =>
			await this.newOne(
				'POST /medias',
				form({}, { text: 'hello file', type: 'text/plain', name: 'hello.txt' }),
			),
		template: async () =>
			(await this.call('GET /whatsapp/templates')).find(
				({ name }: any) => name === (this.extent === 'all' ? 'order_confirmation' : 'hello'),
			).uuid,
		templateName: async () => `name_${++lastNumber}`,
		whatsappAccount: async () => (await this.call('GET /whatsapp/wabas'))[0].waba_id,
		coachingAgent: async () => await this.newOne('POST /coaching-agents', { name: 'Coach' }),
		qaAgent: async () => await this.stored('qa_agents'),
		gathering: async () => await this.buildConversation('gathering'),
		awaitingApproval: async () => await this.buildConversation('awaiting_approval'),
		deployed: async () => await this.buildConversation('deployed'),
		builder: async () =>
			await this.newOne('POST /builders', {
				name: `app-${++lastNumber}`,
				entrypoint: 'python3 main.py',
				files: { 'main.py': 'print(1)' },
			}),
		flow: async () =>
			(
				await this.sandbox.add('flows', {
					name: 'Flow',
					description: null,
					status: 'draft',
					steps: [],
				})
			).uuid,
		triggerStep: async () => await this.flowStep('trigger'),
		step: async () => {
			await this.get('triggerStep');
			return await this.flowStep('action');
		},
		flowWithTrigger: async () => {
			await this.get('triggerStep');
			return await this.get('flow');
		},
		conditionStep: async () => {
			const flow = await this.get('flowWithTrigger');
			const step = { kind: 'action', app_uid: 'logic', action_key: 'if_condition' };
			return await this.newOne(`POST /flow/${flow}/steps`, step);
		},
		testedFlow: async () => {
			const flow = await this.get('flow');
			for (const step of [await this.get('triggerStep'), await this.get('step')])
				await this.call(`POST /flow/${flow}/steps/${step}/test`, {});
			return flow;
		},
		deployedFlow: async () => {
			const flow = await this.get('testedFlow');
			await this.call(`POST /flow/${flow}/deploy`);
			return flow;
		},
		connection: async () => await this.stored('flow_connections'),
		intentLog: async () =>
			(await this.sandbox.state('logs_actions')).find(({ type }) => type === 'intent').uuid,
		agentWithEvaluation: async () => {
			const agent = await this.get('agent');
			await this.call(`POST /agents/${agent}/evaluate/assign`);
			return agent;
		},
		/** A record of a kind for which no endpoint is known. */
		unlisted: async () => '3f2b8c1e-5d47-4a9b-8f60-2c1d9e7a4b35',
		ownNumber: async () => {
			const [offer] = await this.call('GET /phone-numbers/search');
			return (await this.call('POST /phone-numbers', { number: offer.number })).phone_number_uuid;
		},
		offeredPhoneNumber: async () => (await this.call('GET /phone-numbers/search'))[0].number,
		ownNumberInUse: async () => (await this.call('GET /phone-numbers')).items[0].number,
		trunk: async () => {
			const number = freshNumber();
			await this.call('POST /phone-numbers/trunks', {
				phone_number: number,
				channel: 'call',
				agent_uuid: await this.get('agent'),
				sip: { gateway: 'sip.example.com' },
			});
			return number;
		},
		sipConnection: async () =>
			(await this.sandbox.add('sip_connections', { phone_number: freshNumber() })).uuid,
		freshNumber: async () => freshNumber(),
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

const thing = (name: string) => async (scene: Scene) => await scene.get(name);
const fixed = (value: unknown) => () => value;

/**
 * What a parameter needs where its name and its own words do not tell:
 * `resource.operation.path`, else `resource.*.name`,
 * else `*.name`.
 */
export const needs: Record<string, (scene: Scene) => unknown> = {
	// An app with a connection where one can be given, else one without.
	'*.action': ({ extent }) => (extent === 'all' ? 'create_event' : 'ai_query'),
	'*.actionKey': ({ extent }) => (extent === 'all' ? 'create_event' : 'ai_query'),
	'*.app': ({ extent }) => (extent === 'all' ? 'calendar' : 'tables'),
	'*.appConnection': thing('connection'),
	'*.bodyJson': (scene) => (scene.takesFurtherFields ? '{"further": "value"}' : '{}'),
	'*.availabilityType': thing('unlisted'),
	'*.destinationAgent': thing('agent'),
	'*.insertAfterStep': thing('triggerStep'),
	'*.pipeline': thing('pool'),
	'*.queryParametersJson': fixed('{"further": "value"}'),
	'*.parentStep': thing('conditionStep'),
	'*.stage': thing('unlisted'),
	'*.tag': thing('unlisted'),
	'*.targetAgent': thing('agent'),
	'*.triggerKey': ({ extent }) => (extent === 'all' ? 'event_created' : 'conversation_ended'),
	'*.waba': thing('whatsappAccount'),
	'agentChannel.*.connection': thing('sipConnection'),
	'agentChannel.*.phoneNumber': thing('ownNumber'),
	'agentChannel.createSipTrunkConnection.phoneNumber': thing('freshNumber'),
	'agentChannel.assignSms.bodyJson': async (scene) => ({
		phone_number_uuid: await scene.get('ownNumber'),
	}),
	'agentVoice.updateVoiceAdvanced.bodyJson': fixed('{"style": 0.25}'),
	'buildConversation.answer.buildConversation': thing('gathering'),
	'buildConversation.approve.buildConversation': thing('awaitingApproval'),
	'buildConversation.get.buildConversation': thing('gathering'),
	'buildConversation.rebuild.buildConversation': thing('deployed'),
	'buildConversation.waitUntilReady.buildConversation': thing('gathering'),
	'campaign.attachPools.pools': thing('pool'),
	'campaign.create.additionalFields.agent': fixed('12'),
	'contact.addTag.tagId': thing('tagNumber'),
	'contact.find.findBy': fixed('phone_number'),
	'contact.find.find': async (scene) => {
		const uuid = await scene.get('contact');
		const contacts = await scene.sandbox.state('contacts');
		return contacts.find((one) => one.uuid === uuid)!.phone_number;
	},
	'contact.removeTag.tagId': thing('tagNumber'),
	'contact.upsert.matchField': thing('contactFieldKey'),
	'contactAnalyzer.*.internalId': async (scene) => `f_${await scene.get('contactFieldKey')}`,
	'contactField.*.key': thing('contactFieldKey'),
	'contactField.create.key': thing('freshKey'),
	'contactPool.*.contactUuids': thing('contact'),
	'conversation.*.conversation': thing('spokenConversation'),
	'evaluationSetting.delete.agent': thing('agentWithEvaluation'),
	'flow.deploy.flow': thing('testedFlow'),
	'flow.undeploy.flow': thing('deployedFlow'),
	// A trigger is the first step.
	'flowCatalog.getTriggers.app': fixed('agents'),
	'flowStep.add.additionalFields.branchKey': ({ form }) =>
		form.kind === 'trigger' ? absent : 'true',
	'flowStep.add.additionalFields.insertAfterStep': async (scene) =>
		scene.form.kind === 'trigger' ? absent : await scene.get('triggerStep'),
	'flowStep.add.additionalFields.parentStep': async (scene) =>
		scene.form.kind === 'trigger' ? absent : await scene.get('conditionStep'),
	'flowStep.add.flow': async (scene) =>
		await scene.get(scene.form.kind === 'trigger' ? 'flow' : 'flowWithTrigger'),
	'flowStep.add.app': ({ extent, form }) =>
		extent === 'all' ? 'calendar' : form.kind === 'trigger' ? 'agents' : 'tables',
	'listing.getOutcomes.listing': thing('startedListing'),
	'listing.getSummary.listing': thing('startedListing'),
	'task.retry.task': thing('failedTask'),
	'listing.removeContact.contact': thing('listedContact'),
	'log.get.log': async (scene) => (await scene.get('intentLog')) as string,
	'phoneNumber.*.phoneNumber': thing('ownNumber'),
	'phoneNumber.assignTrunk.phoneNumber': thing('trunk'),
	'phoneNumber.deleteTrunk.phoneNumber': thing('trunk'),
	'phoneNumber.getChannelsByNumber.phoneNumber': thing('ownNumberInUse'),
	'phoneNumber.registerTrunk.phoneNumber': thing('freshNumber'),
	'phoneNumber.updateTrunk.phoneNumber': thing('trunk'),
	'phoneNumber.buy.phoneNumber': thing('offeredPhoneNumber'),
	'phoneNumber.createPbxConnector.phoneNumber': thing('freshNumber'),
	'phoneNumber.buy.additionalFields.capabilities': fixed('{"call": true, "sms": true}'),
	'listing.stop.listing': thing('waitingListing'),
	'listing.stop.campaign': thing('waitingCampaign'),
	'whatsappTemplate.create.name': thing('templateName'),
	'whatsappTemplate.uploadMedia.mediaType': fixed('document'),
	'session.getAll.conversation': thing('spokenConversation'),
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
