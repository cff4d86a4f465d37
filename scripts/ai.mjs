/** `npm run ai`: how well an AI that knows only what n8n shows can build with these nodes. `--all` names every case. */
import { parseArgs } from 'node:util';
import { ensureBuild, ensureHost, defaultVersion, exitWith } from '../tools/bootstrap.mjs';
import { measure } from '../tools/ai/measure.mjs';

const { values } = parseArgs({ options: { all: { type: 'boolean', default: false } } });

try {
	await ensureBuild();
	await ensureHost(defaultVersion);
	print(await measure());
	// Loaded nodes keep timers.
	process.exit();
} catch (error) {
	exitWith(error);
}

/** @param {Awaited<ReturnType<typeof measure>>} figures */
function print(figures) {
	const { places, nodes, workflows } = figures;
	const list = (/** @type {string[]} */ names) =>
		names.length === 0 ? '' : values.all ? `: ${names.join(', ')}` : ` (--all names them)`;
	console.log(`In n8n ${defaultVersion}:

Search, ${figures.phrases} phrases, a right node among the first five
  AI builder   ${figures.foundByCatalogue}
  node panel   ${figures.foundByPanel}
`);
	const missed = places.filter(
		({ catalogue, panel }) => catalogue === 0 || panel === 0 || panel > 5 || values.all,
	);
	for (const { phrase, catalogue, panel } of missed)
		console.log(`  ${phrase}: ${catalogue || 'none'} / ${panel || 'none'}`);
	console.log(`
Sizes                characters of the definition   bytes in the editor`);
	for (const { name, characters, bytes } of nodes)
		console.log(
			`  ${name.padEnd(18)} ${String(characters).padStart(29)} ${String(bytes).padStart(21)}`,
		);
	console.log(
		`  ${'all'.padEnd(18)} ${String(figures.characters).padStart(29)} ${String(figures.bytes).padStart(21)}`,
	);
	console.log(`
Of ${figures.operations} operations
  with a wrong description  ${figures.wrongDescriptions.length}${list(figures.wrongDescriptions)}
  without an output         ${figures.withoutOutput.length}${list(figures.withoutOutput)}
  mappers without a hint    ${figures.mappersWithoutHint.length}${list(figures.mappersWithoutHint)}

n8n's schemas, strict; code and back`);
	for (const kind of /** @type {const} */ (['examples', 'right'])) {
		const all = workflows[kind];
		const good = all.filter(({ faults, survives }) => faults.length === 0 && survives);
		console.log(`  ${kind.padEnd(10)} ${good.length} of ${all.length}`);
		for (const { name, faults, survives } of all.filter((one) => !good.includes(one)))
			console.log(
				`    ${name}: ${[...faults, ...(survives ? [] : ['changed by code'])].join(' ')}`,
			);
	}
	const named = workflows.wrong.filter((one) => one.named);
	console.log(
		`  wrong      ${named.length} of ${workflows.wrong.length} refused with a message that names the mend`,
	);
	for (const { name, faults } of workflows.wrong.filter((one) => !one.named || values.all))
		console.log(`    ${name}: ${faults.join(' ') || 'accepted'}`);
}
