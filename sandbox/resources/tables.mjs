import { changed, created, deleted, paged, read } from '../answers.mjs';
import { invalid, notFound } from '../errors.mjs';
import { emptied } from '../manners.mjs';
import { born } from '../store.mjs';
import { Instant, instantFrom, isDateTime } from '../zone.mjs';
import { agentOf } from './agents.mjs';

const tableOf = (sandbox, uuid) => sandbox.store.need('tables', uuid, 'Table');

const columnsOf = (sandbox, columns) =>
	columns.map(({ name, data_type }) => ({ uuid: sandbox.random.uuid(), name, data_type }));

function addTable(sandbox, { name, description = null, type, columns }) {
	return sandbox.store.collection('tables').add({
		uuid: sandbox.random.uuid(),
		name,
		description,
		type,
		columns: columnsOf(sandbox, columns),
		agent_uuids: [],
		synced_at: null,
		...born(),
	});
}

/** What a column accepts, and how it is stored; undefined when it does not fit. Null empties a cell. */
const READERS = {
	text: (value) => (typeof value === 'string' ? value : undefined),
	number: (value) => (typeof value === 'number' ? value : undefined),
	boolean: (value) => (typeof value === 'boolean' ? value : undefined),
	url: (value) => (typeof value === 'string' && URL.canParse(value) ? value : undefined),
	json: (value) => value,
	date: (value, zone) => {
		if (value instanceof Instant || /^\d{4}-\d{2}-\d{2}$/.test(value)) return value;
		return isDateTime(value) ? instantFrom(value, zone) : undefined;
	},
};

/** @param {{textCells: boolean}} manners */
function readRecord({ textCells }, table, record, zone) {
	if (record === undefined) throw invalid('record', 'The field record is required.');
	const values = {};
	for (const [name, value] of Object.entries(record)) {
		const column = table.columns.find((one) => one.name === name);
		if (column === undefined) throw invalid(`record.${name}`, `The table has no column ${name}.`);
		if (textCells && value !== null && typeof value !== 'string')
			throw invalid(`record.${name}`, `The field record.${name} must be a string.`);
		const reader = textCells ? String : READERS[column.data_type];
		values[name] = value === null ? null : reader(value, zone);
		if (values[name] === undefined)
			throw invalid(`record.${name}`, `The column ${name} holds ${column.data_type}.`);
	}
	return values;
}

/** A record as shown; how the platform lays it out is not known, the sandbox puts the values under `record`. */
function shownRecord(sandbox, { table_uuid, ...shown }) {
	const { recordLayout: layout } = sandbox.settings.manners;
	if (layout === '') return shown;
	const { uuid, record, ...rest } = shown;
	const cells = Object.entries(record).filter(([, value]) => value !== null && value !== '');
	if (layout === 'flat') return { ...rest, record_uuid: uuid, ...Object.fromEntries(cells) };
	if (layout !== 'wrapped') return { ...rest, id: uuid, [layout]: Object.fromEntries(cells) };
	const wrapped = cells.map(([name, value]) => [name, { value, type: typeof value }]);
	return { ...rest, uuid, ...Object.fromEntries(wrapped) };
}

const recordsOf = (sandbox) => sandbox.store.collection('records');

function recordOf(sandbox, table, uuid) {
	const record = recordsOf(sandbox).get(uuid);
	if (record?.table_uuid !== table.uuid) throw notFound('Record');
	return record;
}

const addRecord = (sandbox, table, record) =>
	recordsOf(sandbox).add({
		uuid: sandbox.random.uuid(),
		table_uuid: table.uuid,
		record,
		...born(),
	});

/** Lines of comma- or tab-separated text; the first names the columns. Quoted cells may hold the separator. */
function cells(text) {
	const separator = text.split('\n', 1)[0].includes('\t') ? '\t' : ',';
	const cell = new RegExp(`("(?:[^"]|"")*"|[^${separator}]*)(?:${separator}|$)`, 'y');
	return text
		.split(/\r?\n/)
		.filter((line) => line.trim() !== '')
		.map((line) => {
			const row = [];
			for (cell.lastIndex = 0; cell.lastIndex < line.length;)
				row.push(cell.exec(line)[1].replace(/^"|"$/g, '').replaceAll('""', '"').trim());
			return row;
		});
}

/** A table out of text: a column is a number column when all its cells are numbers. */
function importText(sandbox, { name, description, text }) {
	const [names = ['content'], ...rows] = cells(text);
	const columns = names.map((column, index) => ({
		name: column,
		data_type:
			rows.length > 0 && rows.every((row) => row[index] !== '' && !Number.isNaN(Number(row[index])))
				? 'number'
				: 'text',
	}));
	const table = addTable(sandbox, { name, description, type: 'custom_table', columns });
	for (const row of rows)
		addRecord(
			sandbox,
			table,
			Object.fromEntries(
				columns.map((column, index) => [
					column.name,
					column.data_type === 'number' ? Number(row[index]) : (row[index] ?? ''),
				]),
			),
		);
	return created(shownTable(sandbox, table), table.uuid, 'Table imported.');
}

