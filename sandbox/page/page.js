import {
	deliveryRow,
	emailCard,
	endedCard,
	heldRow,
	requestRow,
	ringingRow,
	runningRow,
	talkingCard,
	textCard,
} from './cards.js';
import { button, byId, counted, each, element, joined, setText } from './elements.js';

/** What a button of *Bad days* lets happen: rules of the sandbox's faults. */
const DAYS = [
	{
		label: 'Maintenance for 30\u00a0s',
		says: 'Every request is answered 503.',
		rule: { fault: { kind: 'status', status: 503 }, forMs: 30_000 },
	},
	{
		label: 'Lose an answer',
		says: 'The next write is carried out, but the answer to it never arrives.',
		rule: { match: { method: 'POST' }, times: 1, fault: { kind: 'reset-after' } },
	},
	{
		label: 'Too many requests for 10\u00a0s',
		says: 'Every request is answered 429, and asks to wait for three seconds.',
		rule: { fault: { kind: 'status', status: 429, retryAfter: 3 }, forMs: 10_000 },
	},
	{
		label: 'Slow network for 30\u00a0s',
		says: 'Every answer takes three seconds longer.',
		rule: { fault: { kind: 'slow', ms: 3000 }, forMs: 30_000 },
	},
];

const said = byId('said');

/** Presses a button of the sandbox, and says so if that did not work. @returns {Promise<boolean>} whether it did */
async function send(path, body, method = 'POST') {
	try {
		const response = await fetch(`/_sandbox${path}`, {
			method,
			headers: { 'content-type': 'application/json' },
			body: body === undefined ? undefined : JSON.stringify(body),
		});
		const { message } = response.ok ? { message: '' } : await response.json();
		setText(said, message);
		return response.ok;
	} catch {
		setText(said, 'The sandbox does not answer. Is it still running?');
		return false;
	}
}

let ringingBefore = 0;

/** Calls that were picked up on this page, by their uuid: only here the focus follows them. */
const pickedUp = new Set();

function countOf([name]) {
	const number = element('dd');
	const pair = element('div', number, element('dt', name));
	pair.update = ([, count]) => setText(number, String(count));
	return pair;
}

function show(view) {
	const { counts } = view;
	const calls = counts.ringing + counts.talking + counts.waiting + counts.ended;
	const { texts, emails, requests, deliveries: events } = counts;
	const all = Object.entries({ calls, texts, emails, requests, events });
	each(byId('counts'), all, countOf, ([name]) => name);
	showPhones(view);
	showMessages(view);
	showParts(view);
	const reads = byId('show-reads').checked ? view.reads : [];
	const traffic = [...view.requests, ...reads].sort((a, b) => b.at - a.at);
	each(byId('requests'), traffic, requestRow, ({ id }) => id);
	each(byId('deliveries'), view.deliveries, deliveryRow, ({ id }) => id);
	showWeather(view);
}

/** On a narrow screen one part is shown at a time. */
const PARTS = [
	['phones', 'Phones', ({ ringing, talking }) => ringing + talking],
	['messages', 'Messages', ({ texts, emails }) => texts + emails],
	['traffic', 'Requests', ({ requests }) => requests],
];

function choosePart(part) {
	document.body.dataset.part = part;
	for (const button of byId('parts').children)
		button.setAttribute('aria-current', String(button.dataset.part === part));
}

for (const [part, label] of PARTS) {
	const choose = button(`${label} `, { 'data-part': part, onclick: () => choosePart(part) });
	choose.append(element('span.pill'));
	byId('parts').append(choose);
}
choosePart('phones');

function showParts({ counts }) {
	for (const [index, [, , count]] of PARTS.entries())
		setText(byId('parts').children[index].lastElementChild, String(count(counts)));
}

const ringsInWords = (count) =>
	count === 0 ? '' : count === 1 ? '1 phone rings' : `${count} phones ring`;

