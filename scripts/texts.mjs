/**
 * Every text that people read in a form, a message or an example: where, kind, text.
 *
 *   node scripts/texts.mjs             all of them, tab-separated, to be read in one sitting or searched with grep
 *   node scripts/texts.mjs --faults    what breaks a rule of docs/contributing/style.md that a program can see
 */
import { spawnSync } from 'node:child_process';
import { ensureBuild, ensurePackage, exitWith, nodeBinary } from '../tools/bootstrap.mjs';

try {
	await ensurePackage();
	// What reads the texts needs the Node that belongs to the repository.
	if (process.version < 'v24')
		process.exit(spawnSync(nodeBinary(), process.argv.slice(1), { stdio: 'inherit' }).status ?? 1);
	await ensureBuild();
	const { allTexts, faults } = await import('../tools/docs/texts.mjs');
	const found = process.argv.includes('--faults') ? faults() : allTexts();
	for (const { where, kind, fault, text } of found)
		console.log([where, kind, fault, text].filter(Boolean).join('\t'));
} catch (error) {
	exitWith(error);
}
