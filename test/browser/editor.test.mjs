/**
 * What a builder sees and does, in the editor of a real n8n, against the sandbox: from searching the node panel to
 * the outcome. A screenshot of every failure is kept in .local/browser.
 */
import assert, { assertNone } from '../asserted.mjs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, afterEach, before, describe, test } from 'node:test';
import { until } from '../../tools/host-client.mjs';
import { localFolder } from '../../tools/bootstrap.mjs';
import { keepFailure, startWorkbench } from '../../tools/browser.mjs';
import { jsonOf } from '../../tools/files.mjs';
import { action, byId, chosen, manualTrigger, raw, set } from '../../tools/workspace.mjs';
import { inFull } from '../full.mjs';

/** More than a page of the platform's list of agents holds. */
const manyAgents = 120;

let bench;
let editor;
/** Folder of the sheets that n8n may read. @type {string} */
let files;
/** The agents of the sandbox, in the order in which it made them. @type {any[]} */
let agents;
let first;
let second;

before(async () => {
	await rm(join(localFolder, 'browser'), { recursive: true, force: true });
	bench = await startWorkbench({ agents: manyAgents });
	files = bench.files;
	editor = bench.editor;
	agents = await bench.sandbox.control('GET /state/agents');
	[first, second] = agents;
});
after(async () => {
	await bench?.close();
});

afterEach(async (context) => {
	await keepFailure(context, editor?.page);
	await bench?.sandbox.control('DELETE /faults');
});

const textOf = async (locator) => (await locator.innerText()).replace(/\s+/g, ' ').trim();

/** @param {{agent_uuid: string, name: string}} agent as a locator's stored value */
const chosenAgent = ({ agent_uuid: value, name }) => chosen({ name, value });

/** Opens a new workflow of these nodes. @returns {Promise<string>} its ID */
async function open(name, ...nodes) {
	const id = await bench.workflow(name, nodes);
	await editor.openWorkflow(id);
	return id;
}
const eventTrigger = { name: 'Conversation Event Trigger', type: 'acpTrigger' };
/** The rows of a file of `files`. */
const rowsOf = (file) => [
	{
		name: `Read ${file}`,
		type: 'n8n-nodes-base.readWriteFile',
		typeVersion: 1.1,
		parameters: { operation: 'read', fileSelector: file },
	},
	{
		name: 'Rows',
		type: 'n8n-nodes-base.extractFromFile',
		typeVersion: 1.1,
		parameters: { operation: 'csv' },
	},
];
const assertExecutes = async () =>
	assert.equal(await editor.execute(), 'success', await textOf(editor.output));
const hasSucceeded = async (id) => {
	assert.ok((await bench.executions(id, 1)).every(({ status }) => status === 'success'));
	await editor.openExecutions(id);
	await editor.executions.filter({ hasText: 'Succeeded' }).first().waitFor();
	assert.equal(await editor.executions.count(), 1);
};

// That words of people find each node: test/ai/ai.test.mjs.
describe('the node panel', () => {
	test('a node offers its actions in sentences; a chosen one stands filled in on the canvas', async () => {
		await open('Actions', manualTrigger);
		await editor.searchPanel('phone call');
		await editor.panelItem('Phone Calls (ACP)').click();
		await editor.panelItem('Start a call and wait for its outcome').waitFor();
		await editor.panelItem('Start a call').click();
		await editor.parameters.waitFor();
		assert.equal(await editor.field('resource').locator('input').inputValue(), 'Call');
		assert.equal(await editor.field('operation').locator('input').inputValue(), 'Start');
		assert.match(
			await textOf(editor.parameters),
			/This places real calls that cost money\. Running it again calls again; 'Reach Each Person' under Options prevents that\./,
		);
	});
});

