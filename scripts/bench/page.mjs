/** docs/reference/benchmarks.md: each section is made by one work of `npm run bench`. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { repository } from '../../tools/bootstrap.mjs';

const pageFile = join(repository, 'docs', 'reference', 'benchmarks.md');
/** The order of the sections. */
const names = [
	'sends',
	'network',
	'notes',
	'contacts',
	'overhead',
	'listing',
	'preview',
	'trigger',
	'intent',
	'phones',
	'footprint',
];

const head = `# Benchmarks

Made by \`npm run bench\`: n8n in regular mode with SQLite, the sandbox on the same machine. Compare within a table only; under each stands
when and on what machine it was made. Other pages: [queue mode](benchmarks-queue.md), [soak](benchmarks-soak.md).`;

/**
 * The page with these sections made new and the others as they stand there.
 * @param {Record<string, any>} sections by name
 * @param {string} [more] what else was measured with, e.g. the version of n8n
 */
export function pageWith(sections, more) {
	const before = existsSync(pageFile) ? readFileSync(pageFile, 'utf8') : '';
	const unknown = Object.keys(sections).filter((name) => !names.includes(name));
	if (unknown.length > 0) throw new Error(`The page has no place for ${unknown.join(', ')}`);
	const [cpu] = cpus();
	const made = [
		new Date().toISOString().slice(0, 10),
		`${cpus().length} × ${cpu.model.trim()}`,
		`${Math.round(totalmem() / 2 ** 30)} GB`,
		`Node ${process.versions.node}`,
		...(more ? [more] : []),
	].join(', ');
	const parts = names.flatMap((name) => {
		const mark = `<!-- ${name} -->`;
		const section = sections[name];
		if (!section)
			return before.split(mark)[1] === undefined ? [] : [`${mark}${before.split(mark)[1]}${mark}`];
		const { title, text, columns, rows, bars } = section;
		const lines = [
			mark,
			`## ${title}`,
			'',
			text,
			'',
			`| ${columns.join(' | ')} |`,
			`|${columns.map(() => '---').join('|')}|`,
			...rows.map((row) => `| ${row.join(' | ')} |`),
			'',
		];
		lines.push(
			...bars.map(
				({ bar, held, figure }) => `- ${held ? 'Held' : '**Missed**'}: ${bar}: ${figure}`,
			),
			...(bars.length ? [''] : []),
			`<sub>${made}</sub>`,
			mark,
		);
		return [lines.join('\n')];
	});
	return `${[head, ...parts].join('\n\n')}\n`;
}

/** Writes the page. @param {Record<string, any>} sections @param {string} [more] see `pageWith` */
export function writePage(sections, more) {
	writeFileSync(pageFile, pageWith(sections, more));
}
