/** Whether there is something to say in JSON: a letter, a digit, a number, yes or no. Names of fields say nothing. */
export function hasWords(value: unknown): boolean {
	if (typeof value === 'string') return /[\p{L}\p{N}]/u.test(value);
	if (typeof value === 'object' && value !== null) return Object.values(value).some(hasWords);
	return typeof value === 'number' || typeof value === 'boolean';
}

/**
 * Whether an item tells of an error. n8n's nodes put one under `error` if they go on after it (*On Error*), beside
 * whatever the item held before: the error may name servers, and what is beside it may be out of date.
 */
export function tellsOfError(item: unknown): boolean {
	const { error } = Object(item) as { error?: unknown };
	return error !== false && error !== 0 && hasWords(error);
}

/** What is said where a parameter has no fixed text. These are its defaults in the editor. */
export const standardTexts = {
	responseText: 'Thank you, that is on its way.',
	fallbackText: 'I am sorry, I cannot find that out right now.',
};
