import { createHash } from 'node:crypto';

/**
 * A UUID (version 4 in form) that depends on the text alone.
 * @param {string} text
 * @returns {string}
 */
export function uuidFrom(text) {
	const hex = createHash('sha1').update(text).digest('hex');
	const variant = '89ab'[parseInt(hex[16], 16) % 4];
	return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}

/**
 * A number in [0, 1) that depends on the text alone.
 * @param {string} text
 * @returns {number}
 */
export function fractionFrom(text) {
	return createHash('sha1').update(text).digest().readUInt32BE(0) / 2 ** 32;
}

/** Everything that looks random in the sandbox comes from here and depends on the seed alone. */
export class SeededRandom {
	#drawn = 0;

	/** @param {number | string} seed */
	constructor(seed) {
		this.seed = seed;
	}

	/** @returns {string} the next UUID of the sequence */
	uuid() {
		return uuidFrom(`${this.seed}:${this.#drawn++}`);
	}

	/** @returns {number} the next number of the sequence, in [0, 1) */
	fraction() {
		return fractionFrom(`${this.seed}:${this.#drawn++}`);
	}

	/**
	 * The same for the same label, whatever was drawn before it: what parallel requests get must
	 * not depend on their order.
	 * @param {string} label
	 * @returns {number} in [0, 1)
	 */
	fractionFor(label) {
		return fractionFrom(`${this.seed}:${label}`);
	}

	/**
	 * @param {string} label
	 * @returns {string} the UUID of this label
	 */
	uuidFor(label) {
		return uuidFrom(`${this.seed}:${label}`);
	}
}
