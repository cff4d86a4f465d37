/**
 * What a second run does after the first one failed: with something corrected by hand, and where the node goes on after
 * errors. The sandbox's ledger says what really happened.
 */
import type { INodeParameters } from 'n8n-workflow';
import {
	agentOf,
	byId,
	contact,
	fast,
	happened,
	note,
	onceEach,
	people,
	phoneOf,
	sms,
	ok,
} from './guarantees/scene.cts';
import { usePlatform } from './harness/index.cts';

const { sandbox, engine, run } = usePlatform({
	settings: fast,
	engine: { expressionEngine: 'legacy' },
});

/** No tries within a run, and one item after the other, so that the run ends at the first fault. */
const once = { maxRetries: 0, concurrency: 1 };
const lost = async (path: string, kind: 'reset-after' | 'reset-before' = 'reset-after') =>
	await sandbox.strike(`POST ^${path}$`, { kind }, { nth: 2, times: 1 });

/** Runs, fails, and is retried with the parameters corrected. */
async function corrected(
	nodeType: string,
	parameters: INodeParameters,
	change: INodeParameters,
	items: object[],
) {
	const options = { items: items as never };
	const failed = await run(nodeType, parameters, options);
	expect(failed.status).toBe('error');
	const currentWorkflow = engine.nodeWorkflow(nodeType, { ...parameters, ...change }, options);
	const result = ok(await engine.retry(failed, { currentWorkflow }));
	expect(result.json()).toHaveLength(items.length);
	return result;
}

/** The input's field, but for one value, which a person has corrected. */
const instead = (field: string, wrong: string, right: string) =>
	`={{ $json.${field} === '${wrong}' ? '${right}' : $json.${field} }}`;

describe('the recipient is corrected and the execution retried', () => {
	const phones = people(3).map(({ phone, text }) => ({ to: phone, text }));
	const emails = [0, 1, 2].map((index) => ({ to: `lead${index}@example.com`, text: 'Hello' }));
	const template = async () => String((await sandbox.state('whatsapp_templates'))[0].uuid);
	const phoneNumber = '={{ $json.to }}';

	interface Send {
		node: string;
		path: string;
		parameter: string;
		items: Array<{ to: string; text: string }>;
		right: string;
		who: (body: any) => string;
		parameters: (agent: string) => Promise<INodeParameters> | INodeParameters;
	}

	const sends: Record<string, Send> = {
		'a call': {
			node: 'acpCalls call.start',
			path: '/call',
			parameter: 'phoneNumber',
			items: phones,
			right: phoneOf(9),
			who: ({ participant }) => participant.number,
			parameters: (agent) => ({
				agent: byId(agent),
				phoneNumber,
			}),
		},
		'an SMS': {
			node: 'acpMessages',
			path: '/sms/send',
			parameter: 'phoneNumber',
			items: phones,
			right: phoneOf(9),
			who: (body) => body.phoneNumber,
			parameters: (agent) => sms(agent, {}, { phoneNumber }),
		},
		'a WhatsApp template': {
			node: 'acpMessages whatsapp.sendTemplate',
			path: '/whatsapp/template',
			parameter: 'phoneNumber',
			items: phones,
			right: phoneOf(9),
			who: (body) => body.phoneNumber,
			parameters: async (agent) => ({
				agent: byId(agent),
				template: byId(await template()),
				phoneNumber,
			}),
		},
		'an email': {
			node: 'acpMessages email.send',
			path: '/email/messages',
			parameter: 'to',
			items: emails,
			right: 'right@example.com',
			who: ({ to }) => to,
			parameters: () => ({ to: '={{ $json.to }}' }),
		},
		'a task': {
			node: 'acpOutreach task.create',
			path: '/tasks',
			parameter: 'phoneNumber',
			items: phones,
			right: phoneOf(9),
			who: (body) => body.contact.phone_number,
			parameters: (agent) => ({
				title: '={{ $json.text }}',
				type: 'make_call',
				scheduledAt: '2035-05-01T10:00:00+03:00',
				agent: byId(agent),
				phoneNumber,
			}),
		},
	};

	test.each(Object.keys(sends))('%s reaches everybody once, the right one too', async (name) => {
		const { node, path, parameter, items, right, who, parameters } = sends[name]!;
		const wrong = items[1]!.to;
		await lost(path);
		await corrected(
			node,
			{ ...(await parameters(await agentOf(sandbox))), options: once },
			{ [parameter]: instead('to', wrong, right) },
			items,
		);
		// The wrong one was reached before it was corrected.
		expect(await happened(sandbox, path, who)).toEqual(
			onceEach([...items.map(({ to }) => to), right]),
		);
		const requests = await sandbox.ledger({ path, method: 'POST' });
		expect(new Set(requests.map(({ body }) => body.request_key)).size).toBe(4);
	});

	test('an SMS by API Request is sent once to everybody, and to the right recipient', async () => {
		const agent = await agentOf(sandbox);
		const body = (phone: string) =>
			`={{ {agentId: '${agent}', message: $json.text, phoneNumber: ${phone}} }}`;
		await lost('/sms/send');
		await corrected(
			'acpMessages',
			{
				resource: 'otherEndpoint',
				operation: 'apiRequest',
				method: 'POST',
				path: '/sms/send',
				body: body('$json.phone'),
				options: once,
			},
			{ body: body(`$json.phone === '${phoneOf(1)}' ? '${phoneOf(9)}' : $json.phone`) },
			people(3),
		);
		expect(await happened(sandbox, '/sms/send', (sent) => sent.phoneNumber)).toEqual(
			onceEach([0, 1, 2, 9].map(phoneOf)),
		);
	});

	test('a contact: a record made for the wrong number is no answer for the right one', async () => {
		const names = async () =>
			await happened(sandbox, '/contacts', (body) => `${body.name} ${body.phone_number}`);
		await sandbox.strike('POST ^/contacts$', 403, { nth: 2 });
		const result = await corrected(
			'acpContacts',
			contact(once),
			{ phoneNumber: instead('phone', phoneOf(0), phoneOf(9)) },
			people(3),
		);
		expect(await names()).toEqual(
			onceEach([
				`Hello 0 ${phoneOf(0)}`,
				`Hello 0 ${phoneOf(9)}`,
				`Hello 1 ${phoneOf(1)}`,
				`Hello 2 ${phoneOf(2)}`,
			]),
		);
		expect(result.json()[0].phone_number).toBe(phoneOf(9));
	});
});

