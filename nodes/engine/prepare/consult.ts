import { type Execution, requestSettings } from '../execution';
import { InvalidValue, type Problem } from '../fields/field';
import { describeError } from '../http/errorText';
import { RequestError } from '../http/requestError';
import type { PreparedRequest } from '../operation/preparedRequest';
import { pathOfRead } from '../operation/secondaryRead';
import { problemsOf } from './problems';
import { rethrow } from '../rethrow';

/**
 * Reads what the platform says about each target before anything is written (interface §4.1 rule 4), once per target.
 * @returns the items that do not fit it, or whose target could not be read
 */
export async function consult(execution: Execution, ready: PreparedRequest[]): Promise<Problem[]> {
	const { operation, client } = execution;
	const rule = operation.consult;
	if (!rule) return [];
	const problems: Problem[] = [];
	const answers = new Map<string, Promise<unknown>>();
	const ask = async (prepared: PreparedRequest, path: string) => {
		const settings = requestSettings(execution, prepared);
		return (await client.request({ ...settings, method: 'GET', path, class: 'read' })).body;
	};
	for (const prepared of ready) {
		const { item, path, body } = prepared;
		const target = pathOfRead(rule.read, path);
		const answer = answers.get(target) ?? ask(prepared, target);
		answer.catch(() => undefined);
		answers.set(target, answer);
		try {
			const complaint = rule.check?.(await answer, body);
			if (complaint) problems.push({ item, message: complaint });
			else if (rule.fit)
				prepared.body = rule.fit(await answer, body, execution.zones.of(item), path);
		} catch (thrown) {
			if (thrown instanceof InvalidValue) {
				problems.push(...problemsOf(thrown, item));
				continue;
			}
			if (!(thrown instanceof RequestError)) rethrow(thrown);
			const text = describeError(thrown, { host: client.workspace.host, class: 'read' });
			problems.push({ item, message: `${text.message}. ${text.description}` });
		}
	}
	return problems;
}
