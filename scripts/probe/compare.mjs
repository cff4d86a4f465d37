/** Compares the contract with a workspace: its endpoints, its lists, and what it shows of events. Sends reads alone. */
import catalog from '../../tools/catalog.cjs';
import judges from '../../tools/judge.cjs';
import { listOf } from './lists.mjs';
import { HIDDEN, Names } from './names.mjs';
import { fill, rowsIn, Workspace } from './workspace.mjs';

/**
 * Asks everything first, and tells afterwards: only then is known what is a value of this workspace.
 * @param {{root: string, token: string, only?: string}} options `root` ends with /api/v1; `only`: a part of paths
 * @returns {Promise<{endpoints: any[], lists: any[], events: {what: string, says: string}[]}>}
 * @throws {import('../../tools/bootstrap.mjs').ClearError} when there is no sense in going on
 */
export async function compareWorkspace({ root, token, only = '' }) {
	const judge = judges.judge();
	const names = new Names(catalog.contract().document);
	const workspace = new Workspace({ root, token, judge, saw: (body) => names.saw(body) });
	const told = [];
	const lists = [];
	for (const endpoint of judge.endpoints.filter(({ path }) => path.includes(only))) {
		if (endpoint.method !== 'GET') {
			told.push([endpoint, () => ({ verdict: 'not asked', how: 'it writes' })]);
			continue;
		}
		const known = await workspace.valuesFor(endpoint.path);
		const query = await workspace.queryFor(endpoint.key);
		const answer = await workspace.ask(fill(endpoint.path, known), query);
		told.push([endpoint, () => judged(judge, names, endpoint, answer, known === undefined)]);
		if (answer.status === 200 && !answer.problem)
			lists.push(await listOf(workspace, endpoint, answer.body));
	}
	const events = '/logs /agents'.includes(only) ? await eventsOf(workspace) : undefined;
	return {
		endpoints: told.map(([{ key, source }, verdict]) => ({ endpoint: key, source, ...verdict() })),
		lists: lists.filter(Boolean).map((list) => list(names)),
		events: events?.(names) ?? [],
	};
}

/**
 * What an answer says of its endpoint.
 * @returns {{verdict: 'as in the contract' | 'differs' | 'not there' | 'not asked', how?: string}}
 */
function judged(judge, names, endpoint, { status, body, code, problem }, invented) {
	if (status === 403) return { verdict: 'not asked', how: 'the token has no permission (403)' };
	if (status === 405) return { verdict: 'not there', how: 'the method is refused (405)' };
	if ((status === 404 && code === 'RESOURCE_NOT_FOUND') || (status === 422 && invented))
		return { verdict: 'as in the contract', how: 'it is there; no record was found to compare' };
	if (status === 404) return { verdict: 'not there', how: code ?? 'status 404' };
	if (problem) return { verdict: 'differs', how: problem };
	if (status !== 200)
		return { verdict: 'differs', how: `status ${status}${code ? ` (${code})` : ''}` };
	const chosen = names.chosenAt(endpoint.path);
	const differences = judge.answerDifferences(endpoint.key, body, (name, depth) =>
		names.shown(name, chosen && depth > 0),
	);
	if (differences.length) return { verdict: 'differs', how: differences.join('; ') };
	if (judge.knowsAnswer(endpoint.key)) return { verdict: 'as in the contract' };
	const shape = names.shape(body, chosen);
	return {
		verdict: 'as in the contract',
		how: `its shape is not known; it answers with ${shape}`,
	};
}

/** Where logs of webhook deliveries and of API requests could be: guesses that only this question uses. */
const guesses = ['/logs', '/logs/webhooks', '/logs/webhook-deliveries', '/logs/api'];

/** What a workspace shows of its events: the webhooks of its agents, and its logs, with what was delivered. */
async function eventsOf(workspace) {
	const agents = await workspace.ask('/agents');
	const webhooks = (rowsIn(agents.body)?.rows ?? []).flatMap((agent) => agent?.webhooks ?? []);
	const logs = await workspace.ask('/logs/actions');
	const rows = rowsIn(logs.body)?.rows ?? [];
	const details = [];
	for (const [kind, row] of [...new Map(rows.map((one) => [one?.type, one]))].slice(0, 10))
		if (kind !== undefined && row.uuid !== undefined) {
			const path = `/logs/actions/${[kind, row.uuid].map(encodeURIComponent).join('/')}`;
			details.push([kind, await workspace.ask(path)]);
		}
	const beyond = [];
	for (const path of guesses) beyond.push([path, await workspace.ask(path)]);
	const known = workspace.judge
		.parametersOf('GET /logs/actions/{type}/{uuid}', 'path')
		.find(({ name }) => name === 'type').schema.enum;

	return (names) => {
		const told = ({ status, body, problem }) =>
			status === 200 && !problem ? names.shape(body) : (problem ?? `status ${status}`);
		const all = (list, answer) => {
			if (list.length) return names.shape(list);
			return answer.status === 200 ? 'none' : told(answer);
		};
		return [
			{ what: 'webhooks in GET /agents', says: all(webhooks, agents) },
			{ what: 'GET /logs/actions', says: all(rows, logs) },
			...details.map(([kind, answer]) => ({
				what: `GET /logs/actions/${known.includes(kind) ? kind : HIDDEN}/{uuid}`,
				says: told(answer),
			})),
			...beyond.map(([path, answer]) => ({ what: `GET ${path} (a guess)`, says: told(answer) })),
		];
	};
}
