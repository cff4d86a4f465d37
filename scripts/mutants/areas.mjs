/**
 * Which tests watch which code. Every source file belongs to the first area with a folder or file that it begins with;
 * a file without an area, an area without files and a test file that does not exist are errors. Of the tests of an area
 * only those run that reach the mutant, in this order, so the most telling come first. Code that runs when a file is
 * loaded is reached by every test; `#` then says how the names of those begin that are meant,
 * `{name}` being the name of
 * the source file.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ClearError, repository } from '../../tools/bootstrap.mjs';

const engine = (/** @type {string[]} */ ...names) =>
	names.map((name) => name.replace(/^[^#]+/, 'test/engine/$&.test.cts'));
const unit = (/** @type {string[]} */ ...names) =>
	names.map((name) => `test/unit/${name}.test.cts`);
const descriptions = (/** @type {string[]} */ ...names) =>
	names.map((name) => `test/descriptions/${name}.test.mjs`);

/** What watches the resource files of every node. */
const shape = [
	...descriptions('tree', 'publicNames'),
	'test/contract/operations.test.cts',
	'test/contract/flags.test.cts',
];

/** @typedef {{name: string, code: string[], tests: string[]}} Area */

/** @type {Area[]} */
export const areas = [
	{
		name: 'engine: http',
		code: ['nodes/engine/http/'],
		tests: [
			...unit('retry', 'workspace', 'pace', 'limits', 'pace.network', 'time', 'clock'),
			...unit('deadline', 'pages', 'path', 'answers', 'fileHop', 'secrets'),
			...engine(
				'errors',
				'pages',
				'guarantees.token',
				'guarantees.answers',
				'guarantees.secrets',
				'guarantees.slow',
				'guarantees.refusals',
				'guarantees',
				'options.perItem',
				'acpInsights',
				'workspaces',
			),
			...engine('everyOperation#Return All'),
		],
	},
	{
		name: 'engine: write paths and keys',
		code: [
			'nodes/engine/deliver/',
			'nodes/engine/execution.ts',
			'nodes/engine/journal/',
			'nodes/engine/openExecution.ts',
			'nodes/engine/output/',
			'nodes/engine/rethrow.ts',
			'nodes/engine/run.ts',
		],
		tests: [
			...unit('records', 'onError'),
			...engine(
				'guarantees.delivery',
				'guarantees.onError',
				'guarantees.batches',
				'guarantees.consult',
				'guarantees.answers',
				'reports',
				'secondRuns',
				'continuedRuns',
				'guarantees',
				'errors',
				'oneShots',
				'oneShots.tasks',
				'acpBuilders',
				'acpTables',
				'acpMedia',
				'acpContacts',
				'acpCalls',
				'guarantees.filters',
				'guarantees.waits',
			),
		],
	},
	{
		name: 'engine: lookups',
		code: ['nodes/engine/lookups/'],
		tests: [
			...unit('voiceFields', 'tableColumns'),
			...engine(
				'lookups',
				'acpMessages',
				'acpContacts',
				'acpTables',
				'acpOutreach',
				'acpAgents',
				'errors',
				'acpCalls',
			),
		],
	},
	{
		name: 'engine: prepare and fields',
		code: [
			'nodes/engine/describe/',
			'nodes/engine/callState.ts',
			'nodes/engine/events.ts',
			'nodes/engine/fields/',
			'nodes/engine/operation/',
			'nodes/engine/phone/',
			'nodes/engine/prepare/',
			'nodes/engine/text/',
			'nodes/engine/time/',
		],
		tests: [
			...unit('time', 'periods', 'text', 'phone', 'itemName', 'stateOfCall'),
			...descriptions('tree', 'publicNames'),
			'test/contract/flags.test.cts',
			'test/contract/sources.test.cts',
			...engine(
				'basics',
				'places',
				'badInput',
				'phoneNumbers',
				'periods',
				'tools',
				'guesses',
				'guarantees.guesses',
				'guarantees.asWritten',
				'guarantees.sendEmpty',
				'security',
				'options.perItem',
				'acpScheduling',
				'acpMessages',
				'acpOutreach',
				'acpContacts',
			),
			...engine('acpTables', 'acpAgents', 'guarantees.zones', 'guarantees.filters', 'guarantees'),
			...engine('guarantees.optOuts', 'plainExpressions'),
		],
	},
	{
		name: 'AcpTrigger',
		code: ['nodes/AcpTrigger/'],
		tests: [
			...unit('signature'),
			...engine(
				'trigger.content',
				'trigger.delivery',
				'trigger.lifecycle',
				'guarantees.trigger',
				'leftovers',
				'trigger.expression',
			),
			...descriptions('tree', 'publicNames'),
		],
	},
	{
		name: 'AcpIntentTrigger',
		code: ['nodes/AcpIntentTrigger/', 'nodes/engine/webhooks/'],
		tests: [
			...unit('signature', 'intentRequest'),
			...engine('trigger.delivery', 'trigger.lifecycle'),
			...engine('intentTrigger.delivery', 'intentTrigger.lifecycle'),
			...descriptions('tree', 'publicNames'),
		],
	},
	{
		name: 'credential',
		code: ['credentials/'],
		tests: engine('errors', 'security', 'guarantees.token'),
	},
	...['Agents', 'Builders', 'Contacts', 'Flows', 'Insights', 'Media'].map(resources),
	...['Messages', 'Quality', 'Scheduling', 'Tables'].map(resources),
	{
		...resources('Conversations'),
		tests: [...unit('stateOfTranscription'), ...resources('Conversations').tests],
	},
	{ ...resources('Calls'), tests: [...unit('stateOfCall'), ...resources('Calls').tests] },
	{ ...resources('Outreach'), tests: [...unit('time'), ...resources('Outreach').tests] },
];

/** Tests that watch no mutant, with the reason. */
export const leftOut = {
	'test/engine/harness.test.cts': 'of the engine that the tests use',
	'test/engine/platform.test.cts': 'of the sandbox and of the engine that the tests use',
	'test/engine/guarantees.pace.test.cts':
		'lives by the machine’s own clock; unit tests watch the pace in simulated time',
	'test/engine/guarantees.pace.others.test.cts': 'the same',
	'test/engine/faults.test.cts':
		'everything, at random: what it notices, tests of an area must notice too',
	'test/engine/faults.manners.test.cts': 'the same',
	'test/engine/trigger.fuzz.test.cts': 'the same',
	'test/engine/intentTrigger.fuzz.test.cts': 'the same',
};

/** @param {string} node @returns {Area} */
function resources(node) {
	return {
		name: `Acp${node}`,
		code: [`nodes/Acp${node}/`],
		tests: [
			...shape,
			...engine(`acp${node}`, 'places#{name}.', 'everyOperation#{name}.'),
			...engine('guarantees.filters', 'guarantees.optOuts'),
		],
	};
}

/**
 * @param {string[]} files all source files @returns {Map<string, Area>} the area of each
 * @throws {ClearError} when the table does not fit the repository
 */
export function areasOf(files) {
	const found = new Map(
		files.map((file) => [
			file,
			areas.find(({ code }) => code.some((part) => file.startsWith(part))),
		]),
	);
	const wrong = [
		...files.filter((file) => !found.get(file)).map((file) => `${file} belongs to no area`),
		...areas.flatMap(({ name, code, tests }) => [
			...code
				.filter((part) => !files.some((file) => file.startsWith(part)))
				.map((part) => `"${name}" names ${part}, which holds no source file`),
			...tests
				.filter((test) => !existsSync(join(repository, test.split('#')[0])))
				.map((test) => `"${name}" names ${test}, which does not exist`),
		]),
	];
	if (wrong.length > 0)
		throw new ClearError(`scripts/mutants/areas.mjs does not fit:\n  ${wrong.join('\n  ')}`);
	return found;
}
