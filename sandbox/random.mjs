import { createHash } from 'node:crypto';

/** Everything that looks random in the sandbox comes from here and depends on the seed alone. */
export class SeededRandom {
	#drawn = 0;

	/** @param {number | string} seed */
	constructor(seed) {
		this.seed = seed;
	}

	/** @returns {string} the next UUID of the sequence */
	uuid() {
		return this.uuidFor(this.#drawn++);
	}

	/** @returns {number} the next number of the sequence, in [0, 1) */
	fraction() {
		return this.fractionFor(this.#drawn++);
	}

	/**
	 * The same for the same label, whatever was drawn before it: what parallel requests get must
	 * not depend on their order.
	 * @param {string | number} label
	 * @returns {number} in [0, 1)
	 */
	fractionFor(label) {
		return this.#hash(label).readUInt32BE(0) / 2 ** 32;
	}

	/** @param {string | number} label @returns {string} the UUID of this label, version 4 in form */
	uuidFor(label) {
		const hex = this.#hash(label).toString('hex');
		const variant = '89ab'[parseInt(hex[16], 16) % 4];
		return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
	}

	#hash(label) {
		return createHash('sha1').update(`${this.seed}:${label}`).digest();
	}
}
