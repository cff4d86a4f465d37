/**
 * Which tests watch which files: the one map, for `npm test -- --changed`. A file belongs to the first area with a path
 * that it begins with, and its tests are those that fail when it breaks. A file without an area, a path that nothing
 * begins with, a test that does not exist and a test that no area names are errors (test/runner/areas.test.mjs).
 *
 * A test file also runs itself when it is changed.
 */

/**
 * @typedef {object} Area
 * @property {string} name
 * @property {string[]} paths folders (with a slash at the end), files, or how their paths begin
 * @property {string[]} tests test files
 * @property {string[]} [stages] stages that run whole
 * @property {string} [node] the node whose operations alone are run by `everyOperation`
 */

const engine = (/** @type {string[]} */ ...names) =>
	names.map((name) => `test/engine/${name}.test.cts`);
const unit = (/** @type {string[]} */ ...names) =>
	names.map((name) => `test/unit/${name}.test.cts`);
const descriptions = (/** @type {string[]} */ ...names) =>
	names.map((name) => `test/descriptions/${name}.test.mjs`);
const sandbox = (/** @type {string[]} */ ...names) =>
	names.map((name) => `test/sandbox/${name}.test.mjs`);
const probe = (/** @type {string[]} */ ...names) =>
	names.map((name) => `test/probe/${name}.test.mjs`);
const security = (/** @type {string[]} */ ...names) =>
	names.map((name) => `test/security/${name}.test.mjs`);

/** What watches all that n8n shows of a node. */
const shown = [
	...descriptions('tree', 'publicNames', 'previews', 'shownFields', 'docs', 'rooms'),
	'test/ai/ai.test.mjs',
];

/** What watches every file of the engine. Its unit tests are quick, so all of them run. */
const everywhere = {
	stages: ['unit'],
	tests: [
		...unit('contract/flags', 'contract/marks', 'contract/openapi', 'contract/operations'),
		...unit('contract/sources', 'credential', 'numberingPlans'),
		...descriptions('tree', 'docs', 'rooms'),
		...security('network', 'expressions'),
		...engine('basics', 'badInput', 'acpContacts', 'everyOperation'),
		'test/package/package.test.mjs',
	],
};

/**
 * What every step from an item to its answer keeps. A step can break a promise that is another step's: what the client
 * tells of a lost answer shows in what the recovery says. So each step runs all of them.
 */
const promises = [
	...unit('onError', 'records', 'secrets'),
	...engine('errors', 'pages', 'reports', 'workspaces', 'options.perItem', 'security'),
	...engine('evidence.sending', 'faults', 'faults.manners', 'oneShots', 'oneShots.tasks'),
	...engine('shapes', 'stopped', 'secondRuns', 'continuedRuns', 'guarantees', 'guarantees.answers'),
	...engine(
		'evidence.answers',
		'evidence.keys',
		'evidence.launches',
		'evidence.updates',
		'evidence.values',
		'evidence.waits',
	),
	...engine('guarantees.asWritten', 'guarantees.batches', 'guarantees.consult'),
	...engine('guarantees.delivery', 'guarantees.filters', 'guarantees.guesses'),
	...engine('guarantees.onError', 'guarantees.optOuts', 'guarantees.reading'),
	...engine('guarantees.refusals', 'guarantees.pace', 'guarantees.pace.others'),
	...engine('acpConversations', 'acpOutreach', 'tools', 'unanswered'),
	...engine('guarantees.secrets', 'guarantees.sendEmptyFields', 'guarantees.slow'),
	...engine('guarantees.token', 'guarantees.waits', 'guarantees.zones'),
	...engine('acpBuilders', 'acpCalls', 'acpMedia', 'acpMessages', 'acpTables', 'createOrUpdate'),
];

/** What both triggers keep: they share secrets, requests, words and the network with the action nodes. */
const triggers = [
	...unit('signature', 'intentRequest', 'intentAnswer', 'pendingCleanups'),
	...engine('trigger.content', 'trigger.delivery', 'trigger.expression', 'trigger.fuzz'),
	...engine(
		'trigger.lifecycle',
		'trigger.leaked',
		'intentTrigger.before',
		'intentTrigger.delivery',
	),
	...engine('intentTrigger.fuzz', 'intentTrigger.lifecycle', 'leftovers'),
	...engine('guarantees.answers', 'guarantees.secrets', 'guarantees.token', 'guarantees.trigger'),
];

/** @param {string} name @param {string[]} paths @param {string[]} tests @returns {Area} of the engine */
const ofEngine = (name, paths, tests) => ({
	name: `engine: ${name}`,
	paths,
	stages: everywhere.stages,
	tests: [...everywhere.tests, ...tests],
});

/** @param {string} name @param {string[]} [more] @returns {Area} the node of that name, with its resources */
const ofNode = (name, more = []) => ({
	name: `Acp${name}`,
	paths: [`nodes/Acp${name}/`],
	node: `acp${name}`,
	tests: [
		...shown,
		...unit('contract/flags', 'contract/operations'),
		...engine(`acp${name}`, 'places', 'everyOperation'),
		...engine('guarantees.filters', 'guarantees.optOuts'),
		'test/package/package.test.mjs',
		...more,
	],
});

