import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { load } from 'js-yaml';

const root = resolve(__dirname, '../../..');
const folder = join(root, 'contract');

/** The areas of interface §1, in its words. */
const areas = [
	'Agents',
	'Agent Knowledge Base',
	'Contact Analyzers',
	'Appointments',
	'Appointment Requests',
	'Assistant Channels',
	'Availability Types',
	'Builders',
	'Call Actions',
	'Campaigns',
	'Coaching Agents',
	'Contacts',
	'Contact Approvals',
	'Contact Fields',
	'Contact Settings',
	'Conversations',
	'Conversation Replies',
	'Instagram',
	'Facebook Messenger',
	'Sessions',
	'Tables',
	'Logs',
	'Email Addresses',
	'Email Messages',
	'Evaluate',
	'Evaluations',
	'Human Calls',
	'Language',
	'Listings',
	'Medias',
	'Memorize',
	'Call',
	'WhatsApp',
	'WhatsApp Calling',
	'SMS',
	'Schedules',
	'Tasks',
	'Transcriptions',
	'Analytics',
	'Flows',
	'Flow Steps',
	'Flow Catalog',
	'Flow Executions',
];
const beyond = ['Outbound', 'Pools', 'Rules', 'Phone Numbers', 'QA Agents', 'Agentic Search'];

/** The endpoints that interface §4 names; `{}` stands for a path parameter. */
const namedByInterface = [
	'POST /agents',
	'GET /agents',
	'POST /agents/{}/notes',
	'POST /agents/{}/guidelines',
	'POST /agents/{}/webhooks',
	'GET /agents/{}/webhooks',
	'GET /agents/{}/voice-advanced',
	'GET /agents/{}/compliance',
	'GET /analytics/calls',
	'GET /analytics/conversations',
	'PUT /contacts/fields/{}',
	'POST /call',
	'POST /whatsapp/template',
	'POST /sms/send',
	'POST /email/messages',
	'POST /listings',
	'GET /outbound/summary',
	'GET /appointments',
	'POST /medias',
	'GET /medias',
	'GET /medias/{}',
	'POST /data/tables',
	'POST /data/import/copypaste',
	'POST /data/import/file',
	'POST /data/import/website',
	'POST /data/{}/records',
	'PUT /data/{}/records/{}',
	'DELETE /data/{}/records/{}',
	'GET /data/{}/fields',
	'POST /data/{}/assign',
	'POST /data/{}/sync',
	'GET /sessions/{}/evaluation',
	'GET /evaluations',
	'GET /analytics/evaluations',
	'GET /evaluate/default',
	'POST /agents/{}/evaluate/assign',
	'PUT /agents/{}/evaluate',
	'DELETE /agents/{}/evaluate',
	'POST /coaching-agents',
	'POST /coaching-agents/{}/set-default',
	'POST /builder-agents',
	'GET /builder-agents/{}',
	'POST /builder-agents/{}/answers',
	'POST /builder-agents/{}/rebuild',
	'POST /builders',
];

const sources = ['seed', 'reference', 'workspace', 'client', 'catalogue', 'inferred'];
const layouts = ['items', 'page', 'flat', 'cursor', 'unknown'];
const sending = ['POST /call', 'POST /whatsapp/template', 'POST /sms/send', 'POST /email/messages'];

interface Parameter {
	name: string;
	in: string;
	'x-source'?: string;
	$ref?: string;
}
interface Operation {
	operationId: string;
	tags: string[];
	'x-source': string;
	'x-source-note'?: string;
	'x-open'?: string[];
	'x-rate'?: string;
	'x-paging'?: string;
	parameters?: Parameter[];
	requestBody?: { content: Record<string, { schema: { $ref?: string } }> };
}
interface Schema {
	properties?: Record<string, unknown>;
}
type PathItem = Record<string, Operation> & { parameters?: Parameter[] };
interface Document {
	tags: Array<{ name: string; 'x-beyond-interface'?: boolean }>;
	paths: Record<string, PathItem>;
	components: { parameters: Record<string, Parameter>; schemas: Record<string, Schema> };
}

const contract = load(readFileSync(join(folder, 'openapi.yaml'), 'utf8')) as Document;
const operations = Object.entries(contract.paths).flatMap(([path, item]) =>
	['get', 'post', 'put', 'patch', 'delete'].flatMap((method) => {
		const operation = item[method];
		return operation ? [{ key: `${method.toUpperCase()} ${path}`, path, item, operation }] : [];
	}),
);

