import {
	NodeOperationError,
	type IDataObject,
	type IExecuteFunctions,
	type INode,
	type INodeExecutionData,
	type NodeExecutionHint,
} from 'n8n-workflow';
import { partition } from 'lodash';
import { apiRequest, isApiRequest, prepareApiRequest } from './apiRequest';
import { InvalidItems, InvalidValue, isEmpty, quoted, type Source } from './fields/field';
import { errorFacts, words } from './http/errors';
import { Fault } from './http/fault';
import { Gate, type Call } from './http/request';
import { InvalidBaseUrl } from './http/workspace';
import { Keys } from './keys';
import type { Operation, Resource } from './operation';
import { optionsOf, parameter, type RunOptions } from './options';
import { errorItem, item } from './output';
import { fieldsOf, prepare, segment, type Prepared, type Problem } from './prepare';
import { invalidItems, situationOf, type Result } from './report';
import { sendAll } from './send';
import { zoneOf, type Zone } from './time';
import { checkFile } from './uploads';
import { workspaceZone } from './workspaceZone';

/** Everything the parts of a run share. */
export interface Run {
	context: IExecuteFunctions;
	gate: Gate;
	keys: Keys;
	operation: Operation;
	hints: Set<string>;
	/** All requests of the run, once they are being sent. */
	ready: Prepared[];
	/** Fires when the execution or, at the first fault, the run is stopped; ends all waiting. */
	signal?: AbortSignal;
	/** Common part of a call for an item. */
	call: (
		prepared: Pick<Prepared, 'item'>,
	) => Pick<Call, 'zone' | 'timeout' | 'maxRetries' | 'retryWrites' | 'signal'>;
	options: (item: number) => RunOptions;
}

/**
 * Runs a node: prepares all items, then sends them, then gives items out in input order.
 * @param resources the node's resources; `resource` and `operation` choose among them
 * @throws NodeOperationError when items cannot be prepared, NodeApiError when a request did
 * not succeed (On Error = stop)
 */
export async function run(
	context: IExecuteFunctions,
	resources: Resource[],
): Promise<INodeExecutionData[][]> {
	const node = context.getNode();
	const resourceName = context.getNodeParameter('resource', 0) as string;
	const operationName = context.getNodeParameter('operation', 0) as string;
	const resource = resources.find(({ value }) => value === resourceName);
	const operation =
		operationName === 'apiRequest' ? apiRequest : resource?.operations[operationName];
	if (!resource || !operation) {
		throw new NodeOperationError(
			node,
			`The operation "${operationName}" does not exist for "${resourceName}"`,
			{
				description: 'Choose a resource and an operation from the lists.',
			},
		);
	}
	const asTool = node.type.endsWith('Tool');
	if (asTool && operation.tool === false) {
		throw new NodeOperationError(node, `"${operation.action}" is not available to AI agents`, {
			description: 'It costs money or runs commands. Use it in a workflow instead.',
		});
	}

	const gate = await open(context, node);
	const inputs = context.getInputData();
	const { options, problems: wrongOptions } = optionsOf(context, inputs.length);
	const hints = new Set<string>();
	const zones = await zonesOf(context, gate, operation, inputs.length, options);
	const running: Run = {
		context,
		gate,
		keys: new Keys(context, asTool),
		operation,
		hints,
		ready: [],
		options,
		call: ({ item: index }) => {
			const { timeout, maxRetries, retryWrites } = options(index);
			return { zone: zones.zone(index), timeout, maxRetries, retryWrites, signal: running.signal };
		},
	};

	try {
		const source = (index: number): Source =>
			sourceOf(context, index, zones.zone(index), options, () => inputs.map((_, at) => source(at)));
		const stops = !context.continueOnFail();
		const { ready, problems } = await prepareAll(
			running,
			inputs.length,
			source,
			[...wrongOptions, ...zones.problems],
			asTool,
			stops,
		);
		if (problems.length && stops) throw invalidItems(node, problems, inputs.length);
		for (const { report } of ready) report.sentences.forEach((sentence) => hints.add(sentence));
		const [previewed, wanted] = partition(
			ready,
			({ item: index, operation: { method } }) =>
				method !== 'GET' && options(index).preview === true,
		);
		const shown: Result[] = previewed.map((prepared) => ({ items: [previewOf(gate, prepared)] }));
		const sent = await sendAll(running, wanted, stops);
		const output = collect(
			running,
			inputs,
			[...previewed, ...wanted],
			[...shown, ...sent],
			problems,
		);
		// An AI model would be given an empty text and could take it for a failure.
		if (asTool && output.length === 0) output.push(item({ found: 0 }, [0]));
		// n8n runs a node again whose first item tells of an error.
		const again = node.retryOnFail === true && output[0]?.json.error !== undefined;
		if (!again && previewed.length === 0) running.keys.finish();
		return [output];
	} finally {
		tell(context, gate, hints);
	}
}

