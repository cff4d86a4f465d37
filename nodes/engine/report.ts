import type { INode, INodeExecutionData, NodeOperationError } from 'n8n-workflow';
import {
	apiError,
	codeOf,
	goesOn,
	operationError,
	sentence,
	type Situation,
	words,
} from './http/errors';
import type { Fault } from './http/fault';
import type { RequestClass } from './http/retry';
import type { Operation } from './operation';
import { fieldsOf, type Prepared, type Problem } from './prepare';
import type { Run } from './run';

/** What became of one request. */
export type Result = { items: INodeExecutionData[] } | { fault: Fault } | undefined;

/** What repeating a request of this operation can do. */
export const classOf = (operation: Operation): RequestClass =>
	operation.method === 'GET' ? 'read' : operation.keyed === 'documented' ? 'keyed' : 'write';

const asText = (words: string): string =>
	words.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');

/** All items that cannot be sent, in one message; nothing was sent. */
export function invalidItems(node: INode, problems: Problem[], count: number): NodeOperationError {
	const sorted = [...problems].sort((a, b) => a.item - b.item);
	const [first] = sorted as [Problem];
	const bad = new Set(sorted.map((problem) => problem.item)).size;
	const listed = sorted
		.slice(0, 20)
		.map((problem) => `Item ${problem.item}: ${sentence(problem.message)}`);
	const more = new Set(sorted.slice(listed.length).map(({ item }) => item));
	if (more.size) listed.push(`Also ${more.size === 1 ? 'item' : 'items'} ${ranges([...more])}.`);
	// n8n shows a description as HTML.
	const list = `<ul>${listed.map((line) => `<li>${asText(line)}</li>`).join('')}</ul>`;
	const where = count === 1 ? '' : ` [item ${first.item}]`;
	return operationError(
		node,
		{
			message: `${bad === 1 ? '' : `${bad} of ${count} items cannot be sent: `}${first.message}${where}`,
			description: [
				'Nothing was sent.',
				sorted.length === 1 ? '' : list,
				count === 1 ? '' : 'Items are counted from 0.',
			]
				.filter(Boolean)
				.join(' '),
		},
		first.item,
	);
}

/** Numbers as people write them: "3, 5–9, 12". */
function ranges(sorted: number[]): string {
	const parts: Array<[number, number]> = [];
	for (const number of sorted) {
		const last = parts[parts.length - 1];
		if (last && last[1] === number - 1) last[1] = number;
		else parts.push([number, number]);
	}
	return parts.map(([from, to]) => (from === to ? String(from) : `${from}–${to}`)).join(', ');
}

/** What a message needs to know about a request. */
export const situationOf = (running: Run, prepared: Prepared): Situation => ({
	host: running.gate.workspace.host,
	item: prepared.item,
	class: classOf(prepared.operation),
	explain: prepared.operation.explain,
	begun: prepared.begun,
	ownKey: prepared.ownKey,
	timeoutSeconds: running.options(prepared.item).timeout,
	labels: Object.fromEntries(
		fieldsOf(prepared.operation).flatMap(({ path, displayName }) => [
			[path.join('.'), displayName],
			[path[path.length - 1] as string, displayName],
		]),
	),
	rows: prepared.report.rows,
});

/** How far a run came, and whether running it again repeats anything. */
export function progress(ready: Prepared[], results: Result[]): string {
	if (ready.every(({ operation }) => classOf(operation) === 'read')) return '';
	const done = results.filter((result) => result && 'items' in result).length;
	const unfinished = ready.filter(
		({ begun }, at) => begun !== undefined && !(results[at] && 'items' in results[at]),
	);
	const doubtful = ready.filter(({ begun }, at) => {
		const result = results[at];
		return result && 'fault' in result && result.fault.outcome !== 'nothing' && !begun;
	});
	const uncertain = doubtful.length;
	const rest = ready.length - done - uncertain - unfinished.length;
	if (ready.length === 1 && uncertain === 0)
		return unfinished[0]?.begun ? `${unfinished[0].begun}. ${goesOn}` : 'Nothing was done.';
	const counts = [
		`${done} of ${ready.length} items were done`,
		unfinished.length
			? `${unfinished.length} ${unfinished.length === 1 ? 'was' : 'were'} begun and not seen to the end`
			: '',
		uncertain ? `${uncertain} ${uncertain === 1 ? 'is' : 'are'} uncertain` : '',
		`${rest} ${rest === 1 ? 'was' : 'were'} not.`,
	]
		.filter(Boolean)
		.join(', ');
	const anew = ready.every(({ ownKey }) => ownKey)
		? 'Running the workflow anew is safe too, because every item has a request key of its own.'
		: 'Running the workflow anew starts from the beginning.';
	const retry = doubtful.every(
		({ operation }) => operation.method !== 'POST' || classOf(operation) === 'keyed',
	)
		? `Retry On Fail and retrying this execution are safe: they continue with the rest. ${anew}`
		: 'Retry On Fail and retrying this execution continue with the rest and leave out what ' +
			"is uncertain. Look on the platform: what is missing there is sent again with 'Retry " +
			"Writes' under Options.";
	return `${counts} ${retry}`;
}

/** The fault that ended a run, in words, with how far it came. */
export function stopped(running: Run, ready: Prepared[], results: Result[]) {
	const faults = results.map((result) => (result && 'fault' in result ? result.fault : undefined));
	const news = faults.findIndex((fault) => fault && fault.kind !== 'uncertain');
	const at = news >= 0 ? news : faults.findIndex((fault) => fault !== undefined);
	const { fault } = results[at] as { fault: Fault };
	const prepared = ready[at] as Prepared;
	const said = words(fault, situationOf(running, prepared));
	const { status, field } = fault.facts;
	return apiError(
		running.context.getNode(),
		{
			message: ready.length > 1 ? `${said.message} [item ${prepared.item}]` : said.message,
			description: [said.description, ready.length > 1 ? progress(ready, results) : '']
				.filter(Boolean)
				.join(' '),
		},
		{ status, code: codeOf(fault), field, item: prepared.item },
	);
}
