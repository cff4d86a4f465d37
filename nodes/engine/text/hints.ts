/** What the run did, what somebody should look at, the rest, and what is so by itself or unconfirmed: in this order. */
export type Weight = 'first' | 'warning' | 'note' | 'last';

/** What a run says in the output panel, each sentence once. */
export class Hints {
	private readonly told = new Map<string, Weight>();

	add(text: string, weight: Weight = 'note'): void {
		if (!this.told.has(text)) this.told.set(text, weight);
	}

	of(...weights: Weight[]): string[] {
		return weights.flatMap((weight) =>
			[...this.told].filter(([, its]) => its === weight).map(([text]) => text),
		);
	}
}
