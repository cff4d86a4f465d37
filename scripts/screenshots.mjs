/**
 * The pictures of the documentation, taken of the real editor, so that they stay true.
 *
 *   node scripts/screenshots.mjs                  all of them, into docs/images
 *   node scripts/screenshots.mjs trigger voice    some
 *   node scripts/screenshots.mjs examples         the canvas of every example, into docs/images/examples
 *   node scripts/screenshots.mjs stop-a-listing   of one of them
 *   node scripts/screenshots.mjs film             the moving picture of the first call
 */
import { readdirSync } from 'node:fs';
import { mkdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ClearError, ensurePackage, exitWith, repository } from '../tools/bootstrap.mjs';
import { jsonOf } from '../tools/files.mjs';

const images = join(repository, 'docs', 'images');
const largest = 220_000;
const largestFilm = 2_000_000;
const names = readdirSync(join(repository, 'examples'))
	.filter((file) => file.endsWith('.json'))
	.map((file) => file.replace('.json', ''));
const example = (name) => jsonOf('examples', `${name}.json`);

try {
	await ensurePackage();
	// what follows needs the installed tools
	const { startWorkbench } = await import('../tools/browser.mjs');
	const bench = await startWorkbench({ viewport: { width: 1280, height: 800 } });
	try {
		await take(process.argv.slice(2), bench, await import('../tools/workspace.mjs'));
	} finally {
		await bench.close();
	}
} catch (error) {
	exitWith(error);
}

/**
 * @param {string[]} asked pictures by the name to ask for; none = all
 * @param {Awaited<ReturnType<typeof import('../tools/browser.mjs').startWorkbench>>} bench
 * @param {typeof import('../tools/workspace.mjs')} workspace
 */
