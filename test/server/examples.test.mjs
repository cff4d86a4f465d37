/**
 * Every example of `examples/`, imported into a real n8n, filled in as its notes say, executed against the sandbox:
 * does it do what its notes promise?
 */
import assert, { assertNone } from '../asserted.mjs';
import { randomUUID } from 'node:crypto';
import { globSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import lodash from 'lodash';
import { DateTime } from 'luxon';
import { defaultVersion, repository } from '../../tools/bootstrap.mjs';
import { contract } from '../../tools/contract.cjs';
import { contentOf, jsonOf } from '../../tools/files.mjs';
import { eventually } from '../../sandbox/client.mjs';
import { ChatModel } from './support/chatModel.mjs';
import { Mailbox, partOf } from './support/mailbox.mjs';
import { missingIn, nodeTypesOf } from './support/nodeTypes.mjs';
import { chosen, openWorkspace, packageName, postJson, succeeded } from '../../tools/workspace.mjs';

const folder = join(repository, 'examples');
const types = nodeTypesOf(defaultVersion);
const files = globSync('*.json', { cwd: folder });
/** Those with sample data on every node that needs an account: see recipes.test.mjs. */
const recipes = readdirSync(new URL('recipes/', import.meta.url)).map((name) =>
	name.replace(/\.mjs$/, '.json'),
);
const read = (name) => jsonOf('examples', name);

/** The leads that come with the example. */
const sample = contentOf('examples', 'leads.csv');
const soon = 60_000;

let workspace;
/** The agent that a reader would choose. @type {{name: string, value: string}} */
let agent;
let model;
let modelAccount;
let mailbox;
let mailAccount;
/** The listing that a reader would choose. @type {{name: string, value: string}} */
let listing;

before(async () => {
	workspace = await openWorkspace({
		shares: true,
		settings: {
			call: {
				lifeMs: 100,
				outcomeByNumber: { '0101': 'interested', '0102': 'not_interested', '0103': 'no_answer' },
			},
		},
	});
	agent = await workspace.agent();
	model = await ChatModel.start();
	mailbox = await Mailbox.start();
	mailAccount = await workspace.host.createCredential({
		name: 'Mailbox of the tests',
		type: 'smtp',
		data: { host: '127.0.0.1', port: mailbox.port, secure: false, disableStartTls: true },
	});
	modelAccount = await workspace.host.createCredential({
		name: 'Scripted model',
		type: 'openAiApi',
		data: { apiKey: 'none', url: model.url },
	});
});
after(async () => {
	await mailbox?.stop();
	await model?.stop();
	await workspace?.close();
});

/** As the notes say, sample data is taken away; what a test starts from keeps it. */
const ofTriggers = ({ nodes, pinData }) =>
	Object.fromEntries(
		nodes
			.filter(({ name, type }) => pinData[name] && type.endsWith('Trigger'))
			.map(({ name }) => [name, pinData[name]]),
	);

/**
 * Imports an example and fills in what its notes ask for.
 * @param {string} name the file's name
 * @param {(node: any) => void} [answer] what a reader enters besides
 * @returns {Promise<string>} the workflow's id
 */
async function imported(name, answer = () => {}) {
	const workflow = read(name);
	return await workspace.importExample({ ...workflow, pinData: ofTriggers(workflow) }, (node) => {
		answer(node);
		const { type, parameters } = node;
		if (type.endsWith('.emailSend')) node.credentials = { smtp: mailAccount };
		if (type.endsWith('.lmChatOpenAi')) node.credentials = { openAiApi: modelAccount };
		// nobody has an account of it here
		if (type.endsWith('.slack')) node.disabled = true;
		if (parameters.listing?.value === '') parameters.listing = chosen(listing);
		if (parameters.toEmail === '')
			Object.assign(parameters, { fromEmail: 'n8n@example.com', toEmail: 'me@example.com' });
	});
}

/** Uploads a CSV file on the form of the calling example. @returns {Promise<any[]>} the leads that it reads in it */
async function upload(workflowId, csv) {
	const file = new File([csv], 'leads.csv', { type: 'text/csv' });
	const execution = await workspace.host.waitForExecution(
		await workspace.host.submitForm(workflowId, [file]),
		soon,
	);
	return succeeded(execution).nodes.Leads.items.map(({ json }) => json);
}

const deliver = async (event, data) => await workspace.deliver(agent.value, data, event);

/** A live call with somebody, in which intents can trigger. @returns {Promise<string>} the conversation's uuid */
async function liveCall(number) {
	await workspace.sandbox.control('PATCH /settings', { call: { lifeMs: 600_000 } });
	const conversation = await workspace.call(number);
	await eventually(
		async () =>
			(await workspace.sandbox.control('GET /state/calls')).find(
				(one) => one.conversation_uuid === conversation,
			)?.status === 'in-progress',
		soon,
	);
	return conversation;
}

/** An intent triggers in a live call. @returns {Promise<string | null>} what the agent speaks then */
async function spoken(conversation, intent, parameters) {
	const entry = await workspace.sandbox.control('POST /intents', {
		conversation,
		intent,
		parameters,
	});
	return entry.spoken;
}

/** What a reader sees who clicks on a trigger with a sample request: the last node's answer. */
async function tried(id, trigger, last) {
	const { nodes } = await workspace.run(id, trigger);
	return nodes[last].items[0].json;
}

/** Every shape in which the sandbox sends the request of an intent (sandbox/intents.mjs). */
const requests = ['flat', 'nested', 'tool'];

/** SMS that really left, each with recipient and text. */
const messages = async () =>
	(await workspace.created('/sms/send')).map(({ body }) => ({
		to: body.phoneNumber,
		text: body.message,
	}));

/** Calls of yesterday, of today and of the day before, and what the mail says of them. */
async function reportOfYesterday(name) {
	const all = ['0101', '0102', '0103', '0101', '0102'];
	for (const end of all) await workspace.closed(await workspace.call(`+1212555${end}`));
	const conversations = await workspace.sandbox.control('GET /state/conversations');
	const agents = await workspace.sandbox.control('GET /state/agents');
	const [[first], [second]] = lodash.partition(agents, { agent_uuid: agent.value });
	const today = DateTime.now().setZone('America/New_York').startOf('day');
	const hours = [-23, -12, -1, -25, 1];
	for (const [index, { uuid }] of conversations.entries())
		await workspace.sandbox.control(`PATCH /state/conversations/${uuid}`, {
			created_at: today.plus({ hours: hours[index] }).toUTC().toISO(),
			...(index === 2 && { agent_uuid: second.agent_uuid }),
		});
	await workspace.run(await imported(name), 'Every Day at 7:00');
	const [mail, ...more] = mailbox.mails.splice(0);
	assertNone(more);
	assert.equal(mail.subject, `3 calls on ${today.minus({ days: 1 }).toISODate()}`);
	const [head, ...rows] = partOf(mail.raw, 'text/csv').trim().split(/\r?\n/);
	assert.match(head, /time,agent,number,seconds,outcome,summary,recording$/);
	const columns = rows.map((row) => row.split(','));
	assert.deepEqual(
		columns.map(([, by, number, , outcome]) => [by, number, outcome]).sort(),
		[
			[first.name, '+12125550101', 'completed'],
			[first.name, '+12125550102', 'completed'],
			[second.name, '+12125550103', 'no-answer'],
		].sort(),
	);
	const seconds = columns.map((row) => Number(row[3]));
	const html = partOf(mail.raw, 'text/html');
	assert.ok(
		html.includes(
			`${first.name}: 2 calls, ${Math.round(seconds.reduce((sum, one) => sum + one) / 60)} minutes`,
		),
		html,
	);
	assert.match(
		html,
		/: 1 call, 0 minutes<\/p><table width="50%"[^>]*><tr><td width="100%"[^>]*>1</,
	);
	assert.match(html, /<table width="100%"[^>]*><tr><td width="100%"[^>]*>2</);
	assert.doesNotMatch(html, /https?:|<img/, 'it needs no network');
}

/** What each example promises, by file. @type {Record<string, (name: string) => Promise<void>>} */
const promises = {
	async 'call-new-leads-and-record-the-outcome.json'(name) {
		const id = await imported(name);
		await workspace.publish(id);
		const leads = await upload(id, sample);
		assert.equal(leads.length, 8);
		const recorded = await eventually(async () => {
			const rows = await workspace.rows('Lead calls');
			return rows.length === leads.length && rows.every(({ success }) => success) && rows;
		}, soon);
		assert.deepEqual(
			recorded.map(({ lead, number }) => [lead, number]).sort(),
			leads.map((lead) => [lead.name, lead.phone_number]).sort(),
		);
		const outcomes = Object.fromEntries(recorded.map((row) => [row.number.slice(-4), row]));
		assert.deepEqual(
			['0101', '0102', '0103'].map((ending) => {
				const { status, success, satisfaction } = outcomes[ending];
				return [status, success, satisfaction];
			}),
			[
				['completed', 'yes', '4'],
				['completed', 'no', '4'],
				['no-answer', 'no', '0'],
			],
		);
		assert.match(outcomes['0101'].summary, /interested/);
		assert.match(outcomes['0101'].recording, /^http.*\.wav$/);
		assert.ok(outcomes['0101'].seconds >= 60);

		await upload(id, sample);
		assert.equal(
			(await workspace.created('/call')).length,
			leads.length,
			'uploading it again calls nobody twice',
		);
	},

	async 'reports-by-mail.json'(name) {
		const { body } = await workspace.sandbox.api('POST /listings', {
			name: 'Spring & <Summer>',
			agent_uuid: agent.value,
			auto_start: true,
			contacts: ['0101', '0102', '0103'].map((end) => ({ phone_number: `+1212555${end}` })),
		});
		listing = { name: body.data.name, value: body.data.uuid };
		await eventually(
			async () =>
				(await workspace.sandbox.control('GET /state/conversations')).filter(
					({ status }) => status === 'Closed',
				).length === 3,
			soon,
		);
		await workspace.run(await imported(name), 'Every Day at 18:00');
		const [mail, ...others] = mailbox.mails.splice(0);
		assertNone(others);
		assert.equal(mail.to, 'me@example.com');
		assert.equal(mail.subject, 'Spring & <Summer>: 2 reached');
		assert.match(mail.html, /<h2[^>]*>Spring &amp; &lt;Summer><\/h2>/);
		assert.match(mail.html, /3 contacts, 3 conversations/);
		for (const [label, count, percent] of [
			['Reached', 2, 67],
			['Not reached', 1, 33],
			['Not begun', 0, 0],
		])
			assert.match(
				mail.html,
				new RegExp(`>${label}</td>.*?width: ${percent || 1}%.*?>${count} \\(${percent}%\\)<`),
			);
		assert.match(mail.html, /<td>no-answer<\/td><td align="right">1</);
		// The picture: a bar for each status, and the three conversations in the hours in which they began.
		const picture = mail.html.match(/<svg .*?<\/svg>/s)?.[0] ?? '';
		const bars = (kind) => picture.match(new RegExp(`<rect class="${kind}"[^>]*>`, 'g')) ?? [];
		assert.match(picture, /<text [^>]*>completed<\/text><rect class="status" [^>]*width="400"/);
		assert.equal(bars('status').length, 2);
		const { data } = (await workspace.sandbox.api('GET /conversations')).body.data;
		const began = data.map((one) => [one.call.status, Number(one.timestamp.slice(11, 13))].join());
		assert.deepEqual(
			bars('hour').map((bar) => Number(bar.match(/ x="(\d+)"/)?.[1])),
			[...new Set(began)].map((one) => Number(one.split(',')[1]) * 25 + 2).sort((a, b) => a - b),
		);
		assert.doesNotMatch(picture, /https?:(?!\/\/www\.w3\.org\/2000\/svg)/, 'it needs no network');

		await workspace.begin();
		await reportOfYesterday(name);
	},

	async 'stop-a-listing.json'(name) {
		const { most: liveLimit } = contract().document['x-limits'].liveCalls;
		await workspace.sandbox.control('PATCH /settings', { call: { lifeMs: 600_000, liveLimit: 1 } });
		const { body } = await workspace.sandbox.api('POST /listings', {
			name: 'To be stopped',
			agent_uuid: agent.value,
			auto_start: true,
			contacts: ['0111', '0112', '0113'].map((end) => ({ phone_number: `+1555010${end}` })),
		});
		listing = { name: body.data.name, value: body.data.uuid };
		const { nodes } = await workspace.run(await imported(name), 'Stop Now');
		const [{ json: told }] = nodes['Stop the Listing'].items;
		assert.deepEqual(
			[told.stopped, told.canceled, told.underWay, told.notCanceled],
			[true, 2, 1, 0],
		);
		await workspace.sandbox.control('PATCH /settings', { call: { lifeMs: 100, liveLimit } });
	},

	async 'tell-the-caller-where-the-order-is.json'(name) {
		const id = await imported(name);
		await workspace.run(id, 'Run Once');
		await workspace.run(id, 'Run Once');
		assert.equal((await workspace.rows('Orders')).length, 3, 'running it again adds nothing');
		const { answer } = await tried(id, 'Caller Asks for an Order', 'Say Where It Is');
		assert.match(answer, /^Order 4711 is on its way and arrives on \w+day, \d+ \w+\.$/);
		assertNone(
			(await workspace.sandbox.api(`GET /agents/${agent.value}`)).body.data.intents,
			'trying it changes nothing on the platform',
		);

		await workspace.publish(id);
		const conversation = await liveCall('+12125550101');
		const ask = async (number) =>
			await spoken(conversation, 'Where is my order', { order_number: number });
		for (const request of requests) {
			await workspace.sandbox.control('PATCH /settings', { intents: { request } });
			assert.equal(await ask('4711'), answer, request);
		}
		assert.equal(await ask('number 47 13'), 'Order 4713 has been delivered.');
		assert.equal(
			await ask('4'),
			'I cannot find the order 4. Could you read me the number again?',
			'never another one’s order',
		);
		await workspace.forgetTables();
		assert.match(await ask('4711'), /^I am sorry, I cannot look up orders right now/);
	},

	async 'ai-agent-with-the-platform-as-tools.json'(name) {
		const id = await imported(name);
		const conversation = await workspace.call('+12125550101');
		await workspace.closed(conversation);
		model.script([
			{ calls: [['Find_Conversations', { phone: '+12125550101' }]] },
			{
				calls: [
					['Read_a_Conversation', { conversation }],
					[
						'Send_an_SMS',
						{ phoneNumber: '+12125550101', message: 'Thank you, we will call on Monday.' },
					],
				],
			},
			{ text: 'Done.' },
		]);
		await workspace.host.request('POST', `/rest/workflows/${id}/run`, {
			triggerToStartFrom: { name: 'Chat' },
			chatSessionId: 'session',
		});
		const answer = await postJson(`${workspace.host.url}/webhook-test/${id}/session`, {
			action: 'sendMessage',
			sessionId: 'session',
			chatInput: 'What did +12125550101 say? Then thank that person.',
		});
		assert.equal(answer.status, 200, await answer.text());
		const [execution] = await workspace.executions(id, 1);
		const { nodes, status } = await workspace.host.getExecution(execution.id);
		assert.equal(status, 'success');
		assert.equal(nodes.Assistant.items[0].json.output, 'Done.');
		assert.match(model.results()['Find_Conversations'][0], new RegExp(conversation));
		assert.match(model.results()['Read_a_Conversation'][0], /Yes, go ahead/);
		assert.deepEqual(await messages(), [
			{ to: '+12125550101', text: 'Thank you, we will call on Monday.' },
		]);
	},
};

describe('Every example has notes for all that is to be filled in, lies on them, and holds nobody’s account', () => {
	test('each has a test here or is a recipe', () =>
		assert.deepEqual(
			[...new Set([...Object.keys(promises), ...recipes])].sort(),
			[...files].sort(),
		));

	for (const name of files)
		test(name, async () => {
			const { nodes, connections, pinData } = read(name);
			const [notes, steps] = lodash.partition(nodes, ({ type }) => type.endsWith('.stickyNote'));
			assert.ok(steps.length > 1 && notes.length > 0);
			assert.ok(Object.keys(connections).length > 0);
			if (!recipes.includes(name))
				assertNone(
					Object.keys(pinData).filter(
						(step) => !/\.acp(Intent)?Trigger$/.test(nodes.find((node) => node.name === step).type),
					),
					'only a trigger has a sample output pinned',
				);
			for (const { type } of steps)
				assert.match(
					type,
					new RegExp(
						`^(n8n-nodes-base\\.|@n8n/n8n-nodes-langchain\\.|${packageName.replace('.', '\\.')})`,
					),
					'nodes of n8n and of this package alone',
				);
			for (const { name: step, credentials = {} } of steps)
				for (const { id } of Object.values(credentials))
					assert.equal(id, '', `${step}: the account is the reader's to choose`);
			for (const from of Object.keys(connections))
				assert.ok(
					steps.some(({ name: step }) => step === from),
					from,
				);

			const size = 100;
			for (const [
				index,
				{
					name: step,
					position: [x, y],
				},
			] of steps.entries()) {
				for (const { name: other, position } of steps.slice(index + 1))
					assert.ok(
						Math.abs(position[0] - x) >= size || Math.abs(position[1] - y) >= size,
						`${step} and ${other} lie on each other`,
					);
				const inside = notes.some(
					({ position, parameters }) =>
						x >= position[0] &&
						y >= position[1] &&
						x + size <= position[0] + parameters.width &&
						y + size <= position[1] + parameters.height,
				);
				assert.ok(inside, `${step} lies on no note`);
			}
			// whoever imports it finds in the notes everything that has to be filled in
			const text = notes.map(({ parameters }) => parameters.content).join('\n');
			for (const { name: step, type, credentials, parameters } of steps) {
				const open =
					credentials ||
					type.startsWith(packageName) ||
					[parameters.agent?.value, parameters.phoneNumber, parameters.toEmail].includes('');
				if (open)
					assert.ok(
						text.includes(`*${step}*`) || (type.includes('.acp') && type.endsWith('Tool')),
						`the notes do not name "${step}"`,
					);
			}
			const unnamed = steps
				.flatMap((node) => missingIn(node, types))
				.filter((label) => !text.toLowerCase().includes(label.toLowerCase()));
			assertNone(unnamed, 'empty, and no note says so');
		});
});

describe('Every example does what it promises', () => {
	for (const name of Object.keys(promises))
		test(name, async () => {
			await workspace.begin();
			await promises[name](name);
		});
});

describe('The workflow of a guide: the first hour with a workspace', () => {
	const own = '+12125550101';
	const answers = { my_number: own, call_my_phone: true };
	const file = join('..', 'docs', 'guides', 'first-hour.json');

	test('what the platform does is found out, the test contact is gone, and one call is made', async () => {
		await workspace.begin();
		const id = await imported(file, ({ name, parameters }) => {
			if (name !== 'My Answers') return;
			for (const one of parameters.assignments.assignments)
				if (one.name in answers) one.value = answers[one.name];
		});
		const before = await workspace.sandbox.control('GET /state/contacts');
		const { nodes } = await workspace.run(id, 'Start');
		const said = (name) => nodes[name].items[0].json;
		const { update, blacklisted_contact_found, fields_that_differ } =
			said('What the Platform Does');
		assert.equal(update, 'merges: the other fields stay');
		assert.equal(blacklisted_contact_found, 'yes');
		assert.match(fields_that_differ, /status/);
		assert.equal(said('One Call or Two').same_conversation, 'yes');
		assert.equal((await workspace.created('/call')).length, 1);
		const others = (await workspace.sandbox.control('GET /state/contacts')).filter(
			(one) => one.phone_number !== own,
		);
		assert.deepEqual(others.map(({ uuid }) => uuid).sort(), before.map(({ uuid }) => uuid).sort());
	});

	test('the bin lets the first request of each kind through, whatever a kind says of itself', async () => {
		await workspace.begin();
		const id = await imported(file);
		await workspace.publish(id);
		const { path } = read(file).nodes.find(({ name }) => name === 'Bin').parameters;
		const url = `${workspace.host.url}/webhook/${path}`;
		const events = ['conversation_status', 'voice_evaluation'];
		await workspace.sandbox.api(`POST /agents/${agent.value}/webhooks`, {
			url,
			events,
			secret_key: randomUUID(),
			is_active: true,
		});
		const { body: made } = await workspace.sandbox.api(`POST /agents/${agent.value}/intents`, {
			name: 'Order',
			webhook: { url, auth_token: randomUUID() },
			parameters: [],
		});
		const conversation = await liveCall(own);
		const trigger = async () =>
			await workspace.sandbox.control('POST /intents', {
				conversation,
				intent: made.data.intent_uuid,
			});
		const arrivals = [events[0], events[0], events[1]].map(
			(event) => async () => await deliver(event, { duration: 7 }),
		);
		// One after the other: n8n lets equal requests of the same moment through.
		for (const [index, arrive] of [...arrivals, trigger, trigger].entries()) {
			await arrive();
			await workspace.started(id, index + 1);
		}
		const executions = await workspace.started(id, 5);
		const passed = executions.flatMap(({ nodes }) =>
			nodes['First of Each Kind'].outputs[0].map(({ json }) => json),
		);
		assert.deepEqual(
			passed.map(({ body }) => body.event ?? 'an intent').sort(),
			['an intent', ...events].sort(),
		);
		assert.ok(passed.every(({ headers }) => headers['content-type'].includes('json')));
	});
});
