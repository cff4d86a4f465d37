/**
 * Says what a command is doing: on a terminal one line that is written anew, elsewhere plain lines.
 * Imports only what Node itself brings: it runs before anything is installed.
 */

/** How often a step that takes long is shown: rewritten in place on a terminal, a new line elsewhere. */
const terminalMs = 500;
const plainMs = 10_000;

/** @typedef {{title: string, else?: string}} Step `else`: what to say when there is nothing to do */

export class Progress {
	#known;
	#out;
	#now;
	/** @type {{label: string, otherwise?: string, begun: number, says: string, worked: boolean} | undefined} */
	#current;

	/**
	 * @param {Record<string, Step>} [known] the steps of the command in their order; without: no numbers
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
		const names = Object.keys(this.#known);
		const { title, else: otherwise } = this.#known[name];
		const label = `${names.indexOf(name) + 1}/${names.length} ${title}`;
		return await this.#during({ label, otherwise }, work);
	}

	/**
	 * Something that takes its time: it belongs to the step under way, else it is a step of its own.
	 * @template T
	 * @param {string} title
	 * @param {() => Promise<T>} work
	 */
	async work(title, work) {
		if (!this.#current) return await this.#during({ label: title }, work);
		this.#current.worked = true;
		this.say(title);
		return await work();
	}

	/** What the step under way is about at this moment. @param {string} text */
	say(text) {
		if (this.#current) this.#current.says = text;
	}

	/** A line that stays. @param {string} text */
	tell(text) {
		this.#line(`  ${text}`);
		if (this.#out.isTTY) this.show();
	}

	/** Shows the step under way; a timer does it, too. */
	show() {
		if (!this.#current) return;
		const { label, says } = this.#current;
		const begin = `${this.#out.isTTY ? label : ' '} … ${this.#seconds()} s`;
		const text = [begin, says].filter(Boolean).join('  ');
		if (this.#out.isTTY)
			this.#out.write(`\r\x1b[2K${text.slice(0, (this.#out.columns ?? 80) - 1)}`);
		else this.#line(text.slice(0, 160));
	}

	/**
	 * @template T
	 * @param {{label: string, otherwise?: string}} step
	 * @param {() => Promise<T>} work
	 */
	async #during({ label, otherwise }, work) {
		this.#current = { label, begun: this.#now(), says: '', worked: otherwise === undefined };
		if (this.#out.isTTY) this.show();
		else this.#line(label);
		const timer = setInterval(() => this.show(), this.#out.isTTY ? terminalMs : plainMs);
		try {
			const result = await work();
			const took = this.#seconds() >= 1 ? `${this.#seconds()} s` : '';
			const said = this.#current.worked ? took : otherwise;
			if (this.#out.isTTY) this.#line(`✔ ${label}${said && ` (${said})`}`);
			else if (said) this.#line(`  ${said === took ? `done in ${took}` : said}`);
			return result;
		} finally {
			clearInterval(timer);
			// a line that stands still would look as if something went on
			if (this.#out.isTTY) this.#out.write('\r\x1b[2K');
			this.#current = undefined;
		}
	}

	#seconds() {
		return Math.round((this.#now() - (this.#current?.begun ?? 0)) / 1000);
	}

	/** @param {string} text */
	#line(text) {
		this.#out.write(`${this.#out.isTTY ? '\r\x1b[2K' : ''}${text}\n`);
	}
}
