import {
	NodeApiError,
	NodeOperationError,
	type IDataObject,
	type IExecuteFunctions,
	type INode,
	type INodeExecutionData,
} from 'n8n-workflow';
import { acceptedText, type Delivering, type Execution, itemPlaceOf } from '../execution';
import type { Problem } from '../fields/field';
import { Cancelled } from '../http/clock';
import {
	apiError,
	codeOf,
	describeError,
	errorFacts,
	operationError,
	type Situation,
} from '../errors/errorText';
import { type RequestError, unexpected } from '../errors/requestError';
import { classOf, type Operation } from '../operation/operation';
import { fieldsOf } from '../operation/places';
import type { PreparedRequest, Result as ResultOf } from '../operation/preparedRequest';
import { errorItem } from './items';
import { rethrow } from '../errors/rethrow';
import { itemMark, itemName, type ItemPlace, itemsMark, itemsName, rowOf } from '../text/itemName';
import { byReason, reasonText } from './reasons';

/** The items of one request, or why there are none. */
export type Result = ResultOf<INodeExecutionData[]>;

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
	const sorted = [...problems].sort((a, b) => a.item - b.item);
	const [first] = sorted as [Problem];
	const placeOf = ({ item }: Problem) => itemPlaceOf(execution, item);
	const bad = new Set(sorted.map(({ item }) => item)).size;
	const groups = byReason(sorted.map((problem) => ({ ...problem, place: placeOf(problem) })));
	const listed = groups.slice(0, mostReasons).map(reasonText);
	const more = groups.slice(mostReasons).flatMap(({ failures }) => failures);
	if (more.length) listed.push(`Also ${itemsName(more.map(({ place }) => place))}.`);
	const inSheet = sorted.filter((problem) => placeOf(problem).row !== undefined).length;
	const counted = [
		inSheet < sorted.length ? 'Items are counted from 0.' : '',
		inSheet > 0 ? 'Rows are counted as in the sheet.' : '',
	];
	const where = count === 1 ? '' : ` ${itemMark(placeOf(first), first.message)}`;
	return operationError(
		execution.context.getNode(),
		{
			message: `${bad === 1 ? '' : `${bad} of ${count} items cannot be sent: `}${first.message}${where}`,
			description: [
				sentBefore === 0 ? 'Nothing was sent.' : alreadySent(sentBefore),
				...(count === 1 ? [] : counted),
			]
				.filter(Boolean)
				.join(' '),
			...(sorted.length === 1 ? {} : { listed }),
		},
		first.item,
	);
}

const alreadySent = (items: number): string =>
	`${items === 1 ? 'One item was' : `${items} items were`} sent by an earlier try of this execution and ${items === 1 ? 'is' : 'are'} not sent again. Nothing was sent in this try.`;

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

/** What a message needs to know about a request. */
export const situationOf = (execution: Delivering, prepared: PreparedRequest): Situation => ({
	host: execution.client.workspace.host,
	item: prepared.item,
	class: classOf(prepared.operation),
	explain: prepared.operation.explain,
	facts: prepared.operation,
	accepted: acceptedText(execution, prepared),
	ownKey: prepared.ownKey !== undefined,
	timeoutSeconds: execution.options(prepared.item).timeout,
	labels: labelsOf(prepared.operation),
	rows: prepared.report.rows,
	...batchSituation(prepared),
	nameOf: (item) => itemName(itemPlaceOf(execution, item)),
});

/** How many rows a request carries, if "Batch Size" decides. */
function batchSituation({ operation, batchOf, body }: PreparedRequest): Pick<Situation, 'batch'> {
	const { batches } = batchOf?.operation ?? operation;
	if (!batches) return {};
	return { batch: { size: (body[batches.list] as unknown[]).length, rows: batches.rows } };
}

/** The items of a request, for a message. */
function whereOf(execution: Execution, { items, item }: PreparedRequest, said: string): string {
	if (items.length === 1) return itemMark(itemPlaceOf(execution, item), said);
	return itemsMark(items.map((one) => itemPlaceOf(execution, one)));
}

const countItems = (requests: PreparedRequest[]): number =>
	requests.reduce((count, { items }) => count + items.length, 0);

