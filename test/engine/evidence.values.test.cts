/** Values and request keys that are others in each try, and values that a person changes between two tries. */
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import {
	agentOf,
	byId,
	failure,
	fast,
	happened,
	hintsOf,
	note,
	onceEach,
	people,
	phoneOf,
	sms,
	taskFor,
	ok,
} from './guarantees/scene.cts';
import { usePlatform } from './harness/index.cts';

const { sandbox, engine, run } = usePlatform({ settings: fast, speed: 20 });
const anna = phoneOf(1);
/** What `$now` is in a longer wait between tries. */
const moment = '{{ $now.toMillis() }}-{{ Math.random() }}';
const again = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
const lose = async (path: string, nth = 1) =>
	await sandbox.strike(`POST ${path}`, 'reset-after', { nth, times: 1 });
/** The platform takes no key where no source shows one, and its lists lag. */
const manners = { guessedKeys: 'field', lagMs: 600_000 };
const listing = async (phone: string, change: INodeParameters = {}): Promise<INodeParameters> => ({
	resource: 'listing',
	operation: 'createFromItems',
	name: 'Spring offer',
	autoStart: true,
	agent: byId(await agentOf(sandbox)),
	campaignType: 'call',
	contacts: { mappingMode: 'defineBelow', value: { phone_number: phone } } as never,
	options: { maxRetries: 0 },
	...change,
});

interface Write {
	node: string;
	/** Its path, and which request to it is lost: a key that is refused takes the first one. */
	lost: [path: string, nth: number];
	parameters: () => Promise<INodeParameters>;
}

const writes: Record<string, Write> = {
	'a new contact': {
		node: 'acpContacts',
		lost: ['/contacts', 1],
		parameters: async () => ({
			resource: 'contact',
			operation: 'create',
			phoneNumber: anna,
			name: `=Lead ${moment}`,
			options: { maxRetries: 0 },
		}),
	},
	'a note': {
		node: 'acpAgents',
		lost: ['/notes', 1],
		parameters: async () => ({
			...note(await agentOf(sandbox), { maxRetries: 0 }),
			content: `=As of ${moment}`,
		}),
	},
	'an appointment': {
		node: 'acpScheduling',
		lost: ['/appointments', 1],
		parameters: async () => ({
			resource: 'appointment',
			operation: 'create',
			schedule: byId((await sandbox.state('schedules'))[0].uuid),
			title: `=Booked at ${moment}`,
			startTime: '2031-05-01T10:00:00Z',
			endTime: '2031-05-01T10:30:00Z',
			options: { maxRetries: 0 },
		}),
	},
	'a task in an hour': {
		node: 'acpOutreach',
		lost: ['/tasks', 2],
		parameters: async () => {
			const { data } = await sandbox.api.post('/contacts', { phone_number: anna });
			const agent = await agentOf(sandbox);
			return {
				...taskFor(agent, data.data.uuid, { maxRetries: 0 }),
				title: `=T ${moment}`,
				autoQueue: true,
				scheduledAt: '={{ $now.plus({ hours: 1 }) }}',
			};
		},
	},
	'a listing named after the time': {
		node: 'acpOutreach',
		lost: ['/listings', 2],
		parameters: async () => await listing('={{ $json.phone }}', { name: `=Leads ${moment}` }),
	},
};

describe('Evidence: a write whose values are others in each try is taken for another write', () => {
	test.each(Object.keys(writes))('%s, its answer lost, Retry On Fail: sent once', async (name) => {
		const { node, lost, parameters } = writes[name]!;
		const written = await parameters();
		await sandbox.settings({ manners });
		await sandbox.clearLedger();
		await lose(`${lost[0]}$`, lost[1]);
		await run(node, written, { items: [{ phone: anna }], ...again });
		const made = await sandbox.ledger({ method: 'POST' });
		const sent = made.filter(({ path, effect }) => path.endsWith(lost[0]) && effect === 'created');
		expect(sent).toHaveLength(1);
	});

	test('a lost note is found by what was sent, not by what it says now', async () => {
		const { node, lost, parameters } = writes['a note']!;
		await lose(`${lost[0]}$`);
		const result = ok(await run(node, await parameters(), again));
		expect(hintsOf(result)).toContain('the request went through');
	});

	test('what is done stays done: a third item is refused, Retry execution', async () => {
		await sandbox.strike('POST ^/contacts$', 403, { nth: 3, times: 1 });
		const failed = await run(
			'acpContacts contact.create',
			{
				phoneNumber: '={{ $json.phone }}',
				name: `=${moment}`,
				options: { maxRetries: 0, concurrency: 1 },
			},
			{ items: people(3) },
		);
		expect(failure(failed)).toContain('2 done');
		expect(failure(await engine.retry(failed))).toBeUndefined();
		expect(await happened(sandbox, '/contacts', (body) => body.phone_number)).toEqual(
			onceEach([0, 1, 2].map(phoneOf)),
		);
	});
});

