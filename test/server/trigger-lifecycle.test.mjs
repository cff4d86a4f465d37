/**
 * The life of the ACP Event Trigger in real n8n servers: publishing, unpublishing, restarts, crashes, edits and
 * mishaps, seen from the webhooks that the platform's agents have. Waits on n8n's own publication
 * status and on conditions only.
 * Prints what each case leaves: webhooks of this n8n before, during and after it (foreign ones are never touched).
 */
import '../asserted.mjs';
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { defaultVersion, ensureHost, ensurePack, oldestVersion } from '../../tools/bootstrap.mjs';
import { HostClient, until } from '../../tools/host-client.mjs';
import { startHost } from '../../tools/host.mjs';
import { startSandbox } from '../../sandbox/client.mjs';

const versions = process.env.HOST_VERSIONS?.split(',') ?? [defaultVersion, oldestVersion];
/** Generous: machines differ; every step has a deadline of its own. */
const caseTimeout = 900_000;

/** @type {Record<string, Record<string, [number, number, number]>>} case → version → webhooks before, during, after */
const table = {};

for (const version of versions) {
	describe(`ACP Event Trigger in n8n ${version}`, { concurrency: 1 }, () => {
		/** @type {import('../../tools/host.mjs').Host} */
		let host;
		/** @type {Awaited<ReturnType<typeof startSandbox>>} */
		let sandbox;
		/** @type {{id: string, name: string}} */
		let credential;
		/** @type {string} */
		let userFolder;
		/** @type {string[]} Each case takes its own agents. */
		let freshAgents;

		before(
			async () => {
				await ensureHost(version);
				const tarball = await ensurePack();
				userFolder = await mkdtemp(join(tmpdir(), 'trigger-host-'));
				sandbox = await startSandbox();
				await sandbox.control('POST /reset', { agents: 60 });
				freshAgents = (await sandbox.control('GET /state/agents')).map((agent) => agent.agent_uuid);
				host = await startHost({
					version,
					userFolder,
					tarball,
					env: {
						// A publication that was under way when n8n was killed is taken up again after
						// this; n8n's own two minutes are long.
						N8N_WORKFLOW_PUBLICATION_OUTBOX_LEASE_SECONDS: '45',
						N8N_WORKFLOW_PUBLICATION_OUTBOX_POLL_INTERVAL_MS: '1000',
						// Expressions have no part in this; the default engine costs a second of computing per publication.
						N8N_EXPRESSION_ENGINE: 'legacy',
					},
				});
				credential = await newCredential();
			},
			{ timeout: 600_000 },
		);

		after(async () => {
			await host?.stop();
			await sandbox?.stop();
			await rm(userFolder, { recursive: true, force: true });
		});

		const agents = (count = 1) => freshAgents.splice(0, count);

		/** @param {object} [change] */
		async function newCredential(change = {}) {
			const data = {
				baseUrl: sandbox.url,
				token: sandbox.token,
				timezone: '',
				webhookSecret: '',
				...change,
			};
			return await host.createCredential({ name: `Sandbox ${randomUUID()}`, type: 'acpApi', data });
		}

		/** @returns {Promise<any[]>} webhooks of the agents, as the platform keeps them */
		const allWebhooks = async (chosen) =>
			(await sandbox.control('GET /state/webhooks')).filter((webhook) =>
				chosen.includes(webhook.agent_uuid),
			);
		const isOurs = (webhook) => !webhook.url.includes('example.com');
		const webhooks = async (chosen) => (await allWebhooks(chosen)).filter(isOurs);
		const pathOf = (webhook) => new URL(webhook.url).pathname;

		/** @param {string} agent @param {string} url */
		async function foreign(agent, url) {
			const { status } = await sandbox.api(`POST /agents/${agent}/webhooks`, {
				url,
				events: ['conversation_status'],
			});
			assert.equal(status, 201);
		}

		const node = (parameters, change = {}) => ({
			id: randomUUID(),
			name: 'Events',
			type: 'n8n-nodes-agent-conversation-platform.acpTrigger',
			typeVersion: 1.1,
			position: [0, 0],
			webhookId: randomUUID(),
			parameters: { events: ['conversation_end_report'], options: {}, ...parameters },
			credentials: { acpApi: credential },
			...change,
		});
		const connections = (from) => ({
			[from]: { main: [[{ node: 'After', type: 'main', index: 0 }]] },
		});

		/** A saved workflow [trigger → No Operation]. */
		async function workflow(parameters, change = {}) {
			const trigger = node(parameters, change);
			const nodes = [
				trigger,
				{
					id: randomUUID(),
					name: 'After',
					type: 'n8n-nodes-base.noOp',
					typeVersion: 1,
					position: [200, 0],
					parameters: {},
				},
			];
			const { id } = await host.createWorkflow({
				name: `Events ${randomUUID()}`,
				nodes,
				connections: connections(trigger.name),
				settings: { executionOrder: 'v1' },
			});
			return id;
		}

		/** A person edits the trigger and saves. */
		async function edit(id, change) {
			const saved = await host.getWorkflow(id);
			const nodes = saved.nodes.map((one) =>
				one.type.endsWith('acpTrigger') ? { ...one, ...change(one) } : one,
			);
			const { name } = nodes.find((one) => one.type.endsWith('acpTrigger'));
			await host.updateWorkflow(id, {
				nodes,
				connections: nodes.some((one) => one.name === 'After') ? connections(name) : {},
				versionId: saved.versionId,
			});
		}

		async function publish(id) {
			const { active, error } = await host.activate(id, 120_000);
			assert.equal(active, true, error);
		}

		/** @returns {Promise<string>} what n8n shows */
		async function refused(id) {
			const { active, error } = await host.activate(id, 120_000);
			assert.equal(active, false, 'published, although it should not have been');
			await host.deactivate(id).catch(() => undefined);
			return String(error);
		}

		/** @type {string | undefined} */
		let apiKey;
		/** n8n's public API. @param {string} method @param {string} path @param {object} [body] */
		async function publicApi(method, path, body) {
			apiKey ??= (
				await host.request('POST', '/rest/api-keys', {
					label: 'Copies',
					expiresAt: null,
					scopes: ['workflow:create', 'workflow:read'],
				})
			).rawApiKey;
			const answer = await fetch(`${host.url}/api/v1${path}`, {
				method,
				headers: { 'x-n8n-api-key': apiKey, 'content-type': 'application/json' },
				body: body && JSON.stringify(body),
			});
			const text = await answer.text();
			assert.ok(answer.ok, `${method} ${path}: ${answer.status} ${text}`);
			return JSON.parse(text);
		}

		/** @returns {Promise<string>} ID of the personal project of a second person */
		async function anotherProject() {
			const [{ user }] = await host.request('POST', '/rest/invitations', [
				{ email: 'second@example.com', role: 'global:member' },
			]);
			const person = new HostClient(host.url);
			const about = { firstName: 'Selim', lastName: 'Second', password: 'Leads2Calls' };
			if (version.startsWith('1.')) {
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

		/** One delivery of the platform to the agents; each webhook that took it started one execution. */
		async function deliver(agent) {
			return await sandbox.control('POST /deliver', {
				agent,
				event: 'conversation_end_report',
				data: { number: '+12125550101' },
			});
		}

		async function executions(id, count) {
			return await until(
				`${count} executions`,
				async () => {
					const found = await host.listExecutions({ workflowId: id });
					return (
						found.length >= count &&
						found.every(({ status }) => ['success', 'error', 'crashed'].includes(status)) &&
						found
					);
				},
				30_000,
			);
		}

		/**
		 * @param {string} name
		 * @param {number} count agents that the case takes
		 * @param {(chosen: string[], during: () => Promise<void>) => Promise<void>} run calls
		 * `during` where the case is at its height
		 */
		function lifecycle(name, count, run) {
			test(name, { timeout: caseTimeout }, async () => {
				const chosen = agents(count);
				await foreign(chosen[0], 'https://crm.example.com/hook?key=hidden');
				const before = (await webhooks(chosen)).length;
				let during = 0;
				await run(chosen, async () => {
					during = Math.max(during, (await webhooks(chosen)).length);
				});
				record(name, before, during, (await webhooks(chosen)).length);
				assert.equal(
					(await allWebhooks([chosen[0]])).filter(
						({ url }) => url === 'https://crm.example.com/hook?key=hidden',
					).length,
					1,
					'a foreign webhook was touched',
				);
			});
		}

		const record = (name, ...counts) => {
			(table[name] ??= {})[version] = /** @type {[number, number, number]} */ (counts);
		};

		// Publishing and unpublishing

		lifecycle('published and unpublished 30 times', 1, async ([agent], during) => {
			const id = await workflow({ agents: [agent] });
			for (let cycle = 0; cycle < 30; cycle++) {
				await publish(id);
				if (cycle % 20 === 0) assert.equal((await webhooks([agent])).length, 1);
				if (cycle === 29) await during();
				await host.deactivate(id);
			}
			assert.deepEqual(await webhooks([agent]), []);
		});

		lifecycle(
			'delivers while published, the execution has the event',
			1,
			async ([agent], during) => {
				const id = await workflow({ agents: [agent] });
				await publish(id);
				await during();
				const [delivery] = await deliver(agent);
				assert.equal(delivery.status, 200);
				const [execution] = await executions(id, 1);
				const { nodes } = await host.getExecution(execution.id);
				const [{ json }] = nodes.Events.items;
				const { timestamp, ...data } = json.data;
				assert.ok(timestamp);
				assert.deepEqual(
					{ ...json, data, deliveryId: json.deliveryId.slice(0, 5), receivedAt: '' },
					{
						event: 'conversation_end_report',
						knownEvent: true,
						agent,
						data: { number: '+12125550101' },
						deliveryId: 'body-',
						deliveryHeaderId: delivery.headers['x-delivery-id'],
						receivedAt: '',
						signatureVerified: true,
					},
				);
				const [{ url }] = await webhooks([agent]);
				for (const stranger of [url.split('?')[0], `${url}x`]) {
					const answer = await fetch(stranger, {
						method: 'POST',
						headers: { 'content-type': 'application/json' },
						body: '{"event":"conversation_end_report","data":{}}',
					});
					assert.deepEqual(
						[answer.status, await answer.json()],
						[401, { message: 'Unauthorized' }],
					);
				}
				await host.deactivate(id);
				assert.equal((await host.listExecutions({ workflowId: id })).length, 1);
				assert.deepEqual(await webhooks([agent]), []);
			},
		);

		lifecycle('agents edited', 2, async ([one, two], during) => {
			const id = await workflow({ agents: [one] });
			await publish(id);
			await edit(id, ({ parameters }) => ({ parameters: { ...parameters, agents: [two] } }));
			await publish(id);
			await during();
			assert.deepEqual(
				(await webhooks([one, two])).map((webhook) => webhook.agent_uuid),
				[two],
			);
			await host.deactivate(id);
			assert.deepEqual(await webhooks([one, two]), []);
		});

		lifecycle('events edited', 1, async ([agent], during) => {
			const id = await workflow({ agents: [agent] });
			await publish(id);
			await edit(id, ({ parameters }) => ({
				parameters: { ...parameters, events: ['voice_evaluation'] },
			}));
			await publish(id);
			await during();
			assert.deepEqual(
				(await webhooks([agent])).map(({ events }) => events),
				[['voice_evaluation']],
			);
			await host.deactivate(id);
			assert.deepEqual(await webhooks([agent]), []);
		});

		lifecycle('node renamed', 1, async ([agent], during) => {
			const id = await workflow({ agents: [agent] });
			await publish(id);
			await edit(id, () => ({ name: 'Call Ended' }));
			await publish(id);
			await during();
			assert.equal((await webhooks([agent])).length, 1);
			assert.equal((await deliver(agent))[0].status, 200);
			await executions(id, 1);
			await host.deactivate(id);
			assert.deepEqual(await webhooks([agent]), []);
		});

		// Copies

		/** The copy is published beside the original, and unpublished; the original goes on. */
		async function publishBeside(original, copy, agent, during) {
			const before = await webhooks([agent]);
			await publish(copy);
			await during();
			assert.equal((await webhooks([agent])).length, 2);
			await host.deactivate(copy);
			assert.deepEqual(await webhooks([agent]), before);
			assert.equal((await deliver(agent))[0].status, 200);
			await executions(original, 1);
		}

		/** n8n refuses the copy, which has the original's address, and clears up; the original goes on. */
		async function refuseBeside(copy, agent) {
			const before = await webhooks([agent]);
			await refused(copy);
			assert.deepEqual(await webhooks([agent]), before);
			assert.equal((await deliver(agent))[0].status, 200);
		}

		/** A copy that has the original's address is refused; with one of its own it can be published. */
		async function ownAddressFirst(original, copy, agent, during) {
			await refuseBeside(copy, agent);
			await edit(copy, () => ({ webhookId: randomUUID() }));
			await publishBeside(original, copy, agent, during);
			await host.deactivate(original);
			assert.deepEqual(await webhooks([agent]), []);
		}

		lifecycle('duplicated by the editor', 1, async ([agent], during) => {
			const original = await workflow({ agents: [agent] });
			await publish(original);
			const { nodes, staticData, ...rest } = await host.getWorkflow(original);
			assert.equal(staticData['node:Events'].registrations.length, 1);
			// What the dialog sends: new IDs and addresses; n8n 1.x keeps the static data.
			const copies = nodes.map((one) => ({
				...one,
				id: randomUUID(),
				...(one.webhookId && { webhookId: randomUUID() }),
			}));
			const { id: copy } = await host.createWorkflow({
				name: `Copy ${randomUUID()}`,
				nodes: copies,
				connections: rest.connections,
				settings: rest.settings,
				staticData,
			});
			await publishBeside(original, copy, agent, during);
			await host.deactivate(original);
			assert.deepEqual(await webhooks([agent]), []);
		});

		lifecycle('duplicated by the public API', 1, async ([agent], during) => {
			const original = await workflow({ agents: [agent] });
			await publish(original);
			const { nodes, connections, settings, staticData } = await publicApi(
				'GET',
				`/workflows/${original}`,
			);
			const { id: copy } = await publicApi('POST', '/workflows', {
				name: `Copy ${randomUUID()}`,
				nodes,
				connections,
				settings: { executionOrder: settings.executionOrder },
				staticData,
			});
			// Node ID, address and static data are the original's.
			const trigger = (await host.getWorkflow(copy)).nodes.find(({ name }) => name === 'Events');
			const first = nodes.find(({ name }) => name === 'Events');
			assert.deepEqual([trigger.id, trigger.webhookId], [first.id, first.webhookId]);
			await ownAddressFirst(original, copy, agent, during);
		});

		lifecycle('imported from a file, in the editor', 1, async ([agent], during) => {
			const original = await workflow({ agents: [agent] });
			await publish(original);
			const { nodes, connections, settings } = await host.getWorkflow(original);
			const { id: copy } = await host.createWorkflow({
				name: `Import ${randomUUID()}`,
				nodes: nodes.map((one) => ({ ...one, id: randomUUID() })),
				connections,
				settings,
			});
			await ownAddressFirst(original, copy, agent, during);
		});

		lifecycle('imported from a file, over itself', 1, async ([agent], during) => {
			const id = await workflow({ agents: [agent] });
			await publish(id);
			const [before] = await webhooks([agent]);
			const file = join(userFolder, 'workflow.json');
			await host.command('export:workflow', `--id=${id}`, `--output=${file}`);
			// n8n unpublishes what it imports; the running n8n may not have noticed.
			await host.command('import:workflow', `--input=${file}`);
			await publish(id);
			await during();
			const [webhook, ...others] = await webhooks([agent]);
			assert.deepEqual([pathOf(webhook), others], [pathOf(before), []]);
			assert.equal((await deliver(agent))[0].status, 200);
			await host.deactivate(id);
			assert.deepEqual(await webhooks([agent]), []);
		});

		lifecycle('moved to another project', 1, async ([agent], during) => {
			const own = await newCredential();
			const id = await workflow({ agents: [agent] }, { credentials: { acpApi: own } });
			await publish(id);
			await host.request('PUT', `/rest/workflows/${id}/transfer`, {
				destinationProjectId: await anotherProject(),
				shareCredentials: [own.id],
			});
			await until(
				'the webhook to answer',
				async () => (await deliver(agent))[0]?.status === 200,
				30_000,
			);
			await during();
			assert.equal((await webhooks([agent])).length, 1);
			await host.deactivate(id);
			assert.deepEqual(await webhooks([agent]), []);
		});

		lifecycle('two n8n with one database publish at once', 1, async ([agent], during) => {
			const id = await workflow({ agents: [agent] });
			const other = await startHost({
				version,
				userFolder,
				env: { ...host.options.env, WEBHOOK_URL: `${host.url}/` },
			});
			try {
				await sandbox.control('PATCH /settings', { latencyMs: 500 });
				const published = await Promise.all([host, other].map((one) => one.activate(id, 120_000)));
				await sandbox.control('PATCH /settings', { latencyMs: 0 });
				assert.ok(
					published.some(({ active }) => active),
					JSON.stringify(published),
				);
				await during();
				assert.equal((await webhooks([agent])).length, 1);
				assert.equal((await deliver(agent))[0].status, 200);
			} finally {
				await other.stop();
			}
			await host.deactivate(id);
			assert.deepEqual(await webhooks([agent]), []);
		});

		lifecycle('node disabled', 2, async ([one, two], during) => {
			const nodes = [node({ agents: [one] }), node({ agents: [two] }, { name: 'Events 2' })];
			const { id } = await host.createWorkflow({
				name: 'Two',
				nodes,
				connections: {},
				settings: {},
			});
			await publish(id);
			await during();
			assert.equal((await webhooks([one, two])).length, 2);
			await edit(id, ({ name }) => ({ disabled: name === 'Events' }));
			await publish(id);
			assert.deepEqual(
				(await webhooks([one, two])).map((webhook) => webhook.agent_uuid),
				[two],
			);
			await host.deactivate(id);
			assert.deepEqual(await webhooks([one, two]), []);
		});

		lifecycle('two triggers with one address: refused', 1, async ([agent], during) => {
			const webhookId = randomUUID();
			const nodes = ['Events', 'Events 2'].map((name) =>
				node({ agents: [agent] }, { name, webhookId }),
			);
			const { id } = await host.createWorkflow({
				name: 'Two',
				nodes,
				connections: {},
				settings: {},
			});
			const error = await refused(id);
			await during();
			// n8n 2.x finds it by itself.
			assert.match(error, /have the same webhook URL|conflict/i);
			assert.deepEqual(await webhooks([agent]), []);
		});

		lifecycle('two triggers in one workflow, same agent', 1, async ([agent], during) => {
			const nodes = [node({ agents: [agent] }), node({ agents: [agent] }, { name: 'Events 2' })];
			const { id } = await host.createWorkflow({
				name: 'Two',
				nodes,
				connections: {},
				settings: {},
			});
			await publish(id);
			await during();
			assert.equal((await webhooks([agent])).length, 2);
			await host.deactivate(id);
			assert.deepEqual(await webhooks([agent]), []);
		});

		lifecycle('workflow deleted while published', 1, async ([agent], during) => {
			const id = await workflow({ agents: [agent] });
			await publish(id);
			await during();
			await host.deleteWorkflow(id);
			assert.deepEqual(await webhooks([agent]), []);
		});

		// Several agents, full agents, foreign webhooks

		// Together, because n8n 2.x tries each of them for 15 seconds.
		test(
			'refused, with all that is to be known in the message: an agent missing, an agent full, a localhost callback',
			{ timeout: caseTimeout },
			async () => {
				const refusal = async (name, chosen, id, check) => {
					const before = (await webhooks(chosen)).length;
					const error = await refused(id);
					record(name, before, (await webhooks(chosen)).length, (await webhooks(chosen)).length);
					check(error);
					assert.deepEqual(await webhooks(chosen), [], name);
				};
				const [missing, there, full, other, anyone] = [
					randomUUID(),
					agents(2),
					agents(1)[0],
					agents(1)[0],
					agents(1),
				];
				for (let index = 1; index <= 5; index++)
					await foreign(full, `https://crm.example.com/hook/${index}?key=hidden`);
				const own = await newCredential({ baseUrl: 'https://acme.example.com' });
				await Promise.all([
					refusal(
						'several agents, one missing: none',
						there,
						await workflow({ agents: [...there, missing] }),
						(error) => {
							assert.match(
								error,
								new RegExp(`The agent ${missing} was not found at 127\\.0\\.0\\.1`),
							);
						},
					),
					refusal(
						'several agents, one full: none, and the five are named',
						[other, full],
						await workflow({ agents: [other, full] }),
						(error) => {
							for (let index = 1; index <= 5; index++)
								assert.match(
									error,
									new RegExp(
										`${index}\\. https://crm\\.example\\.com/hook/${index} \\(conversation_status\\)`,
									),
								);
							assert.match(error, /Delete one that you no longer need/);
							assert.doesNotMatch(error, /hidden/);
						},
					),
					refusal(
						'localhost callback for a public platform: refused',
						anyone,
						await workflow({ agents: anyone }, { credentials: { acpApi: own } }),
						(error) => {
							assert.match(
								error,
								/The platform cannot deliver events to this n8n: its public URL is http:\/\/127\.0\.0\.1:\d+, which only this computer can reach\. Set the environment variable WEBHOOK_URL/,
							);
						},
					),
				]);
				assert.equal((await allWebhooks([full])).length, 5);
			},
		);

		lifecycle('several agents: published and unpublished', 5, async (chosen, during) => {
			const id = await workflow({ agents: chosen.join(', ') });
			await publish(id);
			await during();
			assert.deepEqual(
				(await webhooks(chosen)).map((webhook) => webhook.agent_uuid).sort(),
				[...chosen].sort(),
			);
			await host.deactivate(id);
			assert.deepEqual(await webhooks(chosen), []);
		});

		lifecycle('same path on another n8n is foreign', 1, async ([agent], during) => {
			const webhookId = randomUUID();
			await foreign(
				agent,
				`https://n8n.example.com/webhook/${webhookId}/webhook?agent=${agent}&token=x`,
			);
			const before = await allWebhooks([agent]);
			const id = await workflow({ agents: [agent] }, { webhookId });
			await publish(id);
			await during();
			await host.deactivate(id);
			assert.deepEqual(await allWebhooks([agent]), before);
		});

		// Credentials

		lifecycle('token changed: repaired at the next publish', 1, async ([agent], during) => {
			const { token } = await sandbox.control('POST /tokens', {
				kind: 'workspace',
				label: 'second',
			});
			const own = await newCredential();
			const id = await workflow({ agents: [agent] }, { credentials: { acpApi: own } });
			await publish(id);
			const data = { baseUrl: sandbox.url, token, timezone: '', webhookSecret: '' };
			await host.updateCredential(own.id, { name: own.name, type: 'acpApi', data });
			assert.equal((await deliver(agent))[0].status, 200, 'events go on until then');
			await host.deactivate(id);
			await publish(id);
			await during();
			assert.equal((await webhooks([agent])).length, 1);
			assert.equal((await deliver(agent))[0].status, 200);
			const [execution] = await executions(id, 2);
			assert.equal(
				(await host.getExecution(execution.id)).nodes.Events.items[0].json.signatureVerified,
				true,
			);
			await host.deactivate(id);
			assert.deepEqual(await webhooks([agent]), []);
		});

		lifecycle(
			'a revoked token can no longer delete: explained, adopted later',
			1,
			async ([agent], during) => {
				const { token } = await sandbox.control('POST /tokens', {
					kind: 'workspace',
					label: 'revoked later',
				});
				const own = await newCredential({ token });
				const id = await workflow({ agents: [agent] }, { credentials: { acpApi: own } });
				await publish(id);
				await sandbox.control('POST /tokens/revoke', { token });
				await host.deactivate(id);
				await during();
				assert.match(
					host.logs(),
					new RegExp(
						`of agent ${agent} could not be removed\\. The platform did not accept the token`,
					),
				);
				const [left] = await webhooks([agent]);
				const data = {
					baseUrl: sandbox.url,
					token: sandbox.token,
					timezone: '',
					webhookSecret: '',
				};
				await host.updateCredential(own.id, { name: own.name, type: 'acpApi', data });
				await publish(id);
				assert.deepEqual(
					(await webhooks([agent])).map((webhook) => webhook.webhook_uuid),
					[left.webhook_uuid],
				);
				await host.deactivate(id);
				assert.deepEqual(await webhooks([agent]), []);
			},
		);

		lifecycle('credential deleted: explained, adopted later', 1, async ([agent], during) => {
			const own = await newCredential();
			const id = await workflow({ agents: [agent] }, { credentials: { acpApi: own } });
			await publish(id);
			const [before] = await webhooks([agent]);
			await host.deleteCredential(own.id);
			await host.deactivate(id);
			await during();
			assert.match(host.logs(), new RegExp(`of agent ${agent} could not be removed\\.`));
			assert.deepEqual(await webhooks([agent]), [before]);
			await edit(id, () => ({ credentials: { acpApi: credential } }));
			await publish(id);
			assert.deepEqual(
				(await webhooks([agent])).map((webhook) => webhook.webhook_uuid),
				[before.webhook_uuid],
			);
			await host.deactivate(id);
			assert.deepEqual(await webhooks([agent]), []);
		});

		lifecycle(
			'three triggers, the platform is away for the first: the others are unpublished',
			3,
			async (chosen, during) => {
				const [first, ...others] = chosen;
				const nodes = chosen.map((agent, index) =>
					node({ agents: [agent] }, { name: `Events ${index + 1}` }),
				);
				const { id } = await host.createWorkflow({
					name: 'Three',
					nodes,
					connections: {},
					settings: {},
				});
				for (const time of ['the first time', 'once more']) {
					await publish(id);
					await during();
					assert.equal((await webhooks(chosen)).length, 3, time);
					await sandbox.control('POST /faults', [
						{ match: { path: `^/agents/${first}` }, fault: { kind: 'status', status: 503 } },
					]);
					await host.deactivate(id);
					await sandbox.control('DELETE /faults');
					assert.equal((await webhooks([first])).length, 1);
					assert.deepEqual(await webhooks(others), []);
					assert.match(host.logs(), new RegExp(`of agent ${first} could not be removed\\.`));
					// What stays remembered is what is still there.
					const { staticData } = await host.getWorkflow(id);
					assert.deepEqual(
						nodes.map(({ name }) =>
							staticData[`node:${name}`].registrations.map((entry) => entry.agent),
						),
						[[first], [], []],
					);
				}
				await publish(id);
				assert.equal((await webhooks(chosen)).length, 3);
				await host.deactivate(id);
				assert.deepEqual(await webhooks(chosen), []);
			},
		);

		// A platform without some endpoints

		for (const supported of [false, '405'])
			lifecycle(
				`no delete (${supported === false ? '404 ENDPOINT_NOT_FOUND' : '405'}): switched off and adopted, 6 times`,
				1,
				async ([agent], during) => {
					await sandbox.control('PATCH /settings', { webhooks: { delete: supported } });
					try {
						const id = await workflow({ agents: [agent] });
						for (let cycle = 0; cycle < 6; cycle++) {
							await publish(id);
							assert.deepEqual(
								(await webhooks([agent])).map((webhook) => webhook.is_active),
								[true],
							);
							await during();
							await host.deactivate(id);
							assert.deepEqual(
								(await webhooks([agent])).map((webhook) => webhook.is_active),
								[false],
							);
						}
					} finally {
						await sandbox.control('PATCH /settings', { webhooks: { delete: true } });
					}
				},
			);

		lifecycle('neither delete nor update: explained, used again', 1, async ([agent], during) => {
			await sandbox.control('PATCH /settings', { webhooks: { delete: false, update: false } });
			try {
				const id = await workflow({ agents: [agent] });
				await publish(id);
				await host.deactivate(id);
				assert.match(
					host.logs(),
					new RegExp(
						`of agent ${agent} stays on the platform, because the workspace neither deletes it nor switches it off`,
					),
				);
				await publish(id);
				await during();
				assert.equal((await webhooks([agent])).length, 1);
				assert.equal((await deliver(agent))[0].status, 200);
				await host.deactivate(id);
			} finally {
				await sandbox.control('PATCH /settings', { webhooks: { delete: true, update: true } });
			}
		});

		lifecycle('a deleted agent does not block unpublishing', 2, async ([one, deleted], during) => {
			const id = await workflow({ agents: [one, deleted] });
			await publish(id);
			await during();
			await sandbox.control('POST /faults', [
				{
					match: { path: `^/agents/${deleted}` },
					fault: { kind: 'status', status: 404, code: 'RESOURCE_NOT_FOUND' },
				},
			]);
			await host.deactivate(id);
			await sandbox.control('DELETE /faults');
			assert.deepEqual(await webhooks([one]), []);
			// The platform removes an agent's webhooks with it; the sandbox's agent only pretended.
			for (const webhook of await webhooks([deleted]))
				await sandbox.api(`DELETE /agents/${deleted}/webhooks/${webhook.webhook_uuid}`);
		});

		// Listening for a test event

		lifecycle('test listening: stopped', 1, async ([agent], during) => {
			const id = await workflow({ agents: [agent] });
			await host.listen(id);
			await during();
			assert.equal((await webhooks([agent])).length, 1);
			await host.stopListening(id);
			await until(
				'the test webhook to be gone',
				async () => (await webhooks([agent])).length === 0,
				30_000,
			);
		});

		lifecycle(
			'test listening beside a published workflow: both get the event, only the test ends',
			1,
			async ([agent], during) => {
				const id = await workflow({ agents: [agent] });
				await publish(id);
				const [production] = await webhooks([agent]);
				await host.listen(id);
				await during();
				assert.equal((await webhooks([agent])).length, 2);
				const deliveries = await deliver(agent);
				assert.deepEqual(
					deliveries.map(({ status }) => status),
					[200, 200],
				);
				const both = await executions(id, 2);
				assert.deepEqual(both.map(({ mode }) => mode).sort(), ['manual', 'webhook']);
				await until(
					'the test webhook to be gone',
					async () => (await webhooks([agent])).length === 1,
					30_000,
				);
				assert.deepEqual(await webhooks([agent]), [production]);
				assert.equal((await deliver(agent))[0].status, 200);
				await host.deactivate(id);
				assert.deepEqual(await webhooks([agent]), []);
			},
		);

		lifecycle('two tests that one event ends: n8n goes on', 1, async ([agent], during) => {
			const ids = [await workflow({ agents: [agent] }), await workflow({ agents: [agent] })];
			for (const id of ids) await host.listen(id);
			await during();
			await sandbox.control('PATCH /settings', { latencyMs: 300 });
			try {
				assert.deepEqual(
					(await deliver(agent)).map(({ status }) => status),
					[200, 200],
				);
				for (const id of ids) await executions(id, 1);
			} finally {
				await sandbox.control('PATCH /settings', { latencyMs: 0 });
			}
			await until(
				'the test webhooks to be gone',
				async () => (await webhooks([agent])).length === 0,
				30_000,
			);
			// Blocked, n8n answers nobody for half a minute.
			for (let asked = 0; asked < 300; asked++)
				await fetch(`${host.url}/healthz`, { signal: AbortSignal.timeout(10_000) });
		});

		lifecycle('another agent chosen while a test listens', 2, async ([one, two], during) => {
			const id = await workflow({ agents: [one] });
			await host.listen(id);
			await edit(id, ({ parameters }) => ({ parameters: { ...parameters, agents: [two] } }));
			await host.listen(id);
			await during();
			assert.deepEqual(await webhooks([one]), []);
			await host.stopListening(id);
			await until(
				'the test webhook to be gone',
				async () => (await webhooks([two])).length === 0,
				30_000,
			);
		});

		lifecycle('test listening that cannot begin leaves nothing', 2, async (chosen, during) => {
			const id = await workflow({ agents: [...chosen, randomUUID()] });
			await assert.rejects(host.listen(id), /was not found/);
			await during();
			assert.deepEqual(await webhooks(chosen), []);
		});

		// Restarts. Several cases share each of them.

		test(
			'restarted, from a backup with the same address, and with a missing agent: the webhooks stay',
			{ timeout: caseTimeout },
			async () => {
				const [agent, stays, vanishes] = agents(3);
				const id = await workflow({ agents: [agent] });
				const several = await workflow({ agents: [stays, vanishes] });
				await publish(id);
				await publish(several);
				const before = await webhooks([agent, stays, vanishes]);
				const missing = {
					match: { path: `^/agents/${vanishes}` },
					fault: { kind: 'status', status: 404, code: 'RESOURCE_NOT_FOUND' },
				};
				await sandbox.control('POST /faults', [missing]);
				await host.stop();
				const original = userFolder;
				userFolder = `${original}-backup`;
				await cp(original, userFolder, { recursive: true });
				await rm(original, { recursive: true, force: true });
				host.userFolder = userFolder;
				await host.start();
				if (version.startsWith('1.'))
					assert.match(
						host.logs(),
						new RegExp(`could not check what it registered: The agent ${vanishes} was not found`),
					);
				for (const there of [agent, stays])
					await until(
						'the webhook to answer',
						async () => (await deliver(there))[0]?.status === 200,
						30_000,
					);
				assert.deepEqual(await webhooks([agent, stays, vanishes]), before);
				await sandbox.control('DELETE /faults');
				// Published from the backup, it is still the same webhook.
				await publish(id);
				assert.deepEqual(await webhooks([agent, stays, vanishes]), before);
				for (const one of [id, several]) await host.deactivate(one);
				assert.deepEqual(await webhooks([agent, stays, vanishes]), []);
				record('restarted, from a backup with the same address', 1, 1, 0);
				record('a missing agent at start-up does not silence the other', 2, 2, 0);
			},
		);

		test(
			'killed with -9, while published, publishing or listening for a test event: the next publish leaves one webhook',
			{ timeout: caseTimeout },
			async () => {
				const [publishedAgent, publishingAgent, listeningAgent] = agents(3);
				const published = await workflow({ agents: [publishedAgent] });
				const publishing = await workflow({ agents: [publishingAgent] });
				const listening = await workflow({ agents: [listeningAgent] });
				await publish(published);
				await host.listen(listening);
				await sandbox.control('PATCH /settings', { latencyMs: 3000 });
				const interrupted = host.activate(publishing).catch(() => undefined);
				await until(
					'the platform to have the webhook',
					async () => (await webhooks([publishingAgent])).length === 1,
					30_000,
					20,
				);
				await host.kill();
				await interrupted;
				await sandbox.control('PATCH /settings', { latencyMs: 0 });
				const before = [publishedAgent, publishingAgent, listeningAgent].map(
					async (agent) => (await webhooks([agent])).length,
				);
				assert.deepEqual(await Promise.all(before), [1, 1, 1]);
				await host.start();

				await until(
					'the webhook to answer',
					async () => (await deliver(publishedAgent))[0]?.status === 200,
					30_000,
				);
				const durings = [(await webhooks([publishedAgent])).length];
				for (const [id, agent] of [
					[publishing, publishingAgent],
					[listening, listeningAgent],
				]) {
					// n8n may be publishing it again by itself; publishing once more does no harm.
					await publish(id);
					const [webhook, ...others] = await webhooks([agent]);
					assert.deepEqual(others, []);
					assert.match(pathOf(webhook), /^\/webhook\//);
					assert.equal((await deliver(agent))[0].status, 200);
					durings.push((await webhooks([agent])).length);
				}
				for (const id of [published, publishing, listening]) await host.deactivate(id);
				const names = [
					'killed while published',
					'killed while publishing',
					'killed while listening for a test event',
				];
				for (const [index, agent] of [publishedAgent, publishingAgent, listeningAgent].entries()) {
					record(names[index], 1, durings[index], (await webhooks([agent])).length);
					assert.deepEqual(await webhooks([agent]), [], names[index]);
				}
			},
		);

		test(
			'restarted under another address: left alone, then moved by Take Over From',
			{ timeout: caseTimeout },
			async () => {
				const [movedAgent] = agents();
				const moved = await workflow({ agents: [movedAgent] });
				await publish(moved);
				await host.stop();
				host.options.env = { ...host.options.env, WEBHOOK_URL: `http://localhost:${host.port}/` };
				await host.start();

				// n8n 1.x looks at start-up, 2.x when it is published again. What stands under the other address may be
				// another n8n's, so it stays, and a person is told.
				const [old] = await webhooks([movedAgent]);
				const again = async () => {
					await host.deactivate(moved);
					await publish(moved);
				};
				if (!version.startsWith('1.')) await again();
				const hosts = async () =>
					(await webhooks([movedAgent])).map(({ url }) => new URL(url).hostname).sort();
				assert.deepEqual(await hosts(), ['127.0.0.1', 'localhost']);
				assert.match(
					host.logs(),
					new RegExp(`of agent ${movedAgent} was not changed: this workflow registered it under`),
				);
				await host.deactivate(moved);
				assert.deepEqual(await webhooks([movedAgent]), [old]);
				record('restored with another address', 1, 2, 1);

				await edit(moved, ({ parameters }) => ({
					parameters: { ...parameters, options: { takeOverFrom: host.url } },
				}));
				await publish(moved);
				const [webhook, ...others] = await webhooks([movedAgent]);
				assert.deepEqual(others, []);
				assert.deepEqual(
					[webhook.webhook_uuid, new URL(webhook.url).hostname],
					[old.webhook_uuid, 'localhost'],
				);
				await host.deactivate(moved);
				record(
					'moved to another address, Take Over From',
					1,
					1,
					(await webhooks([movedAgent])).length,
				);
				assert.deepEqual(await webhooks([movedAgent]), []);
			},
		);
	});
}

after(() => {
	const cell = (counts) => (counts ? counts.join(' / ') : 'did not run to its end');
	console.log(
		`\n| case: webhooks before / during / after | ${versions.map((version) => `n8n ${version}`).join(' | ')} |\n|---|${versions.map(() => '---|').join('')}`,
	);
	for (const [name, counts] of Object.entries(table))
		console.log(`| ${name} | ${versions.map((version) => cell(counts[version])).join(' | ')} |`);
});
