/**
 * What a change touches, for `npm test -- --changed`: changed files → stages and their test files. A map by names, kept
 * small and honest: what it cannot know it leaves out and says so; `npm test` decides.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { repository } from '../tools/bootstrap.mjs';

const git = (...parameters) =>
	execFileSync('git', parameters, {
		cwd: repository,
		encoding: 'utf8',
		stdio: ['ignore', 'pipe', 'ignore'],
	}).trim();

/** Files that differ from where this branch left `main`, committed or not, and new ones; relative to the repository. */
export function changedFiles() {
	let base = 'HEAD';
	for (const name of ['main', 'origin/main']) {
		try {
			base = git('merge-base', name, 'HEAD');
			break;
		} catch {
			// A clone without that branch.
		}
	}
	const lists = [
		git('diff', '--name-only', '--no-renames', base),
		git('ls-files', '--others', '--exclude-standard'),
	];
	return [...new Set(lists.flatMap((list) => list.split('\n').filter(Boolean)))].sort();
}

const testsIn = (folder, ending) =>
	readdirSync(join(repository, folder))
		.filter((name) => name.endsWith(ending))
		.map((name) => `${folder}/${name}`);

/** Engine tests for parts of `nodes/engine`, by words in the name of the part. */
const partsOfTheEngine = [
	[/pace|limit/i, ['guarantees.pace', 'guarantees.pace.others', 'guarantees.refusals']],
	[/retr|fault|request/i, ['faults', 'errors']],
	[/error|report/i, ['errors']],
	[/time|zone/i, ['guarantees.zones', 'acpScheduling']],
	[/filter|search|list/i, ['guarantees.filters']],
	[/key|send|once|oneShot/i, ['guarantees']],
	[/leftOut|skipNumbers|blacklist|recipients|sameNumber|summary/i, ['guarantees.optOuts']],
	[/deadline|file/i, ['guarantees.slow']],
	[/file|upload|binary/i, ['acpMedia']],
	[/workspace/i, ['guarantees.token', 'workspaces']],
	[/wait|rounds|clock/i, ['acpCalls', 'guarantees.waits']],
	[/paginate|lookup|locator|findOrCreate/i, ['acpContacts']],
	[/mapper|rows|map\b/i, ['acpTables']],
	[/event/i, ['trigger.delivery']],
	[/phone|number|itemName/i, ['phoneNumbers']],
	[
		/webhook/i,
		['trigger.delivery', 'trigger.lifecycle', 'intentTrigger.delivery', 'intentTrigger.lifecycle'],
	],
];
/** What a change of the engine can always break. */
const core = ['basics', 'badInput', 'acpContacts'];

/** Those that are quick; the official linter over what nodes show takes as long as all of them. */
const descriptions = ['tree', 'publicNames', 'previews', 'docs'].map((name) => [
	'descriptions',
	`test/descriptions/${name}.test.mjs`,
]);
const engine = (...names) => names.map((name) => ['engine', `test/engine/${name}.test.cts`]);

/**
 * The first rule whose pattern fits a file says what to run: `[stage, test file]`, without a file all of the stage.
 * @type {[RegExp, (path: string[], file: string) => [string, string?][]][]}
 */
