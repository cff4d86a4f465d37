import { InvalidItems, InvalidValue, type Problem } from '../fields/field';
import { Cancelled } from '../http/clock';
import { rethrow } from '../errors/requestError';

/** A refused item, in words; several items if one field gathers all. @throws Cancelled */
export function problemsOf(thrown: unknown, item: number): Problem[] {
	if (thrown instanceof Cancelled) rethrow(thrown);
	if (thrown instanceof InvalidItems) return thrown.problems;
	const message = thrown instanceof Error ? thrown.message : String(thrown);
	const field = thrown instanceof InvalidValue ? thrown.field : undefined;
	return [{ item, message, ...(field ? { field } : {}) }];
}
