/**
 * Jest's environment for Node, which also keeps the engine processes that no test file uses at the moment: to start one
 * takes a second of processor time. They end with the Jest process that they belong to.
 */
'use strict';

const { TestEnvironment } = require('jest-environment-node');

/** By what they were started with (engine.cts). */
const idle = new Map();

module.exports = class extends TestEnvironment {
	async setup() {
		await super.setup();
		this.global.idleEngines = () => idle;
	}
};
