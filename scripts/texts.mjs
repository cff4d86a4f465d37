/**
 * Every text that people read, as one table (where, kind, text, and in how many places), to be read in one sitting.
 *
 *   npm run texts                      all of them, tab-separated
 *   npm run texts -- --kind hint       one kind: name, label, option, action, description, hint, notice, placeholder,
 *                                      panel, error, note, page
 *   npm run texts -- --about trigger   where the place or the text mentions a word
 */
import { parseArgs } from 'node:util';
import { ensureBuild, ensureNodeVersion, ensurePackage, exitWith } from '../tools/bootstrap.mjs';

try {
	ensureNodeVersion();
	const { values } = parseArgs({
		options: { kind: { type: 'string' }, about: { type: 'string' } },
	});
	await ensurePackage();
	await ensureBuild();
	const { allTexts } = await import('../tools/texts.mjs');
	const rows = new Map();
	for (const { where, kind, text } of allTexts()) {
		if (values.kind && kind !== values.kind) continue;
		if (values.about && !`${where} ${text}`.toLowerCase().includes(values.about.toLowerCase()))
			continue;
		const key = `${kind}\t${text}`;
		const row = rows.get(key);
		if (row) row.places++;
		else rows.set(key, { where, places: 1 });
	}
	for (const [key, { where, places }] of rows)
		console.log(`${where}${places > 1 ? ` (and ${places - 1} more)` : ''}\t${key}`);
} catch (error) {
	exitWith(error);
}
