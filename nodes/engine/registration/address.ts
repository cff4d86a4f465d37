/** Origin and path of an address, without a slash at the end; undefined for text that is no address. */
export function addressOf(url: string): string | undefined {
	if (!URL.canParse(url)) return undefined;
	const { origin, pathname } = new URL(url);
	return `${origin}${pathname.replace(/\/+$/, '')}`;
}

/** The value of a parameter in a URL's query; empty without it. */
export const query = (url: string, name: string): string =>
	URL.canParse(url) ? (new URL(url).searchParams.get(name) ?? '') : '';

export const originOf = (address: string): string => new URL(address).origin;
