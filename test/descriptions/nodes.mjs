/** The built nodes of the package, as n8n would load them. */
import { createRequire } from 'node:module';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import catalog from '../../tools/catalog.cjs';

const require = createRequire(import.meta.url);
export const root = join(import.meta.dirname, '..', '..');
export const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/**
 * What is for n8n's AI builder alone, and shown to nobody, is absent.
 * @returns {Array<{ className: string, description: any }>}
 */
export function nodes() {
	return manifest.n8n.nodes.map((path) => {
		const className = basename(path, '.node.js');
		const node = new (require(join(root, path))[className])();
		const { properties } = node.description;
		return {
			className,
			node,
			description: {
				...node.description,
				properties: properties.filter((property) => !catalog.shownToNobody(property)),
			},
		};
	});
}

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
