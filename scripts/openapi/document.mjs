/** OpenAPI documents as something one can walk through: a place knows where it stands and what its source is. */
import { resolve } from 'node:path';
import { ClearError } from '../../tools/bootstrap.mjs';

const escaped = (name) => String(name).replaceAll('~', '~0').replaceAll('/', '~1');
const unescaped = (name) => decodeURIComponent(name).replaceAll('~1', '/').replaceAll('~0', '~');

/** A part of a document; `mark` points to the `x-source` that speaks for it, the nearest around it. */
export class Place {
	constructor(document, pointer, value, mark) {
		Object.assign(this, { document, pointer, value });
		this.mark = value?.['x-source'] === undefined ? mark : `${pointer}/x-source`;
	}

	/** The part below, references followed; undefined where there is none. */
	at(...names) {
		let value = this.value;
		let pointer = this.pointer;
		for (const name of names) {
			value = value?.[name];
			pointer += `/${escaped(name)}`;
		}
		return value === undefined
			? undefined
			: new Place(this.document, pointer, value, this.mark).followed();
	}

	followed(steps = 0) {
		const target = this.value?.$ref;
		if (typeof target !== 'string' || !target.startsWith('#/') || steps > 20) return this;
		const value = target
			.slice(2)
			.split('/')
			.reduce((found, name) => found?.[unescaped(name)], this.document);
		return new Place(this.document, target, value ?? {}, this.mark).followed(steps + 1);
	}
}

const verbs = ['get', 'post', 'put', 'patch', 'delete'];

/**
 * @returns {Map<string, {key: string, path: string, item: Place, operation: Place}>} operations by method and path;
 * `{}` stands for any parameter
 */
export function operationsOf(document) {
	const start = new URL(document.servers?.[0]?.url?.replaceAll(/[{}]/g, '') || '/', 'https://x')
		.pathname;
	const operations = new Map();
	const paths = new Place(document, '#/paths', document.paths ?? {});
	for (const path of Object.keys(paths.value)) {
		const item = paths.at(path);
		const short = `${start}/${path}`
			.replaceAll(/\/+/g, '/')
			.replace(/^.*?\/api\/v1(?=\/)/, '')
			.replace(/(?<=.)\/$/, '');
		for (const verb of verbs) {
			if (!item.value[verb]) continue;
			const method = verb.toUpperCase();
			operations.set(`${method} ${short.replaceAll(/\{[^}]*\}/g, '{}')}`, {
				key: `${method} ${short}`,
				path: short,
				item,
				operation: item.at(verb),
			});
		}
	}
	return operations;
}

/**
 * The platform's own description, in one piece: references to other files are drawn in.
 * @param {string} file JSON or YAML
 * @throws {ClearError} when it is no OpenAPI 3
 */
export async function theirDocument(file) {
	const { bundle, createConfig } = await import('@redocly/openapi-core');
	const { bundle: whole } = await bundle({
		ref: resolve(file),
		config: await createConfig({}),
	}).catch((error) => {
		throw new ClearError(
			`${file} cannot be read as OpenAPI: ${String(error.message).split('\n')[0]}`,
		);
	});
	const document = whole.parsed;
	if (!/^3\./.test(document?.openapi ?? ''))
		throw new ClearError(`${file} is not OpenAPI 3. Convert it first.`);
	return document;
}
