/**
 * What an operation says about itself, beside what the contract says about its endpoint. A flag too many or too few
 * places a call twice, sends it without its pace, or lets a request leave that cannot be accepted; no other test runs
 * into all of them. What is asked for beyond the contract, and under which conditions, the pages of the nodes record.
 */
import { camelCase, map } from 'lodash';
import type { INodeProperties } from 'n8n-workflow';
import { contract, endpointParameters, flat, resolve } from '../../../tools/contract.cjs';
import { nodes, operationsOf } from '../../../tools/operations.cjs';
import { keySourceOf } from '../../../nodes/engine/operation/recovery';

const { document, endpoints } = contract();
const all = nodes();
const operations = operationsOf(all).map((entry) => ({
	...entry,
	endpoint: endpoints.find(({ key }) => key === entry.operation.endpoint)!,
}));
type Entry = (typeof operations)[number];

const subjectsWhere = (holds: (entry: Entry) => boolean): string[] =>
	map(operations.filter(holds), 'subject').sort();

const bodyOf = ({ endpoint }: Entry): any => {
	const content = resolve(document, endpoint.contract.requestBody)?.content;
	return (content?.['application/json'] ?? content?.['multipart/form-data'])?.schema;
};

/** Paths of all required fields of a body; of a required object with required fields, these. */
const requiredIn = (schema: any, above: string[] = []): string[] => {
	const { required = [], properties = {} } = flat(document, schema);
	return required.flatMap((name: string) => {
		const inner = requiredIn(properties[name], [...above, name]);
		return inner.length ? inner : [[...above, name].join('.')];
	});
};

describe('send', () => {
	test('is the kind of the four endpoints that interface §8 names, and of no other operation', () => {
		const messages = ['POST /email/messages', 'POST /sms/send', 'POST /whatsapp/template'];
		const sending = ['POST /call', ...messages];
		const paced = endpoints.filter(({ contract: { 'x-rate': rate } }) => rate === 'send');
		expect(paced.map(({ key }) => key).sort()).toEqual(sending);
		expect(subjectsWhere(({ operation }) => operation.paced)).toEqual(
			subjectsWhere(({ operation }) => sending.includes(operation.endpoint)),
		);
	});
});

describe('keyed', () => {
	/** How the contract knows that an endpoint takes `request_key`: not at all, by a source, or by our guess. */
	const keyOf = (entry: Entry): 'documented' | 'inferred' | undefined => {
		const body = bodyOf(entry);
		const field = body && flat(document, body).properties?.request_key;
		if (!field) return undefined;
		return (field['x-source'] ?? entry.endpoint.source) === 'inferred' ? 'inferred' : 'documented';
	};

	test.each(['documented', 'inferred', undefined] as const)(
		'%s: exactly the operations whose request key the contract has so',
		(kind) => {
			expect(subjectsWhere(({ operation }) => keySourceOf(operation.recover) === kind)).toEqual(
				subjectsWhere((entry) => keyOf(entry) === kind),
			);
		},
	);

	test('every send is keyed by document, so that a repeated request is never a second call', () => {
		expect(
			subjectsWhere(({ operation }) => keySourceOf(operation.recover) === 'documented'),
		).toEqual(subjectsWhere(({ operation }) => operation.paced));
	});

	test('every keyed operation offers the request key, and no other does', () => {
		const offers = ({ parameters }: Entry) =>
			parameters.some(
				({ name, options }) =>
					name === 'options' &&
					(options as INodeProperties[]).some((option) => option.name === 'requestKey'),
			);
		expect(subjectsWhere(offers)).toEqual(
			subjectsWhere(({ operation }) => keySourceOf(operation.recover) !== undefined),
		);
	});
});

describe('what an update leaves out', () => {
	const isKnown = (leftOut: string | undefined) => ['stays', 'replaced'].includes(leftOut ?? '');

	test('the contract says of every PATCH and PUT what becomes of it, or that it is unconfirmed', () => {
		for (const { key, method, leftOut } of endpoints) {
			const updates = method === 'PATCH' || method === 'PUT';
			expect([key, leftOut !== undefined]).toEqual([key, updates]);
			expect(isKnown(leftOut) || !updates || /^Unconfirmed: .+\.$/.test(leftOut!)).toBe(true);
		}
	});

	const unconfirmed = operations.filter(
		({ endpoint, operation }) =>
			endpoint?.leftOut !== undefined && !isKnown(endpoint.leftOut) && operation.kind !== 'raw',
	);
	test.each(unconfirmed.map((entry) => [entry.subject, entry] as const))(
		'%s says what to do in the words of the contract, and promises nothing',
		(_, { endpoint, operation, parameters }) => {
			const notices = parameters.filter(({ type }) => type === 'notice');
			const advice = endpoint.leftOut!.replace(/^Unconfirmed: [^.]+\. /, '');
			expect(notices.map(({ displayName }) => displayName).join()).toContain(advice);
			expect(operation.description).not.toMatch(/change only|in change\b|stay the same|are kept/i);
		},
	);

	test('only an update that a source calls partial is said to leave the rest alone', () => {
		const said: Record<string, RegExp> = {
			'PATCH /agents/{uuid}/guard-rules/{ruleUuid}': /Only the fields sent change/,
			'PATCH /agents/{uuid}/routing-rules/{ruleUuid}': /Only the fields sent change/,
			'PATCH /coaching-agents/{uuid}': /Only the fields sent change/,
			'PUT /agents/{uuid}/evaluate': /Partial bodies are accepted/,
			'PUT /contacts/fields/{key}': /Only the fields sent change/,
			'PUT /contacts/{uuid}': /Only the keys sent change/,
			'PUT /evaluate/default': /Partial bodies are accepted/,
			'PUT /phone-numbers/trunks/assign': /Number, credentials and settings stay/,
			'PUT /rules/{uuid}': /Only the fields sent change/,
		};
		const stays = endpoints.filter(({ leftOut }) => leftOut === 'stays');
		expect(stays.map(({ key }) => key).sort()).toEqual(Object.keys(said));
		for (const { key, source, contract: of } of stays) {
			expect(of.description).toMatch(said[key]!);
			expect(['seed', 'reference']).toContain(source);
		}
	});
});

