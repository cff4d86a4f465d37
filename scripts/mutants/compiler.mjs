/** Whether the compiler refuses a mutant: then `npm run types` notices it. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { repository } from '../../tools/bootstrap.mjs';

const ts = createRequire(import.meta.url)('typescript');

/**
 * @returns {(mutant: import('./copy.mjs').Mutant) => string | undefined} what the compiler says of the file with the
 * mutant in it, `undefined` when it has nothing to say
 */
export function compiler() {
	const { config } = ts.readConfigFile(join(repository, 'tsconfig.json'), ts.sys.readFile);
	const { options, fileNames } = ts.parseJsonConfigFileContent(config, ts.sys, repository);
	/** @type {{file?: string, text?: string, version: number}} */
	const now = { version: 0 };
	const service = ts.createLanguageService({
		// What becomes unused or unreachable is a trace of the mutant, not the fault itself.
		getCompilationSettings: () => ({
			...options,
			noUnusedLocals: false,
			noUnusedParameters: false,
			allowUnreachableCode: true,
		}),
		getCurrentDirectory: () => repository,
		getDefaultLibFileName: ts.getDefaultLibFilePath,
		getScriptFileNames: () => fileNames,
		getScriptSnapshot: (file) => {
			const text = file === now.file ? now.text : ts.sys.readFile(file);
			return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
		},
		getScriptVersion: (file) => (file === now.file ? String(now.version) : '0'),
		fileExists: ts.sys.fileExists,
		readFile: ts.sys.readFile,
		directoryExists: ts.sys.directoryExists,
		realpath: ts.sys.realpath,
	});
	return ({ file, range: [start, end], replacement, kind }) => {
		const path = join(repository, file);
		const before = readFileSync(path, 'utf8');
		const original = before.slice(start, end);
		const asItIs =
			['BlockStatement', 'StringLiteral'].includes(kind) || /^(?:case\b|default\b)/.test(original);
		now.file = path;
		now.text = `${before.slice(0, start)}${asItIs ? replacement : `(${replacement})`}${before.slice(end)}`;
		now.version++;
		const [first] = [
			...service.getSyntacticDiagnostics(path),
			...service.getSemanticDiagnostics(path),
		];
		return first && ts.flattenDiagnosticMessageText(first.messageText, ' ');
	};
}
