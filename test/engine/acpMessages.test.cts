import type { INodeParameters } from 'n8n-workflow';
import { byId as id } from './guarantees/scene.cts';
import { usePlatform, type Result } from './harness/index.cts';

// Expressions of every kind fill in messages, also what a model gives.
const { sandbox, engine } = usePlatform({ engine: { expressionEngine: 'vm' }, speed: 10 });
const node = 'n8n-nodes-agent-conversation-platform.acpMessages';
const errorOf = (result: Result) => `${result.error?.message} ${result.error?.description}`;

const firstAgent = async () => id((await sandbox.state('agents'))[0].agent_uuid);
const templateNamed = async (wanted: string) =>
	id((await sandbox.state('whatsapp_templates')).find(({ name }) => name === wanted).uuid);
const bodies = async (path: string) =>
	(await sandbox.ledger({ path, method: 'POST' })).map(({ body }) => body);

/** What the editor stores once the placeholders of the chosen template were loaded. */
const placeholders = async (template: INodeParameters, value: Record<string, string | null>) => {
	const { fields } = await engine.resourceMapping(node, 'getTemplateFields', {
		parameters: { resource: 'whatsapp', operation: 'sendTemplate', template },
		path: 'parameters.parameters',
	});
	return { mappingMode: 'defineBelow', value, schema: fields } as never;
};

