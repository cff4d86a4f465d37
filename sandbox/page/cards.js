import { clock, each, element, setText } from './elements.js';

/**
 * The cards of the page. Each is made once per call or message; `update` shows what has changed since.
 * @typedef {(path: string, body?: object, method?: string) => Promise<any>} Send
 */

const WORDS = {
	interested: 'interested',
	callback_requested: 'wants to be called back',
	not_interested: 'not interested',
	voicemail: 'voicemail',
	no_answer: 'nobody answered',
};

/** @param {string} outcome a word of the sandbox */
const inWords = (outcome) => WORDS[outcome] ?? outcome.replaceAll('_', ' ');

const who = ({ name, number }) =>
	element(
		'div',
		{ class: 'who' },
		element('b', {}, name || number),
		...(name ? [element('span', { class: 'quiet' }, number)] : []),
	);

const bubble = ({ sender, content }) =>
	element(
		'li',
		{ class: sender === 'AI' ? 'line agent' : 'line customer' },
		element('span', { class: 'hidden' }, sender === 'AI' ? 'Agent: ' : 'Customer: '),
		content,
	);

const showLines = (list, lines) => {
	const had = list.childElementCount;
	each(
		list,
		lines.map((line, index) => ({ ...line, index })),
		({ index }) => index,
		bubble,
	);
	if (list.childElementCount > had) list.scrollTop = list.scrollHeight;
};

/** A line to type, and a button. @param {(text: string) => Promise<boolean>} submit true: the line is emptied */
function lineOf(label, button, submit) {
	const input = element('input', { 'aria-label': label, placeholder: label, autocomplete: 'off' });
	const form = element(
		'form',
		{
			class: 'row',
			onsubmit: async (event) => {
				event.preventDefault();
				const text = input.value.trim();
				if (text !== '' && (await submit(text))) input.value = '';
			},
		},
		input,
		element('button', { type: 'submit' }, button),
	);
	return { form, input };
}

/** @param {any} call that rings @param {Send} send @param {Set<string>} pickedUp gets the call that one takes here */
export function ringingRow(call, send, pickedUp) {
	const name = call.name || call.number;
	const button = (label, kind, onclick) =>
		element(
			'button',
			{ type: 'button', class: kind, 'aria-label': `${label}: ${name}`, onclick },
			label,
		);
	return element(
		'li',
		{ class: 'card rings' },
		element(
			'p',
			{ class: 'caller' },
			element('b', {}, name),
			element(
				'span',
				{ class: 'quiet' },
				` ${[call.name && call.number, call.about || call.agent].filter(Boolean).join(' · ')}`,
			),
		),
		button('Pick up', 'good', () => {
			pickedUp.add(call.uuid);
			return send(`/calls/${call.uuid}/pick-up`, {});
		}),
		button('Decline', 'bad', () => send(`/calls/${call.uuid}/decline`, {})),
	);
}

/** @param {any} call that nobody has picked up, and that runs by itself */
export function runningRow(call) {
	const time = element('span', { class: 'pill live' });
	const asks = element('p', { class: 'quiet', role: 'status' });
	const lines = element('ol', { class: 'lines' });
	const row = element(
		'li',
		{ class: 'card done' },
		element('div', { class: 'row apart' }, who(call), time),
		asks,
		element('details', {}, element('summary', {}, 'Transcript'), lines),
	);
	row.update = (now) => {
		setText(time, `runs by itself · ${lasting(now)}`);
		setText(asks, asking(now));
		showLines(lines, now.lines);
	};
	return row;
}

const lasting = ({ startedAt }) => clock(Math.max(0, (Date.now() - startedAt) / 1000));

/** An intent of the agent: what the customer asks, and the values that it needs. */
function intentForm(call, intent, send) {
	const inputs = intent.parameters.map(({ key, required }) => [
		key,
		element('input', {
			'aria-label': key.replaceAll('_', ' '),
			placeholder: key.replaceAll('_', ' '),
			autocomplete: 'off',
			required,
		}),
	]);
	const ask = async (event) => {
		event.preventDefault();
		const said = inputs
			.map(([key, input]) => [key, input.value.trim()])
			.filter(([, value]) => value);
		const values = said.map(([, value]) => value).join(', ');
		const question = `${intent.name.replace(/\?$/, '')}?${values ? ` ${values}` : ''}`;
		if (!(await send(`/calls/${call.uuid}/say`, { text: question, asks: true }))) return;
		await send('/intents', {
			conversation: call.conversation,
			intent: intent.uuid,
			parameters: Object.fromEntries(said),
		});
	};
	return element(
		'form',
		{ class: 'row', onsubmit: ask },
		...inputs.map(([, input]) => input),
		element('button', { type: 'submit' }, `“${intent.name.replace(/\?$/, '')}?”`),
	);
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
	const time = element('span', { class: 'pill live' });
	const lines = element('ol', {
		class: 'lines',
		'aria-live': 'polite',
		'aria-label': 'Transcript',
	});
	const asks = element('p', { class: 'quiet', role: 'status' });
	const intents = element('div', {});
	const say = lineOf('What the customer says', 'Say', (text) =>
		send(`/calls/${call.uuid}/say`, { text }),
	);
	const outcome = element(
		'select',
		{},
		...outcomes.map((one) => element('option', { value: one }, inWords(one))),
	);
	const hangUp = element(
		'button',
		{
			type: 'button',
			class: 'bad',
			onclick: () => send(`/calls/${call.uuid}/hang-up`, { outcome: outcome.value }),
		},
		'Hang up',
	);
	const card = element(
		'li',
		{ class: 'card' },
		element('div', { class: 'row apart' }, who(call), time),
		lines,
		asks,
		intents,
		say.form,
		element('div', { class: 'row' }, element('label', {}, 'What comes of it', outcome), hangUp),
	);
	// Whoever has picked up here goes on from here, also by keyboard.
	if (pickedUp.has(call.uuid)) queueMicrotask(() => say.input.focus());
	card.update = (now) => {
		setText(time, `${now.muted ? 'muted ' : ''}${lasting(now)}`);
		showLines(lines, now.lines);
		setText(asks, asking(now));
		each(
			intents,
			now.intents,
			({ uuid }) => uuid,
			(intent) => intentForm(now, intent, send),
		);
	};
	return card;
}