function showPhones({ counts, ringing, talking, ended, held, outcomes, ringMs, formUrl }) {
	const rings = ringsInWords(counts.ringing);
	const onTheLine = counts.talking > 0 && `${counts.talking} on the line`;
	const waiting = counts.waiting > 0 && `${counts.waiting} wait for a free line`;
	setText(byId('ringing-summary'), joined([rings, onTheLine, waiting], ' · '));
	byId('decline-all').hidden = counts.ringing < 2;
	byId('ended-title').hidden = counts.ended === 0;
	const shown =
		counts.ringing > ringing.length && `${ringing.length} of ${counts.ringing} are shown.`;
	const then = `Nobody picks up within ${counted(ringMs / 1000, 'second')}? Then the call runs by itself.`;
	setText(
		byId('ringing-note'),
		ringMs === 0
			? 'Here all calls run by themselves; the setting call.ringMs lets phones ring for you.'
			: rings && joined([shown, then]),
	);
	document.title = joined([rings, "The customer's side"], ' · ');
	if (counts.ringing > ringingBefore)
		setText(byId('rings'), `${rings}: ${ringing.at(-1).name || ringing.at(-1).number}`);
	if (counts.ringing === 0) setText(byId('rings'), '');
	ringingBefore = counts.ringing;

	const [taken, running] = [true, false].map((own) => talking.filter((call) => call.taken === own));
	each(byId('talking'), taken, (call) => talkingCard(call, send, outcomes, pickedUp));
	each(byId('ringing'), ringing, (call) => ringingRow(call, send, pickedUp));
	each(byId('running'), running, runningRow);
	showHeld(counts.held, held);
	each(byId('ended'), ended, endedCard);
	byId('no-phones').hidden = ringing.length + talking.length > 0;
	byId('form').hidden = formUrl === '';
	if (formUrl !== '') byId('form').firstElementChild.href = formUrl;
	const last = counts.ended > ended.length && `(the last ${ended.length} of ${counts.ended})`;
	setText(byId('ended-title'), joined(['Ended', last]));
}

function showHeld(count, held) {
	byId('hours').hidden = count === 0;
	const shown = count > held.length && `${held.length} of ${count} are shown.`;
	const waits = `${count === 1 ? '1 waits' : `${count} wait`} for the hours of the outreach rule.`;
	setText(byId('held-summary'), joined([waits, shown]));
	each(byId('held'), held, heldRow);
}

function showMessages({ counts, texts, emails }) {
	const all = counts.texts + counts.emails;
	const shown = texts.length + emails.length;
	setText(
		byId('messages-summary'),
		all > shown ? `${counted(all, 'message')}, the last ${shown} are shown` : '',
	);
	each(byId('texts'), texts, (text) => textCard(text, send));
	each(byId('emails'), emails, emailCard);
	byId('no-messages').hidden = shown > 0;
}

const faultInWords = ({ kind, status, secondsLeft, timesLeft }) =>
	joined([
		kind === 'status' ? `status ${status}` : kind,
		secondsLeft !== null && `for ${secondsLeft} s`,
		timesLeft !== null && (timesLeft === 1 ? 'once' : `${timesLeft} times`),
	]);

function pillOf({ text }) {
	const pill = element('li.pill.warn', text);
	pill.update = (now) => setText(pill, now.text);
	return pill;
}

function showWeather({ faults, manners }) {
	const pills = [
		...faults.map((fault, index) => ({ uuid: `fault ${index}`, text: faultInWords(fault) })),
		...manners.map((manner) => ({
			uuid: manner.name,
			text: `${manner.name}: ${JSON.stringify(manner.value)}`,
		})),
	];
	each(byId('weather'), pills, pillOf);
	byId('usual').hidden = pills.length === 0;
}

for (const { label, says, rule } of DAYS) {
	const strike = button(label, { onclick: () => send('/faults', rule) });
	byId('days').append(element('li.day', strike, element('p.quiet', says)));
}

byId('usual').addEventListener('click', async () => {
	await send('/faults', undefined, 'DELETE');
	await send('/manners', undefined, 'DELETE');
});

byId('call-me').addEventListener('click', () => send('/call-me'));
byId('begin-hours').addEventListener('click', async () => {
	await send('/hours/begin');
	byId('phones-title').focus();
});
byId('decline-all').addEventListener('click', async () => {
	await send('/calls/all/decline');
	byId('phones-title').focus();
});

byId('afresh').addEventListener('click', () => send('/reset', { keepRegistered: true }));

function follow() {
	const connection = byId('connection');
	const events = new EventSource('/_sandbox/page/events');
	events.addEventListener('open', () => {
		setText(connection, 'live');
		connection.className = 'pill good';
	});
	events.addEventListener('error', () => {
		setText(connection, 'not connected');
		connection.className = 'pill bad';
	});
	let latest;
	events.addEventListener('message', ({ data }) => show((latest = JSON.parse(data))));
	// Only the clocks of calls go on without an event.
	setInterval(() => latest && latest.talking.length > 0 && show(latest), 1000);
	byId('show-reads').addEventListener('change', () => latest && show(latest));
}

follow();
