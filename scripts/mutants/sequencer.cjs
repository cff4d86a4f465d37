/** Test files in the order in which they are given (MUTANTS_ORDER, relative paths with commas between them). */
'use strict';

const order = (process.env.MUTANTS_ORDER ?? '').split(',');
const of = ({ path }) => order.findIndex((file) => path.endsWith(`/${file}`));

module.exports = class AsGiven {
	sort(tests) {
		return [...tests].sort((one, two) => of(one) - of(two));
	}

	shard(tests) {
		return tests;
	}

	allFailedTests(tests) {
		return tests;
	}

	async cacheResults() {}
};
