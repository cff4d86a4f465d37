import type { EndpointFacts } from './facts';

/** Parameters for what the platform takes and no field of this package covers. */
export const queryParametersJson = {
	displayName: 'Query Parameters (JSON)',
	name: 'queryParametersJson',
};
export const bodyJson = { displayName: 'Body (JSON)', name: 'bodyJson' };

/** What to do if a guessed operation does not work. */
export const apiRequestWay =
	"use the resource 'Other Endpoint' with the path from your workspace's API documentation";

/** Where to enter what the platform asks for and no field covers; empty if all fields are known. */
export const openParts = ({ openQuery, openBody }: EndpointFacts): string =>
	[...(openQuery ? [queryParametersJson] : []), ...(openBody ? [bodyJson] : [])]
		.map(({ displayName }) => `'${displayName}'`)
		.join(' or ');

/** The notice above the parameters of a guessed operation, in the words of the contract (`x-open`). */
export const guessNotice = (facts: EndpointFacts): { notice?: string } => {
	if (!facts.guess) return {};
	const parts = openParts(facts);
	return {
		notice: `This operation is a guess: no known source shows ${facts.guess.join(', ')}. If the platform refuses it, ${parts ? `enter what it asks for in ${parts}. Otherwise ` : ''}${apiRequestWay}.`,
	};
};

/** The hint below a field whose name is a guess. */
export const guessHint = (name: string, required: boolean): { hint: string } => ({
	hint: `Sent as "${name}", which is a guess${required ? '' : `. If the platform refuses it, leave it empty and use '${bodyJson.displayName}'.`}`,
});
