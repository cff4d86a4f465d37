/**
 * Every action node as a tool of n8n's AI Agent, in a real n8n: a scripted chat model on this machine calls them,
 * several at once, and is told what came of it.
 */
import assert from '../asserted.mjs';
import { after, before, beforeEach, describe, test } from 'node:test';
import { ChatModel } from './support/chatModel.mjs';
import { byId, manualTrigger, openWorkspace, packageName } from '../../tools/workspace.mjs';

const unknown = '11111111-2222-4333-8444-555555555555';
/** Most characters of one result that a model is to read for one record or for a short list. */
const compact = 1000;

let workspace;
let model;
let modelAccount;

before(async () => {
	workspace = await openWorkspace({ shares: true, settings: { call: { lifeMs: 100 } } });
	model = await ChatModel.start();
	modelAccount = await workspace.host.createCredential({
		name: 'Scripted model',
		type: 'openAiApi',
		data: { apiKey: 'none', url: model.url },
	});
});
after(async () => {
	await model?.stop();
	await workspace?.close();
});
const startAfresh = async () => {
	await workspace.sandbox.control('POST /reset', {});
	await workspace.sandbox.control('DELETE /faults');
	await workspace.sandbox.control('DELETE /ledger');
};

/** An argument that the model fills in. */
const fromModel = (name, description = name, type = 'string') =>
	`={{ $fromAI('${name}', '${description}', '${type}') }}`;

/**
 * Lets an AI Agent work with some tools until the script of the model ends.
 * @param {Array<{name: string, type: string, parameters: object, onError?: string,
 * retryOnFail?: boolean}>} tools `type` without package and `Tool`
 * @param {import('./support/chatModel.mjs').Turn[]} script
 */
async function work(tools, script) {
	model.script([...script, { text: 'Done.' }]);
	const link = (kind) => ({
		[kind]: [[{ node: 'Agent', type: kind, index: 0 }]],
	});
	const id = await workspace.workflow(
		'Agent with tools',
		[
			manualTrigger,
			{
				name: 'Agent',
				type: '@n8n/n8n-nodes-langchain.agent',
				typeVersion: 3.1,
				parameters: {
					promptType: 'define',
					text: 'Do what the script says.',
					options: { maxIterations: 20 },
				},
			},
			{
				name: 'Model',
				type: '@n8n/n8n-nodes-langchain.lmChatOpenAi',
				typeVersion: 1.3,
				parameters: { model: byId('scripted'), responsesApiEnabled: false, options: {} },
				credentials: { openAiApi: modelAccount },
			},
			...tools.map(({ type, parameters, ...more }) => ({
				...more,
				type: `${type}Tool`,
				parameters: { descriptionType: 'auto', ...parameters },
			})),
		],
		{
			connections: {
				Start: link('main'),
				Model: link('ai_languageModel'),
				...Object.fromEntries(tools.map(({ name }) => [name, link('ai_tool')])),
			},
		},
	);
	const execution = await workspace.run(id, 'Start');
	assert.equal(execution.nodes.Agent.items[0].json.output, 'Done.');
	return {
		execution,
		tools: Object.fromEntries(model.tools().map((tool) => [tool.name, tool])),
		results: model.results(),
	};
}

function tool(name, node, action, parameters) {
	const [resource, operation] = action.split('.');
	return { name, type: node, parameters: { resource, operation, options: {}, ...parameters } };
}
/** Filters none, and returns few. */
const few = { returnAll: false, limit: 5 };

const sms = tool('Send an SMS', 'acpMessages', 'sms.send', {
	agent: byId(fromModel('agent', 'The ID of the agent that writes')),
	phoneNumber: fromModel('phone', 'Whom to write to'),
	message: fromModel('text', 'What to write'),
});

/** Everything that was asked of the platform, without reading. */
const writes = async () =>
	(await workspace.sandbox.control('GET /ledger')).filter(({ method }) => method !== 'GET');
const done = async () =>
	(await writes())
		.filter(({ effect }) => effect === 'created' || effect === 'changed')
		.map(({ method, path }) => `${method} ${path}`);

describe('Tools that the editor offers', () => {
	beforeEach(startAfresh);

	test('every action node is one, the triggers are not', async () => {
		const names = (await workspace.host.nodeTypes(packageName))
			.map(({ name }) => name.slice(packageName.length))
			.sort();
		const triggers = ['acpIntentTrigger', 'acpTrigger'];
		const actions = names.filter((name) => !name.endsWith('Tool') && !triggers.includes(name));
		assert.equal(actions.length, 14);
		assert.deepEqual(
			names,
			[...actions, ...actions.map((name) => `${name}Tool`), ...triggers].sort(),
		);
	});
});

