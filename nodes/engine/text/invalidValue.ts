/** A value that cannot be sent: which field, and what is wrong with it in words a no-code user can act on. */
export class InvalidValue extends Error {
	override name = 'InvalidValue';

	constructor(
		readonly field: string | undefined,
		text: string,
	) {
		super(field === undefined ? text : `'${field}' ${text}`);
	}
}
