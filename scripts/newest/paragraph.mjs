/**
 * @typedef {{name: string, passed: boolean, hook?: boolean, message?: string}} TestResult `hook`: what comes before or
 *   after the tests of a suite failed
 * @typedef {{notInstalled: string} | {tests: TestResult[]}} Attempt
 */

/** So long that an assertion and the end of a stack both show. */
const longest = 400;

/**
 * What an attempt at a version of n8n came to, in one line. Messages stand as code, so that GitHub reads no names of
 * users or issues in them.
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
	if (count === 0)
		return {
			broken: true,
			text: `${n8n}: no test could begin. ${said || 'The tests did not say why'}.`,
		};
	if (broken.length === 0) return { broken: false, text: `${n8n}: all ${count} tests pass.` };
	return {
		broken: true,
		text: `${n8n}: ${broken.length} of ${count} tests fail. ${said}.`,
	};
}

/** @param {string} message */
function code(message) {
	const flat = message.replace(/\s+/g, ' ').replaceAll('`', "'").trim();
	const half = longest / 2;
	return `\`${flat.length > longest ? `${flat.slice(0, half)} … ${flat.slice(-half)}` : flat}\``;
}
