import { createHmac } from 'node:crypto';
import { isSigned } from '../../nodes/AcpTrigger/signature';
import { markOf } from '../../nodes/engine/http/workspace';
import { secretOf, type Owner } from '../../nodes/shared/registration/plan';
import { sameText, seal, unseal } from '../../nodes/shared/registration/proof';

const callbackToken = (apiToken: string, owner: Owner) =>
	secretOf('acp-trigger', 'callback', apiToken, owner).toString('base64url');
const signingSecret = (apiToken: string, owner: Owner) =>
	secretOf('acp-trigger', 'signature', apiToken, owner).toString('hex');

const body = Buffer.from('{"event":"conversation_end_report","data":{"name":"Şükrü 😀"}}');
const secret = 'a-secret-of-at-least-thirty-two-characters';
const digest = (
	algorithm: string,
	encoding: 'hex' | 'base64' | 'base64url',
	content: Buffer | string = body,
	key = secret,
) => createHmac(algorithm, key).update(content).digest(encoding);

// interface: §6 signature
describe('a valid signature is found wherever it stands', () => {
	const ofTime = `1700000000.${body.toString()}`;
	const cases: Array<[string, string, (value: string, timed: string) => string | string[]]> = [
		['alone', 'x-signature', (value) => value],
		['with a name', 'x-hub-signature-256', (value) => `sha256=${value}`],
		['with v1=', 'webhook-signature', (value) => `t=1700000000,v1=${value}`],
		['of time and body', 'stripe-like', (_, timed) => `t=1700000000, v1=${timed}`],
		['among others', 'x-signature', (value) => `${digest('sha1', 'hex', body, 'old')} ${value}`],
		['in a repeated header', 'x-signature', (value) => ['none', value]],
	];
	test.each(cases)('%s', (_, header, written) => {
		for (const algorithm of ['sha1', 'sha256', 'sha512'])
			for (const encoding of ['hex', 'base64', 'base64url'] as const) {
				const value = digest(algorithm, encoding);
				const headers = {
					[header]: written(value, digest(algorithm, encoding, ofTime)),
					cookie: 'a=b',
				};
				expect(isSigned(body, headers, [secret])).toBe(true);
				expect(isSigned(body, headers, ['other', secret])).toBe(true);
			}
	});

	test('in capitals; of an empty body', () => {
		const headers = { 'x-signature': digest('sha256', 'hex').toUpperCase() };
		expect(isSigned(body, headers, [secret])).toBe(true);
		const ofNothing = { 'x-signature': digest('sha256', 'hex', '') };
		expect(isSigned(Buffer.alloc(0), ofNothing, [secret])).toBe(true);
	});
});

// interface: §6 signature
describe('everything else is not signed', () => {
	const value = digest('sha256', 'hex');
	const many = (count: number) =>
		Array(count)
			.fill(digest('sha1', 'hex', 'x'))
			.join(',');
	test.each<[string, string | undefined, content?: string, secrets?: string[]]>([
		['an empty header', ''],
		['one without value', undefined],
		['another body', value, `${body.toString()} `],
		['another secret', value, undefined, ['other']],
		['no secret', value, undefined, []],
		['an empty secret', digest('sha256', 'hex', body, ''), undefined, ['']],
		['half of it', value.slice(0, 32)],
		['one character changed', `${value.startsWith('0') ? '1' : '0'}${value.slice(1)}`],
		['the secret itself', secret],
		['a hash without key', markOf(body.toString())],
		['md5', digest('md5', 'hex')],
		['characters outside ASCII', `sha256=${'é'.repeat(64)}`],
		['an endless header', `${'a'.repeat(5000)},${value}`],
		['more candidates than anybody sends', `${many(64)},${value}`],
		[
			'a time that does not belong to it',
			`t=1700000001,v1=${digest('sha256', 'hex', `1700000000.${body.toString()}`)}`,
		],
	])('%s', (_, header, content = body.toString(), secrets = [secret]) => {
		expect(isSigned(Buffer.from(content), { 'x-signature': header }, secrets)).toBe(false);
		expect(isSigned(Buffer.from(content), {}, secrets)).toBe(false);
	});

	test('of 64 candidates the last counts, too', () => {
		expect(isSigned(body, { 'x-signature': `${many(63)},${value}` }, [secret])).toBe(true);
	});
});

test('a sealed secret is opened by its token alone, and never looks the same', () => {
	const token = callbackToken('token', { workflow: 'w', node: 'n', agent: 'a' });
	const sealed = seal(secret, token);
	expect(sealed).toMatch(/^[\w-]+$/);
	expect(unseal(sealed, token)).toBe(secret);
	expect(seal(secret, token)).not.toBe(sealed);
	for (const other of ['', 'token', `${token}x`]) expect(unseal(sealed, other)).toBeUndefined();
	for (const damaged of ['', 'x', sealed.slice(0, -4), `${sealed}AAAA`])
		expect(unseal(damaged, token)).toBeUndefined();
});

describe('the secrets of a registration', () => {
	const owner = { workflow: 'w', node: 'n', agent: 'a' };
	test('are the same every time, long, and differ for everything that differs', () => {
		expect(callbackToken('token', owner)).toBe(callbackToken('token', { ...owner }));
		expect(callbackToken('token', owner)).toMatch(/^[\w-]{43}$/);
		expect(signingSecret('token', owner)).toMatch(/^[0-9a-f]{64}$/);
		const all = [
			callbackToken('token', owner),
			callbackToken('other', owner),
			callbackToken('token', { ...owner, workflow: 'v' }),
			callbackToken('token', { ...owner, node: 'm' }),
			callbackToken('token', { ...owner, agent: 'b' }),
			// Parts do not run into each other.
			callbackToken('token', { workflow: 'wn', node: '', agent: 'a' }),
			Buffer.from(signingSecret('token', owner), 'hex').toString('base64url'),
		];
		expect(new Set(all).size).toBe(all.length);
	});

	test('texts are compared whatever their lengths', () => {
		expect(sameText('abc', 'abc')).toBe(true);
		expect(sameText('abc', 'abcd')).toBe(false);
		expect(sameText('', 'a')).toBe(false);
	});
});
