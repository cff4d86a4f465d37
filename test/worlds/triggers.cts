/** Plays a world of the triggers, step by step, and compares what is true on the platform with what people are told. */
import { countBy, isEqual, omit } from 'lodash';
import type { Engine, Sandbox, Trigger } from '../engine/harness/index.cts';
import { fast } from '../engine/guarantees/scene.cts';
import { post, someone, told, withoutQuery } from '../engine/harness/triggers.cts';
import type { Broken } from './check.cts';
import { ending, evaluation, telling, type TriggerWorld } from './triggerWorld.cts';
import type { openView } from './view.cts';

/** What must hold. */
export const promises = {
	once: 'each event that arrives with the right token starts the workflow once',
	forged: 'a forged delivery starts nothing',
	foreign: 'nothing that others have registered is changed or removed',
	published: 'what is called published is registered, and works',
	gone: 'what is called unpublished is gone, and what was there before is back',
	started: 'after a start or a look the registration is right, or the log says why',
	ended: 'each conversation that ends starts each published workflow once, and none from before',
	secret: 'no secret is stored or logged',
};

type N8n = 'prod' | 'staging';

/** A workflow, as its owner knows it. */
interface Actor {
	who: number;
	n8n: N8n;
	trigger: Trigger;
	published: boolean;
	/** n8n could not publish it when it started; it tries again. */
	waits: boolean;
	watched: boolean;
	listening: boolean;
	agents: number[];
	events: string[];
	/** Agents whose conversations started it since a person published it. */
	heard: Set<number>;
	/** What the intent did before this workflow took it. */
	prior?: object;
	/** Its credential has another token than its last test had. */
	hasNewToken?: boolean;
}

/** A conversation that ended: to whom it was delivered, who must catch it up, and who may. */
interface Ended {
	uuid: string;
	delivered: Set<number>;
	missed: Set<number>;
	maybe: Set<number>;
}

/** An event of a test's own, and what came of it at each workflow, in which of its n8n's lives. */
interface Sent {
	n: string;
	name: string;
	agent: number;
	withId: boolean;
	attempts: Array<{ who: number; status: number | null; life: number; wanted: boolean }>;
}

export interface Platform {
	sandbox: Sandbox;
	engines: Record<N8n, Engine>;
	proxy: Awaited<ReturnType<typeof openView>>;
}

/** What an intent calls: its live action, else its webhook. */
const doesNow = ({ event, webhook }: any): { url?: string; action?: string; config?: object } =>
	event?.status !== 'deployed'
		? { url: webhook?.url ?? '' }
		: event.event_type === 'webhook'
			? { url: event.webhook.url }
			: { action: event.app?.uid, config: event.config };

const healthy = { hidden: [], hiddenAs: 'absent', numbers: 'whole', holds: [], latencyMs: 0 };
/** Calls that last as long as they say. */
const outcome = { outcome: 'interested', answered: true, seconds: [0, 0], sentiment: 'positive' };
const call = { lifeMs: 1, outcomes: [{ ...outcome, success: 'yes' }] };
/** A sender that does not wait for the answer, and sends again. */
const impatient = { timeoutMs: 1, attempts: 2, retryDelayMs: 1 };
const patient = { timeoutMs: 30_000, attempts: 1, retryDelayMs: 500 };

class Play {
	readonly broken: Broken[] = [];
	private readonly actors = new Map<number, Actor>();
	private readonly ended: Ended[] = [];
	private readonly sent: Sent[] = [];
	private readonly same = someone();
	private readonly secrets = new Set(['hidden-1', 'hidden-2']);
	private readonly lives = { prod: 0, staging: 0 };
	private logs = { prod: 0, staging: 0 };
	private readonly logsAtFirst: Record<N8n, number>;
	private uuids: string[] = [];
	private intent = '';
	private baseUrl = '';
	private numbers = 0;
	private at = '';
	private isHealthy = true;
	/** Forbidden: what somebody changed and a view hides, nobody can know; an intent is not taken blindly. */
	private unseen = false;
	/** Workflows that this step is about. */
	private acting = new Set<number>();
	private before = {
		webhooks: [] as any[],
		does: {} as ReturnType<typeof doesNow>,
		isDraft: false,
	};
	private previous?: { sent: Sent; body: unknown; to: Array<{ url: string; headers: object }> };

