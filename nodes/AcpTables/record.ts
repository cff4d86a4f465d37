import type { IDataObject } from 'n8n-workflow';
import { mapValues, omitBy } from 'lodash';
import { mapper, reference, exampleId } from '../engine/fields';
import { fitRecord, refuseMatching } from './fitRecord';
import { matchRecord, withMatching } from './matchRecord';
import { tableField } from './table';
import {
	type PreflightDefinition,
	type FallbackBody,
	fromRequest,
	operation,
	perPage,
	read,
	resource,
} from '../engine/operation';

const ofTable = { uuid: fromRequest('uuid') };

/** Reads the columns right before writing, so that each value is sent in the type of its column. */
const columnsKnown: PreflightDefinition = {
	read: read('GET /data/{uuid}/fields', ofTable),
	fit: (response, body, zone) => ({
		...body,
		record: fitRecord(response, body.record, zone) as IDataObject,
	}),
};

/** The same; if they cannot be read, the values are sent as they are. */
const columnsFit: PreflightDefinition = {
	...columnsKnown,
	unread:
		"The table's columns could not be read, so all values were sent unchanged. Check in the table how they are stored.",
};

const isText = (value: unknown): boolean => value === null || typeof value === 'string';

/** No source shows how a table takes numbers, switches and JSON (interface §4.4): if one is refused, all go as text. */
const asTexts: FallbackBody = {
	guessed: ({ record }) =>
		Object.keys(omitBy(record as IDataObject, isText)).map((column) => `record.${column}`),
	body: (body) => ({
		...body,
		record: mapValues(body.record as IDataObject, (value) =>
			isText(value) ? value : typeof value === 'object' ? JSON.stringify(value) : String(value),
		),
	}),
	hint: 'The platform rejected a number, boolean or JSON value, so the record was sent as text. Check in the table how its values are stored.',
};

const columns = (description: string, hint?: string) =>
	mapper('getTableFields', {
		name: 'columns',
		required: true,
		words: { singular: 'column', plural: 'columns' },
		dependsOn: ['table.value'],
		description,
		hint,
	});

export const record = resource({
	label: 'Record',
	value: 'record',
	path: {
		uuid: tableField,
		record: reference('searchTableRecords', {
			name: 'record',
			description: 'The row of the table',
			// No source shows whether a uuid identifies a record (interface §4.4).
			pattern: {
				regex: '^[^\\s/?#]+$',
				example: exampleId,
			},
		}),
	},
	partOf: 'table',
	description: 'The rows of a table',
	defaultOperation: 'getAll',
	operations: {
		create: operation.create('POST /data/{uuid}/records', {
			action: 'Create a record in a table',
			description:
				"Add a row to a table; then run 'Sync' of the resource 'Table' so that agents find it",
			body: {
				record: columns(
					'The values of the row. Numbers, dates and JSON are sent in the type of their column.',
				),
			},
			preflight: columnsFit,
			fallback: asTexts,
		}),
		delete: operation.remove('DELETE /data/{uuid}/records/{record}', {
			description: 'Permanently delete a row from a table',
		}),
		getAll: operation.list('GET /data/{uuid}/records', {
			description: 'List the rows of a table',
			pages: { pageSize: perPage },
		}),
		update: operation.update('PUT /data/{uuid}/records/{record}', {
			description: 'Change values of a row; columns you omit are not sent',
			body: {
				record: columns(
					'The values to change. Numbers, dates and JSON are sent in the type of their column.',
				),
			},
			preflight: columnsFit,
			fallback: asTexts,
		}),
		upsert: operation.create('POST /data/{uuid}/records', {
			name: 'Create or Update',
			action: 'Create or update a record of a table',
			description: 'Create a new record, or update the current one if it already exists (upsert)',
			body: {
				record: withMatching(
					columns(
						"The values of the row, and the columns that identify it. 'created' in the output tells if it is new.",
						'It is unknown whether omitted columns keep their values. Each run reads the whole table (10,000 rows: ten runs a minute), so pass rows together.',
					),
				),
			},
			preflight: {
				...columnsKnown,
				check: (response, _, matching) => refuseMatching(response, matching),
			},
			fallback: asTexts,
			recover: matchRecord,
		}),
	},
});
