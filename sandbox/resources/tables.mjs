import { changed } from '../answers.mjs';
import { invalid, required } from '../errors.mjs';
import { recordOfManners } from '../manners.mjs';
import { Instant, instantFrom, isDateTime } from '../zone.mjs';
import { neededFile } from './messages.mjs';

function addTable({ random, store }, { name, description = null, type = 'custom_table', columns }) {
	const withUuid = ({ name: column, data_type }) => ({
		uuid: random.uuid(),
		name: column,
		data_type,
	});
	const own = { name, description, type, columns: columns.map(withUuid) };
	return store.add('tables', { ...own, agent_uuids: [], synced_at: null });
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

function readRecord({ sandbox, record: table, body, zone }) {
	const { textCells } = sandbox.settings.manners;
	if (body.record === undefined) throw required('record');
	const values = {};
	for (const [name, value] of Object.entries(body.record)) {
		const column = table.columns.find((one) => one.name === name);
		if (column === undefined) throw invalid(`record.${name}`, `The table has no column ${name}.`);
		const type = textCells ? 'text' : column.data_type;
		values[name] = value === null ? null : READERS[type](value, zone.zone);
		if (values[name] === undefined)
			throw invalid(`record.${name}`, `The column ${name} holds ${type}.`);
	}
	return values;
}

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

const isNumber = (cell) => cell !== '' && !Number.isNaN(Number(cell));

/** A table out of text: a column is a number column when all its cells are numbers. */
function importText(sandbox, { name, description, text }) {
	const [names = ['content'], ...rows] = cells(text);
	const columns = names.map((column, index) => {
		const areNumbers = rows.length > 0 && rows.every((row) => isNumber(row[index]));
		return { name: column, data_type: areNumbers ? 'number' : 'text' };
	});
	const table = addTable(sandbox, { name, description, columns });
	for (const row of rows) {
		const record = columns.map(({ name: column, data_type: type }, index) => [
			column,
			type === 'number' ? Number(row[index]) : (row[index] ?? ''),
		]);
		const fields = { table_uuid: table.uuid, record: Object.fromEntries(record) };
		sandbox.store.add('records', fields);
	}
	return shownTable(sandbox, table);
}

const shownTable = ({ store }, table) => ({
	...table,
	records_count: store.where('records', { table_uuid: table.uuid }).length,
});

export const handlers = {
	'POST /data/tables': ({ sandbox, body }) => {
		const names = body.columns.map(({ name }) => name);
		const twice = names.find((name, index) => names.indexOf(name) !== index);
		if (twice !== undefined) throw invalid('columns', `The column ${twice} stands there twice.`);
		return shownTable(sandbox, addTable(sandbox, body));
	},
	'POST /data/import/copypaste': ({ sandbox, body }) => {
		for (const name of ['name', 'data']) if (!body[name]) throw required(name);
		return importText(sandbox, { ...body, text: body.data });
	},
	'POST /data/import/file': ({ sandbox, body, files }) => {
		const { filename, bytes } = neededFile(files, 'file');
		const { name, description } = body;
		return importText(sandbox, { name: name || filename, description, text: bytes.toString() });
	},
	'POST /data/import/website': ({ sandbox, body }) => {
		const { url = body.website, name = url ?? 'Website', description } = body;
		const columns = [
			{ name: 'url', data_type: 'url' },
			{ name: 'content', data_type: 'text' },
		];
		const table = addTable(sandbox, { name, description, type: 'website', columns });
		const record = { url, content: '' };
		if (url !== undefined) sandbox.store.add('records', { table_uuid: table.uuid, record });
		return shownTable(sandbox, table);
	},
	'GET /data/{}': ({ sandbox, record: table }) => shownTable(sandbox, table),
	'GET /data/{}/fields': ({ record: table }) => table.columns,
	'POST /data/{}/assign': ({ sandbox, record: table, body }) => {
		if (body.agent_uuid === undefined) throw required('agent_uuid');
		const { agent_uuid: agent } = sandbox.store.need('agents', body.agent_uuid);
		table.agent_uuids = [...new Set([...table.agent_uuids, agent])];
		return changed({ uuid: table.uuid, agent_uuids: table.agent_uuids });
	},
	'POST /data/{}/sync': ({ record: table }) => {
		table.synced_at = Instant.now();
		return changed({ uuid: table.uuid, synced_at: table.synced_at });
	},
};

export const rules = {
	records: {
		prepare: (context) => ({ record: readRecord(context) }),
		revise: (context, { record: now }) => ({ record: { ...now, ...readRecord(context) } }),
		/** How the platform lays a record out is not known; the sandbox puts the values under `record`. */
		show: ({ sandbox }, { table_uuid, ...record }) =>
			recordOfManners(sandbox.settings.manners, record),
	},
};
