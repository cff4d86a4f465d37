import type { IDataObject } from 'n8n-workflow';
import { assignWith, isEmpty, isEqual, omit, partition } from 'lodash';
import { BinaryReference } from '../fields/binary';
import { InvalidValue, missing, type Report, type Source } from '../fields/field';
import { boolean, integer } from '../fields/scalar';
import { isNothing, readDeciding } from '../fields/answered';
import { jsonBeside, queryBeside } from '../fields/json';
import { mergeJson, readAdded, readFields, within } from '../fields/structure';
import { fillPath } from '../http/path';
import type { Operation, Draft } from '../operation/operation';
import { fieldsOf, type Part, placeOfOptional, type PlacedField } from '../operation/places';
import { bodyJson, queryParametersJson } from '../platform/guesses';
import { isPlainObject } from '../text/text';

/** Pure: no network, no clock beyond what time fields need. @throws InvalidValue naming the field */
export function prepare(operation: Operation, from: Source): Draft {
	const report: Report = { facts: {}, sentences: [], rows: {}, moments: [] };
	const joined = (before: unknown, more: unknown) =>
		Array.isArray(more) ? [...((before as unknown[]) ?? []), ...more] : { ...before!, ...more! };
	const isRead =
		operation.reaches !== undefined ||
		/^\/(?:agents|builder|data\/import)/.test(operation.template);
	const source: Source = {
		...from,
		isRead,
		report: (more) => void assignWith(report, more, joined),
	};
	const fields = fieldsOf(operation);
	const read = (part: Part) => readPart(part, fields, placeOfOptional(operation), source);
	const pathValues = read('path');
	const options = within(
		{ ...source, above: ['Options'] },
		source.options,
		source.written('options'),
	);
	const beside = operation.openQuery ? queryBeside(options, queryParametersJson) : {};
	const query = mergeJson(beside, read('query'));
	const bodyBeside = operation.openBody
		? jsonBeside(operation.jsonOnTop ? source : options, bodyJson)
		: {};
	const filledIn = read('body');
	refuseEmptyBody(fields, filledIn, bodyBeside, source);
	const body = asNew(mergeJson(bodyBeside, filledIn), operation, source);
	const unchanged = isEmpty(body) ? nothingToChange(fields) : undefined;
	const complaint =
		operation.check?.({ path: pathValues, query, body, matching: report.matching ?? [] }) ??
		unchanged;
	if (complaint) throw new InvalidValue(undefined, complaint);
	return {
		operation,
		item: source.item,
		items: [source.item],
		pathValues,
		path: fillPath(operation.template, (name) => pathValues[name]),
		query,
		body,
		asWritten: Object.keys(bodyBeside).filter((key) => key in body && !(key in filledIn)),
		filters: read('filters'),
		limit: operation.pages && !operation.run ? limitOf(source) : Infinity,
		simplify:
			operation.simplify !== undefined &&
			readDeciding(boolean(), source, 'simplify', 'Simplify') !== false,
		files: Object.values(body).filter(
			(value): value is never => (value as unknown) instanceof BinaryReference,
		),
		report,
	};
}

/** The fields of a part that are shown, and those that a person has added. */
function readPart(
	part: Part,
	fields: PlacedField[],
	optional: string,
	source: Source,
): IDataObject {
	const [top, inCollection] = partition(
		fields.filter((field) => field.part === part),
		({ at }) => at === 'top',
	);
	const visible = top.filter(({ field }) => shown(field.options.showWhen, fields, source));
	const values = inCollection.length ? source.get(optional) : undefined;
	return mergeJson(
		readFields(visible, source),
		readAdded(inCollection, within(source, values, source.written(optional))),
	);
}

/** A field for which 'Body (JSON)' may hold the values: one of both is filled in. */
function refuseEmptyBody(
	fields: PlacedField[],
	filledIn: IDataObject,
	bodyBeside: IDataObject,
	source: Source,
): void {
	const needed = fields.find(
		({ field, path: [name = ''] }) =>
			field.options.orBodyJson && (field.spread ? isEmpty(filledIn) : filledIn[name] === undefined),
	);
	if (needed && !isLeftEmpty(source.written(needed.name)))
		throw new InvalidValue(needed.displayName, missing);
	if (needed && isEmpty(bodyBeside)) {
		throw new InvalidValue(
			needed.displayName,
			`is empty. Fill it in, or enter the fields that the platform requires in '${bodyJson.displayName}'`,
		);
	}
}

function without(value: unknown, [key = '', ...below]: string[]): unknown {
	if (Array.isArray(value)) return value.map((row) => without(row, [key, ...below]));
	if (!isPlainObject(value) || !(key in value)) return value;
	return below.length ? { ...value, [key]: without(value[key], below) } : omit(value, key);
}

/** A record that was read can be sent as it is: what only the platform sets in it is not sent, and said. */
function asNew(body: IDataObject, { setByPlatform = [] }: Operation, source: Source): IDataObject {
	const path = (name: string) => name.split('.');
	const set = setByPlatform.filter((name) => !isEqual(without(body, path(name)), body));
	const held = set.filter((name) => name.includes('.') || !isNothing(body[name]));
	if (held.length > 0) source.report({ sentences: [`Not copied: ${held.join(', ')}.`] });
	return set.reduce<unknown>((rest, name) => without(rest, path(name)), body) as IDataObject;
}

/** A parameter as the workflow holds it: no value, and no expression that might have returned one. */
const isLeftEmpty = (written: unknown): boolean =>
	isPlainObject(written) ? !written.value : isNothing(written);

/** An update whose fields are all optional needs one of them; otherwise the request would have no effect. */
function nothingToChange(fields: PlacedField[]): string | undefined {
	const changes = fields.filter(({ part }) => part === 'body');
	if (!changes.some(({ at }) => at === 'updateFields')) return undefined;
	const beside = changes
		.filter(({ at, field }) => at === 'top' && !field.options.showWhen)
		.map(({ displayName }) => `'${displayName}'`);
	const or = beside.length > 0 ? `${beside.join(', ')} or ` : '';
	return `There is nothing to change. Fill in ${or}a field under 'Update Fields', or check its expression`;
}

const limitOf = (source: Source): number =>
	readDeciding(boolean(), source, 'returnAll', 'Return All') === true
		? Infinity
		: (readDeciding(integer({ min: 1 }), source, 'limit', 'Limit') ?? 50);

/** Whether a field is shown for the values of the deciding fields, in whichever form an expression returns them. */
const shown = (
	when: Record<string, Array<string | number | boolean>> | undefined,
	fields: PlacedField[],
	source: Source,
): boolean =>
	Object.entries(when ?? {}).every(([decider, values]) => {
		const decides = fields.find(({ name, at }) => name === decider && at === 'top');
		const value = decides
			? readDeciding(decides.field, source, decides.name, decides.displayName)
			: source.get(decider);
		return values.includes(value as string);
	});
