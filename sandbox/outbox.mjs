/** What the platform sends to addresses of its users, with a log of it. */
export class Outbox {
	#entries = [];

	/** @returns {any} the entry, in the log */
	note(fields) {
		const entry = { at: Date.now(), status: null, durationMs: 0, error: null, ...fields };
		entry.url = entry.url && withoutQuery(entry.url);
		this.#entries.push(entry);
		if (this.#entries.length > 50_000) this.#entries.splice(0, 10_000);
		return entry;
	}

	/**
	 * Sends JSON, and notes what came of it.
	 * @param {any} entry of the log
	 * @param {string} url
	 * @param {{headers: Record<string, string>, body: string, timeoutMs: number}} request
	 * @returns {Promise<{response: Response, text: string} | undefined>} undefined without an answer
	 */
	async post(entry, url, { headers, body, timeoutMs }) {
		const started = performance.now();
		try {
			const response = await fetch(url, {
				method: 'POST',
				headers: { 'content-type': 'application/json', ...headers },
				body,
				redirect: 'manual',
				signal: AbortSignal.timeout(timeoutMs),
			});
			const text = await response.text();
			entry.status = response.status;
			return { response, text };
		} catch (error) {
			entry.error = error.cause?.code ?? error.name;
			return undefined;
		} finally {
			entry.durationMs = Math.round(performance.now() - started);
		}
	}

	/** @returns {object[]} one entry for each that was sent, oldest first */
	log() {
		return this.#entries;
	}

	clear() {
		this.#entries = [];
	}
}

function withoutQuery(url) {
	const { origin, pathname } = new URL(url);
	return `${origin}${pathname}`;
}
