/** docs/reference/benchmarks.md: each section is made by one work of `npm run bench`. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { repository } from '../../tools/bootstrap.mjs';

const pageFile = join(repository, 'docs', 'reference', 'benchmarks.md');
/** The order of the sections. */
const names = ['sends', 'network', 'notes', 'contacts', 'listing', 'trigger', 'intent'];

const head = `# Benchmarks

Made by \`npm run bench\`: n8n in regular mode with SQLite, the sandbox on the same machine. Compare within a table only; under each stands
when and on what machine it was made. Also: [queue mode](benchmarks-queue.md).`;

/**
 * The page with these sections made new, and those that stand there if this n8n was measured. What is to be measured
 * anew is named with its command.
 * @param {Record<string, any>} sections by name
 * @param {string} n8n e.g. "n8n 2.41.1"
 */
export function pageWith(sections, n8n) {
	const before = existsSync(pageFile) ? readFileSync(pageFile, 'utf8') : '';
	const unknown = Object.keys(sections).filter((name) => !names.includes(name));
	if (unknown.length > 0) throw new Error(`The page has no place for ${unknown.join(', ')}`);
	const [cpu] = cpus();
	const made = [
		new Date().toISOString().slice(0, 10),
		`${cpus().length} × ${cpu.model.trim()}`,
		`${Math.round(totalmem() / 2 ** 30)} GB`,
		`Node ${process.versions.node}`,
		n8n,
	].join(', ');
	const parts = names.flatMap((name) => {
		const mark = `<!-- ${name} -->`;
		const section = sections[name];
		const [, standing] = before.split(mark);
		if (!section) return standing?.includes(`, ${n8n}</sub>`) ? [`${mark}${standing}${mark}`] : [];
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
	const missing = names.filter(
		(name) => !parts.some((part) => part.startsWith(`<!-- ${name} -->`)),
	);
	const command = `Not yet measured with ${n8n}: \`npm run bench -- --only ${missing.join()}\``;
	return `${[head, ...parts, ...(missing.length ? [command] : [])].join('\n\n')}\n`;
}

/** Writes the page. @param {Record<string, any>} sections @param {string} n8n see `pageWith` */
export function writePage(sections, n8n) {
	writeFileSync(pageFile, pageWith(sections, n8n));
}