describe('Evidence: a Request Key that is another in each try is taken for the key of another request', () => {
	test.each([
		['the execution', '={{ $execution.id }}-{{ $itemIndex }}'],
		['the time', `=${moment}`],
	])('made of %s, Retry execution: nobody is written to twice', async (_, requestKey) => {
		await lose('^/sms/send$', 2);
		const options = { maxRetries: 0, concurrency: 1, requestKey };
		const parameters = sms(await agentOf(sandbox), options);
		const failed = await run('acpMessages', parameters, { items: people(3) });
		expect(failure(failed)).toContain('1 done');
		expect(failure(await engine.retry(failed))).toBeUndefined();
		expect(await happened(sandbox, '/sms/send', (body) => body.phoneNumber)).toEqual(
			onceEach([0, 1, 2].map(phoneOf)),
		);
	});

	test('a tool call, Retry On Fail: written once', async () => {
		await lose('^/sms/send$');
		const { answers } = await engine.callTools(
			'acpMessages',
			sms(
				await agentOf(sandbox),
				{ maxRetries: 0 },
				{ phoneNumber: "={{ $fromAI('to', '', 'string') }}", message: `=At ${moment}` },
			),
			[{ args: { to: anna } }],
			again,
		);
		expect(JSON.stringify(answers)).toContain('messageId');
		expect(await happened(sandbox, '/sms/send', (body) => body.phoneNumber)).toEqual(
			onceEach([anna]),
		);
	});
});

describe('Evidence: a corrected request is taken for one that was never sent', () => {
	const retried = async (
		node: string,
		items: IDataObject[],
		parameters: INodeParameters,
		change: INodeParameters,
	) => {
		const failed = await run(node, parameters, { items: items as never });
		expect(failed.status).toBe('error');
		const currentWorkflow = engine.nodeWorkflow(
			node,
			{ ...parameters, ...change },
			{ items: items as never },
		);
		return await engine.retry(failed, { currentWorkflow });
	};
	const other = 'An earlier try sent this with other values, and it may have gone through';

	test.each([
		['the platform knows the key', {}, 1],
		['the platform takes no key for listings', { guessedKeys: 'field' }, 2],
	])('a launched listing, one number corrected, %s: not launched again', async (_, more, nth) => {
		await sandbox.settings({ manners: more });
		await lose('^/listings$', nth);
		// The run looks for the lost listing, and does not see it.
		await sandbox.settings({ manners: { ...more, lagMs: 600_000 } });
		const items = people(2).map((one, at) => ({ ...one, right: phoneOf(at === 1 ? 9 : 0) }));
		const { contacts } = await listing('={{ $json.right }}');
		const result = await retried('acpOutreach', items, await listing('={{ $json.phone }}'), {
			contacts: contacts as never,
		});
		expect(failure(result)).toContain(other);
		expect(hintsOf(result)).not.toContain('added');
		expect(await sandbox.created('/listings')).toHaveLength(1);
	});

	test('the second part of a list, a row of the third corrected: no row is sent twice', async () => {
		await lose('/contacts$');
		const items = people(3).map((one, at) => ({ ...one, right: phoneOf(at === 2 ? 9 : at) }));
		const change = { autoStart: false, options: { maxRetries: 0, batchSize: 1 } };
		const { contacts } = await listing('={{ $json.right }}');
		const result = await retried(
			'acpOutreach',
			items,
			await listing('={{ $json.phone }}', change),
			{ contacts: contacts as never },
		);
		expect(failure(result)).toContain(other);
		const sent = await sandbox.ledger({ method: 'POST' });
		expect(sent.map(({ body }) => body.contacts[0].phone_number)).toEqual([0, 1].map(phoneOf));
	});

	const { node, parameters } = writes['a new contact']!;
	test.each<[string, INodeParameters, number, string | undefined]>([
		['held back', {}, 1, other],
		['sent with Retry Writes', { options: { maxRetries: 0, retryWrites: true } }, 2, undefined],
	])('a contact with another name: %s', async (_, change, count, said) => {
		await lose('^/contacts$');
		const result = await retried(node, [{}], await parameters(), { name: 'Anna', ...change });
		expect(failure(result)?.startsWith(other)).toBe(said && true);
		expect(await sandbox.created('/contacts')).toHaveLength(count);
	});

	test('a text that was sent before it was corrected: told, and not sent again', async () => {
		await lose('^/sms/send$', 2);
		const agent = await agentOf(sandbox);
		const result = ok(
			await retried('acpMessages', people(2), sms(agent, { maxRetries: 0, concurrency: 1 }), {
				message: 'Better',
			}),
		);
		expect(hintsOf(result)).toContain('with other values. They were not sent again');
		expect(await happened(sandbox, '/sms/send', (body) => body.message)).toEqual(
			onceEach(['Hello 0', 'Hello 1']),
		);
	});
});