async function open(context: IExecuteFunctions, node: INode): Promise<Gate> {
	try {
		return await Gate.open(context);
	} catch (thrown) {
		if (!(thrown instanceof InvalidBaseUrl)) {
			const unknown = thrown;
			throw unknown as Error;
		}
		throw new NodeOperationError(node, thrown.message, {
			description: 'Open the credential and correct it.',
		});
	}
}

/** Parameters of one item, as fields read them. */
function sourceOf(
	context: IExecuteFunctions,
	index: number,
	zone: Zone,
	options: (index: number) => RunOptions,
	all: () => Source[],
): Source {
	return {
		item: index,
		zone,
		sendEmpty: options(index).sendEmpty === true,
		above: [],
		get: (name) => parameter(context, name, index),
		all,
		json: () => context.getInputData()[index]?.json ?? {},
		report: () => undefined,
	};
}

async function zonesOf(
	context: IExecuteFunctions,
	gate: Gate,
	operation: Operation,
	count: number,
	options: (index: number) => RunOptions,
): Promise<{ zone: (index: number) => Zone; problems: Problem[] }> {
	const needed = fieldsOf(operation).some(({ field }) => field.needsZone);
	const zones: Zone[] = [];
	const problems: Problem[] = [];
	for (let index = 0; index < count; index++) {
		const asked = zoneOf(options(index).timezone);
		if (!asked) {
			problems.push({
				item: index,
				field: 'Timezone',
				message: `'Timezone' under Options is not known: ${quoted(options(index).timezone)}. Use a name like Europe/Istanbul`,
			});
		}
		let zone = asked && asked.kind !== 'none' ? asked : gate.workspace.zone;
		if (needed && zone.kind !== 'iana') zone = await workspaceZone(gate, zone, context.getNode());
		zones.push(zone);
	}
	return { zone: (index) => zones[index] ?? gate.workspace.zone, problems };
}

async function prepareAll(
	running: Run,
	count: number,
	source: (index: number) => Source,
	known: Problem[],
	asTool: boolean,
	stops: boolean,
): Promise<{ ready: Prepared[]; problems: Problem[] }> {
	const { operation } = running;
	const problems = [...known];
	const ready: Prepared[] = operation.allItems
		? prepareTogether(operation, count, source, problems, stops)
		: [];
	const bad = new Set(known.map((problem) => problem.item));
	for (let index = 0; index < count && !operation.allItems; index++) {
		if (bad.has(index)) continue;
		try {
			const prepared =
				operation === apiRequest
					? prepareApiRequest(source(index))
					: prepare(operation, source(index));
			for (const file of prepared.files) await checkFile(running.context, file);
			ready.push(prepared);
		} catch (thrown) {
			problems.push(...problemsOf(thrown, index));
		}
	}
	addKeys(running, ready, problems, asTool);
	if (operation.consult) await consult(running, ready, problems);
	const refused = new Set(problems.map((problem) => problem.item));
	return { ready: ready.filter((prepared) => !refused.has(prepared.item)), problems };
}

/**
 * One request from all items. Where the node goes on after bad items, they are added to the
 * problems and the request is made from the good ones.
 */
