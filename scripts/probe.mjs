/**
 * Compares the contract with a real workspace. Only reads. How to use it: docs/reference/compare-with-your-workspace.md.
 *
 *   npm run probe -- --base-url https://your-workspace.example.com --report report.md
 *
 *   --token      an API token; better in the environment variable ACP_TOKEN, which no shell history keeps
 *   --only       part of a path: only endpoints that contain it, for example --only /agents
 *   --report     a file (Markdown) to write what was found into, for sending it to others
 *
 * Per endpoint: "as in the contract", "differs" (how), "not there" or "not asked" (why). Values of your workspace are
 * never printed, only names of fields. Ends with 0 when nothing differs, 1 when something does, 2 when it cannot ask.
 */
import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { ClearError, ensureNodeVersion } from '../tools/bootstrap.mjs';

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

const listed = (facts) =>
	Object.entries(facts)
		.map(([name, says]) => `${name}: ${says}`)
		.join('; ');
const line = ({ endpoint, verdict, how }) =>
	`${verdict.padEnd(20)}${endpoint}${how ? `: ${how}` : ''}`;

function print({ endpoints, lists, events }) {
	for (const one of endpoints) if (one.endpoint.startsWith('GET ')) console.log(line(one));
	for (const { endpoint, verdict, differs, layout, paging, filters } of lists) {
		const how = [...differs, listed({ layout, ...paging, ...filters })].join('; ');
		console.log(line({ verdict, endpoint: `list ${endpoint}`, how }));
	}
	for (const { what, says } of events) console.log(`${'shows'.padEnd(20)}${what}: ${says}`);
	const counts = {};
	for (const { verdict } of [...endpoints, ...lists]) counts[verdict] = (counts[verdict] ?? 0) + 1;
	const sum = Object.entries(counts).map(([verdict, count]) => `${count} ${verdict}`);
	console.log(`\n${sum.join(', ')}.`);
}

const cell = (text) =>
	String(text ?? '')
		.replaceAll('|', '\\|')
		.replaceAll('\n', ' ');
const section = (title, head, rows) =>
	[
		`## ${title}\n`,
		...[head, head.map(() => '---'), ...rows].map((row) => `| ${row.map(cell).join(' | ')} |`),
	].join('\n');

/** A report that can be sent to the people who keep the contract. Everything in it has passed `names.mjs`. */
const reportOf = ({ endpoints, lists, events }) =>
	`${[
		'# Comparison with a workspace',
		'It holds names of fields and kinds of values, no value. Read it before you send it.',
		section(
			'Endpoints',
			['endpoint', 'known from', 'verdict', 'how'],
			endpoints.map(({ endpoint, source, verdict, how }) => [endpoint, source, verdict, how]),
		),
		section(
			'Lists',
			['endpoint', 'verdict', 'how', 'layout', 'rows under', 'around them', 'pages', 'filters'],
			lists.map(({ endpoint, verdict, differs, layout, rows, beside, paging, filters }) => [
				...[endpoint, verdict, differs.join('; '), layout, rows, beside],
				...[listed(paging), listed(filters)],
			]),
		),
		section(
			'Events and logs',
			['what', 'it shows'],
			events.map(({ what, says }) => [what, says]),
		),
	].join('\n\n')}\n`;

async function main() {
	ensureNodeVersion();
	const { values } = parseArgs({
		options: {
			'base-url': { type: 'string' },
			token: { type: 'string' },
			only: { type: 'string' },
			report: { type: 'string' },
		},
	});
	const root = rootOf(values['base-url']);
	const token = values.token ?? process.env.ACP_TOKEN;
	if (!token)
		throw new ClearError(
			'Give an API token: --token, or better the environment variable ACP_TOKEN.',
		);
	const { compareWorkspace } = await import('./probe/compare.mjs').catch(() => {
		throw new ClearError('The development tools are not installed. Run npx pnpm@10 install first.');
	});
	const found = await compareWorkspace({ root, token, only: values.only });
	print(found);
	if (values.report) await writeFile(values.report, reportOf(found));
	const departs = ({ verdict }) => ['differs', 'not there'].includes(verdict);
	process.exitCode = [...found.endpoints, ...found.lists].some(departs) ? 1 : 0;
}

main().catch((error) => {
	console.error(error instanceof ClearError ? `✖ ${error.message}` : error);
	process.exitCode = 2;
});
