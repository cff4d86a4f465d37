import { addressOf, query } from './address';
import type { Entry } from './entry';
import { entriesInWorkspace, isTakenOver } from './memory';
import type { Place, Plan } from './plan';
import { sameText } from './proof';
import { markOf } from '../http/workspace';

/**
 * Whose URL it is. It is a node's own if workflow, node and origin are those of the node. The token in its query, which
 * is made of workflow and node, proves these two; so does an entry in static data that names them. The same URL alone
 * proves nothing, because copies keep it. Static data alone proves nothing, because copies take it along.
 */
export type Ownership =
	/** Made by this node in this n8n, or at an origin from which a person lets the node take over. */
	| 'own'
	/** Made by this node of this workflow at another origin: in another n8n, or before this one moved. */
	| 'elsewhere'
	/** At a URL of this node, but nothing proves that the node made it. */
	| 'unproven'
	| 'foreign';

/** @param isAbout whether an entry is about what has the URL */
export function ownershipOf<E extends Entry>(
	plan: Plan<E>,
	place: Place,
	url: string,
	isAbout: (entry: E) => boolean,
): Ownership {
	const address = addressOf(url);
	if (address === undefined) return 'foreign';
	const token = query(url, 'token');
	const proven =
		sameText(token, plan.tokenOf(place)) ||
		sameText(token, plan.firstTokenOf(place)) ||
		entriesInWorkspace(plan).some(
			(entry) =>
				isAbout(entry) &&
				entry.token !== '' &&
				(entry.address === address || sameText(entry.token, markOf(token))),
		);
	if (proven) return isTakenOver(plan, address) ? 'own' : 'elsewhere';
	const { published, test } = plan.addresses;
	return address === published || address === test ? 'unproven' : 'foreign';
}
