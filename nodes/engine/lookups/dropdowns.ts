import {
	type ILoadOptionsFunctions,
	type INodePropertyOptions,
	NodeOperationError,
} from 'n8n-workflow';
import { lists } from './lists';
import { distinct, labelOf, readingOr, wholeList } from './search';

/** Dropdowns whose values only the workspace knows. Unlike list searches they load all values together. */
export const options = {
	async getAgents(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
		return await readingOr(
			this,
			async (client) => {
				const rows = await wholeList(client, lists.searchAgents);
				return distinct(
					rows.map((row) => ({
						name: labelOf(row, lists.searchAgents.label) || String(row.agent_uuid),
						value: String(row.agent_uuid),
					})),
				).sort((a, b) => a.name.localeCompare(b.name));
			},
			'options',
			// A sentence in the list could be chosen. Of the NodeApiError itself the editor would show "[object Object]".
			(sentence) => {
				throw new NodeOperationError(this.getNode(), sentence);
			},
		);
	},
};
