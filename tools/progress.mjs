/**
 * Says what a command is doing: on a terminal a bar of its known steps, elsewhere plain lines.
 * Imports only what Node itself brings: it runs before anything is installed.
 */

/** How often a step that takes long is shown: rewritten in place on a terminal, a new line elsewhere. */
const terminalMs = 500;
const plainMs = 10_000;
const barWidth = 20;

/**
 * @typedef {{title: string, seconds: number, else?: string}} Step
 *   `seconds`: how long it usually takes, its share of the bar; `else`: what to say when there is nothing to do
 */

export class Progress {
	#known;
	#out;
	#now;
	/** Names of known steps that have ended. @type {Set<string>} */
	#ended = new Set();
	/** @type {{name: string, title: string, begun: number, share: number, says: string, worked: boolean} | undefined} */
	#current;

	/**
	 * @param {Record<string, Step>} [known] the steps of the command in their order; without: no bar, no numbers
	 * @param {{
	 *   out?: {write: (text: string) => unknown, isTTY?: boolean, columns?: number},
	 *   now?: () => number,
	 * }} [options]
	 */
	constructor(known = {}, { out = process.stdout, now = () => performance.now() } = {}) {
		this.#known = known;
		this.#out = out;
		this.#now = now;
	}

	/**
	 * One of the known steps.
	 * @template T
	 * @param {string} name
	 * @param {() => Promise<T>} work
	 */
	async step(name, work) {
		return await this.#during(name, this.#known[name].title, work);
	}

	/**
	 * Something that takes its time: it belongs to the step under way, else it is a step of its own.
	 * @template T
	 * @param {string} title
	 * @param {() => Promise<T>} work
	 */
	async work(title, work) {
		if (!this.#current) return await this.#during('', title, work);
		this.#current.worked = true;
		this.say(title);
		return await work();
	}

	/** What the step under way is about at this moment. @param {string} text */
	say(text) {
		if (this.#current) this.#current.says = text;
	}

	/** How much of the step under way is done. @param {number} share 0 to 1; never goes back */
	part(share) {
		if (this.#current) this.#current.share = Math.max(this.#current.share, Math.min(1, share));
	}

	/** A line that stays. @param {string} text */
	tell(text) {
		this.#line(`  ${text}`);
		if (this.#out.isTTY) this.show();
	}

	/** Shows the step under way; a timer does it, too. */
	show() {
		if (!this.#current) return;
		const { says } = this.#current;
		const parts = this.#out.isTTY
			? [this.#bar(), `${this.#label()} … ${this.#seconds()} s`, says]
			: [`  … ${this.#seconds()} s`, says];
		const text = parts.filter(Boolean).join('  ');
		if (this.#out.isTTY)
			this.#out.write(`\r\x1b[2K${text.slice(0, (this.#out.columns ?? 80) - 1)}`);
		else this.#line(text.slice(0, 160));
	}

	/**
	 * @template T
	 * @param {string} name of a known step, or empty
	 * @param {string} title
	 * @param {() => Promise<T>} work
	 */
	async #during(name, title, work) {
		this.#current = { name, title, begun: this.#now(), share: 0, says: '', worked: false };
		if (this.#out.isTTY) this.show();
		else this.#line(this.#label());
		const timer = setInterval(() => this.show(), this.#out.isTTY ? terminalMs : plainMs);
		try {
			const result = await work();
			this.#sayEnd();
			this.#ended.add(name);
			return result;
		} finally {
			clearInterval(timer);
			// a bar that stands still would look as if something went on
			if (this.#out.isTTY) this.#out.write('\r\x1b[2K');
			this.#current = undefined;
		}
	}

	#sayEnd() {
		const { name, worked } = /** @type {NonNullable<typeof this.#current>} */ (this.#current);
		const nothing = worked ? undefined : this.#known[name]?.else;
		const took = this.#seconds() >= 1 ? `${this.#seconds()} s` : '';
		if (this.#out.isTTY)
			this.#line(`✔ ${this.#label()}${nothing || took ? ` (${nothing ?? took})` : ''}`);
		else if (nothing || took) this.#line(`  ${nothing ?? `done in ${took}`}`);
	}

	#seconds() {
		return Math.round((this.#now() - (this.#current?.begun ?? 0)) / 1000);
	}

	/** The step's place among the known ones, and its title. */
	#label() {
		const names = Object.keys(this.#known);
		const position = names.indexOf(this.#current?.name ?? '') + 1;
		return `${position ? `${position}/${names.length} ` : ''}${this.#current?.title}`;
	}

	#bar() {
		const steps = Object.entries(this.#known);
		if (steps.length === 0) return '';
		const { name: now, share } = /** @type {NonNullable<typeof this.#current>} */ (this.#current);
		const sum = (/** @type {(name: string) => number} */ part) =>
			steps.reduce((total, [name, { seconds }]) => total + seconds * part(name), 0);
		const done =
			sum((name) => (this.#ended.has(name) ? 1 : name === now ? share : 0)) / sum(() => 1);
		const filled = Math.floor(done * barWidth);
		return `${'█'.repeat(filled)}${'░'.repeat(barWidth - filled)} ${Math.floor(done * 100)} %`;
	}

	/** @param {string} text */
	#line(text) {
		this.#out.write(`${this.#out.isTTY ? '\r\x1b[2K' : ''}${text}\n`);
	}
}
