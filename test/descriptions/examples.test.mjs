/** Workflows that people import: whom they call or write to is what the data says, and nobody is reached by mistake. */
import assert from '../asserted.mjs';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import ts from 'typescript';
import { forTheDemo } from '../../tools/demo.mjs';
import { jsonOf } from '../../tools/files.mjs';
import { nodes, operationsOf } from '../../tools/operations.cjs';
import { root } from './nodes.mjs';

const workflows = ['examples', join('docs', 'guides')].flatMap((folder) =>
	readdirSync(join(root, folder))
		.filter((name) => name.endsWith('.json'))
		.map((name) => ({
			name,
			workflow: jsonOf(folder, name),
		})),
);
assert.ok(workflows.length > 20);

const operations = operationsOf(nodes());
/** @returns {any} the operation of a node of this package, if it has one */
const operationOf = ({ type, parameters }) =>
	operations.find(
		({ node, resource, value }) =>
			type.replace(/Tool$/, '').endsWith(`.${node.name}`) &&
			resource.value === parameters.resource &&
			value === parameters.operation,
	)?.operation;

/** Parameters and columns that hold whom a request reaches. */
const recipients = ['phoneNumber', 'phone_number', 'toNumber', 'to', 'number'];

/** Every text among parameters, with the name under which it stands. @returns {Array<[string, string]>} */
const textsIn = (part, name = '') =>
	typeof part === 'string'
		? [[name, part]]
		: part !== null && typeof part === 'object'
			? Object.entries(part).flatMap(([key, inside]) =>
					textsIn(inside, Array.isArray(part) ? name : key),
				)
			: [];

/** What an expression may do to hand on a value as it stands in the data: read it, choose one, let a model enter it. */
const handsOn = /^(\$|\$fromAI|.*\.(first|last|find))$/s;
const { SyntaxKind } = ts;
const choices = [SyntaxKind.QuestionQuestionToken, SyntaxKind.BarBarToken];

/** Whether an expression makes a value of its own instead of handing on one that stands in the data. */
function builds(text) {
	if (!text.startsWith('=')) return false;
	const [, code] = /^=\s*\{\{((?:(?!\}\}).)*)\}\}\s*$/s.exec(text) ?? [];
	if (code === undefined) return true;
	const source = ts.createSourceFile('x.ts', code, ts.ScriptTarget.Latest, true);
	const made = (node) => {
		if (ts.isCallExpression(node)) return !handsOn.test(node.expression.getText()) || inside(node);
		if (ts.isTemplateExpression(node)) return true;
		if (ts.isBinaryExpression(node))
			return !choices.includes(node.operatorToken.kind) || made(node.left) || made(node.right);
		return inside(node);
	};
	const inside = (node) => ts.forEachChild(node, (child) => made(child) || undefined) ?? false;
	return made(source);
}

/** Expressions of a workflow that build a number which a request of this package is sent to. */
function built({ nodes }) {
	const named = nodes.flatMap((node) => {
		if (operationOf(node) === undefined) return [];
		return textsIn(node.parameters).filter(([name]) => recipients.includes(name));
	});
	// What another node has made is handed on under the name that it gave.
	const keys = named.map(([, text]) => /(\w+)\W*\}\}\s*$/.exec(text)?.[1]);
	const made = nodes.flatMap(({ parameters }) =>
		(parameters.assignments?.assignments ?? [])
			.filter(({ name }) => [...recipients, ...keys].includes(name))
			.map(({ name, value }) => [name, String(value)]),
	);
	return [...named, ...made].filter(([, text]) => builds(text)).map(([, text]) => text);
}

describe('no expression builds a phone number', () => {
	for (const { name, workflow } of workflows)
		test(name, () => assert.deepEqual(built(workflow), []));

	test('one that does is found, one that hands a number on is none', () => {
		const of = (phoneNumber, ...assignments) =>
			built({
				nodes: [
					{
						type: 'n8n-nodes-agent-conversation-platform.acpCalls',
						parameters: { resource: 'call', operation: 'start', phoneNumber },
					},
					{ type: 'n8n-nodes-base.set', parameters: { assignments: { assignments } } },
				],
			}).length;
		for (const text of [
			"=+{{ String($json.phone).replace(/\\D/g, '') }}",
			'=+{{ $json.phone }}',
			"={{ '+' + $json.phone }}",
			'={{ `+1${$json.phone}` }}',
			'={{ $json.phone.toString() }}',
			'={{ $json.code }}{{ $json.phone }}',
		])
			assert.equal(of(text), 1, text);
		for (const text of [
			'+14155550123',
			'={{ $json.phone }}',
			"={{ $json['Phone number'] }}",
			"={{ $('Lead').item.json.phones?.find((one) => one.primary)?.value ?? '' }}",
			"={{ $fromAI('phone', 'Whom to call', 'string') }}",
		])
			assert.equal(of(text), 0, text);
		assert.equal(of('={{ $json.n }}', { name: 'n', value: '=+{{ $json.phone }}' }), 1);
	});
});

