/** Where facts come from: no field, bound or limit without a source, and what is guessed shows it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { find, set } from 'lodash';
import type { INodeProperties } from 'n8n-workflow';
import { nodes, operationsOf } from '../../../tools/operations.cjs';
import {
	boundNames,
	contract,
	contractFields,
	repository,
	sources,
} from '../../../tools/contract.cjs';
import { endpointFacts, limits } from '../../../nodes/engine/platform/facts';
import type { Placed } from '../../../nodes/engine/fields/field';
import { describeError, type Situation } from '../../../nodes/engine/errors/errorText';
import { RequestError } from '../../../nodes/engine/errors/requestError';
import type { Operation } from '../../../nodes/engine/operation/operation';
import { fieldsOf, guessedIn } from '../../../nodes/engine/operation/places';

const known = contract();
const { document, endpoints } = known;
const fields = contractFields(known);
const operations = operationsOf(nodes());
const named = (entry: { subject: string }) => entry.subject;

describe('the contract', () => {
	/** The contract with something changed. */
	const changed = (change: (document: any) => void) => {
		const copy = structuredClone(document);
		change(copy);
		return {
			...known,
			document: copy,
			endpoints: endpoints.map((one) => ({
				...one,
				contract: copy.paths[one.path][one.method.toLowerCase()],
			})),
		};
	};
	const unsourced = (of: ReturnType<typeof contractFields>) =>
		of
			.filter(({ source }) => !sources.includes(source!))
			.map(({ endpoint, place, name }) => `${endpoint} ${place} ${name}`);

	test('every field has a source', () => {
		expect(fields.length).toBeGreaterThan(5000);
		expect(unsourced(fields)).toEqual([]);
	});

	test('every bound has a source', () => {
		const bounds = fields.flatMap((field) => field.bounds.map((bound) => ({ ...bound, field })));
		expect(bounds.length).toBeGreaterThan(100);
		expect(bounds.filter(({ source }) => !sources.includes(source!))).toEqual([]);
	});

	test('a field that an endpoint of the interface only names (§4.4) needs its own mark', () => {
		const bare = changed(({ components: { schemas } }) => {
			delete schemas.BuilderCreate['x-source'];
			schemas.BuilderCreate.properties.port.maximum = 65535;
		});
		const found = contractFields(bare).filter(({ source }) => source === undefined);
		expect(found.map(({ endpoint }) => endpoint)).toContain('POST /builders');
		expect(found.map(({ name }) => name)).toContain('port');
		expect(found.flatMap(({ bounds }) => bounds)).toContainEqual({
			bound: 'maximum',
			value: 65535,
			source: undefined,
		});
	});

	test('a schema that is one value says where its values come from, not who has them', () => {
		const number = find(fields, { endpoint: 'POST /sms/send', name: 'phoneNumber' });
		const pattern = { bound: 'pattern', source: 'seed' };
		expect(number).toMatchObject({ source: 'reference', bounds: [pattern] });
		const size = find(fields, { endpoint: 'GET /agents', place: 'query', name: 'per_page' });
		const maximum = { bound: 'maximum', source: 'seed' };
		expect(size).toMatchObject({ source: 'client', bounds: [maximum] });
	});

	test('every limit has a source', () => {
		const all = Object.values<any>(document['x-limits']);
		expect(all.length).toBeGreaterThanOrEqual(6);
		expect(all.filter((limit) => !sources.includes(limit['x-source']))).toEqual([]);
		expect(Object.keys(limits)).toEqual(Object.keys(document['x-limits']));
		expect(document['x-limits']).toMatchObject(limits);
	});

	test('what is not known of a query says so in the word that opens it', () => {
		const says = (open: string[], word: RegExp) => open.some((one) => word.test(one));
		const reads = endpoints.filter(({ method }) => method === 'GET');
		const opened = reads.filter(({ open }) => says(open, /\bquery\b/));
		expect(opened.length).toBeGreaterThan(20);
		const ofQuery = /^(?!whether ).*(\bparameters?\b|\bsorting\b|\bfilters\b)/;
		const unsaid = reads.filter((one) => !opened.includes(one) && says(one.open, ofQuery));
		expect(unsaid.map(({ key }) => key)).toEqual([]);
	});
});

