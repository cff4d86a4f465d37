/** SMS, WhatsApp & Email: the placeholders of a template, as they are offered, filled in and refused. */
import type { INodeParameters } from 'n8n-workflow';
import { cases } from './guarantees/cases.cts';
import { expectEnding } from './guarantees/promises.cts';
import { agentOf, byId } from './guarantees/scene.cts';
import { usePlatform } from './harness/index.cts';

const platform = usePlatform({ speed: 10 });
const { sandbox, engine } = platform;

const templateNamed = async (wanted: string) =>
	byId((await sandbox.state('whatsapp_templates')).find(({ name }) => name === wanted).uuid);
const order = async () => await templateNamed('order_confirmation');
const fieldsOf = async (template?: INodeParameters, method = 'getTemplateFields') =>
	await engine.resourceMapping('acpMessages', method, {
		parameters: { resource: 'whatsapp', operation: 'sendTemplate', ...(template && { template }) },
		path: 'parameters.parameters',
	});
/** What the editor stores once the placeholders of the chosen template were loaded. */
const placeholders = async (value: INodeParameters): Promise<any> => ({
	mappingMode: 'defineBelow',
	value,
	schema: (await fieldsOf(await order())).fields,
});
/** As an AI writes it: without the template's placeholders, which it cannot load. */
const unloaded = (value: unknown): any => ({ mappingMode: 'defineBelow', value });

test('placeholders are offered with the words around them', async () => {
	const namesOf = async (template: INodeParameters) =>
		(await fieldsOf(template)).fields.map(({ id, displayName }) => `${id} ${displayName}`);
	expect(await namesOf(await order())).toEqual([
		'field1 1: Hello {{1}}, your order {{2}} is confirmed.',
		'field2 2: …your order {{2}} is confirmed.',
	]);
	for (const [template, said] of [
		[await templateNamed('hello'), 'no placeholders'],
		[undefined, "Choose 'Template' first"],
		[{ __rl: true, mode: 'name', value: 'hello' }, "'Template' is set by name"],
	] as const) {
		const notice = { fields: [], emptyFieldsNotice: expect.stringContaining(said) };
		expect(await fieldsOf(template)).toMatchObject(notice);
	}
	expect(await namesOf(byId('3f2b8c1e-5d47-4a9b-8f60-2c1d9e7a4b35'))).toEqual(
		Array.from({ length: 10 }, (_, at) => `field${at + 1} ${at + 1}: text not shown`),
	);
});

/** A template of a text, which stands in one place or the other. */
const templateOf = async (about: object) => {
	const [{ uuid: _uuid, ...like }] = await sandbox.state('whatsapp_templates');
	return byId((await sandbox.add('whatsapp_templates', { ...like, ...about })).uuid);
};

test('placeholders come by number, not by letter, wherever the text stands', async () => {
	const text = '{{10}} and {{2}}, then {{1}}, {{ 3 }} and {{2}} again';
	for (const about of [{ content: text }, { content: '', components: [{ type: 'BODY', text }] }]) {
		const { fields } = await fieldsOf(await templateOf(about));
		expect(fields.map(({ id }) => id)).toEqual(['field1', 'field2', 'field3', 'field10']);
	}
});

test('the text of a template is shown whole, as text', async () => {
	const template = await templateOf({ content: 'Hello <b>{{1}}</b>\n& all' });
	expect(await fieldsOf(template, 'getTemplateText')).toEqual({
		fields: [],
		emptyFieldsNotice: 'Hello &lt;b&gt;{{1}}&lt;/b&gt;<br>&amp; all',
	});
});

