import type { EndpointFacts } from './facts';

/** Parameters for what the platform takes and no field stands for. */
export const queryParametersJson = {
	displayName: 'Query Parameters (JSON)',
	name: 'queryParametersJson',
};
export const bodyJson = { displayName: 'Body (JSON)', name: 'bodyJson' };

/** Where an operation that is a guess leaves off. */
export const apiRequestWay =
	"use the resource 'Other Endpoint' with the path from your workspace's API documentation";

/** Where that goes which the platform asks for and no field stands for; nothing where all fields are known. */
export const openParts = ({ openQuery, openBody }: EndpointFacts): string =>
	[...(openQuery ? [queryParametersJson] : []), ...(openBody ? [bodyJson] : [])]
		.map(({ displayName }) => `'${displayName}'`)
		.join(' or ');

/** What stands above the parameters of an operation that is a guess, in the words of the contract (`x-open`). */
export const guessNotice = (facts: EndpointFacts): { notice?: string } => {
	if (!facts.guess) return {};
	const parts = openParts(facts);
	return {
		notice: `This operation is a guess: no known source shows ${facts.guess.join(', ')}. If the platform refuses it, ${parts ? `enter what it asks for in ${parts}. Otherwise ` : ''}${apiRequestWay}.`,
	};
};

/** What stands below a field whose name is a guess. */
export const guessHint = (name: string, required: boolean): { hint: string } => ({
	hint: `Sent as "${name}", which is a guess${required ? '' : `. If the platform refuses it, leave it empty and use '${bodyJson.displayName}'.`}`,
});
