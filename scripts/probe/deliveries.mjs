/** What a workspace shows of its events: the webhooks of its agents, and the logs, with what was delivered. */
import { HIDDEN } from './names.mjs';
import { rowsIn } from './workspace.mjs';

/** Where logs of webhook deliveries and of API requests could be: guesses that only this question uses. */
const guesses = ['/logs', '/logs/webhooks', '/logs/webhook-deliveries', '/logs/api'];

/**
 * @param {import('./workspace.mjs').Workspace} workspace
 * @returns {Promise<(names: any) => {what: string, says: string}[]>}
 */
export async function deliveriesOf(workspace) {
	const agents = await workspace.ask('GET', '/agents');
	const webhooks = (rowsIn(agents.body)?.rows ?? []).flatMap((agent) => agent?.webhooks ?? []);
	const logs = await workspace.ask('GET', '/logs/actions');
	const rows = rowsIn(logs.body)?.rows ?? [];
	const kinds = [...new Map(rows.map((row) => [row?.type, row])).entries()];
	const details = [];
	for (const [kind, row] of kinds.slice(0, 10))
		if (kind !== undefined && row.uuid !== undefined)
			details.push([
				kind,
				await workspace.ask(
					'GET',
					`/logs/actions/${encodeURIComponent(kind)}/${encodeURIComponent(row.uuid)}`,
				),
			]);
	const beyond = [];
	for (const path of guesses) beyond.push([path, await workspace.ask('GET', path)]);
	const known = workspace.judge
		.parametersOf('GET /logs/actions/{type}/{uuid}', 'path')
		.find(({ name }) => name === 'type').schema.enum;

	return (names) => {
		const told = ({ status, body, problem }, what = body) =>
			status === 200 && !problem ? names.shape(what) : (problem ?? `status ${status}`);
		const kindOf = (kind) => (known.includes(kind) ? kind : HIDDEN);
		return [
			{
				what: 'webhooks in GET /agents',
				says: webhooks.length
					? names.shape(webhooks)
					: told(agents, 'none').replace('text', 'none'),
			},
			{ what: 'GET /logs/actions', says: rows.length ? names.shape(rows) : told(logs) },
			...details.map(([kind, answer]) => ({
				what: `GET /logs/actions/${kindOf(kind)}/{uuid}`,
				says: told(answer, answer.body?.data ?? answer.body),
			})),
			...beyond.map(([path, answer]) => ({ what: `GET ${path} (a guess)`, says: told(answer) })),
		];
	};
}
