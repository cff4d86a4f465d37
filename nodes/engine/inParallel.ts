/** Does the same work for each item, `width` at a time, and goes on if one fails. @returns results in the items' order */
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

/** The same, but the whole work fails if it fails for one item, after all have ended. */
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
