/** Whether a text may hold a number that JavaScript cannot keep. Cheap, because it is asked of every response. */
const suspect = /\d{16}|\d[eE]\+?\d{3,}\s*(?:[,}\]]|$)/;

/** A string, or a number, of JSON. */
const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"?|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/gs;

/** A number that would become another one: a whole number beyond 2^53, or one beyond all that a number can be. */
const changes = (token: string): boolean => {
	const number = Number(token);
	return !Number.isFinite(number) || (/^-?\d+$/.test(token) && !Number.isSafeInteger(number));
};

/**
 * Reads JSON. Numbers that do not survive it, like IDs above 2^53, are kept as text: neighbors would become equal.
 * @throws SyntaxError if it is no JSON
 */
export function parseExactly(text: string): unknown {
	const value = JSON.parse(text) as unknown;
	if (!suspect.test(text)) return value;
	const exact = text.replace(tokens, (token) =>
		token.startsWith('"') || !changes(token) ? token : `"${token}"`,
	);
	return JSON.parse(exact) as unknown;
}
