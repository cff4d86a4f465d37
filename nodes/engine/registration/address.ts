import { trimEnd } from 'lodash';

/** Origin and path of a URL, without a slash at the end; undefined if the text is not a URL. */
export function addressOf(url: string): string | undefined {
	if (!URL.canParse(url)) return undefined;
	const { origin, pathname } = new URL(url);
	return `${origin}${trimEnd(pathname, '/')}`;
}

/** The value of a parameter in a URL's query; empty if it is missing. */
export const query = (url: string, name: string): string =>
	URL.canParse(url) ? (new URL(url).searchParams.get(name) ?? '') : '';

export const originOf = (address: string): string => new URL(address).origin;
