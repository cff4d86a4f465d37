/**
 * Every parameter of every operation with a value of its own, and where in the request that value comes to stand. The
 * names are the rule (a parameter is the API field in camelCase, nested fields join), so two fields of one type that
 * were exchanged, like user and password or start and end, show here.
 */
import type { INodeParameters } from 'n8n-workflow';
import { nodes, operationsOf } from '../../tools/operations.cjs';
import { fill, forms } from './everyOperation/samples.cts';
import { Scene } from './everyOperation/workspace.cts';
import { usePlatform } from './harness/index.cts';
import { belongs, chosen, eitherOr, mappedValues, recordsFor, staysHere } from './places/rules.cts';
import { fromLists, jsonKey, rowKey, Values } from './places/values.cts';
import { requestsShown } from './guarantees/scene.cts';

// No value is an expression, and n8n's isolated expression engine would take most of the time.
const { sandbox, engine } = usePlatform({
	settings: { rate: { send: { limit: 100_000 }, general: { limit: 1_000_000 } } },
	engine: { expressionEngine: 'legacy' },
});

type Entry = ReturnType<typeof operationsOf>[number];

// What a programme sends is about the rows that it finds.
const entries = operationsOf(nodes()).filter(
	({ operation }) => !operation.run || operation.method === 'GET',
);
const cases = entries.flatMap((entry) => {
	const subject = `${entry.resource.value}.${entry.value}`;
	return forms(entry.parameters).flatMap((form) =>
		(eitherOr[subject] ?? [undefined]).map((without) => ({
			title: [subject, ...Object.values(form), ...(without ? [`without ${without}`] : [])].join(
				', ',
			),
			subject,
			entry,
			without,
			form: { ...form, ...chosen[subject] },
		})),
	);
});

interface Request {
	path: string;
	query: unknown;
	body: unknown;
}

/** What an operation sends: its preview, or where it only reads, the request itself. */
async function requestOf(entry: Entry, parameters: INodeParameters): Promise<Request> {
	const { operation, node } = entry;
	await sandbox.clearLedger();
	const options = {
		...(parameters.options as INodeParameters),
		maxRetries: 0,
		...(operation.method === 'GET' ? {} : { preview: true }),
	};
	const result = await engine.runNode(
		node.name,
		{ ...parameters, resource: entry.resource.value, operation: entry.value, options },
		{
			items: [{ json: {}, binary: { data: { data: Buffer.from('file'), fileName: 'a.txt' } } }],
			onError: 'continueRegularOutput',
		},
	);
	// Most of what is read does not exist; the request was made all the same.
	if (operation.method === 'GET') {
		const form = new RegExp(`^${operation.template.replace(/\{\w+\}/g, '[^/]+')}$`);
		const sent = (await sandbox.ledger()).find(({ path }) => form.test(path));
		expect(sent).toBeDefined();
		return { path: sent!.path, query: sent!.query, body: {} };
	}
	const [prepared] = requestsShown(result);
	expect({ error: result.error?.message, prepared }).toMatchObject({ prepared: { preview: true } });
	const { pathname } = new URL(prepared.url);
	return { path: pathname.slice('/api/v1'.length), query: prepared.query, body: prepared.body };
}

/** Every value with its place. Positions in lists are no part of it, nor what a JSON field holds. */
function placesOf(value: unknown, place: string[]): Array<[string, string]> {
	if (value === null || typeof value !== 'object')
		return value === undefined ? [] : [[place.join('.'), String(value)]];
	return Object.entries(value).flatMap(([key, inner]) =>
		placesOf(
			inner,
			Array.isArray(value) || key === jsonKey ? place : [...place, key.replace(/\[\]$/, '')],
		),
	);
}

const pathValues = (template: string, asked: string): Record<string, string> => {
	const names = [...template.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!);
	const [, ...found] = new RegExp(`^${template.replace(/\{\w+\}/g, '([^/]+)')}$`).exec(asked)!;
	return Object.fromEntries(names.map((name, at) => [name, decodeURIComponent(found[at]!)]));
};

/** A moment is sent with its time, a time of day with seconds, a file by the name of its field. */
const reads = (sent: string | undefined, value: string): boolean =>
	sent !== undefined &&
	(sent === value ||
		sent.startsWith(`${value}T`) ||
		sent === `${value}:00` ||
		sent === `[file in the input field "${value}"]`);
/** What a preview shows of a secret. */
const hidden = '(hidden)';

test.each(cases)('$title', async ({ subject, entry, without, form }) => {
	const { template } = entry.operation;
	const scene = new Scene(sandbox, engine, subject, entry.node.name, form, 'all', false);
	const records: Record<string, string> = {};
	for (const [name, thing] of Object.entries(recordsFor[subject] ?? {}))
		records[name] = await scene.get(thing);
	const values = new Values(subject, records, without);
	const byPlace = new Map<string, string[]>();
	for (; values.run < values.runsNeeded; values.run++) {
		const filled = await fill(entry.parameters, values, 'all', [], form);
		const { path, query, body } = await requestOf(entry, fromLists(filled));
		for (const [place, value] of [
			...placesOf(pathValues(template, path), ['path']),
			...placesOf(query, ['query']),
			...placesOf(body, ['body']),
		]) {
			const sent = byPlace.get(place) ?? [];
			sent[values.run] = value;
			byPlace.set(place, sent);
		}
	}

	const seen = [...byPlace];
	const wrong = [...values.given].flatMap(([key, { path, property, runs, shared }]) => {
		const about = { subject, template, isReference: property.type === 'resourceLocator' };
		const isRow = path.at(-1) === 'value' && seen.some(([place]) => place.includes(rowKey));
		const named = isRow ? path.slice(0, -1) : path;
		const right = seen
			.map(([place]) => place)
			.filter((place) => belongs(place.replace(`.${rowKey}`, ''), { ...about, path: named }));
		const holding = seen
			.filter(([, sent]) => runs.every(({ sent: value }, run) => reads(sent[run], value)))
			.map(([place]) => place);
		if (staysHere(subject, path)) return holding.length ? [`${key} is sent: ${holding}`] : [];
		const isHidden = right.some((place) => byPlace.get(place)!.every((sent) => sent === hidden));
		const found = isHidden && holding.length === 0 ? right : holding;
		const isRight = shared
			? right.some((place) => found.includes(place))
			: right.length === 1 && found.length === 1 && found[0] === right[0];
		return isRight
			? []
			: [
					`${key} stands at ${found.join(' and ') || 'no place'}, not at ${right.join(' or ') || 'a place of its name'}`,
				];
	});
	expect(wrong).toEqual([]);

	const mapped = Object.entries(mappedValues[subject] ?? {});
	const namesHolding = mapped.map(([, value]) =>
		seen
			.filter(([, sent]) => sent.includes(String(value)))
			.map(([place]) => place.split('.').at(-1)),
	);
	expect(namesHolding).toEqual(mapped.map(([name]) => [name]));
});
