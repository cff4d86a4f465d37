import { camelCase } from 'lodash';
import { boolean, type Field, InvalidValue } from '../engine/fields';
import { readDeciding } from '../engine/fields/answered';

/** For what costs money: several items are refused unless a switch is on. @param does "buys a number" @throws InvalidValue */
export function oncePerItem<T>(field: Field<T>, displayName: string, does: string): Field<T> {
	const asked = boolean(
		`Whether each of several items ${does}; otherwise only a single item is accepted`,
	);
	const name = camelCase(displayName);
	return {
		...field,
		show: (...at) => [...field.show(...at), ...asked.show(name, displayName)],
		read: (source, ...at) => {
			const isAsked = readDeciding(asked, source, name, displayName) === true;
			const items = isAsked ? 1 : [...source.all()].length;
			if (items > 1)
				throw new InvalidValue(
					displayName,
					`is off, and each of ${items} items ${does}. Keep one item, with a Limit node before this one, or turn it on`,
				);
			return field.read(source, ...at);
		},
	};
}
