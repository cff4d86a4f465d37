import type { FieldType } from 'n8n-workflow';
import { readPage } from '../pages/layouts';

export interface TableColumn {
	/** The key of a record's values. */
	name: string;
	/** `text`, `number`, `date`, `boolean`, `json` or `url` (interface §4.4); others are passed on as they are. */
	type: string;
}

/** How n8n's editor offers a column: as text, links too, because its own check knows fewer than the platform. */
const editorTypes = new Map<string, FieldType>([
	['number', 'number'],
	['date', 'dateTime'],
	['boolean', 'boolean'],
	['json', 'object'],
]);

export const editorTypeOf = (type: string): FieldType => editorTypes.get(type) ?? 'string';

/** Of `GET /data/{uuid}/fields`, in any layout, with `data_type` (reference: tables) or `type`. @throws RequestError without a list */
export const tableColumns = (response: unknown): TableColumn[] =>
	readPage(response, 'fields').rows.flatMap((row): TableColumn[] => {
		const { name, data_type: dataType, type } = row;
		if (typeof name !== 'string' || name === '') return [];
		return [{ name, type: String(dataType ?? type ?? '').toLowerCase() }];
	});

/** Types whose values can be written in several ways, so that equal ones cannot be told. */
export const unmatchable: Record<string, string> = { date: 'dates', json: 'JSON' };

export const canBeMatched = (type: string): boolean => !Object.hasOwn(unmatchable, type);
