/**
 * Raises guesses of the contract that the platform's own OpenAPI file confirms, or a report of `npm run probe`: the
 * mark in the text, and the sentence beside it, because what is confirmed is no guess any more. Nothing else changes.
 */
import { comparedWith } from './compare.mjs';
import { factsOf, reportIn } from './report.mjs';

/** The sentence of a guess (`x-unconfirmed`), beside its mark in one line or in the line after it. */
const sentence = { inLine: /, x-unconfirmed: '(?:[^']|'')*'/, ofLine: /^\s+x-unconfirmed: / };

/** Sources that a file of the platform is stronger than. */
const weak = ['inferred', 'catalogue'];

/**
 * A mark is raised when everything that it speaks for is confirmed and nothing of it is wrong or left unsaid.
 * @param {string} file the platform's own OpenAPI file, or a report of `npm run probe` (JSON)
 * @param {string} text the contract
 * @returns {Promise<{text: string, raised: string[], held: string[]}>} lines for people, with the line in the contract
 */
export async function confirmed(file, text) {
	const { getLineColLocation, Source } = await import('@redocly/openapi-core');
	const report = await reportIn(file);
	const facts = report ? factsOf(report, text) : (await comparedWith(file, text)).facts;
	const stronger = report ? 'workspace' : 'reference';
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
		const after = rest.slice(mark.length);
		const guess = mark === 'inferred' && before.trimEnd().endsWith('x-source:');
		lines[line - 1] = `${before}${stronger}${guess ? after.replace(sentence.inLine, '') : after}`;
		if (guess && sentence.ofLine.test(lines[line] ?? '')) lines.splice(line, 1);
		raised.unshift(`line ${line}: ${proof.says}`);
	}
	return { text: lines.join('\n'), raised, held };
}
