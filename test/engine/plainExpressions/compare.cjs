const { isDeepStrictEqual } = require('node:util');
const {
	leftToN8n: left,
	understand,
} = require('../../../dist/nodes/engine/prepare/plainExpressions.js');
const { parametersOf } = require('../../../dist/nodes/engine/prepare/parameters.js');
const { plain, leftToN8n, composed, items } = require('./table.cjs');

const attempt = (work) => {
	try {
		return { value: work() };
	} catch (thrown) {
		return { thrown: thrown.message };
	}
};

const shown = ({ value, thrown }) =>
	thrown === undefined
		? `${Object.is(value, -0) ? '-0' : typeof value === 'object' ? JSON.stringify(value) : String(value)} (${typeof value})`
		: `throws ${thrown}`;

exports.items = () => items().map((json) => ({ json, pairedItem: { item: 0 } }));

/** Reads every parameter of the table for every item by n8n and by this package. */
exports.compared = async (context) => {
	const inputs = context.getInputData();
	const read = parametersOf(context, false);
	const different = [];
	const counts = [];
	for (const [row, raw] of [...plain, ...leftToN8n, ...composed].entries()) {
		// n8n has to answer others meanwhile.
		await new Promise((resolve) => setImmediate(resolve));
		const name = `table[${row}]`;
		const understood = understand(raw);
		const outcomes = inputs.map(({ json }, item) => {
			const ours = understood ? attempt(() => understood(json)) : { value: left };
			const byUs = ours.value !== left;
			if (!byUs && item > 2) return false;
			const theirs = attempt(() => context.getNodeParameter(name, item));
			const given = byUs ? ours : attempt(() => read(name, item));
			if ((byUs || !theirs.thrown) && !isDeepStrictEqual(given, theirs))
				different.push(
					`${JSON.stringify(raw)}, item ${item}: n8n ${shown(theirs)}, here ${shown(given)}`,
				);
			return byUs;
		});
		counts.push({ raw, byUs: outcomes.filter(Boolean).length });
	}
	return [{ json: { items: inputs.length, counts, different } }];
};
