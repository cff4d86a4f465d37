/**
 * Which tests watch which files: the one map, for `npm test -- --changed`. A file belongs to the first row with a path
 * that it begins with. A file without a row, and a path or a test in a row that nothing begins with, are errors
 * (test/runner/areas.test.mjs). A test file also runs itself when it is changed.
 */

const join = (/** @type {string[]} */ ...names) => names.join(' ');

/** What watches all that n8n shows of a node. */
const shown = join(
	'descriptions/tree descriptions/publicNames descriptions/previews descriptions/shownFields',
	'descriptions/docs descriptions/rooms ai/ package/package',
);

/** What watches every file of the engine beside its unit tests. */
const everywhere = join(
	'descriptions/tree descriptions/publicNames descriptions/previews descriptions/docs',
	'descriptions/rooms security/network security/expressions package/package engine/basics',
	'engine/badInput engine/acpContacts engine/everyOperation',
);

/** What both triggers keep: they share secrets, requests, words and the network with the action nodes. */
const triggers = join(
	'unit/signature unit/intent unit/pendingCleanups engine/trigger. engine/intentTrigger.',
	'engine/leftovers engine/guarantees.answers engine/guarantees.secrets engine/guarantees.token',
	'engine/guarantees.trigger',
);

/** What a single node keeps, with its operations alone. */
const node = (/** @type {string} */ name) =>
	join(
		shown,
		`unit/contract/flags unit/contract/operations unit/stateOf unit/time engine/${name}`,
		'engine/places engine/everyOperation engine/guarantees.filters engine/guarantees.optOuts',
	);
const nodes = [
	...['Builders', 'Calls', 'Contacts', 'Conversations', 'Flows', 'Insights', 'Media'],
	...['Messages', 'Quality', 'Scheduling', 'Tables'],
];

/**
 * How the files begin, the stages that run whole, how the test files begin (below test/), and the node whose operations
 * alone `everyOperation` runs.
 * @type {Array<[paths: string, stages: string, tests: string, node?: string]>}
 */
const rows = [
	[
		'nodes/engine/lookups/',
		'unit',
		join(
			everywhere,
			'engine/lookups engine/errors engine/acpAgents engine/acpCalls engine/acpMessages',
			'engine/acpOutreach engine/acpTables engine/columns engine/createOrUpdate',
		),
	],
	[
		'nodes/engine/registration/ nodes/engine/platform/events.ts',
		'unit',
		join(everywhere, triggers, 'engine/acpAgents'),
	],
	// A step from an item to its answer can break a promise that is another step's: all of them run.
	['nodes/engine/', 'unit engine faults', everywhere],
	[
		'nodes/AcpTrigger/ nodes/AcpIntentTrigger/',
		'',
		join(shown, triggers, 'security/network security/expressions'),
	],
	['nodes/AcpAgents/', '', join(node('acpAgents'), 'engine/evidence.sending'), 'acpAgents'],
	['nodes/AcpOutreach/', '', join(node('acpOutreach'), 'engine/oneShots'), 'acpOutreach'],
	...nodes.map((name) => [`nodes/Acp${name}/`, '', node(`acp${name}`), `acp${name}`]),
	[
		'credentials/',
		'descriptions',
		'engine/basics engine/errors engine/security engine/guarantees.token',
	],
	['contract/rules.yaml', '', 'descriptions/interface'],
	['contract/', 'types contract unit', 'descriptions/docs descriptions/texts sandbox/operations'],
	[
		'sandbox/README.md README.md CONTRIBUTING.md SECURITY.md LICENSE.md',
		'',
		'descriptions/docs descriptions/texts',
	],
	[
		'sandbox/ scripts/sandbox-pack.mjs',
		'sandbox probe',
		'package/sandbox descriptions/rooms descriptions/deployment engine/basics engine/platform',
	],
	['CHANGELOG.md scripts/changelog.mjs scripts/identity.mjs .release-it.json', 'runner', ''],
	['docs/guides/', '', 'descriptions/docs descriptions/texts engine/guides'],
	['docs/reference/empty-expressions.md', '', 'descriptions/docs engine/guides engine/unanswered'],
	[
		'docs/ examples/ scripts/docs tools/docs/',
		'',
		join(
			'descriptions/docs descriptions/texts descriptions/guarantees descriptions/publicNames',
			'descriptions/rendered descriptions/rooms security/claims',
		),
	],
	[
		'tools/contract tools/operations.',
		'types descriptions',
		'unit/contract/ engine/everyOperation',
	],
	['tools/output-schemas.', '', 'descriptions/previews ai/'],
	['tools/ai/ scripts/ai.', '', 'ai/'],
	['scripts/texts. cspell', '', 'descriptions/texts'],
	[
		'test/eslint.config.mjs test/asserted.',
		'unit sandbox descriptions',
		'security/claims engine/basics',
	],
	['scripts/contract.mjs scripts/probe', 'contract probe', ''],
	['package.json tsconfig.json gulpfile.js icons/', 'types package descriptions', ''],
	[
		'docker-compose.yml .github/ .ci/ hosts/',
		'',
		'descriptions/deployment descriptions/docs package/package',
	],
	[
		'pnpm- eslint.config.mjs scripts/clean.mjs',
		'types unit package',
		'engine/basics engine/harness',
	],
	[
		join(
			'scripts/start.mjs scripts/bench scripts/screenshots.mjs test/server/recipes/',
			'test/server/support/ tools/browser.mjs tools/editor.mjs tools/host',
			'tools/demo.mjs tools/ports.mjs tools/services.mjs tools/work',
		),
		'host runner',
		'',
	],
	['scripts/ tools/bootstrap.mjs tools/progress.mjs', 'runner', ''],
	['jest.config.cjs test/durations.json test/tsconfig.json', 'types unit', 'engine/basics'],
	[
		'test/engine/harness/',
		'types',
		'engine/basics engine/harness engine/platform engine/plainExpressions',
	],
	...['everyOperation', 'places', 'plainExpressions'].map((name) => [
		`test/engine/${name}/`,
		'types',
		`engine/${name}`,
	]),
	['test/engine/guarantees/', 'types engine', 'descriptions/guarantees'],
	['test/unit/pace/', 'types', 'unit/pace.network'],
	['test/types/', 'types', ''],
	['test/data/badInput', '', 'engine/badInput'],
	['test/data/public-names', '', 'descriptions/publicNames descriptions/docs'],
	['test/descriptions/nodes.mjs', 'descriptions', ''],
	// Pages are made of the titles of tests.
	['test/', 'runner', 'descriptions/docs descriptions/guarantees descriptions/interface'],
];

const names = (/** @type {string} */ text) => text.split(' ').filter(Boolean);

/** `tests`: how their paths begin, relative to the repository. */
export const areas = rows.map(([paths, stages, tests, node]) => ({
	paths: names(paths),
	stages: names(stages),
	tests: names(tests).map((name) => `test/${name}`),
	node,
}));

/** @param {string} file relative to the repository */
export const areaOf = (file) =>
	areas.find(({ paths }) => paths.some((path) => file.startsWith(path)));