/** These reach the reader’s own phone, on purpose twice. */
const ownPhone = ['first-hour.json'];

const reaching = workflows
	.filter(({ name }) => !ownPhone.includes(name))
	.flatMap(({ name, workflow }) =>
		workflow.nodes
			.filter((node) => operationOf(node)?.reaches)
			.map((node) => ({ name, workflow, node, operation: operationOf(node) })),
	);
assert.ok(reaching.length >= 8);

/** The nodes that lead to a node. */
function before({ nodes, connections }, { name }, seen = new Set()) {
	for (const [from, { main = [] }] of Object.entries(connections))
		if (!seen.has(from) && main.flat().some((one) => one?.node === name)) {
			seen.add(from);
			before({ nodes, connections }, { name: from }, seen);
		}
	return nodes.filter((one) => seen.has(one.name));
}

/** A person looked at the preview and clicked; the test of the recipe shows that nothing happens without. */
const isApproval = ({ parameters }) =>
	parameters.operation === 'sendAndWait' && parameters.responseType === 'approval';

describe('whoever is reached by an example is reached with care', () => {
	for (const { name, workflow, node, operation } of reaching)
		test(`${name}: ${node.name}`, () => {
			const { parameters } = node;
			const { options } = parameters;
			const ways = before(workflow, node);
			assert.equal(options.skipBlacklistedContacts, true, 'Skip Blacklisted Contacts');
			const rows = operation.reaches.rows !== undefined;
			// A form tells of one person; a message that differs may follow another.
			const several = !ways.some(
				({ type, parameters: of }) =>
					type.endsWith('.formTrigger') &&
					of.formFields.values.every(({ fieldType }) => fieldType !== 'file'),
			);
			if (operation.endpoint === 'POST /call' && several)
				assert.ok(['first', 'stop'].includes(options.sameNumberTwice), 'Same Number Twice');
			// Numbers that the platform tells have their country code.
			const ofPlatform = ways.some(({ type }) => /\.acp(Trigger|Scheduling)$/.test(type));
			if (!ofPlatform) assert.ok('defaultCountry' in options, 'Default Country, to be chosen');
			if (rows && !ways.some(isApproval)) {
				assert.equal(parameters.autoStart, false, 'Start Contacting Immediately');
				assert.equal(options.preview, true, 'Preview');
			}
			if (rows) {
				assert.ok(options.skipNumbers, 'Skip Numbers');
				const { ruleStartTime: from, ruleEndTime: to } = parameters.additionalFields;
				assert.ok(from && to, 'Rule Start Time, Rule End Time');
			}
			// What begins by the clock keeps to the hours of the day.
			for (const { parameters: of } of ways) {
				const times = [...(of.rule?.interval ?? []), ...(of.pollTimes?.item ?? [])];
				for (const { expression, cronExpression, triggerAtHour } of times) {
					const hours = /^\S+ (\d+)(?:-(\d+))? /.exec(expression ?? cronExpression ?? '') ?? [];
					for (const hour of [hours[1] ?? triggerAtHour, hours[2] ?? 12].map(Number))
						assert.ok(hour >= 8 && hour <= 20, 'hours');
				}
			}
		});
});

test('the form of a file of leads says how often a lead is called, in the demo too', () => {
	const { workflow } = workflows.find(
		({ name }) => name === 'call-new-leads-and-record-the-outcome.json',
	);
	const said = ({ nodes: steps }) => {
		const step = (name) => steps.find((one) => one.name === name).parameters;
		const { requestKey } = step('Start a Call').options;
		return [requestKey, step('Leads File').formDescription.split('. ').at(-1)];
	};
	assert.deepEqual(said(workflow), [
		'=new-lead-{{ $json.phone_number }}',
		'Every lead is called once.',
	]);
	assert.deepEqual(said(forTheDemo(structuredClone(workflow))), [
		undefined,
		'Each upload calls every lead again.',
	]);
});