const shownTable = (sandbox, table) => ({
	...table,
	records_count: [...recordsOf(sandbox).values()].filter(
		(record) => record.table_uuid === table.uuid,
	).length,
});

export const tables = {
	'POST /data/tables': ({ sandbox, body }) => {
		const twice = body.columns.find(
			({ name }, index) => body.columns.findIndex((one) => one.name === name) !== index,
		);
		if (twice !== undefined)
			throw invalid('columns', `The column ${twice.name} stands there twice.`);
		const table = addTable(sandbox, { ...body, type: 'custom_table' });
		return created(shownTable(sandbox, table), table.uuid, 'Table created.');
	},
	'POST /data/import/copypaste': ({ sandbox, body }) => {
		for (const name of ['name', 'data'])
			if (!body[name]) throw invalid(name, `The field ${name} is required.`);
		return importText(sandbox, { ...body, text: body.data });
	},
	'POST /data/import/file': ({ sandbox, body, files }) => {
		const file = files?.get('file');
		if (file === undefined) throw invalid('file', 'The field file is required.');
		return importText(sandbox, {
			name: body.name || file.filename,
			description: body.description,
			text: file.bytes.toString('utf8'),
		});
	},
	'POST /data/import/website': ({ sandbox, body }) => {
		const url = body.url ?? body.website;
		const table = addTable(sandbox, {
			name: body.name ?? url ?? 'Website',
			description: body.description,
			type: 'website',
			columns: [
				{ name: 'url', data_type: 'url' },
				{ name: 'content', data_type: 'text' },
			],
		});
		if (url !== undefined) addRecord(sandbox, table, { url, content: '' });
		return created(shownTable(sandbox, table), table.uuid, 'Table imported.');
	},
	'GET /data/{}': ({ sandbox, params: [uuid] }) =>
		read(shownTable(sandbox, tableOf(sandbox, uuid)), 'Table retrieved.'),
	'GET /data/{}/fields': ({ sandbox, params: [uuid] }) =>
		read(tableOf(sandbox, uuid).columns, 'Fields retrieved.'),
	'GET /data/{}/records': (context) => {
		const {
			sandbox,
			params: [uuid],
		} = context;
		tableOf(sandbox, uuid);
		const where = (record) => record.table_uuid === uuid;
		const show = (record) => shownRecord(sandbox, record);
		return read(paged(context, 'records', { where, show }), 'Records retrieved.');
	},
	'POST /data/{}/records': ({ sandbox, params: [uuid], body, zone }) => {
		const table = tableOf(sandbox, uuid);
		const record = addRecord(
			sandbox,
			table,
			readRecord(sandbox.settings.manners, table, body.record, zone.zone),
		);
		return created(shownRecord(sandbox, record), record.uuid, 'Record created.');
	},
	'PUT /data/{}/records/{}': ({ sandbox, operation, params, body, zone }) => {
		const [uuid, recordUuid] = params;
		const table = tableOf(sandbox, uuid);
		const record = recordOf(sandbox, table, recordUuid);
		Object.assign(record, {
			record: {
				...record.record,
				...emptied(sandbox, operation, record.record),
				...readRecord(sandbox.settings.manners, table, body.record, zone.zone),
			},
			updated_at: Instant.now(),
		});
		return changed(shownRecord(sandbox, record), recordUuid, 'Record updated.');
	},
	'DELETE /data/{}/records/{}': ({ sandbox, params: [uuid, recordUuid] }) => {
		recordOf(sandbox, tableOf(sandbox, uuid), recordUuid);
		recordsOf(sandbox).delete(recordUuid);
		return deleted(recordUuid, 'Record');
	},
	'POST /data/{}/assign': ({ sandbox, params: [uuid], body }) => {
		const table = tableOf(sandbox, uuid);
		if (body.agent_uuid === undefined)
			throw invalid('agent_uuid', 'The field agent_uuid is required.');
		const agent = agentOf(sandbox, body.agent_uuid);
		if (!table.agent_uuids.includes(agent.agent_uuid)) table.agent_uuids.push(agent.agent_uuid);
		return changed({ uuid, agent_uuids: table.agent_uuids }, uuid, 'Table assigned.');
	},
	'POST /data/{}/sync': ({ sandbox, params: [uuid] }) => {
		const table = tableOf(sandbox, uuid);
		table.synced_at = Instant.now();
		return changed({ uuid, synced_at: table.synced_at }, uuid, 'Index refreshed.');
	},
};
