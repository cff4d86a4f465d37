import { range } from 'lodash';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { emptyForAll } from '../fields/answered';
import {
	InvalidItems,
	InvalidValue,
	Needed,
	type NumberRead,
	type Problem,
	type Source,
	problemsOf,
} from '../fields/field';
import { isRaw } from '../operation/kinds';
import { prepareApiRequest } from '../apiRequest/prepareApiRequest';
import { preflight, heldBack } from './preflight';
import { emptyPartOf, piecesFor } from './parameters';
import { prepare } from './prepare';
import { knowsName } from '../lookups/names';
import { refuseDifferences, replacedTwice } from './sameForAll';
import { withLearned } from './zones';
import { findUnwanted, leaveOut, type Sorted, type Unwanted } from './leftOut';
import { identified, sameKeys } from './requestKeys';
import { reachName } from '../journal/reached';
import { isReachLimited } from '../operation/places';
import { mask, namesOfMasked } from '../secrets/secrets';
import { type Fail, isPlainObject, refusing, title } from '../text/text';
import type { Draft, PreparedRequest, Execution } from '../operation/operation';
import type { BinaryReference } from '../fields/binary';
import { megabyte } from '../http/fileStream';

/** Asked before anything is sent. @throws InvalidValue if the file is not there, empty, or larger than can be uploaded */
export async function checkFile(context: IExecuteFunctions, file: BinaryReference): Promise<void> {
	const refuse: Fail = refusing(file.label);
	const stored = context.getInputData()[file.item]?.binary?.[file.property];
	const named = `names the field "${file.property.slice(0, 60)}", but`;
	if (!stored)
		return refuse(`${named} the item has no file there. Choose a field that contains a file`);
	const { id, bytes, data } = stored;
	const known = id ? (await context.helpers.getBinaryMetadata(id)).fileSize : bytes;
	const size = known ?? Math.floor((data.length * 3) / 4);
	if (size === 0) refuse(`${named} its file is empty. Check the node that made the file`);
	const [megabytes, most] = [Math.ceil((size / megabyte) * 10) / 10, file.maxBytes / megabyte];
	if (size > file.maxBytes)
		refuse(`contains a file of ${megabytes} MB; at most ${most} MB can be uploaded`);
}

/** Outputs show no secrets; what they show instead must not be written back. @throws InvalidValue */
function refuseMasked({ operation, body }: Draft): void {
	const [name] = operation.reaches ? [] : namesOfMasked(body);
	if (name === undefined) return;
	throw new InvalidValue(
		title(name),
		`contains ${mask}, the mask that hides a secret in outputs. Remove the field, or enter the whole value`,
	);
}

/** A parameter of the top level is always there; rows, groups and references that nobody touched are empty objects. */
const isUntouched = (value: unknown): boolean => {
	if (!isPlainObject(value)) return value === undefined;
	const { values, __rl: reference, value: chosen } = value as IDataObject;
	return values === undefined && !(reference && chosen === null);
};

function* sourcesOf(execution: Execution, count: number, items: number[]): Iterable<Source> {
	for (const item of items) yield sourceOf(execution, count, item);
}

function sourceOf(execution: Execution, count: number, item: number): Source {
	const { context, asTool, parameter, written, options, zones, names, contacts, numbers } =
		execution;
	let read: NumberRead[] | undefined;
	return {
		item,
		defaultCountry: options(item).defaultCountry,
		// An item that is prepared again is read again.
		numberRead: (number) => {
			if (!read) numbers.set(item, (read = []));
			read.push(number);
		},
		zone: zones.of(item),
		neededZone: () => zones.needed(item),
		namesIn: (lookup, name) => {
			const known = names.get(lookup);
			if (!known || !knowsName(known, name)) throw new Needed(item, { lookup, named: name });
			return known;
		},
		contactOf: (uuid) => {
			const known = contacts.get(uuid);
			if (!known) throw new Needed(item, { uuid });
			return known;
		},
		sendEmptyFields: options(item).sendEmptyFields === true,
		options: options(item) as IDataObject,
		above: [],
		get: (name) => parameter(name, item),
		has: (name) => !isUntouched(parameter(name, item)),
		written: (name) => written[name],
		asTool,
		pieces: (text) => piecesFor(context, asTool, text, item),
		emptyPart: (text) => emptyPartOf(context, text, item),
		all: () => sourcesOf(execution, count, range(count)),
		json: () => context.getInputData()[item]?.json ?? {},
		report: () => undefined,
	};
}

/** A request from each item. @param known what is wrong with items already: they are left out */
async function prepareEach(execution: Execution, count: number, known: Problem[]) {
	const { context, operation } = execution;
	const drafts: Draft[] = [];
	const problems = [...known];
	const bad = new Set(known.map(({ item }) => item));
	for (const item of range(count).filter((one) => !bad.has(one)))
		try {
			const draft = await withLearned(execution, () => {
				const source = sourceOf(execution, count, item);
				return isRaw(operation) ? prepareApiRequest(source) : prepare(operation, source);
			});
			refuseMasked(draft);
			for (const file of draft.files) await checkFile(context, file);
			drafts.push(draft);
		} catch (thrown) {
			problems.push(...problemsOf(thrown, item));
		}
	return { drafts, problems };
}

