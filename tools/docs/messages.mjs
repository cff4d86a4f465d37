/**
 * Every message that the package can show, read from the sources: what they throw, refuse and report. Parts that are
 * filled in when it happens are shown as "…".
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import ts from 'typescript';

/**
 * @typedef {object} Message
 * @property {string} file path in the repository
 * @property {string} says the message, or its first sentence
 * @property {string} next what to do: the description, or the rest of the message
 * @property {'error' | 'hint' | 'part'} role `part`: a sentence that is added to other messages
 */

/** Calls whose argument is a message. `field`: argument that names the field it begins with. */
const throwers = {
	InvalidValue: { text: 1, field: 0 },
	NodeOperationError: { text: 1 },
	RejectedDelivery: { text: 1 },
	registrationError: { text: 1 },
	refuse: { text: 0, field: 'Skip Numbers', half: true },
	refuseKey: { text: 0, field: 'Request Key', half: true },
	wrong: { text: 1, field: 0, where: ' in the credential' },
	fail: { text: 0, field: '…' },
	super: { text: 0 },
};

/** Properties and functions whose text completes a message about one field. */
const completions = { complaint: 'Request Key', missingPart: 'Request Key', missing: '…' };

/** Calls whose argument tells something beside a result. */
const tellers = /(^|\.)(hints\.add|logger\.(warn|info|debug)|messages\.push)$/;

/** Where texts of the editor stand, which are no messages. */
const editorKeys = new Set([
	'action',
	'activationHint',
	'activationMessage',
	'acceptedText',
	'active',
	'default',
	'description',
	'displayName',
	'documentationUrl',
	'emptyFieldsNotice',
	'entry',
	'eventTriggerDescription',
	'apiRequestNotice',
	'example',
	'forWhat',
	'header',
	'hint',
	'inactive',
	'label',
	'name',
	'noFieldsError',
	'notice',
	'placeholder',
	'plural',
	'regex',
	'samples',
	'singular',
	'subtitle',
	'what',
]);

const nameOf = (property) => property?.name?.getText().replace(/^['"]|['"]$/g, '');

/** Text of a literal or template; undefined when there is none. @param {Map<string, string>} [constants] */
function textOf(node, constants) {
	if (node === undefined) return undefined;
	if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) return node.text;
	if (ts.isTemplateExpression(node))
		return (
			node.head.text +
			node.templateSpans
				.map(
					({ expression, literal }) =>
						`${constants?.get(expression.getText()) ?? '…'}${literal.text}`,
				)
				.join('')
		);
	return undefined;
}

/**
 * All texts that an expression may give.
 * @param {Map<string, string>} [constants] texts by the name of their variable
 */
function textsOf(node, constants) {
	if (node === undefined) return [];
	if (ts.isParenthesizedExpression(node)) return textsOf(node.expression, constants);
	if (ts.isIdentifier(node)) return [constants?.get(node.text) ?? []].flat();
	if (ts.isConditionalExpression(node))
		return [...textsOf(node.whenTrue, constants), ...textsOf(node.whenFalse, constants)];
	if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken) {
		const [left, right] = [textOf(node.left), textOf(node.right)];
		const [first] = left === undefined ? textsOf(node.left) : [left];
		return first === undefined || right === undefined ? [] : [first + right];
	}
	if (
		ts.isBinaryExpression(node) &&
		[ts.SyntaxKind.QuestionQuestionToken, ts.SyntaxKind.BarBarToken].includes(
			node.operatorToken.kind,
		)
	)
		return [...textsOf(node.left, constants), ...textsOf(node.right, constants)];
	const text = textOf(node, constants);
	return text === undefined ? [] : [text];
}

