import { createHmac } from 'node:crypto';
import { deliveryOfManners, namesDeliveries } from './manners.mjs';
import { masked } from './mask.mjs';
import { SeededRandom } from './random.mjs';
import { callersZone, Instant, jsonInZone } from './zone.mjs';

/**
 * Sends events to the agents' webhooks and keeps the log that the platform's Logs area describes (interface §6).
 *
 * The shape of a delivery is not known. The sandbox's own guess: `{event, timestamp, data}` with the headers
 * `X-Delivery-Id` (the same when an attempt is repeated), `X-Event`, and the signature of the raw body under the
 * webhook's secret in the header that the settings name. The manner `eventShape` has other guesses. The names inside
 * `data` are those that another client reads (catalogue, last area), and no others.
 */
export class Deliveries {
	#log = [];
	#nextSlot = 0;
	#timers = new Set();
	#closed = false;

	/** @param {import('./sandbox.mjs').Sandbox} sandbox */
	constructor(sandbox) {
		this.sandbox = sandbox;
		/** Its own sequence: deliveries leave when they may, other identifiers must not depend on that. */
		this.random = new SeededRandom(`${sandbox.seed} deliveries`);
	}

	/**
	 * Delivers an event to every active webhook of the agent that subscribes to it.
	 * @param {string} agentUuid
	 * @param {string} event
	 * @param {object} data
	 * @returns {Promise<object[]>} the log entries of the deliveries, once they have an outcome
	 */
	async deliver(agentUuid, event, data) {
		const body = this.#bodyOf(event, data);
		return Promise.all(
			this.#subscribed(agentUuid, event).map((webhook) => this.#send(webhook, event, body)),
		);
	}

	/**
	 * Delivers events to each webhook in their order. A receiver that does not answer holds up no other one, and its own
	 * next event for a moment only.
	 * @param {string} agentUuid
	 * @param {[event: string, data: object][]} events
	 */
	async deliverInOrder(agentUuid, events) {
		const { orderMs } = this.sandbox.settings.webhooks;
		const bodies = events.map(([event, data]) => [event, this.#bodyOf(event, data)]);
		const webhooks = new Set(events.flatMap(([event]) => this.#subscribed(agentUuid, event)));
		await Promise.all(
			[...webhooks].map(async (webhook) => {
				for (const [event, body] of bodies)
					if (this.#subscribed(agentUuid, event).includes(webhook))
						await Promise.race([this.#send(webhook, event, body), this.#wait(orderMs)]);
			}),
		);
	}

	#subscribed(agentUuid, event) {
		return [...this.sandbox.store.collection('webhooks').values()].filter(
			(webhook) =>
				webhook.agent_uuid === agentUuid && webhook.is_active && webhook.events.includes(event),
		);
	}

	#bodyOf(event, data) {
		const zone = callersZone({ workspace: this.sandbox.settings.workspaceTimezone }).zone;
		const { manners } = this.sandbox.settings;
		const delivery = { event, timestamp: Instant.now(), data };
		return jsonInZone(deliveryOfManners(manners, delivery), zone);
	}

	async #send(webhook, event, body) {
		const { attempts, retryDelayMs } = this.sandbox.settings.webhooks;
		const id = this.random.uuid();
		let entry;
		for (let attempt = 1; attempt <= attempts && !this.#closed; attempt += 1) {
			if (attempt > 1) await this.#wait(retryDelayMs);
			await this.#slot();
			entry = await this.#attempt(webhook, event, body, id, attempt);
			if (entry.status >= 200 && entry.status < 300) break;
		}
		return entry;
	}

	/** Keeps to the deliveries per second that the platform states (interface §8). */
	async #slot() {
		const every = 1000 / this.sandbox.settings.webhooks.perSecond;
		const now = Date.now();
		// A second's worth may leave at once; beyond it each waits for its turn.
		this.#nextSlot = Math.max(this.#nextSlot + every, now - 1000 + every);
		if (this.#nextSlot > now) await this.#wait(this.#nextSlot - now);
	}

	#wait(ms) {
		return new Promise((resolve) => {
			const timer = setTimeout(() => {
				this.#timers.delete(timer);
				resolve();
			}, ms);
			this.#timers.add(timer);
		});
	}

	async #attempt(webhook, event, body, id, attempt) {
		const { signature, timeoutMs } = this.sandbox.settings.webhooks;
		const headers = {
			'content-type': 'application/json',
			...(namesDeliveries(this.sandbox.settings.manners)
				? { 'x-event': event, 'x-delivery-id': id }
				: {}),
		};
		if (webhook.secret_key && signature !== null) {
			const time = Math.floor(Date.now() / 1000);
			const timed = this.sandbox.settings.manners.timedSignatures;
			const digest = createHmac(signature.algorithm, webhook.secret_key)
				.update(timed ? `${time}.${body}` : body)
				.digest(signature.encoding);
			headers[signature.header.toLowerCase()] = timed
				? `t=${time},v1=${digest}`
				: `${signature.prefix ?? ''}${digest}`;
		}
		const started = performance.now();
		const entry = {
			id,
			at: Date.now(),
			webhookUuid: webhook.webhook_uuid,
			agentUuid: webhook.agent_uuid,
			url: withoutQuery(webhook.url),
			event,
			status: null,
			durationMs: 0,
			attempt,
			headers,
			payload: masked(JSON.parse(body)),
			responseBody: null,
			error: null,
		};
		this.#log.push(entry);
		if (this.#log.length > 50_000) this.#log.splice(0, 10_000);
		try {
			const response = await fetch(webhook.url, {
				method: 'POST',
				headers,
				body,
				redirect: 'manual',
				signal: AbortSignal.timeout(timeoutMs),
			});
			entry.status = response.status;
			entry.responseBody = (await response.text()).slice(0, 2000);
		} catch (error) {
			entry.error = error.cause?.code ?? error.name;
		}
		entry.durationMs = Math.round(performance.now() - started);
		return entry;
	}

	/** @returns {object[]} one entry per attempt, oldest first */
	log() {
		return this.#log;
	}

	clear() {
		this.#log = [];
	}

	/** Nothing more is sent. */
	close() {
		this.#closed = true;
		for (const timer of this.#timers) clearTimeout(timer);
	}
}

function withoutQuery(url) {
	const parsed = new URL(url);
	return `${parsed.origin}${parsed.pathname}`;
}
