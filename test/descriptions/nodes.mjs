/** The built nodes of the package, as n8n would load them. */
import { join } from 'node:path';
import { jsonOf } from '../../tools/files.mjs';

export { nodes } from '../../tools/operations.cjs';

export const root = join(import.meta.dirname, '..', '..');
export const manifest = jsonOf('package.json');

/** Every parameter of a tree with the path that leads to it. */
export function* parameters(properties, path = []) {
	for (const property of properties) {
		const here = [...path, property.name];
		yield { property, path: here };
		if (property.type === 'collection') yield* parameters(property.options ?? [], here);
		if (property.type === 'fixedCollection') {
			for (const option of property.options ?? [])
				yield* parameters(option.values ?? [], [...here, option.name]);
		}
	}
}
