/**
 * Says what a command is doing, line by line: each step once, how far it is every ten seconds, and how it ended.
 * Imports only what Node itself brings: it runs before anything is installed.
 */

/** How often a step that takes long is shown. */
const shownEveryMs = 10_000;

/** @typedef {{title: string, else?: string}} Step `else`: what to say when there is nothing to do */

export class Progress {
	#known;
	#out;
	#now;
	/** @type {{begun: number, says: string, worked: boolean} | undefined} */
	#current;

	/**
	 * @param {Record<string, Step>} [known] the steps of the command in their order; without: no numbers
	 * @param {{out?: {write: (text: string) => unknown}, now?: () => number}} [options]
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
		return await this.#during(label, otherwise, work);
	}

	/**
	 * Something that takes its time: it belongs to the step under way, else it is a step of its own.
	 * @template T
	 * @param {string} title
	 * @param {() => Promise<T>} work
	 */
	async work(title, work) {
		if (!this.#current) return await this.#during(title, undefined, work);
		this.#current.worked = true;
		this.say(title);
		return await work();
	}

	/** What the step under way is about at this moment. @param {string} text */
	say(text) {
		if (this.#current) this.#current.says = text;
	}

	/** A line within the step. @param {string} text */
	tell(text) {
		this.#line(`  ${text}`);
	}

	/** Shows how far the step under way is; a timer does it, too. */
	show() {
		if (!this.#current) return;
		this.#line(`  … ${this.#seconds()} s  ${this.#current.says}`.trimEnd().slice(0, 160));
	}

	/**
	 * @template T
	 * @param {string} label @param {string | undefined} otherwise @param {() => Promise<T>} work
	 */
	async #during(label, otherwise, work) {
		this.#current = { begun: this.#now(), says: '', worked: otherwise === undefined };
		this.#line(label);
		const timer = setInterval(() => this.show(), shownEveryMs);
		try {
			const result = await work();
			const took = this.#seconds();
			if (!this.#current.worked) this.tell(otherwise);
			else if (took >= 1) this.tell(`done in ${took} s`);
			return result;
		} finally {
			clearInterval(timer);
			this.#current = undefined;
		}
	}

	#seconds() {
		return Math.round((this.#now() - (this.#current?.begun ?? 0)) / 1000);
	}

	/** @param {string} text */
	#line(text) {
		this.#out.write(`${text}\n`);
	}
}