function prepareTogether(
	operation: Operation,
	count: number,
	source: (index: number) => Source,
	problems: Problem[],
	stops: boolean,
): Prepared[] {
	const bad = new Set(problems.map((problem) => problem.item));
	for (;;) {
		const items = Array.from({ length: count }, (_, index) => index).filter(
			(index) => !bad.has(index),
		);
		const [first] = items;
		if (first === undefined) return [];
		try {
			return [
				{
					...prepare(operation, {
						...source(first),
						all: () => items.map((index) => source(index)),
					}),
					items,
				},
			];
		} catch (thrown) {
			const single = thrown instanceof InvalidItems;
			const found = problemsOf(thrown, first);
			// What concerns the request as a whole concerns every item that it would have been made of.
			problems.push(
				...(single || stops
					? found
					: items.flatMap((item) => found.map((problem) => ({ ...problem, item })))),
			);
			if (stops || !single) return [];
			for (const { item } of found) bad.add(item);
		}
	}
}

/** A refused item, in words; several where one field gathers all items. */
function problemsOf(thrown: unknown, index: number): Problem[] {
	if (thrown instanceof InvalidItems) return thrown.problems;
	const message = thrown instanceof Error ? thrown.message : String(thrown);
	return [
		{
			item: index,
			message,
			...(thrown instanceof InvalidValue && thrown.field ? { field: thrown.field } : {}),
		},
	];
}

/**
 * Gives every keyed request its key; two items with the same key of the user's are refused,
 * because one would be lost.
 */
function addKeys(running: Run, ready: Prepared[], problems: Problem[], asTool: boolean): void {
	const { keys } = running;
	const seen = new Map<string, Prepared>();
	const refused = new Set<number>();
	for (const prepared of ready) {
		const { operation, body, item: index } = prepared;
		const options = running.options(index);
		const offered = operation.keyed || isApiRequest(operation);
		if (!offered || operation.method === 'GET') continue;
		const complain = (text: string) =>
			problems.push({ item: index, field: 'Request Key', message: `'Request Key' ${text}` });
		const given = options.requestKey ?? body.request_key;
		if (!isEmpty(given) && typeof given !== 'string' && !Number.isFinite(given)) {
			complain(`should be text or a number, but it is ${quoted(given)}`);
			continue;
		}
		const own = String(given ?? '').trim();
		if (own === '') {
			if ('requestKey' in options && !asTool) {
				complain(
					'is empty for this item. Give each item its own key, like an order number or a row ID, or remove the option',
				);
			} else if (operation.keyed) {
				body.request_key = keys.keyFor(prepared);
			}
			continue;
		}
		body.request_key = own;
		prepared.ownKey = true;
		const twin = seen.get(own);
		if (!twin) {
			seen.set(own, prepared);
			continue;
		}
		for (const [item, other] of [
			[twin.item, prepared.item],
			[prepared.item, twin.item],
		] as const) {
			if (refused.has(item)) continue;
			refused.add(item);
			problems.push({
				item,
				field: 'Request Key',
				message: `'Request Key' "${own.slice(0, 60)}" is also the key of item ${other}. The platform would carry out only one of them; give each item its own key`,
			});
		}
	}
}

/** Reads what the platform says about the target before anything is written (interface §4.1 rule 4). */
async function consult(running: Run, ready: Prepared[], problems: Problem[]): Promise<void> {
	const { operation, gate } = running;
	const rule = operation.consult;
	if (!rule) return;
	const known = new Map<string, Promise<unknown>>();
	for (const prepared of ready) {
		const path = rule.path.replace(/\{(\w+)\}/g, (_, name: string) => segment(prepared.path[name]));
		if (!known.has(path)) {
			const read = gate
				.request({ ...running.call(prepared), method: 'GET', path, class: 'read' })
				.then((answer) => answer.body);
			read.catch(() => undefined);
			known.set(path, read);
		}
		try {
			const answer = await known.get(path);
			const complaint = rule.check?.(answer, prepared.body);
			if (complaint) problems.push({ item: prepared.item, message: complaint });
			else if (rule.fit)
				prepared.body = rule.fit(
					answer,
					prepared.body,
					running.call(prepared).zone ?? gate.workspace.zone,
					prepared.path,
				);
		} catch (thrown) {
			if (thrown instanceof InvalidValue) {
				problems.push(...problemsOf(thrown, prepared.item));
				continue;
			}
			if (!(thrown instanceof Fault)) throw thrown as Error;
			const said = words(thrown, { host: gate.workspace.host, class: 'read' });
			problems.push({ item: prepared.item, message: `${said.message}. ${said.description}` });
		}
	}
}

