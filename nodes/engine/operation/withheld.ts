import type { Endpoint } from '../fields/shape';
import { decodedPath } from '../http/path';

/** Not for AI agents: what costs money until someone ends it, runs programs there, or loses a number. */
const withheld: Endpoint[] = [
	'DELETE /phone-numbers/trunks',
	'POST /builders',
	'POST /builders/{uuid}/exec',
	'POST /builders/{uuid}/ssh',
	'POST /builders/{uuid}/ssh/recreate',
	'POST /phone-numbers',
	'POST /phone-numbers/{uuid}/release',
];

/** The parts of a path, in whichever spelling servers take for it. */
function partsOf(path: string): string[] {
	const decoded = decodedPath(path);
	return decoded === path ? path.toLowerCase().split(/[/\\]/).filter(Boolean) : partsOf(decoded);
}

/** Which of these endpoints a path leads to. @param path below `/api/v1`, filled in or a template */
export const endpointAmong = (
	endpoints: readonly Endpoint[],
	method: string,
	path: string,
): Endpoint | undefined =>
	endpoints.find((endpoint) => {
		const [verb, template = ''] = endpoint.split(' ');
		const [wanted, parts] = [partsOf(template), partsOf(path)];
		return (
			verb === method &&
			wanted.length === parts.length &&
			wanted.every((part, at) => part === parts[at] || part.startsWith('{'))
		);
	});

export const withheldEndpoint = (method: string, path: string): Endpoint | undefined =>
	endpointAmong(withheld, method, path);
