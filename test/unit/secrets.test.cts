import {
	mask,
	maskedUrl,
	maskWebhooks,
	namesOfMasked,
	secretsOf,
	withoutQuery,
	withoutSecrets,
} from '../../nodes/engine/secrets/secrets';

test.each([
	['https://a.example.com', 'https://a.example.com', 'https://a.example.com'],
	[
		'https://a.example.com/in?key=abc&empty=&alone&=x',
		'https://a.example.com/in?key=********&empty=&********&=********',
		'https://a.example.com/in',
	],
	['https://a.example.com/in?', 'https://a.example.com/in?', 'https://a.example.com/in'],
	[
		'https://me:pass@a.example.com/@in#part',
		'https://********@a.example.com/@in#********',
		'https://a.example.com/@in',
	],
	['https://a.example.com/?k=a=b?c', 'https://a.example.com/?k=********', 'https://a.example.com/'],
	['not an address?x=1', 'not an address?x=********', 'not an address'],
])('the address %s is shown as %s', (url, masked, short) => {
	expect(maskedUrl(url)).toBe(masked);
	expect(maskedUrl(masked)).toBe(masked);
	expect(withoutQuery(url)).toBe(short);
});

describe('what is about a webhook', () => {
	const url = 'https://a.example.com/?key=abcdefgh';
	const shown = 'https://a.example.com/?key=********';
	test.each<[string, object, object]>([
		['a record with the ID of one', { webhook_uuid: 'w', url }, { webhook_uuid: 'w', url: shown }],
		['a list of them', { webhooks: [{ url }] }, { webhooks: [{ url: shown }] }],
		['an object of that name', { webhook: { url } }, { webhook: { url: shown } }],
		['its secrets', { webhook: { auth_token: 't' } }, { webhook: { auth_token: mask } }],
		['a field of that name', { webhook_url: url }, { webhook_url: shown }],
		['a token of that name', { webhook_header_token: 't' }, { webhook_header_token: mask }],
		[
			'where it leads to',
			{ targetUrl: url, target_url: url },
			{ targetUrl: shown, target_url: shown },
		],
	])('is masked: %s', (_, value, expected) => {
		expect(maskWebhooks(value)).toEqual(expected);
	});

	test('and nothing else is', () => {
		const value = {
			url,
			recording_url: url,
			auth_token: 't',
			webhook: { has_secret: true, recording_url: url, secret_key: null, empty: '', url: '' },
			list: [url, { url }],
			when: new Date(0),
		};
		expect(maskWebhooks(value)).toEqual(value);
	});

	test('by the path, a bare record', () => {
		expect(maskWebhooks([{ url }], '/agents/a/webhooks')).toEqual([{ url: shown }]);
		expect(namesOfMasked({ url: shown, rows: [{ name: mask }] })).toEqual(['url', 'name']);
		expect(namesOfMasked({ url, count: 1, none: null })).toEqual([]);
	});
});

describe('secrets that a request carries', () => {
	test('are those of addresses, and those that are named so', () => {
		const content = {
			url: 'https://a.example.com/?agent=agent-uuid-1&token=abc%2Bdefgh&v=1&bare-secret',
			secret_key: 'signing-secret',
			deep: [{ apiToken: 'deep-secret' }],
			name: 'not a secret',
			password: 'short',
		};
		expect(secretsOf(content, '/agents/agent-uuid-1/webhooks').sort()).toEqual(
			['abc%2Bdefgh', 'abc+defgh', 'bare-secret', 'deep-secret', 'signing-secret'].sort(),
		);
		expect(secretsOf(undefined, '/webhooks')).toEqual([]);
	});

	test.each<[string, (secret: string) => string]>([
		['as it is', (secret) => `It was ${secret}.`],
		['in JSON', (secret) => JSON.stringify({ secret })],
		['in JSON in JSON', (secret) => JSON.stringify(JSON.stringify({ secret }))],
		['in a URL', (secret) => `/x?y=${encodeURIComponent(secret)}`],
		['with slashes that are escaped', (secret) => JSON.stringify(secret).replaceAll('/', '\\/')],
		[
			'in ASCII',
			(secret) =>
				JSON.stringify(secret).replace(
					/[^\x20-\x7e]/g,
					(sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
				),
		],
	])('are masked in a message: %s', (_, spelled) => {
		for (const secret of ['plain-secret', 'with "quotes" and/slashes', 'Ünusual ключ +&=']) {
			const text = withoutSecrets(spelled(secret), [secret, 'plain']);
			expect(text).toContain(mask);
			for (const part of ['plain-', 'quotes', 'slashes', 'nusual', 'ключ'])
				expect(text).not.toContain(part);
		}
	});

	test.each([
		['https://a.example.com/x?token=abc is', 'https://a.example.com/x?******** is'],
		[
			'"https:\\/\\/a.example.com\\/x?a=b\\u0026token=abc"',
			'"https:\\/\\/a.example.com\\/x?********"',
		],
		['\\"https://a.example.com/x?a=/b\\" is', '\\"https://a.example.com/x?********\\" is'],
		[
			"<a href='http://me:pass@a.example.com/#part'>",
			"<a href='http://********@a.example.com/#********'>",
		],
		['See https://a.example.com/x. Why? Because', 'See https://a.example.com/x. Why? Because'],
	])('queries of addresses too: %s', (text, expected) => {
		expect(withoutSecrets(text, [])).toBe(expected);
	});

	test('words of an answer are not torn by what is too short to be a secret', () => {
		expect(withoutSecrets('The field url is required.', ['url', 'require'])).toBe(
			'The field url is required.',
		);
	});
});
