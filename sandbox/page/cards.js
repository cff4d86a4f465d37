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

/** @param {any} call that rings @param {Send} send */
export function ringingCard(call, send) {
	const hand = (action) => () => send(`/calls/${call.uuid}/${action}`, {});
	const name = call.name || call.number;
	return element(
		'li',
		{ class: 'card rings' },
		who(call),
		element('p', { class: 'quiet' }, [call.agent, call.about].filter(Boolean).join(' · ')),
		element(
			'div',
			{ class: 'row' },
			element(
				'button',
				{
					type: 'button',
					class: 'good',
					'aria-label': `Pick up: ${name}`,
					onclick: hand('pick-up'),
				},
				'Pick up',
			),
			element(
				'button',
				{
					type: 'button',
					class: 'bad',
					'aria-label': `Do not answer: ${name}`,
					onclick: hand('decline'),
				},
				'Do not answer',
			),
		),
	);
}

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
		if (!(await send(`/calls/${call.uuid}/say`, { text: question }))) return;
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

/** @param {any} call in which somebody talks @param {Send} send @param {string[]} outcomes */
export function talkingCard(call, send, outcomes) {
	const time = element('span', { class: 'pill live' });
	const lines = element('ol', {
		class: 'lines',
		'aria-live': 'polite',
		'aria-label': 'Transcript',
	});
	const asks = element('p', { class: 'quiet', role: 'status' });
	const intents = element('div', {});
	const card = element(
		'li',
		{ class: 'card' },
		element('div', { class: 'row apart' }, who(call), time),
		lines,
		asks,
	);
	if (call.taken) {
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
		card.append(
			intents,
			say.form,
			element('div', { class: 'row' }, element('label', {}, 'What comes of it', outcome), hangUp),
		);
		// Whoever has picked up with the keyboard goes on from here.
		queueMicrotask(() => say.input.focus());
	}
	card.update = (now) => {
		const seconds = (Date.now() - now.startedAt) / 1000;
		setText(time, `${now.muted ? 'muted ' : ''}${clock(Math.max(0, seconds))}`);
		showLines(lines, now.lines);
		setText(asks, [now.taken ? '' : 'This call runs by itself.', asking(now)].join(' ').trim());
		each(
			intents,
			now.taken ? now.intents : [],
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

/** @param {any} request of the nodes */
export const requestRow = (request) =>
	rowOf(
		({ at, method, path, status, effect, fault, key }) => [
			timeOf(at),
			element('span', { class: 'code', title: path }, `${method} ${path}`),
			element(
				'span',
				{},
				pillOf(status, fault === null ? '…' : 'no answer'),
				...(effect === 'repeated' ? [' repeated'] : []),
			),
			element('span', { class: 'code', title: key ?? '' }, key ?? ''),
		],
		request,
	);

/** @param {any} delivery to a webhook */
export const deliveryRow = (delivery) =>
	rowOf(
		({ at, event, url, status, durationMs, error }) => [
			timeOf(at),
			element('span', { class: 'code', title: url }, event),
			pillOf(status, error ?? '…'),
			status === null && error === null ? '' : `${durationMs} ms`,
		],
		delivery,
	);
