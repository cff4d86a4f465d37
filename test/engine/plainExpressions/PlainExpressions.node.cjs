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

/** Gives out odd items, or reads every parameter of the table for every item by n8n and by this package. */
exports.PlainExpressions = class PlainExpressions {
	description = {
		displayName: 'Plain Expressions',
		name: 'plainExpressions',
		group: ['output'],
		version: 1,
		description: 'Compares how parameters are read',
		defaults: { name: 'Plain Expressions' },
		inputs: ['main'],
		outputs: ['main'],
		properties: [
			{ displayName: 'Mode', name: 'mode', type: 'string', default: 'items' },
			{ displayName: 'Table', name: 'table', type: 'json', default: [] },
		],
	};

	async execute() {
		if (this.getNodeParameter('mode', 0) === 'items')
			return [items().map((json) => ({ json, pairedItem: { item: 0 } }))];
		const inputs = this.getInputData();
		const read = parametersOf(this, false);
		const rows = [...plain, ...leftToN8n, ...composed];
		const different = [];
		const counts = [];
		for (const [row, raw] of rows.entries()) {
			// n8n has to answer others meanwhile.
			await new Promise((resolve) => setImmediate(resolve));
			const name = `table[${row}]`;
			const understood = understand(raw);
			const outcomes = inputs.map(({ json }, item) => {
				const ours = understood ? attempt(() => understood(json)) : { value: left };
				if (ours.value === left && item > 2) return false;
				const theirs = attempt(() => this.getNodeParameter(name, item));
				const given = attempt(() => read(name, item));
				const byUs = ours.value !== left;
				if (
					byUs
						? !isDeepStrictEqual(ours, theirs)
						: !theirs.thrown && !isDeepStrictEqual(given, theirs)
				)
					different.push(
						`${JSON.stringify(raw)}, item ${item}: n8n ${shown(theirs)}, here ${shown(byUs ? ours : given)}`,
					);
				return byUs;
			});
			counts.push({ raw, byUs: outcomes.filter(Boolean).length });
		}
		return [[{ json: { items: inputs.length, counts, different } }]];
	}
};
