import { list } from '../engine/fields';
import type { Shape } from '../engine/operation';

/** A list that replaces all that the agent has. @param entry "Guard Rule" */
export const replacing = <T>(entry: string, row: Shape<NoInfer<T>>) =>
	list<T>(
		{
			entry,
			orBodyJson: true,
			description: "To remove all, leave it empty and set it to [] in 'Body (JSON)'",
		},
		row,
	);
