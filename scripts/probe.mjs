/**
 * Compares the contract with a real workspace, with the platform's own OpenAPI file, or with both. Read-only unless
 * told otherwise. How to use it: docs/guides/compare-with-your-workspace.md.
 *
 *   npm run probe -- --base-url https://your-workspace.example.com --report report.md
 *   npm run probe -- --openapi platform.yaml
 *
 *   --token      an API token; better in the environment variable ACP_TOKEN, which no shell history keeps
 *   --only       part of a path: only endpoints that contain it, for example --only /agents
 *   --writes     also looks whether writing endpoints are there, with a body that is no JSON and IDs that do not exist,
 *                so that nothing can be carried out
 *   --report     a file to write what was found into, for sending it to others
 *   --openapi    the platform's own description of itself (OpenAPI 3, JSON or YAML)
 *   --json       one line of JSON per endpoint, list and log
 *
 * Per endpoint: "as in the contract", "differs" (how), "not there" or "not asked" (why); with --openapi "confirmed",
 * "wrong" (how), "missing", or "not in the contract". Values of your workspace are never printed, only names of fields.
 * Ends with 0 when nothing differs, 1 when something does, 2 when nothing can be compared.
 */
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { ClearError, ensureNodeVersion } from '../tools/bootstrap.mjs';
import { deliveriesOf } from './probe/deliveries.mjs';
import { judged, read, write } from './probe/endpoints.mjs';
import { listOf } from './probe/lists.mjs';
import { Names } from './probe/names.mjs';
import { reportOf } from './probe/report.mjs';
import { Workspace } from './probe/workspace.mjs';

function rootOf(text) {
	if (!text)
		throw new ClearError(
			'Give the address of your workspace: --base-url https://your-workspace.example.com',
		);
	const address = URL.parse(text);
	if (!address || !/^https?:$/.test(address.protocol))
		throw new ClearError('--base-url is not a web address.');
	const loopback = ['localhost', '127.0.0.1', '[::1]'].includes(address.hostname);
	if (address.protocol === 'http:' && !loopback)
		throw new ClearError(
			'--base-url must begin with https://, because the token travels with every request.',
		);
	return `${address.origin}/api/v1`;
}

/** Asks everything first, and tells afterwards: only then is known what is a value of this workspace. */
async function compareWorkspace({ root, token, only, writes }) {
	const [{ default: judges }, { default: catalog }] = await Promise.all([
		import('../tools/judge.cjs'),
		import('../tools/catalog.cjs'),
	]);
	const judge = judges.judge();
	const names = new Names(catalog.contract().document);
	const workspace = new Workspace({ root, token, judge, saw: (body) => names.saw(body) });
	const verdicts = [];
	const lists = [];
	for (const endpoint of judge.endpoints.filter(({ path }) => path.includes(only ?? ''))) {
		if (endpoint.method === 'GET') {
			const answer = await read(workspace, endpoint);
			verdicts.push([endpoint, () => judged(judge, names, endpoint, answer)]);
			if (answer.status === 200 && !answer.problem)
				lists.push(await listOf(workspace, endpoint, answer.body));
		} else {
			const verdict = writes
				? await write(workspace, endpoint)
				: { verdict: 'not asked', how: 'it writes' };
			verdicts.push([endpoint, () => verdict]);
		}
	}
	const deliveries = '/logs /agents'.includes(only ?? '')
		? await deliveriesOf(workspace)
		: undefined;
	return {
		endpoints: verdicts.map(([{ key, source }, verdict]) => ({
			endpoint: key,
			source,
			...verdict(),
		})),
		lists: lists.filter(Boolean).map((list) => list(names)),
		deliveries: deliveries?.(names),
	};
}

async function compareFile(file, only) {
	const { comparedWith } = await import('./openapi/compare.mjs');
	const { endpoints } = await comparedWith(file);
	return endpoints.filter(({ endpoint }) => endpoint.includes(only ?? ''));
}

const line = ({ endpoint, verdict, how }) =>
	`${verdict.padEnd(20)}${endpoint}${how ? `: ${how}` : ''}`;

function print({ endpoints = [], lists = [], deliveries = [], openapi = [] }, { json, writes }) {
	if (json) {
		for (const one of endpoints) console.log(JSON.stringify(one));
		for (const list of lists) console.log(JSON.stringify({ list }));
		for (const delivery of deliveries) console.log(JSON.stringify({ delivery }));
		for (const one of openapi) console.log(JSON.stringify({ openapi: one }));
		return;
	}
	for (const one of endpoints)
		if (writes || one.endpoint.startsWith('GET ')) console.log(line(one));
	for (const { endpoint, verdict, differs, layout, paging, filters } of lists) {
		const facts = Object.entries({ layout, ...paging, ...filters });
		const how = [...differs, ...facts.map(([name, says]) => `${name}: ${says}`)].join('; ');
		console.log(line({ verdict, endpoint: `list ${endpoint}`, how }));
	}
	for (const { what, says } of deliveries) console.log(`${'shows'.padEnd(20)}${what}: ${says}`);
	for (const one of openapi) console.log(line(one));
	const counts = {};
	for (const { verdict } of [...endpoints, ...lists, ...openapi])
		counts[verdict] = (counts[verdict] ?? 0) + 1;
	console.log(
		`\n${Object.entries(counts)
			.map(([verdict, count]) => `${count} ${verdict}`)
			.join(', ')}.`,
	);
}

const bad = ['differs', 'not there', 'wrong', 'missing'];

async function main() {
	ensureNodeVersion();
	const { values } = parseArgs({
		options: {
			'base-url': { type: 'string' },
			token: { type: 'string' },
			only: { type: 'string' },
			writes: { type: 'boolean' },
			report: { type: 'string' },
			openapi: { type: 'string' },
			json: { type: 'boolean' },
		},
	});
	const asksWorkspace = values['base-url'] !== undefined || values.openapi === undefined;
	const root = asksWorkspace ? rootOf(values['base-url']) : undefined;
	const token = values.token ?? process.env.ACP_TOKEN;
	if (asksWorkspace && !token)
		throw new ClearError(
			'Give an API token: --token, or better the environment variable ACP_TOKEN.',
		);
	await import('ajv').catch(() => {
		throw new ClearError('The development tools are not installed. Run npx pnpm@10 install first.');
	});
	const found = {
		openapi: values.openapi ? await compareFile(values.openapi, values.only) : undefined,
		...(asksWorkspace ? await compareWorkspace({ ...values, root, token }) : {}),
	};
	print(found, values);
	if (values.report) await writeFile(values.report, reportOf(found));
	const verdicts = Object.values(found).flatMap((part) => part ?? []);
	process.exitCode = verdicts.some(({ verdict }) => bad.includes(verdict)) ? 1 : 0;
}

main().catch((error) => {
	console.error(error instanceof ClearError ? `✖ ${error.message}` : error);
	process.exitCode = 2;
});