const isSentence = (text) =>
	/^\s?[A-Z'"…]/.test(text) &&
	text.trim().split(/\s+/).length >= 4 &&
	!/^…?\/|https?:\/\/\S+$/.test(text);

/** Variables that only the editor shows: they are named where its texts stand. */
const shownInEditor = (source, name) =>
	new RegExp(`\\b(notice|hint|description)\\b[^\\n]*[^.\\w]${name}\\b`).test(
		source.replace(new RegExp(`const ${name}\\b.*`), ''),
	);

/** What a function returns, in its order. */
function returnedBy(node) {
	const found = [];
	ts.forEachChild(node, function look(child) {
		if (ts.isReturnStatement(child)) found.push(child.expression);
		ts.forEachChild(child, look);
	});
	return found;
}

/** The place of a text: up through choices and returns. */
function placeOf(node) {
	let here = node;
	while (
		here.parent &&
		(ts.isConditionalExpression(here.parent) ||
			ts.isParenthesizedExpression(here.parent) ||
			ts.isArrowFunction(here.parent) ||
			ts.isReturnStatement(here.parent) ||
			(ts.isBinaryExpression(here.parent) &&
				here.parent.operatorToken.kind !== ts.SyntaxKind.EqualsToken) ||
			(ts.isTemplateSpan(here.parent) && here !== node))
	) {
		here = here.parent;
	}
	return here.parent;
}

const tidy = (text) =>
	text
		.replace(/\s+/g, ' ')
		.replace(/(…[ ,]*){2,}/g, '… ')
		.trim();

/** First sentence, and what follows it. */
function halves(text) {
	const at = text.search(/(?<!\b(?:e\.g|i\.e))[.!?] (?=[A-Z'"…])/);
	return at < 0 ? [text.replace(/\.$/, ''), ''] : [text.slice(0, at), text.slice(at + 2)];
}

/** The text of a sentence that stands on several lines, joined with `+`; undefined for any other expression. */
function joinedText(node) {
	if (ts.isStringLiteral(node)) return node.text;
	const plus = ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken;
	if (!plus) return undefined;
	const [left, right] = [joinedText(node.left), joinedText(node.right)];
	return left === undefined || right === undefined ? undefined : left + right;
}

/** Sources in which every sentence is one literal, however many lines it was written on. */
function withWholeSentences(file, source) {
	const joined = [];
	const tree = ts.createSourceFile(file, source, ts.ScriptTarget.ES2022, true);
	ts.forEachChild(tree, function look(node) {
		const text = ts.isBinaryExpression(node) ? joinedText(node) : undefined;
		if (text === undefined) ts.forEachChild(node, look);
		else joined.unshift([node.getStart(), node.getEnd(), text]);
	});
	return joined.reduce(
		(all, [from, to, text]) => all.slice(0, from) + JSON.stringify(text) + all.slice(to),
		source,
	);
}

/** The texts of a file's variables outside functions, by name. @returns {Array<[string, string]>} */
function constantsIn(file, written) {
	const tree = ts.createSourceFile(
		file,
		withWholeSentences(file, written),
		ts.ScriptTarget.ES2022,
		true,
	);
	return tree.statements
		.filter(ts.isVariableStatement)
		.flatMap(({ declarationList }) => [...declarationList.declarations])
		.flatMap(({ name, initializer }) => {
			const text = textOf(initializer);
			return text?.includes(' ') ? [[name.getText(), text]] : [];
		});
}

/**
 * @param {string} file
 * @param {string} written
 * @param {Array<[string, string]>} [elsewhere] texts that other files hold in variables
 * @returns {Message[]} of one source file, in its order
 */
export function messagesIn(file, written, elsewhere = []) {
	const source = withWholeSentences(file, written);
	const tree = ts.createSourceFile(file, source, ts.ScriptTarget.ES2022, true);
	const constants = new Map([...elsewhere, ...constantsIn(file, written)]);
	const found = [];
	const taken = new Set();
	const add = (node, role, says, next) => {
		const [first, rest] =
			next === undefined
				? halves(tidy(says))
				: [tidy(says).replace(/\.$/, ''), tidy(next).replace(/^…\s*/, '')];
		if (first && first !== '…') found.push({ file, role, says: first, next: rest, at: node.pos });
	};
	const take = (node) =>
		ts.forEachChild(node, function mark(child) {
			taken.add(child);
			ts.forEachChild(child, mark);
		});

	const visit = (node) => {
		if (ts.isNewExpression(node) || ts.isCallExpression(node)) {
			const called = node.expression.getText();
			const rule = throwers[called];
			if (rule) {
				const field =
					typeof rule.field === 'string'
						? rule.field
						: rule.field === undefined
							? undefined
							: node.arguments[rule.field]?.getText() === 'undefined'
								? undefined
								: (textOf(node.arguments[rule.field]) ?? '…');
				const about = node.arguments[rule.text + 1];
				const description =
					about && ts.isObjectLiteralExpression(about)
						? about.properties.find((property) => nameOf(property) === 'description')
						: undefined;
				for (const text of textsOf(node.arguments[rule.text], constants)) {
					const whole = field === undefined || (rule.half && !/^[a-z]/.test(text));
					add(
						node,
						'error',
						whole ? text : `'${field}'${rule.where ?? ''} ${text}`,
						description ? (textsOf(description.initializer, constants)[0] ?? '') : undefined,
					);
				}
				take(node);
			} else if (called === 'notOffered' && node.arguments.length === 2) {
				add(
					node,
					'error',
					`This workspace has no endpoint to ${textOf(node.arguments[0])} at the undocumented path this node tried`,
					textOf(node.arguments[1]),
				);
				take(node);
			} else if (tellers.test(called)) {
				for (const text of textsOf(node.arguments[0])) add(node, 'hint', text);
				take(node);
			}
		}
		if (ts.isObjectLiteralExpression(node) && !taken.has(node)) {
			const part = (name) => node.properties.find((property) => nameOf(property) === name);
			const message = part('message');
			const texts =
				message && ts.isPropertyAssignment(message)
					? textsOf(message.initializer).filter(isSentence)
					: [];
			if (texts.length) {
				const nexts = textsOf(part('description')?.initializer, constants);
				for (const [index, text] of texts.entries())
					add(
						node,
						'error',
						text,
						part('description') ? (nexts[index] ?? nexts[0] ?? '') : undefined,
					);
				take(message);
				for (const extra of nexts.slice(texts.length)) add(node, 'part', extra, '');
				if (part('description')) take(part('description'));
			}
		}
		const about =
			ts.isPropertyAssignment(node) || ts.isFunctionDeclaration(node) ? nameOf(node) : undefined;
		if (about in completions) {
			const given = ts.isPropertyAssignment(node) ? [node.initializer] : returnedBy(node);
			for (const text of given.flatMap((one) => textsOf(one, constants)))
				if (/^[a-z]/.test(text)) add(node, 'error', `'${completions[about]}' ${text}`);
		}
		const text = taken.has(node) ? undefined : textOf(node);
		if (text !== undefined && isSentence(text)) {
			const place = placeOf(node);
			const key = ts.isPropertyAssignment(place) ? nameOf(place) : undefined;
			const variable = ts.isVariableDeclaration(place) ? place.name.getText() : undefined;
			// Arguments are no messages, except those that are joined to one.
			const joins = ts.isCallExpression(place) && place.expression.getText() === 'sentences';
			const argument = !joins && (ts.isCallExpression(place) || ts.isNewExpression(place));
			if (
				!argument &&
				!editorKeys.has(key) &&
				!(variable && shownInEditor(source, variable)) &&
				!ts.isPropertyDeclaration(place)
			) {
				const added =
					file.endsWith('/errors/errorText.ts') ||
					/^\s/.test(text) ||
					variable !== undefined ||
					joins ||
					ts.isTemplateSpan(place) ||
					ts.isArrayLiteralExpression(place);
				if (added) add(node, 'part', text, '');
				else add(node, 'error', text);
			}
		}
		ts.forEachChild(node, visit);
	};
	visit(tree);
	const seen = new Set();
	return found
		.filter(({ says, next }) => !seen.has(`${says}|${next}`) && seen.add(`${says}|${next}`))
		.map(({ at, ...message }) => message);
}

/** What is written from the contract, and what an AI builder alone reads, are no messages. */
const withoutMessages = /(platform\/facts|describe\/(builderHint|inShort))\.ts$/;

/** @param {string} repository @returns {Message[]} of all sources, file by file */
export function allMessages(repository) {
	const sources = ['credentials', 'nodes'].flatMap((folder) =>
		readdirSync(join(repository, folder), { recursive: true })
			.filter((name) => name.endsWith('.ts') && !withoutMessages.test(name))
			.sort()
			.map((name) => join(repository, folder, name)),
	);
	const files = sources.map((path) => ({
		name: relative(repository, path).replaceAll('\\', '/'),
		text: readFileSync(path, 'utf8'),
	}));
	// A message may complete its field's name with a text of another file, such as "is empty. Fill it in…".
	const shared = files
		.flatMap(({ name, text }) => constantsIn(name, text))
		.filter(([, text]) => /^[a-z]/.test(text));
	return files.flatMap(({ name, text }) => messagesIn(name, text, shared));
}
