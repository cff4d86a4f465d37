/** Text that stands in a cell of a table. */
export const cell = (text) =>
	String(text ?? '')
		.replace(/\s+/g, ' ')
		.replace(/\|/g, '\\|')
		.replace(/</g, '&lt;')
		.trim();

/** @param {string[]} heads @param {string[][]} rows cells, Markdown @returns {string} */
export const table = (heads, rows) =>
	[heads, heads.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');

export const code = (text) => `\`${text}\``;

/**
 * Puts generated text between its markers and leaves everything else alone.
 * @throws when the page has no such markers
 */
export function between(page, name, text) {
	const [begin, end] = [`<!-- generated: ${name} -->`, '<!-- /generated -->'];
	const from = page.indexOf(begin);
	const to = page.indexOf(end, from);
	if (from < 0 || to < 0) throw new Error(`The page has no markers ${begin} … ${end}.`);
	return `${page.slice(0, from + begin.length)}\n${text.trim()}\n${page.slice(to)}`;
}
