/** The built nodes of the package, as n8n would load them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

export { nodes } from '../../tools/operations.cjs';

export const root = join(import.meta.dirname, '..', '..');
export const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

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