describe('WhatsApp templates', () => {
	const send = async (parameters: INodeParameters = {}): Promise<INodeParameters> => ({
		resource: 'whatsapp',
		operation: 'sendTemplate',
		agent: await firstAgent(),
		template: await templateNamed('order_confirmation'),
		phoneNumber: '={{ $json.phone ?? "+14155550001" }}',
		...parameters,
	});

	test('placeholders are offered with the words around them', async () => {
		const template = await templateNamed('order_confirmation');
		const mapping = {
			parameters: { resource: 'whatsapp', operation: 'sendTemplate', template },
			path: 'parameters.parameters',
		};
		const { fields, ...more } = await engine.resourceMapping(node, 'getTemplateFields', mapping);
		expect(more).toEqual({});
		expect(
			fields.map(({ id: field, displayName, required }) => [field, displayName, required]),
		).toEqual([
			['field1', '1: Hello […], your order [2] is confirmed.', true],
			['field2', '2: …your order […] is confirmed.', true],
		]);
		const none = await engine.resourceMapping(node, 'getTemplateFields', {
			...mapping,
			parameters: { ...mapping.parameters, template: await templateNamed('hello') },
		});
		expect(none).toMatchObject({
			fields: [],
			emptyFieldsNotice: expect.stringContaining('no placeholders'),
		});
		const unknown = await engine.resourceMapping(node, 'getTemplateFields', {
			...mapping,
			parameters: { ...mapping.parameters, template: id('3f2b8c1e-5d47-4a9b-8f60-2c1d9e7a4b35') },
		});
		expect(unknown.fields.map(({ id: field, displayName }) => [field, displayName])).toEqual(
			Array.from({ length: 10 }, (_, index) => [
				`field${index + 1}`,
				`${index + 1}: template not in the list`,
			]),
		);
		const unchosen = await engine.resourceMapping(node, 'getTemplateFields', {
			...mapping,
			parameters: { resource: 'whatsapp', operation: 'sendTemplate' },
		});
		expect(unchosen).toMatchObject({
			fields: [],
			emptyFieldsNotice: expect.stringContaining("Choose 'Template' first"),
		});
	});

	// interface: §4.4 messages
	test('one message per item with placeholders as text, header media and a key of its own', async () => {
		const template = await templateNamed('order_confirmation');
		const result = await engine.runNode(
			node,
			await send({
				parameters: await placeholders(template, {
					field1: '={{ $json.who }}',
					field2: '={{ $json.order }}',
				}),
				additionalFields: { headerType: 'image', headerUrl: 'https://example.com/offer.png' },
			}),
			{
				items: [
					{ phone: '+14155550001', who: 'Anna', order: 4711 },
					{ phone: '+14155550001', who: 'Anna', order: 4712 },
				],
			},
		);
		expect(errorOf(result)).toBe('undefined undefined');
		const sent = await bodies('/whatsapp/template');
		expect(
			sent
				.map(({ phoneNumber, parameters, header }) => ({ phoneNumber, parameters, header }))
				.sort((a, b) => a.parameters.field2.localeCompare(b.parameters.field2)),
		).toEqual(
			['4711', '4712'].map((order) => ({
				phoneNumber: '+14155550001',
				parameters: { field1: 'Anna', field2: order },
				header: { type: 'image', url: 'https://example.com/offer.png' },
			})),
		);
		expect(new Set(sent.map(({ request_key: key }) => key)).size).toBe(2);
		expect(result.json()[0]).toMatchObject({
			templateName: 'order_confirmation',
			recipientPhone: '+14155550001',
		});
	});

	test('placeholders as JSON text are sent; what is no object is refused, not left out', async () => {
		const run = async (parameters: unknown) => {
			const { error } = await engine.runNode(node, await send({ parameters: parameters as never }));
			const sent = await sandbox.ledger({ path: '/whatsapp/template', method: 'POST' });
			await sandbox.clearLedger();
			return error?.message ?? sent.map(({ body }) => body.parameters);
		};
		const values = { field1: 'Anna', field2: '4711' };
		expect(await run(JSON.stringify(values))).toEqual([values]);
		expect(await run(`=${JSON.stringify(values)}`)).toEqual([values]);
		const long = '{"field1": 12345678901234567891, "field2": "today"}';
		expect(await run(long)).toEqual([{ field1: '12345678901234567891', field2: 'today' }]);
		const whole = /'Placeholders' is one expression for the whole field/;
		for (const written of [
			`={{ ${JSON.stringify(values)} }}`,
			'={{ $json.nothing }}',
			'={"field1": "{{ $json.name }}", "field2": "today"}',
		])
			expect(await run(written)).toMatch(whole);
		expect(await run('Anna, 4711')).toMatch(
			/should be an object with a value for each placeholder/,
		);
		expect(await run('["Anna", "4711"]')).toMatch(/but it is a list: /);
		const mapped = (value: unknown) => ({ mappingMode: 'defineBelow', value });
		expect(await run(mapped(`={{ ${JSON.stringify(values)} }}`))).toEqual([values]);
		expect(await run(mapped('={{ $json.nothing }}'))).toMatch(/its expression returned nothing/);
		expect(await run(mapped('={{ ["Anna"] }}'))).toMatch(/but it is a list: /);
	});

	test('a placeholder without a value and half a header are refused before anything is sent', async () => {
		const template = await templateNamed('order_confirmation');
		const empty = await engine.runNode(
			node,
			await send({
				parameters: await placeholders(template, { field1: 'Anna', field2: '={{ $json.order }}' }),
			}),
			{ items: [{ order: '4711' }, { order: '' }, {}] },
		);
		expect(empty.error?.message).toMatch(
			/2 of 3 items cannot be sent: 'Placeholders › 2: .*' is empty.*\[item 1, \+14155550001\]/,
		);
		// As an AI writes it: without the template's placeholders, which it cannot load.
		const value = { field1: 'Anna', field2: '={{ $json.order }}', field3: null };
		const unloaded = await engine.runNode(
			node,
			await send({ parameters: { mappingMode: 'defineBelow', value } as never }),
			{ items: [{ order: '4711' }, { order: '' }, {}] },
		);
		expect(unloaded.error?.message).toMatch(
			/2 of 3 items cannot be sent: 'Placeholders › field2' is empty: its expression returned nothing/,
		);
		const gap = { field1: '=Dear {{ $json.order }},', field2: 'today' };
		const within = await engine.runNode(
			node,
			await send({ parameters: { mappingMode: 'defineBelow', value: gap } as never }),
			{ items: [{ order: '4711' }, { order: '' }] },
		);
		expect(within.error?.message).toMatch(/'Placeholders › field1' is incomplete: .*\$json\.order/);
		const header = await engine.runNode(
			node,
			await send({ additionalFields: { headerType: 'video' } }),
		);
		expect(header.error?.message).toContain("'Header Media Type' requires 'Header Media URL'");
		const other = await engine.runNode(
			node,
			await send({ additionalFields: { headerUrl: 'https://example.com/a.mp4' } }),
		);
		expect(other.error?.message).toContain("'Header Media URL' requires 'Header Media Type'");
		expect(await bodies('/whatsapp/template')).toEqual([]);
	});

	test('a template that is not approved is explained by the platform', async () => {
		const result = await engine.runNode(
			node,
			await send({ template: await templateNamed('not_yet') }),
		);
		expect(result.error?.message).toContain("did not accept 'Template'");
	});

	test('a template is created, listed, chosen and made usable in campaigns', async () => {
		const created = await engine.runNode('acpMessages whatsappTemplate.create', {
			name: 'spring_offer',
			language: 'en_US',
			category: 'MARKETING',
			waba: id('123456789012345'),
			components: '[{"type": "BODY", "text": "Hello {{1}}"}]',
		});
		expect(errorOf(created)).toBe('undefined undefined');
		expect((await bodies('/whatsapp/templates'))[0]).toMatchObject({
			waba_id: '123456789012345',
			components: [{ type: 'BODY', text: 'Hello {{1}}' }],
		});
		const all = await engine.runNode('acpMessages whatsappTemplate.getAll', {});
		expect(all.json().map(({ name }) => name)).toContain('spring_offer');
		expect(Object.keys(all.json()[0])).toHaveLength(10);
		const found = await engine.listSearch(node, 'searchWhatsappTemplates', { filter: 'spring' });
		expect(found.results).toEqual([
			{ name: 'spring_offer – en_US – PENDING', value: created.json()[0].uuid },
		]);

		const template = await templateNamed('order_confirmation');
		const setting = await engine.runNode('acpMessages whatsappTemplate.createSetting', {
			template,
			paramsBody: await placeholders(template, {
				field1: '{{contact.name}}',
				field2: '{{custom.order}}',
			}),
			additionalFields: { status: 'inactive' },
		});
		expect(errorOf(setting)).toBe('undefined undefined');
		expect((await bodies('/whatsapp/template-settings'))[0]).toEqual({
			template_uuid: template.value,
			params: { body: { 1: '{{contact.name}}', 2: '{{custom.order}}' } },
			status: 'inactive',
		});
		expect(setting.json()[0].content).toBe(
			'Hello {{contact.name}}, your order {{custom.order}} is confirmed.',
		);
	});
});