const rules = [
	[/^test\/(unit)\/.+\.test\.cts$/, (_, file) => [['unit', file], ['types']]],
	[/^test\/unit\/pace\//, () => [['unit', 'test/unit/pace.network.test.cts'], ['types']]],
	[/^test\/contract\/.+\.test\.cts$/, (_, file) => [['unit', file], ['types']]],
	[/^test\/contract\/.+\.test\.mjs$/, (_, file) => [['sandbox', file]]],
	[
		/^test\/engine\/[^/]+\.test\.cts$/,
		(_, file) => [
			['engine', file],
			['types'],
			['security'],
			['descriptions', 'test/descriptions/docs.test.mjs'],
		],
	],
	[/^test\/engine\/everyOperation\//, () => [['types'], ...engine('everyOperation')]],
	[
		/^test\/engine\/guarantees\//,
		() => [
			['types'],
			...engine('guarantees', 'guarantees.zones', 'guarantees.filters', 'guarantees.waits'),
		],
	],
	[/^test\/engine\/(?!harness)(\w+)\//, ([, name]) => [['types'], ...engine(name)]],
	[/^test\/engine\/harness\//, () => [['types'], ...engine('basics', 'harness', 'platform')]],
	[
		/^test\/(descriptions|package|security|runner)\/.+\.test\.mjs$/,
		([, stage], file) => [[stage, file]],
	],
	[/^test\/(descriptions|package|security|runner)\//, ([, stage]) => [[stage]]],
	[/^test\/data\/badInput/, () => engine('badInput')],
	[/^test\/data\/public-names/, () => [['descriptions', 'test/descriptions/publicNames.test.mjs']]],
	[
		/^(docker-compose\.yml|\.github\/workflows\/)/,
		() => [['descriptions', 'test/descriptions/deployment.test.mjs']],
	],
	[/^test\/asserted\./, () => [['unit'], ['sandbox'], ...engine('basics')]],
	[/^test\/types\//, () => [['types']]],
	[
		/^nodes\/AcpTrigger\//,
		() => [
			['types'],
			...descriptions,
			['security', 'test/security/network.test.mjs'],
			...engine(
				'trigger.delivery',
				'trigger.lifecycle',
				'guarantees.trigger',
				'leftovers',
				'trigger.fuzz',
			),
		],
	],
	[
		/^nodes\/AcpIntentTrigger\//,
		() => [
			['types'],
			...descriptions,
			['security', 'test/security/network.test.mjs'],
			...engine('intentTrigger.delivery', 'intentTrigger.lifecycle', 'intentTrigger.fuzz'),
		],
	],
	[
		/^nodes\/(Acp\w+)\//,
		([, folder]) => [
			['types'],
			...descriptions,
			['operations', nameOf(folder)],
			...engine(nameOf(folder), 'everyOperation'),
		],
	],
	[
		/^nodes\/engine\/(.+)\.ts$/,
		([, part]) => [
			['types'],
			['unit'],
			['descriptions', 'test/descriptions/tree.test.mjs'],
			['descriptions', 'test/descriptions/docs.test.mjs'],
			['security', 'test/security/network.test.mjs'],
			...engine(
				...core,
				...partsOfTheEngine.flatMap(([pattern, names]) => (pattern.test(part) ? names : [])),
			),
		],
	],
	[/^credentials\//, () => [['types'], ['descriptions'], ...engine('basics', 'security')]],
	[
		/^contract\//,
		() => [
			['types'],
			['contract'],
			['unit'],
			['descriptions', 'test/descriptions/docs.test.mjs'],
			['sandbox', 'test/contract/sandbox-operations.test.mjs'],
		],
	],
	[/^sandbox\/.+\.mjs$/, () => [['sandbox'], ...engine('basics', 'platform')]],
	[/^docs\/reference\/security\.md$/, () => [['security', 'test/security/claims.test.mjs']]],
	[
		/\.md$|^docs\/|^scripts\/docs\.mjs$|^tools\/docs|^examples\//,
		() => [['descriptions', 'test/descriptions/docs.test.mjs']],
	],
	[
		/^tools\/(catalog|judge)\./,
		() => [
			['types'],
			['descriptions'],
			['unit', 'test/contract/operations.test.cts'],
			...engine('everyOperation'),
		],
	],
	[
		/^tools\/previews|^nodes\/.+__schema__/,
		() => [['descriptions', 'test/descriptions/previews.test.mjs']],
	],
	[
		/^(package\.json|tsconfig\.json|gulpfile\.js|icons\/)/,
		() => [['types'], ['package'], ['descriptions', 'test/descriptions/tree.test.mjs']],
	],
	[
		/^scripts\/(test|changed|changelog|identity|install|newest|slowest|stages)\.mjs$|^scripts\/newest\/|^\.release-it\.json$/,
		() => [['runner']],
	],
	[
		/^scripts\/(contract\.mjs$|openapi\/)/,
		() => [['contract'], ['sandbox', 'test/contract/openapi-comparison.test.mjs']],
	],
	[
		/^scripts\/probe(\.mjs$|\/)/,
		() => [
			['sandbox', 'test/contract/probe.test.mjs'],
			['sandbox', 'test/contract/openapi-comparison.test.mjs'],
		],
	],
	[/^jest\.config\.cjs$|^test\/durations\.json$/, () => [['unit'], ...engine('basics')]],
];

const nameOf = (folder) => folder.charAt(0).toLowerCase() + folder.slice(1);

/**
 * @param {string[]} files relative to the repository
 * @returns what to run: for each stage its test files, or `all`; the nodes whose operations are run; and the files that
 *   no test is known for
 */
export function touchedBy(files) {
	/** @type {Map<string, Set<string> | 'all'>} */
	const stages = new Map();
	const operations = new Set();
	const unknown = [];
	const there = files.filter((file) => existsSync(join(repository, file)));
	if (there.length > 0) stages.set('lint', new Set(there));
	for (const file of files) {
		const rule = rules.find(([pattern]) => pattern.test(file));
		const found = rule ? rule[1](rule[0].exec(file), file) : [];
		if (found.length === 0) unknown.push(file);
		const unitTests = [
			...testsIn('test/unit', '.test.cts'),
			...testsIn('test/contract', '.test.cts'),
		];
		const folder = /^nodes\/Acp\w+\//.exec(file)?.[0];
		if (folder)
			for (const test of unitTests)
				if (readFileSync(join(repository, test), 'utf8').includes(folder))
					found.push(['unit', test]);
		for (const [stage, test] of found) {
			if (stage === 'operations') operations.add(test);
			else if (test === undefined) stages.set(stage, 'all');
			else if (!existsSync(join(repository, test))) {
				if (test !== file) throw new Error(`${file} is tested by ${test}, which does not exist`);
			} else if (stages.get(stage) !== 'all')
				stages.set(stage, (stages.get(stage) ?? new Set()).add(test));
		}
	}
	const every = 'test/engine/everyOperation.test.cts';
	const whole = files.some((file) => /everyOperation|^tools\/(catalog|judge)\./.test(file));
	return {
		stages,
		operations: whole || !stages.get('engine')?.has?.(every) ? [] : [...operations].sort(),
		unknown,
		/** Test files that the chosen stages have beside those. */
		leftOut: Object.fromEntries(
			[...stages]
				.filter(([stage, tests]) => tests !== 'all' && folders[stage])
				.map(([stage, tests]) => [
					stage,
					folders[stage]
						.flatMap(([folder, ending]) => testsIn(folder, ending))
						.filter((test) => !tests.has(test))
						.map((test) => basename(test).replace(/\.test\.\w+$/, '')),
				]),
		),
	};
}

const folders = {
	unit: [
		['test/unit', '.test.cts'],
		['test/contract', '.test.cts'],
	],
	engine: [['test/engine', '.test.cts']],
	descriptions: [['test/descriptions', '.test.mjs']],
	security: [['test/security', '.test.mjs']],
	sandbox: [['test/contract', '.test.mjs']],
};