describe('bounds of the nodes', () => {
	const lengths = { minLength: 'minLength', maxLength: 'maxLength' };
	const names: Record<string, string> = { min: 'minimum', max: 'maximum', ...lengths };

	/** Every bound that a field and those inside it enforce. */
	const boundsOf = (
		{ field, path }: Placed,
		above: string[] = [],
	): Array<[string, string, unknown]> => {
		const at = [...above, ...path];
		const own = Object.entries(field.options)
			.filter(([option]) => option in names)
			.map(([option, value]): [string, string, unknown] => [
				at.join('.'),
				field.isFile && option === 'max' ? 'x-max-megabytes' : names[option]!,
				value,
			]);
		const inside = (field.inside ?? []).flatMap((one) =>
			boundsOf(one, [...at, ...(field.rows ? ['[]'] : [])]),
		);
		return [...own, ...inside];
	};

	const enforced = operations.flatMap(({ subject, operation }) =>
		fieldsOf(operation).flatMap((placed) =>
			boundsOf(placed).map(([name, bound, value]) => ({
				says: `${subject} ${placed.part} ${name} ${bound} ${String(value)}`,
				stated: fields
					.filter(
						(field) =>
							field.endpoint === operation.endpoint &&
							field.place === (placed.part === 'filters' ? 'query' : placed.part) &&
							field.name === name,
					)
					.flatMap(({ bounds }) => bounds)
					.some((one) => one.bound === bound && one.value === value),
			})),
		),
	);

	test('each stands in the contract, with its source', () => {
		expect(Object.values(names).filter((name) => !boundNames.includes(name))).toEqual([]);
		expect(enforced.length).toBeGreaterThan(50);
		expect(enforced.filter(({ stated }) => !stated).map(({ says }) => says)).toEqual([]);
	});
});

const parameterOf = ({ parameters }: (typeof operations)[number], name: string) =>
	parameters.find((parameter) => parameter.name === name);

/** JSON beside the fields, which is under Options unless an operation may need it. */
const jsonOf = (entry: (typeof operations)[number], name: string) =>
	parameterOf(entry, name) ??
	(parameterOf(entry, 'options')!.options as INodeProperties[]).find((one) => one.name === name);

describe('an endpoint that is open', () => {
	test.each([
		['queryParametersJson', 'Query Parameters (JSON)', 'openQuery'],
		['bodyJson', 'Body (JSON)', 'openBody'],
	] as const)('has %s', (name, displayName, opened) => {
		const open = operations.filter(({ operation }) => endpointFacts[operation.endpoint]?.[opened]);
		expect(open.length).toBeGreaterThan(20);
		const lacking = open.filter((entry) => jsonOf(entry, name)?.displayName !== displayName);
		expect(lacking.map(named)).toEqual([]);
	});

	test('nobody writes Query Parameters (JSON) by hand', () => {
		const shown = operations.filter((entry) => jsonOf(entry, 'queryParametersJson'));
		expect(shown.length).toBeGreaterThan(20);
		const known = shown.filter((one) => !endpointFacts[one.operation.endpoint]?.openQuery);
		expect(known.map(named)).toEqual([]);
	});
});

/** Paths of the fields inside fields. */
const deeper = (inside: readonly Placed[], above: string[]): string[] =>
	inside.flatMap(({ path, field }) => [
		[...above, ...path].join('.'),
		...deeper(field.inside ?? [], [...above, ...path]),
	]);

