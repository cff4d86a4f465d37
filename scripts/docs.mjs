/**
 * All generated pages: coverage, guarantees, guesses and the tables of messages in docs/reference, the tables of
 * docs/nodes/*.md, what README.md counts, and what each node shows, as a digest. Hand-written parts of pages stay as they
 * are. What is measured is not generated (`npm run bench`).
 *
 *   npm run docs                     generates from the contract, builds the nodes and writes what has changed
 *   npm run docs -- --new-defaults   takes changed defaults for meant
 *   npm run docs -- --release        records the public names of a release, which `npm run release` does
 *   npm run docs -- --check          writes nothing, ends with 1 when something is stale
 */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
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
import { contentOf } from '../tools/files.mjs';

const formsFile = 'test/data/forms.json';
/** The public names of the last release, and their defaults. Before the first one there is none, and names are free. */
const namesFile = 'test/data/released-names.json';

const read = (file) => (existsSync(join(repository, file)) ? contentOf(file) : undefined);

const newPage = ({ displayName, description }) =>
	`# ${displayName}\n\n${description}.\n\n<!-- generated: operations -->\n<!-- /generated -->\n`;

/**
 * @returns {{file: string, text: string, stale: boolean}[]} every generated file, from the repository, as it should be
 * @throws when a released name has vanished without a new major version
 */
export function generated() {
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
	write(formsFile, `${JSON.stringify(built.formsOf(nodes), undefined, '\t')}\n`);
	const gone = vanished(released()?.names ?? {}, publicNames(nodes, built.credentials()));
	if (gone.length)
		throw new Error(
			`Public names have vanished, and saved workflows hold them: ${gone.join(', ')}. Bring them back, or give the package a new major version.`,
		);
	return [...pages].map(([file, text]) => ({ file, text, stale: read(file) !== text }));
}

const listOf = (all) => all.join(', ').replace(/, ([^,]*)$/, ' and $1');

/** The README with the operations that rest on guesses, and the versions of n8n that it was tested with. */
function counted(readme, nodes) {
	const operations = built.operationsOf(nodes);
	const resting = operations.filter(({ operation }) => operation.guess ?? operation.guessedFields);
	const tried = hosts.map(({ version, node }) => `${version} (Node ${listOf(node.toSorted())})`);
	return readme
		.replace(/\d+ of \d+(?= operations rest on)/, `${resting.length} of ${operations.length}`)
		.replace(/(?<=^Tested with n8n ).+?\)(?=\. )/m, listOf(tried));
}

/** What the last release had, unless it was another major version, whose names this one may do without. */
export function released() {
	const known = JSON.parse(read(namesFile) ?? 'null');
	return known?.major === majorVersion() ? known : undefined;
}

const majorVersion = () => Number(JSON.parse(read('package.json')).version.split('.')[0]);

/** Parameters whose defaults differ from the released ones. */
export function newDefaultsOf(nodes) {
	const known = released();
	return known ? changedDefaults(known, defaultsOf(nodes, built.credentials())) : [];
}

/** @param {object} record @returns {string} with one line per operation */
function textOf(record) {
	const lines = [];
	const tree = JSON.stringify(
		record,
		(_, value) =>
			Array.isArray(value) ? `line ${lines.push(value.map((n) => JSON.stringify(n)))}` : value,
		'\t',
	);
	return `${tree.replace(/"line (\d+)"/g, (_, number) => `[${lines[number - 1].join(', ')}]`)}\n`;
}

function main() {
	const { values } = parseArgs({
		options: {
			check: { type: 'boolean' },
			'new-defaults': { type: 'boolean' },
			release: { type: 'boolean' },
		},
	});
	const nodes = built.nodes();
	const stale = generated().filter((page) => page.stale);
	if (values.check) {
		if (stale.length === 0) return;
		console.error(
			`Stale: ${stale.map(({ file }) => file).join(', ')}. Run npm run docs and commit them.`,
		);
		process.exitCode = 1;
		return;
	}
	const defaults = defaultsOf(nodes, built.credentials());
	if (values.release) {
		const names = publicNames(nodes, built.credentials());
		stale.push({ file: namesFile, text: textOf({ major: majorVersion(), names, defaults }) });
	} else if (values['new-defaults'] && released())
		stale.push({ file: namesFile, text: textOf({ ...released(), defaults }) });
	for (const { file, text } of stale) {
		mkdirSync(dirname(join(repository, file)), { recursive: true });
		writeFileSync(join(repository, file), text);
		console.log(`wrote ${file}`);
	}
	if (stale.length === 0) console.log('nothing has changed');
	const changed = newDefaultsOf(nodes);
	if (changed.length) console.log(`\n${aboutDefaults(changed)}`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main();
