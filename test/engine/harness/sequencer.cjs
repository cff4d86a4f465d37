/**
 * The longest test files first, so that no long one begins when the others are done; the others by their size. Jest
 * itself goes by the last run, which a fresh checkout does not have.
 */
'use strict';

const { statSync } = require('node:fs');
const path = require('node:path');

/** Those that take more than thirty seconds. More of them win nothing. */
const longest = [
	'everyOperation',
	'guarantees.waits',
	'evidence.sending',
	'guarantees.sendEmptyFields',
	'errors',
	'plainExpressions',
	'guarantees.reading',
];
const lengthOf = ({ path: file }) =>
	longest.includes(path.basename(file, '.test.cts')) ? Infinity : statSync(file).size;

module.exports = class LongestFirst {
	constructor({ globalConfig }) {
		this.named = globalConfig.testNamePattern;
	}

	sort(tests) {
		return [...tests].sort((one, two) => {
			const [first, second] = [lengthOf(one), lengthOf(two)];
			return first === second ? one.path.localeCompare(two.path) : second - first;
		});
	}

	/** Every n-th of the sorted files, for `jest --shard`. */
	shard(tests, { shardIndex, shardCount }) {
		return this.sort(tests).filter((_, index) => index % shardCount === shardIndex - 1);
	}

	allFailedTests(tests) {
		return tests;
	}

	/** Jest itself passes when no test has the name that was asked for. */
	cacheResults(_tests, { numPassedTests, numFailedTests }) {
		if (this.named && numPassedTests + numFailedTests === 0)
			throw new Error('No test has this name.');
	}
};
