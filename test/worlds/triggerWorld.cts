/** Worlds of the two triggers: who publishes what, what arrives, what the platform does meanwhile, and how it shows it. */
import fc from 'fast-check';
import { without } from 'lodash';
import { faults } from './world.cts';

/** Events that the triggers of these worlds listen to. */
export const ending = 'conversation_end_report';
export const evaluation = 'voice_evaluation';

/** The workflow; its copy in an n8n under another path of the host; another workflow of the first n8n. */
const who = fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.nat(2));
const events = fc.constantFrom<string[]>([ending], [ending], [ending, evaluation], [evaluation]);
const agents = fc.constantFrom<number[]>([0], [0], [0, 1], [1]);
const agent = fc.constantFrom(0, 0, 1);
const rarely = fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, fc.constant(true));
const often = rarely.map((is) => !is);

/** What happens, one after the other. */
const step = fc.oneof(
	{ weight: 5, arbitrary: fc.record({ does: fc.constant('publish'), who }) },
	{ weight: 3, arbitrary: fc.record({ does: fc.constant('unpublish'), who }) },
	{ weight: 2, arbitrary: fc.record({ does: fc.constant('edit'), who, agents, events }) },
	/** n8n ends without a word and starts again; meanwhile so many conversations end. */
	{
		weight: 3,
		arbitrary: fc.record({
			does: fc.constant('restart'),
			who,
			agent,
			meanwhile: fc.nat(2),
			/** Before it has saved static data. */
			loses: rarely,
		}),
	},
	{ weight: 1, arbitrary: fc.record({ does: fc.constant('leader'), who }) },
	{ weight: 2, arbitrary: fc.record({ does: fc.constant('look'), who }) },
	{ weight: 1, arbitrary: fc.record({ does: fc.constantFrom('listen', 'stopListening'), who }) },
	{ weight: 1, arbitrary: fc.record({ does: fc.constant('token'), who }) },
	{ weight: 4, arbitrary: fc.record({ does: fc.constant('call'), agent }) },
	{
		weight: 4,
		arbitrary: fc.record({
			does: fc.constant('event'),
			agent,
			name: fc.constantFrom(ending, evaluation),
			how: fc.constantFrom('once', 'twice', 'atOnce', 'lost', 'again'),
			withId: fc.boolean(),
		}),
	},
	{
		weight: 2,
		arbitrary: fc.record({ does: fc.constant('forge'), who, agent, how: fc.nat(5) }),
	},
	{
		weight: 3,
		arbitrary: fc.record({
			does: fc.constant('change'),
			who,
			agent,
			what: fc.constantFrom('gone', 'off', 'events', 'secret', 'replaced'),
		}),
	},
) as fc.Arbitrary<any>;

/** Fields of what the triggers read; the contract requires none of them. */
const readable = (
	'url events is_active has_secret limit items webhook_uuid webhook parameters intents intent_uuid description ' +
	'auth_token event_type agent_uuid status duration call timestamp updated_at total data'
).split(' ');
/** Those of the other worlds, and every status an error can have, more often. */
const kinds = [...without(faults, 'denied'), 'status', 'status'];
/** What a platform keeps of a webhook shows in one field each: a view that hides it cannot be blamed on the node. */
const shownIn: Record<string, string> = {
	oneEvent: 'events',
	off: 'is_active',
	noSecret: 'has_secret',
	cutUrl: 'url',
	deletesNothing: 'webhook_uuid',
};

/** Fields of a webhook that say what it does. */
export const telling = Object.values(shownIn);

/** How the platform looks during some of the steps; before and after them it shows everything. */
const view = fc
	.record({
		from: fc.nat(4),
		for: fc.constantFrom<number>(1, 1, 2, 9),
		hidden: fc.oneof(
			{ weight: 2, arbitrary: fc.constant<string[]>([]) },
			fc.subarray(readable, { minLength: 1, maxLength: 2 }),
		),
		lagMs: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.constantFrom(500, 10_000)),
		keeps: fc.oneof(
			{ weight: 3, arbitrary: fc.constant('') },
			fc.constantFrom(...Object.keys(shownIn)),
		),
		lacks: fc.constantFrom<object>(
			...[{}, {}, {}, { delete: false }, { delete: '405' }, { update: false }],
			{ update: false, delete: false },
		),
		fault: fc.oneof(
			{ weight: 2, arbitrary: fc.constant(undefined) },
			fc.record({
				kind: fc.constantFrom(...kinds),
				of: fc.constantFrom('writes', 'reads'),
				says: fc.nat(20),
				from: fc.nat(3),
				times: fc.constantFrom(1, 1, 2, 99),
			}),
		),
	})
	.map((one) => ({
		...one,
		// Forbidden: what nobody is shown, or only later, nobody can compare.
		keeps:
			one.lagMs || one.hidden.some((name) => [shownIn[one.keeps], 'items'].includes(name))
				? ''
				: one.keeps,
		// Forbidden: replacing, because nothing can be changed, what a list does not show yet.
		lacks: one.lagMs && !('delete' in one.lacks) ? {} : one.lacks,
	}));

const hasNewToken = (steps: any[]): boolean => steps.some(({ does }) => does === 'token');

export const triggerWorld = fc
	.record({
		kind: fc.constantFrom('event', 'event', 'intent'),
		/** Webhooks of others at the first agent; what the intent did before. */
		others: fc.constantFrom(0, 0, 1, 3, 4, 5),
		before: fc.constantFrom('nothing', 'nothing', 'url', 'action'),
		agents,
		events,
		options: fc.record({ replace: fc.boolean(), catchUp: often, required: rarely }),
		view,
		/** Most begin with a published workflow. */
		first: often,
		steps: fc.array(step, { minLength: 1, maxLength: 8 }),
	})
	.map((one) => ({
		...one,
		// Forbidden: lost memory, or no IDs, with another token; lost memory where no URLs are shown, before a list that lags, or
		// of an agent that is no longer chosen. Nothing proves any more whose a webhook is, or tells where it is.
		view: hasNewToken(one.steps)
			? { ...one.view, hidden: without(one.view.hidden, 'webhook_uuid') }
			: one.view,
		steps:
			one.view.lagMs ||
			one.view.hidden.includes('url') ||
			hasNewToken(one.steps) ||
			one.steps.some(({ does }) => does === 'edit')
				? one.steps
						.map((step) => ('loses' in step ? { ...step, loses: false } : step))
						// Forbidden: n8n does not store what a look remembers. A list that lags does not show what it made, and another
						// token does not prove whose it is.
						.filter(({ does }) => does !== 'look' || !(one.view.lagMs || hasNewToken(one.steps)))
				: one.steps,
	}));
export type TriggerWorld = typeof triggerWorld extends fc.Arbitrary<infer W> ? W : never;

/** A world in which nothing happens but that a workflow is published. */
export const plain: TriggerWorld = {
	kind: 'event',
	others: 0,
	before: 'nothing',
	agents: [0],
	events: [ending],
	options: { replace: false, catchUp: true, required: false },
	view: { from: 0, for: 0, hidden: [], lagMs: 0, keeps: '', lacks: {}, fault: undefined },
	first: true,
	steps: [],
};
