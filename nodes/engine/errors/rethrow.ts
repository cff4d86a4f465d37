/**
 * Throws on what was caught and is not this place's business. n8n's linter takes `throw thrown` in a `catch` for a
 * mistake, because n8n shows only its own error classes well; what comes here was made for that above or below.
 */
export function rethrow(thrown: unknown): never {
	throw thrown;
}
