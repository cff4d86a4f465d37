import { cloneDeep, get, isEmpty, isEqual, isPlainObject, omit, uniq } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { readThis } from './readThis';
import { type Execution, readBeside } from '../execution';
import type { Field } from '../fields/field';
import { type Placed, place, write } from '../fields/structure';
import { describeError } from '../errors/errorText';
import { RequestError } from '../errors/requestError';
import { rethrow } from '../errors/rethrow';
import type { KeepsDefinition } from '../operation/operation';
import type { PreparedRequest } from '../operation/preparedRequest';
import { pathOfRead } from '../operation/secondaryRead';
import { paginate } from '../pages/pages';
import { quoted, tidy } from '../text/text';

/** A field of the body that holds one value, with its whole path. */
interface Leaf {
	field: Field<unknown, unknown>;
	path: string[];
	displayName: string;
}

const leavesOf = (placed: Placed[], above: string[] = []): Leaf[] =>
	placed.flatMap(({ field, path, displayName }) => {
		const whole = [...above, ...path];
		return field.inside && !field.rows
			? leavesOf(field.inside, whole)
			: [{ field, path: whole, displayName }];
	});

const isJson = ({ show }: Field<unknown, unknown>): boolean =>
	show('', '').some(({ type }) => type === 'json');

/**
 * A value that was read, as an update takes it: rows without fields that the update does not know.
 * @returns undefined if it was read in a form that cannot be sent
 */
function asTaken(field: Field<unknown, unknown>, shown: unknown): unknown {
	if (field.rows) {
		if (!Array.isArray(shown) || !shown.every(isPlainObject)) return undefined;
		return shown.map((row: IDataObject) => {
			const taken: IDataObject = {};
			for (const leaf of leavesOf(field.inside ?? [])) {
				const value: unknown = get(row, leaf.path);
				const inForm = isNothing(value) ? undefined : asTaken(leaf.field, value);
				if (inForm !== undefined) write(taken, leaf.path, inForm);
			}
			return taken;
		});
	}
	if (isJson(field)) return shown;
	return [shown].flat().some((value) => typeof value === 'object') ? undefined : shown;
}

const isNothing = (value: unknown): boolean => value === undefined || value === null;

/** Whether a value can be written there without replacing something that the user wrote. */
const hasRoom = (body: IDataObject, path: string[]): boolean =>
	path.every((_, depth) => {
		const there: unknown = get(body, path.slice(0, depth + 1));
		return there === undefined || (depth < path.length - 1 && isPlainObject(there));
	});

/** Names of what is there and is no field of the update. */
function unknownNames(shown: unknown, leaves: Leaf[], above: string[]): string[] {
	if (!isPlainObject(shown)) return [];
	return Object.entries(shown as IDataObject).flatMap(([name, value]) => {
		const path = [...above, name];
		const leaf = leaves.find((one) => isEqual(one.path, path));
		if (leaf) return leaf.field.rows ? unknownInRows(value, leaf, path) : [];
		const holds = leaves.some((leaf) => isEqual(leaf.path.slice(0, path.length), path));
		if (holds) return unknownNames(value, leaves, path);
		const isThere = typeof value === 'object' ? !isEmpty(value) : value !== '';
		return isThere ? [tidy(path.join('.'), 60) ?? name] : [];
	});
}

const unknownInRows = (rows: unknown, { field }: Leaf, path: string[]): string[] =>
	uniq(
		[rows].flat().flatMap((row) =>
			// A list is sent as a whole, so the platform may give its rows other IDs.
			unknownNames(
				isPlainObject(row) ? omit(row as IDataObject, 'uuid') : row,
				leavesOf(field.inside ?? []),
				[],
			).map((name) => [...path, name].join('.')),
		),
	);

const unknownWhether = 'It is not known whether this update keeps fields that you leave empty';
const way = "turn on 'Send Only These Fields' under Options";

const held = (code: string, message: string, details: string): RequestError =>
	new RequestError('notSent', 'nothing', { code, message, details });

/** The platform does not have the record, or not at this path. */
const isMissing = (thrown: unknown): boolean =>
	thrown instanceof RequestError && (thrown.facts.status === 404 || thrown.facts.status === 405);

/** What is there now. @throws RequestError, Cancelled */
async function readNow(
	execution: Execution,
	prepared: PreparedRequest,
	keeps: KeepsDefinition,
): Promise<IDataObject> {
	try {
		return await readThis(execution, prepared, keeps.in);
	} catch (missing) {
		const { list } = keeps;
		if (!list || !isMissing(missing)) return rethrow(missing);
		const [row] = await paginate({
			fetch: async (query, reads) =>
				await readBeside(execution, prepared, pathOfRead(list.in, prepared.path), {
					query,
					reads,
				}),
			query: {},
			limit: 1,
			pageSize: list.pageSize,
			id: list.id,
			keeps: (one) => one[list.id] === prepared.path.uuid,
		});
		return row ?? rethrow(missing);
	}
}

