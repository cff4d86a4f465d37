import { viewOf } from './view.mjs';

/** How often what is shown is compared with what there is. */
const EVERY_MS = 150;

/** Those who look at the page: each gets the whole view whenever it has changed, as a server-sent event. */
export class Watchers {
	/** What each was sent last. @type {Map<import('node:http').ServerResponse, string>} */
	#sent = new Map();
	#timer;
	#leaving;

	/** @param {import('../sandbox.mjs').Sandbox} sandbox */
	constructor(sandbox) {
		this.sandbox = sandbox;
	}

	/** Whether a page is open. */
	get isWatched() {
		return this.#sent.size > 0;
	}

	/** @param {import('node:http').ServerResponse} response stays open until the page is closed */
	add(response) {
		clearTimeout(this.#leaving);
		this.#sent.set(response, '');
		response.once('close', () => this.#remove(response));
		this.#timer ??= setInterval(() => this.#tell(), EVERY_MS);
		this.#tell();
	}

	#remove(response) {
		this.#sent.delete(response);
		if (this.isWatched) return;
		this.#rest();
		const { letGoMs } = this.sandbox.settings.call;
		this.#leaving = setTimeout(() => this.sandbox.calls.letGo(), letGoMs);
	}

	#tell() {
		const text = JSON.stringify(viewOf(this.sandbox));
		for (const [response, sent] of this.#sent) {
			// Whoever reads slowly gets the newest view later.
			if (text === sent || response.writableNeedDrain) continue;
			response.write(`data: ${text}\n\n`);
			this.#sent.set(response, text);
		}
	}

	#rest() {
		clearInterval(this.#timer);
		this.#timer = undefined;
	}

	/** Nobody is told anything any more. */
	close() {
		this.#rest();
		clearTimeout(this.#leaving);
		for (const response of this.#sent.keys()) response.destroy();
	}
}