/** Runs scripts/contract.mjs --check on a folder: its exit code and what it wrote. */
function check(target: string) {
	const { status, stdout, stderr } = spawnSync(
		process.execPath,
		[join(root, 'scripts/contract.mjs'), '--check', '--folder', target],
		{ encoding: 'utf8' },
	);
	return { status, output: stdout + stderr };
}

describe('the contract', () => {
	const temporary: string[] = [];
	afterAll(() => temporary.forEach((path) => rmSync(path, { recursive: true })));

	/** A copy of contract/ with one text of openapi.yaml replaced. */
	function changed(from: string, to: string): string {
		const copy = mkdtempSync(join(tmpdir(), 'acp-contract-'));
		temporary.push(copy);
		cpSync(folder, copy, { recursive: true });
		const text = readFileSync(join(copy, 'openapi.yaml'), 'utf8');
		expect(text).toContain(from);
		writeFileSync(join(copy, 'openapi.yaml'), text.replace(from, to));
		return copy;
	}

	test('is valid OpenAPI without linter problems, and its types are fresh', () => {
		expect(check(folder)).toEqual({ status: 0, output: '' });
	});

	test('the check finds an invalid document', () => {
		const { status, output } = check(
			changed('operationId: createAgent', 'operationID: createAgent'),
		);
		expect(status).toBe(1);
		expect(output).toContain('operationID');
	});

	test('the check finds stale types', () => {
		const { status, output } = check(
			changed('company_service: {type: string}', 'company_service: {type: integer}'),
		);
		expect(status).toBe(1);
		expect(output).toContain('types.d.ts is stale');
	});

	test('has the 43 areas of the interface and, marked, those beyond', () => {
		expect(areas).toHaveLength(43);
		expect(contract.tags.map(({ name }) => name)).toEqual([...areas, ...beyond]);
		expect(
			contract.tags.filter((tag) => tag['x-beyond-interface']).map(({ name }) => name),
		).toEqual(beyond);
	});

	// interface: §4.4 shapes
	test('has every endpoint that the interface names, marked seed', () => {
		const seed = operations
			.filter(({ operation }) => operation['x-source'] === 'seed')
			.map(({ key }) => key.replace(/\{[^}]+\}/g, '{}'));
		expect(seed.sort()).toEqual([...namedByInterface].sort());
	});

	// interface: §2.11 other resources; §4.1 rule 7; §4.4 shapes
	test.each(operations.map((entry) => [entry.key, entry] as const))(
		'%s is described',
		(_key, { path, item, operation }) => {
			expect(sources).toContain(operation['x-source']);
			expect(operation.tags).toHaveLength(1);
			expect([...areas, ...beyond]).toContain(operation.tags[0]);
			if (operation['x-source'] === 'inferred') {
				// A guess says where it comes from and what is uncertain.
				expect(operation['x-source-note']).toMatch(/guess/);
				expect(operation['x-open']?.length).toBeGreaterThan(0);
			}
			expect((operation['x-open'] ?? []).filter((open) => typeof open !== 'string')).toEqual([]);
			if (operation['x-paging'] !== undefined) expect(layouts).toContain(operation['x-paging']);
			const declared = (item.parameters ?? []).map(({ $ref, ...parameter }) =>
				$ref ? contract.components.parameters[$ref.split('/').pop()!] : parameter,
			);
			expect(declared.map((parameter) => parameter?.name)).toEqual(
				[...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name),
			);
			expect([...sources, undefined]).toEqual(
				expect.arrayContaining(
					(operation.parameters ?? []).map((parameter) => parameter['x-source']),
				),
			);
		},
	);

	// interface: §8 sends
	test('marks the four sending endpoints, each with a request key', () => {
		const marked = operations.filter(({ operation }) => operation['x-rate'] === 'send');
		expect(marked.map(({ key }) => key).sort()).toEqual([...sending].sort());
		for (const { operation } of marked) {
			const name = operation.requestBody?.content['application/json']?.schema.$ref
				?.split('/')
				.pop();
			expect(contract.components.schemas[name!]?.properties).toHaveProperty('request_key');
		}
	});

	test('every operation has an ID of its own', () => {
		const counts = Object.fromEntries(
			sources.map((source) => [
				source,
				operations.filter(({ operation }) => operation['x-source'] === source).length,
			]),
		);
		process.stdout.write(`contract: ${operations.length} operations ${JSON.stringify(counts)}\n`);
		expect(new Set(operations.map(({ operation }) => operation.operationId)).size).toBe(
			operations.length,
		);
	});
});
