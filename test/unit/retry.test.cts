import { networkError, RequestError } from '../../nodes/engine/errors/requestError';
import { retryDelay } from '../../nodes/engine/http/again';
const none = { failures: 1, throttledMs: 0 };
const half = () => 0.5;
const status = (code: number, retryAfterMs?: number) =>
	new RequestError('status', code < 500 && code !== 408 ? 'nothing' : 'unknown', {
		status: code,
		retryAfterMs,
	});

describe('Evidence: a status that passes is taken for a final answer', () => {
	test.each([408, 423, 425, 429, 500, 502, 503, 504, 507, 509, 520, 522, 524, 530])(
		'status %i, as data or as a page: reads and keyed sends are tried again',
		(code) => {
			for (const reason of ['status', 'html'] as const) {
				const requestError = new RequestError(reason, 'unknown', { status: code });
				for (const kind of ['read', 'keyed'] as const)
					expect(retryDelay(requestError, { class: kind }, none, half)).toBeDefined();
			}
		},
	);
});

describe('what is tried again', () => {
	const isRepeated = (kind: 'read' | 'keyed' | 'write', error: RequestError): boolean =>
		retryDelay(error, { class: kind }, none, half) !== undefined;

	// interface: §7 retry
	test.each([
		['read', [500, 503, 504], [400, 404, 422, 501, 505, 519, 531]],
		['keyed', [429, 500, 502, 504], [401, 403]],
		['write', [423, 425, 429], [408, 500, 503, 504, 520]],
	] as const)('%s: after %j, but not after %j', (kind, again, never) => {
		expect(again.filter((code) => !isRepeated(kind, status(code)))).toEqual([]);
		expect(never.filter((code) => isRepeated(kind, status(code)))).toEqual([]);
	});

	test.each([
		['connectionRefused', undefined, true],
		['html', 200, true],
		['html', 403, false],
		['html', 404, false],
		['html', 501, false],
	] as const)('a read, %s with status %s: %s', (reason, code, again) => {
		const error = new RequestError(reason, 'nothing', { status: code });
		expect(isRepeated('read', error)).toBe(again);
	});

	test.each([
		['write', ['connectionRefused', 'name'], ['dropped', 'timeout', 'tls', 'unreadable']],
		['keyed', ['dropped', 'timeout', 'unreadable'], []],
		['read', ['unreadable'], ['redirect']],
	] as const)('%s: after %j, but not after %j', (kind, again, never) => {
		const errorOf = (reason: RequestError['reason']) =>
			new RequestError(
				reason,
				['connectionRefused', 'name'].includes(reason) ? 'nothing' : 'unknown',
			);
		expect(again.filter((reason) => !isRepeated(kind, errorOf(reason)))).toEqual([]);
		expect(never.filter((reason) => isRepeated(kind, errorOf(reason)))).toEqual([]);
	});

	test('what sets the same again is repeated', () => {
		expect(retryDelay(status(500), { class: 'set' }, none, half)).toBeDefined();
	});

	// interface: §8 rule 1
	test('never sooner than the platform asks', () => {
		expect(retryDelay(status(429, 7000), { class: 'keyed' }, none, () => 0)).toBeGreaterThanOrEqual(
			7000,
		);
		expect(retryDelay(status(503, 9000), { class: 'read' }, none, () => 0)).toBeGreaterThanOrEqual(
			9000,
		);
	});

	// interface: §7 retry
	test('waits grow and end with the tries allowed', () => {
		const delays = [1, 2, 3, 4, 5].map((failures) =>
			retryDelay(status(503), { class: 'read' }, { failures, throttledMs: 0 }, () => 0.999),
		);
		for (let index = 1; index < delays.length; index++)
			expect(delays[index]!).toBeGreaterThan(delays[index - 1]!);
		expect(
			retryDelay(status(503), { class: 'read' }, { failures: 6, throttledMs: 0 }, half),
		).toBeUndefined();
		expect(retryDelay(status(503), { class: 'read', maxRetries: 0 }, none, half)).toBeUndefined();
	});

	test.each([
		[429, 1],
		[503, 5],
	])('after %i a wait of more than %i minutes is told, not waited', (code, longest) => {
		const after = (minutes: number) =>
			retryDelay(status(code, minutes * 60_000), { class: 'keyed' }, none, half);
		expect(after(longest)).toBeGreaterThanOrEqual(longest * 60_000);
		expect(after(longest + 0.1)).toBeUndefined();
	});

	test('what would end later than ten minutes after the first 429 is not waited for', () => {
		const after = (throttledMs: number) =>
			retryDelay(status(429, 30_000), { class: 'keyed' }, { failures: 0, throttledMs }, half);
		expect(after(569_999)).toBeGreaterThanOrEqual(30_000);
		expect(after(570_000)).toBeUndefined();
	});
});

describe('what n8n’s helper throws', () => {
	test.each([
		['ECONNREFUSED', 'connectionRefused', 'nothing'],
		['ENOTFOUND', 'name', 'nothing'],
		['EAI_AGAIN', 'name', 'nothing'],
		['ECONNRESET', 'dropped', 'unknown'],
		['ETIMEDOUT', 'timeout', 'unknown'],
		['DEPTH_ZERO_SELF_SIGNED_CERT', 'tls', 'nothing'],
		['CERT_HAS_EXPIRED', 'tls', 'nothing'],
	])('%s is %s, and %s happened', (code, reason, outcome) => {
		const wrapped = Object.assign(new Error('outer'), {
			cause: Object.assign(new Error('inner'), { code }),
		});
		expect(networkError(wrapped, 60)).toMatchObject({ reason, outcome });
	});

	test('an unknown failure leaves it open whether something happened', () => {
		expect(networkError(new Error('strange'), 60)).toMatchObject({
			reason: 'dropped',
			outcome: 'unknown',
		});
	});
});