describe('the credential', () => {
	test('a wrong token is explained in a sentence, the right one is tested well', async () => {
		await open('Credential', manualTrigger, { name: 'Agents', type: 'acpAgents' });
		await editor.openNode('Agents');
		await editor.newCredential();
		await editor.fillCredential({ baseUrl: bench.sandbox.url, token: 'not-a-token' });
		await editor.saveCredential();
		await editor.credential.getByText('More details').click();
		assert.match(
			await textOf(editor.credential),
			/The platform did not accept the token\. It is mistyped, incomplete or revoked. Create one in your profile's Developer section/,
		);

		await editor.fillCredential({ token: bench.sandbox.token });
		await editor.saveCredential();
		// n8n closes the form of a credential that works
		await editor.credential.waitFor({ state: 'hidden' });
		const { id } = (await bench.host.listCredentials()).find(
			({ name }) => name !== bench.credential.name,
		);
		assert.deepEqual(await bench.host.testCredential(id), {
			status: 'OK',
			message: 'Connection successful!',
		});
		await bench.host.deleteCredential(id);
	});
});

describe('agents', inFull, () => {
	test('one of more than a hundred is found by a search, and its voice by its fields', async () => {
		const last = agents.at(-1);
		await open(
			'Voice',
			manualTrigger,
			action('Voice', 'acpAgents', 'agentVoice.updateVoiceAdvanced'),
		);
		await editor.openNode('Voice');
		await editor.parameters
			.getByText("Choose 'Agent' first to list the fields of its voice")
			.waitFor();

		await editor.chooseInList('agent', last.name, last.name);
		assert.equal(
			await editor.field('agent').getByTestId('rlc-input').inputValue(),
			`${last.name} – ${last.company_name}`,
		);

		await editor.chooseInList('agent', first.name, first.name);
		await editor.addMappedField('Stability (0 to 1, now 0.5)');
		await editor.mapper.getByText('Stability (0 to 1, now 0.5)').waitFor();

		await editor.chooseInList('agent', second.name, second.name);
		await editor.addMappedField('Speed (one of 0.8, 1, 1.2, now 1)');
		await editor.choose('speed', '1.2');
		await assertExecutes();
		const [{ path, body }] = await bench.sandbox.control('GET /ledger?method=PATCH');
		assert.deepEqual(
			{ path, body },
			{ path: `/agents/${second.agent_uuid}/voice-advanced`, body: { speed: 1.2 } },
		);
	});
});

describe('what only the workspace knows', inFull, () => {
	test('custom fields of contacts can be chosen', async () => {
		await bench.sandbox.api('POST /contacts/fields', {
			key: 'loyalty_number',
			name: 'Loyalty Number',
			type: 'text',
		});
		await open('Contact', manualTrigger, action('Contact', 'acpContacts', 'contact.create'));
		await editor.openNode('Contact');
		await editor.addMappedField('Loyalty Number (loyalty_number)');
		const field = editor.mapper.getByText('Loyalty Number (loyalty_number)');
		await field.waitFor();
		assert.ok(await field.isVisible());
	});

	test('columns of a table can be filled in and are written', async () => {
		const { body } = await bench.sandbox.api('POST /data/tables', {
			name: 'Prices',
			columns: [
				{ name: 'product', data_type: 'text' },
				{ name: 'price', data_type: 'number' },
			],
		});
		await open(
			'Rows',
			manualTrigger,
			action('Row', 'acpTables', 'record.create', { table: byId(body.data.uuid) }),
		);
		await editor.openNode('Row');
		await editor.addMappedField('price (number)');
		await editor.fill('price', '9.5');
		await assertExecutes();
		const [written] = await bench.sandbox.control(
			`GET /ledger?method=POST&path=/data/${body.data.uuid}/records`,
		);
		assert.deepEqual(written.body.record, { price: 9.5 });
	});

	test('contacts mapped automatically keep their names and email addresses', async () => {
		const row = {
			'Phone Number': '+14155550177',
			name: 'Zoe',
			Nachname: 'Doe',
			email: 'zoe@example.com',
			shoe: 39,
		};
		await open(
			'Sheet',
			manualTrigger,
			raw('Rows', JSON.stringify(row)),
			action('Listing', 'acpOutreach', 'listing.createFromItems', { name: 'Spring' }),
		);
		await editor.openNode('Listing');
		await editor.mapper.getByText('Phone Number').first().waitFor();
		await editor.chooseMapping('Map Automatically');
		await assertExecutes();
		const [made] = await bench.sandbox.control('GET /ledger?method=POST&path=/listings');
		assert.deepEqual(made.body.contacts, [
			{ phone_number: '+14155550177', name: 'Zoe', surname: 'Doe', email: 'zoe@example.com' },
		]);
		await editor.output.getByText('Not sent: "shoe"').waitFor();
	});

	test('a template is shown with its whole text, its placeholders with the words around them', async () => {
		const [pattern] = await bench.sandbox.control('GET /state/whatsapp_templates');
		const lines = ['Hello {{1}}, <b>your</b> order {{2}} is confirmed.', '', 'x'.repeat(40)];
		const content = lines.join('\n').padEnd(1014, ' and so on').concat('. The end.');
		await bench.sandbox.control('POST /state/whatsapp_templates', {
			...pattern,
			name: 'long',
			content,
			uuid: undefined,
		});
		await open(
			'Template',
			manualTrigger,
			action('WhatsApp', 'acpMessages', 'whatsapp.sendTemplate'),
		);
		await editor.openNode('WhatsApp');
		await editor.chooseInList('template', 'long');
		const text = editor.mapper.getByTestId('empty-fields-notice').filter({ hasText: 'The end.' });
		await text.waitFor();
		assert.equal((await text.innerText()).trim(), content);
		assert.ok(await text.evaluate((box) => box.scrollHeight <= box.clientHeight));
		for (const label of ['1: Hello {{1}}, <b>your', '2: …<b>your</b> order {{2}}'])
			await editor.mapper.getByText(label).waitFor();
	});
});

