const { readFileSync } = require('node:fs');
const { join } = require('node:path');
const { src, dest, parallel, series } = require('gulp');

/** Icons that nodes and the credential name with `file:../../icons/…`. */
const icons = () => src('icons/*.svg').pipe(dest('dist/icons'));

/** Codex files (`X.node.json`, beside the node), read by n8n from beside the compiled node. */
const codex = () => src('nodes/**/*.json').pipe(dest('dist/nodes'));

/** What n8n shows, and an AI reads, of each operation's output; made from the contract. */
const outputSchemas = async () => require('./tools/output-schemas.cjs').writeOutputSchemas();

const phones = 'dist/nodes/engine/phone';
const library = join(__dirname, 'node_modules/libphonenumber-js');

/**
 * The phone library as one readable file beside its declaration;
 * docs/contributing/decisions/0011-phone-library-in-dist.md.
 */
const phoneLibrary = async () => {
	const { version } = JSON.parse(readFileSync(join(library, 'package.json'), 'utf8'));
	await require('esbuild').build({
		stdin: {
			contents: `export { getCountries, getCountryCallingCode, Metadata, parsePhoneNumberFromString } from 'libphonenumber-js/max';`,
			resolveDir: __dirname,
		},
		outfile: `${phones}/libphonenumber.js`,
		banner: {
			js: `// libphonenumber-js ${version}: code under the MIT licence, metadata under Apache 2.0; both texts stand beside this file.`,
		},
		bundle: true,
		format: 'cjs',
		platform: 'neutral',
		mainFields: ['module', 'main'],
		target: 'es2021',
		// Links would put this machine's folders into the file.
		preserveSymlinks: true,
		absWorkingDir: __dirname,
		legalComments: 'inline',
		logLevel: 'warning',
	});
};

/** The licences of what `phoneLibrary` puts into dist. */
const phoneLicences = () =>
	src(['LICENSE', 'LICENSE.Apache'], { cwd: library })
		.on('data', (file) => (file.basename = `libphonenumber.${file.basename}.txt`))
		.pipe(dest(phones));

exports.assets = series(parallel(icons, codex, phoneLibrary, phoneLicences), outputSchemas);
exports.default = exports.assets;
