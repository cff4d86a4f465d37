/** The customer's side in a browser, without n8n: the first minute, a crowd, the proof, and a narrow screen. */
import assert from '../asserted.mjs';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { startSandbox } from '../../sandbox/client.mjs';
import { keepFailure, startBrowser } from '../../tools/browser.mjs';
import { inFull } from '../full.mjs';

const formUrl = 'http://localhost:5678/form/leads';

let sandbox;
let browser;
let page;
let agent;

describe("the customer's side without n8n", inFull, () => {
	before(async () => {
		sandbox = await startSandbox();
		browser = await startBrowser();
	});
	after(async () => {
		await browser?.close();
		await sandbox?.stop();
	});
	beforeEach(async () => {
		await sandbox.control('POST /reset', {
			settings: {
				call: { ringMs: 600_000 },
				page: { formUrl },
				rate: { send: { limit: 1000 }, general: { limit: 100_000 } },
			},
		});
		[agent] = await sandbox.control('GET /state/agents');
		page = await open();
	});
	afterEach(async (context) => {
		await keepFailure(context, page);
		await page.close();
	});

	async function open() {
		const opened = await browser.newPage({
			viewport: { width: 1280, height: 800 },
			reducedMotion: 'reduce',
		});
		await opened.goto(sandbox.page);
		await opened.getByText('live', { exact: true }).waitFor();
		return opened;
	}

	const call = (number, more = {}) =>
		sandbox.api('POST /call', { agentId: agent.agent_uuid, participant: { number }, ...more });

	const crowd = async () => {
		// Half of them are contacts with a name.
		const numbers = Array.from({ length: 50 }, (_, index) => `+90${5_550_000_000 + index}`);
		for (const number of numbers) await call(number);
		await page.getByText('50 phones ring', { exact: true }).waitFor();
	};

	const button = (name, on = page) => on.getByRole('button', { name });

	const focused = (on = page) =>
		on.evaluate(() => document.activeElement?.id || document.activeElement?.tagName);

	/** Everything below an element that is wider than its place. */
	const cutOff = (selector) =>
		page.evaluate(
			(within) =>
				[...document.querySelectorAll(`${within} *`)]
					.filter(
						({ scrollWidth, clientWidth }) => clientWidth > 1 && scrollWidth > clientWidth + 1,
					)
					.map(({ outerHTML }) => outerHTML.slice(0, 100)),
			selector,
		);

	describe('the first minute', () => {
		test('an empty page leads to a ringing phone by one button, and names the form', async () => {
			const link = page.getByRole('link', { name: 'open the form' });
			assert.equal(await link.getAttribute('href'), formUrl);
			await page.getByText('examples/leads.csv').waitFor();
			await button('Call me').click();
			await page.getByText('1 phone rings', { exact: true }).waitFor();
			await button(/^Pick up/).click();
			await page
				.getByLabel('Transcript')
				.getByText(/You pressed “Call me”/)
				.waitFor();
			await page.getByLabel('What the customer says').fill('What is your name?');
			await page.keyboard.press('Enter');
			await page.getByText(/^Agent: I cannot answer that/).waitFor();
			await button('Hang up').click();
			await page.getByText('1 phone rings', { exact: true }).waitFor({ state: 'hidden' });
			await page.getByRole('heading', { name: 'Ended' }).and(page.locator(':focus')).waitFor();
			assert.equal(await focused(), 'ended-title');
		});
	});

	describe('a crowd', () => {
		test('of 50 the page shows twelve, each in a line; who talks is above them, and one button declines all', async () => {
			await crowd();
			await page.getByText(/^12 of 50 are shown\./).waitFor();
			const rows = page.getByLabel('Ringing', { exact: true }).getByRole('listitem');
			assert.equal(await rows.count(), 12);
			const heights = await rows.evaluateAll((all) => all.map((row) => row.clientHeight));
			assert.ok(Math.max(...heights) < 45, `heights of the rows: ${heights}`);
			assert.deepEqual(await cutOff('#ringing'), []);
			await rows.nth(11).getByRole('button', { name: 'Pick up' }).click();
			await page.getByText(/^49 phones ring · 1 on the line$/).waitFor();
			const hangUp = await button('Hang up').boundingBox();
			const first = await rows.first().boundingBox();
			assert.ok(hangUp && first && hangUp.y < first.y, 'the call is above the phones that ring');
			await button('Decline all').click();
			await page.getByText(/^1 on the line$/).waitFor();
			assert.equal(await rows.count(), 0);
			await button('Hang up').click();
			await page
				.locator('#ended li')
				.first()
				.getByText(/^interested/)
				.waitFor();
		});

		test('the focus moves on the page where somebody picked up, and on no other', async () => {
			const other = await open();
			await call('+14155550100');
			await button(/^Pick up/, other).waitFor();
			await button(/^Pick up/).click();
			await page.getByLabel('What the customer says').and(page.locator(':focus')).waitFor();
			await button('Hang up', other).waitFor();
			assert.equal(await focused(other), 'BODY');
			await other.close();
		});
	});

	describe('the proof', () => {
		test('four requests for one call are one row; reads come when asked for; nothing is cut off', async () => {
			await sandbox.control('POST /faults', {
				match: { path: '/call' },
				times: 3,
				fault: { kind: 'status', status: 429 },
			});
			const request_key = 'n8n-3f2b8c1e5d474a9b8f602c1d9e7a4b35-0123456789abcdef0123456789abcdef';
			for (let tries = 0; tries < 4; tries += 1) await call('+14155550100', { request_key });
			await sandbox.api(`GET /agents/${agent.agent_uuid}`);
			const rows = page.getByLabel('Requests from n8n').getByRole('row');
			await rows.filter({ hasText: 'POST /call × 4' }).waitFor();
			assert.equal(await rows.count(), 2, 'the heading and one row');
			const row = (await rows.nth(1).innerText()).replace(/\s+/g, ' ');
			assert.match(row, /429 429 429 201 → one call$/);
			assert.ok(row.includes(request_key), row);
			assert.deepEqual(await cutOff('#traffic'), []);
			await page.getByLabel('Show reads').check();
			await rows.filter({ hasText: 'GET /agents/' }).waitFor();
			assert.deepEqual(await cutOff('#traffic'), []);
		});

		test('a bad day says what it does; a manner that is on is shown until everything is as usual', async () => {
			await page.getByText('Every request is answered 503.').waitFor();
			await sandbox.control('PATCH /settings', { manners: { listLayout: 'camel-case' } });
			const shown = page.getByLabel('What is not as usual').getByText('listLayout: "camel-case"');
			await shown.waitFor();
			await button('Everything as usual').click();
			await shown.waitFor({ state: 'hidden' });
			assert.equal((await sandbox.control('GET /settings')).manners.listLayout, null);
		});
	});

	describe('a narrow screen', () => {
		test('shows one part at a time, with counts on three tabs, and hides nothing to the right', async () => {
			await page.setViewportSize({ width: 390, height: 844 });
			await crowd();
			await sandbox.api('POST /sms/send', {
				agentId: agent.agent_uuid,
				phoneNumber: '+14155550100',
				message: 'Hello.',
			});
			const tabs = page.getByLabel('Parts of this page').getByRole('button');
			await tabs.filter({ hasText: 'Messages 1' }).waitFor();
			assert.deepEqual(await cutOff('#ringing'), []);
			assert.deepEqual(await tabs.allInnerTexts(), ['Phones 50', 'Messages 1', 'Requests 51']);
			for (const [index, section] of ['#phones', '#messages', '#traffic'].entries()) {
				await tabs.nth(index).click();
				assert.equal(await page.locator('main > section:visible').count(), 1);
				assert.ok(await page.locator(section).isVisible(), section);
				const { width, height } = await page.evaluate(() => ({
					width: document.documentElement.scrollWidth,
					height: document.documentElement.scrollHeight,
				}));
				assert.equal(width, 390, section);
				assert.ok(height < 2 * 844, `${section} is ${height} px high`);
			}
		});

		test('placeholders can be read in the dark: 4.5 : 1 or more', async () => {
			await page.emulateMedia({ colorScheme: 'dark' });
			await call('+14155550100');
			await button(/^Pick up/).click();
			const colors = await page
				.getByLabel('What the customer says')
				.evaluate((input) => [
					getComputedStyle(input, '::placeholder').color,
					getComputedStyle(input).backgroundColor,
				]);
			const [ink, back] = colors.map(luminance);
			assert.ok((Math.max(ink, back) + 0.05) / (Math.min(ink, back) + 0.05) >= 4.5, String(colors));
		});
	});
});

/** Relative luminance of WCAG 2. @param {string} color as `rgb(1, 2, 3)` */
function luminance(color) {
	const [red, green, blue] = (color.match(/[\d.]+/g) ?? []).map((text) => {
		const part = Number(text) / 255;
		return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
	});
	return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
