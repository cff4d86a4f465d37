/**
 * Values and request keys that are others in each try, and what a person corrects before an execution is retried: the
 * sandbox's ledger says who was reached.
 */
import type { INodeParameters } from 'n8n-workflow';
import { type Kind, kinds } from './guarantees/kinds.cts';
import { usePlatform } from './guarantees/platform.cts';
import { lost, promisesOf, refused } from './guarantees/promises.cts';
import { byId, failure, fast, mapped, onceEach, people, phoneOf } from './guarantees/scene.cts';

const platform = usePlatform({ settings: fast, speed: 50 });
const { sandbox, engine } = platform;
// A process remembers what it has launched.
beforeEach(async () => await engine.forget());
const { agent, given, happened, perform, promises, retry } = promisesOf(platform);
const { call, contact, contactByApiRequest, email, launch, note, smsByApiRequest } = kinds;
const of = (body: any) => body.phoneNumber ?? body.phone_number ?? body.contact?.phone_number;
const sms: Kind = { ...kinds.sms, of };
const task: Kind = {
	...{ ...kinds.task, of },
	parameters: (one) => ({ ...kinds.task.parameters(one), autoQueue: false }),
};
const phones = (...indexes: number[]) => onceEach(indexes.map(phoneOf));

/** What `$now` is in a longer wait between tries. */
const moment = '{{ $now.toMillis() }}-{{ Math.random() }}';
/** No tries within a run, and one item after the other, so that the run ends at the first fault. */
const once = { maxRetries: 0, concurrency: 1 };

describe('Evidence: a Request Key that is another in each try is taken for the key of another request', () => {
	promises({
		'made of execution and time, Retry execution: nobody is written to twice': {
			does: [sms, 3],
			when: {
				options: { ...once, requestKey: `={{ $execution.id }}-${moment}` },
				strikes: [lost(2)],
				again: 'retry',
			},
			then: { first: '1 done', happens: phones(0, 1, 2) },
		},
	});
});

describe('Evidence: a corrected request is taken for one that was never sent', () => {
	const other = 'An earlier try sent this with other values, and it may have gone through';
	const rows = (wrong: number) =>
		people(wrong + 1).map((one, at) => ({ ...one, right: phoneOf(at === wrong ? 9 : at) }));
	const change = { contacts: mapped({ phone_number: '={{ $json.right }}' }) };

	promises({
		'a launched listing, one number corrected: not launched again': {
			does: [launch, rows(1)],
			// The run looks for the lost listing, and does not see it.
			when: {
				options: { maxRetries: 0 },
				manners: { lagMs: 600_000, guessedKeys: 'field' },
				strikes: [lost(2)],
				again: { change },
			},
			then: { fails: other, silent: 'added', there: { listings: 1 } },
		},
	});

	test('the second part of a list, a row of the third corrected: no row is sent twice', async () => {
		const off = { autoStart: false };
		const options = { maxRetries: 0, batchSize: 1 };
		await sandbox.strike('POST /contacts$', 'reset-after', { nth: 1 });
		const failed = await perform(launch, rows(2), { change: off, options });
		const result = await retry(failed, launch, rows(2), { change: { ...off, ...change }, options });
		expect(failure(result)).toContain(other);
		const sent = await sandbox.ledger({ method: 'POST' });
		expect(sent.map(({ body }) => body.contacts[0].phone_number)).toEqual([0, 1].map(phoneOf));
	});
});

describe('Evidence: what was sent to the wrong recipient is taken for sent', () => {
	const phoneNumber = `={{ $json.phone.replace(/1$/, '9') }}`;
	const bodyOf = (kind: typeof smsByApiRequest, index: number) => async () => ({
		body: kind
			.parameters(await agent())
			.body.replace('$json.phone', `$json.phone.replace(/${index}$/, '9')`),
	});

	const created = { ...contactByApiRequest, of };
	test.each<[string, Kind, INodeParameters | (() => Promise<INodeParameters>), typeof lost]>([
		['a call', call, { phoneNumber }, lost],
		['an SMS', sms, { phoneNumber }, lost],
		['a task', task, { phoneNumber }, lost],
		['an email', email, { to: "={{ $json.phone.slice(1).replace(/1$/, '9') }}@example.com" }, lost],
		['an SMS by API Request', { ...smsByApiRequest, of }, bodyOf(smsByApiRequest, 1), lost],
		['a contact that was created', created, bodyOf(contactByApiRequest, 0), refused],
	])(
		'%s, corrected and retried: everybody is reached once, the right one too',
		async (_, kind, change, strike) => {
			await given(kind, { strikes: [strike(2)] });
			const failed = await perform(kind, 3, { options: once });
			expect(failed.status).toBe('error');
			const corrected = typeof change === 'function' ? await change() : change;
			const result = await retry(failed, kind, 3, { options: once, change: corrected });
			expect(result.json()).toHaveLength(3);
			expect(await happened(kind)).toEqual(phones(0, 1, 2, 9));
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

test('each try names what is wrong now and how far it came, not what an earlier one left uncertain', async () => {
	const names = (error: any, index: number, sum: string) => {
		expect(error.message).toMatch(new RegExp(`\\(\\+1415555000${index}\\) \\[item ${index}\\]$`));
		expect(error.description).toContain(sum);
	};
	await given(contact, { strikes: [lost()] });
	const first = await perform(contact, 3, { options: { concurrency: 1 } });
	names(first.error, 0, '');
	await sandbox.clearFaults();
	await given(contact, { strikes: [refused(2)] });
	const second = await engine.retry(first);
	names(second.error, 2, '1 done, 1 uncertain, 1 not done.');
	expect(second.error?.httpCode).toBe('403');
	await sandbox.clearFaults();
	// Now nothing else is wrong, so the one that is uncertain is named.
	names((await engine.retry(second)).error, 0, '2 done, 1 uncertain, 0 not done.');
});
