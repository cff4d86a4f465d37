/**
 * How much a sentence of the output panel matters: what the run did comes first, then what somebody should look at, then
 * the rest, and last what is so by itself or unconfirmed.
 */
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
