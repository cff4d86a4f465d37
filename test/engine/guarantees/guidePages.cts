/** The pages that people read, as tests read them: what they write down to be built. */
import { readFileSync } from 'node:fs';
import path from 'node:path';

export const repositoryFile = (file: string): string =>
	readFileSync(path.join(__dirname, '../../..', file), 'utf8');

export const pageOf = (page: string): string => repositoryFile(`docs/${page}.md`);

/** Every expression that a page writes, in its order, each once. */
export function expressionsOf(page: string): string[] {
	const blocks = [...page.matchAll(/^```\n([^`]*\{\{[^`]*)\n```$/gm)].map(([, text]) => text!);
	const inline = [...page.replace(/^```[\s\S]*?^```$/gm, '').matchAll(/`([^`\n]*\{\{[^`\n]*)`/g)];
	return [...new Set([...blocks, ...inline.map(([, text]) => text!)])];
}
