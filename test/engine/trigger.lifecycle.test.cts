/** The webhooks that the ACP Event Trigger leaves, seen from the platform, in every case of its life. */
import { randomUUID } from 'node:crypto';
import { startSandbox, until, usePlatform, type Trigger } from './harness/index.cts';

// Without the default expression engine, which takes a second per call; trigger.expression.test.cts has it.
const { sandbox, engine } = usePlatform({ speed: 10 });

interface Webhook {
	webhook_uuid: string;
	agent_uuid: string;
	url: string;
	events: string[];
	is_active: boolean;
}

const agentsOf = async (count = 1): Promise<string[]> =>
	(await sandbox.state('agents')).slice(0, count).map(({ agent_uuid }) => agent_uuid);
const webhooks = async (): Promise<Webhook[]> => await sandbox.state('webhooks');

/** Webhooks as the platform's API lists them, their URLs with query. */
async function listed(agent: string): Promise<Webhook[]> {
	const { data } = await sandbox.api.get(`/agents/${agent}/webhooks`);
	return data.data.items;
}

const withoutQuery = (url: string) => url.split('?')[0];
const triggerFor = async (
	agents: unknown,
	more: object = {},
	options: object = {},
): Promise<Trigger> => await engine.trigger('acpTrigger', { agents, ...more } as never, options);

/** A webhook of somebody else. */
async function foreign(agent: string, url: string, change: object = {}): Promise<Webhook> {
	const { data, status } = await sandbox.api.post(`/agents/${agent}/webhooks`, {
		url,
		events: ['conversation_status'],
		...change,
	});
	expect(status).toBe(201);
	return data.data;
}

const publishing = async (
	trigger: Trigger,
	activation: 'activate' | 'init' | 'update' = 'activate',
): Promise<string> =>
	await trigger.activate(activation).then(
		() => 'published',
		(error: Error) => error.message,
	);

describe('publishing', () => {
	test('agents that can no longer be read: unpublishing removes what it remembers, and asks for nothing else', async () => {
		const [agent] = await agentsOf();
		const trigger = await triggerFor([agent]);
		await trigger.activate();
		await trigger.setParameters({ agents: 17 } as never);
		await sandbox.clearLedger();
		await trigger.deactivate();
		expect(await webhooks()).toEqual([]);
		const asked = await sandbox.ledger();
		expect(asked.length).toBeGreaterThan(0);
		for (const { path } of asked) expect(path).toContain(`/agents/${agent}`);
	});

	// interface: §6 signed
	test('registers one webhook with events, secret and an unguessable token; unpublishing removes it', async () => {
		const [agent] = await agentsOf();
		const trigger = await triggerFor([agent], {
			events: ['conversation_end_report', 'voice_evaluation'],
		});
		await trigger.activate();
		const [webhook, ...others] = await listed(agent!);
		expect(others).toEqual([]);
		expect(webhook).toMatchObject({
			events: ['conversation_end_report', 'voice_evaluation'],
			is_active: true,
			has_secret: true,
		});
		expect(withoutQuery(webhook!.url)).toBe(trigger.url);
		expect(new URL(webhook!.url).searchParams.get('token')).toMatch(/^[\w-]{43}$/);
		await trigger.deactivate();
		expect(await webhooks()).toEqual([]);
	});

	test('every agent and every workflow has a token of its own', async () => {
		const agents = await agentsOf(2);
		const [one, other] = [await triggerFor(agents), await triggerFor(agents)];
		await one.activate();
		await other.activate();
		const tokens = (await Promise.all(agents.map(listed)))
			.flat()
			.map(({ url }) => new URL(url).searchParams.get('token'));
		expect(tokens).toHaveLength(4);
		expect(new Set(tokens).size).toBe(4);
	});

	test.each([
		[[], {}, /No agent is chosen/],
		[
			'not-an-agent',
			{},
			/'Agent Names or IDs' contains a value that is not an agent's ID: "not-an-agent"/,
		],
		['AGENT', { events: [] }, /No event is chosen/],
		['AGENT', { events: ['call_ended'] }, /"call_ended"\. Choose from: conversation_end_report/],
	])('a mistake in %j %j is named', async (agents, more, message) => {
		const trigger = await triggerFor(agents === 'AGENT' ? await agentsOf() : agents, more);
		expect(await publishing(trigger)).toMatch(message);
		expect(await webhooks()).toEqual([]);
	});

	test('publishing again changes nothing; over and over, and back, leaves nothing', async () => {
		const [agent] = await agentsOf();
		const trigger = await triggerFor([agent]);
		await trigger.activate();
		const before = await webhooks();
		await sandbox.clearLedger();
		await trigger.activate('update');
		expect(await webhooks()).toEqual(before);
		expect((await sandbox.ledger()).filter(({ method }) => method !== 'GET')).toEqual([]);
		for (let cycle = 0; cycle < 15; cycle++) {
			await trigger.deactivate();
			await trigger.activate();
		}
		expect(await webhooks()).toHaveLength(1);
		await trigger.deactivate();
		expect(await webhooks()).toEqual([]);
	}, 120_000);
});

