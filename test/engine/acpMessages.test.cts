/** SMS, WhatsApp & Email: the placeholders of a template, as they are offered, filled in and refused. */
import type { INodeParameters } from 'n8n-workflow';
import { cases } from './guarantees/cases.cts';
import { agentOf, byId, sms } from './guarantees/scene.cts';
import { usePlatform } from './harness/index.cts';

const platform = usePlatform({ speed: 10 });
const { sandbox, engine } = platform;

const templateNamed = async (wanted: string) =>
	byId((await sandbox.state('whatsapp_templates')).find(({ name }) => name === wanted).uuid);
const fieldsOf = async (template?: INodeParameters, method = 'getTemplateFields') =>
	await engine.resourceMapping('acpMessages', method, {
		parameters: { resource: 'whatsapp', operation: 'sendTemplate', ...(template && { template }) },
		path: 'parameters.parameters',
	});
/** What the editor stores once the placeholders of the chosen template were loaded. */
const placeholders = async (value: INodeParameters) => ({
	mappingMode: 'defineBelow',
	value,
	schema: (await fieldsOf(await templateNamed('order_confirmation'))).fields,
});
/** As an AI writes it: without the template's placeholders, which it cannot load. */
const unloaded = (value: unknown) => ({ mappingMode: 'defineBelow', value });

test('placeholders are offered with the words around them', async () => {
	const { fields, ...more } = await fieldsOf(await templateNamed('order_confirmation'));
	expect(more).toEqual({});
	expect(fields.map(({ id, displayName, required }) => [id, displayName, required])).toEqual([
		['field1', '1: Hello {{1}}, your order {{2}} is confirmed.', true],
		['field2', '2: …your order {{2}} is confirmed.', true],
	]);
	const nothing = (said: string) => ({
		fields: [],
		emptyFieldsNotice: expect.stringContaining(said),
	});
	expect(await fieldsOf(await templateNamed('hello'))).toMatchObject(nothing('no placeholders'));
	expect(await fieldsOf()).toMatchObject(nothing("Choose 'Template' first"));
	const named = { __rl: true, mode: 'name', value: 'hello' };
	expect(await fieldsOf(named)).toMatchObject(nothing("'Template' is set by name"));
	const unknown = await fieldsOf(byId('3f2b8c1e-5d47-4a9b-8f60-2c1d9e7a4b35'));
	expect(unknown.fields.map(({ id, displayName }) => [id, displayName])).toEqual(
		Array.from({ length: 10 }, (_, index) => [`field${index + 1}`, `${index + 1}: text not shown`]),
	);
});

test('the text of a template is shown whole, as text', async () => {
	const [{ uuid: _uuid, ...like }] = await sandbox.state('whatsapp_templates');
	const content = 'Hello <b>{{1}}</b>\n& all';
	const { uuid } = await sandbox.add('whatsapp_templates', { ...like, content });
	expect(await fieldsOf(byId(uuid), 'getTemplateText')).toEqual({
		fields: [],
		emptyFieldsNotice: 'Hello &lt;b&gt;{{1}}&lt;/b&gt;<br>&amp; all',
	});
});

