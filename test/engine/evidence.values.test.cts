/**
 * Values and request keys that are others in each try, and what a person corrects before an execution is retried: the
 * sandbox's ledger says who was reached.
 */
import type { INodeParameters } from 'n8n-workflow';
import { type Kind, kinds } from './guarantees/kinds.cts';
import { usePlatform } from './guarantees/platform.cts';
import { lost, promisesOf, refused, unsent } from './guarantees/promises.cts';
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
/** The platform takes no key where no source shows one, and its lists lag. */
const manners = { guessedKeys: 'field', lagMs: 600_000 };
/** Two rows of a listing, whose second one was wrong. */
const column = (field: string) =>
	({ mappingMode: 'defineBelow', value: { phone_number: `={{ $json.${field} }}` } }) as never;

describe('Evidence: a write whose values are others in each try is taken for another write', () => {
	const appointment: Kind = {
		node: 'acpScheduling appointment.create',
		parameters: async () => ({
			schedule: byId((await sandbox.state('schedules'))[0].uuid),
			startTime: '2031-05-01T10:00:00Z',
			endTime: '2031-05-01T10:30:00Z',
		}),
		path: '/appointments',
	};
	const inAnHour = { title: `=T ${moment}`, scheduledAt: '={{ $now.plus({ hours: 1 }) }}' };

	// A key that is refused takes the first request.
	test.each<[string, Kind, INodeParameters, number]>([
		['a new contact', contact, { name: `=Lead ${moment}` }, 1],
		['a note', note, { content: `=As of ${moment}` }, 1],
		['an appointment', appointment, { title: `=Booked at ${moment}` }, 1],
		['a task in an hour', task, inAnHour, 2],
		['a listing named after the time', launch, { name: `=Leads ${moment}` }, 2],
	])('%s, its answer lost, Retry On Fail: sent once', async (_, kind, change, nth) => {
		await given(kind, { manners, strikes: [lost(nth)] });
		await perform(kind, 1, { options: { maxRetries: 0 }, change, ...retrying });
		const sent = await requests(kind.path);
		expect(sent.filter(({ effect }) => effect === 'created')).toHaveLength(1);
	});

	promises({
		'a lost note is found by what was sent, not by what it says now': {
			does: note,
			when: {
				...retrying,
				options: { maxRetries: 0 },
				change: { content: `=As of ${moment}` },
				strikes: [lost()],
			},
			then: { hints: 'the request went through', requests: 1 },
		},
		'what is done stays done: a third item is refused, Retry execution': {
			does: [{ ...contact, of: byPhone }, 3],
			when: {
				options: once,
				change: { name: `=${moment}` },
				strikes: [refused(3)],
				again: 'retry',
			},
			then: { first: '2 done', happens: phones(0, 1, 2) },
		},
	});
});

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
		'a contact with another name: held back': {
			does: contact,
			when: { options: { maxRetries }, strikes: [lost()], again: { change: { name: 'Anna' } } },
			then: { fails: other, requests: 1 },
		},
		'a contact with another name: sent with Retry Writes': {
			does: contact,
			when: {
				options: { maxRetries },
				strikes: [lost()],
				again: { options: { maxRetries, retryWrites: true }, change: { name: 'Anna' } },
			},
			then: { requests: 2 },
		},
		'a text that was sent before it was corrected: told, and not sent again': {
			does: [kinds.sms, 2],
			when: { options: once, strikes: [lost(2)], again: { change: { message: 'Better' } } },
			then: { hints: 'with other values. They were not sent again', happens: 'once' },
		},
		'a text that was corrected, and whose request was lost: the corrected one is sent, once': {
			does: [kinds.sms, 3],
			when: {
				options: once,
				strikes: [unsent(2)],
				again: { change: { message: "={{ $json.text.replace('1', 'Better') }}" } },
			},
			then: { happens: onceEach(['Hello 0', 'Hello Better', 'Hello 2']) },
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

	test('another agent writes: the corrected one writes, under a key of its own', async () => {
		const [wrong, right] = [await agent(0), await agent(1)];
		const kind: Kind = { ...sms, of: ({ agentId, message }) => `${agentId} ${message}` };
		await given(kind, { strikes: [lost(2)] });
		const failed = await perform(kind, 3, { options: once });
		const change = { agent: byId(`={{ $json.text === 'Hello 1' ? '${right}' : '${wrong}' }}`) };
		await retry(failed, kind, 3, { options: once, change });
		expect(await happened(kind)).toEqual(
			onceEach([0, 1, 2].map((at) => `${wrong} Hello ${at}`).concat(`${right} Hello 1`)),
		);
	});

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
