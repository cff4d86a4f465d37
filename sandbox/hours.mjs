import { DateTime } from 'luxon';
import { callersZone } from './zone.mjs';

const MINUTE = /^(\d{2}):(\d{2})/;
const DAY_MINUTES = 24 * 60;

/** @param {string | null | undefined} time of day @param {number} otherwise @returns {number} minutes since midnight */
function minutesOf(time, otherwise) {
	const [, hour, minute] = MINUTE.exec(time ?? '') ?? [];
	return hour === undefined ? otherwise : Number(hour) * 60 + Number(minute);
}

/**
 * When the hours of a rule begin for somebody; undefined while they are on.
 * @param {{start_time?: string | null, end_time?: string | null}} rule
 * @param {import('luxon').Zone} zone the contact's
 * @param {number} now in milliseconds
 * @returns {number | undefined} in milliseconds
 */
export function beginningOf(rule, zone, now) {
	const here = DateTime.fromMillis(now, { zone });
	const start = minutesOf(rule.start_time, 0);
	const end = minutesOf(rule.end_time, DAY_MINUTES);
	const minute = here.hour * 60 + here.minute;
	const isOn = start < end ? minute >= start && minute < end : minute >= start || minute < end;
	if (isOn) return undefined;
	const days = minute < start ? 0 : 1;
	const hours = { hour: Math.floor(start / 60), minute: start % 60 };
	return here.startOf('day').plus({ days }).set(hours).toMillis();
}

/** Tasks that wait until the hours of their rule begin. */
export class Hours {
	/** @type {Set<{task: any, contact: any, beginsAt: number, zone: string, run: () => void}>} */
	#held = new Set();

	/** @param {import('./sandbox.mjs').Sandbox} sandbox */
	constructor(sandbox) {
		this.sandbox = sandbox;
	}

	/** The rule that a task follows: its listing's own, one that the listing names, or its campaign's. */
	#ruleOf({ listing_uuid: listing, campaign_uuid: campaign }) {
		const { store } = this.sandbox;
		const own = listing && store.get('listings', listing)?.rule;
		const named = own?.uuid && store.get('rules', own.uuid);
		return own ? { ...named, ...own } : campaign && store.get('campaigns', campaign)?.rule;
	}

	/**
	 * Carries a task out, within the hours of its rule.
	 * @param {any} task
	 * @param {any} contact
	 * @param {() => void} run
	 */
	keep(task, contact, run) {
		const { call, workspaceTimezone: workspace } = this.sandbox.settings;
		const rule = call.keepsHours && this.#ruleOf(task);
		const { name, zone } = callersZone({ query: contact.timezone, workspace });
		const beginsAt = rule ? beginningOf(rule, zone, Date.now()) : undefined;
		if (beginsAt === undefined) return run();
		const held = { task, contact, beginsAt, zone: name, run };
		this.#held.add(held);
		this.sandbox.later(beginsAt - Date.now(), () => this.#begin(held));
	}

	#begin(held) {
		if (this.#held.delete(held) && this.#isWanted(held)) held.run();
	}

	/** A task may have been called off, deleted or changed meanwhile. */
	#isWanted = ({ task }) =>
		task.status === 'queued' && this.sandbox.store.get('tasks', task.uuid) !== undefined;

	/** Those that wait, the first to begin first. */
	waiting() {
		return [...this.#held].filter(this.#isWanted).sort((a, b) => a.beginsAt - b.beginsAt);
	}

	/** All that waits begins now: whoever rehearses in the evening sees what the morning brings. */
	beginNow() {
		for (const held of [...this.#held]) this.#begin(held);
	}
}
