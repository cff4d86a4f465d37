import type { Plan } from './plan';
import { sameText } from './proof';
import {
	isHere,
	query,
	addressOfUrl,
	type Entry,
	type Registrant,
	type Target,
} from './registrant';
import { markOf } from '../../engine/http/workspace';

/** Entries that this node made, in any n8n and workspace. Those of other nodes came with a copy and say nothing. */
const entriesOf = <E extends Entry>({ memory, workflow, node }: Registrant<E>): E[] =>
	(memory.registrations ?? []).filter((one) => one.workflow === workflow && one.node === node);

/** Entries of this node in this n8n, in any workspace. */
export const entriesHere = <E extends Entry>(registrant: Registrant<E>): E[] =>
	entriesOf(registrant).filter(({ address }) => address !== '' && isHere(registrant, address));

export const entriesInWorkspace = <E extends Entry>(plan: Plan<E>): E[] =>
	entriesOf(plan).filter(({ workspace }) => workspace === plan.client.workspace.origin);

/** Whether a URL is one of this n8n, or of one from which a person lets the node take over. */
const isTakenOver = (plan: Plan, address: string): boolean =>
	isHere(plan, address) ||
	(plan.takeOverFrom !== undefined && address.startsWith(`${plan.takeOverFrom}/`));

/** Entries of what this node has in this n8n and workspace. A test does not see those of the published workflow. */
export const remembered = <E extends Entry>(plan: Plan<E>): E[] =>
	entriesInWorkspace(plan).filter(
		({ address }) =>
			address !== '' && isTakenOver(plan, address) && (!plan.test || address === plan.address),
	);

/** Entries that the credential no longer reaches, because it now leads to another workspace. */
export const stranded = <E extends Entry>(plan: Plan<E>): E[] =>
	plan.test
		? []
		: entriesHere(plan).filter(({ workspace }) => workspace !== plan.client.workspace.origin);

/** Removes entries, and all of other nodes. A new list: n8n saves static data only when a key is set. */
export function forget<E extends Entry>(registrant: Registrant<E>, isIt: (entry: E) => boolean) {
	registrant.memory.registrations = entriesOf(registrant).filter((entry) => !isIt(entry));
}

export function markOutdated<E extends Entry>(registrant: Registrant<E>, entry: E): E {
	const outdated: E = { ...entry, outdated: true };
	forget(registrant, (one) => one === entry);
	registrant.memory.registrations?.push(outdated);
	return outdated;
}

export function remember<E extends Entry>(
	plan: Plan<E>,
	entry: Omit<E, 'workflow' | 'node' | 'workspace' | 'version'>,
	isAbout: (entry: E) => boolean,
): void {
	forget(plan, isAbout);
	const { workflow, node, version, client, memory } = plan;
	const of = { workflow, node, workspace: client.workspace.origin };
	const made = { ...of, ...(version === '' ? {} : { version }), ...entry };
	memory.registrations?.push(made as unknown as E);
}

/**
 * Whose URL it is. It is a node's own if workflow, node and origin are those of the node: its token or an entry in
 * static data proves the first two. The same URL alone, or static data alone, proves nothing: copies keep them.
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
export function ownershipOfUrl<E extends Entry>(
	plan: Plan<E>,
	target: Target,
	url: string,
	isAbout: (entry: E) => boolean,
): Ownership {
	const address = addressOfUrl(url);
	if (address === undefined) return 'foreign';
	const token = query(url, 'token');
	const proven =
		sameText(token, plan.tokenOf(target)) ||
		sameText(token, plan.tokenOf(target, '')) ||
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
