import { groupBy, mapValues, trim } from 'lodash';
import { type IDataObject, isExpression } from 'n8n-workflow';
import { InvalidValue, isEmpty, type Source, refusePrototype } from '../fields/field';
import { boolean } from '../fields/scalar';
import { readDeciding, refuseEmptyPart, refuseUnanswered } from '../fields/answered';
import { jsonBeside, queryBeside } from '../fields/json';
import { Repeated } from '../http/client';
import { decodedPath, leadsAway } from '../http/path';
import { apiRequest } from './apiRequest';
import { sending, endpointAmong, withheldEndpoint } from '../operation/kinds';
import type { Operation, Draft } from '../operation/operation';
import { requestKey } from '../operation/recovery';
import { bodyJson, queryParametersJson } from '../platform/guesses';
import { quoted } from '../text/text';

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

/** Cannot lead out of the API; without slashes at its end: servers take `/call/` for `/call`. @throws InvalidValue */
export function safePath(written: unknown): { path: string; query: IDataObject } {
	if (!isEmpty(written) && typeof written !== 'string')
		throw new InvalidValue('Path', `should be text like /agents, but it is ${quoted(written)}`);
	const text = typeof written === 'string' ? written.trim() : '';
	if (text === '')
		throw new InvalidValue('Path', 'is empty. Enter the path below /api/v1, like /agents');
	if (/^[a-z][a-z0-9+.-]*:/i.test(text) || text.startsWith('//') || text.includes('\\')) {
		throw new InvalidValue(
			'Path',
			'must not contain a host. The request always goes to the workspace of the credential. Enter only the path, like /agents',
		);
	}
	const [before = '', search = ''] = text.split('#')[0]?.split('?') ?? [];
	const path = `/${trim(trim(before, '/').replace(/^api\/v1(?=\/|$)/, ''), '/')}`;
	if (/%(?![0-9a-f]{2})/i.test(path))
		throw new InvalidValue('Path', 'has a percent sign that is not followed by two digits');
	if (leadsAway(path) || /[\s\p{Cc}]/u.test(decodedPath(path))) {
		throw new InvalidValue('Path', 'must not contain "..", spaces or line breaks');
	}
	return { path, query: queryOf(search) };
}

/** The query of a path; a name that occurs several times keeps all its values. @throws InvalidValue */
function queryOf(search: string): IDataObject {
	const values = groupBy([...new URLSearchParams(search)], 0);
	refusePrototype(Object.keys(values), 'Path');
	return mapValues(values, (pairs) => {
		const all = pairs.map(([, value]) => value);
		return all.length > 1 ? (new Repeated(all) as never) : (all[0] as string);
	});
}

/** Stands for what an expression fills in. */
const gap = '\uE000';

const separatorsOf = (text: string): string => text.replace(/[^?#&]/g, '');

function partsOf(text: string) {
	const end = text.search(/[?#]/);
	const path = end < 0 ? text : text.slice(0, end);
	return {
		parts: decodedPath(path).replace(/^\/+/, '').split(/[/\\]/),
		separators: separatorsOf(text.slice(path.length)),
	};
}

/** Each expression fills one part of a path, or some of one; only a workflow may compute it all, no model. @throws InvalidValue */
function refuseSeparators(source: Source): void {
	const [written, path] = [source.written('path'), source.get('path')];
	if (typeof path !== 'string' || !isExpression(written)) return;
	const pieces = source.pieces(written);
	if (!pieces && !source.asTool) return;
	const literal = pieces ? pieces.texts.join(gap).trim() : gap;
	const wanted = partsOf(literal);
	const got = partsOf(path.trim());
	const fits = (part: string, at: number): boolean => {
		const of = wanted.parts[at] ?? '';
		if (!of.includes(gap)) return part === of;
		return part !== '' && separatorsOf(part) === separatorsOf(of);
	};
	if (
		got.separators === wanted.separators &&
		got.parts.length === wanted.parts.length &&
		got.parts.every(fits)
	)
		return;
	throw new InvalidValue(
		'Path',
		`has a value with a separator (like "/" or "?"), or an empty one, which leads elsewhere: ${quoted(path)}. Write the path itself as text, with an expression for each value`,
	);
}

/** A sending endpoint gets pace and request key; from AI agents some are withheld. @throws InvalidValue naming the field */
export function prepareApiRequest(source: Source): Draft {
	const chosen = source.get('method');
	if (isEmpty(chosen)) refuseUnanswered(source, 'method', 'Method');
	const method = String(chosen ?? 'GET').toUpperCase() as Operation['method'];
	if (!methods.includes(method))
		throw new InvalidValue('Method', `must be one of ${methods.join(', ')}`);
	const { path, query } = safePath(source.get('path'));
	refuseEmptyPart(source, 'path', 'Path');
	refuseSeparators(source);
	const endpoint = source.asTool ? withheldEndpoint(method, path) : undefined;
	if (endpoint !== undefined) {
		throw new InvalidValue(
			'Path',
			`leads to ${endpoint}, which is not available to AI agents. Use it in a workflow instead`,
		);
	}
	const sends = endpointAmong(sending, method, path) !== undefined;
	const pages =
		method === 'GET' && readDeciding(boolean(), source, 'paginate', 'Read All Pages') === true;
	const beside = queryBeside(source, { ...queryParametersJson, name: 'query' });
	return {
		operation: {
			...apiRequest,
			method,
			template: path,
			endpoint: `${method} ${path}`,
			...(sends ? { paced: true, recover: requestKey } : {}),
			...(pages ? { pages: {} } : {}),
		},
		item: source.item,
		items: [source.item],
		pathValues: {},
		path,
		query: { ...query, ...beside },
		body: method === 'GET' ? {} : jsonBeside(source, { ...bodyJson, name: 'body' }),
		filters: {},
		limit: Infinity,
		simplify: false,
		files: [],
		report: { facts: {}, sentences: [], rows: {}, moments: [] },
	};
}
