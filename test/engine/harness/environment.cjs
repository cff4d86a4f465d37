/**
 * Jest's environment for Node, which also keeps the processes of engines and sandboxes that no test file uses at the
 * moment: to start one takes up to a second of processor time. They end with the Jest process that they belong to.
 */
'use strict';

const { TestEnvironment } = require('jest-environment-node');

/** Engines, by what they were started with (engine.cts). */
const engines = new Map();

/** Where sandboxes run (sandbox.cts). */
const sandboxes = [];

// A worker of Jest that has nothing left to do: on a busy machine its heap takes longer to take down than the half
// second that Jest waits for it.
if (/processChild/.test(process.argv[1]))
	process.once('beforeExit', () => process.kill(process.pid, 'SIGKILL'));

module.exports = class extends TestEnvironment {
	async setup() {
		await super.setup();
		this.global.idleEngines = () => engines;
		this.global.sandboxProcesses = () => sandboxes;
	}
};
