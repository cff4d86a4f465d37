import { button, clock, each, element, joined, setText } from './elements.js';

/**
 * The cards of the page. Each is made once per call or message; `update` shows what has changed since.
 * @typedef {(path: string, body?: object, method?: string) => Promise<any>} Send
 */

const WORDS = {
	callback_requested: 'wants to be called back',
	no_answer: 'nobody answered',
};

/** @param {string} outcome a word of the sandbox */
const inWords = (outcome) => WORDS[outcome] ?? outcome.replaceAll('_', ' ');

/** Whom a card is about, and a word beside it. */
const heading = ({ name, number }, beside) =>
	element(
		'div.row.apart',
		element('div.who', element('b', name || number), name && element('span.quiet', number)),
		beside,
	);

const bubble = ({ sender, content }) =>
	sender === 'AI'
		? element('li.line.agent', element('span.hidden', 'Agent: '), content)
		: element('li.line.customer', element('span.hidden', 'Customer: '), content);

const showLines = (list, lines) => {
	const had = list.childElementCount;
	each(list, lines, bubble, (line, index) => index);
	if (list.childElementCount > had) list.scrollTop = list.scrollHeight;
};

const transcript = (lines) => element('details', element('summary', 'Transcript'), lines);

/** A line to type, and a button. @param {(text: string) => Promise<boolean>} submit true: the line is emptied */
function lineOf(label, word, submit) {
	const input = element('input', { 'aria-label': label, placeholder: label, autocomplete: 'off' });
	const onsubmit = async (event) => {
		event.preventDefault();
		const text = input.value.trim();
		if (text !== '' && (await submit(text))) input.value = '';
	};
	const form = element('form.row', { onsubmit }, input, button(word, { type: 'submit' }));
	return { form, input };
}

/** @param {any} call that rings @param {Send} send @param {Set<string>} pickedUp gets the call that one takes here */
export function ringingRow(call, send, pickedUp) {
	const { uuid, name, number, about, agent } = call;
	const act = (label, kind, onclick) =>
		button(label, { kind, 'aria-label': `${label}: ${name || number}`, onclick });
	return element(
		'li.card.rings',
		element(
			'p.caller',
			element('b', name || number),
			element('span.quiet', joined([name && number, about || agent], ' · ')),
		),
		act('Pick up', 'good', () => {
			pickedUp.add(uuid);
			return send(`/calls/${uuid}/pick-up`, {});
		}),
		act('Decline', 'bad', () => send(`/calls/${uuid}/decline`, {})),
	);
}

/** @param {any} call that nobody has picked up, and that runs by itself */
export function runningRow(call) {
	const time = element('span.pill.live');
	const asks = element('p.quiet', { role: 'status' });
	const lines = element('ol.lines');
	const row = element('li.card.done', heading(call, time), asks, transcript(lines));
	row.update = (now) => {
		setText(time, `runs by itself · ${lasting(now)}`);
		setText(asks, asking(now));
		showLines(lines, now.lines);
	};
	return row;
}

const lasting = ({ startedAt }) => clock(Math.max(0, (Date.now() - startedAt) / 1000));

/** An intent of the agent: what the customer asks, and the values that it needs. */
function intentForm(call, { uuid: intent, name, parameters }, send) {
	const inputs = parameters.map(({ key, required }) => {
		const label = key.replaceAll('_', ' ');
		const hints = { 'aria-label': label, placeholder: label, autocomplete: 'off' };
		return element('input', { name: key, ...hints, required });
	});
	const question = `${name.replace(/\?$/, '')}?`;
	const onsubmit = async (event) => {
		event.preventDefault();
		const said = inputs
			.map((input) => [input.name, input.value.trim()])
			.filter(([, value]) => value);
		const values = said.map(([, value]) => value).join(', ');
		const text = joined([question, values]);
		if (!(await send(`/calls/${call.uuid}/say`, { text, asks: true }))) return;
		const { conversation } = call;
		await send('/intents', { conversation, intent, parameters: Object.fromEntries(said) });
	};
	return element('form.row', { onsubmit }, ...inputs, button(`“${question}”`, { type: 'submit' }));
}

/** What became of the agent's last question to a workflow. */
function asking({ asking: isAsking, asked }) {
	if (isAsking) return 'The agent asks a workflow …';
	if (!asked) return '';
	if (asked.isSpoken) return `The workflow answered in ${asked.durationMs} ms.`;
	return `The workflow's answer cannot be spoken: ${asked.error ?? `status ${asked.status}`}.`;
}

/**
 * @param {any} call that a person has picked up
 * @param {Send} send
 * @param {string[]} outcomes
 * @param {Set<string>} pickedUp the calls that were picked up on this page
 */
