/** Worlds of the triggers that always run: they broke a promise once, or stand for a test that went. */
import { ending as end, evaluation, plain, type TriggerWorld } from './triggerWorld.cts';

const agent = 0;
const step =
	(does: string, more: object = {}) =>
	(who = 0) => ({ does, who, ...more });
const [publish, unpublish] = [step('publish'), step('unpublish')];
const [look, listen, stop] = [step('look'), step('listen'), step('stopListening')];
const [leader, token] = [step('leader')(), step('token')()];
const restart = (meanwhile = 0, loses = false, who = 0) =>
	step('restart', { agent, meanwhile, loses })(who);
const lose = restart(0, true);
const change = (what: string) => step('change', { agent, what })();
const forge = (how: number) => step('forge', { agent, how })();
const forgeries = [0, 1, 2, 3, 4, 5].map(forge);
const call = (of = 0) => ({ does: 'call', agent: of });
const event = (how = 'once', withId = true, name = end) => ({
	...{ does: 'event', agent, name, how, withId },
});
const edit = (agents: number[], events: string[]) => step('edit', { agents, events })();

const view = (from: number, until: number, more: object) => ({ from, for: until, ...more });
const fault = (kind: string, of = 'writes', times = 99, says = 0) => ({
	fault: { kind, of, says, from: 0, times },
});
const neither = { update: false, delete: false };
const [replace, catchUp, required] = [{ replace: true }, { catchUp: false }, { required: true }];
const both = [0, 1];
const two = [end, evaluation];
const intent = 'intent';
const kinds = ['event', 'intent'];

