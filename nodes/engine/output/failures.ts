import {
	NodeApiError,
	NodeOperationError,
	type IExecuteFunctions,
	type INode,
	type INodeExecutionData,
} from 'n8n-workflow';
import { orderBy, sortBy, sumBy, uniqBy } from 'lodash';
import { acceptedText, type Delivering, type Execution, itemPlaceOf } from '../execution';
import type { Problem } from '../fields/field';
import { Cancelled } from '../http/clock';
import {
	allowsRetry,
	apiError,
	codeOf,
	describeError,
	errorFacts,
	type ErrorText,
	type ItemError,
	operationError,
} from '../errors/errorText';
import { type RequestError, rethrow, unexpected } from '../errors/requestError';
import { classOf, type Operation } from '../operation/operation';
import { fieldsOf } from '../operation/places';
import type { PreparedRequest, Result as ResultOf } from '../operation/preparedRequest';
import { errorItem } from './items';
import { itemMark, itemName, type ItemPlace, itemsMark, itemsName } from '../text/itemName';
import { many, sentences } from '../text/text';
import { byReason, type Failure, reasonText } from './reasons';

/** The items of one request, or why there are none. */
export type Result = ResultOf<INodeExecutionData[]>;

export const isDone = (result: Result): result is Extract<Result, { done: unknown }> =>
	result !== undefined && 'done' in result;

export const errorOf = (result: Result): RequestError | undefined =>
	result && 'requestError' in result ? result.requestError : undefined;

/** Reasons that a message lists. */
const mostReasons = 20;

/**
 * All items that cannot be sent, in one message; nothing was sent in this try.
 * @param sentBefore items that an earlier try of the execution sent
 */