describe('what cannot be loaded is told in a sentence', inFull, () => {
	test('in lists, dropdowns and mapped fields', async () => {
		await bench.sandbox.control('POST /faults', [
			{ match: { path: '^/agents' }, fault: { kind: 'status', status: 403, code: 'FORBIDDEN' } },
		]);
		await open(
			'Forbidden',
			eventTrigger,
			action('Voice', 'acpAgents', 'agentVoice.updateVoiceAdvanced', { agent: chosenAgent(first) }),
		);
		const sentence = 'The token is valid, but it has no permission for this.';
		await editor.openNode('Voice');
		await editor.mapper.getByText(sentence).waitFor();
		await editor.openList('agent');
		await editor.page.getByTestId('rlc-error-container').getByText(sentence.slice(0, -1)).waitFor();
		await editor.closeNode();
		await editor.openNode('Conversation Event Trigger');
		// An error is no agent that could be chosen.
		const agentsOfTrigger = editor.page.getByTestId('parameter-input-agents');
		await until('the list to have failed', async () =>
			/^Error fetching options/.test(await agentsOfTrigger.locator('input').inputValue()),
		);
		await agentsOfTrigger.getByTestId('parameter-issues').locator('svg').hover();
		const why = editor.page.getByText(sentence.slice(0, -1)).first();
		await why.waitFor();
		assert.ok(await why.isVisible());
	});
});

describe('a run', () => {
	test('places the call and shows what became of it; a number that cannot be called is named, and nothing is sent', async () => {
		await bench.sandbox.control('DELETE /ledger');
		await open('Call', manualTrigger, { name: 'Call', type: 'acpCalls' });
		await editor.openNode('Call');
		// adding the node, choosing an agent and giving a number is enough
		await editor.chooseInList('agent', first.name);
		await editor.fill('phoneNumber', '0415 555 0123');
		assert.equal(await editor.execute(), 'danger');
		assert.equal(
			await textOf(editor.output.getByTestId('node-error-message')),
			'\'Phone Number\' is not a phone number in international format: "0415 555 0123". ' +
				"Choose 'Default Country' under Options, or put a plus and " +
				'the country code before it, for example +14155550123',
		);
		assert.equal(
			await textOf(editor.output.getByTestId('node-error-description')),
			'Nothing was sent.',
		);

		await editor.fill('phoneNumber', '+14155550123');
		await assertExecutes();
		await editor.showOutput('JSON');
		const calls = (await bench.sandbox.control('GET /ledger?path=/call&method=POST')).filter(
			({ effect }) => effect === 'created',
		);
		assert.deepEqual(
			calls.map(({ body }) => body.participant.number),
			['+14155550123'],
		);
		const [{ conversation_uuid: conversation }] = await bench.sandbox.control('GET /state/calls');
		assert.match(
			await textOf(editor.output),
			new RegExp(`"conversation_uuid": ?"${conversation}"`),
		);
	});

	test('with Preview shows the request and sends nothing', async () => {
		await bench.sandbox.control('DELETE /ledger');
		await open('Preview', manualTrigger, {
			name: 'Call',
			type: 'acpCalls',
			parameters: { agent: chosenAgent(first), phoneNumber: '+14155550123' },
		});
		await editor.openNode('Call');
		await editor.addToCollection('Add Option', 'Preview');
		await editor.field('preview').locator('.el-switch').click();
		await editor.addToCollection('Add Option', 'Advanced');
		await editor.addToCollection('Add Advanced Option', 'Max Retries');
		await assertExecutes();
		await editor.showOutput('JSON');
		assert.match(await textOf(editor.output), /"preview": ?true.*"number": ?"\+14155550123"/);
		assert.deepEqual(await bench.sandbox.control('GET /ledger?path=/call&method=POST'), []);
	});
});

