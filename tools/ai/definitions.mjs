/** What n8n's AI builder reads of a node before it writes one, and how much of it. */

/** @typedef {{resource: string, operation: string, description: string, text: string}} Entry */

const bytes = (/** @type {unknown} */ value) => Buffer.byteLength(JSON.stringify(value));
const shortName = (/** @type {string} */ name) => name.split('.').at(-1);

/** As the generator writes a text into a comment. */
const inComment = (/** @type {string} */ text) =>
	text.replace(/</g, '&lt;').replace(/>/g, '&gt;').replace(/\*\//g, '*\\/');

/**
 * The operations of a node, each with the part of the definition that is about it alone.
 * @param {any} node @param {string} definition
 * @returns {Entry[]}
 */
export function entriesOf(node, definition) {
	// The comment above a type belongs to it.
	const parts = definition
		.replace(/^(\/\*\* .* \*\/)\n(?=export type)/gm, '$1 ')
		.split(/^(?=.*export type \w+Params = \{)/m);
	return node.properties
		.filter((/** @type {any} */ { name }) => name === 'operation')
		.flatMap((/** @type {any} */ { options, displayOptions }) =>
			options.map((/** @type {any} */ { value, description }) => {
				const [resource] = displayOptions.show.resource;
				const text = parts.find((part) =>
					[`resource: '${resource}';`, `operation: '${value}';`].every((line) =>
						part.includes(line),
					),
				);
				if (text === undefined) throw new Error(`${node.name}: no part for ${resource}.${value}`);
				return { resource, operation: value, description, text };
			}),
		);
}

/** Every parameter, at any depth. @param {any[]} properties @returns {any[]} */
const deep = (properties) =>
	(properties ?? []).flatMap((property) => [
		property,
		...deep(property.values),
		...(property.type === 'collection' || property.type === 'fixedCollection'
			? deep(property.options)
			: []),
	]);

/** @param {Awaited<ReturnType<typeof import('./host.mjs').openHost>>} host */
export function definitions({ own, definitionOf }) {
	return own.map((/** @type {any} */ node) => {
		const definition = definitionOf(node);
		const entries = entriesOf(node, definition);
		const names = (/** @type {Entry[]} */ some) =>
			some.map(({ resource, operation }) => `${shortName(node.name)}.${resource}.${operation}`);
		return {
			name: shortName(node.name),
			characters: definition.length,
			bytes: bytes(node),
			operations: entries.length,
			/** Operations that show another text than their own. */
			wrongDescriptions: names(
				entries.filter(({ description, text }) => !text.includes(inComment(description))),
			),
			withoutOutput:
				entries.length > 0
					? names(entries.filter(({ text }) => !text.includes('@output')))
					: definition.includes('@output')
						? []
						: [shortName(node.name)],
			mappersWithoutHint: deep(node.properties)
				.filter(({ type, builderHint }) => type === 'resourceMapper' && !builderHint?.propertyHint)
				.map(({ name }) => `${shortName(node.name)}.${name}`),
		};
	});
}
