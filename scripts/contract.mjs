// Checks contract/openapi.yaml against contract/redocly.yaml and generates contract/types.d.ts
// from it: the types that every
// operation of the nodes is checked against by the compiler.
//   npm run contract              writes the types
//   npm run contract -- --check   writes nothing, ends with 1 when the types are stale
//   --folder <path>               works on another folder than contract/
// Ends with 1 and writes nothing when the document has problems.
import { readFile, writeFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { load } from 'js-yaml';
import lodash from 'lodash';

const header = '// Generated from openapi.yaml by `npm run contract`. Do not edit.\n';

/**
 * What the linter finds in a contract.
 * @param {string} folder absolute path of a folder with openapi.yaml and redocly.yaml
 * @returns {Promise<string[]>} one line per problem: place in the document, rule, message; empty when there is none
 */
export async function contractProblems(folder) {
	const { lint, loadConfig } = await import('@redocly/openapi-core');
	const config = await loadConfig({ configPath: resolve(folder, 'redocly.yaml') });
	const problems = await lint({ ref: resolve(folder, 'openapi.yaml'), config });
	return problems.map(
		({ location, ruleId, message }) => `${location[0]?.pointer ?? ''} ${ruleId}: ${message}`,
	);
}

/** Parameters of a list that narrow nothing: which part of it is read, and in which order. */
const notFilters = ['page', 'per_page', 'sort_by', 'sort_dir'];

/**
 * The filters of each endpoint whose names are a guess (`x-source: inferred`), as a type: what the platform may ignore.
 * @param {any} contract
 */
function guessedFilters(contract) {
	const resolved = (/** @type {any} */ one) =>
		one.$ref === undefined ? one : lodash.get(contract, one.$ref.slice('#/'.length).split('/'));
	const lines = Object.entries(contract.paths).flatMap(([path, item]) => {
		const names = (item.get?.parameters ?? [])
			.map(resolved)
			.filter(
				(/** @type {any} */ one) =>
					one.in === 'query' &&
					!notFilters.includes(one.name) &&
					(one['x-source'] ?? item.get['x-source']) === 'inferred',
			)
			.map((/** @type {any} */ { name }) => JSON.stringify(name));
		return names.length ? [`    "GET ${path}": ${names.join(' | ')};`] : [];
	});
	const says =
		'/** Filters of lists whose names are a guess, so that the platform may ignore them. */';
	return `${says}\nexport interface guessedFilters {\n${lines.join('\n')}\n}\n`;
}

/**
 * The types of a contract.
 * @param {string} folder absolute path of a folder with openapi.yaml
 * @returns {Promise<string>} the text of types.d.ts, indented with tabs
 */
export async function contractTypes(folder) {
	const { default: openapiTS, astToString } = await import('openapi-typescript');
	const nodes = await openapiTS(pathToFileURL(resolve(folder, 'openapi.yaml')), {
		// A default in a request body is the platform's: the sender may leave the field out.
		defaultNonNullable: false,
		emptyObjectsUnknown: true,
		silent: true,
	});
	const guessed = guessedFilters(load(await readFile(resolve(folder, 'openapi.yaml'), 'utf8')));
	return (
		header +
		(astToString(nodes) + guessed).replace(/^( {4})+/gm, (spaces) => '\t'.repeat(spaces.length / 4))
	);
}

async function main() {
	const { values } = parseArgs({
		options: { check: { type: 'boolean' }, folder: { type: 'string' } },
	});
	const folder = resolve(values.folder ?? fileURLToPath(new URL('../contract', import.meta.url)));
	const problems = await contractProblems(folder);
	if (problems.length > 0) {
		console.error(`openapi.yaml has ${problems.length} problem(s):\n${problems.join('\n')}`);
		process.exitCode = 1;
		return;
	}
	const target = resolve(folder, 'types.d.ts');
	const text = await contractTypes(folder);
	if (!values.check) {
		await writeFile(target, text);
		return;
	}
	const present = await readFile(target, 'utf8').catch(() => '');
	if (present !== text) {
		console.error('types.d.ts is stale: run `npm run contract` and commit it.');
		process.exitCode = 1;
	}
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await main();