export function invalidItems(
	execution: Execution,
	problems: Problem[],
	count: number,
	sentBefore: number,
): NodeOperationError {
	const failures = sortBy(problems, 'item').map((problem) => ({
		...problem,
		place: itemPlaceOf(execution, problem.item),
	}));
	const [{ item, message, place }] = failures as [(typeof failures)[number]];
	const bad = uniqBy(failures, 'item').length;
	const groups = byReason(failures);
	const listed = groups.slice(0, mostReasons).map(reasonText);
	const more = groups.slice(mostReasons).flat();
	if (more.length) listed.push(`Also ${itemsName(more.map((failure) => failure.place))}.`);
	const ofMany = count > 1;
	const isInSheet = (failure: (typeof failures)[number]) => failure.place.row !== undefined;
	return operationError(
		execution.context.getNode(),
		{
			message: `${bad === 1 ? '' : `${bad} of ${count} items cannot be sent: `}${message}${ofMany ? ` ${itemMark(place, message)}` : ''}`,
			description: sentences(
				sentBefore > 0
					? `An earlier try of this execution sent ${many(sentBefore, 'item')}, and no item is sent twice. Nothing was sent in this try.`
					: 'Nothing was sent.',
				ofMany && !failures.every(isInSheet) && 'Items are counted from 0.',
				ofMany && failures.some(isInSheet) && 'Rows are counted as in the sheet.',
			),
			...(failures.length > 1 && { listed }),
		},
		item,
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

/** Why a request did not succeed, in words. */
export function textOf(
	execution: Delivering,
	prepared: PreparedRequest,
	error: RequestError,
	counted = false,
): ErrorText {
	const { operation, ownKey, report, batchOf, body } = prepared;
	const { batches } = batchOf?.operation ?? operation;
	return describeError(error, {
		host: execution.client.workspace.host,
		operation,
		class: classOf(operation),
		accepted: acceptedText(execution, prepared),
		ownKey: ownKey !== undefined,
		labels: labelsOf(operation),
		rows: report.rows,
		batch: batches && { size: (body[batches.list] as unknown[]).length, rows: batches.rows },
		nameOf: (item) => itemName(itemPlaceOf(execution, item)),
		counted,
	});
}

/** How far requests have come at this moment. */
export function progressOf(
	{ deliveries, mayBeDone }: Delivering,
	requests: PreparedRequest[],
): Record<'accepted' | 'uncertain' | 'rest', PreparedRequest[]> {
	const open = requests.filter((request) => !deliveries.has(request));
	return {
		accepted: requests.filter((request) => deliveries.has(request)),
		uncertain: open.filter(({ item }) => mayBeDone.has(item)),
		rest: open.filter(({ item }) => !mayBeDone.has(item)),
	};
}

/** How far a run came, and whether running it again repeats anything; nothing of reads. */
function progressText(execution: Delivering, ready: PreparedRequest[], results: Result[]) {
	if (ready.every(({ operation }) => classOf(operation) === 'read')) return undefined;
	const open = ready.filter((_, at) => !isDone(results[at]));
	const { accepted, uncertain, rest } = progressOf(execution, open);
	const count = (some: PreparedRequest[]): number => sumBy(some, 'items.length');
	const counts = [
		`${count(ready) - count(open)} done`,
		...(accepted.length ? [`${count(accepted)} started and not followed to the end`] : []),
		...(uncertain.length ? [`${count(uncertain)} uncertain`] : []),
		`${count(rest)} not done.`,
	].join(', ');
	const again = ready.every(({ ownKey }) => ownKey)
		? 'A new run of the workflow is safe too, because every item has its own request key.'
		: 'A new run of the workflow starts from the beginning.';
	const isSafe = uncertain.every(
		({ operation }) => operation.method !== 'POST' || classOf(operation) === 'keyed',
	);
	const safety = isSafe
		? `Retry On Fail and Executions › Retry are safe: they continue with the rest. ${again}`
		: 'Retry On Fail and Executions › Retry continue with the rest and omit what is uncertain. Check the ' +
			`platform. To send what is missing there, ${allowsRetry}.`;
	return { counts, safety };
}

/** The request error that ended a run, in words, with how far it came. */
function stopped(execution: Delivering, ready: PreparedRequest[], results: Result[]): NodeApiError {
	const errors = results.map(errorOf);
	const recent = errors.findIndex((error) => error?.recent);
	const at = recent >= 0 ? recent : errors.findIndex((error) => error !== undefined);
	const error = errors[at] as RequestError;
	const prepared = ready[at] as PreparedRequest;
	const progress = ready.length > 1 ? progressText(execution, ready, results) : undefined;
	const { message, description } = textOf(execution, prepared, error, progress !== undefined);
	const places = prepared.items.map((item) => itemPlaceOf(execution, item));
	const where = places.length === 1 ? itemMark(places[0] as ItemPlace, message) : itemsMark(places);
	const { status, field } = error.facts;
	return apiError(
		execution.context.getNode(),
		{
			message: ready.length > 1 ? `${message} ${where}` : message,
			description: sentences(progress?.counts, description, progress?.safety),
		},
		{ status, code: codeOf(error), field, item: prepared.item },
	);
}

/** Reasons that the output panel names. */
const mostHints = 5;

/** Says in the output panel why many items failed alike; each error item says it of its own. */
export function tellFailures({ hints }: Execution, failures: Failure[]): void {
	const reasons = byReason(failures).filter((alike) => alike.length > 1);
	for (const alike of orderBy(reasons, 'length', 'desc').slice(0, mostHints))
		hints.add(reasonText(alike));
}

/** n8n does not show it: what a stopped run has done is left behind by `run/tellStopped.ts`. */
const canceled = (node: INode): NodeOperationError =>
	new NodeOperationError(node, 'The execution was canceled');

/**
 * Throws what ended a run: a cancellation, something unforeseen, or the request error that stopped it.
 * @throws NodeOperationError, NodeApiError; returns if the run may output its items
 */
export function raiseFailures(
	execution: Delivering,
	requests: PreparedRequest[],
	results: Result[],
	ended: unknown,
): void {
	if (ended instanceof Cancelled) throw canceled(execution.context.getNode());
	if (ended !== undefined) rethrow(ended);
	if (execution.stops && results.some(errorOf)) throw stopped(execution, requests, results);
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
	};
}

/**
 * What On Error makes of an error that ended the whole run. If a node with On Error = continue throws, n8n outputs the
 * input as if it had been done, so each input item becomes an error item instead.
 * @throws what was thrown, if the node stops on errors or the execution was stopped
 */
export function continued(context: IExecuteFunctions, thrown: unknown): INodeExecutionData[] {
	if (thrown instanceof Cancelled) throw canceled(context.getNode());
	if (context.getExecutionCancelSignal()?.aborted || !context.continueOnFail()) rethrow(thrown);
	const facts = factsOf(thrown);
	return context.getInputData().map((input, item) => errorItem(context, input, facts, item));
}
