import { InvalidValue } from '../text/text';

export class UnsafePath extends InvalidValue {
	constructor(value: string) {
		super('Path', `has a part that leads elsewhere: "${value}"`);
	}
}

/** One segment of a path: encoded, never `.` or `..`, never empty. @throws UnsafePath */
export function segment(value: unknown): string {
	const text = String(value ?? '');
	const encoded = encodeURIComponent(text);
	if (encoded === '' || leadsAway(encoded)) throw new UnsafePath(text);
	return encoded;
}

/** A path with its escapes read once, as servers read it. */
export const decodedPath = (path: string): string =>
	path.replace(/%([0-9a-f]{2})/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)));

/** Whether a path has a part that leads out of its place, in whichever spelling. */
export const leadsAway = (path: string): boolean =>
	decodedPath(path)
		.split(/[/\\]/)
		.some((part) => part === '..' || part === '.');

/** The only code that fills `{name}` into paths. @throws UnsafePath */
export const fillPath = (template: string, valueOf: (name: string) => unknown): string =>
	template.replace(/\{(\w+)\}/g, (_, name: string) => segment(valueOf(name)));

/** What requests to the same endpoint have in common: no IDs, which contain a digit. */
export const endpointOf = (method: string, path: string): string =>
	`${method} ${path.replace(/\/[^/]*\d[^/]*/g, '/*')}`;