describe('a WhatsApp template', () => {
	const sending = async (parameters: unknown, additionalFields: object = {}) => ({
		node: 'acpMessages whatsapp.sendTemplate',
		parameters: {
			agent: byId(await agentOf(sandbox)),
			template: await templateNamed('order_confirmation'),
			phoneNumber: '={{ $json.phone ?? "+14155550001" }}',
			parameters,
			additionalFields,
		} as never,
	});
	const values = { field1: 'Anna', field2: '4711' };
	const path = 'POST /whatsapp/template';
	const sentWith = (parameters: object, more: object = {}) => ({
		got: { [path]: [expect.objectContaining({ parameters, ...more })] },
	});
	/** What is written in the field, and what comes of it. */
	const written = (given: unknown, of: object) => async () => ({
		...(await sending(given)),
		...of,
	});
	const orders = [{ order: '4711' }, { order: '' }, {}];
	const whole = { refused: /'Placeholders' is one expression for the whole field/ };

	cases(platform, {
		// interface: §4.4 messages
		'placeholders as text, and media of the header': async () => ({
			...(await sending(
				await placeholders({ field1: '={{ $json.who }}', field2: '={{ $json.order }}' }),
				{ headerType: 'image', headerUrl: 'https://example.com/offer.png' },
			)),
			items: [{ who: 'Anna', order: 4711 }],
			json: [{ templateName: 'order_confirmation', recipientPhone: '+14155550001' }],
			...sentWith(values, { header: { type: 'image', url: 'https://example.com/offer.png' } }),
		}),
		'JSON text is sent': written(JSON.stringify(values), sentWith(values)),
		'so is JSON text as an expression': written(`=${JSON.stringify(values)}`, sentWith(values)),
		'and an object in the value of the mapper': written(
			unloaded(`={{ ${JSON.stringify(values)} }}`),
			sentWith(values),
		),
		'a number that JavaScript cannot keep is sent as it was written': written(
			'{"field1": 12345678901234567891, "field2": "today"}',
			sentWith({ field1: '12345678901234567891', field2: 'today' }),
		),
		'one expression that gives an object is refused': written(
			`={{ ${JSON.stringify(values)} }}`,
			whole,
		),
		'one that gives nothing, too': written('={{ $json.nothing }}', whole),
		'JSON text with an expression in it, too': written(
			'={"field1": "{{ $json.name }}", "field2": "today"}',
			whole,
		),
		'text that is no JSON is refused': written('Anna, 4711', {
			refused: /should be an object with a value for each placeholder/,
		}),
		'a list is refused': written('["Anna", "4711"]', { refused: /but it is a list: / }),
		'a list in the value of the mapper, too': written(unloaded('={{ ["Anna"] }}'), {
			refused: /but it is a list: /,
		}),
		'nothing in the value of the mapper, too': written(unloaded('={{ $json.nothing }}'), {
			refused: /its expression returned nothing/,
		}),
		'a placeholder without a value is refused by its words': async () => ({
			...(await sending(await placeholders({ field1: 'Anna', field2: '={{ $json.order }}' }))),
			items: orders,
			refused:
				/2 of 3 items cannot be sent: 'Placeholders › 2: .*' is empty.*\(\+14155550001\) \[item 1\]/,
		}),
		'where they were not loaded, by its name': async () => ({
			...(await sending(unloaded({ field1: 'Anna', field2: '={{ $json.order }}', field3: null }))),
			items: orders,
			refused:
				/2 of 3 items cannot be sent: 'Placeholders › field2' is empty: its expression returned nothing/,
		}),
		'a part that is empty is refused': async () => ({
			...(await sending(unloaded({ field1: '=Dear {{ $json.order }},', field2: 'today' }))),
			items: orders.slice(0, 2),
			refused: /'Placeholders › field1' is incomplete: .*\$json\.order/,
		}),
		'a placeholder that nobody filled in is refused by the text of the template': async () => ({
			...(await sending(unloaded({ field1: 'Anna' }))),
			refused: /'Placeholders' has no value for \{\{2\}\}, .*your order \{\{2\}\} is confirmed/,
		}),
		'no placeholders at all, too': async () => ({
			...(await sending(unloaded(null))),
			refused: /'Placeholders' has no value for \{\{1\}\} and \{\{2\}\}/,
		}),
		'a value too many, too': async () => ({
			...(await sending(unloaded({ ...values, field3: 'tea' }))),
			refused: /'Placeholders' has a value for \{\{3\}\}, which the template does not have/,
		}),
		'the placeholder of a header or a button is not counted': async () => {
			const all = await sandbox.state('whatsapp_templates');
			const { uuid, components } = all.find(({ name }) => name === 'order_confirmation');
			const header = { type: 'HEADER', format: 'TEXT', text: 'For {{1}}' };
			await sandbox.change('whatsapp_templates', uuid, { components: [header, ...components] });
			return {
				...(await sending({ ...values, field3: 'tea' })),
				...sentWith({ ...values, field3: 'tea' }),
			};
		},
		'templates that cannot be read hold nothing back, and a hint says so': async () => ({
			...(await sending(unloaded({ field1: 'Anna' }))),
			strikes: [['GET /whatsapp/templates', { status: 403, code: 'FORBIDDEN' }]],
			...sentWith({ field1: 'Anna' }),
			hints: /it is unknown whether all its placeholders are filled in/,
		}),
		'a campaign is not told half of the placeholders': async () => ({
			node: 'acpMessages whatsappTemplate.createSetting',
			parameters: {
				template: await templateNamed('order_confirmation'),
				paramsBody: unloaded({ field1: '{{contact.name}}' }) as never,
			},
			refused: /'Placeholders' has no value for \{\{2\}\}/,
		}),
		'half a header is refused: its URL': async () => ({
			...(await sending(values, { headerType: 'video' })),
			refused: "'Header Media Type' requires 'Header Media URL'",
		}),
		'half a header is refused: its type': async () => ({
			...(await sending(values, { headerUrl: 'https://example.com/a.mp4' })),
			refused: "'Header Media URL' requires 'Header Media Type'",
		}),
		'placeholders of a campaign are sent by their numbers': async () => ({
			node: 'acpMessages whatsappTemplate.createSetting',
			parameters: {
				template: await templateNamed('order_confirmation'),
				paramsBody: (await placeholders({
					field1: '{{contact.name}}',
					field2: '{{custom.order}}',
				})) as never,
			},
			got: {
				'POST /whatsapp/template-settings': [
					expect.objectContaining({
						params: { body: { 1: '{{contact.name}}', 2: '{{custom.order}}' } },
					}),
				],
			},
		}),
	});
});

