import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { cell, table } from './markdown.mjs';

/**
 * For whom an example is, by which words people look for it, what it does in a sentence, and whether README names it, by
 * the name of its file. An example without an entry is listed all the same, with the headings of its notes.
 */
export const about = {
	'ai-agent-with-the-platform-as-tools': {
		words: 'AI agent, chat, tools',
		audience: 'AI builders',
		does: 'A chat assistant looks up conversations and sends messages for you',
	},
	'appointment-requests-and-google-calendar': {
		words: 'appointment request, approve, confirm, calendar sync',
		audience: 'Customer service',
		does: 'Puts approved appointment requests into Google Calendar, and cancels them if you delete the event',
	},
	'ask-for-a-score-after-each-call': {
		words: 'NPS, survey, feedback, rating',
		audience: 'Marketing',
		does: 'Asks by SMS for a score from 0 to 10 after each call; low scores go to Slack',
	},
	'book-into-google-calendar-during-the-call': {
		words: 'receptionist, after hours, book appointment, Cal.com',
		audience: 'Customer service',
		does: 'Books into Google Calendar while the caller is on the phone',
		featured: true,
	},
	'call-a-list-on-monday-after-approval': {
		words: 'call campaign, bulk call, approval, dry run',
		audience: 'Marketing',
		does: 'Calls the new rows of a sheet on Monday: preview and approval in Slack, three colleagues, then the rest',
	},
	'call-hubspot-deals-of-a-stage': {
		words: 'HubSpot, Salesforce, deal stage, log call',
		audience: 'Sales',
		does: 'Calls the HubSpot deals that reach a stage, logs each call and moves the deal',
	},
	'call-new-leads-and-record-the-outcome': {
		words: 'call leads, CSV, outcome, dialer',
		audience: 'Sales',
		does: 'Calls every lead of an uploaded file and writes each outcome into a table',
		featured: true,
	},
	'catch-up-on-missed-events': {
		words: 'lost webhook, missed event, reconcile',
		audience: 'Operations',
		does: 'Finds the calls at night whose event never arrived',
	},
	'form-to-call-to-hubspot-and-slack': {
		words: 'speed to lead, call me back, web form',
		audience: 'Sales',
		does: 'Calls whoever sends a form, and writes the outcome into HubSpot and Slack',
		featured: true,
	},
	'google-sheet-to-listing-and-back': {
		words: 'Google Sheets, call list, outcome in the sheet',
		audience: 'Marketing',
		does: 'Calls the rows of a Google Sheet and writes the outcomes into the same rows',
	},
	'hand-over-to-a-person': {
		words: 'handover, escalate, human, call back',
		audience: 'Customer service',
		does: 'Somebody asks for a person: Slack gets the number, the reason and what was said',
	},
	'listing-report-by-mail': {
		words: 'report, campaign statistics',
		audience: 'Marketing',
		does: 'Mails you every evening how far a call list is',
	},
	'missed-call-then-whatsapp-then-sms': {
		words: 'no answer, follow-up, WhatsApp, SMS fallback',
		audience: 'Sales',
		does: 'Writes to contacts who did not answer the call: WhatsApp first, then SMS',
		featured: true,
	},
	'no-more-calls-said-in-a-conversation': {
		words: 'opt-out, unsubscribe, do not call, blacklist',
		audience: 'Customer service',
		does: 'Somebody wants no more calls: onto the blacklist and into a sheet, in the middle of the call',
	},
	'remind-of-due-invoices': {
		words: 'payment reminder, overdue invoice, dunning',
		audience: 'Customer service',
		does: 'Reminds of due invoices of a sheet: an SMS first, a call three days later, until paid',
	},
	'remind-of-tomorrows-appointments': {
		words: 'appointment reminder, no-show',
		audience: 'Customer service',
		does: "Reminds of tomorrow's appointments on WhatsApp, or by SMS where that is refused",
	},
	'stop-a-listing': {
		words: 'emergency stop, cancel campaign',
		audience: 'Marketing',
		does: 'Stops a listing with one click, in an emergency, and says what goes on',
	},
	'tell-the-caller-where-the-order-is': {
		words: 'order status, lookup during the call',
		audience: 'Customer service',
		does: 'Looks up an order while the caller is on the phone; the agent says where it is',
	},
	'text-back-after-a-missed-call': {
		words: 'missed call, text back, inbound',
		audience: 'Sales',
		does: 'Texts back who called and hung up, once a day and inside hours',
	},
	'turn-a-call-into-a-zendesk-ticket': {
		words: 'ticket, Zendesk, Jira, transcript',
		audience: 'Customer service',
		does: 'Turns each call into one Zendesk ticket, with its transcript',
	},
};