/** @param {any} call that is over */
export function endedCard(call) {
	const lines = element('ol', { class: 'lines' });
	showLines(lines, call.lines);
	return element(
		'li',
		{ class: 'card done' },
		element(
			'div',
			{ class: 'row apart' },
			who(call),
			element('span', { class: 'pill' }, `${inWords(call.outcome)} · ${clock(call.seconds)}`),
		),
		...(call.lines.length > 0
			? [element('details', {}, element('summary', {}, 'Transcript'), lines)]
			: []),
	);
}

/** @param {any} text an SMS or a WhatsApp message with its replies @param {Send} send */
export function textCard(text, send) {
	const lines = element('ol', { class: 'lines', 'aria-live': 'polite' });
	const reply = lineOf(`Reply to ${text.name || text.number}`, 'Reply', (content) =>
		send(`/replies/${text.uuid}`, { text: content }),
	);
	const card = element(
		'li',
		{ class: 'card' },
		element(
			'div',
			{ class: 'row apart' },
			who(text),
			element('span', { class: 'pill' }, text.channel === 'Whatsapp' ? 'WhatsApp' : text.channel),
		),
		lines,
		reply.form,
	);
	card.update = (now) => showLines(lines, now.lines);
	return card;
}

/** @param {any} email */
export const emailCard = ({ to, fields }) =>
	element(
		'li',
		{ class: 'card' },
		element(
			'div',
			{ class: 'row apart' },
			element('b', {}, to),
			element('span', { class: 'pill' }, 'Email'),
		),
		element(
			'dl',
			{ class: 'fields' },
			...fields.flatMap(({ name, value }) => [element('dt', {}, name), element('dd', {}, value)]),
		),
	);

const timeOf = (at) => new Date(at).toLocaleTimeString('en-GB');

const pillOf = (status, waiting) =>
	element(
		'span',
		{
			class: `pill ${status === null ? '' : status < 300 ? 'good' : status < 500 ? 'warn' : 'bad'}`,
		},
		status === null ? waiting : String(status),
	);

/** @param {HTMLElement} row a cell of which changes once there is an answer @param {() => Node[]} cells */
function rowOf(cellsOf, item) {
	const row = element('tr');
	let shown = '';
	row.update = (now) => {
		const text = JSON.stringify(now);
		if (text === shown) return;
		shown = text;
		row.replaceChildren(...cellsOf(now).map((cell) => element('td', {}, cell)));
	};
	row.update(item);
	return row;
}

/** What came of all requests with one key. */
function done({ method, path, tries }) {
	if (method === 'GET' || tries.some(({ status, fault }) => status === null && !fault)) return '';
	const count = tries.filter(({ effect }) => effect === 'created' || effect === 'changed').length;
	const repeats = tries.filter(({ effect }) => effect === 'repeated').length;
	const what =
		count === 0
			? repeats > 0
				? 'done before'
				: 'nothing'
			: path === '/call'
				? count === 1
					? 'one call'
					: `${count} calls`
				: `done ${count === 1 ? 'once' : `${count} times`}`;
	return ` → ${what}`;
}

/** @param {any} request of the nodes, with all its tries */
export const requestRow = (request) =>
	rowOf(
		(now) => [
			timeOf(now.at),
			element(
				'div',
				{},
				element(
					'span',
					{ class: 'code' },
					`${now.method} ${now.path}${now.tries.length > 1 ? ` × ${now.tries.length}` : ''}`,
				),
				...(now.key === null ? [] : [element('div', { class: 'code quiet' }, now.key)]),
			),
			element(
				'div',
				{ class: 'tries' },
				...now.tries.map(({ status, fault, effect }) =>
					element(
						'span',
						{},
						pillOf(status, fault === null ? '…' : 'no answer'),
						...(effect === 'repeated' ? [' repeated'] : []),
					),
				),
				done(now),
			),
		],
		request,
	);

/** @param {any} delivery to a webhook */
export const deliveryRow = (delivery) =>
	rowOf(
		({ at, event, status, durationMs, error }) => [
			timeOf(at),
			element('span', { class: 'code' }, event),
			pillOf(status, error ?? '…'),
			status === null && error === null ? '' : `${durationMs} ms`,
		],
		delivery,
	);
