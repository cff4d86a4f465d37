/**
 * Every operation of every node, run by n8n's engine against the sandbox: with all its fields,
 * and with those alone that
 * may not be empty. What a write would send is judged by the contract before it is sent; what comes back is judged too.
 */
import { camelCase, difference, omit } from 'lodash';
import type { INodeParameters } from 'n8n-workflow';
import { nodes, operationsOf } from '../../tools/operations.cjs';
import { contractCheck } from '../../tools/contract-check.cjs';
import { lost } from './everyOperation/arrival.cts';
import { changed, nothingToChange, rules } from './everyOperation/rules.cts';
import { fill, forms, type Extent } from './everyOperation/samples.cts';
import { Scene, beforehand, files } from './everyOperation/workspace.cts';
import { ok, requestsShown } from './guarantees/scene.cts';
import { usePlatform, type LedgerEntry } from './harness/index.cts';

const { recordFaults, requestFaults, takesBody, takesFurtherFields } = contractCheck();

/** Fast, without limits that are tested elsewhere; calls stay live until they are hung up. */
const settings = {
	call: { lifeMs: 600_000 },
	rate: { send: { limit: 100_000 }, general: { limit: 1_000_000 } },
	builders: { processingMs: 5 },
	transcription: { processingMs: 5 },
};

/** What an operation needs the sandbox to do differently. */
const settingsFor: Record<string, object> = { 'call.startAndWait': { call: { lifeMs: 1 } } };

const { sandbox, engine } = usePlatform({ settings });

/** What chooses an operation, its output or a file; dropdowns of its form are judged by what they show. */
const notFields = ['resource', 'operation', 'simplify', 'binaryPropertyName'];
/** Parameters that are applied here, change their form, say which requests to make, or are outdone by another one. */
const notSent: Record<string, string[]> = {
	'agentVoice.updateVoiceAdvanced': ['bodyJson'],
	'appointment.getAll': ['startDate', 'endDate'],
	'appointmentRequest.getAll': ['startDate', 'endDate'],
	'builder.create': ['createForEachItem'],
	// Its number or email address is sent.
	...Object.fromEntries(
		['call.start', 'call.startAndWait', 'email.send', 'sms.send', 'whatsapp.sendTemplate'].map(
			(subject) => [subject, ['contact']],
		),
	),
	'call.getAll': ['filters.createdAfter', 'filters.createdBefore'],
	'campaign.update': ['updateFields.rules'],
	'contact.find': ['findBy', 'find', 'ifSeveralMatch'],
	'contact.upsert': ['matchField'],
	'conversation.getAll': ['filters.createdAfter', 'filters.createdBefore'],
	'listing.getOutcomes': ['filters.createdAfter'],
	'listing.getSummary': ['contactCount', 'filters.createdAfter'],
	'listing.stop': ['listing', 'campaign'],
	'phoneNumber.buy': ['buyForEachItem', 'additionalFields.capabilities'],
};

/** What an output holds beside the record, because the record implies it. */
const implied: Record<string, string[]> = { 'conversation.get': ['answered'] };

interface Case {
	title: string;
	subject: string;
	nodeType: string;
	entry: ReturnType<typeof operationsOf>[number];
	form: INodeParameters;
	extent: Extent;
}

const cases: Case[] = operationsOf(nodes()).flatMap((entry) => {
	const subject = `${entry.resource.value}.${entry.value}`;
	return forms(entry.parameters).flatMap((form) =>
		(['all', 'required'] as const).map((extent) => ({
			title: [
				subject,
				...Object.values(form),
				extent === 'all' ? 'with all fields' : 'with the required fields',
			].join(', '),
			subject,
			nodeType: entry.node.name,
			entry,
			form,
			extent,
		})),
	);
});

/** Whether an update has optional fields alone, none of which is filled in. */
const changesNothing = (
	{ operation, parameters }: Case['entry'],
	filled: INodeParameters,
): boolean => {
	const target = new Set(
		Object.entries(operation.path as Record<string, { options: { name?: string } }>).map(
			([key, { options }]) => options.name ?? camelCase(key),
		),
	);
	const given = Object.keys(filled).filter((name) => !target.has(name));
	return (
		parameters.some(({ name }: { name: string }) => name === 'updateFields') && given.length === 0
	);
};

/** The first field of an update, filled in. */
async function oneChange(
	scene: Scene,
	{ parameters }: Case['entry'],
	form: INodeParameters,
): Promise<INodeParameters> {
	const { updateFields } = await fill(parameters, scene, 'all', [], form);
	return Object.fromEntries(Object.entries(updateFields as INodeParameters).slice(0, 1));
}

const pathOf = (url: string): string => url.slice(url.indexOf('/api/v1') + '/api/v1'.length);

/** The records in an answer, whatever its layout; a top-level `error` stands under another name in n8n. */
function recordsOf(body: any, rows = ''): unknown[] {
	const data = body !== null && typeof body === 'object' && 'data' in body ? body.data : body;
	const list = [data?.[rows], data?.items, data?.data, data].find(Array.isArray) ?? [data];
	return list.map((record: any) => {
		if (record === null || typeof record !== 'object' || !('error' in record)) return record;
		const { error, ...rest } = record;
		return { ...rest, errorDetail: error };
	});
}