describe('drift', () => {
	test('events edited, switched off, secret changed: repaired in place', async () => {
		const [agent] = await agentsOf();
		const trigger = await triggerFor([agent]);
		await trigger.activate();
		const [{ webhook_uuid: uuid, url }] = (await listed(agent!)) as [Webhook];

		await trigger.setParameters({ agents: [agent!], events: ['text_evaluation'] });
		await trigger.activate('update');
		expect(await listed(agent!)).toMatchObject([
			{ webhook_uuid: uuid, url, events: ['text_evaluation'] },
		]);

		await sandbox.api.patch(`/agents/${agent}/webhooks/${uuid}`, {
			url,
			events: ['text_evaluation'],
			is_active: false,
		});
		await trigger.activate('update');
		expect(await listed(agent!)).toMatchObject([{ webhook_uuid: uuid, is_active: true }]);
	});

	test('agents edited: the old one loses its webhook', async () => {
		const [one, two] = await agentsOf(2);
		const trigger = await triggerFor([one]);
		await trigger.activate();
		await trigger.setParameters({ agents: [two!] });
		await trigger.activate('update');
		expect(await webhooks()).toMatchObject([{ agent_uuid: two }]);
	});

	test('a webhook deleted on the platform comes back', async () => {
		const [agent] = await agentsOf();
		const trigger = await triggerFor([agent]);
		await trigger.activate();
		const [{ webhook_uuid: uuid }] = (await listed(agent!)) as [Webhook];
		await sandbox.api.delete(`/agents/${agent}/webhooks/${uuid}`);
		await trigger.activate('init');
		expect(await webhooks()).toHaveLength(1);
	});

	test('killed before n8n saved anything: adopted, not doubled', async () => {
		const [agent] = await agentsOf();
		const webhookId = randomUUID();
		const first = await triggerFor([agent], {}, { webhookId, workflowId: 'same' });
		await first.activate();
		const before = await listed(agent!);
		// The same workflow without static data: n8n was killed between the platform's answer and saving.
		const second = await triggerFor([agent], {}, { webhookId, workflowId: 'same' });
		await second.activate('init');
		expect((await listed(agent!)).map(({ webhook_uuid }) => webhook_uuid)).toEqual(
			before.map(({ webhook_uuid }) => webhook_uuid),
		);
		await second.deactivate();
		expect(await webhooks()).toEqual([]);
	});

	test('static data lost: unpublishing still finds its own by the token', async () => {
		const [agent] = await agentsOf();
		const webhookId = randomUUID();
		await (await triggerFor([agent], {}, { webhookId, workflowId: 'same' })).activate();
		expect(await webhooks()).toHaveLength(1);
		const amnesiac = await triggerFor([agent], {}, { webhookId, workflowId: 'same' });
		await amnesiac.deactivate();
		expect(await webhooks()).toEqual([]);
	});
});

