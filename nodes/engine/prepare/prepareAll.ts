import { isPlainObject, range } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import type { Execution } from '../execution';
import { emptyForAll } from '../fields/answered';
import {
	InvalidItems,
	InvalidValue,
	NamesNeeded,
	type NumberRead,
	type Problem,
	type Source,
} from '../fields/field';
import { isRaw } from '../operation/kinds';
import type { Draft, PreparedRequest } from '../operation/preparedRequest';
import { prepareApiRequest } from '../apiRequest/prepareApiRequest';
import { preflight, heldBack } from './preflight';
import { checkFile } from './checkFile';
import { emptyPartOf, piecesFor } from './parameters';
import { prepare } from './prepare';
import { problemsOf } from './problems';
import { knowsName } from '../lookups/names';
import { refuseDifferences } from './sameForAll';
import { replacedTwice } from './replacedTwice';
import { withLearned } from './zones';
import { findUnwanted, leaveOut, type Sorted } from './leftOut';
import { identified, sameKeys } from './requestKeys';
import { reachName } from '../journal/reached';
import { isReachLimited } from '../operation/places';
import { mask, namesOfMasked } from '../secrets/secrets';
import { title } from '../text/text';

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

/** Parameters of items, made as they are asked for. */
function* sourcesOf(execution: Execution, count: number, items: number[]): Iterable<Source> {
	for (const item of items) yield sourceOf(execution, count, item);
}

/** Parameters of one item, as fields read them. */
function sourceOf(execution: Execution, count: number, item: number): Source {
	const { context, asTool, parameter, written, options, zones, names, numbers } = execution;
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
			if (!known || !knowsName(known, name)) throw new NamesNeeded(item, lookup, name);
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

/**
 * Turns every input item into a request before the first byte is sent, or says why it cannot be sent or is left out.
 * @param count number of input items
 * @param known what is wrong with items already
 * @returns also how many of them an earlier try of the execution sent
 */
export async function prepareAll(
	execution: Execution,
	count: number,
	known: Problem[],
): Promise<Sorted & { sentBefore: number }> {
	const { context, journal, operation, hints } = execution;
	const problems = [...known];
	const bad = new Set(known.map(({ item }) => item));
	const drafts: Draft[] = operation.allItems
		? await prepareTogether(execution, count, problems)
		: [];
	for (let item = 0; item < count && !operation.allItems; item++) {
		if (bad.has(item)) continue;
		try {
			const prepared = await withLearned(execution, () => {
				const source = sourceOf(execution, count, item);
				return isRaw(operation) ? prepareApiRequest(source) : prepare(operation, source);
			});
			refuseMasked(prepared);
			for (const file of prepared.files) await checkFile(context, file);
			drafts.push(prepared);
		} catch (thrown) {
			problems.push(...problemsOf(thrown, item));
		}
	}
	for (const told of emptyForAll(drafts.map(({ report }) => report.gaps ?? []))) hints.add(told);
	problems.push(...replacedTwice(drafts));
	/** What concerns a request concerns every item that it was made of. */
	const refuse = (found: Problem[]): void => {
		for (const problem of found) {
			const request = drafts.find(({ item }) => item === problem.item);
			const items = request?.items ?? [problem.item];
			problems.push(...items.map((item) => ({ ...problem, item })));
		}
	};
	const withoutProblems = (some: PreparedRequest[]): PreparedRequest[] => {
		const refused = new Set(problems.map(({ item }) => item));
		return some.filter(({ items }) => !items.some((item) => refused.has(item)));
	};
	const { ready, problems: ofKeys } = await identified(execution, drafts);
	refuse(ofKeys);
	// What an earlier try of this execution sent is asked for again with the same key.
	const limited = ready.filter(
		(one) => isReachLimited(execution.options(one.item)) && !journal.recordOf(one),
	);
	const { origin } = execution.client.workspace;
	await execution.reach.look(limited.map(({ body }) => reachName(origin, body.request_key)));
	const unwanted = await findUnwanted(execution, withoutProblems(ready), count);
	refuse(unwanted.problems);
	/** Requests that were looked at, in the form that fits their target. */
	const checked = new Map<PreparedRequest, PreparedRequest>();
	let sorted: Sorted;
	for (;;) {
		sorted = leaveOut(execution, withoutProblems(ready), unwanted);
		const before = problems.length;
		refuse([...sorted.problems, ...sameKeys(execution, sorted.ready)]);
		const fresh = sorted.ready.filter((request) => !checked.has(request));
		const { preflight: rule } = operation;
		const fitting = rule && (await preflight(execution, rule, fresh));
		if (fitting) refuse(fitting.problems);
		for (const [at, one] of fresh.entries()) checked.set(one, fitting?.ready[at] ?? one);
		const stoodInFor = sorted.leftOut.some(({ reason }) => reason === 'same_number');
		// Whoever was left out for a request that is refused now takes its place.
		if (problems.length === before || !stoodInFor) break;
	}
	const fitted = sorted.ready.map((request) => checked.get(request) ?? request);
	const { before } = operation;
	if (before) refuse(await heldBack(execution, before, withoutProblems(fitted)));
	return {
		...sorted,
		ready: withoutProblems(fitted),
		problems,
		sentBefore: problems.length && ready.filter((prepared) => journal.sentBefore(prepared)).length,
	};
}

/**
 * One request from all items. If the node goes on after bad items, they are added to the problems and the request is
 * made from the good ones.
 */
async function prepareTogether(
	execution: Execution,
	count: number,
	problems: Problem[],
): Promise<Draft[]> {
	const { operation, stops } = execution;
	const bad = new Set(problems.map(({ item }) => item));
	for (;;) {
		const items = Array.from({ length: count }, (_, item) => item).filter((item) => !bad.has(item));
		const [first] = items;
		if (first === undefined) return [];
		const all = () => sourcesOf(execution, count, items);
		try {
			const together = await withLearned(execution, () => {
				const request = prepare(operation, { ...sourceOf(execution, count, first), all });
				refuseDifferences(execution, items, (item) => sourceOf(execution, count, item));
				return request;
			});
			return [{ ...together, items }];
		} catch (thrown) {
			const single = thrown instanceof InvalidItems;
			const found = problemsOf(thrown, first);
			// What concerns the request as a whole concerns every item that it would have been made of.
			problems.push(
				...(single || stops
					? found
					: items.flatMap((item) => found.map((problem) => ({ ...problem, item })))),
			);
			if (stops || !single) return [];
			for (const { item } of found) bad.add(item);
		}
	}
}