	constructor(
		private readonly world: TriggerWorld,
		private readonly platform: Platform,
	) {
		this.logsAtFirst = this.logLengths();
	}

	private get isEvent(): boolean {
		return this.world.kind === 'event';
	}

	private logLengths() {
		const { prod, staging } = this.platform.engines;
		return { prod: prod.log.length, staging: staging.log.length };
	}

	private breaks(promise: keyof typeof promises, how: string): void {
		this.broken.push({ promise: promises[promise], how: `${this.at}: ${how}` });
	}

	/** The workspace before: webhooks of others at the first agent, or an intent that does something. */
	private async build(): Promise<void> {
		const { world, isEvent } = this;
		const { sandbox, engines, proxy } = this.platform;
		await sandbox.reset({ settings: { ...fast, call }, contacts: 0 } as never);
		this.secrets.add(sandbox.token);
		this.baseUrl = proxy.show(healthy as never, sandbox.url);
		for (const name of ['prod', 'staging'] as const) {
			await engines[name].forgetDuplicates();
			proxy.serves(name, engines[name].url);
			engines[name].credentials = { acpApi: { ...sandbox.credential(), baseUrl: this.baseUrl } };
		}
		proxy.serves('crm', undefined);
		const url = `${this.baseUrl}/crm?key=hidden-1`;
		this.uuids = (await sandbox.state('agents')).slice(0, 2).map(({ agent_uuid }) => agent_uuid);
		const agent = `/agents/${this.uuids[0]}`;
		for (let at = 0; isEvent && at < world.others; at++)
			await sandbox.api.post(`${agent}/webhooks`, { url: `${url}${at}`, events: [ending] });
		if (!isEvent) {
			const webhook = { url, auth_token: 'hidden-2' };
			const fields = { name: 'Book a table', ...(world.before === 'url' && { webhook }) };
			const { data } = await sandbox.api.post(`${agent}/intents`, fields);
			this.intent = data.data.intent_uuid;
			const path = `${agent}/intents/${this.intent}/event`;
			const action = {
				event_type: 'app',
				app_uid: 'tables',
				action_key: 'ai_query',
				config: { a: 1 },
			};
			if (world.before === 'action') {
				await sandbox.api.put(path, action);
				await sandbox.api.post(`${path}/publish`);
			}
		}
		await sandbox.control.post('/settle');
	}

	private parametersOf({ agents, events }: Pick<Actor, 'agents' | 'events'>): any {
		const { replace, catchUp, required } = this.world.options;
		const chosen = { agents: agents.map((at) => this.uuids[at]), events };
		const asked = { agent: this.uuids[0], intent: this.intent, respond: 'immediately' };
		return this.isEvent
			? { ...chosen, options: { catchUp, ...(required && { signature: 'required' }) } }
			: { ...asked, responseText: 'Yes', options: { replace } };
	}

	private async actorOf(who: number): Promise<Actor> {
		const known = this.actors.get(who);
		if (known) return known;
		const { agents, events } = this.world;
		const n8n: N8n = who === 1 ? 'staging' : 'prod';
		// Copies take static data along.
		const staticData = (await this.actors.get(0)?.trigger.state())?.staticData;
		const trigger = await this.platform.engines[n8n].trigger(
			this.isEvent ? 'acpTrigger' : 'acpIntentTrigger',
			this.parametersOf({ agents, events }),
			{
				...(who === 2 ? someone() : this.same),
				webhookBaseUrl: `${this.baseUrl}/${n8n}/`,
				...(staticData && { staticData }),
			},
		);
		const no = { published: false, waits: false, watched: false, listening: false };
		const actor = { who, n8n, trigger, ...no, agents, events, heard: new Set<number>() };
		this.actors.set(who, actor);
		return actor;
	}

	private readonly webhooks = async (): Promise<any[]> =>
		await this.platform.sandbox.state('webhooks');

