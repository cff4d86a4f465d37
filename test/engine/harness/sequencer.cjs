/**
 * The longest test file first, so that no long one begins when the others are done. How long each takes, in seconds,
 * stands in `test/durations.json`, which a run with `KEEP_DURATIONS=1` brings up to date, the slowest file first. A
 * file that is not there may be long.
 */
'use strict';

const { readFileSync, writeFileSync } = require('node:fs');
const path = require('node:path');

const durations = path.join(__dirname, '../../durations.json');
const seconds = JSON.parse(readFileSync(durations, 'utf8'));
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

	async cacheResults(_tests, { testResults }) {
		if (!process.env.KEEP_DURATIONS) return;
		const measured = testResults
			.filter(({ testFilePath }) => testFilePath.includes('/test/engine/'))
			.map(({ testFilePath, perfStats }) => [
				path.basename(testFilePath),
				Math.round((perfStats.end - perfStats.start) / 1000),
			]);
		const sorted = Object.entries({ ...seconds, ...Object.fromEntries(measured) }).sort(
			([, one], [, two]) => two - one,
		);
		writeFileSync(durations, `${JSON.stringify(Object.fromEntries(sorted), null, '\t')}\n`);
	}
};