/** The requests of an operation among all that were made meanwhile. */
const requestsOf = (
	ledger: LedgerEntry[],
	{ method, template }: { method: string; template: string },
): LedgerEntry[] => {
	const form = new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`);
	return ledger.filter((entry) => entry.method === method && form.test(entry.path));
};

describe.each(cases)('$title', ({ title, subject, nodeType, entry, form, extent }) => {
	// interface: §2.2 returned fields; §2.11 other resources; §4 bodies; §4.1 POST agents
	// interface: §4.1 rule 6; §4.2 response; §2.2 request fields; §2.3 settings.voice; §2.4 knowledge
	// interface: §2.5 appointment assignment; §2.6 routing rule; §4.1 GET compliance; §4.1 rule 2
	// interface: §4.1 rule 3; §4.4 coaching agents
	test('is what the contract says', async () => {
		const { operation, parameters, resource, value } = entry;
		// It takes what was made a moment ago for there.
		if (value === 'findOrCreate') await engine.forget();
		const scene = new Scene(
			sandbox,
			engine,
			subject,
			nodeType,
			form,
			extent,
			takesFurtherFields(operation.endpoint),
		);
		const filled = await fill(parameters, scene, extent, [], form);
		for (const name of beforehand[subject] ?? []) await scene.get(name);
		const simplify = parameters.some(({ name }: { name: string }) => name === 'simplify')
			? { simplify: false }
			: {};
		const all = { resource: resource.value, operation: value, ...filled, ...simplify };
		const options = { items: [{ json: {}, binary: files }] };
		const run = async (parameters: INodeParameters) => {
			await sandbox.clearLedger();
			const result = await engine.runNode(nodeType, parameters, options);
			return { result, ledger: await sandbox.ledger() };
		};
		const writes = (ledger: LedgerEntry[]) => ledger.filter(({ method }) => method !== 'GET');

		const rule =
			rules[title] ??
			(extent === 'required' && changesNothing(entry, filled)
				? nothingToChange(await oneChange(scene, entry, form))
				: undefined);
		if (rule) {
			const { result, ledger } = await run(all);
			expect(result.error?.message).toMatch(rule.says);
			expect(writes(ledger)).toEqual([]);
		}
		const parametersToSend = rule ? changed(all, await rule.instead(scene)) : all;
		await sandbox.settings(settingsFor[subject] ?? {});

		if (operation.method !== 'GET') {
			const { result: preview, ledger } = await run({
				...parametersToSend,
				options: {
					...(parametersToSend as INodeParameters & { options?: object }).options,
					preview: true,
				},
			});
			expect({ error: preview.error?.message, why: preview.error?.description }).toEqual({});
			const [prepared] = requestsShown(preview);
			expect(
				requestFaults(operation.endpoint, { ...prepared, path: pathOf(prepared.url) }),
			).toEqual([]);
			expect(writes(ledger)).toEqual([]);
		}

		const { result, ledger } = await run(parametersToSend);
		expect({
			error: result.error?.message,
			why: result.error?.description,
			asked: result.error ? ledger : [],
		}).toEqual({ asked: [] });
		const [, template = ''] = operation.endpoint.split(' ');
		const sent = requestsOf(ledger, { method: operation.method, template });
		expect(sent.length).toBeGreaterThan(0);
		const fields = omit(parametersToSend, [...notFields, ...Object.keys(form)]);
		expect(difference(lost(fields, sent), notSent[subject] ?? [])).toEqual([]);
		for (const request of sent) {
			if (operation.method === 'GET')
				expect(requestFaults(operation.endpoint, request)).toEqual([]);
			// An empty object is a body, too.
			if (!takesBody(operation.endpoint)) expect(request.body).toBeNull();
			expect(request.status).toBeLessThan(300);
		}
		expect(sent.filter(({ violation }) => violation)).toEqual([]);
		// A filter may leave nothing of a list.
		const filtered = extent !== 'required' || Object.keys(form).length > 0;
		const least = operation.pages && filtered ? 0 : 1;
		const records = result.json();
		expect(records.length).toBeGreaterThanOrEqual(least);
		for (const record of records) {
			if (operation.removes) expect(record).toEqual({ deleted: true, uuid: expect.any(String) });
			else if (operation.outputFields)
				expect(Object.keys(record).sort()).toEqual(Object.keys(operation.outputFields).sort());
			else
				expect(recordFaults(operation.endpoint, record, operation.pages !== undefined)).toEqual([]);
		}
		if (
			operation.method === 'GET' &&
			!operation.output &&
			!operation.wait &&
			!operation.pages?.filters
		) {
			// What was read is what another program reads, unchanged, beside what it implies.
			const [{ path, query }] = sent as [LedgerEntry];
			const rows = operation.pages && path.split('/').at(-1);
			expect(result.json().map((record) => omit(record, implied[subject] ?? []))).toEqual(
				recordsOf((await sandbox.api.get(path, { params: query })).data, rows),
			);
		}
	});
});

const lists = cases.filter(
	({ entry, extent, form }) =>
		entry.operation.pages &&
		!entry.operation.run &&
		extent === 'required' &&
		Object.keys(form).length === 0,
);
const required = async (
	{ entry, form, subject, nodeType }: Case,
	scene = new Scene(sandbox, engine, subject, nodeType, form, 'required', false),
) => {
	for (const name of beforehand[subject] ?? []) await scene.get(name);
	return {
		resource: entry.resource.value,
		operation: entry.value,
		...(await fill(entry.parameters, scene, 'required', [], form)),
		returnAll: true,
	};
};

// How many records come is in pages.test.cts.
describe('Return All', () => {
	// interface: §4.1 rule 9
	test.each(lists.map((one) => ({ ...one, title: one.subject })))(
		'$title ends although the server repeats a page',
		async (one) => {
			const parameters = await required(one);
			await sandbox.settings({ pageRepeat: true });
			await sandbox.clearLedger();
			const result = ok(await engine.runNode(one.nodeType, parameters));
			expect(requestsOf(await sandbox.ledger(), one.entry.operation).length).toBeLessThanOrEqual(6);
			expect(new Set(result.json().map((record) => JSON.stringify(record))).size).toBe(
				result.json().length,
			);
		},
	);
});
