/**
 * All tests, in one command, on a machine with only Node and npm. What is missing is installed and built first.
 *
 *   npm test                          everything but the long stages
 *   npm test -- --all                 the long stages, too (`--list` names them)
 *   npm test -- --full                all stages, with what takes long in each (`inFull` in test/full.mjs)
 *   npm test -- --only lint,unit      some stages (see the list below)
 *   npm test -- --skip host           all but some
 *   npm test -- --tests faults,pace   test files with one of these in their path, of all stages or of those in `--only`
 *   npm test -- --tests everyOperation --name agent.create    and of them the tests whose name fits
 *   npm test -- --changed             what most likely breaks by the changes since main, in one to two minutes
 *   npm test -- --changed --bail      and the first failure ends it
 *   npm test -- --install             as root on Debian: what the stages need is installed (Chromium, Redis, PostgreSQL)
 *   npm test -- --jobs 1              one stage after the other
 *   npm test -- --list                the stages, which are long, and which need an installed n8n; runs nothing
 *
 * Stages run side by side, one more than there are processors, at most four; what each prints stays together. The last
 * line is "N passed, N failed" over the stages; exit code 1 when one failed. Where something of the system is missing
 * (Chromium, Redis, PostgreSQL), its stages are skipped and say so; where CI is set, it is installed, or they fail.
 */
import { availableParallelism } from 'node:os';
import { delimiter, join } from 'node:path';
import { parseArgs } from 'node:util';
import {
	ClearError,
	defaultVersion,
	ensureBuild,
	ensureHost,
	ensureNodeVersion,
	ensurePackage,
	ensurePnpm,
	exitWith,
	repository,
} from '../tools/bootstrap.mjs';
import { Progress } from '../tools/progress.mjs';
import { changedFiles, touchedBy } from './test/changed.mjs';
import { endStagesWithUs, runAll } from './test/run.mjs';
import { commandOf, filesOf, stages } from './test/stages.mjs';

/** What to do, where something that a stage needs is missing and cannot be installed here. */
async function cannotHave(needs = []) {
	if (process.env.CI) return;
	if (needs.includes('chromium')) {
		const { withoutChromium } = await import('../tools/browser.mjs');
		return withoutChromium();
	}
	if (needs.includes('services')) {
		const { withoutServices } = await import('../tools/services.mjs');
		return await withoutServices();
	}
}

/** Parts of stages: those with test files whose paths contain one of some texts. */
function testsWith(text, asked) {
	const texts = text.split(',');
	const found = asked
		.map((stage) => [
			stage.name,
			filesOf(stage).filter((file) => texts.some((one) => file.includes(one))),
		])
		.filter(([, files]) => files.length > 0)
		.map(([name, files]) => [name, [{ files }]]);
	if (found.length === 0) throw new ClearError(`No test file has "${text}" in its path.`);
	return new Map(found);
}