	private async intentNow(): Promise<any> {
		const agents = await this.platform.sandbox.state('agents');
		return agents.flatMap(({ intents }) => intents).find((one) => one.intent_uuid === this.intent);
	}

	private readonly snapshot = async () => {
		const none = { webhooks: [] as any[], does: {} as ReturnType<typeof doesNow>, isDraft: false };
		if (this.isEvent) return { ...none, webhooks: await this.webhooks() };
		const now = await this.intentNow();
		return { ...none, does: doesNow(now), isDraft: now.event?.status === 'draft' };
	};

	/** Whether a URL is one of a workflow; a platform may have cut it. */
	private readonly isOf = ({ trigger: { url: own, info } }: Actor, url = ''): boolean =>
		url.includes('/webhook') &&
		[own, info.testUrl].some((one) => one.startsWith(withoutQuery(url)));

	private readonly ownerOf = (url = ''): Actor | undefined =>
		[...this.actors.values()].find((one) => this.isOf(one, url));

	private isActing(url = ''): boolean {
		const owner = this.ownerOf(url);
		if (!owner) return false;
		const isInUse = withoutQuery(url) === owner.trigger.url ? owner.published : owner.listening;
		// What a workflow has left behind, any other of the same n8n takes back.
		return [...this.acting].some(
			(who) => who === owner.who || (!isInUse && this.actors.get(who)!.n8n === owner.n8n),
		);
	}

	/** Webhooks of a workflow that are switched on, or the intent if it calls it. */
	private async registeredOf({ trigger }: Actor, ofAgent?: number): Promise<any[]> {
		if (!this.isEvent)
			return [doesNow(await this.intentNow())].filter(
				({ url }) => withoutQuery(url) === trigger.url,
			);
		return (await this.webhooks()).filter(
			({ url, is_active, agent_uuid }) =>
				is_active &&
				withoutQuery(url) === trigger.url &&
				(ofAgent === undefined || agent_uuid === this.uuids[ofAgent]),
		);
	}

	/** What is wrong with what a workflow has registered. */
	private async wrongIn(actor: Actor): Promise<string> {
		const wrong: string[] = [];
		for (const agent of this.isEvent ? actor.agents : [0]) {
			const [one, ...more] = await this.registeredOf(actor, agent);
			if (!one || more.length > 0) wrong.push(`${one ? 1 + more.length : 0} at agent ${agent}`);
			else if (this.isEvent && actor.events.some((event) => !one.events.includes(event)))
				wrong.push(`only ${one.events} at agent ${agent}`);
			else if (this.isEvent && !one.secret_key) wrong.push(`no secret at agent ${agent}`);
		}
		const more = this.isEvent ? await this.registeredOf(actor) : [];
		for (const { agent_uuid } of more)
			if (!actor.agents.includes(this.uuids.indexOf(agent_uuid)))
				wrong.push('at an agent that is not chosen');
		return wrong.join('; ');
	}

	/** @param wrong what is wrong; it is told if n8n's log says something of the trigger */
	private async mustBeTold(
		{ who, n8n }: Actor,
		wrong: string,
		promise: keyof typeof promises,
	): Promise<void> {
		if (wrong === '' || (this.unseen && !this.isHealthy)) return;
		const log = (await this.platform.engines[n8n].logged()).slice(this.logs[n8n]);
		if (!/ warn .*(Event|Question) Trigger/.test(log)) this.breaks(promise, `${wrong}, of ${who}`);
	}

	/** What a workflow has missed by now, and not caught up yet, it need not. */
	private excuse({ who }: Actor): void {
		for (const { missed, maybe } of this.ended) if (missed.delete(who)) maybe.add(who);
	}