export function talkingCard(call, send, outcomes, pickedUp) {
	const { uuid } = call;
	const time = element('span.pill.live');
	const lines = element('ol.lines', { 'aria-live': 'polite', 'aria-label': 'Transcript' });
	const asks = element('p.quiet', { role: 'status' });
	const intents = element('div');
	const say = lineOf('What the customer says', 'Say', (text) =>
		send(`/calls/${uuid}/say`, { text }),
	);
	const outcome = element(
		'select',
		...outcomes.map((one) => element('option', { value: one }, inWords(one))),
	);
	const onclick = () => send(`/calls/${uuid}/hang-up`, { outcome: outcome.value });
	const hangUp = button('Hang up', { kind: 'bad', onclick });
	const end = element('div.row', element('label', 'Outcome', outcome), hangUp);
	const card = element('li.card', heading(call, time), lines, asks, intents, say.form, end);
	// Whoever has picked up here goes on from here, also by keyboard.
	if (pickedUp.has(uuid)) queueMicrotask(() => say.input.focus());
	card.update = (now) => {
		setText(time, `${now.muted ? 'muted ' : ''}${lasting(now)}`);
		showLines(lines, now.lines);
		setText(asks, asking(now));
		each(intents, now.intents, (intent) => intentForm(now, intent, send));
	};
	return card;
}

/** @param {any} held a call or a message that waits for its hours */
export function heldRow({ name, number, isCall, beginsAt, zone }) {
	const time = { weekday: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' };
	const until = new Date(beginsAt).toLocaleString('en-GB', { ...time, timeZone: zone });
	const waits = `The ${isCall ? 'call' : 'message'} waits until ${until} (${zone})`;
	return element('li.card.done', heading({ name, number }), element('p.quiet', waits));
}

/** @param {any} call that is over */
export function endedCard(call) {
	const lines = element('ol.lines');
	showLines(lines, call.lines);
	const outcome = element('span.pill', `${inWords(call.outcome)} · ${clock(call.seconds)}`);
	const hasLines = call.lines.length > 0;
	return element('li.card.done', heading(call, outcome), hasLines && transcript(lines));
}

/** @param {any} text an SMS or a WhatsApp message with its replies @param {Send} send */
export function textCard(text, send) {
	const { uuid, name, number, channel } = text;
	const lines = element('ol.lines', { 'aria-live': 'polite' });
	const reply = lineOf(`Reply to ${name || number}`, 'Reply', (content) =>
		send(`/replies/${uuid}`, { text: content }),
	);
	const pill = element('span.pill', channel === 'Whatsapp' ? 'WhatsApp' : channel);
	const card = element('li.card', heading(text, pill), lines, reply.form);
	card.update = (now) => showLines(lines, now.lines);
	return card;
}

/** @param {any} email */
export const emailCard = ({ to, fields }) =>
	element(
		'li.card',
		element('div.row.apart', element('b', to), element('span.pill', 'Email')),
		element(
			'dl.fields',
			...fields.flatMap(({ name, value }) => [element('dt', name), element('dd', value)]),
		),
	);

const timeOf = (at) => new Date(at).toLocaleTimeString('en-GB');

function pillOf(status, waiting) {
	if (status === null) return element('span.pill', waiting);
	const kind = status < 300 ? 'good' : status < 500 ? 'warn' : 'bad';
	return element(`span.pill.${kind}`, String(status));
}

/** @param {(item: any) => (Node | string)[]} cellsOf of a row that changes once there is an answer */
const rowOf = (cellsOf) => () => {
	const row = element('tr');
	let shown = '';
	row.update = (now) => {
		const text = JSON.stringify(now);
		if (text === shown) return;
		shown = text;
		row.replaceChildren(...cellsOf(now).map((cell) => element('td', cell)));
	};
	return row;
};

/** What came of all requests with one key. */
function done({ method, path, tries }) {
	if (method === 'GET' || tries.some(({ status, fault }) => status === null && !fault)) return '';
	const count = tries.filter(({ effect }) => effect === 'created' || effect === 'changed').length;
	const isRepeated = tries.some(({ effect }) => effect === 'repeated');
	if (count === 0) return isRepeated ? ' → done before' : ' → nothing';
	if (path === '/call') return ` → ${count === 1 ? 'one call' : `${count} calls`}`;
	return ` → done ${count === 1 ? 'once' : `${count} times`}`;
}

/** A request of the nodes, with all its tries. */
export const requestRow = rowOf((request) => {
	const { at, method, path, key, tries } = request;
	const what = `${method} ${path}${tries.length > 1 ? ` × ${tries.length}` : ''}`;
	return [
		timeOf(at),
		element('div', element('span.code', what), key !== null && element('div.code.quiet', key)),
		element(
			'div.tries',
			...tries.map(({ status, fault, effect }) =>
				element(
					'span',
					pillOf(status, fault === null ? '…' : 'no answer'),
					effect === 'repeated' && ' repeated',
				),
			),
			done(request),
		),
	];
});

/** A delivery to a webhook. */
export const deliveryRow = rowOf(({ at, event, status, durationMs, error }) => [
	timeOf(at),
	element('span.code', event),
	pillOf(status, error ?? '…'),
	status === null && error === null ? '' : `${durationMs} ms`,
]);
