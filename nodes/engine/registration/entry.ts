/**
 * What a registration writes into n8n's static data. Copies of a workflow take static data along, so each entry names
 * the node and the workflow that made it. The origin of its callback URL tells in which n8n.
 */
export interface Entry {
	workflow: string;
	/** The node's ID. */
	node: string;
	agent: string;
	/** Callback URL without query. Empty if nothing of this node is there now. */
	address: string;
	/** Origin of its workspace. */
	workspace: string;
	/** Mark of the token in its callback URL. It stays valid after the credential's token has changed. */
	token: string;
	/** 'URL Version' that made it, if any: with another one the token lets nothing in. */
	version?: string;
}
