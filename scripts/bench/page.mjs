/** docs/reference/benchmarks.md: each section is made by one work of `npm run bench`. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { defaultVersion, repository } from '../../tools/bootstrap.mjs';
import { table } from '../../tools/docs/markdown.mjs';
import { growth } from './growth.mjs';
import { changes, contacts, listing, notes } from './lists.mjs';
import { sends } from './sending.mjs';
import { intent } from './webhooks.mjs';

/** @type {Record<string, (bench: import('../bench.mjs').Bench) => Promise<import('../bench.mjs').Section>>} */
export const works = { sends, notes, changes, contacts, growth, listing, intent };

const pageFile = join(repository, 'docs', 'reference', 'benchmarks.md');

const head = `# Benchmarks

Made by \`npm run bench\`: n8n in regular mode with SQLite, the sandbox on the same machine. Compare within a table only; under each stands
when and on what machine it was made. Also: [queue mode](benchmarks-queue.md).`;

/**
 * The page with these sections made new, and those that stand there if this n8n was measured. What is to be measured
 * anew is named with its command.
 * @param {Record<string, import('../bench.mjs').Section>} sections by name
 */
export function pageWith(sections) {
	const before = existsSync(pageFile) ? readFileSync(pageFile, 'utf8') : '';
	const n8n = `n8n ${defaultVersion}`;
	const made = [
		new Date().toISOString().slice(0, 10),
		`${cpus().length} × ${cpus()[0].model.trim()}`,
		`${Math.round(totalmem() / 2 ** 30)} GB`,
		`Node ${process.versions.node}`,
		n8n,
	].join(', ');
	const missing = [];
	const parts = Object.keys(works).flatMap((name) => {
		const mark = `<!-- ${name} -->`;
		const [, standing] = before.split(mark);
		if (sections[name]) return [`${mark}\n${textOf(sections[name], made)}\n${mark}`];
		if (standing?.includes(`, ${n8n}</sub>`)) return [`${mark}${standing}${mark}`];
		missing.push(name);
		return [];
	});
	const command = `Not yet measured with ${n8n}: \`npm run bench -- --only ${missing.join()}\``;
	return `${[head, ...parts, ...(missing.length ? [command] : [])].join('\n\n')}\n`;
}

function textOf({ title, text, columns, rows, bars }, made) {
	const held = bars.map(
		({ bar, held: is, figure }) => `- ${is ? 'Held' : '**Missed**'}: ${bar}: ${figure}`,
	);
	return [
		`## ${title}`,
		text,
		table(columns, rows),
		...(held.length ? [held.join('\n')] : []),
		`<sub>${made}</sub>`,
	].join('\n\n');
}

/** @param {Record<string, import('../bench.mjs').Section>} sections */
export function writePage(sections) {
	writeFileSync(pageFile, pageWith(sections));
}
