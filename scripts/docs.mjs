/**
 * All generated pages: coverage, guarantees, guesses and the tables of messages in docs/reference, the tables of
 * docs/nodes/*.md, what README.md counts, and the list of public names and forms. Hand-written parts of pages stay as
 * they are. What is measured is not generated (`npm run bench`).
 *
 *   npm run docs                     generates from the contract, builds the nodes and writes what has changed
 *   npm run docs -- --new-defaults   records changed defaults, too
 *   npm run docs -- --check          writes nothing, ends with 1 when something is stale
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { hosts } from '../tools/bootstrap.mjs';
import { contract, repository } from '../tools/contract.cjs';
import built from '../tools/operations.cjs';
import { coverage } from '../tools/docs/coverage.mjs';
import { guarantees } from '../tools/docs/guarantees.mjs';
import { guesses } from '../tools/docs/guesses.mjs';
import { between } from '../tools/docs/markdown.mjs';
import { allMessages, messageTables } from '../tools/docs/messages.mjs';
import {
	aboutDefaults,
	changedDefaults,
	defaultsOf,
	publicNames,
	vanished,
} from '../tools/docs/names.mjs';
import { nodePage, nodeTable, pageOf } from '../tools/docs/pages.mjs';

export const namesFile = 'test/data/public-names.json';

const read = (file) =>
	existsSync(join(repository, file)) ? readFileSync(join(repository, file), 'utf8') : undefined;

const newPage = ({ displayName, description }) =>
	`# ${displayName}\n\n${description}.\n\n<!-- generated: operations -->\n<!-- /generated -->\n`;

/**
 * @param {{newDefaults?: boolean}} [options] whether changed defaults are recorded
 * @returns {{file: string, text: string, stale: boolean}[]} every generated file, from the repository, as it should be
 * @throws when a public name has vanished without a new major version
 */
export function generated({ newDefaults = false } = {}) {
	const nodes = built.nodes();
	const pages = new Map();
	const write = (file, text) => pages.set(file, text);

	write('docs/reference/coverage.md', coverage());
	const byHand = read('docs/reference/errors.md').split('<!-- generated')[0];
	for (const [file, name, text] of [
		['docs/nodes/README.md', 'nodes', nodeTable(nodes)],
		['docs/reference/errors.md', 'messages', messageTables(allMessages(), nodes, byHand)],
		['docs/reference/guarantees.md', 'guarantees', guarantees()],
	])
		write(file, between(read(file), name, text));
	write('docs/reference/guesses.md', guesses(contract()));
	write('README.md', counted(read('README.md'), nodes));
	for (const node of nodes) {
		const file = `docs/${pageOf(node)}`;
		write(file, between(read(file) ?? newPage(node.description), 'operations', nodePage(node)));
	}
	write(namesFile, names(nodes, newDefaults));
	return [...pages].map(([file, text]) => ({ file, text, stale: read(file) !== text }));
}

const listOf = (all) => all.join(', ').replace(/, ([^,]*)$/, ' and $1');

/** The README with the operations that rest on guesses, and the versions of n8n that it was tested with. */
function counted(readme, nodes) {
	const guessed = new Set(
		contract().endpoints.flatMap(({ key, source }) => (source === 'inferred' ? key : [])),
	);
	const operations = built.operationsOf(nodes);
	const resting = operations.filter(({ operation }) => guessed.has(operation.endpoint));
	const tried = hosts.map(({ version, node }) => `${version} (Node ${listOf(node.toSorted())})`);
	return readme
		.replace(/\d+ of \d+(?= operations rest on)/, `${resting.length} of ${operations.length}`)
		.replace(/(?<=^Tested with n8n ).+?\)(?=\. )/m, listOf(tried));
}

/** The recorded list, unless it belongs to another major version, which may do without its names. */
function recorded() {
	const known = JSON.parse(read(namesFile) ?? 'null');
	return known?.major === majorVersion() ? known : undefined;
}

const majorVersion = () => Number(JSON.parse(read('package.json')).version.split('.')[0]);

/** Parameters whose defaults differ from the recorded ones. */
export function newDefaultsOf(nodes) {
	const known = recorded();
	return known ? changedDefaults(known, defaultsOf(nodes, built.credentials())) : [];
}

/**
 * Public names with the version that they belong to; none may vanish within a major version. Their defaults. And what each
 * node shows, as a digest: a change that nobody meant is noticed (test/unit/forms.test.cts).
 */
function names(nodes, newDefaults) {
	const credentials = built.credentials();
	const known = recorded();
	const now = publicNames(nodes, credentials);
	const gone = known ? vanished(known.names, now) : [];
	if (gone.length)
		throw new Error(
			`Public names have vanished, and saved workflows hold them: ${gone.join(', ')}. Bring them back, or give the package a new major version.`,
		);
	const keeps = !newDefaults && newDefaultsOf(nodes).length > 0;
	const defaults = keeps ? known.defaults : defaultsOf(nodes, credentials);
	// One line per operation.
	const lines = [];
	const tree = JSON.stringify(
		{ major: majorVersion(), names: now, defaults, forms: built.formsOf(nodes) },
		(_, value) =>
			Array.isArray(value) ? `line ${lines.push(value.map((n) => JSON.stringify(n)))}` : value,
		'\t',
	);
	return `${tree.replace(/"line (\d+)"/g, (_, number) => `[${lines[number - 1].join(', ')}]`)}\n`;
}

function main() {
	const { values } = parseArgs({
		options: { check: { type: 'boolean' }, 'new-defaults': { type: 'boolean' } },
	});
	const pages = generated({ newDefaults: values['new-defaults'] });
	const stale = pages.filter((page) => page.stale);
	const changed = newDefaultsOf(built.nodes());
	if (values.check) {
		if (stale.length === 0) return;
		console.error(
			`Stale: ${stale.map(({ file }) => file).join(', ')}. Run npm run docs and commit them.`,
		);
		process.exitCode = 1;
		return;
	}
	for (const { file, text } of stale) {
		mkdirSync(dirname(join(repository, file)), { recursive: true });
		writeFileSync(join(repository, file), text);
		console.log(`wrote ${file}`);
	}
	if (stale.length === 0) console.log('nothing has changed');
	if (changed.length && !values['new-defaults']) console.log(`\n${aboutDefaults(changed)}`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main();
