/** Unit tests import the sources; engine tests run the built nodes (dist) in n8n's own engine. */
const common = {
	testEnvironment: 'node',
	transform: {
		'\\.c?ts$': [
			'ts-jest',
			{
				// Types are checked once, by `npm run types`.
				diagnostics: false,
				// Without source maps Jest would name wrong lines.
				tsconfig: {
					module: 'commonjs',
					target: 'es2022',
					esModuleInterop: true,
					isolatedModules: true,
					sourceMap: true,
				},
			},
		],
	},
	// The build puts the library beside the compiled files; the sources have its declaration alone.
	moduleNameMapper: { '^\\./libphonenumber$': '<rootDir>/test/libphonenumber.cjs' },
	setupFilesAfterEnv: ['<rootDir>/test/asserted.cjs'],
	moduleFileExtensions: ['ts', 'cts', 'js', 'cjs', 'mjs', 'json', 'node'],
	// Not the whole repository: Jest would look through the installed n8n servers first.
	roots: ['<rootDir>/test', '<rootDir>/nodes', '<rootDir>/credentials', '<rootDir>/contract'],
};

module.exports = {
	testSequencer: '<rootDir>/test/engine/harness/sequencer.cjs',
	projects: [
		{ ...common, displayName: 'unit', testMatch: ['<rootDir>/test/unit/**/*.test.cts'] },
		{
			...common,
			displayName: 'engine',
			testMatch: ['<rootDir>/test/{engine,worlds}/**/*.test.cts'],
			testEnvironment: '<rootDir>/test/engine/harness/environment.cjs',
		},
	],
};
