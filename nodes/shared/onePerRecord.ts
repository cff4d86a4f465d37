import { attempt, isEqual } from 'lodash';
import { type Field, InvalidValue } from '../engine/fields/field';
import { isNothing } from '../engine/fields/answered';

/**
 * A list that replaces what an agent has: of several items for one agent only the last would stay.
 * @throws InvalidValue if another item of the run replaces the same list by another one
 */
export const onePerRecord = <T>(field: Field<T>): Field<T> => ({
	...field,
	read: (source, name, displayName) => {
		const value = field.read(source, name, displayName);
		if (value === undefined) return undefined;
		for (const other of source.all()) {
			const theirs = attempt(other.get, name);
			if (
				isEqual(attempt(other.get, 'agent'), source.get('agent')) &&
				!isNothing(theirs) &&
				!isEqual(theirs, source.get(name))
			)
				throw new InvalidValue(
					displayName,
					'replaces what another item of this run sends for the same agent, so only one would stay. Combine the items with an Aggregate node before this one',
				);
		}
		return value;
	},
});
