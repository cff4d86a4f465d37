import { fill } from './workspace.mjs';

/** @typedef {{verdict: 'as in the contract' | 'differs' | 'not there' | 'not asked', how?: string}} Judged */

/** Asks a reading endpoint, of a record that exists where one is found. */
export async function read(workspace, endpoint) {
	const known = await workspace.valuesFor(endpoint.path);
	const query = await workspace.queryFor(endpoint.key);
	const answer = await workspace.ask('GET', fill(endpoint.path, known), query);
	return { ...answer, invented: known === undefined };
}

/** What an answer says of its endpoint. @returns {Judged} */
export function judged(judge, names, endpoint, { status, body, code, problem, invented }) {
	if (status === 403) return { verdict: 'not asked', how: 'the token has no permission (403)' };
	if (status === 405) return { verdict: 'not there', how: 'the method is refused (405)' };
	if (status === 404 && code === 'RESOURCE_NOT_FOUND')
		return { verdict: 'as in the contract', how: 'it is there; no record was found to compare' };
	if (status === 404) return { verdict: 'not there', how: code ?? 'status 404' };
	if (status === 422 && invented)
		return { verdict: 'as in the contract', how: 'it is there; no record was found to compare' };
	if (problem) return { verdict: 'differs', how: problem };
	if (status !== 200)
		return { verdict: 'differs', how: `status ${status}${code ? ` (${code})` : ''}` };
	const chosen = names.chosenAt(endpoint.path);
	const differences = judge.answerDifferences(endpoint.key, body, (name, depth) =>
		names.shown(name, chosen && depth > 0),
	);
	if (differences.length) return { verdict: 'differs', how: differences.join('; ') };
	if (!judge.knowsAnswer(endpoint.key))
		return {
			verdict: 'as in the contract',
			how: `its shape is not known; it answers with ${names.shape(body, chosen)}`,
		};
	return { verdict: 'as in the contract' };
}

/** Whether a writing endpoint is there, without any chance that it does something. @returns {Promise<Judged>} */
export async function write(workspace, endpoint) {
	const { status, code, problem } = await workspace.ask(
		endpoint.method,
		fill(endpoint.path),
		{},
		endpoint.contract.requestBody || endpoint.method !== 'DELETE' ? '{"this is no JSON' : undefined,
	);
	if (status === 404 && code !== 'RESOURCE_NOT_FOUND') return { verdict: 'not there', how: code };
	if (status === 405) return { verdict: 'not there', how: 'the method is refused (405)' };
	if (status === 403) return { verdict: 'not asked', how: 'the token has no permission (403)' };
	if (status >= 500 || problem) return { verdict: 'differs', how: problem ?? `status ${status}` };
	if (status < 300)
		return { verdict: 'differs', how: `it accepted a request that is none (status ${status})` };
	return {
		verdict: 'as in the contract',
		how: 'it is there; nothing was sent that it could carry out',
	};
}
