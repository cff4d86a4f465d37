/** Where the credential lets its token go, whichever node of n8n sends the request. */
import type { IHttpRequestOptions } from 'n8n-workflow';
import { AcpApi } from '../../credentials/AcpApi.credentials';

const credential = { baseUrl: 'https://acme.example.com', token: 'the-token' };
const signed = async (options: object, baseUrl = credential.baseUrl) =>
	await new AcpApi().authenticate({ ...credential, baseUrl }, options as IHttpRequestOptions);
const below = 'https://acme.example.com/api/v1/agents';

test.each<[object, string]>([
	[{ url: below }, below],
	[{ uri: below }, below],
	[{ url: below, uri: below }, below],
	[{ url: `${below}?per_page=1&a[]=2` }, `${below}?per_page=1&a[]=2`],
	[{ url: `${below}/a%2Fb` }, `${below}/a%2Fb`],
	[{ url: 'https://acme.example.com/api/v1' }, 'https://acme.example.com/api/v1'],
	[{ url: 'HTTPS://ACME.example.com:443/api/v1/agents' }, below],
	[{ url: 'https://acme.example.com/x/../api/v1/agents' }, below],
	[{ url: '/agents', baseURL: 'https://acme.example.com' }, below],
	[{ url: '/agents', baseURL: ' ACME.example.com/api/v1/ ' }, below],
])('%j gets the token at %s', async (options, target) => {
	const { headers, url, uri, baseURL } = (await signed(options)) as IHttpRequestOptions & {
		uri?: string;
	};
	expect(headers).toEqual({ Authorization: 'Bearer the-token' });
	expect([url, uri ?? target, baseURL]).toEqual([target, target, undefined]);
});

test.each([
	...[
		'https://evil.example.com/api/v1/agents',
		'http://acme.example.com/api/v1/agents',
		'//evil.example.com/api/v1/agents',
		'/api/v1/agents',
		'',
		'https://acme.example.com',
		'https://acme.example.com/elsewhere',
		'https://acme.example.com/api/v10/agents',
		'https://acme.example.com/api/V1/agents',
		'https://acme.example.com./api/v1/agents',
		'https://acme.example.com:8443/api/v1/agents',
		'https://acme.example.com.evil.example.com/api/v1/agents',
		'https://acme.example.com@evil.example.com/api/v1/agents',
		'https://evil.example.com\\@acme.example.com/api/v1/agents',
		'https://anna:secret@acme.example.com/api/v1/agents',
		'https:\\\\evil.example.com\\api\\v1\\agents',
		'https://acme.example.com/api/v1/../../elsewhere',
		'https://acme.example.com/api/v1/%2e%2e/elsewhere',
		'https://acme.example.com/api/v1/..%2f..%2felsewhere',
		'https://acme.example.com/api/v1/..%5c..%5celsewhere',
		'https://acme.example.com/api/v1\\..\\..\\elsewhere',
		'https://acme.example.com\t.evil.example.com/api/v1/agents',
		'file:///etc/passwd',
	].flatMap((url) => [{ url }, { uri: url }]),
	{ url: below, uri: below, baseURL: 'https://acme.example.com' },
	{ url: '@evil.example.com/x', baseURL: 'https://acme.example.com' },
	{ url: '/agents', baseURL: 'https://evil.example.com' },
	{ url: 'https://evil.example.com/api/v1/agents', uri: below },
])('%j does not get it', async (options) => {
	await expect(signed(options)).rejects.toThrow(/only sends its token to https:\/\/acme\.example/);
});

test.each([
	{ proxy: 'http://evil.example.com:8080' },
	{ proxy: { protocol: 'http', host: 'evil.example.com', port: 8080 } },
	{ skipSslCertificateValidation: true },
	{ rejectUnauthorized: false },
	{ agentOptions: { ca: 'a certificate of their own' } },
	{ headers: { hOsT: 'evil.example.com' } },
])('%j lets somebody else read it, so it is refused', async (more) => {
	await expect(signed({ url: below, ...more })).rejects.toThrow(
		/a connection that n8n itself checks/,
	);
});

test('what n8n sets by itself is no objection; without encryption only on this machine', async () => {
	const plain = {
		proxy: '',
		agentOptions: {},
		rejectUnauthorized: true,
		headers: { accept: '*/*' },
	};
	const url = 'http://127.0.0.1:5000/api/v1/agents';
	const { headers } = await signed({ url, ...plain }, 'http://127.0.0.1:5000');
	expect(headers).toEqual({ accept: '*/*', Authorization: 'Bearer the-token' });
	await expect(
		signed({ url: 'http://127.0.0.1:5001/api/v1/agents' }, 'http://127.0.0.1:5000'),
	).rejects.toThrow(/only sends/);
});
