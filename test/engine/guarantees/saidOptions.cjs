/**
 * Options that decide whether a request is sent again, how long it is waited for, what is under way beside it, and what
 * is looked at before.
 */
const labels = {
	concurrency: 'Concurrency',
	maxRetries: 'Max Retries',
	retryWrites: 'Retry Writes',
	startAgain: 'Start Again',
	timeout: 'Timeout',
};

/**
 * What a title does not say about the options that a node has.
 * @param {string} title of a test, with its groups
 * @param {Record<string, unknown>} [options]
 * @returns {string[]} the words that are missing, for example "Max Retries 0"
 */
const unsaid = (title, options = {}) =>
	Object.entries(labels)
		.filter(([name]) => options[name] !== undefined)
		.map(([name, label]) =>
			typeof options[name] === 'number' ? `${label} ${options[name]}` : label,
		)
		.filter((words) => !new RegExp(`${words}(?!\\d)`).test(title));

module.exports = { unsaid };
