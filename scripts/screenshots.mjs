/**
 * The pictures of the documentation, taken of the real editor, so that they stay true.
 *
 *   node scripts/screenshots.mjs                  all of them, into docs/images
 *   node scripts/screenshots.mjs trigger output   some
 *   node scripts/screenshots.mjs examples         the canvas of every example, into docs/images/examples
 *   node scripts/screenshots.mjs stop-a-listing   of one of them
 */
import {
	ClearError,
	ensureNodeVersion,
	ensurePackage,
	exitWith,
	repository,
} from '../tools/bootstrap.mjs';
import { leadsToUpload } from '../tools/leads.mjs';
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';

const images = join(repository, 'docs', 'images');
const largest = 220_000;

try {
	ensureNodeVersion();
	await ensurePackage();
	// what follows needs the installed tools
	const workbench = await import('../tools/workbench.mjs');
	const { until } = await import('../tools/host-client.mjs');
	const bench = await workbench.startWorkbench({ viewport: { width: 1280, height: 800 } });
	try {
		await take(process.argv.slice(2), bench, { ...workbench, until });
	} finally {
		await bench.close();
	}
} catch (error) {
	exitWith(error);
}

/**
 * @param {string[]} wanted pictures by the name to ask for; none = all
 * @param {Awaited<ReturnType<typeof import('../tools/workbench.mjs').startWorkbench>>} bench
 * @param {{until: typeof import('../tools/host-client.mjs').until, manualTrigger: {name:
 * string, type: string}, pack: string}} tools
 */
