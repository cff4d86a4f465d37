import {
	NodeApiError,
	NodeOperationError,
	type IExecuteFunctions,
	type INode,
	type INodeExecutionData,
} from 'n8n-workflow';
import {
	compact,
	difference,
	groupBy,
	orderBy,
	partition,
	sortBy,
	sumBy,
	uniqBy,
	upperFirst,
} from 'lodash';
import { acceptedText, itemPlaceOf } from '../execution';
import { errorOf, isDone } from '../deliver/pool';
import { Cancelled } from '../http/clock';
import {
	apiError,
	describeError,
	errorFacts,
	type ErrorText,
	type ItemError,
	operationError,
} from '../errors/errorText';
import { type Outcome, type RequestError, rethrow, unexpected } from '../errors/requestError';
import type {
	Operation,
	PreparedRequest,
	Result as ResultOf,
	Delivering,
	Execution,
} from '../operation/operation';
import { fieldsOf, recipientCount } from '../operation/places';
import { classOf } from '../operation/recovery';
import type { Sorted } from '../prepare/leftOut';
import { itemMark, itemName, type ItemPlace, itemsMark, itemsName } from '../text/itemName';
import { many, sentence, sentences } from '../text/text';

export type Result = ResultOf<INodeExecutionData[]>;

export interface Failure {
	place: ItemPlace;
	message: string;
	field?: string;
}

export const nothingSent = 'Nothing was sent.';

const few = 3;

const withoutValues = (message: string): string =>
	message.replace(/"[^"]*"/g, '"…"').replace(/\+?\d[\d.,]*/g, '…');

const differ = ([first, ...more]: Failure[]): boolean =>
	more.some(({ message }) => message !== first?.message);

/** Failures in their order, by reason: messages about one field that differ in nothing but the values they show. */
const byReason = (failures: Failure[]): Failure[][] =>
	Object.values(
		groupBy(failures, ({ place, message, field }) =>
			JSON.stringify([place.row === undefined, field, withoutValues(message)]),
		),
	).flatMap((alike) =>
		differ(alike) && alike.length <= few ? alike.map((failure) => [failure]) : [alike],
	);

function reasonText(alike: Failure[]): string {
	const [{ place, message }] = alike as [Failure];
	const name = itemName(place, message);
	if (alike.length === 1) return upperFirst(`${name}: ${sentence(message)}`);
	const all = itemsName(alike.map(({ place: one }) => one));
	return `${all}${differ(alike) ? `, for example ${name}` : ''}: ${sentence(message)}`;
}

const mostReasons = 20;

/** All items that cannot be sent, in one message; nothing was sent in this try. */
export function invalidItems(
	execution: Execution,
	{ problems, sentBefore }: Sorted & { sentBefore: number },
	count: number,
): NodeOperationError {
	const failures = sortBy(problems, 'item').map(({ item, ...problem }): Failure => ({
		...problem,
		place: itemPlaceOf(execution, item),
	}));
	const [{ message, place }] = failures as [Failure];
	const bad = uniqBy(failures, 'place.item').length;
	const groups = byReason(failures);
	const listed = groups.slice(0, mostReasons).map(reasonText);
	const more = groups.slice(mostReasons).flat();
	if (more.length) listed.push(`Also ${itemsName(more.map((failure) => failure.place))}.`);
	const ofMany = count > 1;
	const isInSheet = (failure: Failure) => failure.place.row !== undefined;
	return operationError(
		execution.context.getNode(),
		{
			message: `${bad === 1 ? '' : `${bad} of ${count} items cannot be sent: `}${message}${ofMany ? ` ${itemMark(place, message)}` : ''}`,
			description: sentences(
				sentBefore > 0
					? `An earlier try of this execution sent ${many(sentBefore, 'item')}, and no item is sent twice. Nothing was sent in this try.`
					: nothingSent,
				bad < count && "To send the others, set 'On Error' to 'Continue'.",
				ofMany && !failures.every(isInSheet) && 'Items are counted from 0.',
				ofMany && failures.some(isInSheet) && 'Rows are counted as in the sheet.',
			),
			...(failures.length > 1 && { listed }),
		},
		place.item,
	);
}

