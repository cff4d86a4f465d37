/**
 * All tests, in one command, on a machine with only Node and npm. What is missing is installed and built first.
 *
 *   npm test                          everything but the long stages
 *   npm test -- --all                 the long stages, too (`--list` names them)
 *   npm test -- --only lint,unit      some stages (see the list below)
 *   npm test -- --skip host           all but some
 *   npm test -- --tests faults,pace   test files with one of these in their path, of all stages or of those in `--only`
 *   npm test -- --tests everyOperation --name agent.create    and of them the tests whose name fits
 *   npm test -- --only queue --full   the long form, where a stage has one (faults, versions, queue)
 *   npm test -- --changed             what the changes since main touch, and what that leaves out
 *   npm test -- --jobs 1              one stage after the other
 *   npm test -- --list                the stages, which are long, and which need an installed n8n; runs nothing
 *
 * Stages run side by side, two at a time and one beside them; what each prints stays together. The last line is "N
 * passed, N failed" over the stages; exit code 1 when one failed. Where something is missing that only an administrator
 * may install (Chromium, Redis, PostgreSQL), its stages are skipped and say so; where CI is set, they fail.
 */
import { delimiter, join } from 'node:path';
import { parseArgs } from 'node:util';
import {
	ClearError,
	ensureBuild,
	ensureNodeVersion,
	ensurePackage,
	exitWith,
	repository,
} from '../tools/bootstrap.mjs';
import { changedFiles, touchedBy } from './test/changed.mjs';
import { filesOf, listed } from './test/list.mjs';
import { endStagesWithUs, runAll } from './test/stages.mjs';

/** What to do, where something that a stage needs is missing and cannot be installed here. */
async function cannotHave(needs = []) {
	if (needs.includes('chromium')) {
		const { withoutChromium } = await import('../tools/browser.mjs');
		return withoutChromium();
	}
	if (needs.includes('services')) {
		const { withoutServices } = await import('../tools/services.mjs');
		return await withoutServices();
	}
}

/** Test files whose paths contain one of some texts, by stage. */
function testsWith(text, stages, only) {
	const texts = text.split(',');
	const isWanted = (file) => texts.some((one) => file.includes(one));
	const found = stages
		.filter(({ name }) => !only || only.includes(name))
		.map((stage) => [stage.name, filesOf(stage).filter(isWanted)])
		.filter(([, files]) => files.length > 0);
	if (found.length === 0) throw new ClearError(`No test file has "${text}" in its path.`);
	return new Map(found);
}

// Tools and the Node 24 that belong to the repository come first, whatever the machine has.
const env = {
	...process.env,
	PATH: `${join(repository, 'node_modules', '.bin')}${delimiter}${process.env.PATH}`,
	// What a stage prints goes through a pipe first.
	...(process.stdout.isTTY && !process.env.NO_COLOR ? { FORCE_COLOR: '1' } : {}),
};

try {
	ensureNodeVersion();
	const { values } = parseArgs({
		options: {
			only: { type: 'string' },
			skip: { type: 'string' },
			all: { type: 'boolean' },
			changed: { type: 'boolean' },
			tests: { type: 'string' },
			name: { type: 'string' },
			full: { type: 'boolean' },
			list: { type: 'boolean' },
			jobs: { type: 'string', default: '2' },
		},
	});
	const stages = listed(values);
	if (values.list) {
		for (const { name, long, needs, says } of stages)
			console.log(`${name}${long ? ' (long)' : ''}${needs ? ' (n8n)' : ''}: ${says}`);
		process.exit(0);
	}
	const only = values.only?.split(',');
	const skip = values.skip?.split(',') ?? [];
	for (const name of [...(only ?? []), ...skip]) {
		if (!stages.some((stage) => stage.name === name))
			throw new Error(
				`There is no stage "${name}". Stages: ${stages.map((stage) => stage.name).join(', ')}`,
			);
	}
	await ensurePackage();
	await ensureBuild();
	const touched = values.changed ? touchedBy(changedFiles()) : undefined;
	const tests = values.tests && testsWith(values.tests, stages, only);
	const isAskedFor = ({ name, long }) => {
		if (touched) return touched.stages.has(name);
		if (tests) return tests.has(name);
		return only ? only.includes(name) : !long || values.all;
	};
	const skipped = new Map();
	const wanted = [];
	for (const stage of stages.filter((one) => isAskedFor(one) && !skip.includes(one.name))) {
		const advice = process.env.CI ? undefined : await cannotHave(stage.needs);
		if (advice) skipped.set(stage, advice);
		else wanted.push(stage);
	}
	const needs = [...new Set(wanted.flatMap((stage) => stage.needs ?? []))];
	const chosen = stages.filter(
		(stage) => wanted.includes(stage) || (stage.name === 'install' && needs.length > 0),
	);
	endStagesWithUs();
	const results = await runAll(
		chosen.map((stage) => {
			const files = (touched?.stages ?? tests)?.get(stage.name);
			return {
				...stage,
				...(stage.needs && { after: 'install' }),
				command:
					stage.name === 'install'
						? ['node', 'scripts/install.mjs', ...needs]
						: stage.command(files === undefined || files === 'all' ? undefined : [...files]),
				env: {
					...env,
					...stage.env,
					...(touched?.operations.length ? { OPERATIONS_OF: touched.operations.join() } : {}),
				},
			};
		}),
		{ jobs: Number(values.jobs), cwd: repository },
	);
	console.log('');
	for (const { name, code, seconds } of results)
		console.log(`${code === 0 ? 'ok    ' : 'failed'} ${name} (${seconds} s)`);
	for (const [name, files] of Object.entries(touched?.leftOut ?? {}))
		if (files.length > 0) console.log(`left out of ${name}: ${files.join(', ')}`);
	if (touched?.operations.length)
		console.log(`left out of everyOperation: all but ${touched.operations.join(', ')}`);
	if (touched?.stages.has('lint')) console.log('left out of lint: what is not changed');
	for (const file of touched?.unknown ?? []) console.log(`no test is known for ${file}`);
	for (const [{ name }, advice] of skipped) console.log(`skipped ${name}: ${advice}`);
	const leftOut = stages
		.filter((stage) => !chosen.includes(stage) && !skipped.has(stage))
		.map(({ name }) => name);
	if (leftOut.length > 0)
		console.log(`left out: ${leftOut.join(', ')}; each runs with npm test -- --only <name>`);
	const failed = results.filter(({ code }) => code !== 0).length;
	console.log(
		`${results.length - failed} passed, ${failed} failed${skipped.size > 0 ? `, ${skipped.size} skipped` : ''}`,
	);
	process.exitCode = failed === 0 && (results.length > 0 || touched) ? 0 : 1;
} catch (error) {
	exitWith(error);
}
