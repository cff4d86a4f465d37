/** Compares the contract with the platform's own OpenAPI file, endpoint by endpoint. */
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { load } from 'js-yaml';
import { operationsOf, theirDocument } from './document.mjs';
import { compareSchemas, saysSomething } from './schema.mjs';

const contractFile = fileURLToPath(new URL('../../contract/openapi.yaml', import.meta.url));

/** Parameters of an operation with those of its path. */
function parametersOf({ item, operation }, place) {
	const all = [item, operation].flatMap((part) =>
		(part.value.parameters ?? []).map((_, index) => part.at('parameters', index)),
	);
	return new Map(all.filter(({ value }) => value.in === place).map((one) => [one.value.name, one]));
}

function compareQuery(ours, theirs, facts) {
	const [mine, other] = [ours, theirs].map((side) => parametersOf(side, 'query'));
	for (const [name, parameter] of mine) {
		const title = `query ${name}`;
		const counterpart = other.get(name) ?? other.get(`${name}[]`);
		const { mark } = parameter;
		if (!counterpart) {
			facts.push({ mark, verdict: 'wrong', says: `${title} is not there` });
			continue;
		}
		const [needed, demanded] = [parameter, counterpart].map(({ value }) => value.required === true);
		if (needed !== demanded)
			facts.push({
				mark,
				verdict: 'wrong',
				says: `${title} ${demanded ? 'must' : 'need not'} be sent`,
			});
		const [here, there] = [parameter.at('schema'), counterpart.at('schema')];
		// That it is there: its schema may have a source of its own.
		if (needed === demanded) facts.push({ mark, verdict: 'confirmed', says: title });
		if (here && there) compareSchemas(here, there, title, { sent: true, facts });
	}
	for (const [name, { value }] of other)
		if (!mine.has(name.replace(/\[\]$/, '')))
			facts.push({
				mark: ours.operation.mark,
				verdict: value.required ? 'wrong' : 'more',
				says: value.required
					? `query ${name} must be sent, and the contract does not have it`
					: `query ${name}`,
			});
}

function comparePath(ours, theirs, facts) {
	const names = ({ path }) => [...path.matchAll(/\{([^}]*)\}/g)].map(([, name]) => name);
	const [mine, other] = [ours, theirs].map((side) => parametersOf(side, 'path'));
	names(ours).forEach((name, index) => {
		const here = mine.get(name)?.at('schema');
		const there = other.get(names(theirs)[index])?.at('schema');
		if (here && there) compareSchemas(here, there, `path ${name}`, { sent: true, facts });
	});
}

function compareBodies(ours, theirs, facts) {
	const { mark } = ours.operation;
	const [mine, other] = [ours, theirs].map(({ operation }) => operation.at('requestBody'));
	if (!mine && !other) return;
	if (!mine) {
		const verdict = other.value.required ? 'wrong' : 'more';
		facts.push({ mark, verdict, says: 'it takes a body, and the contract has none' });
		return;
	}
	if (!other) {
		facts.push({ mark, verdict: 'wrong', says: 'the file has no body for it' });
		return;
	}
	const kinds = [mine, other].map(({ value }) => Object.keys(value.content ?? {}));
	const kind = kinds[0].find((one) => kinds[1].includes(one));
	if (!kind) {
		const says = `its body is ${kinds[1].join(' or ') || 'of no kind'}, not ${kinds[0].join(' or ')}`;
		facts.push({ mark, verdict: 'wrong', says });
		return;
	}
	const [here, there] = [mine, other].map((body) => body.at('content', kind, 'schema'));
	if (here && there) compareSchemas(here, there, 'body ', { sent: true, facts });
	else if (here) facts.push({ mark: here.mark, verdict: 'unsaid', says: 'the body' });
}