	private async begin(
		actor: Actor,
		activation: 'activate' | 'update' | 'init' | 'leadershipChange',
	): Promise<void> {
		const { does, isDraft } = this.before;
		// Between setting an action and making it live, the intent does nothing; what it did before is still owed.
		if (!this.isOf(actor, does.url) && !isDraft) actor.prior = does;
		const said = await told(actor.trigger.activate(activation));
		actor.published = said === 'done';
		const isStart = ['init', 'leadershipChange'].includes(activation);
		actor.waits = isStart && !actor.published;
		if (activation === 'activate') actor.heard.clear();
		if (!actor.published) {
			if (!isStart) this.excuse(actor);
			const isTold = said.includes('may have registered');
			const left = isStart || actor.listening || isTold ? [] : await this.registeredOf(actor);
			return await this.mustBeTold(actor, left.length > 0 ? `${said}, and it is` : '', 'gone');
		}
		if (!isStart) await this.mustBeTold(actor, await this.wrongIn(actor), 'published');
		await actor.trigger.watch(activation, true);
		actor.watched = true;
		if (!isStart) return;
		await actor.trigger.look();
		await this.mustBeTold(actor, await this.wrongIn(actor), 'started');
	}

	private async rest(actor: Actor): Promise<void> {
		if (actor.watched) await actor.trigger.unwatch();
		actor.watched = false;
	}

	private async start(n8n: N8n, activation: 'init' | 'leadershipChange'): Promise<void> {
		for (const actor of this.actors.values()) {
			if (actor.n8n !== n8n || !(actor.published || actor.waits)) continue;
			this.acting.add(actor.who);
			await this.begin(actor, activation);
		}
	}

	/** n8n ends without a word, and its memory with it. */
	private async kill(n8n: N8n): Promise<void> {
		await this.platform.engines[n8n].forget({ triggers: true });
		this.lives[n8n]++;
		for (const actor of this.actors.values())
			if (actor.n8n === n8n) actor.watched = actor.listening = false;
	}

	/** A call that ends, once the platform has delivered what it delivers of it. */
	private async callEnds(agent: number): Promise<void> {
		const { sandbox } = this.platform;
		const participant = { number: `+1212555${String(++this.numbers).padStart(4, '0')}` };
		const asked = { agentId: this.uuids[agent], participant };
		const uuid = (await sandbox.api.post('/call', asked)).data.data.conversation_uuid;
		const ofAgent = async () =>
			(await this.webhooks()).filter(
				({ agent_uuid, is_active }) => is_active && agent_uuid === this.uuids[agent],
			);
		const first = await ofAgent();
		let deliveries: any[] = [];
		for (let isOver = false; !isOver;) {
			await new Promise((resolve) => setTimeout(resolve, 2));
			const { ended_at } = (await sandbox.state('calls')).at(-1);
			deliveries = (await sandbox.deliveries()).filter(
				({ event, payload, status, error }) =>
					payload.data?.conversation_uuid === uuid &&
					[ending, evaluation].includes(event) &&
					(status ?? error) !== null,
			);
			// A webhook may go between the two events: a test ends behind n8n's back.
			const now = (await ofAgent()).map(({ webhook_uuid }) => webhook_uuid);
			const isDone = ({ webhook_uuid: id, events }: any) =>
				!now.includes(id) ||
				events.every(
					(name: string) =>
						![ending, evaluation].includes(name) ||
						deliveries.some(({ webhookUuid, event }) => webhookUuid === id && event === name),
				);
			isOver = ended_at !== null && first.every(isDone);
		}
		const one = { uuid, delivered: new Set<number>(), missed: new Set<number>() };
		const maybe = new Set<number>();
		for (const { who, trigger, agents, events, heard, published, waits } of this.actors.values()) {
			const wants = agents.includes(agent) && events.includes(ending);
			const isDelivered = deliveries.some(
				({ url, event, status }) => url === trigger.url && event === ending && status === 200,
			);
			if (wants && isDelivered) {
				one.delivered.add(who);
				heard.add(agent);
			} else if (wants && published && this.world.options.catchUp && heard.has(agent))
				one.missed.add(who);
			else if (published || waits) maybe.add(who);
		}
		this.ended.push({ ...one, maybe });
	}

	private note(sent: Sent, url: string, status: number | null): void {
		const actor = this.ownerOf(url);
		if (!actor || withoutQuery(url) !== actor.trigger.url) return;
		const { who, n8n, agents, events, heard } = actor;
		const wanted = !this.isEvent || (agents.includes(sent.agent) && events.includes(sent.name));
		sent.attempts.push({ who, status, life: this.lives[n8n], wanted });
		if (status === 200 && wanted && sent.name === ending) heard.add(sent.agent);
	}