describe('something else is corrected and the execution retried', () => {
	test('the agent that writes: the corrected one writes, under a key of its own', async () => {
		const [wrong, right] = [await agentOf(sandbox, 0), await agentOf(sandbox, 1)];
		const agent = (id: string) => ({
			agent: byId(`={{ $json.text === 'Hello 1' ? '${id}' : '${wrong}' }}`),
		});
		await lost('/sms/send');
		await corrected('acpMessages', { ...sms('', once), ...agent(wrong) }, agent(right), people(3));
		expect(
			await happened(sandbox, '/sms/send', (body) => `${body.agentId} ${body.message}`),
		).toEqual(onceEach([...people(3).map(({ text }) => `${wrong} ${text}`), `${right} Hello 1`]));
	});

	// Where the answer was lost, nobody is written to twice: evidence.values.
	test('the text of a message, the request was lost: the corrected text is sent, once', async () => {
		await lost('/sms/send', 'reset-before');
		await corrected(
			'acpMessages',
			sms(await agentOf(sandbox), once),
			{ message: "={{ $json.text === 'Hello 2' ? $json.text : 'Better' }}" },
			people(3),
		);
		// What was done before the correction stays as it was.
		expect(
			await happened(sandbox, '/sms/send', (body) => `${body.phoneNumber} ${body.message}`),
		).toEqual(onceEach([`${phoneOf(0)} Hello 0`, `${phoneOf(1)} Better`, `${phoneOf(2)} Hello 2`]));
	});

	test('the address: a note goes to the right agent, also where an earlier one went to the wrong one', async () => {
		const [one, other] = [await agentOf(sandbox, 0), await agentOf(sandbox, 1)];
		const missing = '00000000-0000-4000-8000-000000000000';
		const items = people(4).map((item, index) => ({ ...item, agent: index === 2 ? missing : one }));
		await corrected(
			'acpAgents',
			{ ...note('', once), agent: byId('={{ $json.agent }}') },
			{
				agent: byId(
					`={{ ['Hello 1', 'Hello 2'].includes($json.text) ? '${other}' : $json.agent }}`,
				),
			},
			items,
		);
		const notes = async (agent: string) =>
			await happened(sandbox, `/agents/${agent}/notes`, (body) => body.content);
		expect(await notes(one)).toEqual(onceEach(['Hello 0', 'Hello 1', 'Hello 3']));
		expect(await notes(other)).toEqual(onceEach(['Hello 1', 'Hello 2']));
	});
});