describe('a text that a person reads', () => {
	const gap = /'Message' is incomplete: \{\{ \$json\.nothing \}\} returned nothing/;
	test.each<[string, string, RegExp | undefined]>([
		['has a gap', '=Hi {{ $json.nothing }}!', gap],
		['holds an object', '=Hi {{ $json.contact }}', /would read "\[object Object\]"/],
		['is joined from nothing', "={{ 'Hi ' + $json.nothing }}", /would read "undefined"/],
		['has a gap by intention', "=Hi {{ $json.nothing ?? '' }}", undefined],
		['says so itself', '={{ $json.text.trim() }}', undefined],
	])('%s', async (_, message, refused) => {
		const text = refused ? 'Hello' : 'Your status is undefined.';
		const item = { contact: { name: 'Anna' }, text };
		const result = await engine.runNode(
			'acpMessages',
			{ ...sms(await agentOf(sandbox)), phoneNumber: '+14155550001', message },
			{ items: [item] },
		);
		expect(result.error?.message ?? '').toMatch(refused ?? /^$/);
		expect(await sandbox.created('/sms/send')).toHaveLength(refused ? 0 : 1);
	});

	const garbled = '={{ "Hi " + $json.nothing }}';
	const mapped = (key: string) => ({ mappingMode: 'defineBelow', value: { [key]: garbled } });
	test.each<[string, string, object, RegExp]>([
		[
			'a row of a listing',
			'acpOutreach listing.createFromItems',
			{
				name: 'Spring',
				contacts: {
					mappingMode: 'defineBelow',
					value: { phone_number: '+14155550001', name: garbled },
				},
			},
			/'Contacts › name' would read "undefined"/,
		],
		[
			'a custom field of a contact',
			'acpContacts contact.findOrCreate',
			{ phoneNumber: '+14155550001', name: 'Anna', customFields: mapped('company') },
			/'Custom Fields › company' would read "undefined"/,
		],
		[
			'a placeholder of a template',
			'acpMessages whatsapp.sendTemplate',
			{ phoneNumber: '+14155550001', parameters: mapped('field1') },
			/'Placeholders › field1' would read "undefined"/,
		],
		[
			'JSON of API Request',
			'acpMessages otherEndpoint.apiRequest',
			{
				method: 'POST',
				path: '/sms/send',
				body: '={{ JSON.stringify({message: "Hi " + $json.a}) }}',
			},
			/'Body \(JSON\)' would read "undefined"/,
		],
	])('%s is looked at, too', async (_, node, parameters, refused) => {
		const template = await templateNamed('order_confirmation');
		const agent = byId(await agentOf(sandbox));
		const result = await engine.runNode(node, { agent, template, ...parameters } as never, {
			items: [{ text: 'Hello' }],
		});
		expect(result.error?.message).toMatch(refused);
		expect(await sandbox.created()).toEqual([]);
	});
});