	private newSent(agent: number, name: string, withId: boolean): Sent {
		const sent = { n: `n${++this.numbers}`, name, agent, withId, attempts: [] };
		this.sent.push(sent);
		return sent;
	}

	/** The previous event once more, byte for byte. */
	private async repeat(): Promise<void> {
		const { sent, body, to = [] } = this.previous ?? {};
		for (const { url, headers } of to)
			this.note(sent!, url, (await post(url, body, headers as never)).status);
	}

	/** An event of an agent, which the platform delivers and signs. */
	private async send({ agent, name, how, withId }: any): Promise<void> {
		const { sandbox } = this.platform;
		if (how === 'again') return await this.repeat();
		const sent = this.newSent(agent, name, withId);
		const { n } = sent;
		const data = { n, conversation_uuid: `c-${n}`, ...(withId && { delivery_id: `d-${n}` }) };
		const webhooks = how === 'lost' ? impatient : patient;
		await sandbox.settings({ manners: { eventShape: 'beside' }, webhooks });
		const entries = await sandbox.deliver({ agent: this.uuids[agent]!, event: name, data });
		await sandbox.settings({ manners: { eventShape: null }, webhooks: patient });
		for (const { url, status, payload } of await sandbox.deliveries())
			if (payload.n === n) this.note(sent, url, status);
		const all = await this.webhooks();
		const to = entries.flatMap(({ webhookUuid, headers }) => {
			// A test's is gone with what it received.
			const one = all.find(({ webhook_uuid }) => webhook_uuid === webhookUuid);
			return one ? [{ url: one.url, headers }] : [];
		});
		this.previous = { sent, body: entries[0]?.payload, to };
		if (how === 'twice') await this.repeat();
		if (how === 'atOnce') await Promise.all([this.repeat(), this.repeat()]);
	}

	/** A request of the platform to what the intent calls. */
	private async ask(): Promise<void> {
		const { url = '' } = doesNow(await this.intentNow());
		if (!this.ownerOf(url)) return;
		const sent = this.newSent(0, '', false);
		this.note(sent, url, (await post(url, { parameters: { n: sent.n } })).status);
	}

	private async forge({ who, how }: any): Promise<void> {
		const actor = this.actors.get(who);
		if (!actor) return;
		const { webhooks, does } = this.before;
		const urls: string[] = this.isEvent ? webhooks.map(({ url }) => url) : [does.url ?? ''];
		const own = urls.find((url) => withoutQuery(url) === actor.trigger.url);
		const url = new URL(own ?? `${actor.trigger.url}?agent=${this.uuids[0]}&token=x`);
		const { searchParams: query } = url;
		const token = query.get('token')!;
		const tokens = urls.filter((one) => one.includes('token=')).map((one) => new URL(one));
		const other = tokens.map((one) => one.searchParams.get('token')!).find((one) => one !== token);
		const forgeries = [
			() => query.delete('token'),
			() => query.set('token', `${token}x`),
			() => query.set('token', ''),
			() => query.append('token', token),
			() =>
				query.set(
					'agent',
					this.uuids.find((one) => one !== query.get('agent'))!,
				),
			() => query.set('token', other ?? 'other'),
		];
		forgeries[how]!();
		const n = { n: 'forged' };
		const { status } = await post(url.href, { event: ending, ...n, data: n, parameters: n });
		if (![401, 404, 502].includes(status)) this.breaks('forged', `${how} is answered ${status}`);
	}

