import {
	NodeApiError,
	NodeOperationError,
	type ILoadOptionsFunctions,
	type INodePropertyOptions,
} from 'n8n-workflow';
import { paginate } from '../pages/pages';
import { lists } from './lists';
import { distinct, editorCall, labelOf, reading } from './search';
import { rethrow } from '../errors/rethrow';

/**
 * What a dropdown shows in place of options that could not be loaded: a sentence, which chooses nothing, and what is
 * chosen already. Of a throw the editor would show "[object Object]".
 * @param name of the parameter
 */
function insteadOfOptions(
	caller: ILoadOptionsFunctions,
	name: string,
	thrown: unknown,
): INodePropertyOptions[] {
	if (!(thrown instanceof NodeApiError || thrown instanceof NodeOperationError)) rethrow(thrown);
	const chosen = [caller.getCurrentNodeParameter(name)]
		.flat()
		.filter((value): value is string => typeof value === 'string' && value !== '');
	return [{ name: thrown.message, value: '' }, ...chosen.map((value) => ({ name: value, value }))];
}

/** Dropdowns whose values only the workspace knows. Unlike list searches they load all values together. */
export const options = {
	/** All agents, for choosing several under `agents`. */
	async getAgents(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
		return await reading(
			this,
			async (client) => {
				const { path, id, pageSize, label } = lists.searchAgents;
				const rows = await paginate({
					fetch: async (query, reads) =>
						await client.request({ ...editorCall, method: 'GET', path, query, reads }),
					query: {},
					limit: Infinity,
					id,
					pageSize,
				});
				return distinct(
					rows.map((row) => ({
						name: labelOf(row, label) || String(row.agent_uuid),
						value: String(row.agent_uuid),
					})),
				).sort((a, b) => a.name.localeCompare(b.name));
			},
			'options',
		).catch((thrown: unknown) => insteadOfOptions(this, 'agents', thrown));
	},
};
