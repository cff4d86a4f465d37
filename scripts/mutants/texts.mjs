/**
 * Which code is only a text for people: labels, hints, sentences. A mutant of it says nothing about what the nodes do.
 * Paths, keys and codes are no texts: they have no two words with a space between them.
 */

/** Properties that hold nothing but text, also when it is a single word. */
const textProperties = new Set([
	'action',
	'description',
	'displayName',
	'hint',
	'label',
	'message',
	'notice',
	'placeholder',
	'plural',
	'singular',
	'subtitle',
]);

const twoWords = /\p{L}[\p{L}'’]+[.,:;!?)]?\s+['"‘“(]?\p{L}/u;

const textOf = ({ node }) =>
	node.type === 'StringLiteral'
		? node.value
		: node.type === 'TemplateLiteral'
			? node.quasis.map(({ value }) => value.cooked).join('…')
			: undefined;

const isSentence = (path) => {
	const text = textOf(path);
	if (text !== undefined) return twoWords.test(text);
	return (
		path.node.type === 'BinaryExpression' &&
		path.node.operator === '+' &&
		(isSentence(path.get('left')) || isSentence(path.get('right')))
	);
};

/**
 * @param {any} path a place in Babel's syntax tree
 * @returns {boolean} whether it is text for people and nothing else
 */
export function isText(path) {
	if (isSentence(path)) return true;
	const { node, parent } = path;
	const { properties } = node;
	if (node.type === 'ObjectExpression' && properties.length > 0)
		return properties.every(
			(one) => textProperties.has(one.key?.name) && one.value?.type !== 'ObjectExpression',
		);
	if (parent?.type !== 'ObjectProperty' || parent.value !== node) return false;
	// Examples, shown as a hint in an empty field.
	if (node.type === 'ArrayExpression') return parent.key.name === 'samples';
	const text = textOf(path);
	if (text === undefined) return false;
	const name = parent.key.name ?? parent.key.value;
	// An option's `name` is its label and begins with a capital; a parameter's `name` is a key and does not.
	return textProperties.has(name) || (name === 'name' && /^\p{Lu}/u.test(text));
}