try {
	ensureNodeVersion();
	const { values } = parseArgs({
		options: {
			only: { type: 'string' },
			skip: { type: 'string' },
			all: { type: 'boolean' },
			changed: { type: 'boolean' },
			bail: { type: 'boolean' },
			tests: { type: 'string' },
			name: { type: 'string' },
			full: { type: 'boolean' },
			install: { type: 'boolean' },
			list: { type: 'boolean' },
			jobs: { type: 'string', default: String(Math.min(4, availableParallelism() + 1)) },
		},
	});
	if (values.list) {
		for (const { name, long, full, needs, says } of stages)
			console.log(
				`${name}${full ? ' (full)' : long ? ' (long)' : ''}${needs ? ' (n8n)' : ''}: ${says}`,
			);
		process.exit(0);
	}
	if (values.install) process.env.INSTALL_DEBIAN = 'true';
	const only = values.only?.split(',');
	const skip = values.skip?.split(',') ?? [];
	for (const name of [...(only ?? []), ...skip])
		if (name !== 'install' && !stages.some((stage) => stage.name === name))
			throw new ClearError(
				`There is no stage "${name}". Stages: ${stages.map((stage) => stage.name).join(', ')}`,
			);
	const asked = stages.filter(({ name }) => !skip.includes(name) && (!only || only.includes(name)));
	const runs = ({ long, full }) => only || values.full || (!full && (values.all || !long));
	// To fetch the tools leaves a processor idle: n8n is fetched meanwhile. The stage that installs waits for it, or tries
	// again and says why.
	const needsNewest = asked.some((one) => runs(one) && one.needs?.includes(defaultVersion));
	if (needsNewest && !values.tests && !values.changed) {
		await ensurePnpm();
		const silent = new Progress({}, { out: { write: () => undefined } });
		ensureHost(defaultVersion, silent).catch(() => undefined);
	}
	await ensurePackage();
	await ensureBuild();
	endStagesWithUs();
	const touched = values.changed ? touchedBy(changedFiles()) : undefined;
	/** Which parts of which stages. @type {Map<string, Array<{files?: string[], named?: string}>>} */
	const parts =
		touched?.runs ??
		(values.tests
			? testsWith(values.tests, asked)
			: new Map(asked.filter(runs).map(({ name }) => [name, [{}]])));
	/** Why a stage does not run. @type {Map<string, string>} */
	const skipped = new Map();
	const chosen = [];
	for (const stage of asked.filter(({ name }) => parts.has(name))) {
		const advice = await cannotHave(stage.needs);
		if (advice) skipped.set(stage.name, advice);
		else chosen.push(stage);
	}
	const env = {
		...process.env,
		// Tools and the Node 24 that belong to the repository come first, whatever the machine has.
		PATH: `${join(repository, 'node_modules', '.bin')}${delimiter}${process.env.PATH}`,
		// What a stage prints goes through a pipe first.
		...(process.stdout.isTTY && !process.env.NO_COLOR ? { FORCE_COLOR: '1' } : {}),
	};
	const options = { jobs: Number(values.jobs), cwd: repository, bail: values.bail };
	const needs = [...new Set(chosen.flatMap((stage) => stage.needs ?? []))];
	const isOther = (need) => /^\d/.test(need) && need !== defaultVersion;
	const newest = needs.filter((need) => !isOther(need));
	const others = needs.filter(isOther);
	const [first, second] = ['install', 'install-others'];
	const installing = (name, says, what) => ({
		...{ name, says, scratch: true, env },
		command: ['node', 'scripts/install.mjs', ...what],
	});
	const packs = needs.length > 0 || only?.includes(first);
	// What needs the newest n8n alone does not wait for others, which take over what the first one has compiled. The first
	// packs, too.
	const installs = [
		packs && installing(first, 'the newest n8n, and what is needed beside it', newest),
		others.length > 0 && { ...installing(second, 'other n8n servers', others), after: first },
	].filter(Boolean);
	const begun = chosen.flatMap((stage) =>
		parts.get(stage.name).map((part) => ({
			...stage,
			...(stage.needs && { after: stage.needs.some(isOther) ? second : first }),
			command: commandOf(stage, {
				...part,
				...(values.name ? { named: values.name } : {}),
				bail: values.bail,
			}),
			env: { ...env, ...stage.env, ...(values.full && { FULL: '1' }) },
		})),
	);
	const results = await runAll([...installs, ...begun], options);
	const order = [first, second, ...stages.map(({ name }) => name)];
	results.sort((one, two) => order.indexOf(one.name) - order.indexOf(two.name));
	console.log('');
	for (const { name, code, seconds } of results) {
		console.log(`${code === 0 ? 'ok    ' : 'failed'} ${name} (${seconds} s)`);
	}
	for (const { name, code } of results)
		if (code !== 0 && [first, second].includes(name))
			console.log(`What needs ${name} has not begun, because that failed.`);
	for (const [name, advice] of skipped) console.log(`skipped ${name}: ${advice}`);
	for (const what of touched?.leftOut ?? []) console.log(`left out ${what}`);
	const leftOut = stages.filter(({ name }) => !parts.has(name)).map(({ name }) => name);
	if (leftOut.length > 0 && !touched)
		console.log(`left out: ${leftOut.join(', ')}; each runs with npm test -- --only <name>`);
	const failed = results.filter(({ code }) => code !== 0).length;
	console.log(
		`${results.length - failed} passed, ${failed} failed${skipped.size > 0 ? `, ${skipped.size} skipped` : ''}`,
	);
	process.exitCode = failed === 0 && (results.length > 0 || touched) ? 0 : 1;
} catch (error) {
	exitWith(error);
}
