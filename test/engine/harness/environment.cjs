/**
 * Jest's environment for Node, which also keeps the processes of engines and sandboxes that no test file uses at the
 * moment: to start one takes up to a second of processor time. They end with the Jest process that they belong to.
 */
'use strict';

const path = require('node:path');
const { TestEnvironment } = require('jest-environment-node');

/** Engines, by what they were started with (engine.cts). */
const engines = new Map();

/** Where sandboxes run (sandbox.cts). */
const sandboxes = [];

/** Engine processes that note which code each test executes (record.cjs). */
const recorded = process.env.RECORD ? new Set() : undefined;

const titles = ({ name, parent }) => (parent ? [...titles(parent), name] : []);

module.exports = class extends TestEnvironment {
	constructor(config, context) {
		super(config, context);
		this.file = path.relative(config.globalConfig.rootDir, context.testPath);
	}

	async setup() {
		await super.setup();
		this.global.idleEngines = () => engines;
		this.global.sandboxProcesses = () => sandboxes;
		this.global.recorded = recorded;
	}

	handleTestEvent({ name, test }) {
		if (name !== 'test_done') return;
		for (const child of recorded ?? []) {
			if (!child.connected) continue;
			const note = { file: this.file, name: titles(test).join(' '), seconds: test.duration / 1000 };
			child.send({ method: 'note', options: note });
		}
	}
};
