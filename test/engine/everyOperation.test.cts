/**
 * Every operation of every node, run by n8n's engine against the sandbox: with all its fields, and with those alone that may
 * not be empty. What a write would send is judged by the contract before it is sent; what comes back is judged too.
 */
import { camelCase, difference, omit, uniq } from 'lodash';
import type { INodeParameters } from 'n8n-workflow';
import { nodes, operationsOf } from '../../tools/operations.cjs';
import { contractCheck } from '../../tools/contract-check.cjs';
import { lost } from './everyOperation/arrival.cts';
import { changed, nothingToChange, rules } from './everyOperation/rules.cts';
import { fill, forms } from './everyOperation/samples.cts';
import { Scene, beforehand, files } from './everyOperation/workspace.cts';
import { failure, nested, ok, requestsShown } from './guarantees/scene.cts';
import { usePlatform, type LedgerEntry } from './harness/index.cts';

const { recordFaults, requestFaults, takesBody, takesFurtherFields } = contractCheck();

/** Fast, without limits that are tested elsewhere; calls stay live until they are hung up. */
const settings = {
	call: { lifeMs: 600_000 },
	rate: { send: { limit: 100_000 }, general: { limit: 1_000_000 } },
	builders: { processingMs: 5 },
	transcription: { processingMs: 5 },
};

const onError = 'continueRegularOutput';

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

const cases = operationsOf(nodes()).flatMap((entry) => {
	const { subject } = entry;
	return forms(entry.parameters).flatMap((form) =>
		(['all', 'required'] as const).map((extent) => ({
			title: `${[subject, ...Object.values(form)].join(', ')}, with ${extent === 'all' ? 'all' : 'the required'} fields`,
			...{ subject, nodeType: entry.node.name, entry, form, extent },
		})),
	);
});
type Case = (typeof cases)[number];

