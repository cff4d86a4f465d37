import { omit, pick } from 'lodash';
import { listBeside, readBeside, unreadText } from '../execution';
import { type Problem, problemsOf } from '../fields/field';
import { RequestError } from '../errors/requestError';
import type {
	Operation,
	PreflightDefinition,
	PreparedRequest,
	Execution,
} from '../operation/operation';
import { isRepeatable } from '../operation/recovery';
import { pathOfRead, readSameOf } from '../operation/secondaryRead';
import { readWhole } from '../pages/whole';

function isToBeSent({ journal, options }: Execution, prepared: PreparedRequest): boolean {
	const { operation, item } = prepared;
	if (!journal.sentBefore(prepared)) return true;
	return (
		journal.recordOf(prepared)?.state !== 'done' &&
		(operation.recover.by !== 'nothing' ||
			isRepeatable(operation.method, options(item).retryWrites))
	);
}

function complaintOf(execution: Execution, thrown: unknown, item: number): Problem[] {
	if (!(thrown instanceof RequestError)) return problemsOf(thrown, item);
	const { message, description } = unreadText(execution, thrown);
	return [{ item, message: `${message}. ${description}` }];
}

/** Once per target (interface §4.1 rule 4); what an earlier try sent is not compared again: it may have changed the target. */
export async function preflight(
	execution: Execution,
	rule: PreflightDefinition,
	ready: PreparedRequest[],
): Promise<{ ready: PreparedRequest[]; problems: Problem[] }> {
	const { journal, hints } = execution;
	const fittedTo = new Map<PreparedRequest, PreparedRequest>();
	const problems: Problem[] = [];
	const responses = new Map<string, Promise<unknown>>();
	const ask = async (prepared: PreparedRequest, path: string) => {
		const rows: unknown[] = [];
		const list = rule.whole && listBeside(execution, prepared, { in: rule.read });
		if (list) await readWhole({ ...list, take: (page) => void rows.push(...page) });
		if (list) return rows;
		// What is said of a target may be a list, too.
		const reads = readSameOf(rule.read, prepared.pathValues, {}, true);
		return (await readBeside(execution, prepared, path, { reads })).body;
	};
	for (const prepared of ready.filter((one) => isToBeSent(execution, one))) {
		const { item, pathValues } = prepared;
		const asWritten = pick(prepared.body, prepared.asWritten ?? []);
		const body = omit(prepared.body, prepared.asWritten ?? []);
		const path = pathOfRead(rule.read, pathValues);
		const response = responses.get(path) ?? ask(prepared, path);
		response.catch(() => undefined);
		responses.set(path, response);
		let target: unknown;
		try {
			target = await response;
			const complaint = rule.check?.(target, body, prepared.report.matching ?? []);
			if (complaint) {
				// The target may have changed because of it.
				const earlier = journal.sentBefore(prepared)
					? '. An earlier try sent this and lost the response, so it may have gone through'
					: '';
				problems.push({ item, message: `${complaint}${earlier}` });
			} else if (rule.fit) {
				const fitted = rule.fit(target, body, execution.zones.of(item), pathValues);
				fittedTo.set(prepared, {
					...prepared,
					body: { ...asWritten, ...fitted },
					checked: target,
				});
			}
		} catch (thrown) {
			const isUnread =
				thrown instanceof RequestError &&
				(rule.whole || target !== undefined || [404, 405].includes(thrown.facts.status ?? 0));
			if (rule.unread !== undefined && isUnread) {
				hints.add(rule.unread, 'warning');
				continue;
			}
			problems.push(...complaintOf(execution, thrown, item));
		}
	}
	return { ready: ready.map((prepared) => fittedTo.get(prepared) ?? prepared), problems };
}

/** Asks the operation's `guard`, unless an earlier try sent it. @returns the items that are held back @throws Cancelled */
export async function heldBack(
	execution: Execution,
	{ check }: NonNullable<Operation['guard']>,
	ready: PreparedRequest[],
): Promise<Problem[]> {
	const { journal, options, stops } = execution;
	const problems: Problem[] = [];
	for (const prepared of ready) {
		const { item, items } = prepared;
		if (options(item).startAgain === true) continue;
		if (journal.sentBefore(prepared) || journal.recordOf(prepared)?.borders) continue;
		const message = await check(execution, prepared);
		// What concerns a request from all items is said once if the run stops.
		if (message !== undefined)
			problems.push(...(stops ? [item] : items).map((one) => ({ item: one, message })));
	}
	return problems;
}