	/** Somebody changes on the platform what a workflow has registered there. */
	private async change({ who, agent, what }: any): Promise<void> {
		const { sandbox } = this.platform;
		const actor = this.actors.get(who);
		for (const one of this.actors.keys()) this.acting.add(one);
		if (!actor) return;
		const { hidden } = this.world.view;
		const fields = this.isEvent ? [] : ['url', 'webhook', 'intents', 'data'];
		this.unseen ||= hidden.some((name) =>
			fields.concat(this.isEvent ? telling : []).includes(name),
		);
		if (!this.isEvent) {
			const { name, event } = await this.intentNow();
			const url = what === 'replaced' ? `${this.baseUrl}/crm/new` : '';
			const path = `/agents/${this.uuids[0]}/intents/${this.intent}`;
			if (!event) await sandbox.api.patch(path, { name, webhook: { url, auth_token: '' } });
			for (const one of this.actors.values()) one.prior = (await this.snapshot()).does;
			return;
		}
		const [one] = await this.registeredOf(actor, agent);
		if (!one) return;
		const changes: Record<string, object> = {
			off: { is_active: false },
			events: { events: ['text_evaluation'] },
			secret: { secret_key: null },
		};
		if (changes[what]) await sandbox.change('webhooks', one.webhook_uuid, changes[what]);
		else await sandbox.control.delete(`/state/webhooks/${one.webhook_uuid}`);
	}

	private readonly steps: Record<string, (step: any) => Promise<void>> = {
		publish: async ({ who }) => {
			const actor = await this.actorOf(who);
			this.acting.add(who);
			await this.rest(actor);
			await this.begin(actor, actor.published ? 'update' : 'activate');
		},
		edit: async (step) => {
			const actor = await this.actorOf(step.who);
			Object.assign(actor, { agents: step.agents, events: step.events });
			await actor.trigger.setParameters(this.parametersOf(actor));
			if (actor.published) await this.steps.publish!(step);
		},
		unpublish: async ({ who }) => {
			const actor = this.actors.get(who);
			if (!actor?.published) return;
			this.acting.add(who);
			const { registrations = [] } = await actor.trigger.staticData();
			const known = registrations.map(({ webhook }: any) => webhook);
			const said = await told(actor.trigger.deactivateWithRetry(1));
			await this.rest(actor);
			actor.published = false;
			this.excuse(actor);
			if (said !== 'done') return;
			const left = this.isEvent
				? (await this.webhooks()).filter(({ url, is_active }) => is_active && this.isOf(actor, url))
				: await this.registeredOf(actor);
			// Nothing proves whose one is whose URL the platform has cut, or a test's of another token, unless its ID is known.
			const isTest = (url: string) => withoutQuery(url) !== actor.trigger.url;
			const own = left.filter(
				({ url, webhook_uuid: id }) =>
					!this.isEvent ||
					known.includes(id) ||
					(url.includes('token=') && !(actor.hasNewToken && isTest(url))),
			);
			if (own.length > 0 && !actor.listening) this.breaks('gone', `${own.length} left of ${who}`);
			const { prior = { url: '' } } = actor as { prior?: { url?: string } };
			const wasOwn = !this.isEvent && this.isOf(actor, this.before.does.url);
			const { does } = await this.snapshot();
			if (wasOwn && !this.ownerOf(prior.url) && !isEqual(does, prior))
				this.breaks('gone', `${JSON.stringify(does)} instead of ${JSON.stringify(prior)}`);
		},
		restart: async ({ who, agent, meanwhile, loses }) => {
			const n8n = who === 1 ? 'staging' : 'prod';
			const { proxy, engines } = this.platform;
			proxy.serves(n8n, undefined);
			for (let times = 0; this.isEvent && times < meanwhile; times++) await this.callEnds(agent);
			await this.kill(n8n);
			for (const one of this.actors.values()) {
				if (!loses || one.n8n !== n8n) continue;
				await one.trigger.setStaticData({});
				one.heard.clear();
				this.excuse(one);
				for (const { maybe } of this.ended) maybe.add(one.who);
			}
			proxy.serves(n8n, engines[n8n].url);
			await this.start(n8n, 'init');
		},
		leader: async ({ who }) => {
			const n8n = who === 1 ? 'staging' : 'prod';
			for (const actor of this.actors.values()) if (actor.n8n === n8n) await this.rest(actor);
			await this.start(n8n, 'leadershipChange');
		},
		look: async ({ who }) => {
			const actor = this.actors.get(who);
			if (!actor?.watched) return;
			this.acting.add(who);
			await actor.trigger.look();
			await this.mustBeTold(actor, await this.wrongIn(actor), 'started');
		},
		listen: async ({ who }) => {
			const actor = await this.actorOf(who);
			this.acting.add(who);
			actor.listening = (await told(actor.trigger.listen())) === 'done';
			// What goes on behind n8n's back after a test that failed belongs to this step.
			if (!actor.listening) await told(actor.trigger.method('checkExists'));
			const { does } = this.before;
			if (actor.listening && !this.isOf(actor, does.url)) actor.prior = does;
		},
		stopListening: async ({ who }) => {
			const actor = this.actors.get(who);
			if (!actor?.listening) return;
			this.acting.add(who);
			await actor.trigger.stopListening();
			actor.listening = false;
		},
		token: async ({ who }) => {
			const { sandbox } = this.platform;
			const { token } = await sandbox.addToken('workspace', { label: `t${++this.numbers}` });
			this.secrets.add(token);
			const acpApi = { ...sandbox.credential({ token }), baseUrl: this.baseUrl };
			const actor = this.actors.get(who);
			await actor?.trigger.setCredentials({ acpApi });
			if (actor) actor.hasNewToken = true;
		},
		call: async ({ agent }) => {
			if (this.isEvent) await this.callEnds(agent);
		},
		event: async (step) => await (this.isEvent ? this.send(step) : this.ask()),
		forge: async (step) => await this.forge(step),
		change: async (step) => await this.change(step),
		/** In the end each n8n starts once more, and the platform shows everything. */
		heal: async () => {
			for (const n8n of ['prod', 'staging'] as const) {
				await this.kill(n8n);
				await this.start(n8n, 'init');
			}
		},
	};

