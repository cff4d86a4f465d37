/**
 * What an AI that writes workflows reads of each operation's output: the fields of the output preview in one line.
 * Where no source shows them, it says so, because a guessed name returns nothing and looks like an empty answer.
 */
const { writeFileSync } = require('node:fs');
const { join } = require('node:path');
const catalog = require('./catalog.cjs');
const { previewOf } = require('./previews.cjs');

/** Longer than this nobody reads; what is inside objects goes first, the last object before the others. */
const longest = 270;
const unknown = 'unknown: run it once';

/** @param {any} schema @param {number} depth levels of objects that are written out */
function line(schema, depth) {
	const { type, properties, items } = schema;
	if (type === 'array') return items ? `${line(items, depth)}[]` : 'list';
	if (type !== 'object') return type;
	const entries = Object.entries(properties ?? {});
	if (entries.length === 0) return 'object';
	if (depth === 0) return '{…}';
	return fields(entries.map(([name, property]) => [name, line(property, depth - 1)]));
}

/** @param {Array<[name: string, inside: string]>} entries */
const fields = (entries) =>
	`{ ${entries.map(([name, inside]) => (inside === 'string' ? name : `${name}: ${inside}`)).join(', ')} }`;

/** A record with as much of what its fields hold as `longest` lets in. @param {any} schema */
function lineOf(schema) {
	const entries = Object.entries(schema.properties ?? {});
	if (schema.type !== 'object' || entries.length === 0) return line(schema, 1);
	const written = entries.map(([name, property]) => [name, line(property, 0)]);
	for (const [index, [name, property]] of entries.entries())
		for (const depth of [2, 1]) {
			const fuller = written.with(index, [name, line(property, depth)]);
			if (fields(fuller).length > longest) continue;
			written[index] = fuller[index];
			break;
		}
	return fields(written);
}

/** What an operation makes of an answer that says nothing. */
function made({ output }) {
	if (!output) return undefined;
	const record = output(undefined, { path: {}, body: {} });
	return {
		type: 'object',
		properties: Object.fromEntries(
			Object.entries(record).map(([name, value]) => [
				name,
				{ type: value === undefined ? 'string' : typeof value },
			]),
		),
	};
}

/** @returns {Record<string, Record<string, string>>} by node and `resource.operation` */
function outputs() {
	const contract = catalog.contract();
	const found = {};
	for (const { name, resources } of catalog.nodes()) {
		found[name] = {};
		for (const { value: resource, operations, apiRequest } of resources) {
			for (const { value, operation } of operations) {
				const schema = previewOf(contract, operation) ?? made(operation);
				found[name][`${resource}.${value}`] = schema ? lineOf(schema) : unknown;
			}
			if (apiRequest) found[name][`${resource}.apiRequest`] = "the response's data.";
		}
	}
	return found;
}

/** Fills what the compiled nodes read. */
function writeOutputs(folder = join(catalog.repository, 'dist', 'nodes')) {
	writeFileSync(
		join(folder, 'engine', 'describe', 'outputs.js'),
		`"use strict";\nObject.defineProperty(exports, "__esModule", { value: true });\nexports.outputs = ${JSON.stringify(outputs(), null, '\t')};\n`,
	);
}

module.exports = { outputs, writeOutputs };
