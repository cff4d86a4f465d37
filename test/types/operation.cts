/**
 * What the compiler must refuse in an operation, checked by `npm run types`: each line marked
 * as expected to be wrong makes
 * the check fail when it is accepted.
 */
import {
	boolean,
	collection,
	integer,
	list,
	text,
	texts,
	timeWindow,
} from '../../nodes/engine/fields';
import { operation, type Schema } from '../../nodes/engine/operation';

const said = { name: 'Name', action: 'Do something' };
const name = text({ required: true });

const untyped = list({ entry: 'Guideline' }, { content: text() });

export const accepted = [
	operation.create('POST /agents', {
		...said,
		body: {
			name,
			guidelines: list({ entry: 'Guideline' }, { content: text(), order: integer() }),
			settings: { voice: collection({}, { interaction: { customer_speak_first: boolean() } }) },
			appointments: collection(
				{},
				{
					schedule_assignments: list(
						{ entry: 'Schedule' },
						{ slot_rules: collection({}, { prefer_same_day: boolean() }) },
					),
				},
			),
			// A set that is not known stays open, but its samples must be values of the contract.
			guard_rules: list(
				{ entry: 'Rule' },
				{
					then_action: text({ samples: ['forward'] }),
					selected_channels: texts({ samples: ['phone'] }),
				},
			),
		},
	}),
	operation.get('GET /analytics/calls', { ...said, query: timeWindow() }),
];

export const refused = [
	// @ts-expect-error no such endpoint
	operation.create('POST /agent', said),
	// @ts-expect-error a required field is missing
	operation.create('POST /agents', { ...said, body: { tone: text() } }),
	// @ts-expect-error an unknown field
	operation.create('POST /agents', { ...said, body: { name, colour: text() } }),
	// @ts-expect-error a number where the contract has a text
	operation.create('POST /agents', { ...said, body: { name, tone: integer() } }),
	operation.create('POST /agents', {
		...said,
		// @ts-expect-error an unknown field in a row
		body: { name, guidelines: list({ entry: 'Guideline' }, { text: text() }) },
	}),
	operation.create('POST /agents', {
		...said,
		body: {
			name,
			procedures: list(
				{ entry: 'Procedure' },
				// @ts-expect-error a wrong type in a row of a row
				{ steps: list({ entry: 'Step' }, { order: text() }) },
			),
		},
	}),
	operation.create('POST /agents', {
		...said,
		// @ts-expect-error an unknown field in a group of a collection
		body: { name, settings: { voice: collection({}, { interaction: { first_message: text() } }) } },
	}),
	operation.create('POST /agents', {
		...said,
		body: {
			name,
			// @ts-expect-error a sample that is no value of the contract
			guard_rules: list({ entry: 'Rule' }, { then_action: text({ samples: ['hang_up'] }) }),
		},
	}),
	// @ts-expect-error the end of the window is missing
	operation.get('GET /analytics/calls', { ...said, query: { from: timeWindow().from } }),
	// @ts-expect-error a list that was made elsewhere, without its type of the contract
	operation.create('POST /agents', { ...said, body: { name, guidelines: untyped } }),
	// @ts-expect-error an unknown field in a shared list
	list<Schema<'GuidelineWrite'>>({ entry: 'Guideline' }, { contents: text() }),
];
