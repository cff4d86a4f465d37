/**
 * A reporter of `node --test`: a line of JSON for each test that has ended, and for each suite that could not begin or
 * end. What ended only because another test did is left out.
 */

const followUps = ['subtestsFailed', 'cancelledByParent'];

/**
 * @param {AsyncIterable<{type: string, data: any}>} events
 * @returns {AsyncGenerator<string>} lines with a `TestResult` each
 */
export default async function* reporter(events) {
	for await (const { type, data } of events) {
		const { type: kind, error } = data?.details ?? {};
		if (type === 'test:pass' && kind !== 'suite' && !data.skip)
			yield line({ name: data.name, passed: true });
		if (type === 'test:fail' && !followUps.includes(error.failureType))
			yield line({
				name: data.name,
				passed: false,
				hook: error.failureType === 'hookFailed',
				message: error.cause?.message ?? error.message,
			});
	}
}

/** @param {import('./paragraph.mjs').TestResult} result */
const line = (result) => `${JSON.stringify(result)}\n`;
