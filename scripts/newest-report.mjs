/**
 * What an attempt at a version of n8n came to, in one line; and, as a reporter of `node --test`, what it is made of: a
 * line of JSON for each test that has ended, and for each suite that could not begin or end.
 *
 * @typedef {{name: string, passed: boolean, hook?: boolean, message?: string}} TestResult `hook`: what comes before or
 *   after the tests of a suite failed
 * @typedef {{notInstalled: string} | {tests: TestResult[]}} Attempt
 */

/** What ended only because another test did. */
const followUps = ['subtestsFailed', 'cancelledByParent'];

/**
 * @param {AsyncIterable<{type: string, data: any}>} events
 * @returns {AsyncGenerator<string>} lines with a `TestResult` each
 */
export default async function* reporter(events) {
	for await (const { type, data } of events) {
		const { type: kind, error } = data?.details ?? {};
		const passed = type === 'test:pass' && kind !== 'suite' && !data.skip;
		const failed = type === 'test:fail' && !followUps.includes(error.failureType);
		if (passed) yield `${JSON.stringify({ name: data.name, passed })}\n`;
		if (failed) {
			const message = error.cause?.message ?? error.message;
			const hook = error.failureType === 'hookFailed';
			yield `${JSON.stringify({ name: data.name, passed, hook, message })}\n`;
		}
	}
}

/** So long that an assertion and the end of a stack both show. */
const longest = 400;

/**
 * Messages stand as code, so that GitHub reads no names of users or issues in them.
 * @param {string} version
 * @param {string} pinned the version that all other tests run in
 * @param {Attempt} attempt
 * @returns {{broken: boolean, text: string}}
 */
export function paragraph(version, pinned, attempt) {
	const n8n = version === pinned ? `n8n ${version}` : `n8n ${version} (pinned here: ${pinned})`;
	if ('notInstalled' in attempt)
		return { broken: true, text: `${n8n} cannot be installed: ${code(attempt.notInstalled)}.` };
	const broken = attempt.tests.filter(({ passed }) => !passed);
	const count = attempt.tests.filter(({ hook }) => !hook).length;
	const said = broken.map(({ name, message }) => `“${name}”: ${code(message ?? '')}`).join('; ');
	const none = `no test could begin. ${said || 'The tests did not say why'}.`;
	if (count === 0) return { broken: true, text: `${n8n}: ${none}` };
	if (broken.length === 0) return { broken: false, text: `${n8n}: all ${count} tests pass.` };
	return { broken: true, text: `${n8n}: ${broken.length} of ${count} tests fail. ${said}.` };
}

/** @param {string} message */
function code(message) {
	const flat = message.replace(/\s+/g, ' ').replaceAll('`', "'").trim();
	const half = longest / 2;
	return `\`${flat.length > longest ? `${flat.slice(0, half)} … ${flat.slice(-half)}` : flat}\``;
}
