/** Imported by every test file of node:test: a test that reaches no assertion fails, and what it prints is not lost. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach } from 'node:test';

// Node ends a file under --test-force-exit while the last results, a failure's cause among them, wait in a full pipe.
process.stdout._handle?.setBlocking?.(true);

let reached = 0;
for (const [name, check] of Object.entries(assert)) {
	// What begins with a capital is a class.
	if (typeof check !== 'function' || !/^[a-z]/.test(name)) continue;
	// Called directly, so that its message shows the line of the test.
	Object.defineProperty(assert, name, {
		get: () => {
			reached++;
			return check;
		},
	});
}

export default assert;

/** Nothing wrong was found. @param {unknown[]} found @param {string} [message] what to do about them */
export const assertNone = (found, message) => assert.deepEqual(found, [], message);

let before = 0;
beforeEach(() => {
	before = reached;
});
afterEach(() => {
	if (reached === before) throw new Error('The test reached no assertion.');
});