describe('An AI agent', () => {
	beforeEach(startAfresh);

	test(
		'calls all fourteen nodes at once; each call is carried out once and answered in few words',
		{ timeout: 900_000 },
		async () => {
			const { sandbox } = workspace;
			const [agent] = (await sandbox.api('GET /agents?per_page=1')).body.data.items;
			const [schedule] = await sandbox.control('GET /state/schedules');
			const table = (
				await sandbox.api('POST /data/tables', {
					name: 'Prices',
					columns: [
						{ name: 'product', data_type: 'text' },
						{ name: 'price', data_type: 'number' },
					],
				})
			).body.data;
			const conversation = await workspace.call('+12125550700');
			await sandbox.control('DELETE /ledger');

			const named = byId(fromModel('agent', 'The ID of the agent'));
			const tools = [
				tool('Read an Agent', 'acpAgents', 'agent.get', { agent: named, simplify: true }),
				tool('Add a Note', 'acpKnowledge', 'agentKnowledge.addNote', {
					agent: named,
					content: fromModel('content', 'The fact'),
				}),
				tool('Start a Build', 'acpBuilders', 'buildConversation.start', {
					prompt: fromModel('prompt', 'What to build'),
				}),
				tool('Call', 'acpCalls', 'call.start', {
					agent: named,
					phoneNumber: fromModel('phone', 'Whom to call'),
					additionalFields: { participantAbout: fromModel('about', 'What the agent should know') },
				}),
				tool('Create a Contact', 'acpContacts', 'contact.create', {
					phoneNumber: fromModel('phone', 'The number'),
					name: fromModel('name', 'The first name'),
					customFields: { mappingMode: 'defineBelow', value: null },
				}),
				tool('Find Conversations', 'acpConversations', 'conversation.getAll', {
					returnAll: false,
					limit: fromModel('most', 'How many at most', 'number'),
					simplify: true,
					filters: { phone: fromModel('phone', 'A part of the number') },
				}),
				tool('Find Flows', 'acpFlows', 'flow.getAll', few),
				tool('Count Calls', 'acpInsights', 'analytics.getCalls', {
					period: fromModel('period', 'today, yesterday, last7Days or last30Days'),
				}),
				tool('Find Files', 'acpMedia', 'media.getAll', few),
				sms,
				tool('Create a Task', 'acpOutreach', 'task.create', {
					title: fromModel('title'),
					type: 'make_call',
					agent: named,
					scheduledAt: fromModel('when', 'When to call, like 2099-05-01T10:00:00'),
					phoneNumber: fromModel('phone', 'Whom to call'),
					autoQueue: false,
				}),
				tool('Read Evaluations', 'acpQuality', 'evaluation.getAll', { ...few, simplify: true }),
				tool('Book', 'acpScheduling', 'appointment.create', {
					schedule: byId(fromModel('schedule', 'The ID of the schedule')),
					title: fromModel('title'),
					startTime: fromModel('start'),
					endTime: fromModel('end'),
				}),
				tool('Add a Price', 'acpTables', 'record.create', {
					table: byId(table.uuid),
					columns: {
						mappingMode: 'defineBelow',
						value: {
							product: fromModel('product'),
							price: fromModel('price', 'The price', 'number'),
						},
						matchingColumns: [],
						schema: [],
					},
				}),
			];
			const calls = [
				['Read_an_Agent', { agent: agent.agent_uuid }],
				['Add_a_Note', { agent: agent.agent_uuid, content: 'We are closed on Monday.' }],
				['Start_a_Build', { prompt: 'A page with our prices' }],
				['Call', { agent: agent.agent_uuid, phone: '+12125550701', about: 'Asked for a price' }],
				['Create_a_Contact', { phone: '+12125550702', name: 'Ada' }],
				['Find_Conversations', { phone: '5550700', most: 3 }],
				['Find_Flows', {}],
				['Count_Calls', { period: 'today' }],
				['Find_Files', {}],
				// two that ask for the same are two messages
				['Send_an_SMS', { agent: agent.agent_uuid, phone: '+12125550703', text: 'Hello' }],
				['Send_an_SMS', { agent: agent.agent_uuid, phone: '+12125550703', text: 'Hello' }],
				['Send_an_SMS', { agent: agent.agent_uuid, phone: '+12125550704', text: 'Hello' }],
				[
					'Create_a_Task',
					{
						title: 'Call back',
						agent: agent.agent_uuid,
						when: '2099-05-01T10:00:00',
						phone: '+12125550705',
					},
				],
				['Read_Evaluations', {}],
				[
					'Book',
					{
						schedule: schedule.uuid,
						title: 'Visit',
						start: '2099-05-02T10:00:00',
						end: '2099-05-02T11:00:00',
					},
				],
				['Add_a_Price', { product: 'Window', price: 120.5 }],
			];
			// answers that are lost once are asked for again, and nothing happens twice
			await sandbox.control('POST /faults', [
				{ match: { method: 'POST', path: '^/sms/send$', nth: 1 }, fault: { kind: 'reset-after' } },
				{
					match: { method: 'POST', path: '^/call$', nth: 1 },
					fault: { kind: 'timeout', afterAcceptance: true },
				},
			]);
			for (const tool of tools)
				if (['Send an SMS', 'Call'].includes(tool.name))
					tool.parameters = { ...tool.parameters, options: { advanced: { timeout: 2 } } };
			const { tools: offered, results } = await work(tools, [{ calls }]);

			assert.equal(Object.keys(offered).length, 14);
			assert.equal(offered.Call.description, 'Start a call in Phone Calls');
			assert.equal(offered.Add_a_Note.description, 'Add a note to an agent in Agent Knowledge');
			assert.deepEqual(offered.Call.parameters.properties, {
				agent: { type: 'string', description: 'The ID of the agent' },
				phone: { type: 'string', description: 'Whom to call' },
				about: { type: 'string', description: 'What the agent should know' },
			});

			const agentPath = `/agents/${agent.agent_uuid}/notes`;
			assert.deepEqual(
				(await done()).sort(),
				[
					`POST ${agentPath}`,
					'POST /appointments',
					'POST /builder-agents',
					'POST /call',
					'POST /contacts',
					`POST /data/${table.uuid}/records`,
					'POST /sms/send',
					'POST /sms/send',
					'POST /sms/send',
					'POST /tasks',
				].sort(),
			);
			const written = await workspace.created('/sms/send');
			assert.deepEqual(written.map(({ body }) => body.phoneNumber).sort(), [
				'+12125550703',
				'+12125550703',
				'+12125550704',
			]);

			assert.deepEqual(
				Object.keys(results).sort(),
				[...new Set(calls.map(([name]) => name))].sort(),
			);
			for (const [name, answers] of Object.entries(results))
				for (const answer of answers) {
					assert.doesNotMatch(answer, /error/i, name);
					assert.ok(answer.length <= compact, `${name} answers with ${answer.length} characters`);
				}
			const parsed = (name) => JSON.parse(results[name][0]);
			assert.equal(parsed('Find_Conversations')[0].uuid, conversation);
			assert.ok(Object.keys(parsed('Find_Conversations')[0]).length <= 10);
			assert.equal(parsed('Count_Calls')[0].totals.calls, 2);
			assert.equal(parsed('Add_a_Price')[0].record.price, 120.5);
			assert.deepEqual(
				Object.keys(parsed('Add_a_Note')[0]),
				['notes', 'agent_uuid'],
				'not the whole agent',
			);
			assert.deepEqual(
				parsed('Find_Files'),
				[{ found: 0 }],
				'nothing found is said, not left empty',
			);
		},
	);

	test('cannot do so through API Request either, nor leave the path that a person wrote', async () => {
		const request = (name, path) =>
			tool(name, 'acpAgents', 'otherEndpoint.apiRequest', {
				method: 'POST',
				path,
				body: '{"command": "ls"}',
			});
		const { results } = await work(
			[
				request('Run', `/builders/${unknown}/exec`),
				request('Anything', fromModel('path')),
				request('Begin', `=/builders/{{ $fromAI('builder', 'The builder', 'string') }}/start`),
			],
			[
				{
					calls: [
						['Run', {}],
						['Anything', { path: `/builders/${unknown}/exec` }],
						['Begin', { builder: `${unknown}/exec?` }],
					],
				},
			],
		);
		assert.match(results.Run[0], /leads to POST .*exec, which is not available to AI agents/);
		assert.match(results.Anything[0], /has a value with a separator/);
		assert.match(results.Begin[0], /has a value with a separator/);
		assert.deepEqual(await writes(), []);
	});
});
