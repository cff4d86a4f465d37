/**
 * The life of the Conversation Event Trigger in real n8n servers: publishing, unpublishing, restarts, crashes, edits and
 * mishaps, seen from the webhooks that the platform's agents have. Waits on n8n's own publication
 * status and on conditions only.
 */
import assert from '../asserted.mjs';
import { randomUUID } from 'node:crypto';
import { cp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before } from 'node:test';
import { HostClient, until } from '../../tools/host-client.mjs';
import { withParameters } from '../../tools/workspace.mjs';
import { inEachVersion } from './support/lifecycle.mjs';

const hook = 'https://crm.example.com/hook';
const missing = { kind: 'status', status: 404, code: 'RESOURCE_NOT_FOUND' };

inEachVersion('Conversation Event Trigger', {}, (life) => {
	/** @type {string[]} Each case takes its own agents. */
	let freshAgents;
	before(async () => {
		await life.sandbox.control('POST /reset', { agents: 60 });
		freshAgents = (await life.sandbox.control('GET /state/agents')).map((one) => one.agent_uuid);
	});
	const agents = (count = 1) => freshAgents.splice(0, count);
	const publish = async (id) => await life.workspace.publish(id);
	const unpublish = async (id) => await life.host.deactivate(id);
	const edit = async (id, change) => await life.workspace.edit(id, change);
	const executions = async (id, count) => await life.workspace.executions(id, count);

	/** @returns {Promise<any[]>} webhooks of the agents, as the platform keeps them */
	const allWebhooks = async (...chosen) =>
		(await life.sandbox.control('GET /state/webhooks')).filter((webhook) =>
			chosen.flat().includes(webhook.agent_uuid),
		);
	const webhooks = async (...chosen) =>
		(await allWebhooks(...chosen)).filter(({ url }) => !url.includes('example.com'));
	const uuidsOf = async (...chosen) =>
		(await webhooks(...chosen)).map(({ webhook_uuid: uuid }) => uuid);
	const agentsWith = async (chosen) => (await webhooks(chosen)).map((one) => one.agent_uuid).sort();
	const areLeft = async (count, ...chosen) =>
		await until(
			'the test webhooks to be gone',
			async () => (await webhooks(...chosen)).length === count,
			30_000,
		);

	/** A delivery of the platform for each webhook of the agent. @returns {Promise<number[]>} how n8n answered */
	const arrives = async (agent) =>
		(await life.workspace.deliver(agent)).map(({ status }) => status);
	const assertArrives = async (agent) => assert.equal((await arrives(agent))[0], 200);
	const answers = async (agent) =>
		await until('the webhook to answer', async () => (await arrives(agent))[0] === 200, 30_000);

	async function foreign(agent, url) {
		const body = { url, events: ['conversation_status'] };
		assert.equal((await life.sandbox.api(`POST /agents/${agent}/webhooks`, body)).status, 201);
	}

	const trigger = (chosen, change = {}) => ({
		name: 'Events',
		type: 'acpTrigger',
		parameters: { agents: chosen, events: ['conversation_end_report'], options: {} },
		...change,
	});
	/** What the case that goes on has saved. @type {string[]} */
	let saved = [];
	const made = (id) => (saved.push(id), id);
	/** A saved workflow [trigger → No Operation]. */
	const workflow = async (chosen, change = {}) =>
		made(
			await life.workspace.workflow(`Events ${randomUUID()}`, [
				trigger(chosen, change),
				{ name: 'After', type: 'n8n-nodes-base.noOp' },
			]),
		);
	const published = async (...given) => {
		const id = await workflow(...given);
		await publish(id);
		return id;
	};
	/** A saved workflow of triggers alone. */
	const triggers = async (...nodes) =>
		made(await life.workspace.workflow('Several', nodes, { connections: {} }));

	/**
	 * @param {string} name
	 * @param {number} count agents that the case takes
	 * @param {(chosen: string[]) => Promise<void>} run gets its agents; what is still published in the end is unpublished
	 */
	function lifecycle(name, count, run) {
		life.lives(name, async () => {
			const chosen = agents(count);
			await foreign(chosen[0], `${hook}?key=hidden`);
			saved = [];
			await run(chosen);
			for (const id of saved) await unpublish(id).catch(() => undefined);
			assert.deepEqual(await webhooks(chosen), []);
			const untouched = await allWebhooks(chosen[0]);
			assert.ok(untouched.some(({ url }) => url === `${hook}?key=hidden`));
		});
	}

	// Publishing and unpublishing

	lifecycle('delivers while published, the execution has the event', 1, async ([agent]) => {
		const id = await published([agent]);
		const [delivery] = await life.workspace.deliver(agent);
		assert.equal(delivery.status, 200);
		const [execution] = await executions(id, 1);
		const { nodes } = await life.host.getExecution(execution.id);
		const { data, deliveryId, receivedAt, ...item } = nodes.Events.items[0].json;
		assert.ok(data.timestamp && receivedAt);
		assert.deepEqual([data.number, deliveryId.slice(0, 5)], ['+12125550101', 'body-']);
		assert.deepEqual(item, {
			event: 'conversation_end_report',
			knownEvent: true,
			isEvaluation: false,
			agent,
			deliveryHeaderId: delivery.headers['x-delivery-id'],
			signatureVerified: true,
			caughtUp: false,
		});
		const [{ url }] = await webhooks(agent);
		for (const stranger of [url.split('?')[0], `${url}x`]) {
			const answer = await fetch(stranger, { method: 'POST' });
			assert.deepEqual([answer.status, await answer.json()], [401, { message: 'Unauthorized' }]);
		}
		await unpublish(id);
		assert.equal((await life.host.listExecutions({ workflowId: id })).length, 1);
	});

	const edits = [
		['agents', (other) => withParameters({ agents: [other] }), (_, agent_uuid) => ({ agent_uuid })],
		[
			'events',
			() => withParameters({ events: ['voice_evaluation'] }),
			() => ({ events: ['voice_evaluation'] }),
		],
		['the name', () => () => ({ name: 'Call Ended' }), (agent_uuid) => ({ agent_uuid })],
	];
	for (const [what, change, expected] of edits)
		lifecycle(`${what} edited`, 2, async ([agent, other]) => {
			const id = await published([agent]);
			await edit(id, change(other));
			await publish(id);
			const [webhook, ...more] = await webhooks(agent, other);
			assert.deepEqual([{ ...webhook, ...expected(agent, other) }, more], [webhook, []]);
			await life.workspace.deliver(webhook.agent_uuid, undefined, webhook.events[0]);
			await executions(id, 1);
		});

	// Copies

	/** n8n's public API. @param {string} apiKey @param {string} path @param {object} [body] */
	async function publicApi(apiKey, path, body) {
		const answer = await fetch(`${life.host.url}/api/v1/workflows${path}`, {
			method: body ? 'POST' : 'GET',
			headers: { 'x-n8n-api-key': apiKey, 'content-type': 'application/json' },
			body: body && JSON.stringify(body),
		});
		const text = await answer.text();
		assert.ok(answer.ok, `${path}: ${answer.status} ${text}`);
		return JSON.parse(text);
	}
	const renewed = (nodes, ...names) =>
		nodes.map((one) => ({
			...one,
			...Object.fromEntries(names.filter((name) => one[name]).map((name) => [name, randomUUID()])),
		}));

	/** How a copy comes to be, and whether it has the address of its original. */
	const copies = {
		// What the dialog sends: new IDs and addresses; n8n 1.x keeps the static data.
		'duplicated by the editor': async ({ nodes, connections, settings, staticData }, name) => {
			assert.equal(staticData['node:Events'].registrations.length, 1);
			const all = { nodes: renewed(nodes, 'id', 'webhookId'), connections, settings, staticData };
			return [await life.host.createWorkflow({ name, ...all }), false];
		},
		// Node ID, address and static data are the original's.
		'duplicated by the public API': async ({ id }, name) => {
			const { rawApiKey } = await life.host.request('POST', '/rest/api-keys', {
				label: 'Copies',
				expiresAt: null,
				scopes: ['workflow:create', 'workflow:read'],
			});
			const { nodes, connections, staticData } = await publicApi(rawApiKey, `/${id}`);
			const settings = { executionOrder: 'v1' };
			const all = { name, nodes, connections, settings, staticData };
			return [await publicApi(rawApiKey, '', all), true];
		},
		'imported from a file, in the editor': async ({ nodes, connections, settings }, name) => {
			const all = { name, nodes: renewed(nodes, 'id'), connections, settings };
			return [await life.host.createWorkflow(all), true];
		},
	};
	for (const [how, copied] of Object.entries(copies))
		lifecycle(how, 1, async ([agent]) => {
			const original = await published([agent]);
			const own = await webhooks(agent);
			const saying = await life.host.getWorkflow(original);
			const [{ id: copy }, hasSameAddress] = await copied(saying, `Copy ${randomUUID()}`);
			made(copy);
			const addressOf = async (id) => (await life.host.getWorkflow(id)).nodes[0].webhookId;
			assert.equal((await addressOf(copy)) === (await addressOf(original)), hasSameAddress);
			if (hasSameAddress) {
				// n8n refuses it and clears up; the original goes on.
				await life.workspace.refused(copy);
				assert.deepEqual(await webhooks(agent), own);
				await assertArrives(agent);
				await edit(copy, () => ({ webhookId: randomUUID() }));
			}
			// Published beside the original, and unpublished.
			await publish(copy);
			assert.equal((await webhooks(agent)).length, 2);
			await unpublish(copy);
			assert.deepEqual(await webhooks(agent), own);
			await assertArrives(agent);
			await executions(original, 1);
		});

	/** @returns {Promise<string>} ID of the personal project of a second person */
	async function anotherProject() {
		const { host } = life;
		const [{ user }] = await host.request('POST', '/rest/invitations', [
			{ email: 'second@example.com', role: 'global:member' },
		]);
		const person = new HostClient(host.url);
		const about = { firstName: 'Selim', lastName: 'Second', password: 'Leads2Calls' };
		if (life.version.startsWith('1.')) {
			const { id: inviterId } = await host.request('GET', '/rest/login');
			const path = `/rest/invitations/${user.id}/accept`;
			await person.request('POST', path, { inviterId, ...about });
		} else {
			const { link } = await host.request('POST', `/rest/users/${user.id}/invite-link`);
			const token = new URL(link).searchParams.get('token');
			await person.request('POST', '/rest/invitations/accept', { token, ...about });
		}
		return (await person.request('GET', '/rest/projects/personal')).id;
	}

	lifecycle('moved to another project', 1, async ([agent]) => {
		const own = await life.workspace.newCredential();
		const id = await published([agent], { credentials: { acpApi: own } });
		await life.host.request('PUT', `/rest/workflows/${id}/transfer`, {
			destinationProjectId: await anotherProject(),
			shareCredentials: [own.id],
		});
		await answers(agent);
		assert.equal((await webhooks(agent)).length, 1);
	});

	lifecycle('node disabled', 2, async ([one, two]) => {
		const id = await triggers(trigger([one]), trigger([two, one], { name: 'Events 2' }));
		await publish(id);
		assert.deepEqual(await agentsWith([one, two]), [one, one, two].sort());
		await edit(id, ({ name }) => ({ disabled: name === 'Events 2' }));
		await publish(id);
		assert.deepEqual(await agentsWith([one, two]), [one]);
	});

	lifecycle('two triggers with one address: refused', 1, async ([agent]) => {
		const webhookId = randomUUID();
		const both = ['Events', 'Events 2'].map((name) => trigger([agent], { name, webhookId }));
		const error = await life.workspace.refused(await triggers(...both));
		// n8n 2.x finds it by itself.
		assert.match(error, /have the same webhook URL|conflict/i);
	});

	lifecycle('workflow deleted while published', 1, async ([agent]) => {
		const id = await published([agent]);
		await life.host.deleteWorkflow(id);
		assert.deepEqual(await webhooks(agent), []);
	});

	lifecycle('credential deleted: explained, adopted later', 1, async ([agent]) => {
		const own = await life.workspace.newCredential();
		const id = await published([agent], { credentials: { acpApi: own } });
		const uuids = await uuidsOf(agent);
		await life.host.deleteCredential(own.id);
		await unpublish(id);
		assert.ok(life.host.logs().includes(`of agent ${agent} could not be removed.`));
		await edit(id, () => ({ credentials: { acpApi: life.workspace.credential } }));
		await publish(id);
		assert.deepEqual(await uuidsOf(agent), uuids);
	});

	// Listening for a test event

	lifecycle(
		'test listening beside a published workflow: both get the event, only the test ends',
		1,
		async ([agent]) => {
			const id = await published([agent]);
			const production = await webhooks(agent);
			await life.host.listen(id);
			assert.equal((await webhooks(agent)).length, 2);
			assert.deepEqual(await arrives(agent), [200, 200]);
			const both = await executions(id, 2);
			assert.deepEqual(both.map(({ mode }) => mode).sort(), ['manual', 'webhook']);
			await areLeft(1, agent);
			assert.deepEqual(await webhooks(agent), production);
			await assertArrives(agent);
		},
	);

	lifecycle('two tests that one event ends: n8n goes on', 1, async ([agent]) => {
		const ids = [await workflow([agent]), await workflow([agent])];
		for (const id of ids) await life.host.listen(id);
		await life.slowly(300, async () => {
			assert.deepEqual(await arrives(agent), [200, 200]);
			for (const id of ids) await executions(id, 1);
		});
		await areLeft(0, agent);
		// Blocked, n8n answers nobody for half a minute.
		for (let asked = 0; asked < 300; asked++)
			await fetch(`${life.host.url}/healthz`, { signal: AbortSignal.timeout(10_000) });
	});

	life.takeLong();

	lifecycle(
		'three triggers, the platform is away for the first: the others are unpublished',
		3,
		async (chosen) => {
			const [first, ...others] = chosen;
			const names = ['Events 1', 'Events 2', 'Events 3'];
			const id = await triggers(...chosen.map((one, at) => trigger([one], { name: names[at] })));
			for (const time of ['the first time', 'once more']) {
				await publish(id);
				assert.equal((await webhooks(chosen)).length, 3, time);
				await life.fails(`^/agents/${first}`);
				await unpublish(id);
				await life.recovers();
				assert.equal((await webhooks(first)).length, 1);
				assert.deepEqual(await webhooks(others), []);
				assert.ok(life.host.logs().includes(`of agent ${first} could not be removed.`));
				// What stays remembered is what is still there.
				const { staticData } = await life.host.getWorkflow(id);
				const kept = names.map((name) => staticData[`node:${name}`].registrations);
				assert.deepEqual(
					kept.map((entries) => entries.map(({ agent }) => agent)),
					[[first], [], []],
				);
			}
			// The next time takes what was left.
			await publish(id);
			await unpublish(id);
		},
	);

	lifecycle('published and unpublished ten times', 1, async ([agent]) => {
		const id = await workflow([agent]);
		for (let cycle = 0; cycle < 10; cycle++) {
			await publish(id);
			assert.equal((await webhooks(agent)).length, 1);
			await unpublish(id);
			assert.deepEqual(await webhooks(agent), []);
		}
	});

	lifecycle('imported from a file, over itself', 1, async ([agent]) => {
		const id = await published([agent]);
		const pathsOf = async () => (await webhooks(agent)).map(({ url }) => new URL(url).pathname);
		const paths = await pathsOf();
		const file = join(life.workspace.folder, 'workflow.json');
		await writeFile(file, JSON.stringify([await life.host.getWorkflow(id)]));
		// n8n unpublishes what it imports; the running n8n may not have noticed.
		const imported = async () =>
			await life.host.command('import:workflow', `--input=${file}`).catch((error) => {
				if (!/SQLITE_BUSY/.test(error.stdout)) throw error;
				return false;
			});
		await until('n8n to import it', imported, 60_000);
		await publish(id);
		assert.deepEqual(await pathsOf(), paths);
		await assertArrives(agent);
	});

	lifecycle('two n8n with one database publish at once', 1, async ([agent]) => {
		const { host } = life;
		const id = await workflow([agent]);
		await life.withAnother(`${host.url}/`, host.userFolder, async (other) => {
			await life.slowly(500, async () => {
				const told = await Promise.all([host, other].map((one) => one.activate(id, 120_000)));
				assert.ok(
					told.some(({ active }) => active),
					JSON.stringify(told),
				);
			});
			assert.equal((await webhooks(agent)).length, 1);
			await assertArrives(agent);
		});
	});

	// Restarts. Several cases share each of them.

	lifecycle(
		'restarted from a backup with the same address: webhooks stay, also of an agent that cannot be read; what was deleted or switched off is put right',
		5,
		async (chosen) => {
			const { host, sandbox } = life;
			const [agent, stays, vanishes, lost, silent] = chosen;
			const id = await published([agent]);
			await published([stays, vanishes]);
			const all = await webhooks(agent, stays, vanishes);
			const repaired = [await published([lost]), await published([silent])];
			const [[deleted], [off]] = [await webhooks(lost), await webhooks(silent)];
			await life.fails(`^/agents/${vanishes}`, missing);
			await host.stop();
			const original = host.userFolder;
			host.userFolder = `${original}-backup`;
			await cp(original, host.userFolder, { recursive: true });
			await rm(original, { recursive: true, force: true });
			const own = (of, one) => `/agents/${of}/webhooks/${one.webhook_uuid}`;
			await sandbox.api(`DELETE ${own(lost, deleted)}`);
			await sandbox.api(`PATCH ${own(silent, off)}`, { is_active: false });
			await host.start();
			const unread = `could not check what it registered: The agent ${vanishes} was not found`;
			await until('the log to say so', () => host.logs().includes(unread), 30_000);
			for (const there of [agent, stays, lost, silent]) await answers(there);
			assert.deepEqual(await webhooks(agent, stays, vanishes), all);
			assert.deepEqual(await agentsWith([lost, silent]), [lost, silent].sort());
			for (const one of repaired) await executions(one, 1);
			await life.recovers();
			// Published from the backup, it is still the same webhook.
			await publish(id);
			assert.equal((await webhooks(chosen)).length, 5);
			assert.deepEqual(await webhooks(agent, stays, vanishes), all);
		},
	);

	lifecycle(
		'killed with -9, while published, publishing or listening for a test event: the next publish leaves one webhook',
		3,
		async (chosen) => {
			const { host } = life;
			const ids = [];
			for (const agent of chosen) ids.push(await workflow([agent]));
			await publish(ids[0]);
			await host.listen(ids[2]);
			await life.slowly(3000, async () => {
				const interrupted = host.activate(ids[1], 120_000).catch(() => undefined);
				await until(
					'the platform to have the webhook',
					async () => (await webhooks(chosen[1])).length === 1,
					30_000,
					20,
				);
				await host.kill();
				await interrupted;
			});
			assert.deepEqual(await agentsWith(chosen), [...chosen].sort());
			await host.start();
			await answers(chosen[0]);
			for (const [index, agent] of chosen.entries()) {
				// n8n may be publishing it again by itself; publishing once more does no harm.
				if (index > 0) await publish(ids[index]);
				const [webhook, ...others] = await webhooks(agent);
				assert.deepEqual(others, []);
				assert.match(new URL(webhook.url).pathname, /^\/webhook\//);
				await assertArrives(agent);
			}
		},
	);

	lifecycle(
		'restarted under another address: left alone, then moved by Take Over From',
		1,
		async ([agent]) => {
			const { host } = life;
			const moved = await published([agent]);
			const [old] = await webhooks(agent);
			await life.moveTo(`http://localhost:${host.port}/`);
			// What stands under the other address may be another n8n's, so it stays, and a person is told.
			const hosts = async () =>
				(await webhooks(agent)).map(({ url }) => new URL(url).hostname).sort();
			await until('both addresses', async () => (await hosts()).length === 2, 30_000);
			assert.deepEqual(await hosts(), ['127.0.0.1', 'localhost']);
			assert.match(
				host.logs(),
				new RegExp(`of agent ${agent} was not changed: this workflow registered it under`),
			);
			await unpublish(moved);
			assert.deepEqual(await webhooks(agent), [old]);

			await edit(moved, withParameters({ options: { takeOverFrom: host.url } }));
			await publish(moved);
			assert.deepEqual([await uuidsOf(agent), await hosts()], [[old.webhook_uuid], ['localhost']]);
		},
	);
});
