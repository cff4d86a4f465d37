/**
 * Compares the contract with a real workspace, with the platform's own OpenAPI file, or with both. Read-only unless
 * told otherwise. How to use it: docs/guides/compare-with-your-workspace.md.
 *
 *   npm run probe -- --base-url https://your-workspace.example.com --report report.md
 *   npm run probe -- --openapi platform.yaml
 *   npm run probe -- --guided --base-url https://your-workspace.example.com --report report.md
 *
 *   --token      an API token; better in the environment variable ACP_TOKEN, which no shell history keeps
 *   --only       part of a path: only endpoints that contain it, for example --only /agents
 *   --writes     also looks whether writing endpoints with an ID in their path are there, with bad JSON and IDs that do
 *                not exist: one harmless endpoint first, the others if it refused the JSON, none after one was accepted
 *   --guided     asks a few questions that only a workspace can answer: each step says what it does and asks first
 *   --report     a file (Markdown) to write what was found into, for sending it to others; beside it the same as JSON,
 *                which npm run contract -- --confirm reads
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
import { compareWorkspace, opened } from './probe/compare.mjs';
import { guided } from './probe/guided.mjs';
import { jsonOf, reportOf } from './probe/report.mjs';
import { terminal } from './probe/terminal.mjs';

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

async function compareFile(file, only) {
	const { comparedWith } = await import('./openapi/compare.mjs');
	const { endpoints } = await comparedWith(file);
	return endpoints.filter(({ endpoint }) => endpoint.includes(only ?? ''));
}

async function firstHour(options) {
	const questions = terminal();
	try {
		const { findings } = await guided({ ...(await opened(options)), terminal: questions });
		return findings;
	} finally {
		questions.close();
	}
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

/** Where the report stands as JSON: beside the one for people. */
const jsonFile = (report) => `${report.replace(/\.(md|json)$/, '')}.json`;

const bad = ['differs', 'not there', 'wrong', 'missing'];

async function main() {
	ensureNodeVersion();
	const { values } = parseArgs({
		options: {
			'base-url': { type: 'string' },
			token: { type: 'string' },
			only: { type: 'string' },
			writes: { type: 'boolean' },
			guided: { type: 'boolean' },
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
		...(asksWorkspace && values.guided ? { guided: await firstHour({ root, token }) } : {}),
		...(asksWorkspace && !values.guided ? await compareWorkspace({ ...values, root, token }) : {}),
	};
	if (!values.guided) print(found, values);
	if (values.report) {
		await writeFile(values.report, reportOf(found));
		await writeFile(jsonFile(values.report), jsonOf(found));
	}
	const verdicts = Object.values(found).flatMap((part) => part ?? []);
	process.exitCode = verdicts.some(({ verdict }) => bad.includes(verdict)) ? 1 : 0;
}

main().catch((error) => {
	console.error(error instanceof ClearError ? `✖ ${error.message}` : error);
	process.exitCode = 2;
});