describe('a WhatsApp template', () => {
	const values = { field1: 'Anna', field2: '4711' };
	const long = { field1: '12345678901234567891', field2: 'today' };
	const image = { headerType: 'image', headerUrl: 'https://example.com/offer.png' };
	const sending = async (parameters: unknown, additionalFields: object = {}) => ({
		node: 'acpMessages whatsapp.sendTemplate',
		parameters: {
			...{ agent: byId(await agentOf(sandbox)), template: await order(), parameters },
			...{ phoneNumber: '+14155550001', additionalFields },
		} as never,
	});
	const sentWith = (parameters: object, more: object = {}) => ({
		got: { 'POST /whatsapp/template': [expect.objectContaining({ parameters, ...more })] },
	});

	test.each`
		as                                 | given                                                        | sent      | says
		${'JSON text'}                     | ${JSON.stringify(values)}                                    | ${values} | ${''}
		${'a number beyond JavaScript'}    | ${`{"field1": ${long.field1}, "field2": "today"}`}           | ${long}   | ${''}
		${'an expression for all of it'}   | ${`={{ ${JSON.stringify(values)} }}`}                        | ${null}   | ${/is one expression for the whole field/}
		${'JSON with an expression in it'} | ${'={"field1": "{{ $json.name }}", "field2": "today"}'}      | ${null}   | ${/is one expression for the whole field/}
		${'no JSON'}                       | ${'Anna, 4711'}                                              | ${null}   | ${/should be an object with a value for each/}
		${'a list'}                        | ${'["Anna", "4711"]'}                                        | ${null}   | ${/but it is a list: /}
		${'nothing in the mapper'}         | ${unloaded('={{ $json.nothing }}')}                          | ${null}   | ${/its expression returned nothing/}
		${'a gap'}                         | ${unloaded({ ...values, field1: '=Dear {{ $json.a }},' })}   | ${null}   | ${/'Placeholders › field1' is incomplete: .*\$json\.a/}
		${'garble'}                        | ${unloaded({ ...values, field1: '={{ "Hi " + $json.a }}' })} | ${null}   | ${/'Placeholders › field1' would read "undefined"/}
		${'one that nobody filled in'}     | ${unloaded({ field1: 'Anna' })}                              | ${null}   | ${/has no value for \{\{2\}\}, .*your order \{\{2\}\} is confirmed/}
		${'one too many'}                  | ${unloaded({ ...values, field3: 'tea' })}                    | ${null}   | ${/has a value for \{\{3\}\}, which the template does not have/}
	`('placeholders as $as', async ({ given, sent, says }) => {
		const { node, parameters } = await sending(given);
		const result = await engine.runNode(node, parameters);
		await expectEnding(sandbox, result, says ? { fails: says } : {});
		const messages = await sandbox.ledger({ path: '/whatsapp/template' });
		expect(messages.map(({ body }) => body.parameters)).toEqual(sent ? [sent] : []);
	});

	cases(platform, {
		// interface: §4.4 messages
		'placeholders as text, and media of the header': async () => ({
			...(await sending(
				await placeholders({ field1: '={{ $json.who }}', field2: '={{ $json.order }}' }),
				image,
			)),
			items: [{ who: 'Anna', order: 4711 }],
			json: [{ templateName: 'order_confirmation', recipientPhone: '+14155550001' }],
			...sentWith(values, { header: { type: 'image', url: image.headerUrl } }),
		}),
		'a placeholder without a value is refused by its words': async () => ({
			...(await sending(await placeholders({ field1: 'Anna', field2: '={{ $json.order }}' }))),
			items: [{ order: '4711' }, { order: '' }, {}],
			refused: /2 of 3 items cannot be sent: 'Placeholders › 2: .*' is empty.*\[item 1\]/,
		}),
		'the placeholder of a header or a button is not counted': async () => {
			const all = await sandbox.state('whatsapp_templates');
			const { uuid, components } = all.find(({ name }) => name === 'order_confirmation');
			const header = { type: 'HEADER', format: 'TEXT', text: 'For {{1}}' };
			await sandbox.change('whatsapp_templates', uuid, { components: [header, ...components] });
			const more = { ...values, field3: 'tea' };
			return { ...(await sending(more)), ...sentWith(more) };
		},
		'templates that cannot be read hold nothing back, and a hint says so': async () => ({
			...(await sending(unloaded({ field1: 'Anna' }))),
			strikes: [['GET /whatsapp/templates', { status: 403, code: 'FORBIDDEN' }]],
			...sentWith({ field1: 'Anna' }),
			hints: /it is unknown whether all its placeholders are filled in/,
		}),
		'half a header is refused: its URL': async () => ({
			...(await sending(values, { headerType: 'video' })),
			refused: "'Header Media Type' requires 'Header Media URL'",
		}),
		'half a header is refused: its type': async () => ({
			...(await sending(values, { headerUrl: image.headerUrl })),
			refused: "'Header Media URL' requires 'Header Media Type'",
		}),
		'a campaign is not told half of the placeholders': async () => ({
			node: 'acpMessages whatsappTemplate.createSetting',
			parameters: { template: await order(), paramsBody: unloaded({ field1: '{{contact.name}}' }) },
			refused: /'Placeholders' has no value for \{\{2\}\}/,
		}),
		'placeholders of a campaign are sent by their numbers': async () => {
			const [one, two] = ['{{contact.name}}', '{{custom.order}}'];
			const paramsBody = await placeholders({ field1: one, field2: two });
			const sent = expect.objectContaining({ params: { body: { 1: one, 2: two } } });
			return {
				node: 'acpMessages whatsappTemplate.createSetting',
				parameters: { template: await order(), paramsBody },
				got: { 'POST /whatsapp/template-settings': [sent] },
			};
		},
	});
});

