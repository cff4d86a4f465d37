import type { EndpointFacts } from './facts';

/** Parameters for what the platform takes and no field of this package covers. */
export const queryParametersJson = {
	displayName: 'Query Parameters (JSON)',
	name: 'queryParametersJson',
};
export const bodyJson = { displayName: 'Body (JSON)', name: 'bodyJson' };

export const apiRequestWay = "use 'Other Endpoint' with the path from your API documentation";

export type OpenFacts = EndpointFacts & { jsonOnTop?: true };

/** Where to enter what the platform asks for and no field covers; empty if all fields are known. */
export function openParts(facts: OpenFacts): string {
	const { displayName } = queryParametersJson;
	const ways = [
		...(facts.openQuery ? [`'${displayName}' under Options`] : []),
		...(facts.openBody
			? [`'${bodyJson.displayName}'${facts.jsonOnTop ? '' : ' under Options'}`]
			: []),
	];
	return ways.join(' or ');
}

const beta =
	"<a href='https://github.com/agent-conversation-platform/n8n-nodes-agent-conversation-platform/blob/main/docs/reference/guesses.md' target='_blank'>Beta</a>";

/** What the notice of a guessed operation says: what to do (contract: `x-unconfirmed`). Preview names guessed fields. */
export function guessNotice({ guess, guessedFields }: EndpointFacts): string | undefined {
	if (guess === undefined) return guessedFields && 'Some fields are beta.';
	return `${beta}. ${'first' in guess ? guess.first : `If it does not work, ${guess.instead}`}.`;
}

export const actionName = (action: string, { guess }: EndpointFacts = {}): string =>
	guess === undefined ? action : `${action} (beta)`;

/** What to do when the platform does not know a guessed endpoint. */
export function wayRoundGuess(guess: NonNullable<EndpointFacts['guess']>): string {
	const own = 'instead' in guess ? guess.instead : apiRequestWay;
	const further = own.includes('Other Endpoint') ? '' : ", or use 'Other Endpoint'";
	return `In beta: ${own}${further}.`;
}