/** The order of the groups on the page. */
const audiences = ['Sales', 'Customer service', 'Marketing', 'AI builders', 'Operations', 'More'];

/** Names of apps that their node types do not spell out; `null` for n8n's own steps, which need no account. */
const apps = {
	agent: 'AI Agent',
	aggregate: null,
	chatTrigger: 'Chat',
	convertToFile: null,
	dataTable: 'Data Table',
	dataTableTool: 'Data Table',
	emailSend: 'Email (SMTP)',
	errorTrigger: null,
	executeWorkflowTrigger: null,
	extractFromFile: null,
	filter: null,
	formTrigger: 'Form',
	html: null,
	httpRequest: null,
	hubspot: 'HubSpot',
	if: null,
	lmChatOpenAi: 'OpenAI',
	manualTrigger: null,
	merge: null,
	removeDuplicates: null,
	scheduleTrigger: null,
	set: null,
	sort: null,
	splitOut: null,
	stickyNote: null,
	switch: null,
	wait: null,
};

/** `n8n-nodes-base.googleSheetsTrigger` → `Google Sheets`. */
function appOf(type) {
	const name = type.split('.').at(-1);
	if (name in apps) return apps[name];
	return name
		.replace(/(Trigger|Tool)$/, '')
		.replace(/([a-z])([A-Z])/g, '$1 $2')
		.replace(/^./, (first) => first.toUpperCase());
}

/** What the notes on the canvas are headed with, without "Run once" and numbers. */
const headings = (nodes) =>
	nodes
		.filter(({ type }) => type.endsWith('.stickyNote'))
		.map(({ parameters }) => /^#+ (?:\d+\. )?(.+)/m.exec(parameters.content ?? '')?.[1] ?? '')
		.filter((heading) => heading && !/^run once$/i.test(heading));

/**
 * @param {string} repository
 * @returns every workflow of `examples/`, with what the page says about it
 */
export function examples(repository) {
	const folder = join(repository, 'examples');
	return readdirSync(folder)
		.filter((file) => file.endsWith('.json'))
		.sort()
		.map((file) => {
			const name = file.replace(/\.json$/, '');
			const { name: title, nodes } = JSON.parse(readFileSync(join(folder, file), 'utf8'));
			const types = nodes.map(({ type }) => type);
			const picture = `images/examples/${name}.png`;
			return {
				name,
				title,
				audience: about[name]?.audience ?? 'More',
				does: about[name]?.does ?? headings(nodes).join('; '),
				words: about[name]?.words ?? '',
				apps: [
					...new Set(types.filter((type) => !/agent-conversation-platform/.test(type)).map(appOf)),
				]
					.filter(Boolean)
					.sort(),
				picture: existsSync(join(repository, 'docs', picture)) ? picture : undefined,
			};
		});
}

/** @param {ReturnType<typeof examples>} all @returns {string} one table per audience, then the pictures */
export function examplesTable(all) {
	const tables = audiences.flatMap((audience) => {
		const own = all.filter((example) => example.audience === audience);
		if (own.length === 0) return [];
		const rows = own.map(({ name, title, does, words, apps: used }) => [
			`[${cell(title)}](../examples/${name}.json)`,
			cell(does),
			cell(words),
			used.length ? cell(used.join(', ')) : 'none',
		]);
		const pictures = own
			.filter(({ picture }) => picture)
			.map(({ title, picture }) => `![The workflow "${title}" on the canvas](${picture})`);
		return [
			`### ${audience}`,
			table(['Example', 'What it does', 'Also called', 'Apps'], rows),
			...pictures,
		];
	});
	return tables.join('\n\n');
}

/** @param {ReturnType<typeof examples>} all @returns {string} README: a few of them */
export const featuredExamples = (all) =>
	all
		.filter(({ name }) => about[name]?.featured)
		.map(({ name, does }) => `- [${does}](examples/${name}.json)`)
		.join('\n');
