// Checks contract/openapi.yaml against contract/redocly.yaml and generates from it contract/types.d.ts, the types that
// every operation of the nodes is checked against by the compiler, and nodes/engine/platform/facts.ts, what the nodes
// themselves have to know of it.
//   npm run contract              writes both
//   npm run contract -- --check   writes nothing, ends with 1 when one is stale
//   --folder <path>               works on another folder than contract/, and leaves out the facts
// Ends with 1 and writes nothing when the document has problems.
import { readFile, writeFile } from 'node:fs/promises';
import { basename, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { load } from 'js-yaml';
import lodash from 'lodash';
import prettier from 'prettier';
import {
	contract,
	contractFields,
	flat,
	isClosed,
	resolve as resolved,
	successOf,
} from '../tools/contract.cjs';

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
	const lines = Object.entries(contract.paths).flatMap(([path, item]) => {
		const names = (item.get?.parameters ?? [])
			.map((one) => resolved(contract, one))
			.filter(
				(one) =>
					one.in === 'query' &&
					!notFilters.includes(one.name) &&
					(one['x-source'] ?? item.get['x-source']) === 'inferred',
			)
			.map(({ name }) => JSON.stringify(name));
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

/** Methods whose request may have a body. */
const writing = ['PATCH', 'POST', 'PUT'];

/**
 * A sentence of the contract begins with the doubt, which only the page made of it shows.
 * @param {string} sentence "Unconfirmed: …. …." @returns {string[]} what follows the doubt
 */
const afterDoubt = (sentence) => sentence.split(/(?<=\.) /).slice(1);

/** @param {string} sentence @returns what to do instead when a guess is wrong, or before it is relied on */
const guessOf = (sentence) => {
	const advice = afterDoubt(sentence)
		.filter((one) => !one.startsWith('If '))
		.join(' ')
		.replace(/\.$/, '');
	return advice.startsWith('Then ') ? { instead: advice.slice('Then '.length) } : { first: advice };
};

const plain = (name) => name.replace(/\.(\[\]|\*)/g, '');

/** Guessed fields, `.*` for all of an object. @param {string[]} guessed @param {string[]} all */
const inOne = (guessed, all) =>
	lodash.uniq(
		guessed.map((name) => {
			const object = name.split('.').slice(0, -1).join('.');
			const inside = all.filter((one) => one.startsWith(`${object}.`));
			return object && inside.every((one) => guessed.includes(one)) ? `${object}.*` : name;
		}),
	);

/** The text that most endpoints have. @param {string[]} texts */
const usualOf = (texts) =>
	lodash.maxBy(texts, (text) => texts.filter((one) => one === text).length);

/**
 * What only the platform sets in a record: what its answer shows and the closed object of the request does not take.
 * @param {any} document @param {any} request schema @param {any} answer schema @param {boolean} open JSON of people's may
 * hold it, as it may in rows
 * @returns {string[]}
 */
function setAlone(document, request, answer, open, above = '') {
	const [taken, shown] = [request, answer].map((one) => flat(document, one));
	if (taken.items) return setAlone(document, taken.items, shown.items, true, above);
	return Object.entries((taken.properties && shown.properties) ?? {}).flatMap(([name, schema]) => {
		const below = taken.properties[name];
		if (below) return setAlone(document, below, schema, open, `${above}${name}.`);
		return open && isClosed(document, request) ? [above + name] : [];
	});
}

/**
 * What the nodes have to know of one endpoint.
 * @param {any} document
 * @param {any} endpoint of the catalogue
 * @param {any[]} fields of all endpoints
 */
function factsOf(document, endpoint, fields) {
	const { key, method, source, open, unconfirmed, leftOut } = endpoint;
	const ofBody = lodash.filter(fields, { endpoint: key, place: 'body' });
	const guessedFields = ofBody
		.filter(({ marked, source: of }) => marked && of === 'inferred')
		// On whose word a request key is sent is a matter of its own (operation/recovery.ts).
		.flatMap(({ name }) => (name === 'request_key' ? [] : [plain(name)]));
	const allOf = ofBody.map(({ name }) => plain(name));
	const says = (word) => open.some((one) => word.test(one));
	const inferred = source === 'inferred';
	const openBody =
		writing.includes(method) && (inferred || guessedFields.length > 0 || says(/\bbody\b/));
	const [{ schema: request }, { schema: answer }] = [
		resolved(document, endpoint.contract.requestBody),
		successOf(document, endpoint),
	].map((one) => Object.values(one?.content ?? {})[0] ?? {});
	const record = flat(document, answer).properties?.data;
	const [taken, shown] = [request, record].map((one) => flat(document, one).properties ?? {});
	const isMade = method === 'POST' && Object.keys(taken).every((name) => name in shown);
	const setByPlatform = isMade ? setAlone(document, request, record, openBody) : [];
	const field = Object.keys(taken).find((name) => taken[name]['x-takes']);
	return {
		...(unconfirmed === undefined ? {} : { guess: guessOf(unconfirmed) }),
		...([undefined, 'stays', 'replaced'].includes(leftOut)
			? {}
			: { leftOut: afterDoubt(leftOut).join(' ') }),
		...(guessedFields.length ? { guessedFields: inOne(lodash.uniq(guessedFields), allOf) } : {}),
		...(!writing.includes(method) && says(/\bquery\b/) ? { openQuery: true } : {}),
		...(openBody ? { openBody: true } : {}),
		...(setByPlatform.length ? { setByPlatform } : {}),
		...(field && { takes: { field, seconds: taken[field].default } }),
	};
}

/**
 * What the nodes have to know of the contract when they run; the package holds no YAML.
 * @returns {Promise<string>} the text of nodes/engine/platform/facts.ts
 */
export async function contractFacts(known = contract()) {
	const fields = contractFields(known);
	const facts = known.endpoints
		.map((endpoint) => [endpoint.key, factsOf(known.document, endpoint, fields)])
		.filter(([, known]) => Object.keys(known).length > 0);
	const usual = {
		leftOut: usualOf(facts.flatMap(([, { leftOut }]) => leftOut ?? [])),
		instead: usualOf(facts.flatMap(([, { guess }]) => guess?.instead ?? [])),
		first: usualOf(facts.flatMap(([, { guess }]) => guess?.first ?? [])),
	};
	const table = Object.entries(usual).reduce(
		(text, [name, said]) =>
			text.replaceAll(`"${name}":${JSON.stringify(said)}`, `"${name}":usual.${name}`),
		JSON.stringify(Object.fromEntries(facts)),
	);
	const limits = lodash.mapValues(known.document['x-limits'], (limit) =>
		lodash.pick(limit, ['most', 'seconds']),
	);
	const { error } = known.document.components.schemas.Error.properties;
	const text = `${header}
/** Rates and sizes of the platform as a whole (interface §8). */
export const limits = ${JSON.stringify(limits)} as const;

/** The status that each error code stands for (interface §7). */
export const errorStatuses: Record<string, number> = ${JSON.stringify(error.properties.code['x-statuses'])};

/** What is not known of an endpoint. */
export interface EndpointFacts {
	/** Part of the endpoint was guessed: what to do instead if that is wrong, or what to do before relying on it. */
	guess?: { instead: string } | { first: string };
	/** What is not known of fields that are absent from an update, and what is done about it. */
	leftOut?: string;
	/** Fields of the body whose names are a guess, with a star for all of an object; those of rows without their place. */
	guessedFields?: readonly string[];
	/** There may be more query parameters than the contract has. */
	openQuery?: true;
	/** There may be more fields in the body than the contract has. */
	openBody?: true;
	/** What only the platform sets in the record that the request makes: \`notes.uuid\` in each row of a list. */
	setByPlatform?: readonly string[];
	/** How long the response may take: the field of the body that says it, and the seconds without it. */
	takes?: { field: string; seconds: number };
}

const usual = ${JSON.stringify(usual)};

export const endpointFacts: Record<string, EndpointFacts | undefined> = ${table};
`;
	return await prettier.format(text, {
		...(await prettier.resolveConfig(factsFile)),
		filepath: factsFile,
	});
}

const defaultFolder = fileURLToPath(new URL('../contract', import.meta.url));
const factsFile = fileURLToPath(new URL('../nodes/engine/platform/facts.ts', import.meta.url));

async function main() {
	const { values } = parseArgs({
		options: { check: { type: 'boolean' }, folder: { type: 'string' } },
	});
	const folder = resolve(values.folder ?? defaultFolder);
	const problems = await contractProblems(folder);
	if (problems.length > 0) {
		console.error(`openapi.yaml has ${problems.length} problem(s):\n${problems.join('\n')}`);
		process.exitCode = 1;
		return;
	}
	const targets = [{ file: resolve(folder, 'types.d.ts'), text: await contractTypes(folder) }];
	if (folder === defaultFolder) targets.push({ file: factsFile, text: await contractFacts() });
	for (const { file, text } of targets) {
		if (!values.check) {
			await writeFile(file, text);
			continue;
		}
		const present = await readFile(file, 'utf8').catch(() => '');
		if (present === text) continue;
		console.error(`${basename(file)} is stale: run \`npm run contract\` and commit it.`);
		process.exitCode = 1;
	}
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) await main();
