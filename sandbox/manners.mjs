/**
 * The manners of real platforms and networks, a switch each, all off: the setting `manners`. The variable
 * `SANDBOX_MANNERS` (JSON) turns some on for a whole process, so that any test can run against them.
 */
export const NO_MANNERS = {};

/** @returns {object} the manners that the environment asks for */
export const mannersOfEnvironment = () =>
	process.env.SANDBOX_MANNERS === undefined ? {} : JSON.parse(process.env.SANDBOX_MANNERS);
