import type { IDataObject } from 'n8n-workflow';
import { get } from 'lodash';
import { type LaunchDefinition, perPage, read } from '../engine/operation';
import { stateWord } from '../engine/text/text';

/** States in which a listing reaches nobody any more, or not yet: usual words, because no source shows them. */
const idle = [
	...['archived', 'canceled', 'cancelled', 'completed', 'draft', 'ended', 'finished', 'stopped'],
];

/** Under which names a listing may say how many contacts it has; no source shows one. */
const counts = ['contacts_count', 'contact_count', 'total_contacts'];

/** What happens to the people in a listing (reference: listings, `campaign_type`). */
const verbs: Record<string, string> = {
	call: 'called',
	text: 'sent a text',
	whatsapp: 'sent a WhatsApp message',
};

/** A listing with 'Start Contacting Immediately': what it starts, and how to find out whether it already runs. */
export const launch: LaunchDefinition = {
	when: (body) => body.auto_start === true,
	what: 'listing',
	verb: ({ campaign_type: type }) => verbs[String(type)] ?? 'called or sent a message',
	agent: {
		at: 'agent_uuid',
		in: read('GET /agents'),
		pageSize: perPage,
		ids: ['agent_uuid', 'uuid'],
		name: 'name',
	},
	in: read('GET /listings'),
	pageSize: perPage,
	isNamesake: (record, { name }) =>
		typeof record.name !== 'string' ||
		record.name.trim().toLowerCase() === String(name).trim().toLowerCase(),
	hasEnded: (record) => idle.includes(stateWord(record.status)),
	sizeOf: (record) =>
		counts.map((name) => record[name]).find((count): count is number => Number.isInteger(count)),
	people: {
		in: read('GET /conversations'),
		pageSize: perPage,
		guess: ({ uuid }) => ({ listing_uuid: uuid }),
		belongs: (row: IDataObject, { uuid }) => uuid !== undefined && row.listing_uuid === uuid,
		of: (row) => [get(row, 'contact.phone_number'), get(row, 'contact.email')],
	},
};

/** The platform starts a listing with its agent; without one it is not known who would call. */
export const withoutAgent = ({ auto_start: starts, agent_uuid: agent }: IDataObject) =>
	starts === true && agent === undefined
		? "'Start Contacting Immediately' needs an agent. Choose one in 'Agent', or turn it off"
		: undefined;
