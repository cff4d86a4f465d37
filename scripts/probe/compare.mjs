/** Compares the contract with a workspace: its endpoints and its lists. Sends reads alone. */
import { contract } from '../../tools/contract.cjs';
import { contractCheck } from '../../tools/contract-check.cjs';
import { listOf } from './lists.mjs';
import { Names } from './names.mjs';
import { numberSearchOf } from './numberSearch.mjs';
import { fill, Workspace } from './workspace.mjs';

/** Where logs of webhook deliveries could be: guesses that only this question uses. */
const guesses = ['/logs', '/logs/webhooks', '/logs/webhook-deliveries', '/logs/api'];

/**
 * Asks everything first, and tells afterwards: only then is known what is a value of this workspace.
 * @param {{root: string, token: string, only?: string}} options `root` ends with /api/v1; `only`: a part of paths
 * @returns {Promise<{endpoints: any[], lists: any[]}>}
 * @throws {import('../../tools/bootstrap.mjs').ClearError} when there is no sense in going on
 */
export async function compareWorkspace({ root, token, only = '' }) {
	const check = contractCheck();
	const names = new Names(contract().document);
	const workspace = new Workspace({ root, token, check, saw: (body) => names.saw(body) });
	const endpoints = [];
	const lists = [];
	for (const endpoint of check.endpoints.filter(({ path }) => path.includes(only))) {
		if (endpoint.method !== 'GET') {
			endpoints.push([endpoint, () => ({ verdict: 'not asked', how: 'it writes' })]);
			continue;
		}
		const known = await workspace.valuesFor(endpoint.path);
		const query = await workspace.queryFor(endpoint.key);
		const answer = await workspace.ask(fill(endpoint.path, known), query);
		const isInvented = known === undefined;
		endpoints.push([endpoint, () => verdictOn(check, names, endpoint, answer, isInvented)]);
		const list =
			answer.status === 200 && !answer.problem
				? await listOf(workspace, endpoint, answer.body)
				: undefined;
		if (list) lists.push(list);
	}
	for (const path of guesses.filter((one) => one.includes(only))) {
		const { status, body, problem } = await workspace.ask(path);
		const there = status === 200 && !problem;
		endpoints.push([
			{ key: `GET ${path}`, source: 'a guess of this command' },
			() => ({
				verdict: there ? 'it is there' : 'not asked',
				how: there ? names.shape(body) : `status ${status}`,
			}),
		]);
	}
	if ('/contacts'.includes(only)) {
		const told = await numberSearchOf(workspace);
		endpoints.push([{ key: 'search contacts by number', source: 'reference' }, () => told]);
	}
	return {
		endpoints: endpoints.map(([{ key, source }, verdict]) => ({
			endpoint: key,
			source,
			...verdict(),
		})),
		lists: lists.map(({ at, around, ...list }) => ({
			...list,
			verdict: list.differs.length ? 'differs' : 'as in the contract',
			rows: at === '' ? 'the answer itself' : at.replace(/[^.]+/g, (one) => names.shown(one)),
			beside: names.shape(around),
		})),
	};
}

/**
 * What an answer says of its endpoint.
 * @returns {{verdict: 'as in the contract' | 'differs' | 'not there' | 'not asked', how?: string}}
 */
function verdictOn(check, names, endpoint, { status, body, code, problem }, invented) {
	if (status === 403) return { verdict: 'not asked', how: 'the token has no permission (403)' };
	if (status === 405) return { verdict: 'not there', how: 'the method is refused (405)' };
	if ((status === 404 && code === 'RESOURCE_NOT_FOUND') || (status === 422 && invented))
		return { verdict: 'as in the contract', how: 'it is there; no record was found to compare' };
	if (status === 404) return { verdict: 'not there', how: code ?? 'status 404' };
	if (problem) return { verdict: 'differs', how: problem };
	if (status !== 200)
		return { verdict: 'differs', how: `status ${status}${code ? ` (${code})` : ''}` };
	const chosen = names.chosenAt(endpoint.path);
	const differences = check.answerDifferences(endpoint.key, body, (name, depth) =>
		names.shown(name, chosen && depth > 0),
	);
	if (differences.length) return { verdict: 'differs', how: differences.join('; ') };
	if (check.knowsAnswer(endpoint.key)) return { verdict: 'as in the contract' };
	const how = `its shape is not known; it answers with ${names.shape(body, chosen)}`;
	return { verdict: 'as in the contract', how };
}