/** Fields by the platform's name; a name alone means the field at the top level before one inside an object. */
const labelsOf = (operation: Operation): Record<string, string> => {
	const fields = fieldsOf(operation);
	// If the platform asks for an object, its first field fills it in.
	const whole = [...fields].reverse().filter(({ path }) => path.length > 1);
	return Object.fromEntries([
		...whole.map(({ path, displayName }) => [path.slice(0, -1).join('.'), displayName]),
		...fields.map(({ path, displayName }) => [path[path.length - 1] as string, displayName]),
		...fields.map(({ path, displayName }) => [path.join('.'), displayName]),
	]);
};

export function failureText(
	execution: Delivering,
	prepared: PreparedRequest,
	error: RequestError,
	counted = false,
): ErrorText {
	const { operation, ownKey, report } = prepared;
	const [, rows = ''] = operation.reaches?.words ?? [];
	return describeError(error, {
		host: execution.client.workspace.host,
		operation,
		class: classOf(operation),
		accepted: acceptedText(execution, prepared),
		ownKey: ownKey !== undefined,
		labels: labelsOf(operation),
		rows: report.rows,
		batch: operation.allItems && { size: recipientCount(prepared), rows },
		nameOf: (item) => itemName(itemPlaceOf(execution, item)),
		counted,
	});
}

/** Whether the platform accepted it, and nothing shows that it was done. */
export function isUnproven({ deliveries }: Delivering, request: PreparedRequest): boolean {
	const { unproven, keyUsedBefore } = deliveries.get(request) ?? {};
	return unproven !== undefined || keyUsedBefore === true;
}

/** What may have been done, lost or without proof, is uncertain. */
export function progressOf(
	execution: Delivering,
	requests: PreparedRequest[],
): Record<'accepted' | 'uncertain' | 'rest', PreparedRequest[]> {
	const { deliveries, mayBeDone } = execution;
	const [unproven, others] = partition(requests, (request) => isUnproven(execution, request));
	const [accepted, open] = partition(others, (request) => deliveries.has(request));
	const [lost, rest] = partition(open, ({ item }) => mayBeDone.has(item));
	return { accepted, uncertain: [...unproven, ...lost], rest };
}

/** How far a run came, and whether running it again repeats anything; nothing of a single request, or of reads. */
function progressText(execution: Delivering, results: Result[]) {
	const { requests } = execution;
	const areReads = requests.every(({ operation }) => classOf(operation) === 'read');
	if (areReads || requests.length < 2) return undefined;
	const done = requests.filter((one, at) => isDone(results[at]) && !isUnproven(execution, one));
	const { accepted, uncertain, rest } = progressOf(execution, difference(requests, done));
	const count = (some: readonly PreparedRequest[]): number => sumBy(some, 'items.length');
	const counts = compact([
		`${count(done)} done`,
		accepted.length && `${count(accepted)} started (outcome unknown)`,
		uncertain.length && `${count(uncertain)} uncertain`,
		`${count(rest)} not done.`,
	]).join(', ');
	const again = requests.every(({ ownKey }) => ownKey)
		? 'A new run is safe too: each item has its own key.'
		: rest.length < requests.length && 'A new run repeats all items.';
	const isSafe = uncertain.every(
		(one) =>
			isUnproven(execution, one) ||
			one.operation.method !== 'POST' ||
			classOf(one.operation) === 'keyed',
	);
	// What changed the record since is overwritten.
	const isOver = requests.some(({ operation }) => operation.kind === 'update');
	const goOn = `${isOver ? '' : 'are safe: they '}continue with the rest`;
	const kept = accepted.length ? 'continue from there' : goOn;
	const safety = isSafe
		? sentences(`Retry On Fail and Executions › Retry ${kept}.`, again)
		: "Retry On Fail and Executions › Retry omit what is uncertain, unless you turn on 'Retry Writes' and retry with the current workflow.";
	return { counts, safety };
}

