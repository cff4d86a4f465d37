import { createHmac } from 'node:crypto';
import { isSigned } from '../../nodes/AcpTrigger/signature';
import { markOf } from '../../nodes/engine/http/workspace';
import { secretOf, type Owner } from '../../nodes/engine/registration/plan';
import { sameText, seal, unseal } from '../../nodes/engine/registration/proof';

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
	const cases: Array<[string, Record<string, string | string[]>]> = [];
	for (const algorithm of ['sha1', 'sha256', 'sha512'])
		for (const encoding of ['hex', 'base64', 'base64url'] as const) {
			const value = digest(algorithm, encoding);
			cases.push(
				[`${algorithm} ${encoding}`, { 'x-signature': value }],
				[
					`${algorithm} ${encoding} with a prefix`,
					{ 'x-hub-signature-256': `${algorithm}=${value}` },
				],
				[`${algorithm} ${encoding} with v1=`, { 'webhook-signature': `t=1700000000,v1=${value}` }],
				[
					`${algorithm} ${encoding} of time and body`,
					{
						'stripe-like': `t=1700000000, v1=${digest(algorithm, encoding, `1700000000.${body.toString()}`)}`,
					},
				],
				[
					`${algorithm} ${encoding} among others`,
					{ 'x-signature': `${digest(algorithm, encoding, body, 'old')} ${value}`, cookie: 'a=b' },
				],
				[`${algorithm} ${encoding} in a repeated header`, { 'x-signature': ['none', value] }],
			);
		}
	cases.push(['hex in capitals', { 'x-signature': digest('sha256', 'hex').toUpperCase() }]);
	test.each(cases)('%s', (_, headers) => {
		expect(isSigned(body, headers, [secret])).toBe(true);
		expect(isSigned(body, headers, ['other', secret])).toBe(true);
	});
});

// interface: §6 signature
describe('everything else is not signed', () => {
	const value = digest('sha256', 'hex');
	test.each<[string, Buffer, Record<string, string | string[] | undefined>, string[]]>([
		['no header', body, {}, [secret]],
		['an empty one', body, { 'x-signature': '' }, [secret]],
		['one without value', body, { 'x-signature': undefined }, [secret]],
		['another body', Buffer.concat([body, Buffer.from(' ')]), { 'x-signature': value }, [secret]],
		['another secret', body, { 'x-signature': value }, ['other']],
		['no secret', body, { 'x-signature': value }, []],
		['an empty secret', body, { 'x-signature': digest('sha256', 'hex', body, '') }, ['']],
		['half of it', body, { 'x-signature': value.slice(0, 32) }, [secret]],
		[
			'one character changed',
			body,
			{ 'x-signature': `${value.startsWith('0') ? '1' : '0'}${value.slice(1)}` },
			[secret],
		],
		['the secret itself', body, { 'x-signature': secret }, [secret]],
		['a hash without key', body, { 'x-signature': markOf(body.toString()) }, [secret]],
		['md5', body, { 'x-signature': digest('md5', 'hex') }, [secret]],
		['characters outside ASCII', body, { 'x-signature': `sha256=${'é'.repeat(64)}` }, [secret]],
		['an endless header', body, { 'x-signature': 'a'.repeat(100_000) }, [secret]],
		[
			'a thousand candidates',
			body,
			{
				'x-signature': Array(1000)
					.fill(digest('sha1', 'hex', 'x'))
					.join(',')
					.slice(0, 4000),
			},
			[secret],
		],
		[
			'a time that does not belong to it',
			body,
			{
				'x-signature': `t=1700000001,v1=${digest('sha256', 'hex', `1700000000.${body.toString()}`)}`,
			},
			[secret],
		],
	])('%s', (_, content, headers, secrets) => {
		expect(isSigned(content, headers, secrets)).toBe(false);
	});
});

test('an empty body can be signed', () => {
	expect(isSigned(Buffer.alloc(0), { 'x-signature': digest('sha256', 'hex', '') }, [secret])).toBe(
		true,
	);
});

describe('a time that the signature covers', () => {
	const at = (time: number | string) =>
		`t=${time},v1=${digest('sha256', 'hex', `${time}.${body.toString()}`)}`;
	test.each<[string, string, boolean]>([
		['the same second', at(1_700_000_000), true],
		['a second before', at(1_699_999_999), false],
		['the same millisecond', at('1700000000000'), true],
		['a millisecond before', at('1699999999999'), false],
		['later', at(1_800_000_000), true],
		['long ago, nine digits', at(999_999_999), false],
		['old, but not covered', `t=1,v1=${digest('sha256', 'hex')}`, true],
	])('%s (%s): valid is %p', (_, header, valid) => {
		expect(isSigned(body, { 'x-signature': header }, [secret], 1_700_000_000_000)).toBe(valid);
		expect(isSigned(body, { 'x-signature': header }, [secret])).toBe(true);
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
