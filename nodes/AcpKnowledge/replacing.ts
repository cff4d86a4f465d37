import { list } from '../engine/fields';
import type { Shape } from '../engine/operation';
import { onePerRecord } from '../shared/onePerRecord';

/** A list that replaces all that the agent has. @param entry "Guard Rule" */
export const replacing = <T>(entry: string, row: Shape<NoInfer<T>>) =>
	onePerRecord(
		list<T>(
			{
				entry,
				required: true,
				description: "To remove all, leave it empty and turn on 'Send Empty Fields' under Options",
			},
			row,
		),
	);
