/** What of the built package can reach a network, by its code. */
import assert from '../asserted.mjs';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { test } from 'node:test';
import { ensureBuild, repository } from '../../tools/bootstrap.mjs';

await ensureBuild();
const dist = join(repository, 'dist');
const files = readdirSync(dist, { recursive: true })
	.map(String)
	.filter((name) => name.endsWith('.js'))
	.map((name) => ({
		name: relative(dist, join(dist, name)).replaceAll('\\', '/'),
		code: readFileSync(join(dist, name), 'utf8'),
	}));

const filesWith = (pattern) =>
	files
		.filter(({ code }) => pattern.test(code))
		.map(({ name }) => name)
		.sort();

test('one module reaches the network, through n8n; another only this n8n itself', () => {
	assert.ok(files.length > 50);
	assert.deepEqual(filesWith(/helpers\s*\.\s*(httpRequest|request)\w*/), [
		// Asks n8n whether it serves a published workflow.
		'nodes/AcpIntentTrigger/registration.js',
		'nodes/engine/http/client.js',
	]);
	assert.deepEqual(
		filesWith(/httpRequestWithAuthentication|requestWithAuthentication|requestOAuth/),
		['nodes/engine/http/client.js'],
	);
});

test('nothing reaches a network past n8n', () => {
	const past =
		/globalThis|XMLHttpRequest|WebSocket|require\(["'](node:)?(https?|http2|net|tls|dgram|dns|child_process|undici|axios)["']\)|\bimport\(|\beval\(|new Function/;
	assert.match('const a = require("node:https");', past);
	assert.deepEqual(filesWith(past), []);
});

test('fetch is called in two modules, where it is the name of a parameter', () => {
	assert.deepEqual(filesWith(/(?<![.\w])fetch\s*\(/), [
		'nodes/engine/pages/pages.js',
		'nodes/engine/pages/whole.js',
	]);
	assert.match(
		String(files.find(({ name }) => name.endsWith('/pages.js'))?.code),
		/const \{ fetch,/,
	);
});

test('no address of anybody else is contacted', () => {
	const known =
		/^https?:\/\/(your-workspace\.example\.com|.*\.example\.com|example\.com|docs\.n8n\.io|github\.com\/agent-conversation-platform|github\.com\/google\/libphonenumber)/;
	const addresses = files.flatMap(
		({ code }) => code.match(/https?:\/\/[a-z0-9][a-z0-9.-]*\.[a-z]{2,}[^\s'"`<)]*/gi) ?? [],
	);
	assert.ok(addresses.length > 5);
	assert.deepEqual([...new Set(addresses.filter((address) => !known.test(address)))], []);
});