describe('what is guessed', () => {
	const guessed = operations.filter(({ operation }) => operation.guess);

	test('has its sentence in the contract, each: what was guessed, if it is wrong, what then', () => {
		const inferred: unknown[] = [];
		(function walk(part: any) {
			if (part === null || typeof part !== 'object') return;
			if (part['x-source'] === 'inferred') inferred.push(part['x-unconfirmed']);
			Object.values(part).forEach(walk);
		})(contract().document);
		expect(inferred.length).toBeGreaterThan(40);
		for (const sentence of inferred)
			expect(sentence).toMatch(/^Unconfirmed: [^.]+\. (If|The) .+\.$/);
	});

	test('is what the contract calls unconfirmed, and nothing else', () => {
		const said = endpoints.filter(({ unconfirmed }) => unconfirmed).map(({ key }) => key);
		expect(said).toEqual(
			expect.arrayContaining([
				...endpoints.filter(({ source }) => source === 'inferred').map(({ key }) => key),
				// The interface names these in a way that can be read in two.
				'POST /agents/{uuid}/evaluate/assign',
				'DELETE /agents/{uuid}/evaluate',
			]),
		);
		expect([...new Set(guessed.map(({ operation }) => operation.endpoint))].sort()).toEqual(
			said.sort(),
		);
	});

	test('and nothing else is called so in the list of actions', () => {
		const called = operations.filter(({ operation }) => operation.action.endsWith(' (beta)'));
		expect(called.map(named)).toEqual(guessed.map(named));
	});

	test.each(guessed.map((entry) => [entry.subject, entry] as const))(
		'%s says so above its parameters, and has words and a way round',
		(_, entry) => {
			const { operation } = entry;
			const notices = entry.parameters.filter(({ name }) => name === 'notice');
			expect(notices).toHaveLength(1);
			const [notice] = notices;
			const sentence = endpoints.find(({ key }) => key === operation.endpoint)!.unconfirmed!;
			const [, advice = ''] = /([^.]+\.)$/.exec(
				sentence.replace(/ Then /, ' If it does not work, '),
			)!;
			expect(notice!.displayName).toMatch(
				/<a href='[^']+\/guesses\.md' target='_blank'>Beta<\/a>\. /,
			);
			expect(notice!.displayName.replace(/<[^>]+>/g, '')).toContain(`Beta. ${advice.trim()}`);

			const situation: Situation = {
				host: 'acme.example.com',
				class: operation.method === 'GET' ? 'read' : 'write',
				operation,
			};
			const said = (facts: RequestError['facts']) =>
				describeError(new RequestError('status', 'nothing', facts), situation);
			const noEndpoint = { status: 404, code: 'ENDPOINT_NOT_FOUND' };
			const unknown = [noEndpoint, { status: 404 }, { status: 405 }].map(said);
			const refused = said({ status: 422, code: 'VALIDATION_ERROR', field: 'anything' });
			for (const { message, description } of [...unknown, refused]) {
				expect(message).not.toMatch(/status \d/);
				expect(description).toContain('Other Endpoint');
			}
			expect(refused.description.includes("'Body (JSON)'")).toBe(
				['POST', 'PUT', 'PATCH'].includes(operation.method),
			);
			expect(refused.description.includes("'Query Parameters (JSON)'")).toBe(
				operation.openQuery === true,
			);
		},
	);

	/** All fields of a body with their paths, inside collections and rows too. */
	const bodyOf = (
		placed: readonly Placed[],
		above: string[] = [],
	): Array<Placed & { at: string[]; isTop: boolean }> =>
		placed.flatMap((one) => {
			const at = [...above, ...one.path];
			return [{ ...one, at, isTop: above.length === 0 }, ...bodyOf(one.field.inside ?? [], at)];
		});
	const isGuessed = (operation: Operation, path: string[]) =>
		guessedIn(operation, set({}, path, '')).length > 0;
	const withGuesses = operations.flatMap((entry) => {
		const placed = bodyOf(fieldsOf(entry.operation).filter(({ part }) => part === 'body'));
		return placed
			.filter(({ at }) => isGuessed(entry.operation, at))
			.map((one) => ({ entry, placed: one }));
	});

	test('every guessed field of the contract that an operation has is known as one', () => {
		const marked = withGuesses.map(
			({ entry, placed }) => `${entry.subject} ${placed.at.join('.')}`,
		);
		expect(marked).toEqual(
			expect.arrayContaining([
				'callAction.forward phone_number',
				'callAction.hangup message',
				'campaign.attachPools pool_uuids',
				'email.send to',
				'import.website url',
				'agent.update settings.voice.call_behavior.noise_cancellation',
				'agent.update settings.voice.interruption.advanced.min_interruption_words',
				'listing.addContacts contacts.timezone',
				'listing.addContactsFromItems contacts.timezone',
				'evaluationSetting.update voice.prompt',
			]),
		);
	});

	test('the form says so once, above its fields, and none of its hints does', () => {
		const withFields = new Set(withGuesses.map(({ entry }) => entry));
		expect(withFields.size).toBeGreaterThan(10);
		for (const { subject, operation, parameters } of operations) {
			const notices = parameters.filter(({ type }) => type === 'notice');
			const says = notices.filter(({ displayName }) => /\bbeta\b/i.test(displayName));
			const isBeta = operation.guess !== undefined || operation.guessedFields !== undefined;
			expect([subject, says.length]).toEqual([subject, isBeta ? 1 : 0]);
			expect(JSON.stringify(parameters)).not.toContain('sent as \\"');
		}
	});

	test.each(withGuesses.map((one) => [one.entry.subject, one] as const))(
		'%s: the page of its node names the field that is sent',
		(_, { entry, placed }) => {
			const page = readFileSync(join(repository, `docs/nodes/${entry.node.name}.md`), 'utf8');
			expect(page).toContain(`"${placed.at.at(-1)}"`);
		},
	);

	test.each(
		withGuesses
			.filter(({ placed }) => placed.isTop)
			.map(({ entry, placed }) => [`${entry.subject} ${placed.name}`, entry, placed] as const),
	)('%s can be left out', (_, entry, { name, field }) => {
		const within = entry.parameters.flatMap((one) => [one, ...((one.options ?? []) as any[])]);
		const parameter = within.find((one) => one.name === name);
		expect(jsonOf(entry, 'bodyJson')).toBeDefined();
		// A file stands in no JSON, and a new contact field without key and name would be nothing.
		const isNeeded =
			name === 'binaryPropertyName' ||
			(entry.subject === 'contactField.create' && ['key', 'name'].includes(name));
		expect(field.options.required === true).toBe(isNeeded);
		expect(parameter.required === true).toBe(isNeeded);
	});
});
