/** What one item of each operation holds, by node and `resource.operation`; the build fills it in (tools/outputs.cjs). */
export const outputs: Record<string, Record<string, string>> = {};
