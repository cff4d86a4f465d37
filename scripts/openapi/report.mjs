/** What a report of `npm run probe` says of the contract, fact by fact, as a comparison with an OpenAPI file does. */
import { readFile } from 'node:fs/promises';
import { load } from 'js-yaml';
import { format } from '../probe/report.mjs';
import { operationsOf } from './document.mjs';

/** @returns {Promise<any | undefined>} the report; undefined when the file is none */
export async function reportIn(file) {
	const text = await readFile(file, 'utf8').catch(() => '');
	if (!text.includes(format)) return undefined;
	try {
		const report = JSON.parse(text);
		return report?.format === format ? report : undefined;
	} catch {
		return undefined;
	}
}

/** A field of a request's body, in whichever part of its schema it stands. */
function fieldIn(schema, name) {
	if (schema === undefined) return undefined;
	const own = schema.at('properties', name);
	if (own) return own;
	for (const key of ['allOf', 'oneOf', 'anyOf'])
		for (const index of (schema.value[key] ?? []).keys()) {
			const found = fieldIn(schema.at(key, index), name);
			if (found) return found;
		}
	return undefined;
}

/** What the comparison with a workspace says of an endpoint; undefined when it was not asked. */
function verdictOf({ verdict, how = '' }) {
	if (verdict === 'not asked') return undefined;
	if (verdict !== 'as in the contract') return 'wrong';
	// That it is there says nothing of what it takes and returns.
	return how.startsWith('it is there') ? 'unsaid' : 'confirmed';
}

const works = ['works', 'other rows', 'one row'];
const filterVerdict = (says) => {
	if (works.includes(says)) return 'confirmed';
	return /^(ignored|refused|the first page again)/.test(says) ? 'wrong' : 'unsaid';
};

/**
 * @param {any} report
 * @param {string} text the contract
 * @returns {import('./schema.mjs').Fact[]}
 */
export function factsOf({ endpoints = [], lists = [], guided = [] }, text) {
	const operations = operationsOf(load(text));
	const facts = [];
	const tell = (endpoint, place, verdict, says) => {
		if (place && verdict) facts.push({ mark: place.mark, verdict, says: `${endpoint}: ${says}` });
	};
	const of = (endpoint) => operations.get(endpoint.replaceAll(/\{[^}]*\}/g, '{}'));
	for (const one of endpoints)
		tell(one.endpoint, of(one.endpoint)?.operation, verdictOf(one), one.how ?? 'its response');
	for (const { endpoint, paging, filters } of lists) {
		const { operation } = of(endpoint) ?? {};
		const says = { ...filters, per_page: paging['per_page=1'], page: paging['page=2'] };
		for (const index of (operation?.value.parameters ?? []).keys()) {
			const parameter = operation.at('parameters', index);
			const said = says[parameter.value.name];
			if (said !== undefined)
				tell(endpoint, parameter, filterVerdict(said), `query ${parameter.value.name}: ${said}`);
		}
	}
	for (const { question, finding, about = [] } of guided)
		for (const { endpoint, field, verdict } of about) {
			const operation = of(endpoint)?.operation;
			const schema = operation?.at('requestBody')?.at('content', 'application/json', 'schema');
			const place = field === undefined ? operation : fieldIn(schema, field);
			tell(endpoint, place, verdict, `${question} ${finding}`);
		}
	return facts;
}
