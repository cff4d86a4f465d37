import { InvalidItems, InvalidValue, type Problem } from '../fields/field';
import { Cancelled } from '../http/clock';
import { UnsafePath } from '../http/path';
import { rethrow } from '../errors/rethrow';

/** The field that a value belongs to, if known. */
function fieldOf(thrown: unknown): string | undefined {
	if (thrown instanceof UnsafePath) return 'Path';
	return thrown instanceof InvalidValue ? thrown.field : undefined;
}

/** A refused item, in words; several items if one field gathers all. @throws Cancelled */
export function problemsOf(thrown: unknown, item: number): Problem[] {
	if (thrown instanceof Cancelled) rethrow(thrown);
	if (thrown instanceof InvalidItems) return thrown.problems;
	const message = thrown instanceof Error ? thrown.message : String(thrown);
	const field = fieldOf(thrown);
	return [{ item, message, ...(field ? { field } : {}) }];
}
