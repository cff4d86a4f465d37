/** The webhooks that the Conversation Event Trigger leaves, seen from the platform, in every case of its life. */
import { randomUUID } from 'node:crypto';
import { startSandbox, usePlatform } from './harness/index.cts';
import { publishing, tokenOf, triggersOn, withoutQuery } from './harness/triggers.cts';

// Without the default expression engine, which takes a second per call; trigger.expression.test.cts has it.
const platform = usePlatform({ speed: 10 });
const { sandbox, engine } = platform;
const {
	addWebhook,
	agents,
	eventTrigger,
	fill,
	listed,
	publishedEvents: published,
	writes,
} = triggersOn(platform);

const webhooks = async () => await sandbox.state('webhooks');
const agentsWithWebhooks = async () =>
	(await webhooks()).map(({ agent_uuid }) => agent_uuid as string).sort();
const addressesOf = async () => (await webhooks()).map(({ url }) => withoutQuery(url)).sort();

const crm = 'https://crm.example.com/hook';

describe('publishing', () => {
	test('agents that can no longer be read: unpublishing removes what it remembers, and asks for nothing else', async () => {
		const { agent, trigger } = await published();
		await trigger.setParameters({ agents: 17 } as never);
		await sandbox.clearLedger();
		await trigger.deactivate();
		expect(await webhooks()).toEqual([]);
		const asked = await sandbox.ledger();
		expect(asked.length).toBeGreaterThan(0);
		for (const { path } of asked) expect(path).toContain(`/agents/${agent}`);
	});

	test('what was never registered is not said to be left', async () => {
		const trigger = await eventTrigger(await agents());
		await trigger.setCredentials({ acpApi: sandbox.credential({ token: 'wrong'.repeat(8) }) });
		await expect(trigger.activate()).rejects.toThrow('did not accept the token');
		await trigger.deactivate();
		const log = await engine.logged();
		expect(log).toContain('could not check whether agent');
		expect(log.slice(log.indexOf('could not check whether'))).not.toContain('could not be removed');
	});

	// interface: §6 signed
	test('registers one webhook with events, secret and an unguessable token, and changes nothing at the next publish', async () => {
		const events = ['conversation_end_report', 'voice_evaluation'];
		const { trigger, webhook } = await published({ events });
		expect(webhook).toMatchObject({ events, is_active: true, has_secret: true });
		expect(withoutQuery(webhook.url)).toBe(trigger.url);
		expect(tokenOf(webhook.url)).toMatch(/^[\w-]{43}$/);
		await sandbox.clearLedger();
		await trigger.activate('update');
		expect(await writes()).toEqual([]);
	});

	test.each([
		[{ agents: [''] }, /No agent is chosen\. Choose at least one under 'Agent Names or IDs'/],
		[{ agents: 'not-one' }, /contains a value that is not an agent's ID: "not-one"/],
		[{ events: [] }, /No event is chosen/],
		[{ options: { takeOverFrom: 'a b' } }, /'Take Over From' is not a URL: "a b"/],
		[{ events: ['call_ended'] }, /"call_ended"\. Choose from: conversation_end_report/],
	])('a mistake in %j is named', async (mistake, message) => {
		expect(await publishing(await eventTrigger(await agents(), mistake))).toMatch(message);
		expect(await webhooks()).toEqual([]);
	});

	test('localhost is refused for a public platform, with the way out', async () => {
		const acpApi = sandbox.credential({ baseUrl: 'https://acme.example.com' });
		const options = { webhookBaseUrl: 'http://localhost:5678/', credentials: { acpApi } };
		expect(await publishing(await eventTrigger([randomUUID()], {}, options))).toMatch(
			/its public URL is http:\/\/localhost:5678, which only this computer can reach.*WEBHOOK_URL/,
		);
	});
});

describe('foreign webhooks', () => {
	test('same path on another n8n, same n8n with another path: never touched', async () => {
		const [agent] = (await agents()) as [string];
		const trigger = await eventTrigger([agent]);
		const { pathname, origin } = new URL(trigger.url);
		await addWebhook(agent, `https://other.example.com${pathname}`);
		await addWebhook(agent, `${origin}${pathname}/other`);
		await addWebhook(agent, `${origin}/webhook/${randomUUID()}/webhook?token=abc`);
		const before = await listed(agent);
		await trigger.activate();
		await trigger.activate('update');
		expect(await webhooks()).toHaveLength(4);
		await trigger.deactivate();
		expect(await listed(agent)).toEqual(before);
	});

	// interface: §7 webhook_limit_reached; §4.1 GET webhooks; §8 webhooks
	test.each([5, 2])(
		'a full agent, of at most %i as the platform says: the message lists what occupies it, without query strings',
		async (limit) => {
			await sandbox.settings({ webhooks: { limit } });
			const { agent, trigger } = await published();
			await fill(agent, limit - 2);
			await addWebhook(agent, `${crm}/last`, { is_active: false });
			const { name } = (await sandbox.state('agents')).find((one) => one.agent_uuid === agent);
			await sandbox.clearLedger();
			const message = await publishing(await eventTrigger([agent]));
			expect(message).toContain(
				`The agent "${name}" (${agent}) already has ${limit} webhooks, which is the maximum: `,
			);
			expect(message).toContain(`. ${crm}/last (switched off)`);
			expect(message).toContain('silences the workflow that it belongs to');
			expect(message).not.toContain('hidden');
			// It was seen before anything was tried.
			expect(await writes()).toEqual([]);
			await expect(trigger.listen()).rejects.toThrow(
				`${trigger.url} (conversation_end_report; this node's own)`,
			);
		},
	);
});

describe('several agents', () => {
	test.each(['url', 'events'])(
		'the platform refuses %p in the middle: all is rolled back',
		async (field) => {
			const all = await agents(3);
			const body = { success: false, error: { code: 'VALIDATION_ERROR', field } };
			await sandbox.strike(`POST ^/agents/${all[2]}/webhooks$`, { status: 422, body });
			// Not through n8n, which calls `delete` after a failed `create`: the roll-back is the node's own.
			const creating = (await eventTrigger(all)).method('create');
			const said = await creating.then(String, String);
			expect(said).toContain('The platform did not accept');
			expect(said.includes('only public https URLs')).toBe(field === 'url');
			expect((await sandbox.created()).length).toBe(2);
			expect(await webhooks()).toEqual([]);
		},
	);

	test('at start-up a missing agent does not silence the others; all missing is an error', async () => {
		const [both, missing] = [await agents(2), randomUUID()];
		const trigger = await eventTrigger([...both, missing]);
		const wasNotFound = `The agent ${missing} was not found at 127.0.0.1: it was deleted`;
		expect(await publishing(trigger)).toContain(wasNotFound);
		expect(await webhooks()).toEqual([]);
		for (const log of [
			'listens only to the other agents.',
			'could not check what it registered:',
		]) {
			expect(await publishing(trigger, 'init')).toBe('done');
			expect(await agentsWithWebhooks()).toEqual([...both].sort());
			expect(await engine.logged()).toContain(`${log} ${wasNotFound}`);
		}
		expect(await publishing(await eventTrigger([missing]), 'init')).toContain(wasNotFound);
	});
});

test('a platform that neither changes nor deletes: unpublishing says what stays; publishing uses what delivers enough, or says why it cannot', async () => {
	await sandbox.settings({ webhooks: { update: false, delete: '405' } });
	const events = ['text_evaluation', 'conversation_end_report'];
	const { agent, trigger, webhook } = await published({ events });
	await trigger.deactivate();
	expect(await engine.logged()).toContain(
		'may still receive events: at the undocumented path this node tried, the workspace showed',
	);
	await trigger.setParameters({ agents: [agent], events: ['text_evaluation'] });
	await trigger.activate();
	expect(await engine.logged()).toContain('uses the existing webhook of agent');
	// Which secret it signs with is not known any more.
	const { registrations } = await trigger.staticData();
	expect(registrations).toEqual([expect.not.objectContaining({ sealed: expect.anything() })]);
	await trigger.setParameters({ agents: [agent], events: ['voice_evaluation'] });
	expect(await publishing(trigger, 'update')).toContain(
		'neither changes nor deletes it at the undocumented path this node tried. Delete it on the platform',
	);
	expect(await listed(agent)).toEqual([webhook]);
});

describe('leaving', () => {
	test('a deleted agent does not block it', async () => {
		const [gone, other] = (await agents(2)) as [string, string];
		const trigger = await eventTrigger([gone, other]);
		await trigger.activate();
		await sandbox.strike(`^/agents/${gone}`, { status: 404, code: 'RESOURCE_NOT_FOUND' });
		await trigger.deactivate();
		expect(await agentsWithWebhooks()).toEqual([gone]);
		expect((await trigger.staticData()).registrations).toEqual([]);
	});

	test('a credential of another workspace: what stays in the old one is named, the new one is used', async () => {
		const elsewhere = await startSandbox({ seed: 99 });
		try {
			const { agent: here, trigger } = await published();
			const [{ agent_uuid: there }] = (await elsewhere.state('agents')) as [{ agent_uuid: string }];
			expect(there).not.toBe(here);
			await trigger.setCredentials({ acpApi: elsewhere.credential() });
			await trigger.deactivate();
			expect(await engine.logged()).toContain(
				'because the credential now points to 127.0.0.1. Delete it there',
			);
			await trigger.setParameters({ agents: [there] });
			await trigger.activate();
			expect(await elsewhere.state('webhooks')).toMatchObject([{ agent_uuid: there }]);
			await trigger.deactivate();
			expect(await elsewhere.state('webhooks')).toEqual([]);
			expect(await agentsWithWebhooks()).toEqual([here]);
		} finally {
			await elsewhere.stop();
		}
	});
});

describe('listening for a test event', () => {
	test('n8n does not wait for its end; the next one at a full agent does', async () => {
		const [agent] = (await agents()) as [string];
		const [one, other] = [await eventTrigger([agent]), await eventTrigger([agent])];
		await one.listen();
		await fill(agent, 4);
		await sandbox.settings({ latencyMs: 3000 });
		await one.stopListeningOnly();
		const ended = (await sandbox.ledger({ method: 'DELETE' })).filter(({ status }) => status);
		expect(ended).toEqual([]);
		await other.listen();
		await sandbox.settings({ latencyMs: 0 });
		const addresses = await addressesOf();
		expect(addresses).toContain(other.info.testUrl);
		expect(addresses).not.toContain(one.info.testUrl);
		await other.stopListening();
		expect(await webhooks()).toHaveLength(4);
	});

	test('other agents chosen meanwhile: listening again, or publishing, ends the first', async () => {
		const [one, two, three] = await agents(3);
		const trigger = await eventTrigger([one]);
		await trigger.listen();
		await trigger.setParameters({ agents: [two!] });
		await trigger.listen();
		expect(await agentsWithWebhooks()).toEqual([two]);
		await trigger.setParameters({ agents: [three!] });
		await trigger.activate();
		expect(await agentsWithWebhooks()).toEqual([three]);
	});
});