/** One request from all items; if the node goes on after bad ones, from the good ones. */
async function prepareTogether(execution: Execution, count: number, known: Problem[]) {
	const { operation, stops } = execution;
	const problems = [...known];
	for (;;) {
		const bad = new Set(problems.map(({ item }) => item));
		const items = range(count).filter((item) => !bad.has(item));
		const [first] = items;
		if (first === undefined) return { drafts: [], problems };
		const all = () => sourcesOf(execution, count, items);
		try {
			const together = await withLearned(execution, () => {
				const request = prepare(operation, { ...sourceOf(execution, count, first), all });
				refuseDifferences(execution, items, (item) => sourceOf(execution, count, item));
				return request;
			});
			return { drafts: [{ ...together, items }], problems };
		} catch (thrown) {
			const found = problemsOf(thrown, first);
			const isOfItems = thrown instanceof InvalidItems;
			// What concerns the request as a whole concerns every item that it would have been made of.
			const concerned =
				isOfItems || stops
					? found
					: items.flatMap((item) => found.map((one) => ({ ...one, item })));
			problems.push(...concerned);
			if (stops || !isOfItems) return { drafts: [], problems };
		}
	}
}

/** Why requests cannot be sent. What concerns a request concerns every item that it was made of. */
class Refused {
	constructor(
		private readonly drafts: Draft[],
		readonly problems: Problem[],
	) {}

	add(found: Problem[]): void {
		for (const problem of found) {
			const request = this.drafts.find(({ item }) => item === problem.item);
			for (const item of request?.items ?? [problem.item]) this.problems.push({ ...problem, item });
		}
	}

	rest(some: PreparedRequest[]): PreparedRequest[] {
		const refused = new Set(this.problems.map(({ item }) => item));
		return some.filter(({ items }) => !items.some((item) => refused.has(item)));
	}
}

/** Asks n8n's memory whom earlier runs reached. What an earlier try of this one sent is sent again with the same key. */
async function lookUpReached(execution: Execution, ready: PreparedRequest[]): Promise<void> {
	const { client, journal, options, reach } = execution;
	const limited = ready.filter(
		(one) => isReachLimited(options(one.item)) && !journal.recordOf(one),
	);
	const { origin } = client.workspace;
	await reach.look(limited.map(({ body }) => reachName(origin, body.request_key)));
}

/** Leaves out whom the run may not reach, and brings every other request into the form that fits its target. */
async function sortedOut(
	execution: Execution,
	ready: PreparedRequest[],
	unwanted: Unwanted,
	refused: Refused,
): Promise<Sorted> {
	const { preflight: rule } = execution.operation;
	const fitted = new Map<PreparedRequest, PreparedRequest>();
	for (;;) {
		const sorted = leaveOut(execution, refused.rest(ready), unwanted);
		const before = refused.problems.length;
		refused.add([...sorted.problems, ...sameKeys(execution, sorted.ready)]);
		const fresh = sorted.ready.filter((request) => !fitted.has(request));
		const fitting = rule && (await preflight(execution, rule, fresh));
		if (fitting) refused.add(fitting.problems);
		for (const [at, one] of fresh.entries()) fitted.set(one, fitting?.ready[at] ?? one);
		const isRefused = refused.problems.length > before;
		// Whoever was left out for a request that is refused now takes its place.
		const hasStandIn = sorted.leftOut.some(({ reason }) => reason === 'same_number');
		if (!isRefused || !hasStandIn)
			return { ...sorted, ready: sorted.ready.map((request) => fitted.get(request) ?? request) };
	}
}

/** Before the first byte is sent. @param known what is wrong with items already @returns also how many an earlier try sent */
export async function prepareAll(execution: Execution, count: number, known: Problem[]) {
	const { journal, operation, hints } = execution;
	const prepareItems = operation.allItems ? prepareTogether : prepareEach;
	const { drafts, problems } = await prepareItems(execution, count, known);
	for (const told of emptyForAll(drafts.map(({ report }) => report.gaps ?? []))) hints.add(told);
	const refused = new Refused(drafts, [...problems, ...replacedTwice(drafts)]);
	const { ready, problems: ofKeys } = await identified(execution, drafts);
	refused.add(ofKeys);
	await lookUpReached(execution, ready);
	const unwanted = await findUnwanted(execution, refused.rest(ready), count);
	refused.add(unwanted.problems);
	const sorted = await sortedOut(execution, ready, unwanted, refused);
	const { guard } = operation;
	if (guard) refused.add(await heldBack(execution, guard, refused.rest(sorted.ready)));
	return {
		...sorted,
		ready: refused.rest(sorted.ready),
		problems: refused.problems,
		sentBefore: refused.problems.length && ready.filter((one) => journal.sentBefore(one)).length,
	};
}
