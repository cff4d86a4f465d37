/**
 * What is added to Jest's environment in the copy: it says which test is running, notes how each ended, runs those of
 * MUTANTS_NAMES alone (a file with a list of full names), and skips the rest of a file after the first failure (Jest
 * itself gives up between files only).
 */
'use strict';

const { appendFileSync, readFileSync, writeFileSync } = require('node:fs');

const nameOf = ({ name, parent }) =>
	parent && parent.name !== 'ROOT_DESCRIBE_BLOCK' ? `${nameOf(parent)} ${name}` : name;

const wanted =
	process.env.MUTANTS_NAMES && new Set(JSON.parse(readFileSync(process.env.MUTANTS_NAMES, 'utf8')));

/** @param {any} Environment which the tests run in otherwise */
module.exports = (Environment) =>
	class extends Environment {
		failed = false;

		constructor(config, context) {
			super(config, context);
			this.file = context.testPath;
		}

		async setup() {
			await super.setup();
			this.tell('');
		}

		/** Both processes read it: this one here, the engine's from the file. */
		tell(name) {
			this.global.mutantsTest = name;
			writeFileSync(process.env.MUTANTS_TEST, name);
		}

		note(line) {
			const all = { file: this.file, ...line };
			appendFileSync(process.env.MUTANTS_NOTES, `${JSON.stringify(all)}\n`);
		}

		handleTestEvent({ name, test, error }) {
			if (name === 'test_start') {
				if (this.failed || (wanted && !wanted.has(nameOf(test)))) test.mode = 'skip';
				else this.tell(nameOf(test));
			} else if (name === 'test_fn_failure' || name === 'hook_failure') {
				this.failed = true;
				this.note({
					failed: test ? nameOf(test) : 'a hook of the file',
					why: String(error?.message ?? error),
				});
			} else if (name === 'test_done') {
				this.tell('');
				this.note({ test: nameOf(test), ms: test.duration ?? 0 });
			}
		}
	};