/** What is said here, over a world in which a workflow is published and nothing else happens. */
const rows: Array<[says: string, differs: object]> = [
	[
		'a webhook without its secret is not published, also where no IDs are shown',
		{ view: view(0, 1, { hidden: ['webhook_uuid'], keeps: 'noSecret', lacks: { delete: false } }) },
	],
	[
		'a webhook whose URL the platform has cut is known by its ID, and gets its URL back',
		{
			...{ agents: both, events: two, others: 3 },
			view: view(2, 1, { keeps: 'cutUrl', lacks: { delete: '405' } }),
			steps: [change('events'), restart(), publish(2)],
		},
	],
	[
		'a webhook that is registered and can never be found again is told',
		{ view: view(0, 1, { hidden: ['url', 'webhook_uuid'] }) },
	],
	...['nothing', 'url', 'action'].map((before): [string, object] => [
		`an intent (before: ${before}) that is restored by its status alone is told`,
		{
			...{ kind: intent, before, options: replace, steps: [unpublish()] },
			view: view(1, 1, fault('hollow', 'writes', 99, 9)),
		},
	]),
	[
		'a draft that another n8n left in place of an action is not taken for what was there',
		{
			...{ kind: intent, before: 'action', options: replace, first: false },
			view: view(1, 1, { fault: { ...fault('hollow', 'writes', 99, 19).fault, from: 1 } }),
			steps: [publish(1), publish()],
		},
	],
	[
		'a webhook that no list shows yet is not removed by a status alone',
		{
			view: view(1, 1, { lagMs: 10_000, ...fault('hollow', 'writes', 99, 9) }),
			steps: [unpublish()],
		},
	],
	[
		'a webhook is not switched off by a status alone',
		{
			view: view(1, 1, {
				lacks: { delete: '405' },
				fault: { ...fault('hollow', 'writes', 99, 9).fault, from: 1 },
			}),
			steps: [unpublish()],
		},
	],
	[
		'what is left at an agent that is not chosen any more is named again at each look',
		{ view: view(2, 9, { lacks: neither }), steps: [edit([1], [end]), look()] },
	],
	[
		'a URL that is not shown is not taken for none: nothing is replaced that could not be restored',
		{
			...{ kind: intent, before: 'url', options: replace },
			view: view(0, 1, { hidden: ['url', 'items'], lacks: { update: false } }),
			steps: [token],
		},
	],
	...[2, 99].map((times): [string, object] => [
		`an action that is live, and ${times} reads of it fail, is not told as never registered`,
		{
			...{ kind: intent, before: 'action', options: replace, first: false },
			view: view(0, 1, {
				hidden: ['webhook'],
				fault: { ...fault('dropped', 'reads', times).fault, from: 2 },
			}),
			steps: [publish()],
		},
	]),
	[
		'an action whose URL is not shown is not taken for none',
		{
			...{ kind: intent, before: 'action', options: replace },
			view: view(1, 9, { hidden: ['webhook'] }),
			steps: [publish(), unpublish()],
		},
	],
	[
		'a conversation from before the first publish is not caught up',
		{ first: false, steps: [call(), publish(), call()] },
	],
	...[[], ['webhook_uuid']].map((hidden): [string, object] => [
		`a webhook that is not listed yet is not doubled, though nothing can be changed, and ${hidden} hidden`,
		{ view: view(1, 1, { lagMs: 10_000, lacks: neither, hidden }), steps: [publish()] },
	]),
	[
		'a webhook that is not listed yet is neither forgotten nor doubled',
		{ view: view(0, 9, { lagMs: 10_000 }), steps: [publish(), look(), unpublish()] },
	],
	[
		'events that somebody changed, and nobody is shown, are set again',
		{ view: view(2, 1, { hidden: ['events'] }), steps: [change('events'), publish()] },
	],
	[
		'a webhook that was switched off, and does not show it, is switched on',
		{
			view: view(1, 2, { hidden: ['is_active'], lacks: { delete: '405' } }),
			steps: [unpublish(), publish()],
		},
	],
	[
		'webhooks without IDs are found again',
		{ view: view(0, 1, { hidden: ['webhook_uuid'] }), steps: [change('events'), publish()] },
	],
	[
		'webhooks without URLs are not doubled',
		{ view: view(1, 9, { hidden: ['url'] }), steps: [publish(), publish(), unpublish()] },
	],
	[
		'an action without its type is not taken for none',
		{
			kind: intent,
			before: 'action',
			options: replace,
			view: view(0, 1, { hidden: ['event_type'] }),
		},
	],
	[
		'an action that was accepted and is not there is told',
		{
			kind: intent,
			before: 'action',
			options: replace,
			view: view(0, 9, fault('hollow', 'writes', 99, 7)),
		},
	],
	[
		'intents without IDs are not taken for deleted',
		{ kind: intent, view: view(1, 1, { hidden: ['intent_uuid'] }), steps: [publish()] },
	],
	[
		'what an intent calls stays without Replace',
		{ kind: intent, before: 'url', steps: [listen(), restart()] },
	],
	[
		'what an intent calls stays without Replace, although it is not shown',
		{ kind: intent, before: 'url', view: view(0, 9, { hidden: ['webhook'] }) },
	],
	[
		'an action comes back',
		{
			kind: intent,
			before: 'action',
			options: replace,
			steps: [lose, unpublish(), listen(), stop()],
		},
	],
	[
		'a URL comes back, though static data is lost',
		{
			kind: intent,
			before: 'url',
			options: replace,
			steps: [lose, look(), publish(), unpublish()],
		},
	],
	[
		'an intent that was emptied is put right; one that was replaced is left alone',
		{
			kind: intent,
			options: replace,
			steps: [change('off'), look(), event(), change('replaced'), look(), restart(), publish()],
		},
	],
	[
		'n8n starts: only a person’s publishing takes what somebody else has',
		{ kind: intent, options: replace, steps: [change('replaced'), restart(), leader, look()] },
	],
	[
		'the intent of a neighbor is not taken',
		{ kind: intent, options: replace, steps: [publish(2), listen(2), unpublish(), publish(2)] },
	],
	[
		'a copy under another path of the host leaves the webhook alone',
		{
			steps: [
				publish(1),
				event(),
				unpublish(1),
				restart(),
				publish(1),
				restart(0, false, 1),
				unpublish(),
			],
		},
	],
	[
		'a copy under another path of the host leaves the intent alone',
		{ kind: intent, steps: [publish(1), listen(1), unpublish(1), restart(), event()] },
	],
	[
		'a copied workflow leaves the webhook alone and gets its own events',
		{
			agents: both,
			events: two,
			steps: [publish(2), call(), forge(5), unpublish(), call(), publish(), unpublish(2)],
		},
	],
	[
		'a test leaves what is published alone',
		{
			steps: [
				listen(),
				event('once', false),
				listen(),
				stop(),
				call(),
				listen(),
				unpublish(),
				stop(),
			],
		},
	],
	[
		'what a test of a killed n8n left is taken back',
		{ first: false, steps: [listen(), restart(), listen(), restart(), publish(), unpublish()] },
	],
	[
		'each drift is put right by a look',
		{
			events: two,
			steps: ['off', 'events', 'secret', 'gone'].flatMap((what) => [change(what), look()]),
		},
	],
	[
		'each drift is put right by a start, a new leader and a publish',
		{
			steps: [
				...[change('off'), restart(), change('events'), leader],
				...[change('gone'), publish(), change('gone'), lose],
			],
		},
	],
	[
		'what ended while n8n was down, or the webhook was off, is caught up once',
		{
			agents: both,
			steps: [call(), call(1), restart(2), change('off'), call(), look(), restart(1), restart()],
		},
	],
	['with Catch Up off, nothing is caught up', { options: catchUp, steps: [call(), restart(2)] }],
	['an evaluation is no end', { events: two, steps: [call(), restart(1), call(), restart()] }],
	[
		'repeats start nothing; what has no ID starts again',
		{
			steps: [
				...[event('twice'), event('atOnce'), event('lost'), event('again')],
				...[event('twice', false), restart(), event('again')],
			],
		},
	],
	[
		'what n8n refused is taken when it comes again',
		{ steps: [event('twice'), unpublish(), event('twice'), publish(), event('again')] },
	],
	[
		'forgeries start nothing',
		{ agents: both, options: required, steps: [publish(1), ...forgeries, event('twice')] },
	],
	['forged requests start nothing', { kind: intent, steps: [...forgeries, event()] }],
	[
		'what is not chosen any more goes',
		{
			agents: both,
			steps: [edit([1], [end]), call(), call(1), edit([0], [evaluation]), call(), edit(both, two)],
		},
	],
	[
		'another token: all goes on and is given back',
		{ steps: [token, event('twice'), publish(), event('twice'), restart(), unpublish()] },
	],
	[
		'another token: an intent is given back',
		{ kind: intent, before: 'url', options: replace, steps: [token, publish(), unpublish()] },
	],
	[
		'an intent that shows no action after one was accepted is not published',
		{ kind: intent, view: view(0, 1, fault('hollow', 'writes', 99, 8)), steps: [publish()] },
	],
	[
		'an intent whose URL is not shown, and which another n8n took, is taken back with *Replace*',
		{
			...{ kind: intent, options: replace, view: view(3, 9, { hidden: ['url'] }) },
			steps: [publish(1), publish(2), publish(1)],
		},
	],
	[
		'a full agent: nothing is registered, and nothing removed',
		{ others: 5, agents: both, steps: [edit([1], [end]), publish(), listen(2)] },
	],
	['the last place is enough', { others: 4, steps: [publish(2), publish(), lose, unpublish()] }],
	...['oneEvent', 'off', 'noSecret', 'cutUrl'].map((keeps): [string, object] => [
		`a platform that makes something else of it (${keeps}) is not called done`,
		{ events: two, view: view(0, 1, { keeps }), steps: [publish()] },
	]),
	[
		'a deletion that removes nothing is told',
		{ view: view(1, 1, { keeps: 'deletesNothing' }), steps: [unpublish(), publish(), unpublish()] },
	],
	...[{ delete: false }, { delete: '405' }, { update: false }].map((lacks): [string, object] => [
		`a platform that lacks ${JSON.stringify(lacks)} piles nothing up`,
		{
			view: view(0, 20, { lacks }),
			steps: [unpublish(), publish(), unpublish(), publish(), edit([0], [evaluation]), unpublish()],
		},
	]),
	[
		'a platform that is away while n8n starts keeps what is registered',
		{ agents: both, view: view(1, 1, fault('dropped', 'reads')), steps: [restart(1), unpublish()] },
	],
	...kinds.flatMap((kind) =>
		['reads', 'writes'].map((of): [string, object] => [
			`unpublished in vain (${kind}, ${of}): told, and taken back later`,
			{
				...{ kind, agents: both, before: 'url', options: replace },
				view: view(1, 1, fault('failsBefore', of)),
				steps: [unpublish(), publish(), unpublish()],
			},
		]),
	),
	...kinds.map((kind): [string, object] => [
		`a lost answer (${kind}) doubles nothing, and all is given back`,
		{
			...{ kind, agents: both, before: 'action', options: replace },
			view: view(0, 9, fault('failsAfter', 'writes', 2)),
			steps: [unpublish(), publish(), unpublish()],
		},
	]),
];

export const known = rows.map(([says, differs]) => {
	const { view: looks, options, ...more } = differs as Partial<TriggerWorld>;
	const world = {
		...plain,
		...more,
		options: { ...plain.options, ...options },
		view: { ...plain.view, ...looks },
	} as TriggerWorld;
	return { says, world };
});
