/**
 * Compares the contract with a real workspace, in ten minutes. Only reads. How to use it:
 * docs/reference/compare-with-your-workspace.md.
 *
 *   ACP_TOKEN=… npm run probe -- --base-url https://your-workspace.example.com --report report.md
 *
 * Per endpoint: "as in the contract", "differs" (how), "not there" or "not asked" (why). Values of your workspace are
 * never told, only names of fields. Ends with 0 when nothing differs, 1 when something does, 2 when it cannot ask.
 */
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { ClearError, ensureNodeVersion } from '../tools/bootstrap.mjs';

function rootOf(text) {
	if (!text)
		throw new ClearError(
			'Give the address of your workspace: --base-url https://your-workspace.example.com',
		);
	const address = URL.canParse(text) ? new URL(text) : undefined;
	if (!address || !/^https?:$/.test(address.protocol))
		throw new ClearError('--base-url is not a web address.');
	const loopback = ['localhost', '127.0.0.1', '[::1]'].includes(address.hostname);
	if (address.protocol === 'http:' && !loopback)
		throw new ClearError(
			'--base-url must begin with https://, because the token travels with every request.',
		);
	return `${address.origin}/api/v1`;
}

const listed = (says) =>
	Object.entries(says)
		.map(([name, one]) => `${name}: ${one}`)
		.join('; ');

/** A report that can be sent to the people who keep the contract. Everything in it has passed `names.mjs`. */
async function reportOf({ endpoints, lists }) {
	const { cell, table } = await import('../tools/docs/markdown.mjs');
	const rows = (all) => all.map((row) => row.map(cell));
	return `# Comparison with a workspace

It holds names of fields and kinds of values, no value. Read it before you send it.

## Endpoints

${table(
	['endpoint', 'known from', 'verdict', 'how'],
	rows(endpoints.map(({ endpoint, source, verdict, how }) => [endpoint, source, verdict, how])),
)}

## Lists

${table(
	[
		'endpoint',
		'verdict',
		'how',
		'layout',
		'rows under',
		'around them',
		'page sizes, pages, filters',
	],
	rows(
		lists.map(({ endpoint, verdict, differs, layout, rows: at, beside, says }) => [
			...[endpoint, verdict, differs.join('; '), layout, at, beside, listed(says)],
		]),
	),
)}
`;
}

async function main() {
	ensureNodeVersion();
	const { values } = parseArgs({
		options: { 'base-url': { type: 'string' }, report: { type: 'string', default: 'report.md' } },
	});
	const root = rootOf(values['base-url']);
	const token = process.env.ACP_TOKEN;
	if (!token) throw new ClearError('Give an API token in the environment variable ACP_TOKEN.');
	const { compareWorkspace } = await import('./probe/compare.mjs').catch(() => {
		throw new ClearError('The development tools are not installed. Run npx pnpm@10 install first.');
	});
	const found = await compareWorkspace({ root, token });
	const lists = found.lists.map((list) => ({
		...list,
		endpoint: `list ${list.endpoint}`,
		how: list.differs.join('; '),
	}));
	const all = [...found.endpoints, ...lists];
	for (const { endpoint, verdict, how } of all)
		if (how !== 'it writes')
			console.log(`${verdict.padEnd(20)}${endpoint}${how ? `: ${how}` : ''}`);
	const counts = new Map();
	for (const { verdict } of all) counts.set(verdict, (counts.get(verdict) ?? 0) + 1);
	console.log(`\n${[...counts].map(([verdict, some]) => `${some} ${verdict}`).join(', ')}.`);
	await writeFile(values.report, await reportOf(found));
	console.log(`The report is in ${values.report}.`);
	const departs = ({ verdict }) => ['differs', 'not there'].includes(verdict);
	process.exitCode = all.some(departs) ? 1 : 0;
}

main().catch((error) => {
	console.error(error instanceof ClearError ? `✖ ${error.message}` : error);
	process.exitCode = 2;
});
