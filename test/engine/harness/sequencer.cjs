/**
 * The longest test file first, so that no long one begins when the others are done. How long each takes stands in the
 * record of the tests (scripts/test/record.mjs). A file that is not there may be long.
 */
'use strict';

const { readFileSync } = require('node:fs');
const path = require('node:path');

const root = path.join(__dirname, '../../..');
const { tests } = JSON.parse(readFileSync(path.join(root, 'test/record.json'), 'utf8'));
const secondsOf = ({ path: file }) =>
	tests[path.relative(root, file)]?.reduce((sum, [, seconds]) => sum + seconds, 0) ?? Infinity;

module.exports = class LongestFirst {
	constructor({ globalConfig }) {
		this.named = globalConfig.testNamePattern;
	}

	sort(tests) {
		return [...tests].sort((one, two) => {
			const [first, second] = [secondsOf(one), secondsOf(two)];
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
