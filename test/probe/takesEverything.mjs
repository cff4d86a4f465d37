/** A platform that takes everything: it reads bad JSON as an empty body, and knows every path. */
import { createServer } from 'node:http';

/**
 * @param {(request: string) => boolean} [refuses] method and path below /api/v1 that bad JSON is refused for (400)
 * @returns {Promise<{root: string, url: string, done: string[], refused: string[], stop: () => Promise<void>}>}
 *   `done` names the writes that it carried out
 */
export async function takesEverything(refuses = () => false) {
	const done = [];
	const refused = [];
	const server = createServer((request, response) => {
		const chunks = [];
		request.on('data', (chunk) => chunks.push(chunk));
		request.on('end', () => {
			const answer = (status, body) =>
				response
					.writeHead(status, { 'content-type': 'application/json' })
					.end(JSON.stringify(body));
			const asked = `${request.method} ${request.url.replace('/api/v1', '')}`;
			if (request.method === 'GET')
				return answer(200, { success: true, data: { items: [], data: [] } });
			if (refuses(asked)) {
				refused.push(asked);
				return answer(400, {
					success: false,
					message: 'No JSON.',
					error: { code: 'INVALID_FORMAT' },
				});
			}
			done.push(asked);
			answer(201, { success: true, message: 'Done.', data: {} });
		});
	});
	await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
	const url = `http://127.0.0.1:${server.address().port}`;
	return {
		url,
		root: `${url}/api/v1`,
		done,
		refused,
		stop: () => new Promise((resolve) => server.close(() => resolve())),
	};
}