/** The same; what cannot be read holds the request back. @throws RequestError that nothing was sent; Cancelled */
async function readOrHold(
	execution: Execution,
	prepared: PreparedRequest,
	keeps: KeepsDefinition,
): Promise<IDataObject> {
	try {
		const record = await readNow(execution, prepared, keeps);
		const parts = keeps.under === undefined ? (keeps.objects ?? []) : [keeps.under];
		const hidden = parts.filter(
			(name) =>
				(keeps.under === name || isPlainObject(prepared.body[name])) && record[name] === undefined,
		);
		if (hidden.length)
			throw held(
				'NOT_SHOWN',
				`${unknownWhether}, and the platform does not show "${hidden.join('", "')}"`,
				`Fill in all that should stay, and ${way}.`,
			);
		return keeps.under === undefined ? record : ((record[keeps.under] ?? {}) as IDataObject);
	} catch (thrown) {
		if (!(thrown instanceof RequestError) || thrown.reason === 'notSent') return rethrow(thrown);
		const { host } = execution.client.workspace;
		const { message, description } = describeError(thrown, { host, class: 'read' });
		const again = thrown.temporary ? ' Run it again later.' : '';
		const why = `${message}. ${description}${again} Or fill in all that should stay, and ${way}.`;
		return rethrow(held('NOT_READ', `${unknownWhether}, and they could not be read`, why));
	}
}

/** Whether what an operation may clear is read and sent along with a request. */
export const keepsTheRest = (
	{ options }: Execution,
	{ operation, item }: PreparedRequest,
): boolean => operation.keeps !== undefined && options(item).sendOnlyTheseFields !== true;

/**
 * The body of an update with what is there now and the user left empty. Requests for the same record go one after the
 * other (`inTurnOfRecord`), and what earlier ones of the run sent counts even if the platform shows it later.
 * @returns the body to send; a new object
 * @throws RequestError that nothing was sent, if it is not known what is there; Cancelled
 */
export async function withTheRest(
	execution: Execution,
	prepared: PreparedRequest,
): Promise<IDataObject> {
	const { hints, sent } = execution;
	const { operation, address } = prepared;
	const keeps = operation.keeps as KeepsDefinition;
	const { never = [], objects, mayBeHidden = [], under } = keeps;
	const leaves = leavesOf(place(operation.body)).filter(
		({ path: [top = ''] }) =>
			!never.includes(top) && (!objects || (objects.includes(top) && top in prepared.body)),
	);
	if (leaves.length === 0) return prepared.body;
	const record = await readOrHold(execution, prepared, keeps);
	const earlier = sent.get(address) ?? {};
	const body = cloneDeep(prepared.body);
	const hidden: string[] = [];
	for (const { field, path, displayName } of leaves) {
		if (!hasRoom(body, path)) continue;
		const ownEarlier: unknown = get(earlier, path);
		const shown: unknown = get(record, path);
		const now = isNothing(shown) ? undefined : asTaken(field, shown);
		const value = ownEarlier === undefined ? now : ownEarlier;
		if (value !== undefined) write(body, path, value);
		else if (!isNothing(shown) || (shown === undefined && mayBeHidden.includes(path.join('.'))))
			hidden.push(displayName);
	}
	if (hidden.length) {
		const names = hidden.map((name) => `'${name}'`).join(', ');
		throw held(
			'NOT_SHOWN',
			`It is not known whether this update keeps ${names}, and the platform does not show what is there`,
			`Fill in ${names}. Or ${way}.`,
		);
	}
	if (!isEqual(body, prepared.body)) hints.add(told);
	const unknown = objects
		? objects.flatMap((name) =>
				name in prepared.body ? unknownNames(record[name], leaves, [name]) : [],
			)
		: under === undefined
			? []
			: unknownNames(record, leaves, []);
	if (unknown.length) hints.add(notTaken(unknown));
	return body;
}

const told =
	'No known source shows whether this update keeps fields that you leave empty. So the node reads them and sends ' +
	'them unchanged with yours. A change that was made in the same moment may be overwritten.';

/** Names that a hint shows. */
const mostNames = 10;

const notTaken = (names: string[]): string =>
	`This update does not take everything that is there, so this was not sent: ${names.slice(0, mostNames).map(quoted).join(', ')}${names.length > mostNames ? ', …' : ''}. Check on the platform that it is still there.`;

/** Remembers what a request that is done has set. */
export function noteSent({ sent }: Execution, { address, body, operation }: PreparedRequest): void {
	if (!operation.keeps) return;
	const all = cloneDeep(sent.get(address) ?? {});
	for (const { path } of leavesOf(place(operation.body))) {
		const value: unknown = get(body, path);
		if (value !== undefined) write(all, path, value);
	}
	sent.set(address, all);
}

/** Which requests are about the same record, so that none reads it while another changes it. */
export const turnOfRecord = ({ path }: PreparedRequest): unknown => ['record', path];