async function take(asked, bench, { action, chosen, code, leadsToUpload, manualTrigger, until }) {
	const { host, sandbox, credential, editor } = bench;
	const { page } = editor;
	const reader = await bench.agent();
	const agent = chosen(reader);
	const agents = await sandbox.control('GET /state/agents');
	const first = agents.find((one) => one.agent_uuid === reader.value);
	const second = agents.find((one) => one !== first);
	const window = page.getByTestId('ndv');
	const usual = page.viewportSize();
	const resize = async (size) => await page.setViewportSize({ ...usual, ...size });

	/** Messages that slide in stand in the way. */
	const withoutMessages = '.el-notification { display: none !important }';
	/** So do buttons that float over the canvas, and the warnings of an example that is still to be filled in. */
	const withoutButtons =
		'.vue-flow__panel, [data-test-id="canvas-wrapper"] button, [data-test-id="node-issues"] { visibility: hidden !important }';

	/**
	 * Keeps a picture of a part of the page, or of all of it.
	 * @param {string} name
	 * @param {import('playwright-core').Locator} [part]
	 * @param {{to?: import('playwright-core').Locator, below?: number, of?: import('playwright-core').Page,
	 *   canvas?: boolean}} [cut] `to`: what stands lowest in the picture, and how many pixels `below` it; `of`: another
	 *   page than the editor's; `canvas`: the parts with a margin, without buttons
	 */
	const keep = async (name, part, { to, below = 16, of = page, canvas = false } = {}) => {
		// A click may have scrolled.
		await of.evaluate(() => scrollTo(0, 0));
		const boxes = part
			? await Promise.all((await part.all()).map((one) => one.boundingBox()))
			: [{ x: 0, y: 0, ...of.viewportSize() }];
		const margin = canvas ? 16 : 0;
		const x = Math.min(...boxes.map((box) => box.x)) - margin;
		const y = Math.min(...boxes.map((box) => box.y)) - margin;
		const right = Math.max(...boxes.map((box) => box.x + box.width)) + margin;
		const lowest = await to?.boundingBox();
		const bottom = Math.min(
			Math.max(...boxes.map((box) => box.y + box.height)) + margin,
			lowest ? lowest.y + lowest.height + below : Infinity,
		);
		const path = join(images, `${name}.png`);
		await of.screenshot({
			path,
			clip: { x, y, width: right - x, height: bottom - y },
			style: withoutMessages + (canvas ? withoutButtons : ''),
			animations: 'disabled',
			caret: 'hide',
		});
		const { size } = await stat(path);
		console.log(`docs/images/${name}.png  ${Math.round(size / 1000)} kB`);
		if (size > largest)
			throw new ClearError(`docs/images/${name}.png is larger than ${largest / 1000} kB`);
	};

	/** The whole canvas of the open workflow, as far as its notes go. */
	const keepCanvas = async (name) => {
		await page.getByTestId('zoom-to-fit').click();
		await page.waitForTimeout(1000); // the canvas glides
		await keep(name, page.getByTestId('sticky'), { canvas: true });
	};

	/** Opens the last node of a new workflow. @param {string} name @param {any[]} nodes */
	const open = async (name, ...nodes) => {
		const trigger = /Trigger$/.test(nodes[0].type) ? [] : [manualTrigger];
		await editor.openWorkflow(await bench.workflow(name, [...trigger, ...nodes]));
		await editor.openNode(nodes.at(-1).name);
	};
	/** Executes the open node, and keeps it with its output. */
	const keepExecuted = async (name, form) => {
		await editor.execute();
		if (form) await editor.showOutput(form);
		await keep(name, window);
	};
	const start = (parameters = {}) => ({ name: 'Start a Call', type: 'acpCalls', parameters });
	const leads = (people) =>
		code('Leads', `return ${JSON.stringify(people)}.map((json) => ({ json }));`);
	const people = (...phones) =>
		phones.map((phone, index) => ({
			name: ['Anna', 'Bora', 'Carla', 'Emil', 'Fadime'][index],
			phone,
		}));
	const outcomesOf = (...agents) => ({
		name: 'Conversation Event Trigger',
		type: 'acpTrigger',
		parameters: { agents: agents.map((one) => one.agent_uuid) },
	});

	/** n8n has taken the event of a call. @param {import('playwright-core').Page} phones */
	const arrived = async (phones) => {
		const events = phones.getByLabel('Events to n8n').getByRole('row');
		await events.filter({ hasText: '200' }).waitFor();
	};

	/** The example of orders, with its table filled. @returns the ID of the workflow */
	const orders = async () => {
		const id = await bench.importExample(example('tell-the-caller-where-the-order-is'), (node) => {
			// Two pictures publish it.
			if (node.webhookId) node.webhookId = crypto.randomUUID();
		});
		await host.waitForExecution(await host.run(id, { triggerToStartFrom: { name: 'Run Once' } }));
		return id;
	};

	/** @type {Record<string, () => Promise<void>>} pictures that belong together, by the name to ask for */
	const pictures = {
		async panel() {
			const panel = page.getByTestId('node-creator');
			await editor.openWorkflow(await bench.workflow('My first call', [manualTrigger]));
			await editor.searchPanel('phone call');
			await editor.panelItem('Phone Calls (ACP)').waitFor();
			const last = page.getByTestId('node-creator-item-name').last();
			await keep('panel-search', panel, { to: last, below: 60 });
			await editor.panelItem('Phone Calls (ACP)').click();
			await editor.panelItem('Start a call').waitFor();
			const lowest = editor.panelItem('Hang up a live call (beta)');
			await keep('panel-actions', panel, { to: lowest, below: 12 });
		},
		async credential() {
			const form = async (values) => {
				// n8n tests what a form held when it was opened, and keeps one open that is not saved
				await page.goto('about:blank');
				await open('Credential', start());
				await editor.newCredential();
				await editor.fillCredential(values);
			};
			const token = 'a token of the workspace';
			await form({ baseUrl: 'https://your-workspace.example.com', token });
			await keep('credential', editor.credential);
			await form({ baseUrl: sandbox.url, token: 'not-a-token' });
			await editor.saveCredential();
			await editor.credential.getByText('More details').click();
			await editor.credential.getByText('The platform did not accept the token').waitFor();
			await keep('credential-wrong-token', editor.credential);
		},
		async call() {
			await open('My first call', start());
			await editor.openList('agent');
			await editor.listItem(second.name).waitFor();
			await keep('agent-list', editor.parameters, { to: editor.listItem('Elif'), below: 4 });
			await editor.listItem(first.name).click();
			await editor.fill('phoneNumber', '+14155550123');
			await keepExecuted('start-a-call', 'Schema');
		},
		async preview() {
			const options = { preview: true };
			await open('Preview', start({ agent, phoneNumber: '+14155550123', options }));
			await keepExecuted('preview', 'Table');
		},
		async summary() {
			const numbers = ['+14155550123', '+4930901820', '+1 (415) 555-0123', '+905321234567', '123'];
			const options = { preview: true, sameNumberTwice: 'first', skipNumbers: '0532 123 45 67' };
			const all = leads(people(...numbers));
			await open('Summary', all, {
				...start({ agent, phoneNumber: '={{ $json.phone }}', options }),
				onError: 'continueRegularOutput',
			});
			await keepExecuted('preview-summary', 'Table');
		},
		async rows() {
			const numbers = ['+14155550123', '0415 555 0124', '+14155550125', '', '+1 (415) 555-0127x'];
			const all = leads(people(...numbers));
			await open('Leads', all, start({ agent, phoneNumber: '={{ $json.phone }}' }));
			await keepExecuted('bad-rows');
		},
		async voice() {
			const tune = ['Tune the Voice', 'acpAgents', 'agentVoice.updateVoiceAdvanced'];
			await open('Voice', action(...tune, { agent }));
			await editor.addMappedField('Stability');
			await editor.addMappedField('Speaker Boost');
			const last = editor.mapper.getByTestId('add-fields-select');
			await keep('voice-tuning', editor.parameters, { to: last, below: 8 });
		},
		async template() {
			await resize({ height: 900 });
			const to = { agent, phoneNumber: '+14155550123' };
			const confirm = ['Confirm the Order', 'acpMessages', 'whatsapp.sendTemplate'];
			await open('Confirm', action(...confirm, to));
			await editor.chooseInList('template', 'order_confirmation');
			await editor.mapper.getByText('2: …your order').waitFor();
			await editor.fill('field1', 'Anna');
			await editor.fill('field2', 'A-1001');
			await editor.parameters.getByText('Include the country code').click();
			await keep('template', editor.parameters, { to: editor.field('field2'), below: 6 });
			await resize();
		},
		async trigger() {
			await open('Outcomes', outcomesOf(first, second));
			await editor.field('agents').getByText(first.name).waitFor();
			await keep('trigger', window);
		},
		async intent() {
			await resize({ height: 1320 });
			const id = await orders();
			await editor.openWorkflow(id);
			await editor.openNode('Caller Asks for an Order');
			await editor.field('intentName').waitFor();
			const last = editor.field('fallbackText');
			await keep('intent-trigger', editor.parameters, { to: last, below: 30 });
			await editor.closeNode();
			await resize();
			await editor.openNode('Say Where It Is');
			await keepExecuted('intent-answer', 'Schema');
			await editor.closeNode();
			await keepCanvas('intent-canvas');
			await bench.publish(id);
			const { call } = await sandbox.control('GET /settings');
			await sandbox.control('PATCH /settings', { call: { lifeMs: 600_000 } });
			const asked = {
				conversation: await bench.call('+14155550123'),
				intent: 'Where is my order',
				parameters: { order_number: '4711' },
			};
			// the call is not live yet
			const ask = async () => await sandbox.control('POST /intents', asked).catch(() => false);
			const { spoken } = await until('an answer in the call', ask, 60_000);
			if (!spoken) throw new ClearError('The example gave no answer in the call');
			await sandbox.control('PATCH /settings', { call });
			await resize({ height: 720 });
			await editor.openExecutions(id);
			// A tip of n8n's can lie over the list.
			await editor.executions.filter({ hasText: 'Succeeded' }).first().dispatchEvent('click');
			await page.getByText('Say Where It Is').first().waitFor();
			await page.waitForTimeout(1000); // the canvas glides
			await keep('intent-execution');
			await resize();
			// Another picture publishes a copy of it.
			await host.deactivate(id);
		},
		async outcomes() {
			const id = await bench.importExample(example('call-new-leads-and-record-the-outcome'));
			await bench.publish(id);
			await host.waitForExecution(await host.submitForm(id, [await leadsToUpload()]));
			const every = async () => (await bench.rows('Lead calls')).every(({ success }) => success);
			await until('every outcome', every, 120_000);
			await editor.openWorkflow(id);
			await keepCanvas('canvas');
			const { id: table } = await host.findDataTable('Lead calls');
			const { id: project } = await host.request('GET', '/rest/projects/personal');
			await page.goto(`${host.url}/projects/${project}/datatables/${table}`);
			await page.getByText('completed', { exact: true }).first().waitFor();
			await keep('outcomes', undefined, { to: page.getByText('Total 8'), below: 24 });
			// Its events do not belong into the customer's pictures.
			await host.deactivate(id);
		},
		async film() {
			const { phones, run, reset } = await takeCalls({ deviceScaleFactor: 0.75 });
			/** @type {Array<{png: Buffer, seconds: number}>} */
			const frames = [];
			const show = async (seconds) =>
				frames.push({ png: await phones.screenshot({ animations: 'disabled' }), seconds });
			const type = async (label, text) => {
				const field = phones.getByLabel(label);
				for (const letter of text) {
					await field.pressSequentially(letter);
					await show(0.2);
				}
			};
			await show(1);
			await run('acpCalls', { agent, phoneNumber: '+905550000003' });
			const pickUp = phones.getByRole('button', { name: /^Pick up/ });
			await pickUp.waitFor();
			await show(2);
			await pickUp.hover();
			await show(0.5);
			await pickUp.click();
			await phones.getByLabel('order number').waitFor();
			await show(2);
			await type('order number', '4711');
			await phones.keyboard.press('Enter');
			await phones.getByText('Order 4711 is on its way').waitFor();
			await show(3);
			await phones.getByLabel('Outcome').selectOption('callback_requested');
			await show(1.5);
			await phones.getByRole('button', { name: 'Hang up' }).click();
			await arrived(phones);
			await show(4);
			await phones.close();
			await reset();
			await keepFilm('first-call', frames);
		},
		async customer() {
			const { phones, run, settings, reset } = await takeCalls();
			const of = { of: phones };
			const phoneNumber = '+905550000003';
			await run('acpCalls', { agent, phoneNumber, options: { requestKey: 'lead-3' } });
			await phones.getByRole('button', { name: /^Pick up/ }).waitFor();
			await keep('customer-rings', undefined, of);

			await phones.getByRole('button', { name: /^Pick up/ }).click();
			await phones.getByLabel('order number').fill('4711');
			await phones.keyboard.press('Enter');
			await phones.getByText('Order 4711 is on its way').waitFor();
			await keep('customer-talks', undefined, of);

			await phones.getByLabel('Outcome').selectOption('callback_requested');
			await phones.getByRole('button', { name: 'Hang up' }).click();
			await arrived(phones);
			await phones.getByText('Transcript').click();
			await keep('customer-hangs-up', undefined, of);

			const message = 'Your order 4711 arrives on Friday between 9 and 12.';
			await run('acpMessages', { resource: 'sms', operation: 'send', agent, phoneNumber, message });
			await phones.getByLabel(/^Reply to/).fill('Could it be in the afternoon?');
			await phones.keyboard.press('Enter');
			await phones.getByText('Could it be in the afternoon?').waitFor();
			await keep('customer-replies', undefined, of);

			await phones.getByRole('button', { name: 'Too many requests for 10 s' }).click();
			await phones.getByText(/^status 429/).waitFor();
			await run('acpCalls', { agent, phoneNumber: '+905550000004' });
			await phones.getByText('1 phone rings', { exact: true }).waitFor();
			await keep('customer-bad-day', undefined, of);

			await reset(settings);
			await phones.emulateMedia({ colorScheme: 'dark' });
			for (let index = 0; index < 192; index += 1)
				await bench.call(`+90555${String(index).padStart(7, '0')}`);
			const crowd = '50 phones ring · 142 wait for a free line';
			await phones.getByText(crowd, { exact: true }).waitFor();
			await keep('customer-crowd', undefined, of);
			await phones.close();
			await reset();
		},
	};

	/** The page where phones ring, with workflows that answer for the agent and take the outcome. */
	const takeCalls = async (screen = {}) => {
		const { call, rate } = await sandbox.control('GET /settings');
		const settings = { call: { ringMs: 60_000 }, rate: { send: { limit: 1000 } } };
		const reset = async (to = { call, rate }) =>
			await sandbox.control('POST /reset', { keepRegistered: true, settings: to });
		await sandbox.control('PATCH /settings', settings);
		for (const id of [await orders(), await bench.workflow('Outcome', [outcomesOf(first)])])
			await bench.publish(id);
		await reset(settings);
		const run = async (type, parameters) =>
			await bench.ended(await bench.workflow('Run', [manualTrigger, { type, parameters }]));
		const phones = await bench.browser.newPage({
			viewport: { width: 1280, height: 760 },
			reducedMotion: 'reduce',
			...screen,
		});
		await phones.goto(sandbox.page);
		await phones.getByText('live', { exact: true }).waitFor();
		return { phones, run, settings, reset };
	};

	/**
	 * Keeps frames as a moving picture; what is the same as before costs no bytes.
	 * @param {string} name @param {Array<{png: Buffer, seconds: number}>} frames
	 */
	const keepFilm = async (name, frames) => {
		const { default: gifenc } = await import('gifenc');
		const { PNG } = await import('pngjs');
		const film = gifenc.GIFEncoder();
		const pictures = frames.map(({ png }) => PNG.sync.read(png));
		const { data: last, width, height } = pictures.at(-1);
		// One palette for all: the page has few colors, and the last frame has them all.
		const palette = gifenc.quantize(last, 255);
		const none = palette.length;
		/** @type {Uint8Array | undefined} */
		let before;
		for (const [at, { data }] of pictures.entries()) {
			const shown = gifenc.applyPalette(data, palette);
			const changed = shown.map((color, pixel) => (before?.[pixel] === color ? none : color));
			film.writeFrame(changed, width, height, {
				palette: at === 0 ? [...palette, [0, 0, 0]] : undefined,
				delay: frames[at].seconds * 1000,
				transparent: at > 0,
				transparentIndex: none,
				dispose: 1,
			});
			before = shown;
		}
		film.finish();
		const bytes = film.bytes();
		await writeFile(join(images, `${name}.gif`), bytes);
		console.log(`docs/images/${name}.gif  ${Math.round(bytes.length / 1000)} kB`);
		if (bytes.length > largestFilm)
			throw new ClearError(`docs/images/${name}.gif is larger than ${largestFilm / 1000} kB`);
	};

	/** The canvas of an example with its notes, as wide as a page. */
	const canvas = async (name) => {
		const { id } = await host.importWorkflow(example(name), credential);
		const { nodes } = await host.getWorkflow(id);
		const notes = nodes.filter(({ type }) => type.endsWith('.stickyNote'));
		const extent = (axis, side) =>
			Math.max(...notes.map(({ position, parameters }) => position[axis] + parameters[side])) -
			Math.min(...notes.map(({ position }) => position[axis]));
		const width = 1200;
		const height = (width * extent(1, 'height')) / extent(0, 'width');
		// With menus, bars and margins of the editor.
		await resize({ width: width + 320, height: Math.ceil(height) + 240 });
		await editor.openWorkflow(id);
		await keepCanvas(`examples/${name}`);
		await resize();
	};
	for (const name of names) pictures[name] = async () => await canvas(name);
	const wanted = asked.flatMap((name) => (name === 'examples' ? names : name));
	const unknown = wanted.find((name) => !(name in pictures));
	if (unknown)
		throw new ClearError(
			`There are no pictures "${unknown}". Pictures: examples, ${Object.keys(pictures).join(', ')}`,
		);
	await mkdir(join(images, 'examples'), { recursive: true });
	const failed = [];
	for (const name of asked.length > 0 ? wanted : Object.keys(pictures))
		await pictures[name]().catch((error) => failed.push(`${name}: ${error.message}`));
	if (failed.length > 0) throw new ClearError(`Not taken:\n${failed.join('\n')}`);
}
