/**
 * Values and request keys that are others in each try, and what a person corrects before an execution is retried: the
 * sandbox's ledger says who was reached.
 */
import type { INodeParameters } from 'n8n-workflow';
import { type Kind, kinds } from './guarantees/kinds.cts';
import { usePlatform } from './guarantees/platform.cts';
import { lost, promisesOf, refused } from './guarantees/promises.cts';
import { byId, failure, fast, onceEach, people, phoneOf, retrying } from './guarantees/scene.cts';

const platform = usePlatform({ settings: fast, speed: 50 });
// A process remembers what it has launched.
beforeEach(async () => {
	await platform.engine.forget();
});
const { sandbox, engine } = platform;
const { agent, given, happened, perform, promises, requests, retry } = promisesOf(platform);
const { call, contact, contactByApiRequest, email, launch, note, smsByApiRequest, task, template } =
	kinds;
const byPhone = (body: any) => body.phoneNumber ?? body.phone_number ?? body.contact?.phone_number;
const sms: Kind = { ...kinds.sms, of: byPhone };
const phones = (...indexes: number[]) => onceEach(indexes.map(phoneOf));

/** What `$now` is in a longer wait between tries. */
const moment = '{{ $now.toMillis() }}-{{ Math.random() }}';
/** No tries within a run, and one item after the other, so that the run ends at the first fault. */
const once = { maxRetries: 0, concurrency: 1 };
/** Two rows of a listing, whose second one was wrong. */
const column = (field: string) =>
	({ mappingMode: 'defineBelow', value: { phone_number: `={{ $json.${field} }}` } }) as never;

describe('Evidence: a Request Key that is another in each try is taken for the key of another request', () => {
	promises(
		Object.fromEntries(
			[
				['the execution', '={{ $execution.id }}-{{ $itemIndex }}'],
				['the time', `=${moment}`],
			].map(([what, requestKey]) => [
				`made of ${what}, Retry execution: nobody is written to twice`,
				{
					does: [sms, 3],
					when: { options: { ...once, requestKey }, strikes: [lost(2)], again: 'retry' },
					then: { first: '1 done', happens: phones(0, 1, 2) },
				},
			]),
		),
	);

	test('a tool call, Retry On Fail: written once', async () => {
		await given(sms, { strikes: [lost()] });
		const parameters = {
			...(await sms.parameters(await agent(), sandbox)),
			phoneNumber: "={{ $fromAI('to', '', 'string') }}",
			message: `=At ${moment}`,
			options: { maxRetries: 0 },
		};
		const calls = [{ args: { to: phoneOf(1) } }];
		const { answers } = await engine.callTools(sms.node, parameters, calls, retrying);
		expect(JSON.stringify(answers)).toContain('messageId');
		expect(await happened(sms)).toEqual(phones(1));
	});
});

describe('Evidence: a corrected request is taken for one that was never sent', () => {
	const other = 'An earlier try sent this with other values, and it may have gone through';
	const rows = (wrong: number) =>
		people(wrong + 1).map((one, at) => ({ ...one, right: phoneOf(at === wrong ? 9 : at) }));
	const maxRetries = 0;

	promises({
		...Object.fromEntries(
			[
				['the platform knows the key', {}, 1] as const,
				['the platform takes no key for listings', { guessedKeys: 'field' }, 2] as const,
			].map(([what, more, nth]) => [
				`a launched listing, one number corrected, ${what}: not launched again`,
				{
					does: [launch, rows(1)],
					when: {
						options: { maxRetries },
						// The run looks for the lost listing, and does not see it.
						manners: { ...more, lagMs: 600_000 },
						strikes: [lost(nth)],
						again: { change: { contacts: column('right') } },
					},
					then: { fails: other, silent: 'added', there: { listings: 1 } },
				},
			]),
		),
		'a text that was sent before it was corrected: told, and not sent again': {
			does: [kinds.sms, 2],
			when: { options: once, strikes: [lost(2)], again: { change: { message: 'Better' } } },
			then: { hints: 'with other values. They were not sent again', happens: 'once' },
		},
	});

	test('the second part of a list, a row of the third corrected: no row is sent twice', async () => {
		const chosen = { change: { autoStart: false }, options: { maxRetries, batchSize: 1 } };
		await sandbox.strike('POST /contacts$', 'reset-after', { nth: 1 });
		const failed = await perform(launch, rows(2), chosen);
		const change = { ...chosen.change, contacts: column('right') };
		const result = await retry(failed, launch, rows(2), { ...chosen, change });
		expect(failure(result)).toContain(other);
		const sent = await sandbox.ledger({ method: 'POST' });
		expect(sent.map(({ body }) => body.contacts[0].phone_number)).toEqual([0, 1].map(phoneOf));
	});
});