	/** n8n ends a test with what it received. */
	private async isEndedTest(url: string | undefined): Promise<boolean> {
		const owner = this.ownerOf(url);
		if (!owner || withoutQuery(url!) === owner.trigger.url) return false;
		return !(await owner.trigger.state()).listening;
	}

	private async checkForeign(step: any): Promise<void> {
		const { before } = this;
		const after = await this.snapshot();
		for (const one of before.webhooks) {
			if (this.isActing(one.url) || (await this.isEndedTest(one.url))) continue;
			const now = after.webhooks.find(({ webhook_uuid }) => webhook_uuid === one.webhook_uuid);
			if (!isEqual(omit(now, 'updated_at'), omit(one, 'updated_at')))
				this.breaks('foreign', `${withoutQuery(one.url)} is ${now ? 'changed' : 'gone'}`);
		}
		const { does } = before;
		if (does.url === '' || isEqual(does, after.does) || this.isActing(does.url)) return;
		if (await this.isEndedTest(does.url)) return;
		const taker = ['publish', 'edit', 'listen'].includes(step.does) && this.actors.get(step.who);
		const owner = this.ownerOf(does.url);
		const isNeighbor = owner?.published && taker && owner.n8n === taker.n8n;
		if (step.does !== 'change' && (!taker || !this.world.options.replace || isNeighbor))
			this.breaks('foreign', `the intent did ${JSON.stringify(does)}`);
	}