describe('a text that a person reads', () => {
	const garbled = '={{ "Hi " + $json.nothing }}';
	const mapped = (key: string) => ({ mappingMode: 'defineBelow', value: { [key]: garbled } });
	const phone = '+14155550001';
	const row = { mappingMode: 'defineBelow', value: { phone_number: phone, name: garbled } };
	const body = '={{ JSON.stringify({message: "Hi " + $json.a}) }}';
	const gap = /'Message' is incomplete: \{\{ \$json\.nothing \}\} returned nothing/;
	const [listing, contact] = ['listing.createFromItems', 'contact.findOrCreate'];
	const text = 'Your status is undefined.';

	test.each`
		says                        | node                                      | given                                                | refused
		${'has a gap'}              | ${'acpMessages sms.send'}                 | ${{ message: '=Hi {{ $json.nothing }}!' }}           | ${gap}
		${'holds an object'}        | ${'acpMessages sms.send'}                 | ${{ message: '=Hi {{ $json.contact }}' }}            | ${/would read "\[object Object\]"/}
		${'is joined from nothing'} | ${'acpMessages sms.send'}                 | ${{ message: garbled }}                              | ${/would read "undefined"/}
		${'has a gap by intention'} | ${'acpMessages sms.send'}                 | ${{ message: "=Hi {{ $json.nothing ?? '' }}" }}      | ${null}
		${'says so itself'}         | ${'acpMessages sms.send'}                 | ${{ message: '={{ $json.text.trim() }}' }}           | ${null}
		${'is of a row'}            | ${`acpOutreach ${listing}`}               | ${{ name: 'Spring', contacts: row }}                 | ${/'Contacts › name' would read "undefined"/}
		${'is a custom field'}      | ${`acpContacts ${contact}`}               | ${{ name: 'Anna', customFields: mapped('company') }} | ${/'Custom Fields › company' would read "undefined"/}
		${'is JSON of API Request'} | ${'acpMessages otherEndpoint.apiRequest'} | ${{ method: 'POST', path: '/sms/send', body }}       | ${/'Body \(JSON\)' would read "undefined"/}
	`('that $says', async ({ node, given, refused }) => {
		const agent = byId(await agentOf(sandbox));
		const items = [{ contact: { name: 'Anna' }, ...(!refused && { text }) }];
		const result = await engine.runNode(node, { agent, phoneNumber: phone, ...given }, { items });
		expect(result.error?.message ?? '').toMatch(refused ?? /^$/);
		expect(await sandbox.created()).toHaveLength(refused ? 0 : 1);
	});
});