describe('the same person', inFull, () => {
	test('is reached only once however often the step is run, and the output says who answered', async () => {
		await bench.sandbox.control('DELETE /ledger');
		await open(
			'Once',
			manualTrigger,
			action('Call', 'acpCalls', 'call.startAndWait', {
				agent: chosenAgent(first),
				phoneNumber: '+14155550124',
			}),
		);
		await editor.openNode('Call');
		await editor.addToCollection('Add Option', 'Reach Each Person');
		await editor.choose('reachEachPerson', 'Only Once');
		await assertExecutes();
		await editor.showOutput('JSON');
		await editor.output.getByText('"answered"').first().waitFor();
		assert.match(await textOf(editor.output), /"answered": ?"yes"/);
		await assertExecutes();
		await editor.output.getByText('Skipped Branch (1 item)').click();
		await editor.output
			.getByText('Skipped: this node already reached this person')
			.first()
			.waitFor();
		const calls = await bench.sandbox.control('GET /ledger?path=/call&method=POST');
		assert.equal(calls.length, 1);
	});
});

describe('what a row says is text', inFull, () => {
	test('a link in it is shown in a hint as it is written, and is no link', async () => {
		const link = '<a href="//x.example">Go</a>';
		const cell = `"${link.replaceAll('"', '""')}"`;
		await writeFile(join(files, 'links.csv'), ['Phone', cell, cell].join('\n'));
		const to = { agent: chosenAgent(first), phoneNumber: '={{ $json.Phone }}', message: 'Hello' };
		const send = action('Send', 'acpMessages', 'sms.send', to, {
			onError: 'continueRegularOutput',
		});
		await open('Link', manualTrigger, ...rowsOf('links.csv'), send);
		await editor.openNode('Send');
		await assertExecutes();
		await editor.output.getByText(link).first().waitFor();
		assert.equal(await editor.page.locator('a[href*="x.example"]').count(), 0);
	});
});

