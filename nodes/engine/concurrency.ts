/**
 * Does the same work for each item, a few at a time, and goes on when one fails.
 * @param width how many at once, at least 1
 * @returns what became of each item, in the order given
 */
export async function settleInParallel<In, Out>(
	items: In[],
	width: number,
	work: (item: In) => Promise<Out>,
): Promise<Array<PromiseSettledResult<Out>>> {
	const settled: Array<PromiseSettledResult<Out>> = Array.from({ length: items.length });
	const waiting = items.entries();
	const worker = async () => {
		for (const [index, item] of waiting)
			[settled[index]] = (await Promise.allSettled([work(item)])) as [PromiseSettledResult<Out>];
	};
	await Promise.all(Array.from({ length: width }, worker));
	return settled;
}

/**
 * As `settleInParallel`, for work in which one failure is a failure of all.
 * @throws what the first failed item threw, after all have ended
 */
export async function mapInParallel<In, Out>(
	items: In[],
	width: number,
	work: (item: In) => Promise<Out>,
): Promise<Out[]> {
	const settled = await settleInParallel(items, width, work);
	return settled.map((result) => {
		if (result.status === 'rejected') throw result.reason;
		return result.value;
	});
}