describe('foreign webhooks', () => {
	test('same path on another n8n, same n8n with another path: never touched', async () => {
		const [agent] = await agentsOf();
		const trigger = await triggerFor([agent]);
		const { pathname, origin } = new URL(trigger.url);
		await foreign(agent!, `https://other.example.com${pathname}`);
		await foreign(agent!, `${origin}${pathname}/other`);
		await foreign(agent!, `${origin}/webhook/${randomUUID()}/webhook?token=abc`);
		const before = await listed(agent!);
		await trigger.activate();
		await trigger.activate('update');
		expect(await webhooks()).toHaveLength(4);
		await trigger.deactivate();
		expect(await listed(agent!)).toEqual(before);
	});

	// interface: §7 webhook_limit_reached
	test('a full agent: the message lists what occupies it, without query strings', async () => {
		const [agent] = await agentsOf();
		for (let index = 1; index <= 5; index++)
			await foreign(
				agent!,
				`https://crm.example.com/hook/${index}?key=hidden-${index}`,
				index === 5 ? { is_active: false } : {},
			);
		const { name } = (await sandbox.state('agents')).find(({ agent_uuid }) => agent_uuid === agent);
		const message = await publishing(await triggerFor([agent]));
		expect(message).toContain(
			`The agent "${name}" (${agent}) already has 5 webhooks, which is the maximum: 1. https://crm.example.com/hook/1 (conversation_status); 2. `,
		);
		expect(message).toContain('5. https://crm.example.com/hook/5 (switched off)');
		expect(message).toContain('Delete one that you no longer need');
		expect(message).not.toContain('hidden');
		expect(await webhooks()).toHaveLength(5);
	});

	test('its own among them is named', async () => {
		const [agent] = await agentsOf();
		const trigger = await triggerFor([agent]);
		await trigger.activate();
		for (let index = 1; index <= 4; index++)
			await foreign(agent!, `https://crm.example.com/hook/${index}`);
		await expect(trigger.listen()).rejects.toThrow(
			`${trigger.url} (conversation_end_report; this node's own)`,
		);
	});

	// interface: §4.1 GET webhooks; §8 webhooks
	test('the most that an agent can hold is what the platform says', async () => {
		await sandbox.settings({ webhooks: { limit: 2 } });
		const [agent] = await agentsOf();
		for (const index of [1, 2]) await foreign(agent!, `https://crm.example.com/hook/${index}`);
		expect(await publishing(await triggerFor([agent]))).toContain(
			'already has 2 webhooks, which is the maximum: 1. https://crm.example.com/hook/1',
		);
		// It was seen before anything was tried.
		expect(
			await sandbox.ledger({ method: 'POST', path: `/agents/${agent}/webhooks` }),
		).toHaveLength(2);
	});
});

describe('several agents', () => {
	// interface: §8 webhooks
	test('one of them full: none is registered', async () => {
		const [one, full, three] = await agentsOf(3);
		for (let index = 1; index <= 5; index++)
			await foreign(full!, `https://crm.example.com/${index}`);
		expect(await publishing(await triggerFor([one, full, three]))).toContain(full);
		expect(await webhooks()).toHaveLength(5);
	});

	test('the platform fails in the middle: what was registered is rolled back', async () => {
		const agents = await agentsOf(3);
		await sandbox.strike(`POST ^/agents/${agents[2]}/webhooks$`, {
			status: 422,
			code: 'VALIDATION_ERROR',
		});
		const trigger = await triggerFor(agents);
		// Not through n8n, which calls `delete` after a failed `create`: the roll-back is the node's own.
		await expect(trigger.method('create')).rejects.toThrow('The platform did not accept');
		expect((await sandbox.created()).length).toBe(2);
		expect(await webhooks()).toEqual([]);
	});

	test('at start-up a missing agent does not silence the others; all missing is an error', async () => {
		const [one, two] = await agentsOf(2);
		const missing = randomUUID();
		const trigger = await triggerFor([one, missing, two]);
		expect(await publishing(trigger)).toContain(`The agent ${missing} was not found`);
		expect(await webhooks()).toEqual([]);
		expect(await publishing(trigger, 'init')).toBe('published');
		expect((await webhooks()).map(({ agent_uuid }) => agent_uuid).sort()).toEqual(
			[one, two].sort(),
		);
		expect(engine.log).toContain(`The agent ${missing} was not found`);
		expect(await publishing(await triggerFor([missing]), 'init')).toContain('was not found');
	});

	test('a restart while the platform is away keeps what is registered', async () => {
		const agents = await agentsOf(2);
		const trigger = await triggerFor(agents);
		await trigger.activate();
		await sandbox.strike('.', 503);
		expect(await publishing(trigger, 'init')).toBe('published');
		await sandbox.clearFaults();
		expect(await webhooks()).toHaveLength(2);
		await trigger.deactivate();
		expect(await webhooks()).toEqual([]);
	});
});

