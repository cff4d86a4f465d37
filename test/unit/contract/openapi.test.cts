import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { contract, sources } from '../../../tools/contract.cjs';

const root = resolve(__dirname, '../../..');
const folder = join(root, 'contract');

/** The areas of interface §1, in its words. */
const areas = `
	Agents, Agent Knowledge Base, Contact Analyzers, Appointments, Appointment Requests, Assistant
	Channels, Availability Types, Builders, Call Actions, Campaigns, Coaching Agents, Contacts, Contact
	Approvals, Contact Fields, Contact Settings, Conversations, Conversation Replies, Instagram,
	Facebook Messenger, Sessions, Tables, Logs, Email Addresses, Email Messages, Evaluate, Evaluations,
	Human Calls, Language, Listings, Medias, Memorize, Call, WhatsApp, WhatsApp Calling, SMS, Schedules,
	Tasks, Transcriptions, Analytics, Flows, Flow Steps, Flow Catalog, Flow Executions`
	.split(',')
	.map((name) => name.replace(/\s+/g, ' ').trim());
const beyond = ['Outbound', 'Pools', 'Rules', 'Phone Numbers', 'QA Agents', 'Agentic Search'];

/** The endpoints that interface §4 names; `{}` stands for a path parameter. */
const namedByInterface = Object.entries({
	POST: `/agents /agents/{}/notes /agents/{}/guidelines /agents/{}/webhooks /call /whatsapp/template
		/sms/send /email/messages /listings /medias /data/tables /data/import/copypaste
		/data/import/file /data/import/website /data/{}/records /data/{}/assign /data/{}/sync
		/agents/{}/evaluate/assign /coaching-agents /coaching-agents/{}/set-default /builder-agents
		/builder-agents/{}/answers /builder-agents/{}/rebuild /builders`,
	GET: `/agents /agents/{}/webhooks /agents/{}/voice-advanced /agents/{}/compliance /analytics/calls
		/analytics/conversations /outbound/summary /appointments /medias /medias/{} /data/{}/fields
		/sessions/{}/evaluation /evaluations /analytics/evaluations /evaluate/default
		/builder-agents/{}`,
	PUT: `/contacts/fields/{} /data/{}/records/{} /agents/{}/evaluate`,
	DELETE: `/data/{}/records/{} /agents/{}/evaluate`,
}).flatMap(([method, paths]) => paths.split(/\s+/).map((path) => `${method} ${path}`));

const layouts = ['items', 'page', 'flat', 'cursor', 'unknown'];

const { endpoints, areas: tags } = contract();

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
		expect(tags.map(({ name }) => name)).toEqual([...areas, ...beyond]);
		expect(tags.filter((tag) => tag.beyond).map(({ name }) => name)).toEqual(beyond);
	});

	// interface: §4.4 shapes
	test('has every endpoint that the interface names, marked seed', () => {
		const seed = endpoints
			.filter(({ source }) => source === 'seed')
			.map(({ key }) => key.replace(/\{[^}]+\}/g, '{}'));
		expect(seed.sort()).toEqual([...namedByInterface].sort());
	});

	// interface: §2.11 other resources; §4.1 rule 7; §4.4 shapes
	test.each(endpoints.map((entry) => [entry.key, entry] as const))(
		'%s is described',
		(_key, { source, open, paging, contract: operation }) => {
			expect(sources).toContain(source);
			expect(operation.tags).toHaveLength(1);
			expect([...areas, ...beyond]).toContain(operation.tags[0]);
			if (source === 'inferred') {
				// A guess says where it comes from and what is uncertain.
				expect(operation['x-source-note']).toMatch(/guess/);
				expect(open.length).toBeGreaterThan(0);
			}
			expect(open.filter((one) => typeof one !== 'string')).toEqual([]);
			if (paging !== undefined) expect(layouts).toContain(paging);
		},
	);
});
