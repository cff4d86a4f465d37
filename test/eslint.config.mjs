/**
 * Rules for the tests alone, in Jest and in node:test; `npm run lint` runs them. That a test reaches an assertion when
 * it runs, asserted.cjs and asserted.mjs see to. n8n's own rules lint the nodes (eslint.config.mjs of the repository).
 */
import parser from '@typescript-eslint/parser';
import jest from 'eslint-plugin-jest';

const rules = {
	'jest/no-disabled-tests': 'error',
	'jest/no-export': 'error',
	'jest/no-focused-tests': 'error',
	'jest/no-identical-title': 'error',
	'jest/valid-title': ['error', { ignoreTypeOfDescribeName: true, ignoreTypeOfTestName: true }],
};

/** Options of node:test that leave a test out, whatever is run. */
const leftOut =
	'CallExpression[callee.name=/^(test|it|describe|suite)$/] > ObjectExpression > ' +
	'Property[key.name=/^(skip|todo|only)$/][value.type=/^(Literal|TemplateLiteral)$/]';

/** Rules that do not suit some files, each with the reason. */
const exceptions = [
	{
		// Some cases of a table ask for more than the others. What every case asks for stands beside it.
		files: [
			'test/engine/{badInput,errors,everyOperation,guarantees}.test.cts',
			'test/engine/guarantees.sendEmptyFields.test.cts',
			'test/unit/contract/{openapi,operations}.test.cts',
			'test/unit/fileHop.test.cts',
		],
		rules: { 'jest/no-conditional-expect': 'off' },
	},
	{
		// The rejection is awaited further down, when the engine has been killed.
		files: ['test/engine/{guarantees,harness}.test.cts'],
		rules: { 'jest/valid-expect': 'off' },
	},
	{
		// The scenes of a table assert that they are set.
		files: ['test/engine/guarantees.filters.test.cts'],
		rules: { 'jest/no-standalone-expect': 'off' },
	},
	{
		// A table of functions holds the assertions.
		files: ['test/server/examples.test.mjs'],
		rules: { 'jest/expect-expect': 'off' },
	},
];

export default [
	{
		files: ['test/**/*.test.cts'],
		plugins: { jest },
		languageOptions: { parser, globals: jest.environments.globals.globals },
		rules: {
			...rules,
			'jest/expect-expect': [
				'error',
				{ assertFunctionNames: ['expect', 'fc.assert', 'refused', 'happensOnce'] },
			],
			'jest/no-conditional-expect': 'error',
			'jest/no-standalone-expect': 'error',
			'jest/valid-describe-callback': 'error',
			'jest/valid-expect': 'error',
			'jest/valid-expect-in-promise': 'error',
		},
	},
	{
		files: ['test/**/*.test.mjs'],
		plugins: { jest },
		settings: { jest: { globalPackage: 'node:test' } },
		rules: {
			...rules,
			'jest/expect-expect': ['error', { assertFunctionNames: ['assert*', 'assert.*'] }],
			'no-restricted-syntax': [
				'error',
				{
					selector: "Program:not(:has(ImportDeclaration[source.value='../asserted.mjs']))",
					message: "Import '../asserted.mjs': a test that reaches no assertion then fails.",
				},
				{ selector: leftOut, message: 'This test is left out.' },
			],
		},
	},
	...exceptions.map((exception) => ({ plugins: { jest }, ...exception })),
];
