/**
 * @returns a function that does work of the same name one after the other, in the order it is asked, whatever becomes
 * of the work before
 */
export function oneAfterTheOther(): <T>(name: string, work: () => Promise<T>) => Promise<T> {
	const last = new Map<string, Promise<unknown>>();
	return async <T>(name: string, work: () => Promise<T>): Promise<T> => {
		const mine = last.get(name)?.then(work, work) ?? work();
		last.set(name, mine);
		try {
			return (await mine) as T;
		} finally {
			if (last.get(name) === mine) last.delete(name);
		}
	};
}
