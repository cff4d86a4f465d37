/**
 * Requests of every kind: 401 for strangers, 4xx and nothing for what is no JSON object, else one item with the whole
 * body, which is what the workflow answers.
 */
import fc from 'fast-check';
import { fuzz, objectsOf, runsOf, sometimes, word, type Shot } from './harness/fuzz.cts';
import { usePlatform } from './harness/index.cts';
import { tokenOf, triggersOn } from './harness/triggers.cts';

const platform = usePlatform();
const { agents, intentOf, intentTrigger, newIntent } = triggersOn(platform);

const letters = ['a', 'Z', '0', 'ğ', '键', '😀', '{', '$', '='];
const names = [
	...['parameters', 'arguments', 'data', 'intent', 'call', 'guests', 'conversation_uuid'],
	...['contact_info', 'number', 'name', 'key', 'value', 'error', 'message', 'length'],
	...['toString', 'hasOwnProperty'],
];
const parts = fc.record({
	body: objectsOf(
		fc.oneof({ weight: 2, arbitrary: word(letters, 6, 1) }, fc.constantFrom(...names)),
		fc.oneof(
			fc.constantFrom<unknown>(0, -1, 0.1, 1e21, 42),
			word(['a', ' ', '"', '\\', '\n', '\u0000', '😀', '{', '='], 12),
		),
		5,
	),
	contentType: fc.constantFrom(
		...['application/json', 'application/json; charset=utf-8', 'text/plain', 'image/png', ''],
	),
	guests: sometimes(
		fc.oneof(fc.integer({ min: -9, max: 99 }), fc.constantFrom('4', 'four', '', true)),
		5,
		1,
	),
	stranger: sometimes(
		fc.constantFrom(
			...(['no query', 'no token', 'wrong token', 'two tokens', 'other intent'] as const),
			...(['intent as list', 'wrong auth token'] as const),
		),
		1,
		4,
	),
	spoiled: sometimes(
		fc.constantFrom(
			...(['cut', 'empty', 'list', 'number', 'deep', 'no JSON', 'multipart', 'form'] as const),
		),
		1,
		4,
	),
	rightAuthToken: fc.boolean(),
});
type Parts = typeof parts extends fc.Arbitrary<infer T> ? T : never;

interface Place {
	agent: string;
	intent: string;
	token: string;
	authToken: string;
}

const right = ({ agent, intent, token }: Place) =>
	`?agent=${agent}&intent=${intent}&token=${token}`;
const queries: Record<NonNullable<Parts['stranger']>, (place: Place) => string> = {
	'no query': () => '',
	'no token': ({ agent, intent }) => `?agent=${agent}&intent=${intent}`,
	'wrong token': (place) => `${right(place)}x`,
	'two tokens': (place) => `${right(place)}&token=${place.token}`,
	'other intent': (place) => right({ ...place, intent: place.agent }),
	'intent as list': (place) => right(place).replace('intent=', 'intent[]='),
	'wrong auth token': right,
};

const [json, form] = ['application/json', 'application/x-www-form-urlencoded'];
/** What is sent instead: status, body, content type, and the body that must come out. */
const spoilers: Record<
	NonNullable<Parts['spoiled']>,
	[status: number, body: string, type?: string, expected?: object]
> = {
	cut: [422, '{"a":', json],
	empty: [200, '', undefined, {}],
	list: [400, '[{}]'],
	number: [400, '5', json],
	deep: [400, `{"a":${'['.repeat(150)}${']'.repeat(150)}}`],
	'no JSON': [415, 'guests', 'text/plain'],
	multipart: [415, '--x\r\n\r\n--x--', 'multipart/form-data; boundary=x'],
	form: [200, 'guests=4&number=1', form, { guests: '4', number: '1' }],
};

/** The request that is made of these parts, its status, and the body that must come out. */
function shotOf(given: Parts, place: Place): Shot & { expected?: object; guests: unknown } {
	const { guests, spoiled, stranger } = given;
	const whole = guests === undefined ? given.body : { ...given.body, parameters: { guests } };
	const [status, body, type = given.contentType, expected] = spoiled
		? spoilers[spoiled]
		: [200, JSON.stringify(whole), undefined, whole];
	const auth = stranger === 'wrong auth token' ? 'wrong' : given.rightAuthToken && place.authToken;
	const isStrange = stranger !== undefined && status !== 422;
	return {
		query: queries[stranger ?? 'wrong auth token'](place),
		body,
		headers: { 'content-type': type, ...(auth && { authorization: `Bearer ${auth}` }) },
		status: isStrange ? 401 : status,
		...(isStrange ? {} : { expected }),
		guests,
	};
}

/** What the parameter that the intent declares as an integer must be, where it is given by name. */
const typedGuests = (guests: unknown) => (guests === '4' ? 4 : guests === '' ? null : guests);

test.each(runsOf(20262, 250))(
	'$requests requests with seed $seed: each is answered as it should be, and the right ones start',
	async (run) => {
		const [agent] = (await agents()) as [string];
		const guest = { key: 'guests', type: 'integer', default: '', required: true };
		const intent = await newIntent(agent, { parameters: [guest] });
		const after = { type: 'harness.values', parameters: { values: { question: '={{ $json }}' } } };
		const trigger = await intentTrigger(agent, intent, {}, { after } as never);
		await trigger.activate();
		const { url, auth_token: authToken } = (await intentOf(agent, intent)).webhook;
		const place = { agent, intent, token: tokenOf(url), authToken };
		await fuzz(
			{ ...run, statuses: [200, 400, 401, 415, 422], least: 0.5 },
			parts,
			trigger,
			(given) => shotOf(given, place),
			(shots, executions, answers) => {
				// The workflow answers with the trigger's item.
				const told = shots.flatMap(({ expected, guests }, at) =>
					expected ? [{ answer: answers[at]!.data.question, expected, guests }] : [],
				);
				expect(executions).toHaveLength(told.length);
				for (const { answer, expected } of told) {
					expect(answer).toMatchObject({ intent, agent });
					expect(answer.body).toEqual(JSON.parse(JSON.stringify(expected)));
				}
				const named = told.filter(
					({ expected, guests }) => guests !== undefined && 'parameters' in expected,
				);
				expect(named.map(({ answer }) => answer.parameters)).toEqual(
					named.map(({ guests }) => ({ guests: typedGuests(guests) })),
				);
				return told.length;
			},
		);
	},
	900_000,
);
