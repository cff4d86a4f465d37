/** Where a credential leads, and when it leads nowhere: the token goes to no other place. */
import {
	apiRoot,
	cleanToken,
	InvalidBaseUrl,
	isLoopback,
	markOf,
	workspaceOf,
} from '../../nodes/engine/http/workspace';

test.each([
	['https://acme.example.com', 'https://acme.example.com/api/v1'],
	['  https://acme.example.com/  ', 'https://acme.example.com/api/v1'],
	['acme.example.com', 'https://acme.example.com/api/v1'],
	['HTTPS://ACME.example.com', 'https://acme.example.com/api/v1'],
	['https://acme.example.com:8443', 'https://acme.example.com:8443/api/v1'],
	['https://acme.example.com/api/v1', 'https://acme.example.com/api/v1'],
	['https://acme.example.com/api/v1/', 'https://acme.example.com/api/v1'],
	['https://acme.example.com///', 'https://acme.example.com/api/v1'],
	['https://acme.example.com//api/v1//', 'https://acme.example.com/api/v1'],
	['https://acme.example.com///api/v1', 'https://acme.example.com/api/v1'],
	['http://localhost:5000', 'http://localhost:5000/api/v1'],
	['http://127.0.0.1:5000', 'http://127.0.0.1:5000/api/v1'],
	['http://[::1]:5000', 'http://[::1]:5000/api/v1'],
])('the base URL %j leads to %s', (written, root) => {
	const found = apiRoot(written);
	expect(found.root).toBe(root);
	expect(found.root.startsWith(found.origin)).toBe(true);
	expect(found.host).toBe(new URL(root).hostname);
	expect(found.loopback).toBe(root.startsWith('http:'));
});

test.each([
	['', /is empty/],
	['   ', /is empty/],
	[undefined, /is empty/],
	[5, /is empty/],
	['https://', /is not a URL/],
	['ftp://acme.example.com', /is not a URL/],
	['xhttps://acme.example.com', /is not a URL/],
	['httpsx://acme.example.com', /is not a URL/],
	['http://acme.example.com', /begins with http:/],
	['http://localhost.example.com', /begins with http:/],
	['http://127.0.0.1.example.com', /begins with http:/],
	['https://anna@acme.example.com', /more than a host/],
	['https://:secret@acme.example.com', /more than a host/],
	['https://acme.example.com?a=1', /more than a host/],
	['https://acme.example.com#a', /more than a host/],
	['acme.example.com/a://b', /has a path/],
	['https://acme.example.com/app', /has a path \("\/app"\)/],
	['https://acme.example.com/api/v1/agents', /has a path \("\/api\/v1\/agents"\)/],
	['https://acme.example.com/api/v11', /has a path \("\/api\/v11"\)/],
	[
		`https://acme.example.com/${'a'.repeat(80)}`,
		new RegExp(`has a path \\("/${'a'.repeat(59)}"\\)`),
	],
])('the base URL %j leads nowhere', (written, says) => {
	expect(() => apiRoot(written)).toThrow(InvalidBaseUrl);
	expect(() => apiRoot(written)).toThrow(says);
});

test('this machine, and what only looks like it', () => {
	const here = ['localhost', 'app.localhost', '127.0.0.1', '127.255.10.3', '[::1]', '::1'];
	const elsewhere = ['localhost.example.com', 'notlocalhost', 'localhost.', '127.0.0', '::2'];
	const close = ['127.0.0.1.example.com', 'x127.0.0.1', '128.0.0.1'];
	expect([...here, ...elsewhere, ...close].filter(isLoopback)).toEqual(here);
});

test.each([
	['abc', 'abc'],
	['  abc\n', 'abc'],
	['Bearer abc', 'abc'],
	[' Bearer abc', 'abc'],
	['bearer   abc', 'abc'],
	['Bearer\nabc', 'abc'],
	['abc\r\ndef', 'abcdef'],
	['xBearer abc', 'xBearerabc'],
	['Bearerabc', 'Bearerabc'],
	['Bearer ', ''],
	[undefined, ''],
	[5, ''],
])('the token %j is sent as %j', (written, token) => {
	expect(cleanToken(written)).toBe(token);
});

test.each([
	['', 'is empty'],
	['  \n', 'is empty'],
	['Bearer', 'is empty'],
	['Bearer  ', 'is empty'],
	[undefined, 'is empty'],
	['Authorization: Bearer abc', "is a whole 'Authorization' header"],
	['authorization:Bearer abc', "is a whole 'Authorization' header"],
	['"Authorization": "Bearer abc"', "is a whole 'Authorization' header"],
	["-H 'Authorization: Bearer abc'", "is a whole 'Authorization' header"],
	['Authorization=Bearer abc', "is a whole 'Authorization' header"],
	['Bearer: abc', "is a whole 'Authorization' header"],
	['••••••••', 'has characters that no token has'],
	['abc…', 'has characters that no token has'],
])('what cannot be a token is refused: %j', (token, reason) => {
	const open = () => workspaceOf({ baseUrl: 'https://acme.example.com', token } as never);
	expect(open).toThrow(InvalidBaseUrl);
	expect(open).toThrow(`'Token' in the credential ${reason}`);
	expect(() => open()).not.toThrow('abc');
});

test.each(['abc', '12|abc:def', 'Bearer authorization', 'bearer-abc'])(
	'what may be a token is taken: %j',
	(token) => {
		expect(workspaceOf({ baseUrl: 'acme.example.com', token }).host).toBe('acme.example.com');
	},
);

test('a mark tells secrets apart and gives none away', () => {
	expect(markOf('hush')).toBe('3IMxvLIoPonSdaHC_mb3v1rDFj7Bln8UndfieQY2Xww');
	expect(markOf('Hush')).not.toBe(markOf('hush'));
});

describe('the other values of a credential', () => {
	const credential = { baseUrl: 'acme.example.com', token: 'x' };
	test('a zone is read, an empty one is none, one that does not exist is refused', () => {
		const zone = (timezone: unknown) => workspaceOf({ ...credential, timezone } as never).zone;
		expect(zone('Europe/Istanbul')).toMatchObject({ type: 'iana', name: 'Europe/Istanbul' });
		expect(zone('').type).toBe('none');
		expect(zone(undefined).type).toBe('none');
		expect(() => zone('Mars/Olympus')).toThrow(InvalidBaseUrl);
		expect(() => zone('Mars/Olympus')).toThrow(/not known: "Mars\/Olympus"/);
	});

	test('a secret loses the spaces around it; without one it is empty', () => {
		const secret = (webhookSecret: unknown) =>
			workspaceOf({ ...credential, timezone: '', webhookSecret } as never).webhookSecret;
		expect(secret(' hush ')).toBe('hush');
		expect(secret(undefined)).toBe('');
	});
});
