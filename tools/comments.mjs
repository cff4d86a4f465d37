/** The comments of the nodes and of the credential, for readers and for the style's test. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';

/** Written by the library's authors. */
const foreign = ['nodes/engine/phone/libphonenumber.d.ts'];

const withoutMarks = (comment) =>
	comment
		.replace(/^\/\*+|\*\/$/g, '')
		.replace(/^\s*(?:\*|\/\/)/gm, '')
		.replace(/\s+/g, ' ')
		.trim();

/** Comments of a file, each line's `//` as part of the comment above it. @returns {{line: number, text: string}[]} */
export function commentsOf(file, source) {
	const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
	const ranges = new Map();
	const visit = (node) => {
		for (const range of [
			...(ts.getLeadingCommentRanges(source, node.getFullStart()) ?? []),
			...(ts.getTrailingCommentRanges(source, node.getEnd()) ?? []),
		])
			ranges.set(range.pos, range);
		for (const child of node.getChildren(tree)) if (!ts.isJSDoc(child)) visit(child);
	};
	visit(tree);
	const joined = [];
	for (const range of [...ranges.values()].sort((a, b) => a.pos - b.pos)) {
		const above = joined.at(-1);
		const follows =
			above?.kind === ts.SyntaxKind.SingleLineCommentTrivia &&
			range.kind === above.kind &&
			/^\s*$/.test(source.slice(above.end, range.pos)) &&
			!/\n\s*\n/.test(source.slice(above.end, range.pos));
		if (follows) above.end = range.end;
		else joined.push({ ...range });
	}
	return joined.map(({ pos, end }) => ({
		line: tree.getLineAndCharacterOfPosition(pos).line + 1,
		text: withoutMarks(source.slice(pos, end)),
	}));
}

/** @param {string} repository @returns {Iterable<{where: string, kind: 'comment', text: string}>} */
export function* allComments(repository) {
	for (const folder of ['credentials', 'nodes']) {
		const files = readdirSync(join(repository, folder), { recursive: true })
			.map((name) => `${folder}/${name}`)
			.filter((name) => name.endsWith('.ts') && !foreign.includes(name))
			.sort();
		for (const file of files)
			for (const { line, text } of commentsOf(file, readFileSync(join(repository, file), 'utf8')))
				yield { where: `${file}:${line}`, kind: 'comment', text };
	}
}