async function take(wanted, bench, { until, manualTrigger, pack }) {
	const { host, sandbox, credential, editor } = bench;
	const { page } = editor;
	const [first, second] = await sandbox.control('GET /state/agents');
	const chosen = (/** @type {any} */ agent) => ({
		__rl: true,
		mode: 'list',
		value: agent.agent_uuid,
		cachedResultName: `${agent.name} – ${agent.company_name}`,
	});

	/** Messages that slide in stand in the way. */
	const withoutMessages = '.el-notification { display: none !important }';
	/** So do the buttons that float over the canvas. */
	const withoutButtons =
		'.vue-flow__panel, [data-test-id="canvas-wrapper"] button { visibility: hidden !important }';

	/** An example that is still to be filled in is full of warnings. */
	const withoutIssues = '[data-test-id="node-issues"] { visibility: hidden !important }';

	/**
	 * Keeps a picture of a part of the page, or of all of it.
	 * @param {string} name
	 * @param {import('playwright-core').Locator} [part]
	 * @param {{to?: import('playwright-core').Locator, below?: number, around?: import('playwright-core').Locator,
	 *   of?: import('playwright-core').Page}} [cut]
	 *   `to`: what stands lowest in the picture, and how many pixels `below` it; `around`: only these, with a margin;
	 *   `of`: another page than the editor's
	 */
	const keep = async (name, part, { to, below = 16, around, of = page } = {}) => {
		const whole = { x: 0, y: 0, ...of.viewportSize() };
		let clip = part ? await part.boundingBox() : whole;
		if (around) {
			const boxes = await Promise.all(
				(await around.all()).map(async (one) => await one.boundingBox()),
			);
			const [left, top] = [
				Math.min(...boxes.map(({ x }) => x)) - 16,
				Math.min(...boxes.map(({ y }) => y)) - 16,
			];
			clip = {
				x: left,
				y: top,
				width: Math.max(...boxes.map(({ x, width }) => x + width)) + 16 - left,
				height: Math.max(...boxes.map(({ y, height }) => y + height)) + 16 - top,
			};
		}
		if (to) {
			const { y, height } = await to.boundingBox();
			clip.height = Math.min(clip.height, y + height + below - clip.y);
		}
		const path = join(images, `${name}.png`);
		await of.screenshot({
			path,
			clip,
			style: withoutMessages + (around ? withoutButtons + withoutIssues : ''),
			animations: 'disabled',
			caret: 'hide',
		});
		const { size } = await stat(path);
		console.log(`docs/images/${name}.png  ${Math.round(size / 1000)} kB`);
		if (size > largest)
			throw new ClearError(`docs/images/${name}.png is larger than ${largest / 1000} kB`);
	};

	/** The whole canvas of the open workflow, as far as its notes go. */
	const keepCanvas = async (/** @type {string} */ name) => {
		await page.getByTestId('zoom-to-fit').click();
		await page.waitForTimeout(1000); // the canvas glides
		await keep(name, undefined, { around: page.getByTestId('sticky') });
	};

	/** The example of orders, with its table filled. @returns the ID of the workflow */
	const orderExample = async () => {
		const file = join(repository, 'examples', 'tell-the-caller-where-the-order-is.json');
		const { id } = await host.importWorkflow(JSON.parse(await readFile(file, 'utf8')), {
			credentials: { acpApi: credential },
			change(node) {
				// Two pictures publish it.
				if (node.webhookId) node.webhookId = randomUUID();
				if (node.type.startsWith(pack)) node.parameters.agent = chosen(first);
			},
		});
		await host.waitForExecution(await host.run(id, { triggerToStartFrom: { name: 'Run Once' } }));
		return id;
	};

	/** @type {Record<string, () => Promise<void>>} pictures that belong together, by the name to ask for */
	const pictures = {
		async panel() {
			await editor.openWorkflow(await bench.workflow('My first call', [manualTrigger]));
			await editor.searchPanel('phone call');
			await editor.panelItem('ACP Calls').waitFor();
			await keep('panel-search', page.getByTestId('node-creator'), {
				to: page.getByTestId('node-creator-item-name').last(),
				below: 60,
			});
			await editor.panelItem('ACP Calls').click();
			await editor.panelItem('Start a call').waitFor();
			await keep('panel-actions', page.getByTestId('node-creator'), {
				to: editor.panelItem('Hang up a live call (beta)'),
				below: 12,
			});
		},
		async credential() {
			await editor.openWorkflow(
				await bench.workflow('Credential', [
					manualTrigger,
					{ name: 'ACP Calls', type: 'acpCalls' },
				]),
			);
			await editor.openNode('ACP Calls');
			await editor.newCredential();
			await editor.fillCredential({
				baseUrl: 'https://your-workspace.example.com',
				token: 'a token of the workspace',
			});
			await keep('credential', editor.credential);
			// n8n tests what a form held when it was opened anew; so this is another one
			await editor.openWorkflow(
				await bench.workflow('Wrong token', [
					manualTrigger,
					{ name: 'ACP Calls', type: 'acpCalls' },
				]),
			);
			await editor.openNode('ACP Calls');
			await editor.newCredential();
			await editor.fillCredential({ baseUrl: sandbox.url, token: 'not-a-token' });
			await editor.saveCredential();
			await editor.credential.getByText('More details').click();
			await editor.credential.getByText('The platform did not accept the token').waitFor();
			await keep('credential-wrong-token', editor.credential);
		},
		async call() {
			await editor.openWorkflow(
				await bench.workflow('My first call', [
					manualTrigger,
					{ name: 'Start a Call', type: 'acpCalls' },
				]),
			);
			await editor.openNode('Start a Call');
			await editor.openList('agent');
			await editor.listItem(second.name).waitFor();
			await keep('agent-list', editor.parameters, { to: editor.listItem('Elif'), below: 4 });
			await editor.listItem(first.name).click();
			await editor.fill('phoneNumber', '+14155550123');
			await editor.execute();
			await editor.showOutput('Schema');
			await keep('start-a-call', page.getByTestId('ndv'));
		},
		async preview() {
			await editor.openWorkflow(
				await bench.workflow('Preview', [
					manualTrigger,
					{
						name: 'Start a Call',
						type: 'acpCalls',
						parameters: {
							agent: chosen(first),
							phoneNumber: '+14155550123',
							options: { preview: true },
						},
					},
				]),
			);
			await editor.openNode('Start a Call');
			await editor.execute();
			await editor.showOutput('JSON');
			await keep('preview', page.getByTestId('ndv'));
		},
		async summary() {
			const people = [
				'+14155550123',
				'+4930901820',
				'+1 (415) 555-0123',
				'+905321234567',
				'123',
			].map((phone, index) => ({ name: ['Anna', 'Bora', 'Anna', 'Deniz', 'Emil'][index], phone }));
			await editor.openWorkflow(
				await bench.workflow('Summary', [
					manualTrigger,
					{
						name: 'Leads',
						type: 'n8n-nodes-base.code',
						typeVersion: 2,
						parameters: { jsCode: `return ${JSON.stringify(people)}.map((json) => ({ json }));` },
					},
					{
						name: 'Start a Call',
						type: 'acpCalls',
						onError: 'continueRegularOutput',
						parameters: {
							agent: chosen(first),
							phoneNumber: '={{ $json.phone }}',
							options: { preview: true, sameNumberTwice: 'first', skipNumbers: '0532 123 45 67' },
						},
					},
				]),
			);
			await editor.openNode('Start a Call');
			await editor.execute();
			await editor.showOutput('JSON');
			await keep('preview-summary', page.getByTestId('ndv'));
		},
		async rows() {
			const rows = ['+14155550123', '0415 555 0124', '+14155550125', '', '+1 (415) 555-0127x'].map(
				(number, index) => ({
					name: ['Anna', 'Bora', 'Carla', 'Deniz', 'Emil'][index],
					phone: number,
				}),
			);
			await editor.openWorkflow(
				await bench.workflow('Leads', [
					manualTrigger,
					{
						name: 'Leads',
						type: 'n8n-nodes-base.code',
						typeVersion: 2,
						parameters: { jsCode: `return ${JSON.stringify(rows)}.map((json) => ({ json }));` },
					},
					{
						name: 'Start a Call',
						type: 'acpCalls',
						parameters: { agent: chosen(first), phoneNumber: '={{ $json.phone }}' },
					},
				]),
			);
			await editor.openNode('Start a Call');
			await editor.execute();
			await keep('bad-rows', page.getByTestId('ndv'));
		},
		async voice() {
			await editor.openWorkflow(
				await bench.workflow('Voice', [
					manualTrigger,
					{
						name: 'Tune the Voice',
						type: 'acpAgents',
						parameters: {
							resource: 'agentVoice',
							operation: 'updateVoiceAdvanced',
							agent: chosen(first),
						},
					},
				]),
			);
			await editor.openNode('Tune the Voice');
			await editor.addMappedField('Stability');
			await editor.addMappedField('Speaker Boost');
			await keep('voice-tuning', editor.parameters, {
				to: editor.mapper.getByTestId('add-fields-select'),
				below: 8,
			});
		},
		async template() {
			const usual = page.viewportSize();
			await page.setViewportSize({ ...usual, height: 900 });
			await editor.openWorkflow(
				await bench.workflow('Confirm', [
					manualTrigger,
					{
						name: 'Confirm the Order',
						type: 'acpMessages',
						parameters: {
							resource: 'whatsapp',
							operation: 'sendTemplate',
							agent: chosen(first),
							phoneNumber: '+14155550123',
						},
					},
				]),
			);
			await editor.openNode('Confirm the Order');
			await editor.chooseInList('template', 'order_confirmation');
			await editor.mapper.getByText('2: …your order').waitFor();
			await editor.fill('field1', 'Anna');
			await editor.fill('field2', 'A-1001');
			await editor.parameters.getByText('Include the country code').click();
			await keep('template', editor.parameters, { to: editor.field('field2'), below: 6 });
			await page.setViewportSize(usual);
		},
		async trigger() {
			await editor.openWorkflow(
				await bench.workflow('Outcomes', [
					{
						name: 'ACP Event Trigger',
						type: 'acpTrigger',
						typeVersion: 1.1,
						parameters: { agents: [first.agent_uuid, second.agent_uuid] },
						webhookId: '3f2b8c1e-5d47-4a9b-8f60-2c1d9e7a4b35',
					},
				]),
			);
			await editor.openNode('ACP Event Trigger');
			await editor.field('agents').getByText(first.name).waitFor();
			await keep('trigger', page.getByTestId('ndv'));
		},
		async intent() {
			const usual = page.viewportSize();
			await page.setViewportSize({ ...usual, height: 1320 });
			const id = await orderExample();
			await editor.openWorkflow(id);
			await editor.openNode('Caller Asks for an Order');
			await editor.field('intentName').waitFor();
			await keep('intent-trigger', editor.parameters, {
				to: editor.field('fallbackText'),
				below: 30,
			});
			await editor.closeNode();
			await page.setViewportSize(usual);
			await editor.openNode('Say Where It Is');
			await editor.execute();
			await editor.showOutput('Schema');
			await keep('intent-answer', page.getByTestId('ndv'));
			await editor.closeNode();
			await keepCanvas('intent-canvas');
			const { active, error } = await host.activate(id);
			if (!active) throw new ClearError(`The example could not be published: ${error}`);
			const { call } = await sandbox.control('PATCH /settings', {});
			await sandbox.control('PATCH /settings', { call: { lifeMs: 600_000 } });
			const { body } = await sandbox.api('POST /call', {
				agentId: first.agent_uuid,
				participant: { number: '+14155550123' },
			});
			const { spoken } = await until(
				'an answer in the call',
				async () =>
					await sandbox
						.control('POST /intents', {
							conversation: body.data.conversation_uuid,
							intent: 'Where is my order',
							parameters: { order_number: '4711' },
						})
						.catch(() => false), // the call is not live yet
				60_000,
			);
			if (!spoken) throw new ClearError('The example gave no answer in the call');
			await sandbox.control('PATCH /settings', { call });
			await page.setViewportSize({ ...usual, height: 720 });
			await editor.openWorkflow(id);
			await editor.openExecutions();
			await editor.executions.filter({ hasText: 'Succeeded' }).first().click();
			await page.getByText('Say Where It Is').first().waitFor();
			await page.waitForTimeout(1000); // the canvas glides
			await keep('intent-execution');
			await page.setViewportSize(usual);
			// Another picture publishes a copy of it.
			await host.deactivate(id);
		},
		async outcomes() {
			const example = JSON.parse(
				await readFile(
					join(repository, 'examples', 'call-new-leads-and-record-the-outcome.json'),
					'utf8',
				),
			);
			const { id } = await host.importWorkflow(example, {
				credentials: { acpApi: credential },
				change({ type, parameters }) {
					if (!type.startsWith(pack)) return;
					if (parameters.agent) parameters.agent = chosen(first);
					if (parameters.agents) parameters.agents = [first.agent_uuid];
				},
			});
			const { active, error } = await host.activate(id);
			if (!active) throw new ClearError(`The example could not be published: ${error}`);
			await host.waitForExecution(await host.submitForm(id, [await leadsToUpload()]));
			const table = await host.findDataTable('Lead calls');
			if (!table) throw new ClearError('The example has left no data table "Lead calls"');
			await until(
				'every outcome',
				async () => (await host.dataTableRows(table.id)).every(({ success }) => success),
				120_000,
			);
			await editor.openWorkflow(id);
			await keepCanvas('canvas');
			const { id: project } = await host.request('GET', '/rest/projects/personal');
			await page.goto(`${host.url}/projects/${project}/datatables/${table.id}`);
			await page.getByText('completed', { exact: true }).first().waitFor();
			await keep('outcomes', undefined, { to: page.getByText('Total 8'), below: 24 });
		},
		async customer() {
			const { call, rate } = await sandbox.control('GET /settings');
			await sandbox.control('PATCH /settings', {
				call: { ringMs: 60_000 },
				rate: { send: { limit: 1000 } },
			});
			const id = await orderExample();
			const outcome = await bench.workflow('Outcome', [
				{
					name: 'ACP Event Trigger',
					type: 'acpTrigger',
					typeVersion: 1.1,
					parameters: { agents: [first.agent_uuid] },
					webhookId: '9a1f3c52-6d84-4f0b-9a37-0f6c8b2d4e71',
				},
			]);
			for (const workflow of [id, outcome]) {
				const { active, error } = await host.activate(workflow);
				if (!active) throw new ClearError(`A workflow could not be published: ${error}`);
			}
			const run = async (/** @type {string} */ name, /** @type {string} */ type, parameters) => {
				const workflow = await bench.workflow(name, [manualTrigger, { name, type, parameters }]);
				return await host.waitForExecution(await host.run(workflow));
			};
			await sandbox.control('POST /reset', {
				keepRegistered: true,
				settings: { call: { ringMs: 60_000 }, rate: { send: { limit: 1000 } } },
			});

			const phones = await bench.browser.newPage({
				viewport: { width: 1280, height: 760 },
				reducedMotion: 'reduce',
			});
			await phones.goto(sandbox.page);
			await phones.getByText('live', { exact: true }).waitFor();
			await run('Call', 'acpCalls', {
				agent: chosen(first),
				phoneNumber: '+905550000003',
				options: { requestKey: 'lead-3' },
			});
			await phones.getByRole('button', { name: /^Pick up/ }).waitFor();
			await keep('customer-rings', undefined, { of: phones });

			await phones.getByRole('button', { name: /^Pick up/ }).click();
			await phones.getByLabel('order number').fill('4711');
			await phones.keyboard.press('Enter');
			await phones.getByText('Order 4711 is on its way').waitFor();
			await keep('customer-talks', undefined, { of: phones });

			await phones.getByLabel('What comes of it').selectOption('callback_requested');
			await phones.getByRole('button', { name: 'Hang up' }).click();
			const events = phones.getByLabel('Events to n8n').getByRole('row');
			await events.filter({ hasText: '200' }).waitFor();
			await phones.getByText('Transcript').click();
			await keep('customer-hangs-up', undefined, { of: phones });

			await run('SMS', 'acpMessages', {
				resource: 'sms',
				operation: 'send',
				agent: chosen(first),
				phoneNumber: '+905550000003',
				message: 'Your order 4711 arrives on Friday between 9 and 12.',
			});
			await phones.getByLabel(/^Reply to/).fill('Could it be in the afternoon?');
			await phones.keyboard.press('Enter');
			await phones.getByText('Could it be in the afternoon?').waitFor();
			await keep('customer-replies', undefined, { of: phones });

			await phones.getByRole('button', { name: 'Too many requests for 10 s' }).click();
			await phones.getByText(/^status 429/).waitFor();
			await run('Call', 'acpCalls', { agent: chosen(first), phoneNumber: '+905550000004' });
			await phones.getByText('1 phone rings', { exact: true }).waitFor();
			await keep('customer-bad-day', undefined, { of: phones });

			await sandbox.control('POST /reset', {
				keepRegistered: true,
				settings: { call: { ringMs: 60_000 }, rate: { send: { limit: 1000 } } },
			});
			await phones.emulateMedia({ colorScheme: 'dark' });
			for (let index = 0; index < 192; index += 1)
				await sandbox.api('POST /call', {
					agentId: first.agent_uuid,
					participant: { number: `+90555${String(index).padStart(7, '0')}` },
				});
			await phones
				.getByText('50 phones ring · 142 wait for a free line', { exact: true })
				.waitFor();
			await keep('customer-crowd', undefined, { of: phones });
			await phones.close();
			await sandbox.control('POST /reset', {
				keepRegistered: true,
				settings: { call, rate },
			});
		},
	};

	/** The canvas of an example with its notes, as wide as a page. */
	const canvas = async (/** @type {string} */ name) => {
		const usual = page.viewportSize();
		const file = join(repository, 'examples', `${name}.json`);
		const { id } = await host.importWorkflow(JSON.parse(await readFile(file, 'utf8')), {
			credentials: { acpApi: credential },
		});
		const { nodes } = await host.getWorkflow(id);
		const notes = nodes.filter(({ type }) => type.endsWith('.stickyNote'));
		const extent = (axis, side) =>
			Math.max(...notes.map(({ position, parameters }) => position[axis] + parameters[side])) -
			Math.min(...notes.map(({ position }) => position[axis]));
		const beside = { width: 320, height: 240 }; // menus, bars and margins of the editor
		const width = 1200;
		await page.setViewportSize({
			width: width + beside.width,
			height: Math.ceil((width * extent(1, 'height')) / extent(0, 'width')) + beside.height,
		});
		await editor.openWorkflow(id);
		await keepCanvas(`examples/${name}`);
		await page.setViewportSize(usual);
	};
	const examples = (await readdir(join(repository, 'examples')))
		.filter((name) => name.endsWith('.json'))
		.map((name) => name.replace(/\.json$/, ''));
	for (const name of examples) pictures[name] = async () => await canvas(name);
	const all = wanted.flatMap((name) => (name === 'examples' ? examples : name));
	await mkdir(join(images, 'examples'), { recursive: true });

	for (const name of all)
		if (!(name in pictures))
			throw new ClearError(
				`There are no pictures "${name}". Pictures: examples, ${Object.keys(pictures).join(', ')}`,
			);
	const failed = [];
	for (const [name, picture] of Object.entries(pictures)) {
		if (wanted.length > 0 && !all.includes(name)) continue;
		try {
			await picture();
		} catch (error) {
			failed.push(`${name}: ${error instanceof Error ? error.message : error}`);
		}
	}
	if (failed.length > 0) throw new ClearError(`Not taken:\n${failed.join('\n')}`);
}