describe('a platform without some of it', () => {
	test.each([false, '405'])(
		'no delete (%s): switched off, adopted again, never piling up',
		async (supported) => {
			await sandbox.settings({ webhooks: { delete: supported } });
			const [agent] = await agentsOf();
			const trigger = await triggerFor([agent]);
			for (let cycle = 0; cycle < 7; cycle++) {
				await trigger.activate();
				expect(await webhooks()).toMatchObject([{ is_active: true }]);
				await trigger.deactivate();
				expect(await webhooks()).toMatchObject([{ is_active: false }]);
			}
			expect(engine.log).toContain(
				'was switched off, because the workspace does not delete it at the undocumented path this node tried',
			);
		},
	);

	test('no update: an old one is replaced', async () => {
		await sandbox.settings({ webhooks: { update: false } });
		const [agent] = await agentsOf();
		const trigger = await triggerFor([agent]);
		await trigger.activate();
		await trigger.setParameters({ agents: [agent!], events: ['text_evaluation'] });
		await trigger.activate('update');
		expect(await webhooks()).toMatchObject([{ events: ['text_evaluation'] }]);
	});

	test('neither: unpublishing says what stays; publishing uses it again or says why it cannot', async () => {
		await sandbox.settings({ webhooks: { update: false, delete: '405' } });
		const [agent] = await agentsOf();
		const trigger = await triggerFor([agent]);
		await trigger.activate();
		const before = await listed(agent!);
		await trigger.deactivate();
		expect(engine.log).toContain(
			'stays on the platform, because the workspace neither deletes it nor switches it off',
		);
		await trigger.activate();
		expect(await listed(agent!)).toEqual(before);
		const [delivery] = await sandbox.deliver({ agent: agent!, event: 'conversation_end_report' });
		expect(delivery).toMatchObject({ status: 200 });
		await trigger.setParameters({ agents: [agent!], events: ['text_evaluation'] });
		expect(await publishing(trigger, 'update')).toContain(
			'neither changes nor deletes it at the undocumented path this node tried. Delete it on the platform',
		);
		expect(await listed(agent!)).toEqual(before);
	});

	test('neither: a webhook that delivers more than is wanted is used unchanged', async () => {
		await sandbox.settings({ webhooks: { update: false, delete: '405' } });
		const [agent] = await agentsOf();
		const events = ['text_evaluation', 'conversation_end_report'];
		const trigger = await triggerFor([agent], { events });
		await trigger.activate();
		await trigger.setParameters({ agents: [agent!], events: ['text_evaluation'] });
		await trigger.activate('update');
		expect(engine.log).toContain('uses the existing webhook of agent');
		// Which secret it signs with is not known any more.
		const { registrations } = await trigger.staticData();
		expect(registrations).toHaveLength(1);
		expect(registrations).not.toMatchObject([{ sealed: expect.anything() }]);
	});

	test('a lost answer to the registration: looked up, not added twice', async () => {
		await sandbox.strike('POST webhooks$', 'reset-after', { times: 1 });
		await (await triggerFor(await agentsOf())).activate();
		expect(await webhooks()).toHaveLength(1);
	});
});

