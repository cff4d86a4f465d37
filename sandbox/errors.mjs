/** Codes of interface §7 for statuses that are answered without a closer reason. */
const CODES = {
	400: ['INVALID_FORMAT', 'The request is malformed.'],
	401: ['INVALID_AUTH_TOKEN', 'The token is invalid.'],
	403: ['FORBIDDEN', 'The token has no permission for this.'],
	404: ['RESOURCE_NOT_FOUND', 'The resource was not found.'],
	405: ['METHOD_NOT_ALLOWED', 'The method is not allowed here.'],
	409: ['CONFLICT', 'Not possible in the present state.'],
	413: ['PAYLOAD_TOO_LARGE', 'The request is too large.'],
	422: ['VALIDATION_ERROR', 'The request does not pass validation.'],
	429: ['RATE_LIMIT_EXCEEDED', 'Too many requests.'],
	500: ['INTERNAL_SERVER_ERROR', 'Internal error.'],
	502: ['BAD_GATEWAY', 'Bad gateway.'],
	503: ['SERVICE_UNAVAILABLE', 'The service is unavailable or under maintenance.'],
};

/** An answer of the platform that refuses the request (envelope of interface §7). */
export class ApiError extends Error {
	/**
	 * @param {number} status HTTP status
	 * @param {{code?: string, message?: string, field?: string, details?: string, retryAfter?:
	 * number, data?: object}} [parts]
	 */
	constructor(status, parts = {}) {
		const [code, message] = CODES[status] ?? ['ERROR', 'The request failed.'];
		super(parts.message ?? message);
		const { field, details, retryAfter, data } = parts;
		Object.assign(this, { status, code: parts.code ?? code, field, details, retryAfter, data });
	}

	/** @returns {object} the JSON body, in which what is undefined does not stand */
	body() {
		const { message, code, details, field, retryAfter, data } = this;
		return { success: false, message, error: { code, details, field, retryAfter }, data };
	}
}

/** @param {string} thing what is missing, for example 'Agent' */
export const notFound = (thing) =>
	new ApiError(404, { code: 'RESOURCE_NOT_FOUND', message: `${thing} not found.` });

export const endpointNotFound = (method, path) =>
	new ApiError(404, {
		code: 'ENDPOINT_NOT_FOUND',
		message: 'The endpoint was not found.',
		details: `${method} ${path}`,
	});

export const invalid = (field, message, code = 'VALIDATION_ERROR') =>
	new ApiError(422, { code, field, message });

/** A field that was not sent, or is empty. @param {string} field */
export const required = (field) => invalid(field, `The field ${field} is required.`);

export const conflict = (message, code = 'CONFLICT', details = undefined) =>
	new ApiError(409, { code, message, details });
