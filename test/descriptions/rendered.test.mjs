/**
 * n8n's linter reads source text, so it is blind to generated parameters. Here every node's description is printed as
 * a literal and linted like hand-written source, with n8n's own strict configuration.
 */
import assert from '../asserted.mjs';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ESLint } from 'eslint';
import { config } from '@n8n/node-cli/eslint';
import { manifest, nodes, root } from './nodes.mjs';

const literal = (value) =>
	JSON.stringify(value, null, '\t')
		.replace(/"(inputs|outputs)": \[\s*"main"\s*\]/g, '"$1": [NodeConnectionTypes.Main]')
		.replace(/"(inputs|outputs)": \[\]/g, '"$1": []')
		.replace(/^(\t*)"([A-Za-z_]\w*)":/gm, '$1$2:')
		.replace(
			/"((?:[^"\\]|\\.)*)"/g,
			(_, inner) => `'${inner.replace(/\\"/g, '"').replace(/'/g, "\\'")}'`,
		);

/** Where a rule cannot know better, by rule: what must stand near the line it complains about. */
const exceptions = {
	// It would lowercase the name of an app, and knows no brackets.
	'n8n-nodes-base/node-param-operation-option-action-miscased':
		/action: '.*(WhatsApp|Instagram|Messenger|\(beta\))/,
	// A color picker knows one format; which one the platform takes is not shown.
	'n8n-nodes-base/node-param-color-type-unused': /Color of the schedule on the platform/,
};

/** Lints descriptions as source of a package like this one. @returns {Promise<string[]>} complaints */
async function lint(described) {
	mkdirSync(join(root, '.local'), { recursive: true });
	const folder = mkdtempSync(join(root, '.local', 'rendered-'));
	try {
		for (const name of ['icons', 'credentials'])
			cpSync(join(root, name), join(folder, name), { recursive: true });
		symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'));
		writeFileSync(
			join(folder, 'package.json'),
			JSON.stringify({ name: manifest.name, n8n: manifest.n8n }),
		);
		writeFileSync(
			join(folder, 'tsconfig.json'),
			JSON.stringify({
				compilerOptions: { strict: true, module: 'commonjs', target: 'es2021' },
				include: ['nodes'],
			}),
		);
		for (const { className, node, description } of described) {
			mkdirSync(join(folder, 'nodes', className), { recursive: true });
			writeFileSync(
				join(folder, 'nodes', className, `${className}.node.ts`),
				`import { NodeConnectionTypes, type IExecuteFunctions, type INodeExecutionData, type INodeType, type INodeTypeDescription } from 'n8n-workflow';

export class ${className} implements INodeType {
	description: INodeTypeDescription = ${literal(description)};
${
	node.webhook === undefined
		? '\n\tasync execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> ' +
			'{\n\t\treturn [this.getInputData()];\n\t}\n'
		: '\n\twebhookMethods = { default: { checkExists: async () => true, create: async () => ' +
			'true, delete: async () => true } };\n'
}}
`,
			);
		}
		const eslint = new ESLint({
			cwd: folder,
			overrideConfigFile: true,
			overrideConfig: config,
			allowInlineConfig: false,
		});
		const results = await eslint.lintFiles(['nodes/**/*.ts']);
		assert.equal(results.length, described.length);
		return results.flatMap(({ filePath, messages, source }) =>
			messages
				// Style of source text that is printed here, not written.
				.filter(
					({ ruleId, line }) =>
						!exceptions[ruleId]?.test(
							source
								?.split('\n')
								.slice(line - 4, line + 4)
								.join('\n'),
						),
				)
				.filter(
					({ ruleId }) =>
						!ruleId?.startsWith('@typescript-eslint/') && !ruleId?.startsWith('import-x/'),
				)
				.map(
					({ ruleId, message, line }) =>
						`${filePath.split('/').pop()}:${line} ${ruleId}: ${message} | ${source?.split('\n')[line - 1]?.trim().slice(0, 100)}`,
				),
		);
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}

test('every rendered description keeps n8n’s rules', async () => {
	const complaints = await lint(nodes());
	assert.deepEqual(complaints.slice(0, 60), [], `${complaints.length} complaints`);
});

test('the rules do see what is rendered', async () => {
	const [first] = nodes();
	const description = JSON.parse(JSON.stringify(first.description));
	const number = { type: 'number', default: 7, description: 'How many.' };
	const boolean = { type: 'boolean', default: false, description: 'Not a whether' };
	description.properties.push(
		{ displayName: 'Limit', name: 'limit', ...number },
		{ displayName: 'wrong case', name: 'wrongCase', ...boolean },
	);
	const complaints = (await lint([{ ...first, description }])).join('\n');
	for (const rule of [
		'node-param-default-wrong-for-limit',
		'node-param-display-name-miscased',
		'node-param-description-boolean-without-whether',
	]) {
		assert.match(complaints, new RegExp(rule));
	}
});