/** Whether an update has optional fields alone, none of which is filled in. */
function changesNothing(
	{ operation, parameters }: Case['entry'],
	filled: INodeParameters,
): boolean {
	const path = operation.path as Record<string, { options: { name?: string } }>;
	const target = Object.entries(path).map(([key, { options }]) => options.name ?? camelCase(key));
	return (
		parameters.some(({ name }: { name: string }) => name === 'updateFields') &&
		Object.keys(filled).every((name) => target.includes(name))
	);
}

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
function requestsOf(ledger: LedgerEntry[], { method, endpoint }: Case['entry']['operation']) {
	const [, template = ''] = endpoint.split(' ');
	const form = new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`);
	return ledger.filter((entry) => entry.method === method && form.test(entry.path));
}
const writes = (ledger: LedgerEntry[]) => ledger.filter(({ method }) => method !== 'GET');

/** Runs parameters on items with files. */
async function ledgerOf(nodeType: string, parameters: INodeParameters, more: object = {}) {
	await sandbox.clearLedger();
	const items = [{ json: {}, binary: files }];
	const result = await engine.runNode(nodeType, parameters, { items, ...more });
	return { result, ledger: await sandbox.ledger() };
}

// interface: §2.2 returned fields; §2.11 other resources; §4 bodies; §4.1 POST agents
// interface: §4.1 rule 6; §4.2 response; §2.2 request fields; §2.3 settings.voice; §2.4 knowledge
// interface: §2.5 appointment assignment; §2.6 routing rule; §4.1 GET compliance; §4.1 rule 2
// interface: §4.1 rule 3; §4.4 coaching agents
test.each(cases)('$title', async ({ title, subject, nodeType, entry, form, extent }) => {
	const { operation, parameters, resource, value } = entry;
	// It takes what was made a moment ago for there.
	if (value === 'findOrCreate') await engine.forget();
	const further = takesFurtherFields(operation.endpoint);
	const scene = new Scene(sandbox, engine, subject, nodeType, form, extent, further);
	const filled = await fill(parameters, scene, extent, [], form);
	for (const name of beforehand[subject] ?? []) await scene.get(name);
	const simplifies = parameters.some(({ name }: { name: string }) => name === 'simplify');
	const all: INodeParameters & { options?: object } = {
		...{ resource: resource.value, operation: value, ...filled },
		...(simplifies && { simplify: false }),
	};

	const isIdle = extent === 'required' && changesNothing(entry, filled);
	const rule =
		rules[title] ?? (isIdle ? nothingToChange(await oneChange(scene, entry, form)) : undefined);
	if (rule) {
		const { result, ledger } = await ledgerOf(nodeType, all);
		expect(result.error?.message).toMatch(rule.says);
		expect(writes(ledger)).toEqual([]);
	}
	const toSend: typeof all = rule ? changed(all, await rule.instead(scene)) : all;
	await sandbox.settings(settingsFor[subject] ?? {});

	if (operation.method !== 'GET') {
		const options = { ...toSend.options, preview: true };
		const previewed = { ...toSend, options };
		const { result, ledger } = await ledgerOf(nodeType, previewed);
		const [prepared] = requestsShown(ok(result));
		// Two items have one shape, flat but for the request itself, which is shown as the platform would get it.
		const two = { items: Array(2).fill({ json: {}, binary: files }), onError };
		const both = { ...previewed, options: { ...options, sameNumberTwice: 'both' } };
		const shown = (await ledgerOf(nodeType, both, two)).result
			.json()
			.filter((json) => !('error' in json));
		expect(nested(shown, 'request')).toEqual([]);
		expect(uniq(shown.map((json) => Object.keys(json).sort().join())).length).toBeLessThan(2);
		const asked = { ...prepared, path: pathOf(prepared.url) };
		expect(requestFaults(operation.endpoint, asked)).toEqual([]);
		expect(writes(ledger)).toEqual([]);
	}

	const { result, ledger } = await ledgerOf(nodeType, toSend);
	const asked = result.error ? ledger : [];
	expect({ why: failure(result), asked }).toEqual({ asked: [] });
	const sent = requestsOf(ledger, operation);
	expect(sent.length).toBeGreaterThan(0);
	const fields = omit(toSend, [...notFields, ...Object.keys(form)]);
	expect(difference(lost(fields, sent), notSent[subject] ?? [])).toEqual([]);
	for (const request of sent) {
		if (operation.method === 'GET') expect(requestFaults(operation.endpoint, request)).toEqual([]);
		// An empty object is a body, too.
		if (!takesBody(operation.endpoint)) expect(request.body).toBeNull();
		expect(request.status).toBeLessThan(300);
	}
	expect(sent.filter(({ violation }) => violation)).toEqual([]);
	// A filter may leave nothing of a list.
	const filtered = extent !== 'required' || Object.keys(form).length > 0;
	const records = result.json();
	const isEmpty = records.length === 0 && !(operation.pages && filtered);
	expect(
		isEmpty &&
			`${subject} returned nothing: in everyOperation/workspace.cts, name under 'beforehand' what to make before it`,
	).toBe(false);
	for (const record of records) {
		if (operation.removes) expect(record).toEqual({ deleted: true, uuid: expect.any(String) });
		else if (operation.outputFields)
			expect(Object.keys(record).sort()).toEqual(Object.keys(operation.outputFields).sort());
		else
			expect(recordFaults(operation.endpoint, record, operation.pages !== undefined)).toEqual([]);
	}
	const { method, output, wait, pages } = operation;
	if (method !== 'GET' || output || wait || pages?.filters) return;
	// What was read is what another program reads, unchanged, beside what it implies.
	const [{ path, query }] = sent as [LedgerEntry];
	const read = (await sandbox.api.get(path, { params: query })).data;
	expect(records.map((record) => omit(record, implied[subject] ?? []))).toEqual(
		recordsOf(read, pages && path.split('/').at(-1)),
	);
});
