/** What this process knows of workspaces beyond a run, by whose it is (a workspace or a token) and what it is about. */
const learned = new Map<string, { value: unknown; until: number }>();

const nameOf = (about: string[]): string => JSON.stringify(about);

export function learn(about: string[], value: unknown, until = Infinity): void {
	learned.set(nameOf(about), { value, until });
}

/** What was learned last; undefined if nothing was, or not lately. */
export function recall<T>(about: string[], now = 0): T | undefined {
	const fact = learned.get(nameOf(about));
	return fact && now < fact.until ? (fact.value as T) : undefined;
}
