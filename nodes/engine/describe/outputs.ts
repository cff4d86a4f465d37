/**
 * What one item of each operation holds, by node and `resource.operation`. The build fills it from the contract
 * (tools/outputs.cjs), as it does the output previews.
 */
export const outputs: Record<string, Record<string, string>> = {};