describe('a sheet as people have it', inFull, () => {
	/** Rows as a spreadsheet exports them; twelve of the thirty are not as the platform wants them. */
	const wrong = {
		'no country code': '(415) 867-5309',
		'two zeros': '0049 30 901820',
		'a link': 'tel:+90 532 123 45 67',
		'full width': '＋１４１５８６７５３１０',
		'the same again': '+1 (415) 867-5309',
		'no number': '',
		scientific: '5.32123E+9',
		extension: '+1 415 867 5311 ext. 12',
		'too short': '123',
		'two numbers': '+14158675312 / +14158675313',
		blacklisted: '+1 415 867-5314',
		'opted out': '415.867.5315',
	};
	const rows = [
		...Array.from({ length: 18 }, (_, index) => [`Person ${index}`, `+1415867${2000 + index}`]),
		...Object.entries(wrong).map(([name, phone]) => [
			// Rows of one number are one contact if they agree.
			name === 'the same again' ? 'no country code' : name,
			phone,
		]),
	];

	test('becomes a listing without code and without reformatting', async () => {
		await writeFile(
			join(files, 'leads.csv'),
			['Name,Phone', ...rows.map((cells) => cells.map((cell) => `"${cell}"`).join(','))].join('\n'),
		);
		const { body } = await bench.sandbox.api('POST /contacts', { phone_number: '+14158675314' });
		await bench.sandbox.api(`POST /contacts/${body.data.uuid}/blacklist`, { reason: 'said no' });
		await bench.sandbox.control('DELETE /ledger');
		const posted = async () =>
			await bench.sandbox.control('GET /ledger?path=/listings&method=POST');
		await open('Sheet', manualTrigger, ...rowsOf('leads.csv'), {
			name: 'Listing',
			type: 'acpOutreach',
		});
		await editor.openNode('Rows');
		await assertExecutes();
		await editor.closeNode();

		// columns are dragged, the agent is chosen: that is all that is needed
		await editor.openNode('Listing');
		await editor.fill('name', 'Spring offer');
		await editor.chooseInList('agent', first.name, first.name);
		await editor.dragColumn('Phone', 'phone_number');
		await editor.addMappedField('Name');
		await editor.dragColumn('Name', 'name');
		assert.equal(await editor.execute(), 'danger');
		const told = await textOf(editor.output.getByTestId('node-error-description'));
		assert.match(told, /Nothing was sent\./);
		assert.match(told, /'Default Country' under Options/);
		assert.deepEqual(await posted(), []);

		await editor.addToCollection('Add Option', 'Default Country');
		await editor.chooseInList('defaultCountry', 'United States', 'United States');
		await editor.addToCollection('Add Option', 'Skip Numbers');
		await editor.fill('skipNumbers', '+1 (415) 867-5315');
		await editor.addToCollection('Add Option', 'Skip Blacklisted Contacts');
		await editor.field('skipBlacklistedContacts').locator('.el-switch').click();
		await editor.addToCollection('Add Option', 'Preview');
		await editor.field('preview').locator('.el-switch').click();
		await editor.onError('Continue');
		await assertExecutes();
		assert.match(
			await textOf(editor.output),
			/22 contacts would be added to the listing, from 30 items\. Skipped: 1 in 'Skip Numbers', 1 blacklisted\. 1 item was merged into an earlier one with the same number\. 5 items cannot be sent/,
		);
		assert.deepEqual(await posted(), []);

		await editor.field('preview').locator('.el-switch').click();
		await editor.field('autoStart').locator('.el-switch').click();
		await assertExecutes();
		const [launched, ...more] = await posted();
		assert.deepEqual(more, []);
		assert.equal(launched.body.auto_start, true);
		const numbers = launched.body.contacts.map(({ phone_number: number }) => number);
		assert.deepEqual(numbers, [
			...rows.slice(0, 18).map(([, number]) => number),
			'+14158675309',
			'+4930901820',
			'+905321234567',
			'+14158675310',
		]);
		assert.match(
			await textOf(editor.output),
			/22 contacts were added to the listing, from 30 items/,
		);
	});
});

describe('the trigger', () => {
	test('is published with agents from the list, and an event becomes an execution that a person sees', async () => {
		const workflow = await open('Outcomes', eventTrigger);
		await editor.openNode('Conversation Event Trigger');
		await editor.openDropdown('agents');
		await editor.option(`${first.name} – `).click();
		await editor.option(`${second.name} – `).click();
		await editor.page.keyboard.press('Escape');
		await editor.closeNode();
		await editor.publish();
		const webhooks = await until(
			'a webhook on each of the two agents',
			async () => {
				const registered = await bench.sandbox.control('GET /state/webhooks');
				return registered.length === 2 && registered;
			},
			60_000,
		);
		assert.deepEqual(
			webhooks.map(({ agent_uuid: agent }) => agent).sort(),
			[first.agent_uuid, second.agent_uuid].sort(),
		);

		await bench.deliver(second.agent_uuid);
		await hasSucceeded(workflow);
	});

	test('its Docs button opens the page of the trigger, not another', inFull, async () => {
		await open('Docs', eventTrigger);
		await editor.openNode('Conversation Event Trigger');
		const docs = editor.page.getByRole('link', { name: 'Docs', exact: true });
		await docs.waitFor();
		assert.match(await docs.getAttribute('href'), /\/docs\/nodes\/acpTrigger\.md(\?|$)/);
		await editor.closeNode();
	});
});

