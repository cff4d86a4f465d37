import type { IExecuteFunctions } from 'n8n-workflow';
import { compact } from 'lodash';
import { shortNameOf } from '../execution';
import type { Moment } from '../fields/field';
import type { Hints } from '../text/hints';
import type { Client } from '../http/client';
import { longRun, sendsPerSecond } from '../platform/paceLimits';
import { zoneInForce } from '../prepare/zones';
import { andList, escapeHtml, listOf, many, quoted, sentences, spanOf } from '../text/text';
import { otherClock } from '../time';
import { planDate } from '../phone/numberingPlans';
import type { PreparedRequest, Execution } from '../operation/operation';

/** Of phone numbers in a preview: a listing of a whole sheet would carry the sheet. */
const mostListed = 100;
const mostNamed = 5;

function changedIn(execution: Execution, { items }: PreparedRequest, areMany: boolean): string[] {
	return items.flatMap((item) =>
		(execution.numbers.get(item) ?? [])
			.filter(({ written, number }) => number !== undefined && number !== written)
			.map(({ written, number }) => {
				const place = areMany ? ` (${shortNameOf(execution, item)})` : '';
				return `${quoted(written)} → ${number}${place}`;
			}),
	);
}

export const changedNumbers = (execution: Execution, prepared: PreparedRequest): string =>
	listOf(changedIn(execution, prepared, prepared.items.length > 1), mostListed, '; ');

export function tellNumbers(execution: Execution, ready: PreparedRequest[]): void {
	const { hints, numbers } = execution;
	const items = ready.flatMap((prepared) => prepared.items);
	const areMany = items.length > 1;
	const changed = ready.flatMap((prepared) => changedIn(execution, prepared, areMany));
	if (changed.length > 0)
		hints.add(
			`${many(changed.length, 'number was', 'numbers were')} converted to international format: ${listOf(changed, mostNamed, '; ')}.`,
			'last',
		);
	const unchecked = items
		.flatMap((item) => numbers.get(item) ?? [])
		.flatMap(({ number, unchecked: isUnchecked }) => (isUnchecked && number ? [number] : []));
	if (unchecked.length > 0)
		hints.add(
			`The numbering plan of ${planDate} does not know ${listOf(unchecked, mostNamed, '; ')}. Check the digits: they are used as written.`,
			'last',
		);
}

/** A time whose offset is not that of the time zone in force, with the clock there; its keys are public. */
interface OtherClock extends Omit<Moment, 'zone'> {
	timezone: string;
	local: string;
}

export function otherClocks(execution: Execution, { item, report }: PreparedRequest): OtherClock[] {
	return report.moments.flatMap(({ field, sent, zone: own }) => {
		const zone = own.type === 'iana' ? own : zoneInForce(execution, item);
		if (zone.type !== 'iana') return [];
		const local = otherClock(sent, zone.name);
		return local === undefined ? [] : [{ field, sent, timezone: zone.name, local }];
	});
}

/** "Scheduled At: 2027-03-01T09:00:00+01:00, which is 2027-03-01 03:00 in America/New_York" */
export const clockText = ({ field, sent, timezone, local }: OtherClock): string =>
	`${field}: ${sent}, which is ${clockOf(local)} in ${timezone}`;

const clockOf = (moment: string): string => moment.slice(0, 16).replace('T', ' ');

/** Says that times of a run have another offset than the time zone in force, as those of `$now` may. */
export function tellClocks(execution: Execution, ready: PreparedRequest[]): void {
	const [first, ...more] = ready.flatMap((prepared) => otherClocks(execution, prepared));
	if (!first) return;
	const { field, sent, timezone, local } = first;
	execution.hints.add(
		sentences(
			`'${field}' is ${clockOf(sent)} with the offset ${sent.slice(19)}, which is ${clockOf(local)} in ${timezone}.`,
			more.length > 0 &&
				`${many(more.length, 'more time has', 'more times have')} another offset too.`,
			`If you meant ${sent.slice(11, 16)} in ${timezone}, remove the offset, write $now.setZone('${timezone}') in the expression, or set the time zone of the workflow.`,
		),
	);
}

/** n8n shows hints when a node has ended, so its log has it, too; the editor shows one before (`describe/node.ts`). */
export function tellLongRun({ context, operation, hints }: Execution, requests: number): void {
	if (!operation.forMany || requests < longRun) return;
	const text = `${requests} items at ${sendsPerSecond} per second take at least ${spanOf(requests / sendsPerSecond)}. ${operation.forMany}`;
	hints.add(text);
	context.logger.info(`${context.getNode().name}: ${text}`);
}

export function addHints(context: IExecuteFunctions, client: Client, hints: Hints): void {
	if (typeof context.addExecutionHints !== 'function') return;
	const { retried, heldBack, longestMs, otherZone } = client.tally;
	const seconds = Math.round(longestMs / 100) / 10;
	const were = ['request was', 'requests were'] as const;
	const waits = compact([
		retried > 0 && `${many(retried, ...were)} retried`,
		heldBack > 0 && `${many(heldBack, ...were)} delayed to keep the platform's rate limits`,
	]);
	if (otherZone)
		hints.add(
			`The platform applied the time zone ${otherZone} instead of the requested one. Times may be wrong. Check 'Timezone' under Options and in the credential.`,
			'warning',
		);
	if (retried > 0 || (heldBack > 0 && seconds >= 1))
		hints.add(`${andList(waits)}; the maximum wait was ${seconds} seconds.`, 'last');
	const warnings = hints.of('warning');
	const boxes = [
		{ told: hints.of('first', ...(warnings.length > 0 ? [] : (['note', 'last'] as const))) },
		{ told: warnings, type: 'warning' as const },
		{ told: warnings.length > 0 ? hints.of('note', 'last') : [] },
	];
	for (const { told, type } of boxes)
		if (told.length > 0)
			context.addExecutionHints({
				// n8n shows a hint as HTML; rows and the platform may have written parts of it.
				message: told.map(escapeHtml).join('<br>'),
				type,
				location: 'outputPane',
			});
}

/** Maximum of texts per key and execution: nodes, their runs and tools. */
const mostTexts = 10;

/** The editor shows it as Highlighted data; n8n keeps 512 characters. Never throws. @param key "acp_done", then with a number */
export function highlight({ context }: { context: IExecuteFunctions }, key: string, text: string) {
	try {
		const { customData } = context.getWorkflowDataProxy(0).$execution;
		const names = Array.from({ length: mostTexts }, (_, at) => (at ? `${key}_${at + 1}` : key));
		const free = names.find((name) => customData.get(name) === undefined);
		if (free) customData.set(free, text);
	} catch (thrown) {
		context.logger.warn(String(thrown));
	}
}