describe('leaving', () => {
	test('a deleted agent does not block it', async () => {
		const { data } = await sandbox.api.post('/agents', { name: 'Short-lived' });
		const [other] = await agentsOf();
		const trigger = await triggerFor([data.data.agent_uuid, other]);
		await trigger.activate();
		expect(await webhooks()).toHaveLength(2);
		await sandbox.strike(`^/agents/${data.data.agent_uuid}`, {
			status: 404,
			code: 'RESOURCE_NOT_FOUND',
		});
		await trigger.deactivate();
		expect((await webhooks()).filter(({ agent_uuid }) => agent_uuid === other)).toEqual([]);
		expect((await trigger.staticData()).registrations).toEqual([]);
	});

	test('a token that may no longer delete is explained; the next publish with a good one adopts', async () => {
		const agents = await agentsOf();
		const { token } = await sandbox.addToken('workspace', { label: 'short-lived' });
		const webhookId = randomUUID();
		const about = { webhookId, workflowId: 'same' };
		const trigger = await triggerFor(
			agents,
			{},
			{ ...about, credentials: { acpApi: sandbox.credential({ token }) } },
		);
		await trigger.activate();
		await sandbox.revoke(token);
		await trigger.deactivate();
		expect(engine.log).toMatch(
			/could not be removed\. The platform did not accept the token\. .*uses it again instead of adding another/,
		);
		const [{ webhook_uuid: uuid }] = (await webhooks()) as [Webhook];
		const renewed = await triggerFor(
			agents,
			{},
			{ ...about, staticData: (await trigger.state()).staticData },
		);
		await renewed.activate();
		expect(await webhooks()).toMatchObject([{ webhook_uuid: uuid }]);
		await renewed.deactivate();
		expect(await webhooks()).toEqual([]);
	});

	test('a credential of another workspace: what stays in the old one is named, the new one is used', async () => {
		const elsewhere = await startSandbox({ seed: 99 });
		try {
			const [here] = await agentsOf();
			const [{ agent_uuid: there }] = (await elsewhere.state('agents')) as [{ agent_uuid: string }];
			expect(there).not.toBe(here);
			const trigger = await triggerFor([here]);
			await trigger.activate();
			await trigger.setCredentials({ acpApi: elsewhere.credential() });
			await trigger.deactivate();
			expect(engine.log).toMatch(
				new RegExp(
					`of agent ${here} stays at 127\\.0\\.0\\.1:\\d+, because the credential now points to 127\\.0\\.0\\.1\\. Delete it there`,
				),
			);
			await trigger.setParameters({ agents: [there] });
			await trigger.activate();
			expect(await elsewhere.state('webhooks')).toMatchObject([{ agent_uuid: there }]);
			await trigger.deactivate();
			expect(await elsewhere.state('webhooks')).toEqual([]);
			expect(await webhooks()).toMatchObject([{ agent_uuid: here }]);
		} finally {
			await elsewhere.stop();
		}
	});
});

describe('the public address', () => {
	test('localhost is refused for a public platform, with the way out', async () => {
		const trigger = await triggerFor(
			[randomUUID()],
			{},
			{
				webhookBaseUrl: 'http://localhost:5678/',
				credentials: {
					acpApi: {
						baseUrl: 'https://acme.example.com',
						token: 'x',
						timezone: '',
						webhookSecret: '',
					},
				},
			},
		);
		const message = await publishing(trigger);
		expect(message).toContain(
			'its public URL is http://localhost:5678, which only this computer can reach',
		);
		expect(message).toContain('WEBHOOK_URL');
	});
});

