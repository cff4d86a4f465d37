/** Raises guesses of the contract that the platform's own OpenAPI file confirms: the mark in the text, nothing else. */
import { comparedWith } from './compare.mjs';

/** Sources that a file of the platform is stronger than. */
const weak = ['inferred', 'catalogue'];

/**
 * A mark is raised when everything that it speaks for is confirmed and nothing of it is wrong or left unsaid.
 * @param {string} file the platform's own OpenAPI file
 * @param {string} text the contract
 * @returns {Promise<{text: string, raised: string[], held: string[]}>} lines for people, with the line in the contract
 */
export async function confirmed(file, text) {
	const { getLineColLocation, Source } = await import('@redocly/openapi-core');
	const { facts } = await comparedWith(file, text);
	const source = new Source('openapi.yaml', text);
	const lines = text.split('\n');
	const [raised, held] = [[], []];
	const marks = [...Map.groupBy(facts, ({ mark }) => mark)]
		.filter(([pointer]) => pointer !== undefined)
		.map(([pointer, told]) => {
			const { start } = getLineColLocation({ source, pointer, reportOnKey: false });
			return { line: start.line, column: start.col - 1, told };
		})
		// From the end of the document, so that what is replaced moves no mark that is still to come.
		.sort((a, b) => b.line - a.line || b.column - a.column);
	for (const { line, column, told } of marks) {
		const [before, rest] = [lines[line - 1].slice(0, column), lines[line - 1].slice(column)];
		const mark = /^\w+/.exec(rest)?.[0];
		if (!weak.includes(mark)) continue;
		const wrong = told.filter(({ verdict }) => verdict === 'wrong');
		const unsaid = told.filter(({ verdict }) => verdict === 'unsaid');
		const [first, ...others] = wrong.length ? wrong : unsaid;
		if (first) {
			const kind = wrong.length ? 'wrong' : 'the file does not say';
			const more = others.length ? ` (and ${others.length} more)` : '';
			held.unshift(`line ${line}: ${kind}: ${first.says}${more}`);
			continue;
		}
		const proof = told.find(({ verdict }) => verdict === 'confirmed');
		if (!proof) continue;
		lines[line - 1] = `${before}reference${rest.slice(mark.length)}`;
		raised.unshift(`line ${line}: ${proof.says}`);
	}
	return { text: lines.join('\n'), raised, held };
}