	/** What started, in the end. */
	private async checkStarts({ who, n8n, trigger }: Actor): Promise<void> {
		const results = await trigger.executions();
		// What a test received is a test's.
		const calls = (await trigger.calls()).filter(({ executionId }) => executionId !== undefined);
		const items: any[] = results.flatMap((one, at) =>
			calls[at]!.kind === 'test' ? [] : one.json('Trigger'),
		);
		const startsOf = (isIt: (item: any) => boolean) => items.filter(isIt).length;
		const of = (n: string) => (item: any) => [item.data?.n, item.parameters?.n].includes(n);
		if (startsOf(of('forged')) > 0) this.breaks('forged', `it started ${who}`);
		for (const { n, name, withId, attempts } of this.sent) {
			const mine = attempts.filter((one) => one.who === who);
			const arrived = mine.filter(({ status, wanted }) => wanted && status === 200).length;
			// A new life of n8n knows no repeats.
			const maybe = mine.filter(({ status }) => status === null || status === 200);
			const most = withId ? new Set(maybe.map(({ life }) => life)).size : maybe.length;
			const least = withId ? Math.min(arrived, 1) : arrived;
			const times = startsOf(of(n));
			const what = `${n} ${name} (${withId ? 'with' : 'no'} ID) arrived ${arrived} times`;
			if (times < least || times > most) this.breaks('once', `${what}, started ${who} ${times}`);
		}
		for (const { uuid, delivered, missed, maybe } of this.ended) {
			const isIt = ({ event, isEvaluation, data }: any) =>
				event === ending && !isEvaluation && data?.conversation_uuid === uuid;
			const times = startsOf(isIt);
			const least = delivered.has(who) || missed.has(who) ? 1 : 0;
			const most = least || maybe.has(who) ? 1 : 0;
			const how = delivered.has(who) ? 'delivered' : `${least} to ${most} were right`;
			if (times < least || times > most) this.breaks('ended', `${who} started ${times}, ${how}`);
		}
		const log = (await this.platform.engines[n8n].logged()).slice(this.logsAtFirst[n8n]);
		const stored = JSON.stringify([await trigger.state(), results.map((one) => one.stored)]) + log;
		for (const secret of this.secrets)
			if (stored.includes(secret)) this.breaks('secret', `${secret.slice(0, 12)}…, of ${who}`);
	}

	private async take(step: any): Promise<void> {
		this.before = await this.snapshot();
		this.logs = this.logLengths();
		this.acting = new Set();
		await this.steps[step.does]!(step);
		await this.checkForeign(step);
	}

	async play(): Promise<Broken[]> {
		const { view, steps, first } = this.world;
		const { sandbox, proxy } = this.platform;
		await this.build();
		const all: any[] = [
			...(first ? [{ does: 'publish', who: 0 }] : []),
			...steps,
			{ does: 'heal' },
		];
		for (const [index, step] of all.entries()) {
			this.at = `step ${index}, ${step.does} ${step.who ?? ''}`;
			this.isHealthy = index < view.from || index >= view.from + view.for || step.does === 'heal';
			const { hidden, fault, keeps, lacks, lagMs } = view;
			proxy.turns({ ...healthy, ...(!this.isHealthy && { hidden, fault }) } as never);
			const has = { update: true, delete: true, keeps: '' };
			await sandbox.settings({
				manners: { lagMs: this.isHealthy ? null : lagMs || null },
				webhooks: this.isHealthy ? has : { ...has, keeps, ...lacks },
			});
			await this.take(step);
			for (const { url } of [...(await this.webhooks()), (await this.snapshot()).does])
				if (URL.canParse(url)) this.secrets.add(new URL(url).searchParams.get('token') ?? '?');
			this.secrets.delete('?');
		}
		this.at = 'in the end';
		for (const actor of this.actors.values()) {
			// What somebody else has replaced stays theirs.
			const { url = '' } = (await this.snapshot()).does;
			const wrong = actor.published && (await this.wrongIn(actor));
			// The last place of its agent may have gone to another one; n8n's log has said so when n8n started.
			const counts = countBy(await this.webhooks(), 'agent_uuid');
			const isFull = actor.agents.some((agent) => counts[this.uuids[agent]!] === 5);
			if (this.isEvent && isFull) await this.mustBeTold(actor, wrong || '', 'started');
			else if (wrong && (this.isEvent || this.isOf(actor, url))) this.breaks('started', wrong);
		}
		const from = this.sent.length;
		if (!this.isEvent) await this.ask();
		for (const agent of this.isEvent ? [0, 1] : [])
			await this.send({ agent, name: ending, how: 'once', withId: true });
		for (const { who, status } of this.sent.slice(from).flatMap(({ attempts }) => attempts))
			if (status !== 200 && this.actors.get(who)!.published)
				this.breaks('published', `an event for ${who} is answered ${status}`);
		for (const actor of this.actors.values()) await this.checkStarts(actor);
		for (const { who } of this.actors.values()) await this.take({ does: 'unpublish', who });
		return this.broken;
	}
}

export const playTriggers = async (world: TriggerWorld, platform: Platform): Promise<Broken[]> =>
	await new Play(world, platform).play();
