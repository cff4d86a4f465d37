import { lowerCase, uniq } from 'lodash';
import { lists } from './lists';
import type { ListLookup } from './search';
import { listOf, quoted } from '../text/text';

/** The records that a list of the workspace shows, by ID. */
export interface Names {
	records: Map<string, { name: unknown; label: string }>;
	why?: string;
	/** An earlier run read them: a name that is not among them may be new. */
	remembered?: true;
}

const isNamed =
	(name: string) =>
	({ name: shown }: { name: unknown }): boolean =>
		typeof shown === 'string' && shown.trim() === name;

/** Whether what is known of a list answers for a name. */
export const knowsName = ({ records, remembered }: Names, name: string): boolean =>
	!remembered || [...records.values()].some(isNamed(name));

/** The records of a list, as people call them: "outreach rules". */
export const whatOf = (lookup: string): string => lowerCase(lookup.replace(/^search/, ''));

const instead = 'choose one from the list, or enter its ID';

/** The ID of the one record that has a name. @param fail refuses it, for the reason that it is told */
export function idNamed(
	lookup: keyof typeof lists,
	{ records, why }: Names,
	name: string,
	fail: (text: string) => never,
): string {
	const what = whatOf(lookup);
	if (why !== undefined)
		fail(
			`is the name ${quoted(name)}, but not all ${what} were read: ${why}. Enter the ID instead`,
		);
	const named = [...records].filter(([, one]) => isNamed(name)(one));
	if (named.length > 1)
		fail(
			`is ${quoted(name)}, the name of ${named.length} ${what}: ${listOf(named.map(([id, { label }]) => `${label} (ID ${id})`))}. Rename one, or ${instead}`,
		);
	const known = listOf(uniq([...records.values()].map((one) => quoted(one.name))), 3) || 'none';
	const unseen = (lists[lookup] as ListLookup).inside
		? `but no contact has a tag of this name, so it is unknown whether there is one. Tags that contacts have: ${known}. Correct it, or enter the number or ID of the tag`
		: `but none of the ${what} has that name. There are: ${known}. Correct it, or choose one from the list`;
	return named[0]?.[0] ?? fail(`is ${quoted(name)}, ${unseen}`);
}