/** Secrets stay out of what n8n keeps of a run. */
const masked = (key: string, value: unknown): unknown =>
	typeof value === 'string' && value !== '' && /secret|token|password/i.test(key)
		? '(hidden)'
		: value;

/** What would be sent, instead of an answer. */
function previewOf(gate: Gate, prepared: Prepared): INodeExecutionData {
	return item(
		{
			preview: true,
			method: prepared.operation.method,
			url: `${gate.workspace.root}${prepared.address}`,
			...(Object.keys(prepared.query).length ? { query: prepared.query } : {}),
			...(Object.keys(prepared.body).length
				? { body: JSON.parse(JSON.stringify(prepared.body, masked)) as IDataObject }
				: {}),
			...prepared.report.facts,
		},
		prepared.items,
	);
}

/** Items in input order: what was sent, and error items for what was not. */
function collect(
	running: Run,
	inputs: INodeExecutionData[],
	ready: Prepared[],
	results: Result[],
	problems: Problem[],
): INodeExecutionData[] {
	const byItem = new Map<number, INodeExecutionData[]>();
	ready.forEach((prepared, at) => {
		const result = results[at];
		if (result && 'items' in result) byItem.set(prepared.item, result.items);
		else if (result) {
			const said = words(result.fault, situationOf(running, prepared));
			for (const index of prepared.items) {
				byItem.set(index, [
					errorItem(running.context, inputs[index], errorFacts(result.fault, said, index), index),
				]);
			}
		}
	});
	const listed = new Map<number, Problem[]>();
	for (const problem of problems)
		listed.set(problem.item, [...(listed.get(problem.item) ?? []), problem]);
	for (const [index, found] of listed) {
		const message = found.map((problem) => problem.message).join('; ');
		const field = found.find((problem) => problem.field)?.field;
		const facts = {
			message,
			description: 'This item was not sent.',
			code: 'INVALID_ITEM',
			...(field ? { field } : {}),
			item: index,
		};
		byItem.set(index, [errorItem(running.context, inputs[index], facts, index)]);
	}
	return [...byItem.entries()].sort(([a], [b]) => a - b).flatMap(([, items]) => items);
}

/** Tells in the output panel what happened on the way. */
function tell(context: IExecuteFunctions, gate: Gate, hints: Set<string>): void {
	if (typeof context.addExecutionHints !== 'function') return;
	const { retried, heldBack, longestMs, otherZone } = gate.tally;
	const seconds = Math.round(longestMs / 100) / 10;
	const said: NodeExecutionHint[] = [];
	if (retried > 0 || (heldBack > 0 && seconds >= 1)) {
		const parts = [
			retried > 0
				? `${retried} ${retried === 1 ? 'request was' : 'requests were'} tried again`
				: '',
			heldBack > 0
				? `${heldBack} ${heldBack === 1 ? 'request was' : 'requests were'} held back to keep the platform's limits`
				: '',
		].filter(Boolean);
		said.push({
			message: `${parts.join(' and ')}; the longest waited ${seconds} seconds.`,
			location: 'outputPane',
		});
	}
	if (otherZone) {
		said.push({
			message: `The platform applied the time zone ${otherZone} instead of the one asked for. Times may be off; check 'Timezone' under Options and in the credential.`,
			type: 'warning',
			location: 'outputPane',
		});
	}
	for (const message of hints) said.push({ message, location: 'outputPane' });
	if (said.length) context.addExecutionHints(...said);
}