describe('the intent trigger', inFull, () => {
	/** Opens a workflow that says when an order arrives. */
	const answering = async (name) => {
		const answer = '=Order {{ $json.parameters.order_number }} arrives on Friday.';
		const trigger = { name: 'Caller Asks', type: 'acpIntentTrigger' };
		const id = await open(name, trigger, set(answer, 'Say When'));
		await editor.openNode('Caller Asks');
		return id;
	};

	/** Publishes, has the agent ask, and looks at what it speaks and at what a person sees of it. */
	async function assertAnswers(workflow, agent, intent) {
		await editor.fill('responseField', 'answer');
		await editor.closeNode();
		await editor.publish();
		await until(
			'the intent to call n8n',
			async () => {
				const { body } = await bench.sandbox.api(`GET /agents/${agent}`);
				return body.data.intents.some(({ name, webhook }) => name === intent && webhook?.url);
			},
			60_000,
		);
		const { spoken } = await bench.sandbox.control('POST /intents', {
			agent,
			intent,
			parameters: { order_number: '4711' },
		});
		assert.equal(spoken, 'Order 4711 arrives on Friday.');
		await hasSucceeded(workflow);
	}

	before(async () => {
		await bench.sandbox.control('PATCH /settings', { call: { lifeMs: 3_600_000 } });
		await bench.sandbox.api('POST /call', {
			agentId: first.agent_uuid,
			participant: { number: '+14155550177' },
		});
	});

	test('is published with an intent from the list, and the agent speaks what the workflow answers', async () => {
		await bench.sandbox.api(`POST /agents/${first.agent_uuid}/intents`, {
			name: 'Order status',
			parameters: [{ key: 'order_number', type: 'string', default: '', required: true }],
		});
		const workflow = await answering('Order status');
		await editor.chooseInList('agent', first.name);
		await editor.chooseInList('intent', 'Order status');
		await assertAnswers(workflow, first.agent_uuid, 'Order status');
	});

	test('makes an intent with what the agent is to find out', async () => {
		const workflow = await answering('Where is my order');
		await editor.chooseInList('agent', first.name);
		await editor.choose('intentToUse', 'New Intent');
		await editor.fill('intentName', 'Where is my order');
		await editor.parameters.getByText('Add Parameter', { exact: true }).click();
		await editor.fill('key', 'order_number');
		await assertAnswers(workflow, first.agent_uuid, 'Where is my order');
		const { body } = await bench.sandbox.api(`GET /agents/${first.agent_uuid}`);
		const { parameters } = body.data.intents.find(({ name }) => name === 'Where is my order');
		assert.deepEqual(
			parameters.map(({ key, type }) => [key, type]),
			[['order_number', 'string']],
		);
	});
});

// What each recipe shows then: recipes.test.mjs.
test(
	'an imported recipe: a click on Execute workflow shows the whole way, before any account is chosen',
	inFull,
	async () => {
		const name = 'missed-call-then-whatsapp-then-sms';
		const example = jsonOf('examples', `${name}.json`);
		const { id } = await bench.host.createWorkflow(example);
		await bench.sandbox.control('DELETE /ledger');
		await editor.openWorkflow(id);
		await editor.executeWorkflow();
		const [{ status }] = await bench.executions(id, 1);
		assert.equal(status, 'success');
		// What the tests above have published looks after what it registered.
		const isLook = ({ method, path }) => method === 'GET' && path.startsWith('/agents/');
		const ledger = await bench.sandbox.control('GET /ledger');
		assertNone(
			ledger.filter((one) => !isLook(one)),
			'nothing is asked',
		);
	},
);

test(
	'a cell with HTML is text in the message of an error, also in the corner',
	inFull,
	async () => {
		const link = '<a href="https://x.example" style="position:fixed;inset:0">Go</a>';
		await open(
			'HTML',
			manualTrigger,
			set(link, 'Cell'),
			action('Send', 'acpMessages', 'sms.send', {
				agent: chosenAgent(first),
				phoneNumber: '={{ $json.answer }}',
				message: 'Hello',
			}),
		);
		await editor.executeWorkflow();
		const corner = editor.page.locator('.el-notification').filter({ hasText: '‹a href' });
		await corner.first().waitFor();
		assert.equal(await editor.page.locator('a[href*="x.example"]').count(), 0);
	},
);
