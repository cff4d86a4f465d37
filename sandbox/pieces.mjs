/** @typedef {{bytes?: number, everyMs?: number, endless?: boolean}} Pieces */

export const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** @param {import('node:http').ServerResponse} response */
export function sendJson(response, status, body) {
	response.writeHead(status, { 'content-type': 'application/json; charset=utf-8' });
	response.end(JSON.stringify(body));
}

/** The body cut into pieces; after an endless one comes more of its last byte, for ever. */
function* cut(body, bytes, endless) {
	for (let at = 0; at < body.length; at += bytes) yield body.subarray(at, at + bytes);
	const more = Buffer.alloc(bytes, body.length > 0 ? body[body.length - 1] : 0);
	while (endless) yield more;
}

/**
 * Sends an answer in pieces, until it is complete or the client closes the connection.
 * @param {import('node:http').ServerResponse} response
 * @param {{status: number, headers: Record<string, string | number>, body: Buffer}} answer
 * @param {Pieces} pieces `everyMs` 0: as fast as the client reads
 * @returns {Promise<{sentBytes: number, closedEarly: boolean}>} what was given to the connection, and whether
 * the client closed it before the end
 */
export async function sendInPieces(
	response,
	{ status, headers, body },
	{ bytes = 1, everyMs = 0, endless = false },
) {
	const gone = new Promise((resolve) => response.once('close', resolve));
	const { 'content-length': length, ...others } = headers;
	response.writeHead(status, endless ? others : { ...others, 'content-length': length });
	let sentBytes = 0;
	let handedOver = 0;
	for (const piece of cut(body, bytes, endless)) {
		if (response.destroyed) break;
		sentBytes += piece.length;
		if (!response.write(piece, (lost) => (lost ? undefined : (handedOver += piece.length))))
			await Promise.race([gone, new Promise((resolve) => response.once('drain', resolve))]);
		if (everyMs > 0) await Promise.race([gone, pause(everyMs)]);
	}
	response.end();
	await gone;
	// A client that has read all may close before the end is written, so the bytes tell.
	return { sentBytes, closedEarly: endless || handedOver < body.length };
}
