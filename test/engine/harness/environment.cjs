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

// Nothing is left to do. A worker of Jest is killed: on a busy machine its heap takes longer to take down than the half
// second that Jest waits for it. Otherwise the children end first: Node may hang if it exits while they live.
process.once('beforeExit', () => {
	if (/processChild/.test(process.argv[1])) process.kill(process.pid, 'SIGKILL');
	for (const { child } of [...engines.values(), sandboxes].flat()) {
		child.ref();
		child.kill('SIGKILL');
	}
});

module.exports = class extends TestEnvironment {
	async setup() {
		await super.setup();
		this.global.idleEngines = () => engines;
		this.global.sandboxProcesses = () => sandboxes;
	}
};