describe('listening for a test event', () => {
	test('registers the test URL beside the production one and removes only that', async () => {
		const [agent] = await agentsOf();
		const trigger = await triggerFor([agent]);
		await trigger.activate();
		const before = await webhooks();
		await trigger.listen();
		expect((await webhooks()).map(({ url }) => withoutQuery(url)).sort()).toEqual(
			[trigger.url, trigger.info.testUrl].sort(),
		);
		await trigger.stopListening();
		expect(await webhooks()).toEqual(before);
	});

	test('its first event ends it; production goes on', async () => {
		const [agent] = await agentsOf();
		const trigger = await triggerFor([agent]);
		await trigger.activate();
		await trigger.listen();
		await sandbox.deliver({
			agent: agent!,
			event: 'conversation_end_report',
			data: { number: '+901' },
		});
		const calls = await trigger.waitForCalls(2);
		expect(calls.map(({ kind, status }) => `${kind} ${status}`).sort()).toEqual([
			'production 200',
			'test 200',
		]);
		// It waits for the end of the test.
		await trigger.method('checkExists');
		expect((await webhooks()).map(({ url }) => withoutQuery(url))).toEqual([trigger.url]);
	});

	test('interrupted by a crash: the next publish or the next test run cleans up', async () => {
		const [agent] = await agentsOf();
		const about = { webhookId: randomUUID(), workflowId: 'same' };
		await (await triggerFor([agent], {}, about)).listen();
		expect(await webhooks()).toHaveLength(1);
		// n8n was killed: nobody calls `delete`, and the test registration's static data is gone.
		const again = await triggerFor([agent], {}, about);
		await again.listen();
		expect(await webhooks()).toHaveLength(1);
		const published = await triggerFor([agent], {}, about);
		await published.activate();
		expect((await webhooks()).map(({ url }) => withoutQuery(url))).toEqual([published.url]);
		await published.deactivate();
		expect(await webhooks()).toEqual([]);
	});

	test('n8n does not wait for its end; the next one at a full agent does', async () => {
		const [agent] = await agentsOf();
		const [one, other] = [await triggerFor([agent]), await triggerFor([agent])];
		await one.listen();
		for (let index = 1; index <= 4; index++)
			await foreign(agent!, `https://crm.example.com/hook/${index}`);
		await sandbox.settings({ latencyMs: 500 });
		await one.stopListeningOnly();
		expect(await sandbox.ledger({ method: 'DELETE' })).toEqual([]);
		await other.listen();
		await sandbox.settings({ latencyMs: 0 });
		const own = (await webhooks()).map(({ url }) => withoutQuery(url));
		expect(own).toContain(other.info.testUrl);
		expect(own).not.toContain(one.info.testUrl);
		await other.stopListening();
		expect(await webhooks()).toHaveLength(4);
	});

	test('whose end meets a platform that is away: the next publish of any trigger removes it', async () => {
		const [one, two] = await agentsOf(2);
		const trigger = await triggerFor([one]);
		await trigger.listen();
		await sandbox.strike(`^/agents/${one}`, 503);
		const from = engine.log.length;
		await trigger.stopListeningOnly();
		const published = await triggerFor([two]);
		await until('the end to be given up', () =>
			/could not be removed/.test(engine.log.slice(from)),
		);
		await sandbox.clearFaults();
		await published.activate();
		expect((await webhooks()).map(({ url }) => withoutQuery(url))).toEqual([published.url]);
	});

	test('other agents chosen meanwhile: listening again, or publishing, ends the first', async () => {
		const [one, two, three] = await agentsOf(3);
		const trigger = await triggerFor([one]);
		await trigger.listen();
		await trigger.setParameters({ agents: [two] } as never);
		await trigger.listen();
		expect((await webhooks()).map(({ agent_uuid }) => agent_uuid)).toEqual([two]);
		await trigger.setParameters({ agents: [three] } as never);
		await trigger.activate();
		expect((await webhooks()).map(({ agent_uuid }) => agent_uuid)).toEqual([three]);
	});

	test('that fails leaves production alone', async () => {
		const [agent, missing] = [...(await agentsOf()), randomUUID()];
		const trigger = await triggerFor([agent]);
		await trigger.activate();
		const before = await webhooks();
		await trigger.setParameters({ agents: [agent!, missing] });
		await expect(trigger.listen()).rejects.toThrow('was not found');
		expect(await webhooks()).toEqual(before);
	});
});
