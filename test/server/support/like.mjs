/**
 * As much of a value as is expected of it, so that `deepEqual` of both shows where they differ.
 * @param {unknown} actual
 * @param {unknown} expected objects: only the fields named here count; lists: every entry counts; a regular expression
 *   stands for a text that it matches
 * @returns {unknown}
 */
export function like(actual, expected) {
	if (expected instanceof RegExp) return expected.test(String(actual)) ? expected : actual;
	if (Array.isArray(expected) && Array.isArray(actual))
		return actual.map((one, index) => (index in expected ? like(one, expected[index]) : one));
	if (isObject(expected) && isObject(actual))
		return Object.fromEntries(
			Object.keys(expected)
				.filter((key) => key in actual)
				.map((key) => [key, like(actual[key], expected[key])]),
		);
	return actual;
}

const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
