/** Compares the contract with a workspace: its endpoints, its lists, and what it shows of events. */
import { deliveriesOf } from './deliveries.mjs';
import { harmless, judged, read, writes as askWrites } from './endpoints.mjs';
import { listOf } from './lists.mjs';
import { Names } from './names.mjs';
import { Workspace } from './workspace.mjs';

/** What both ways of asking a workspace need. @param {{root: string, token: string}} options */
export async function opened({ root, token }) {
	const [{ default: judges }, { default: catalog }] = await Promise.all([
		import('../../tools/judge.cjs'),
		import('../../tools/catalog.cjs'),
	]);
	const judge = judges.judge();
	const names = new Names(catalog.contract().document);
	const workspace = new Workspace({ root, token, judge, saw: (body) => names.saw(body) });
	return { judge, names, workspace };
}

/**
 * Asks everything first, and tells afterwards: only then is known what is a value of this workspace.
 * @param {{root: string, token: string, only?: string, writes?: boolean}} options
 */
export async function compareWorkspace({ root, token, only = '', writes = false }) {
	const { judge, names, workspace } = await opened({ root, token });
	const chosen = judge.endpoints.filter(({ path }) => path.includes(only));
	const verdicts = new Map();
	const lists = [];
	for (const endpoint of chosen) {
		if (endpoint.method !== 'GET') {
			verdicts.set(endpoint, () => ({ verdict: 'not asked', how: 'it writes' }));
			continue;
		}
		const answer = await read(workspace, endpoint);
		verdicts.set(endpoint, () => judged(judge, names, endpoint, answer));
		if (answer.status === 200 && !answer.problem)
			lists.push(await listOf(workspace, endpoint, answer.body));
	}
	if (writes) {
		const first = judge.endpoints.find(({ key }) => key === harmless);
		const writing = chosen.filter(({ method }) => method !== 'GET');
		for (const [endpoint, verdict] of await askWrites(workspace, writing, first))
			verdicts.set(endpoint, () => verdict);
	}
	const deliveries = '/logs /agents'.includes(only) ? await deliveriesOf(workspace) : undefined;
	return {
		endpoints: [...verdicts].map(([{ key, source }, verdict]) => ({
			endpoint: key,
			source,
			...verdict(),
		})),
		lists: lists.filter(Boolean).map((list) => list(names)),
		deliveries: deliveries?.(names),
	};
}
