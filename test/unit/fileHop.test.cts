import { fileHop, isPrivate } from '../../nodes/engine/http/fileHop';

const workspace = new URL('https://acme.example.com/api/v1');
const from = new URL('https://files.example.com/a?signature=x');

test.each([
	...'localhost LOCALHOST. files.localhost 127.0.0.1 127.1 0x7f.1 2130706433 0.0.0.0 10.1.2.3'.split(
		' ',
	),
	...'100.64.0.1 100.127.255.254 169.254.169.254 172.16.0.1 172.31.255.254 192.168.0.1'.split(' '),
	...'192.0.0.8 198.18.0.1 224.0.0.1 255.255.255.255 [::] [::1] [0:0:0:0:0:0:0:1] [fc00::1]'.split(
		' ',
	),
	...'[fd12:3456::1] [fe80::1] [ff02::1] [::ffff:10.0.0.1] [::10.0.0.1] [64:ff9b::a00:1]'.split(
		' ',
	),
	...'[2002:a00:1::] 168.63.129.16 [::ffff:168.63.129.16]'.split(' '),
	...'[2001:0:4136:e378:8000:63bf:3fff:fdd2] [2001::1] [2001:0:0:1::]'.split(' '),
])('%s is in a private network or on this machine', (host) => {
	expect(isPrivate(new URL(`https://${host}/`).hostname)).toBe(true);
	expect(() => fileHop(from, `https://${host}/x`, false)).toThrow(
		'a file URL in a private network, or one that redirects there; the file was not read',
	);
	expect(() => fileHop(workspace, `https://${host}/x`, false)).toThrow(
		'a file URL in a private network',
	);
	expect(fileHop(from, `https://${host}/x`, true).pathname).toBe('/x');
});

test.each([
	...'files.example.com example.com 10.example.com 127.0.0.1.example.com fc00.example.com'.split(
		' ',
	),
	...'8.8.8.8 168.63.129.17 [2001:4860:4860::8888] [2001:db8::1] 11.0.0.1 100.63.0.1'.split(' '),
	...'100.128.0.1 172.15.0.1 172.32.0.1 192.167.0.1 198.17.0.1 198.20.0.1 [2606:4700::1111]'.split(
		' ',
	),
])('%s is public', (host) => {
	expect(isPrivate(new URL(`https://${host}/`).hostname)).toBe(false);
	expect(fileHop(from, `https://${host}/x`, false).href).toBe(`https://${host}/x`);
});

test.each(['http://files.example.com/b', 'ftp://files.example.com/b', 'file:///b', 'data:,b'])(
	'%s is not encrypted',
	(to) => {
		expect(() => fileHop(from, to, false)).toThrow('an unencrypted file URL');
		if (!to.startsWith('http:'))
			expect(() => fileHop(from, to, true)).toThrow('an unencrypted file URL');
	},
);

test('a hop may be written relative to where it comes from, and stay on its host', () => {
	expect(fileHop(from, '../b', false).href).toBe('https://files.example.com/b');
	expect(fileHop(from, '//cdn.example.com/b', false).href).toBe('https://cdn.example.com/b');
	const inside = new URL('https://10.0.0.1/api/v1');
	expect(fileHop(inside, 'https://10.0.0.1:8443/b', false).port).toBe('8443');
	expect(() => fileHop(inside, 'https://10.0.0.2/b', false)).toThrow('in a private network');
});

test('what is no web address is refused', () => {
	expect(() => fileHop(from, 'https://', false)).toThrow('not a web URL');
});
