import { cell, table } from './markdown.mjs';
import { advice, frequent, frequentReasons, reasons } from './reasons.mjs';

/** Messages of n8n itself, as the sources of n8n 2.41.1 write them. */
const ofN8n = [
	[
		'Node does not have any credentials set',
		"Open the node and choose a credential under 'Credential to connect with', or make one with the " +
			'Base URL and a token.',
	],
	[
		'Node does not have any credentials set for "…"',
		'The same. An imported workflow never holds the credential: choose yours in each node.',
	],
	[
		'Credential with ID "…" does not exist for type "…"',
		'It was deleted. Choose another one in the node.',
	],
	[
		'Node "…" does not have access to the credential',
		'It is in another project, or another person has it. Ask for it to be shared, or choose your own.',
	],
];

/** Sections of the index: where a message comes from, as people would look for it. */
const sections = [
	{
		title: 'The platform, and the connection to it',
		files: /^nodes\/engine\/errors\/errorText\.ts$/,
		why: true,
	},
	{ title: 'The credential', files: /^credentials\/|http\/workspace\.ts$/ },
	{
		title: 'Values that cannot be sent',
		files:
			/^nodes\/engine\/(fields\/|time\/|apiRequest\/|prepare\/(?!preflight|zones)|http\/path\.ts)/,
		lead:
			'Everything is checked before anything is sent (with *On Error* set to *Stop Workflow*). The ' +
			'message names the field and the item.',
	},
	{ title: 'Lists and fields in the editor', files: /^nodes\/engine\/lookups\// },
	{ title: 'Both triggers', files: /^nodes\/engine\/registration\// },
	{ title: 'While items are sent', files: /^nodes\/engine\// },
];

const trimmed = (text) =>
	text
		.replace(/^[….\s]*(?=[A-Z]|$)/, '')
		.replace(/(?<=[.!?])\s*…$/, '')
		.trim();
const ended = (text) => (text === '' || /[.!?…]$/.test(text) ? text : `${text}.`);

/** A template that only other messages fill in says nothing by itself; "is empty" does. */
const says = ({ says: text }) =>
	text.replace(/[…'"\s]/g, '').length > 6 &&
	!/^This workspace (does not|has no endpoint to) …/.test(text);

/** Messages as they stand in the index. @param {import('./messages.mjs').Message[]} messages */
export const indexed = (messages) =>
	messages
		.filter(({ role }) => role !== 'part')
		.filter(says)
		.map((message) => ({
			...message,
			says: reasons[message.says]
				? message.says
				: message.says.replace(/…$/, (end) => (reasons[message.says.slice(0, -1)] ? '' : end)),
			next: advice[message.says] ?? ended(trimmed(message.next)),
		}));

const shown = (text) => cell(text.replace(/^…, but/, 'The call was placed, but'));

function unique(messages) {
	const seen = new Set();
	return messages.filter(
		({ says: text, next }) => !seen.has(`${text}|${next}`) && seen.add(`${text}|${next}`),
	);
}

/** What to do about messages that only state something. */
function silent({ file, role, says: text }) {
	if (/^(Choose|Fill in) .* first\b/.test(text))
		return 'Fill in that field, then open this list again.';
	if (/^This workspace (does not|has no endpoint to) /.test(text))
		return "Use the resource 'Other Endpoint' with the path from your workspace's API documentation.";
	if (
		/nodes\/engine\/(fields|lookups)\/|\/fit[A-Z]|nodes\/engine\/(time|options|prepare)\.ts$/.test(
			file,
		)
	)
		return 'Correct the value. If an expression returns it, check that column of the named item.';
	if (/\/deliver(y|ed)\.ts$/.test(file))
		return 'The response to a delivery that does not start the workflow. Check what sent it.';
	return role === 'hint'
		? 'For your information; nothing to do.'
		: 'Correct the field that the message names, then run again.';
}

const rowsOf = (messages, why) =>
	unique(messages).map(({ file, says: text, next, role }) => [
		shown(text),
		...(why ? [cell(reasons[text] ?? '')] : []),
		cell(next || silent({ file, role, says: text })),
	]);

/**
 * `docs/reference/errors.md`: every message, with what to do.
 * @param {import('./messages.mjs').Message[]} messages
 * @param {{className: string, description: any}[]} nodes
 */
export function errorIndex(messages, nodes) {
	const all = indexed(messages);
	const general = sections.map(({ title, files, why, lead }, index) => {
		const own = all.filter(
			({ file }) =>
				files.test(file) && !sections.slice(0, index).some((earlier) => earlier.files.test(file)),
		);
		return {
			title,
			lead,
			text: table(
				why ? ['Message', 'Why', 'What to do'] : ['Message', 'What to do'],
				rowsOf(own, why),
			),
		};
	});
	const byNode = nodes
		.map(({ className, description }) => ({
			title: description.displayName,
			own: all.filter(({ file }) => file.startsWith(`nodes/${className}/`)),
		}))
		.filter(({ own }) => own.length)
		.map(({ title, own }) => ({
			title,
			lead: undefined,
			text: table(['Message', 'What to do'], rowsOf(own, false)),
		}));
	const parts = unique(
		messages.filter(
			({ file, role, says: text }) =>
				role === 'part' && /^[A-Z]/.test(text) && !file.includes('/fields/'),
		),
	);
	return `<!-- Generated by npm run docs from the sources. Do not edit. -->
# Messages

Every message of the nodes, and what to do about it. Those of n8n that people meet before a node runs come first. "…" stands for
what is filled in: a name, a number, the URL of your workspace. Start with [troubleshooting](../troubleshooting.md).

- A message about one input item ends with its row in the sheet, like \`(row 5)\`, or its number, like \`[item 3]\`. n8n counts items from 0:
  [which row is item 3](../troubleshooting.md#which-row-is-item-3).
- The line below the message (*description*) says what to do next and, for writes, whether anything was done.
- With *On Error* set to *Continue*, each such item keeps its input and gets \`error\` (the message), \`errorDescription\`, \`errorCode\`,
  \`errorField\`, \`errorStatus\` and \`errorItem\`: text and numbers, as a table takes them. *Data Table* with *Map Automatically* refuses
  what it has no column for, so add these and those of the input. In *Continue (using error output)*, n8n lets a node add
  \`error\` alone, so it holds the description, too.
- No message holds a token, a secret or a header.

## Before the node runs

n8n itself says these, so the nodes cannot word them.

${table(
	['Message', 'What to do'],
	ofN8n.map((row) => row.map(cell)),
)}

${[...general, ...byNode].map(({ title, lead, text }) => `## ${title}\n\n${lead ? `${lead}\n\n` : ''}${text}`).join('\n\n')}

## Sentences that are added

They stand behind the messages above where they apply.

${parts.map(({ says: text, next }) => `- ${cell(ended(text))}${next ? ` ${cell(next)}` : ''}`).join('\n')}
`;
}

/** `docs/troubleshooting.md`: the messages that people meet most. @throws when one of them no longer exists */
export function troubleshooting(messages) {
	const all = indexed(messages);
	const rows = frequent.map((text) => {
		const found = all.find((message) => message.says === text);
		if (!found)
			throw new Error(
				`No message reads "${text}" any more; see frequent in tools/docs/reasons.mjs.`,
			);
		return [shown(text), cell(reasons[text] ?? frequentReasons[text]), cell(found.next)];
	});
	return `${table(['Message', 'Why', 'What to do'], rows)}`;
}