describe('request keys', () => {
	const keyed = operations.flatMap(({ subject, operation, parameters }) => {
		const options = parameters.find(({ name }) => name === 'options')?.options as INodeProperties[];
		const key = options?.find(({ name }) => name === 'requestKey');
		return key
			? [{ subject, documented: keySourceOf(operation.recover) === 'documented', key }]
			: [];
	});

	test('only where a source says so is it promised that the platform acts on each once', () => {
		const promised = keyed.filter(({ key }) => /acts on it once/.test(key.description!));
		expect(keyed.length).toBeGreaterThan(promised.length);
		expect(promised).toEqual(keyed.filter(({ documented }) => documented));
	});
});

describe('not for AI agents', () => {
	const reasons: Record<string, string> = {
		'builder.create': 'starts a machine that costs money',
		'builder.createSsh': 'gives a way into a machine',
		'builder.exec': 'runs any command',
		'builder.recreateSsh': 'gives a way into a machine',
		'phoneNumber.buy': 'buys a number',
		'phoneNumber.deleteTrunk': 'takes a number out of use',
		'phoneNumber.release': 'gives a number back that may not be had again',
	};

	test('what costs money, runs commands or loses a number is marked, and nothing else', () => {
		expect(subjectsWhere(({ operation }) => operation.tool === false)).toEqual(
			Object.keys(reasons).sort(),
		);
	});

	test('what is marked is hidden from a tool’s list of operations, and nothing else', () => {
		const hidden = all.flatMap(({ description }) =>
			description.properties
				.filter(({ name }) => name === 'operation')
				.flatMap(({ options, displayOptions }) =>
					(options as INodeProperties[])
						.filter((option) => option.displayOptions?.hide?.['@tool' as never] !== undefined)
						.map(
							(option) =>
								`${displayOptions!.show!.resource![0] as string}.${(option as unknown as { value: string }).value}`,
						),
				),
		);
		expect(hidden.sort()).toEqual(Object.keys(reasons).sort());
	});
});

describe('required', () => {
	/** Required by the contract and always filled, although nobody has to fill it in. */
	const alwaysFilled: Record<string, { fields: string[]; because: string }> = {
		'analytics.exportMessages': {
			fields: ['query from', 'query to'],
			because: 'the period has a default',
		},
		'analytics.getCalls': { fields: ['query from', 'query to'], because: 'the same' },
		'analytics.getSessions': { fields: ['query from', 'query to'], because: 'the same' },
		'listing.stop': { fields: ['path uuid'], because: 'the node finds the tasks of the listing' },
		'builder.create': {
			fields: ['body files'],
			because: 'they may come in Body (JSON) instead; without them nothing is sent',
		},
		'listing.create': {
			fields: ['body contacts'],
			because: 'a listing may begin without contacts, and the empty list is sent',
		},
	};

	/** Parameter of each place of a request, by the definition of the operation. */
	const namesOf = ({ operation }: Entry): Map<string, string> => {
		const walk = (fields: object, above: string[]): Array<[string, string]> =>
			Object.entries(fields).flatMap(([key, field]): Array<[string, string]> => {
				const path = [...above, key];
				return typeof field.show === 'function'
					? [[path.join('.'), field.options.name ?? camelCase(path.join(' '))]]
					: walk(field, path);
			});
		return new Map(
			(['path', 'query', 'body'] as const).flatMap((part) =>
				walk(operation[part], []).map(([path, name]) => [`${part} ${path}`, name] as const),
			),
		);
	};
	const requiredByContract = (entry: Entry): string[] => {
		const parameters = endpointParameters(document, entry.endpoint);
		const body = bodyOf(entry);
		return [
			...parameters.filter((one) => one.in === 'path').map(({ name }) => `path ${name}`),
			...parameters
				.filter((one) => one.in === 'query' && one.required)
				.map(({ name }) => `query ${name}`),
			...(body ? requiredIn(body).map((path) => `body ${path}`) : []),
		];
	};

	test.each(operations.map((entry) => [entry.subject, entry] as const))(
		'%s asks for what the contract requires',
		(subject, entry) => {
			const names = namesOf(entry);
			const filled = alwaysFilled[subject]?.fields ?? [];
			const byContract = requiredByContract(entry);
			expect(filled.filter((field) => !byContract.includes(field))).toEqual([]);
			const wanted = byContract
				.filter((field) => !filled.includes(field))
				.map((field) => names.get(field) ?? field);
			const asked = entry.parameters.filter(({ required }) => required).map(({ name }) => name);
			expect(asked).toEqual(expect.arrayContaining(wanted));
		},
	);

	test('the list above names operations that exist', () => {
		const known = new Set(operations.map(({ subject }) => subject));
		expect(known.size).toBeGreaterThan(150);
		expect(Object.keys(alwaysFilled).filter((name) => !known.has(name))).toEqual([]);
	});
});
