/**
 * Every text that people read, as one table (where, kind, text, and in how many places), to be read in one sitting.
 *
 *   node scripts/texts.mjs                      all of them, tab-separated
 *   node scripts/texts.mjs --kind hint          one kind: name, label, option, action, description, hint, notice,
 *                                               placeholder, panel, error, note, page
 *   node scripts/texts.mjs --about trigger      where the place or the text mentions a word
 *   node scripts/texts.mjs --faults             what breaks a rule of docs/contributing/style.md that a program can
 *                                               see, with the fault before the text; exit code 1 if there is any
 */
import { parseArgs } from 'node:util';
import {
	ensureBuild,
	ensureNodeVersion,
	ensurePackage,
	exitWith,
	repository,
} from '../tools/bootstrap.mjs';

try {
	ensureNodeVersion();
	const { values } = parseArgs({
		options: {
			kind: { type: 'string' },
			about: { type: 'string' },
			faults: { type: 'boolean' },
		},
	});
	await ensurePackage();
	await ensureBuild();
	const { allTexts } = await import('../tools/texts.mjs');
	const wanted = ({ where, kind, text }) =>
		(!values.kind || kind === values.kind) &&
		(!values.about || `${where} ${text}`.toLowerCase().includes(values.about.toLowerCase()));
	if (values.faults) {
		const { faultsIn, readStyle } = await import('../tools/text-faults.mjs');
		const faults = faultsIn(allTexts(), readStyle(repository)).filter(wanted);
		for (const { where, kind, fault, text } of faults)
			console.log([where, kind, fault, text].join('\t'));
		console.error(`${faults.length} faults`);
		process.exitCode = faults.length > 0 ? 1 : 0;
	} else {
		const rows = new Map();
		for (const { where, kind, text } of allTexts().filter(wanted)) {
			const key = `${kind}\t${text}`;
			const row = rows.get(key);
			if (row) row.places++;
			else rows.set(key, { where, places: 1 });
		}
		for (const [key, { where, places }] of rows)
			console.log(`${where}${places > 1 ? ` (and ${places - 1} more)` : ''}\t${key}`);
	}
} catch (error) {
	exitWith(error);
}
