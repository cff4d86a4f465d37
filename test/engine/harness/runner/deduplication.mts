/** n8n's memory for duplicates (cli: deduplication-helper.js), in a file: it survives a restart of the process. */
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type {
	DeduplicationItemTypes,
	DeduplicationScope,
	ICheckProcessedContextData,
	ICheckProcessedOptions,
} from 'n8n-workflow';
import { core } from './n8n.mts';

const file = join(process.env.N8N_USER_FOLDER!, 'duplicates.json');

/** By workflow and node, oldest first. */
const read = (): Record<string, DeduplicationItemTypes[]> =>
	existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : {};

const nameOf = (
	scope: DeduplicationScope,
	{ workflow, node }: ICheckProcessedContextData,
): string => JSON.stringify([workflow.id, scope === 'node' ? node?.id : '']);

/** Another n8n, whose database is empty. */
export const forgetDuplicates = (): void => rmSync(file, { force: true });

export async function openDeduplication(): Promise<void> {
	const unused = async () => {
		throw new Error('The harness has no such function');
	};
	await core.DataDeduplicationService.init({
		async checkProcessedAndRecord(
			items: DeduplicationItemTypes[],
			scope: DeduplicationScope,
			about: ICheckProcessedContextData,
			{ maxEntries = Infinity }: ICheckProcessedOptions,
		) {
			const all = read();
			const name = nameOf(scope, about);
			const known = all[name] ?? [];
			const processed = items.filter((item) => known.includes(item));
			const fresh = items.filter((item) => !known.includes(item));
			if (fresh.length > 0) {
				all[name] = [...known, ...fresh].slice(-maxEntries);
				writeFileSync(file, JSON.stringify(all));
			}
			return { new: fresh, processed };
		},
		async removeProcessed(
			items: DeduplicationItemTypes[],
			scope: DeduplicationScope,
			about: ICheckProcessedContextData,
		) {
			const all = read();
			const name = nameOf(scope, about);
			all[name] = (all[name] ?? []).filter((item) => !items.includes(item));
			writeFileSync(file, JSON.stringify(all));
		},
		clearAllProcessedItems: unused,
		getProcessedDataCount: unused,
	});
}