function stopped(execution: Delivering, results: Result[]): NodeApiError {
	const { context, requests } = execution;
	const errors = results.map(errorOf);
	const recent = errors.findIndex((error) => error?.recent);
	const at = recent >= 0 ? recent : errors.findIndex((error) => error !== undefined);
	const error = errors[at] as RequestError;
	const prepared = requests[at] as PreparedRequest;
	const progress = progressText(execution, results);
	const said = failureText(execution, prepared, error, progress !== undefined);
	const { message, description, ...facts } = errorFacts(error, said);
	const places = prepared.items.map((item) => itemPlaceOf(execution, item));
	const where = places.length === 1 ? itemMark(places[0] as ItemPlace, message) : itemsMark(places);
	return apiError(
		context.getNode(),
		{
			message: requests.length > 1 ? `${message} ${where}` : message,
			description: sentences(progress?.counts, description, progress?.safety),
		},
		{ ...facts, item: prepared.item },
	);
}

const mostHints = 5;

/** Says in the output panel why many items failed alike; each error item says it of its own. */
export function tellFailures({ hints }: Execution, failures: Failure[]): void {
	const reasons = byReason(failures).filter((alike) => alike.length > 1);
	for (const alike of orderBy(reasons, 'length', 'desc').slice(0, mostHints))
		hints.add(reasonText(alike), 'warning');
}

/** n8n does not show it: what a stopped run has done is left behind by `run/tellStopped.ts`. */
const canceled = (node: INode): NodeOperationError =>
	new NodeOperationError(node, 'The execution was canceled');

/** Throws what ended a run: a cancellation, something unforeseen, or the request error that stopped it. */
export function raiseFailures(execution: Delivering, results: Result[], ended: unknown): void {
	if (ended instanceof Cancelled) throw canceled(execution.context.getNode());
	if (ended !== undefined) rethrow(ended);
	if (execution.stops) throw stopped(execution, results);
}

/** What n8n's own errors say, in the form of an error item; of any other error, what is known about it. */
function factsOf(thrown: unknown): ItemError {
	if (!(thrown instanceof NodeApiError || thrown instanceof NodeOperationError)) {
		const found = unexpected(thrown);
		return errorFacts(found, describeError(found));
	}
	const { message, description, context } = thrown;
	const status = Number(thrown instanceof NodeApiError ? thrown.httpCode : NaN);
	return {
		message,
		description: description ?? '',
		code: (context.code as string | undefined) ?? 'NOT_RUN',
		field: context.field as string | undefined,
		status: status > 0 ? status : undefined,
		outcome: (context.outcome as Outcome | undefined) ?? 'unknown',
	};
}

/**
 * An item that tells what happened instead of a response: flat, beside the fields of its input (its own `error` as
 * `inputError`). On the error branch, n8n expects no other key than `error` and adds the input, so the sentence ends in
 * what a workflow can ask for: "(INVALID_FORMAT, 422, nothing happened)".
 */
export function errorItem(
	context: IExecuteFunctions,
	{ message, description, code, field, status, outcome }: ItemError,
	index: number,
): INodeExecutionData {
	const pairedItem = { item: index };
	const input = context.getInputData()[index];
	const happened = outcome === 'nothing' ? 'nothing happened' : outcome;
	if (context.getNode().onError === 'continueErrorOutput') {
		const kind = compact([code, status, happened]).join(', ');
		return {
			json: { error: `${sentences(sentence(message), description)} (${kind})` },
			pairedItem,
		};
	}
	const json = {
		...input?.json,
		...(input && 'error' in input.json ? { inputError: input.json.error } : {}),
		error: message,
		errorDescription: description,
		errorCode: code,
		errorField: field ?? null,
		errorStatus: status ?? null,
		errorOutcome: happened,
		errorItem: index,
	};
	return { json, pairedItem };
}

/** Each input item becomes an error item: n8n would output them as done. @throws if the node stops on errors, or was stopped */
export function continued(context: IExecuteFunctions, thrown: unknown): INodeExecutionData[] {
	if (thrown instanceof Cancelled) throw canceled(context.getNode());
	if (context.getExecutionCancelSignal()?.aborted || !context.continueOnFail()) rethrow(thrown);
	const facts = factsOf(thrown);
	return context.getInputData().map((_, item) => errorItem(context, facts, item));
}