/** How far a run came, and whether running it again repeats anything. */
function progress(execution: Delivering, ready: PreparedRequest[], results: Result[]): string {
	const acceptedOf = (request: PreparedRequest) => acceptedText(execution, request);
	if (ready.every(({ operation }) => classOf(operation) === 'read')) return '';
	const done = countItems(
		ready.filter((_, at) => {
			const result = results[at];
			return result && 'done' in result;
		}),
	);
	const unfinished = ready.filter(
		(request, at) => acceptedOf(request) !== undefined && !(results[at] && 'done' in results[at]),
	);
	const doubtful = ready.filter((request, at) => {
		const result = results[at];
		return (
			result &&
			'requestError' in result &&
			result.requestError.outcome !== 'nothing' &&
			!acceptedOf(request)
		);
	});
	const uncertain = countItems(doubtful);
	const rest = countItems(ready) - done - uncertain - unfinished.length;
	const counts = [
		`${done} of ${countItems(ready)} items were done`,
		unfinished.length
			? `${unfinished.length} ${unfinished.length === 1 ? 'was' : 'were'} started and not followed to the end`
			: '',
		uncertain ? `${uncertain} ${uncertain === 1 ? 'is' : 'are'} uncertain` : '',
		`${rest} ${rest === 1 ? 'was' : 'were'} not done.`,
	]
		.filter(Boolean)
		.join(', ');
	const again = ready.every(({ ownKey }) => ownKey)
		? 'A new run of the workflow is safe too, because every item has its own request key.'
		: 'A new run of the workflow starts from the beginning.';
	const retry = doubtful.every(
		({ operation }) => operation.method !== 'POST' || classOf(operation) === 'keyed',
	)
		? `Retry On Fail and retrying this execution are safe: they continue with the rest. ${again}`
		: 'Retry On Fail and retrying this execution continue with the rest and omit what is ' +
			"uncertain. Check the platform. To send what is missing there, turn on 'Retry Writes' " +
			'under Options.';
	return `${counts} ${retry}`;
}

/** The request error that ended a run, in words, with how far it came. */
export function stopped(execution: Delivering, ready: PreparedRequest[], results: Result[]) {
	const errors = results.map((result) =>
		result && 'requestError' in result ? result.requestError : undefined,
	);
	const recent = errors.findIndex((requestError) => requestError?.recent);
	const at = recent >= 0 ? recent : errors.findIndex((requestError) => requestError !== undefined);
	const { requestError } = results[at] as { requestError: RequestError };
	const prepared = ready[at] as PreparedRequest;
	const said = describeError(requestError, situationOf(execution, prepared));
	const { status, field } = requestError.facts;
	return apiError(
		execution.context.getNode(),
		{
			message:
				ready.length > 1
					? `${said.message} ${whereOf(execution, prepared, said.message)}`
					: said.message,
			description: [said.description, ready.length > 1 ? progress(execution, ready, results) : '']
				.filter(Boolean)
				.join(' '),
		},
		{ status, code: codeOf(requestError), field, item: prepared.item },
	);
}

/** Reasons that the output panel names. */
const mostHints = 5;

/** Says in the output panel why many items failed alike; each error item says it of its own. */
export function tellFailures(
	execution: Delivering,
	problems: Problem[],
	requests: PreparedRequest[],
	results: Result[],
): void {
	const ofRequests = requests.flatMap((prepared, at) => {
		const result = results[at];
		if (!result || !('requestError' in result)) return [];
		const { message } = describeError(result.requestError, situationOf(execution, prepared));
		return prepared.items.map((item) => ({ item, message, field: undefined }));
	});
	const failures = [...problems, ...ofRequests].sort((a, b) => a.item - b.item);
	byReason(failures.map((one) => ({ ...one, place: itemPlaceOf(execution, one.item) })))
		.filter(({ failures: alike }) => alike.length > 1)
		.sort((a, b) => b.failures.length - a.failures.length)
		.slice(0, mostHints)
		.forEach((reason) => execution.hints.add(reasonText(reason)));
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
	const failed = results.some((result) => result && 'requestError' in result);
	if (execution.stops && failed) throw stopped(execution, requests, results);
}

/** What n8n's own errors say, in the form of an error item; of any other error, what is known about it. */
function factsOf(thrown: unknown, place: ItemPlace): IDataObject {
	if (!(thrown instanceof NodeApiError || thrown instanceof NodeOperationError)) {
		const found = unexpected(thrown);
		return errorFacts(found, describeError(found, { class: 'read' }), place);
	}
	const { message, description, context } = thrown;
	const status = Number(thrown instanceof NodeApiError ? thrown.httpCode : NaN);
	return {
		message,
		description: description ?? '',
		code: (context.code as string | undefined) ?? 'NOT_RUN',
		...(context.field ? { field: context.field as string } : {}),
		...(status > 0 ? { status } : {}),
		...place,
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
	return context.getInputData().map((input, item) => {
		const row = rowOf(input.json);
		const place = { item, ...(row === undefined ? {} : { row }) };
		return errorItem(context, input, factsOf(thrown, place), item);
	});
}
