import { createHmac } from 'node:crypto';
import { deliveryOfManners, namesDeliveries } from './manners.mjs';
import { masked } from './mask.mjs';
import { Outbox } from './outbox.mjs';
import { SeededRandom } from './random.mjs';
import { callersZone, Instant, jsonInZone } from './zone.mjs';

/** Longest time that the next event of a call waits for the answer to the one before. */
const ORDER_MS = 1000;

/**
 * Sends events to the agents' webhooks and keeps the log that the platform's Logs area describes (interface §6).
 *
 * The shape of a delivery is not known. The sandbox's own guess: `{event, timestamp, data}` with the headers
 * `X-Delivery-Id` (the same when an attempt is repeated), `X-Event`, and the signature of the raw body under the
 * webhook's secret in the header that the settings name. The manner `eventShape` has other guesses. The names inside
 * `data` are those that another client reads (catalogue, last area), and no others.
 */
export class Deliveries extends Outbox {
	#nextSlot = 0;
	#closed = false;

	/** @param {import('./sandbox.mjs').Sandbox} sandbox */
	constructor(sandbox) {
		super();
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
		const bodies = events.map(([event, data]) => [event, this.#bodyOf(event, data)]);
		const webhooks = new Set(events.flatMap(([event]) => this.#subscribed(agentUuid, event)));
		await Promise.all(
			[...webhooks].map(async (webhook) => {
				for (const [event, body] of bodies)
					if (this.#subscribed(agentUuid, event).includes(webhook))
						await Promise.race([this.#send(webhook, event, body), this.#wait(ORDER_MS)]);
			}),
		);
	}

	#subscribed(agent_uuid, event) {
		return this.sandbox.store
			.where('webhooks', { agent_uuid, is_active: true })
			.filter(({ events }) => events.includes(event));
	}

	#bodyOf(event, data) {
		const { manners, workspaceTimezone: workspace } = this.sandbox.settings;
		const delivery = { event, timestamp: Instant.now(), data };
		return jsonInZone(deliveryOfManners(manners, delivery), callersZone({ workspace }).zone);
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
		return new Promise((resolve) => this.sandbox.later(ms, resolve));
	}

	/** The header that signs a body under the secret of a webhook. */
	#signatureOf({ secret_key: secret }, body) {
		const { manners, webhooks } = this.sandbox.settings;
		const { signature } = webhooks;
		if (!secret || signature === null) return {};
		const digestOf = (text) =>
			createHmac(signature.algorithm, secret).update(text).digest(signature.encoding);
		const time = Math.floor(Date.now() / 1000);
		const value = manners.timedSignatures
			? `t=${time},v1=${digestOf(`${time}.${body}`)}`
			: `${signature.prefix ?? ''}${digestOf(body)}`;
		return { [signature.header.toLowerCase()]: value };
	}

	async #attempt(webhook, event, body, id, attempt) {
		const { manners, webhooks } = this.sandbox.settings;
		const headers = {
			'content-type': 'application/json',
			...(namesDeliveries(manners) ? { 'x-event': event, 'x-delivery-id': id } : {}),
			...this.#signatureOf(webhook, body),
		};
		const entry = this.note({
			id,
			webhookUuid: webhook.webhook_uuid,
			agentUuid: webhook.agent_uuid,
			url: webhook.url,
			event,
			attempt,
			headers,
			payload: masked(JSON.parse(body)),
			responseBody: null,
		});
		const { timeoutMs } = webhooks;
		const answer = await this.post(entry, webhook.url, { headers, body, timeoutMs });
		entry.responseBody = answer?.text.slice(0, 2000) ?? null;
		return entry;
	}

	/** Nothing more is sent. */
	close() {
		this.#closed = true;
	}
}
