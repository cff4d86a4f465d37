/**
 * The longest test file first, so that no long one begins when the others are done. How long each takes stands in
 * `test/durations.json` (`npm run slowest -- --keep` writes it); a file that is not there may be long.
 */
'use strict';

const { readFileSync } = require('node:fs');
const path = require('node:path');

const seconds = JSON.parse(readFileSync(path.join(__dirname, '../../durations.json'), 'utf8'));
const of = ({ path: file }) => seconds[path.basename(file)] ?? Infinity;

module.exports = class LongestFirst {
	sort(tests) {
		return [...tests].sort((one, two) => {
			const [first, second] = [of(one), of(two)];
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

	async cacheResults() {}
};
