import type { IDataObject } from 'n8n-workflow';
import { locator, mapper } from '../engine/fields';
import { tableField } from './table';
import { fitRecord } from '../engine/lookups/tableColumns';
import {
	type ConsultDefinition,
	fromRequest,
	operation,
	perPage,
	read,
	resource,
} from '../engine/operation';

const recordField = locator('searchTableRecords', {
	name: 'record',
	displayName: 'Record',
	required: true,
	description: 'The row of the table',
	// Whether a record is identified by a uuid is not shown (interface §4.4).
	pattern: {
		regex: '^[^\\s/?#]+$',
		message: 'Not a valid ID',
		example: '3f2b8c1e-5d47-4a9b-8f60-2c1d9e7a4b35',
	},
});

/** Which columns there are is read right before writing, so that each value is sent in the type of its column. */
const columnsFit: ConsultDefinition = {
	read: read('GET /data/{uuid}/fields', { uuid: fromRequest('uuid') }),
	fit: (answer, body, zone) => ({
		...body,
		record: fitRecord(answer, body.record, zone) as IDataObject,
	}),
};

const words = { singular: 'column', plural: 'columns' };

export const record = resource({
	label: 'Record',
	value: 'record',
	description: 'The rows of a table',
	defaultOperation: 'getAll',
	operations: {
		create: operation.create('POST /data/{uuid}/records', {
			name: 'Create',
			action: 'Create a record in a table',
			description:
				'Add a row to a table; run Sync of the resource Table afterwards so that agents find it',
			path: { uuid: tableField },
			body: {
				record: mapper('getTableFields', {
					name: 'columns',
					displayName: 'Columns',
					required: true,
					words,
					dependsOn: ['table.value'],
					description:
						'The values of the row. Numbers, dates and JSON are sent in the type of their column.',
				}),
			},
			consult: columnsFit,
		}),
		delete: operation.remove('DELETE /data/{uuid}/records/{record}', {
			name: 'Delete',
			action: 'Delete a record from a table',
			description: 'Remove a row from a table for good',
			path: { uuid: tableField, record: recordField },
			removes: 'record',
		}),
		getAll: operation.list('GET /data/{uuid}/records', {
			name: 'Get Many',
			action: 'Get many records of a table',
			description: 'List the rows of a table',
			path: { uuid: tableField },
			pages: { pageSize: perPage },
		}),
		update: operation.update('PUT /data/{uuid}/records/{record}', {
			name: 'Update',
			action: 'Update a record of a table',
			description: 'Change values of a row; columns that are left out are not sent',
			path: { uuid: tableField, record: recordField },
			body: {
				record: mapper('getTableFields', {
					name: 'columns',
					displayName: 'Columns',
					required: true,
					words,
					dependsOn: ['table.value'],
					description:
						'The values to change. Numbers, dates and JSON are sent in the type of their column.',
					hint:
						'The platform does not document whether columns that are left out keep their values; ' +
						'fill in all of them to be sure',
				}),
			},
			consult: columnsFit,
		}),
	},
});
