/**
 * On Error is Continue and Retry On Fail is on: n8n runs the node again when its first item tells of an error, with all
 * its items. The sandbox's ledger says what really happened.
 */
import { agentOf, contact, fast, happened, onceEach, people, sms } from './guarantees/scene.cts';
import { usePlatform, type Result } from './harness/index.cts';

const { sandbox, engine } = usePlatform({ settings: fast, engine: { expressionEngine: 'legacy' } });

const outputs = [
	['the regular output', 'continueRegularOutput'],
	['the error output', 'continueErrorOutput'],
] as const;
const retrying = { retryOnFail: true, maxTries: 3, waitBetweenTries: 1 };
const once = { maxRetries: 0, concurrency: 1 };
const names = (count: number) => people(count).map(({ text }) => text);

/** The first request of the first try goes wrong. */
const first = async (path: string, fault: { kind: 'reset-after' | 'reset-before' | 'status' }) =>
	await sandbox.strike(
		`POST ^${path}$`,
		{ ...fault, ...(fault.kind === 'status' ? { status: 403 } : {}) },
		{ nth: 1 },
	);
const posts = async (path: string) => (await sandbox.ledger({ path, method: 'POST' })).length;
/** Items that tell of an error, wherever they come out. */
const errors = (result: Result): any[] =>
	[...result.json('Node', 0), ...result.json('Node', 1)].filter((json) => 'error' in json);

describe.each(outputs)('errors go to %s', (_, onError) => {
	const run = async (kind: 'sms' | 'contact', items: object[] = people(4)) => {
		const [node, parameters] =
			kind === 'sms'
				? ['acpMessages', sms(await agentOf(sandbox), once)]
				: ['acpContacts', contact(once)];
		return await engine.runNode(node as string, parameters as never, {
			items: items as never,
			...retrying,
			onError,
		});
	};
	const sent = async () => await happened(sandbox, '/sms/send', ({ message }) => message);
	const made = async () => await happened(sandbox, '/contacts', ({ name }) => name);

	test.each(['reset-after', 'reset-before', 'status'] as const)(
		'a keyed send, %s: the second run sends that one alone, and everybody is written to once',
		async (kind) => {
			await first('/sms/send', { kind });
			const result = await run('sms');
			expect(errors(result)).toEqual([]);
			expect(result.pairedItems()).toEqual([[0], [1], [2], [3]]);
			expect(await sent()).toEqual(onceEach(names(4)));
			expect(await posts('/sms/send')).toBe(5);
		},
	);

	test('a write without a key that was refused: the second run sends that one alone', async () => {
		await first('/contacts', { kind: 'status' });
		const result = await run('contact');
		expect(result.json().map(({ name }) => name)).toEqual(names(4));
		expect(await made()).toEqual(onceEach(names(4)));
		expect(await posts('/contacts')).toBe(5);
	});

	test.each([
		['reset-after', 1],
		['reset-before', 0],
	] as const)(
		'a write without a key, %s: no run sends it again, it is named, and the others are there once',
		async (kind, times) => {
			await first('/contacts', { kind });
			const result = await run('contact');
			expect(errors(result)).toEqual([
				expect.objectContaining({
					error: expect.stringMatching(/^This request may have gone through in an earlier try/),
				}),
			]);
			expect(
				result
					.json()
					.filter((json) => !('error' in json))
					.map(({ name }) => name),
			).toEqual(names(4).slice(1));
			expect({ 'Hello 0': 0, ...(await made()) }).toEqual({
				...onceEach(names(4)),
				'Hello 0': times,
			});
			expect(await posts('/contacts')).toBe(4);
		},
	);

	test.each(['sms', 'contact'] as const)(
		'the first item cannot be prepared (%s): every run refuses it, and the others are sent once',
		async (kind) => {
			const items = people(4).map((item, index) => ({
				...item,
				phone: index === 0 ? 'none' : item.phone,
			}));
			const result = await run(kind, items);
			expect(errors(result)).toEqual([
				expect.objectContaining({
					error: expect.stringMatching(/^'Phone Number' is not a phone number/),
				}),
			]);
			const path = kind === 'sms' ? '/sms/send' : '/contacts';
			expect(await (kind === 'sms' ? sent() : made())).toEqual(onceEach(names(4).slice(1)));
			expect(await posts(path)).toBe(3);
		},
	);
});