/** @type {Area[]} */
export const areas = [
	ofEngine(
		'http',
		['nodes/engine/answer/', 'nodes/engine/http/', 'nodes/engine/pages/', 'nodes/engine/errors/'],
		[
			...unit('retry', 'workspace', 'pace', 'limits', 'pace.network', 'clock'),
			...unit(
				'deadline',
				'editorLists',
				'fileName',
				'pages',
				'path',
				'answers',
				'exactJson',
				'fileHop',
			),
			...promises,
			...triggers,
			...engine('acpInsights'),
		],
	),
	ofEngine(
		'from requests to items',
		[
			'nodes/engine/deliver/',
			'nodes/engine/execution.ts',
			'nodes/engine/journal/',
			'nodes/engine/run/',
			'nodes/engine/follow/',
			'nodes/engine/concurrency.ts',
			'nodes/engine/apiRequest/',
			'nodes/engine/output/',
		],
		[...promises, ...triggers],
	),
	ofEngine(
		'lookups',
		['nodes/engine/lookups/'],
		[
			...unit('voiceFields', 'tableColumns'),
			...engine('lookups', 'errors', 'acpAgents', 'acpCalls', 'acpMessages', 'acpOutreach'),
			...engine('acpTables', 'columns', 'createOrUpdate'),
		],
	),
	ofEngine(
		'webhooks',
		['nodes/engine/registration/', 'nodes/engine/platform/events.ts'],
		[...triggers, ...engine('acpAgents')],
	),
	ofEngine(
		'from items to requests',
		[
			'nodes/engine/describe/',
			'nodes/engine/platform/',
			'nodes/engine/secrets/',
			'nodes/engine/fields/',
			'nodes/engine/operation/',
			'nodes/engine/people/',
			'nodes/engine/phone/',
			'nodes/engine/prepare/',
			'nodes/engine/text/',
			'nodes/engine/time.ts',
		],
		[
			...unit('time', 'periods', 'text', 'longTexts', 'phone', 'itemName', 'stateOfCall'),
			...descriptions('publicNames', 'previews'),
			...promises,
			...triggers,
			...engine(
				'optOuts.fuzz',
				'optOuts.evidence',
				'places',
				'phoneNumbers',
				'periods',
				'guesses',
				'plainExpressions',
			),
			...engine('acpAgents', 'acpScheduling', 'columns'),
		],
	),
	{
		name: 'both triggers',
		paths: ['nodes/AcpTrigger/', 'nodes/AcpIntentTrigger/'],
		tests: [
			...shown,
			...security('network', 'expressions'),
			...triggers,
			'test/package/package.test.mjs',
		],
	},
	...['Agents', 'Builders', 'Contacts', 'Flows', 'Insights', 'Media'].map((name) => ofNode(name)),
	...['Messages', 'Quality', 'Tables'].map((name) => ofNode(name)),
	ofNode('Calls', unit('stateOfCall')),
	ofNode('Conversations', unit('stateOfTranscription')),
	ofNode('Outreach', [...unit('time'), ...engine('oneShots', 'oneShots.tasks')]),
	ofNode('Scheduling', unit('time')),
	{
		name: 'credential',
		paths: ['credentials/'],
		stages: ['descriptions'],
		tests: engine('basics', 'errors', 'security', 'guarantees.token'),
	},
	{
		name: 'rules of the interface',
		paths: ['contract/rules.yaml'],
		tests: descriptions('interface'),
	},
	{
		name: 'contract',
		paths: ['contract/'],
		stages: ['types', 'contract', 'unit'],
		tests: [...descriptions('docs', 'texts'), ...sandbox('operations')],
	},
	{
		name: 'pages of other folders',
		paths: ['sandbox/README.md', 'README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'LICENSE.md'],
		tests: descriptions('docs', 'texts'),
	},
	{
		name: 'sandbox',
		paths: ['sandbox/', 'scripts/sandbox-pack.mjs'],
		stages: ['sandbox', 'probe'],
		tests: [
			'test/package/sandbox.test.mjs',
			...descriptions('rooms', 'deployment'),
			...engine('basics', 'platform'),
		],
	},
	{
		name: 'page of guarantees',
		paths: ['docs/reference/guarantees.md', 'tools/docs/guarantees.'],
		tests: descriptions('docs', 'texts', 'guarantees'),
	},
	{
		name: 'page of security',
		paths: ['docs/reference/security.md'],
		tests: [...descriptions('docs', 'texts'), ...security('claims')],
	},
	{
		name: 'guides',
		paths: ['docs/guides/'],
		tests: [...descriptions('docs', 'texts'), ...engine('guides')],
	},
	{
		name: 'pages',
		paths: ['docs/', 'scripts/docs', 'tools/docs/', 'examples/'],
		tests: descriptions('docs', 'texts', 'publicNames', 'rendered', 'rooms'),
	},
	{
		name: 'changelog',
		paths: ['CHANGELOG.md', 'scripts/changelog.mjs', 'scripts/identity.mjs', '.release-it.json'],
		stages: ['runner'],
		tests: [],
	},
	{
		name: 'catalogue of operations',
		paths: ['tools/catalog.', 'tools/judge.', 'tools/sources.'],
		stages: ['types', 'descriptions'],
		tests: [
			...unit('contract/flags', 'contract/operations', 'contract/sources'),
			...engine('everyOperation'),
		],
	},
	{ name: 'previews', paths: ['tools/previews.'], tests: descriptions('previews') },
	{
		name: 'what an AI gets to see',
		paths: ['tools/ai/', 'tools/outputs.', 'scripts/ai.'],
		tests: ['test/ai/ai.test.mjs'],
	},
	{
		name: 'texts',
		paths: ['tools/texts.', 'tools/text-faults.', 'scripts/texts.', 'cspell'],
		tests: descriptions('texts'),
	},
	{
		name: 'names of tests and their rules',
		paths: ['tools/proofs.', 'test/eslint.config.mjs', 'test/asserted.'],
		stages: ['unit', 'sandbox'],
		tests: [
			...descriptions('proofs', 'interface'),
			...security('claims'),
			...descriptions('docs', 'guarantees'),
			...engine('basics'),
		],
	},
	{
		name: 'comparisons with a workspace',
		paths: ['scripts/contract.mjs', 'scripts/probe'],
		stages: ['contract'],
		tests: probe('probe'),
	},
	{
		name: 'package',
		paths: ['package.json', 'tsconfig.json', 'gulpfile.js', 'icons/'],
		stages: ['types', 'package'],
		tests: descriptions('tree', 'deployment', 'rendered', 'previews'),
	},
	{
		name: 'deployment',
		paths: ['docker-compose.yml', '.github/', '.ci/', 'hosts/'],
		tests: [...descriptions('deployment', 'docs'), 'test/package/package.test.mjs'],
	},
	{
		name: 'development tools',
		paths: ['pnpm-', 'eslint.config.mjs', 'scripts/clean.mjs'],
		stages: ['types', 'unit', 'package'],
		tests: engine('basics', 'harness'),
	},
	{
		name: 'real n8n servers',
		paths: [
			'scripts/start.mjs',
			'scripts/bench',
			'scripts/screenshots.mjs',
			'test/server/recipes/',
			'test/server/support/',
			'tools/browser.mjs',
			'tools/editor.mjs',
			'tools/host',
			'tools/leads.mjs',
			'tools/main-job.mjs',
			'tools/ports.mjs',
			'tools/services.mjs',
			'tools/work',
		],
		stages: ['host', 'runner'],
		tests: [],
	},
	{
		name: 'the runner',
		paths: [
			'scripts/test',
			'scripts/install.mjs',
			'scripts/newest',
			'tools/bootstrap.mjs',
			'tools/progress.mjs',
		],
		stages: ['runner'],
		tests: [],
	},
	{
		name: 'Jest',
		paths: ['jest.config.cjs', 'test/durations.json', 'test/tsconfig.json'],
		stages: ['types', 'unit'],
		tests: engine('basics'),
	},
	{
		name: 'the engine that tests use',
		paths: ['test/engine/harness/'],
		stages: ['types'],
		tests: engine('basics', 'harness', 'platform', 'plainExpressions'),
	},
	{
		name: 'how every operation is tried',
		paths: ['test/engine/everyOperation/'],
		stages: ['types'],
		tests: engine('everyOperation'),
	},
	{
		name: 'what a title says of options',
		paths: ['test/engine/guarantees/saidOptions.'],
		tests: [...descriptions('guarantees'), ...engine('guarantees')],
	},
	{
		name: 'scenes of guarantees',
		paths: ['test/engine/guarantees/'],
		stages: ['types', 'engine'],
		tests: [],
	},
	{
		name: 'how places are tried',
		paths: ['test/engine/places/'],
		stages: ['types'],
		tests: engine('places'),
	},
	{
		name: 'how expressions are tried',
		paths: ['test/engine/plainExpressions/'],
		stages: ['types'],
		tests: engine('plainExpressions'),
	},
	{
		name: 'a network for the pace',
		paths: ['test/unit/pace/'],
		stages: ['types'],
		tests: unit('pace.network'),
	},
	{ name: 'what must not compile', paths: ['test/types/'], stages: ['types'], tests: [] },
	{ name: 'bad input', paths: ['test/data/badInput'], tests: engine('badInput') },
	{
		name: 'public names',
		paths: ['test/data/public-names'],
		tests: descriptions('publicNames', 'docs'),
	},
	{
		name: 'nodes as tests read them',
		paths: ['test/descriptions/nodes.mjs'],
		stages: ['descriptions'],
		tests: [],
	},
	{
		name: 'titles of tests, which pages are made of',
		paths: ['test/'],
		stages: ['runner'],
		tests: descriptions('docs', 'guarantees', 'interface'),
	},
];

/** @param {string} file relative to the repository @returns {Area | undefined} */
export const areaOf = (file) =>
	areas.find(({ paths }) => paths.some((path) => file.startsWith(path)));