describe('SMS', () => {
	const sms = async (parameters: INodeParameters = {}): Promise<INodeParameters> => ({
		resource: 'sms',
		operation: 'send',
		agent: await firstAgent(),
		phoneNumber: '={{ $json.phone }}',
		message: '={{ $json.text ?? "Hello" }}',
		...parameters,
	});

	test('a text that is too long and a number without a plus stop the run before the first message', async () => {
		const result = await engine.runNode(node, await sms(), {
			items: [
				{ phone: '+14155550001' },
				{ phone: '+14155550002', text: 'x'.repeat(1601) },
				{ phone: '4155550003' },
			],
		});
		expect(result.error?.message).toContain(
			"2 of 3 items cannot be sent: 'Message' has 1601 characters; at most 1600 are allowed [item 1, +14155550002]",
		);
		expect(result.error?.description).toContain(
			"Item 2: 'Phone Number' is not a phone number in international format",
		);
		expect(await bodies('/sms/send')).toEqual([]);
	});

	test("the user's own key stands for one message, however often the workflow runs", async () => {
		const parameters = await sms({ options: { requestKey: '={{ $json.order }}' } });
		const items = [{ phone: '+14155550001', order: 'order-1' }];
		await engine.runNode(node, parameters, { items });
		const again = await engine.runNode(node, parameters, { items });
		expect(again.status).toBe('success');
		expect(await sandbox.created('/sms/send')).toHaveLength(1);
	});
});

describe('email', () => {
	// interface: §4.4 messages
	test('the recipient is checked, and further fields come from JSON', async () => {
		const agent = await firstAgent();
		const parameters: INodeParameters = {
			resource: 'email',
			operation: 'send',
			to: '={{ $json.mail }}',
			bodyJson: `={{ { agentId: "${agent.value}", subject: "Hello " + $json.who } }}`,
		};
		const result = await engine.runNode(node, parameters, {
			items: [{ mail: 'anna@example.com', who: 'Anna' }],
		});
		expect(errorOf(result)).toBe('undefined undefined');
		expect(await bodies('/email/messages')).toEqual([
			{
				to: 'anna@example.com',
				agentId: agent.value,
				subject: 'Hello Anna',
				request_key: expect.stringMatching(/^[0-9a-f]{40}$/),
			},
		]);
		const bad = await engine.runNode(node, parameters, {
			items: [{ mail: 'anna at example', who: 'Anna' }],
		});
		expect(bad.error?.message).toContain("'To' is not an email address");
		expect(await bodies('/email/messages')).toHaveLength(1);
	});
});

test('areas without a known endpoint are named once, by what reaches them', async () => {
	const { properties } = await engine.describe(node);
	const notices = properties.filter(
		({ name, displayName }) => name === 'notice' && displayName.includes('Not supported yet'),
	);
	expect(notices.map(({ displayName }) => displayName)).toEqual([
		'Not supported yet: email addresses, Facebook Messenger, Instagram. Take the path from your ' +
			"workspace's API documentation. To answer in a conversation, also with free text on WhatsApp, use " +
			'Other Endpoint of ACP Conversations.',
	]);
	const result = await engine.runNode('acpMessages otherEndpoint.apiRequest', {
		method: 'GET',
		path: '/agents',
		paginate: true,
	});
	expect(result.json().length).toBeGreaterThan(0);
});
