import lodash from 'lodash';
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

/**
 * The one endpoint that is asked before all others whether bad JSON is refused. Its key does not exist, and what its
 * body leaves out stays as it is (interface §4.3), so that an empty body would change nothing.
 */
export const harmless = 'PUT /contacts/fields/{key}';

const badJson = '{"this is no JSON';

/** @returns {Judged} */
const notAsked = (how) => ({ verdict: 'not asked', how });

/** What the answer to a request that is none says of its endpoint. @returns {Judged} */
function judgedWrite({ status, code, problem }) {
	if (status < 300)
		return { verdict: 'differs', how: `it accepted a request that is none (status ${status})` };
	if (status === 404 && code !== 'RESOURCE_NOT_FOUND')
		return { verdict: 'not there', how: code ?? 'status 404' };
	if (status === 405) return { verdict: 'not there', how: 'the method is refused (405)' };
	if (status === 403) return notAsked('the token has no permission (403)');
	if (status >= 500 || problem) return { verdict: 'differs', how: problem ?? `status ${status}` };
	return { verdict: 'as in the contract', how: 'it is there; it refused a request that is none' };
}

/** Whether bad JSON was refused; nothing else shows that it is not read as an empty body. */
const refusesBadJson = ({ status, problem }) => status === 400 && problem === undefined;

/**
 * Whether writing endpoints are there. Asks those alone that have an ID in their path, with IDs that do not exist and
 * bad JSON: first one harmless endpoint, the others only after it refused the JSON, and none after one was accepted.
 * @param {import('./workspace.mjs').Workspace} workspace
 * @param {any[]} endpoints those that write
 * @param {any} first the endpoint `harmless`
 * @returns {Promise<Map<any, Judged>>}
 */
export async function writes(workspace, endpoints, first) {
	const ask = async ({ method, path, contract }) =>
		await workspace.ask(
			method,
			fill(path),
			{},
			contract.requestBody || method !== 'DELETE' ? badJson : undefined,
		);
	const verdicts = new Map();
	const [withId, others] = lodash.partition(endpoints, ({ path }) => path.includes('{'));
	for (const endpoint of others)
		verdicts.set(endpoint, notAsked('without an ID in its path, a request could do something'));
	const answer = await ask(first);
	verdicts.set(first, judgedWrite(answer));
	let stop;
	if (!refusesBadJson(answer))
		stop = `${first.key} answered bad JSON with ${answer.problem ?? `status ${answer.status}`}, not with 400`;
	// Deletions last: most of them have no body that could be refused.
	for (const endpoint of lodash.sortBy(withId, ({ method }) => method === 'DELETE')) {
		if (endpoint === first) continue;
		if (stop) {
			verdicts.set(endpoint, notAsked(`stopped: ${stop}`));
			continue;
		}
		const refusal = await ask(endpoint);
		verdicts.set(endpoint, judgedWrite(refusal));
		if (refusal.status < 300)
			stop = `${endpoint.key} accepted a request that is none (status ${refusal.status})`;
	}
	return verdicts;
}
