/** Whether a text may hold a number that JavaScript cannot keep. Cheap, because it is asked of every response. */
const suspect = /\d{16}|\d[eE]\+?\d{3,}\s*(?:[,}\]]|$)/;

const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"?|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/gs;

/** A whole number beyond 2^53, or one beyond all that a number can be, would become another one. */
const changes = (token: string): boolean => {
	const number = Number(token);
	return !Number.isFinite(number) || (/^-?\d+$/.test(token) && !Number.isSafeInteger(number));
};

/** More levels than anything on the platform has. Deeper JSON would exhaust the code that reads it later. */
export const mostLevels = 100;

export class TooDeep extends SyntaxError {
	override name = 'TooDeep';
	override message = `it is nested deeper than ${mostLevels} levels`;
}

const isDeeperThan = (levels: number, value: unknown): boolean =>
	typeof value === 'object' &&
	value !== null &&
	(levels === 0 || Object.values(value).some((inner) => isDeeperThan(levels - 1, inner)));

/**
 * Reads JSON. Numbers that do not survive it, like IDs above 2^53, are kept as text: neighbors would become equal.
 * @throws SyntaxError
 */
export function parseExactly(text: string): unknown {
	const value = JSON.parse(text) as unknown;
	if (isDeeperThan(mostLevels, value)) throw new TooDeep();
	if (!suspect.test(text)) return value;
	const exact = text.replace(tokens, (token) =>
		token.startsWith('"') || !changes(token) ? token : `"${token}"`,
	);
	return JSON.parse(exact) as unknown;
}