describe('Evidence: what was sent to the wrong recipient is taken for sent', () => {
	/** The input's field, but for one value, which a person has corrected. */
	const instead = (field: string, wrong: string, right: string) =>
		`={{ $json.${field} === '${wrong}' ? '${right}' : $json.${field} }}`;
	const rightPhone = { phoneNumber: instead('phone', phoneOf(1), phoneOf(9)) };
	const everybody = phones(0, 1, 2, 9);

	test.each<[string, Kind, INodeParameters]>([
		['a call', call, rightPhone],
		['an SMS', sms, rightPhone],
		['a WhatsApp template', template, rightPhone],
		['a task', { ...task, of: byPhone }, { ...rightPhone, autoQueue: false }],
		['an email', email, { to: "={{ $json.phone.slice(1).replace(/1$/, '9') }}@example.com" }],
	])(
		'%s, corrected and retried: everybody is reached once, the right one too',
		async (_, kind, change) => {
			// The wrong one is reached before it is corrected.
			await given(kind, { strikes: [lost(2)] });
			const { phoneNumber: _corrected, to: _to, ...before } = change;
			const failed = await perform(kind, 3, { options: once, change: before });
			expect(failed.status).toBe('error');
			const result = await retry(failed, kind, 3, { options: once, change });
			expect(result.json()).toHaveLength(3);
			expect(await happened(kind)).toEqual(everybody);
			const keys = (await requests(kind.path)).map(({ body }) => body.request_key);
			expect(new Set(keys).size).toBe(4);
		},
	);

	test.each([
		['an SMS by API Request', { ...smsByApiRequest, of: byPhone }, lost(2), '1', everybody],
		['a contact', { ...contactByApiRequest, of: byPhone }, refused(2), '0', everybody],
	])(
		'%s, its number corrected: the right one is reached, too',
		async (_, kind, strike, index, all) => {
			await given(kind, { strikes: [strike] });
			const failed = await perform(kind, 3, { options: once });
			const { body } = (await kind.parameters(await agent())) as { body: string };
			const right = `$json.phone.replace(/${index}$/, '9')`;
			const change = { body: body.replace('$json.phone', right) };
			const result = await retry(failed, kind, 3, { options: once, change });
			expect(result.json()).toHaveLength(3);
			expect(await happened(kind)).toEqual(all);
		},
	);

	test('the address: a note goes to the right agent, also where an earlier one went to the wrong one', async () => {
		const [one, other] = [await agent(0), await agent(1)];
		const kind: Kind = { ...note, of: ({ content }, path) => `${path.split('/')[2]} ${content}` };
		const missing = '00000000-0000-4000-8000-000000000000';
		const items = people(4).map((item, at) => ({ ...item, agent: at === 2 ? missing : one }));
		const change = { agent: byId('={{ $json.agent }}') };
		const failed = await perform(kind, items, { options: once, change });
		const wrong = `={{ ['Hello 1', 'Hello 2'].includes($json.text) ? '${other}' : $json.agent }}`;
		await retry(failed, kind, items, { options: once, change: { agent: byId(wrong) } });
		expect(await happened(kind)).toEqual(
			onceEach([
				...[0, 1, 3].map((at) => `${one} Hello ${at}`),
				...[1, 2].map((at) => `${other} Hello ${at}`),
			]),
		);
	});
});

describe('Evidence: what an earlier try left uncertain is taken for what is wrong now', () => {
	test('each try names what ended it, and how far it came', async () => {
		const ofItem = (index: number) =>
			new RegExp(`\\(\\+1415555000${index}\\) \\[item ${index}\\]$`);
		await given(contact, { strikes: [lost()] });
		const first = await perform(contact, 3, { options: { concurrency: 1 } });
		expect(first.error?.message).toMatch(ofItem(0));
		await sandbox.clearFaults();
		await given(contact, { strikes: [refused(2)] });
		const second = await engine.retry(first);
		expect(second.error?.message).toMatch(ofItem(2));
		expect(second.error?.httpCode).toBe('403');
		expect(second.error?.description).toMatch(/1 done, 1 uncertain, 1 not done\./);
		await sandbox.clearFaults();
		// Now nothing else is wrong, so the one that is uncertain is named.
		const last = await engine.retry(second);
		expect(last.error?.message).toMatch(ofItem(0));
		expect(last.error?.description).toMatch(/2 done, 1 uncertain, 0 not done\./);
	});
});
