/**
 * The customer's side in a browser, beside a real n8n: a workflow calls, somebody picks up on the page with the
 * keyboard alone and asks, another workflow answers, and the outcome starts a third one.
 */
import assert from '../asserted.mjs';
import { after, afterEach, before, describe, test } from 'node:test';
import { until } from '../../tools/host-client.mjs';
import { keepFailure, startWorkbench } from '../../tools/browser.mjs';
import { action, byId, manualTrigger, set } from '../../tools/workspace.mjs';
import { inFull } from '../full.mjs';

let bench;
let page;
/** What the browser complained about. @type {string[]} */
const complaints = [];

/** Goes on with the tabulator until a button or a field has the focus. @param {RegExp} name */
async function tabTo(name) {
	const focused = page.locator(':focus');
	for (let presses = 0; presses < 40; presses += 1) {
		await page.keyboard.press('Tab');
		const label = (await focused.getAttribute('aria-label')) ?? (await focused.textContent()) ?? '';
		if (name.test(label)) return;
	}
	throw new Error(`The tabulator does not lead to ${name}`);
}

/** @param {string} workflow @returns {Promise<any>} its first execution that succeeded */
async function succeeded(workflow) {
	const { id } = await until(
		'the execution',
		async () =>
			(await bench.host.listExecutions({ workflowId: workflow })).find(
				({ status }) => status === 'success',
			),
		30_000,
	);
	return await bench.host.getExecution(id);
}

describe("the customer's side", inFull, () => {
	before(async () => {
		bench = await startWorkbench();
		await bench.sandbox.control('PATCH /settings', { call: { ringMs: 600_000 } });
		page = await bench.browser.newPage({ reducedMotion: 'reduce' });
		page.on('console', (message) => complaints.push(message.text()));
		page.on('pageerror', (error) => complaints.push(String(error)));
		await page.goto(bench.sandbox.page);
		await page.getByText('live', { exact: true }).waitFor();
	});
	after(() => bench?.close());
	afterEach((context) => keepFailure(context, page));

	test('a workflow calls; by keyboard one picks up, asks, hears a workflow, hangs up; the outcome arrives in n8n', async () => {
		const [agent] = await bench.sandbox.control('GET /state/agents');
		const outcome = await bench.workflow('Outcome', [
			{
				name: 'Conversation Event Trigger',
				type: 'acpTrigger',
				parameters: { agents: [agent.agent_uuid] },
			},
			action('Conversation', 'acpConversations', 'conversation.get', {
				conversation: byId('={{ $json.data.conversation_uuid }}'),
				simplify: false,
			}),
		]);
		const answer = await bench.workflow('Answer', [
			{
				name: 'Caller Asks',
				type: 'acpIntentTrigger',
				parameters: {
					agent: byId(agent.agent_uuid),
					intentToUse: 'create',
					intentName: 'Where is my order',
					intentParameters: {
						parameter: [{ key: 'order_number', type: 'string', default: '', required: true }],
					},
					responseField: 'answer',
				},
			},
			set('=Order {{ $json.parameters.order_number }} arrives on Friday.', 'Say When'),
		]);
		for (const id of [outcome, answer]) await bench.publish(id);
		const calling = await bench.workflow('Call', [
			manualTrigger,
			{
				name: 'Call',
				type: 'acpCalls',
				parameters: { agent: byId(agent.agent_uuid), phoneNumber: '+14155550123' },
			},
		]);
		await bench.run(calling);

		await page.getByText('1 phone rings', { exact: true }).waitFor();
		assert.equal(await page.title(), "1 phone rings · The customer's side");
		assert.match(
			await page.locator('[aria-live=assertive]').textContent(),
			/^1 phone rings: \+1415/,
		);
		await tabTo(/^Pick up/);
		await page.keyboard.press('Enter');
		// Whoever has picked up can speak without looking for the field.
		await page.getByLabel('What the customer says').and(page.locator(':focus')).waitFor();
		await page.keyboard.type('Hello?');
		await page.keyboard.press('Enter');
		const transcript = page.getByLabel('Transcript');
		await transcript.getByText('Hello?').waitFor();
		await page.keyboard.press('Shift+Tab');
		await page.keyboard.press('Shift+Tab');
		await page.keyboard.press('Shift+Tab');
		await tabTo(/^order number$/);
		await page.keyboard.type('4711');
		await page.keyboard.press('Enter');
		await transcript.getByText('Order 4711 arrives on Friday.').waitFor();
		await tabTo(/interested/);
		await page.keyboard.type('wants');
		await tabTo(/^Hang up$/);
		await page.keyboard.press('Enter');
		await page.getByText(/^wants to be called back/).waitFor();

		const { nodes } = await succeeded(outcome);
		const [{ json }] = nodes.Conversation.items;
		assert.equal(json.status, 'Closed');
		assert.match(json.call.summary, /callback_requested/);
		assert.ok(json.call.duration >= 1);
		const events = page.getByLabel('Events to n8n').getByRole('row');
		await events
			.filter({ hasText: 'conversation_end_report' })
			.filter({ hasText: '200' })
			.waitFor();
		assert.deepEqual(complaints, []);
	});

	test('an SMS of a workflow is answered; bad days are begun and ended; it is light and dark', async () => {
		const [agent] = await bench.sandbox.control('GET /state/agents');
		const writing = await bench.workflow('SMS', [
			manualTrigger,
			action('SMS', 'acpMessages', 'sms.send', {
				agent: byId(agent.agent_uuid),
				phoneNumber: '+14155550123',
				message: '<b>Your order is here.</b>',
			}),
		]);
		await bench.run(writing);
		// Markup is text.
		await page.getByText('<b>Your order is here.</b>').waitFor();
		await page.getByLabel(/^Reply to/).fill('Thank you');
		await page.keyboard.press('Enter');
		await page.getByRole('listitem').filter({ hasText: 'Customer: Thank you' }).last().waitFor();

		await page.getByRole('button', { name: 'Maintenance for 30 s' }).click();
		await page.getByText(/^status 503 for \d+ s$/).waitFor();
		assert.equal((await bench.sandbox.api('GET /agents')).status, 503);
		await page.getByRole('button', { name: 'Everything as usual' }).click();
		await page.getByText(/^status 503/).waitFor({ state: 'hidden' });
		assert.equal((await bench.sandbox.api('GET /agents')).status, 200);

		const background = async (colorScheme) => {
			await page.emulateMedia({ colorScheme });
			return await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
		};
		assert.notEqual(await background('dark'), await background('light'));

		await page.getByRole('button', { name: 'Start afresh' }).click();
		await page.getByText('No SMS, no WhatsApp message').waitFor();
		assert.equal((await bench.sandbox.control('GET /state/webhooks')).length, 1);
		assert.deepEqual(complaints, []);
	});
});