function compareAnswers(ours, theirs, facts) {
	const { mark } = ours.operation;
	const success = ({ operation }) =>
		Object.keys(operation.value.responses ?? {}).filter((status) => /^2/.test(status));
	const [mine, other] = [success(ours), success(theirs)];
	if (other.length === 0) {
		facts.push({ mark, verdict: 'unsaid', says: 'the answer' });
		return;
	}
	if (!mine.some((status) => /X/i.test(status) || other.includes(status)) && !other.includes('2XX'))
		facts.push({ mark, verdict: 'wrong', says: `it answers ${list(other)}, not ${list(mine)}` });
	const schemaOf = ({ operation }, statuses) =>
		statuses
			.map((status) =>
				operation.at('responses', status)?.at('content', 'application/json', 'schema'),
			)
			.find(Boolean);
	const [here, there] = [schemaOf(ours, mine), schemaOf(theirs, other)];
	if (here && there) {
		// The contract does not know this answer: whatever stands there is new.
		const known = saysSomething(here);
		const answer = known ? facts : [];
		compareSchemas(here, there, 'answer ', { sent: false, facts: answer });
		if (!known) facts.push(...answer.filter(({ verdict }) => verdict === 'more'));
	} else if (here && saysSomething(here))
		facts.push({ mark, verdict: 'unsaid', says: 'the answer' });
}

const list = (values) => values.join(', ');
const told = (facts, verdict) => [
	...new Set(facts.filter((fact) => fact.verdict === verdict).map(({ says }) => says)),
];

/** @returns {{verdict: 'confirmed' | 'wrong', how: string}} */
function verdictOf(facts) {
	const [wrong, unsaid, more] = ['wrong', 'unsaid', 'more'].map((verdict) => told(facts, verdict));
	const confirmed = told(facts, 'confirmed').length;
	return {
		verdict: wrong.length ? 'wrong' : 'confirmed',
		how: [
			...wrong,
			`confirmed: ${confirmed}`,
			...(unsaid.length ? [`the file does not say: ${list(unsaid)}`] : []),
			...(more.length ? [`beyond the contract: ${list(more)}`] : []),
		].join('; '),
	};
}

/**
 * @param {string} file the platform's own OpenAPI file
 * @param {string} [text] the contract
 * @returns {Promise<{
 *   endpoints: {endpoint: string, source?: string, verdict: string, how: string}[],
 *   facts: import('./schema.mjs').Fact[],
 * }>}
 */
export async function comparedWith(file, text) {
	const contract = load(text ?? (await readFile(contractFile, 'utf8')));
	const mine = operationsOf(contract);
	const other = operationsOf(await theirDocument(file));
	const facts = [];
	const endpoints = [...mine].map(([key, ours]) => {
		const source = ours.operation.value['x-source'];
		const { mark } = ours.operation;
		const theirs = other.get(key);
		if (!theirs) {
			facts.push({ mark, verdict: 'wrong', says: `${ours.key} is missing` });
			const path = key.slice(key.indexOf(' '));
			const methods = [...other.keys()].filter(
				(one) => one.endsWith(path) && one.indexOf(' ') === one.length - path.length,
			);
			const how = methods.length
				? `the file has ${list(methods.map((one) => one.split(' ')[0]))} there`
				: 'the file does not have the path';
			return { endpoint: ours.key, source, verdict: 'missing', how };
		}
		const here = [{ mark, verdict: 'confirmed', says: 'the endpoint' }];
		comparePath(ours, theirs, here);
		compareQuery(ours, theirs, here);
		compareBodies(ours, theirs, here);
		compareAnswers(ours, theirs, here);
		facts.push(...here.map((fact) => ({ ...fact, says: `${ours.key}: ${fact.says}` })));
		return { endpoint: ours.key, source, ...verdictOf(here) };
	});
	for (const [key, theirs] of other)
		if (!mine.has(key))
			endpoints.push({ endpoint: theirs.key, verdict: 'not in the contract', how: '' });
	return { endpoints, facts };
}
