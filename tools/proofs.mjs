/**
 * What the tests of a file prove, read from their code: which assertions each test is bound to reach, and why it may
 * pass although the product is broken. Nothing is run.
 */
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';

/**
 * @typedef {object} TestCode
 * @property {'describe' | 'test'} kind
 * @property {string} title as it is written; a title that is an expression as `${expression}`
 * @property {string[]} above titles of the groups around it, outermost first
 * @property {number} line
 * @property {string[]} cases texts in the table that it is run for
 * @property {boolean} runs neither it nor a group around it is left out by `skip`, `todo` or an `only` elsewhere
 * @property {boolean} asserts it is bound to reach an assertion that can fail, as far as its code tells
 * @property {string[]} doubts why it may pass although the product is broken
 */

/** @typedef {{expect: ts.CallExpression, text: string}} Assertion */
/** @typedef {{over: ts.Expression, at: ts.Node}} Loop a loop with assertions, and what it goes over */
/** @typedef {{sure: Assertion[], maybe: Assertion[], loops: Loop[]}} Findings */

/** Array methods whose callback runs once per element. */
const each = /^(forEach|map|flatMap|filter|every|some|find|reduce)$/;

/** Assertions that hold for what is absent: also where nothing was done. */
const absent = [
	/\.(toEqual|toStrictEqual)\(\s*(\[\]|\{\})\s*\)$/,
	/\.toHaveLength\(0\)$/,
	/(length|size|count)\b[^]*\.toBe\(0\)$/i,
	/\.not\s*\.(toContain|toMatch|toHaveProperty|toContainEqual)\(/,
	/^assert\.(deepEqual|deepStrictEqual|equal|strictEqual)\([^]*,\s*(\[\]|\{\})\s*,?\s*\)$/,
	/^assert\.(equal|strictEqual)\([^]*(length|size|count)\b[^]*,\s*0\s*,?\s*\)$/i,
	/^assert\.(doesNotMatch)\(/,
];

/** Whether an import leads to a file that can be read; the folders of `nodes/` hold no tests. @param {string} path */
const isFile = (path) => statSync(path, { throwIfNoEntry: false })?.isFile() === true;

/** @type {Map<string, SourceCode>} */
const read = new Map();

/** @type {Map<string, TestCode[]>} */
const answered = new Map();

/** @param {string} file absolute path @returns {SourceCode} */
function sourceOf(file) {
	const known = read.get(file);
	if (known) return known;
	const source = new SourceCode(file, readFileSync(file, 'utf8'));
	read.set(file, source);
	return source;
}

/** One file with its functions, constants and imports. */
class SourceCode {
	/** @type {Map<string, ts.Node[]>} bodies of functions by name */
	functions = new Map();
	/** @type {Map<string, ts.Expression[]>} what constants are made of, by name */
	constants = new Map();
	/** @type {Map<string, {from: string, name: string}>} */
	imports = new Map();
	/** @type {Map<ts.Node, Findings>} */
	#findings = new Map();

	/** @param {string} file @param {string} text */
	constructor(file, text) {
		this.file = file;
		this.tree = ts.createSourceFile(file, text, ts.ScriptTarget.ES2022, true);
		this.#collect(this.tree);
	}

	/** @param {ts.Node} node */
	#collect(node) {
		if (ts.isFunctionDeclaration(node) && node.name && node.body)
			push(this.functions, node.name.text, node.body);
		if (ts.isVariableDeclaration(node) && node.initializer && ts.isIdentifier(node.name)) {
			const value = plain(node.initializer);
			if (isFunction(value)) push(this.functions, node.name.text, value.body);
			else push(this.constants, node.name.text, value);
		}
		if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier)) {
			const { text } = node.moduleSpecifier;
			const bindings = node.importClause?.namedBindings;
			if (text.startsWith('.') && bindings && ts.isNamedImports(bindings))
				for (const { name, propertyName } of bindings.elements)
					this.imports.set(name.text, {
						from: join(dirname(this.file), text),
						name: (propertyName ?? name).text,
					});
		}
		ts.forEachChild(node, (child) => this.#collect(child));
	}

	/** @param {string} name @returns {{source: SourceCode, body: ts.Node}[]} functions that a name may mean */
	named(name) {
		const own = this.functions.get(name);
		if (own) return own.map((body) => ({ source: this, body }));
		const imported = this.imports.get(name);
		if (!imported || !isFile(imported.from)) return [];
		return (sourceOf(imported.from).functions.get(imported.name) ?? []).map((body) => ({
			source: sourceOf(imported.from),
			body,
		}));
	}

	/** @param {ts.Identifier | ts.ElementAccessExpression} callee a name, or one of the functions of an object */
	called(callee) {
		if (ts.isIdentifier(callee)) return this.named(callee.text);
		const [made] = this.constants.get(callee.expression.getText()) ?? [];
		if (!made || !ts.isObjectLiteralExpression(made)) return [];
		return made.properties.flatMap((property) => {
			const value = ts.isPropertyAssignment(property) ? plain(property.initializer) : property;
			const body = isFunction(value) || ts.isMethodDeclaration(value) ? value.body : undefined;
			return body ? [{ source: this, body }] : [];
		});
	}

	/** @param {ts.Node} body @returns {Findings} */
	findings(body) {
		const known = this.#findings.get(body);
		if (known) return known;
		/** @type {Findings} */
		const found = { sure: [], maybe: [], loops: [] };
		// A function that calls itself asserts nothing by that.
		this.#findings.set(body, found);
		this.#look(body, true, found);
		return found;
	}

	/**
	 * @param {ts.Node} node
	 * @param {boolean} sure it is reached for certain
	 * @param {Findings} found
	 */
	#look(node, sure, found) {
		const all = (/** @type {ts.Node} */ part, certain = sure) => this.#look(part, certain, found);
		const inLoop = (/** @type {ts.Expression} */ over, /** @type {ts.Node} */ body) => {
			if (this.holdsSome(over)) return all(body);
			const before = { maybe: found.maybe.length, loops: found.loops.length };
			all(body, false);
			if (found.maybe.length === before.maybe) return;
			// Lists inside may be empty for some; that all of them are is seen when the tests run.
			found.loops.splice(before.loops, Infinity, { over, at: node });
		};
		if (ts.isCallExpression(node)) {
			if (isAssertion(node)) {
				(sure ? found.sure : found.maybe).push({ expect: node, text: textOf(node) });
				return;
			}
			if (testWord(node)) return;
			const { expression } = node;
			if (ts.isIdentifier(expression) || ts.isElementAccessExpression(expression))
				for (const { source, body } of this.called(expression)) {
					const inside = source.findings(body);
					const found_ = inside.sure.length ? (sure ? found.sure : found.maybe) : found.maybe;
					if (inside.sure.length + inside.maybe.length)
						found_.push({ expect: node, text: textOf(node) });
				}
			if (ts.isPropertyAccessExpression(expression) && each.test(expression.name.text)) {
				const [callback] = node.arguments;
				all(expression.expression);
				if (callback && isFunction(callback)) inLoop(expression.expression, callback.body);
				return;
			}
			all(expression);
			for (const argument of node.arguments) {
				// Who is given a function is trusted to call it.
				const value = plain(argument);
				all(isFunction(value) ? value.body : argument);
			}
			return;
		}
		if (ts.isForOfStatement(node)) {
			all(node.expression);
			inLoop(node.expression, node.statement);
			return;
		}
		if (ts.isForStatement(node)) {
			const end = node.condition && ts.isBinaryExpression(node.condition) && node.condition.right;
			if (end && ts.isPropertyAccessExpression(end) && end.name.text === 'length')
				inLoop(end.expression, node.statement);
			else all(node.statement);
			return;
		}
		if (ts.isIfStatement(node)) {
			all(node.expression);
			const branches = [node.thenStatement, node.elseStatement].map((branch) => {
				/** @type {Findings} */
				const inside = { sure: [], maybe: [], loops: [] };
				if (branch) this.#look(branch, sure, inside);
				return inside;
			});
			const both = branches.every((inside) => inside.sure.length > 0);
			for (const inside of branches) {
				(both ? found.sure : found.maybe).push(...inside.sure);
				found.maybe.push(...inside.maybe);
				found.loops.push(...inside.loops);
			}
			return;
		}
		if (ts.isCatchClause(node) || ts.isSwitchStatement(node)) {
			ts.forEachChild(node, (child) => all(child, false));
			return;
		}
		if (ts.isConditionalExpression(node)) {
			all(node.condition);
			all(node.whenTrue, false);
			all(node.whenFalse, false);
			return;
		}
		// Functions count where they are called.
		if (isFunction(node) || ts.isFunctionDeclaration(node)) return;
		ts.forEachChild(node, (child) => all(child));
	}

	/**
	 * @param {ts.Node} node
	 * @param {number} [depth]
	 * @returns {string[]} texts and keys in it and in the constants that it names
	 */
	texts(node, depth = 0) {
		if (ts.isStringLiteralLike(node)) return [node.text];
		/** @type {string[]} */
		const found = [];
		if (ts.isPropertyAssignment(node) || ts.isShorthandPropertyAssignment(node))
			found.push(node.name.getText());
		if (ts.isIdentifier(node) && depth < 3)
			for (const made of this.constants.get(node.text) ?? [])
				found.push(...this.texts(made, depth + 1));
		ts.forEachChild(node, (child) => void found.push(...this.texts(child, depth)));
		return found;
	}

	/** @param {ts.Expression} written @returns {boolean} whether it cannot be empty, as far as its code tells */
	holdsSome(written) {
		const value = plain(written);
		if (ts.isArrayLiteralExpression(value))
			return value.elements.some(
				(element) => !ts.isSpreadElement(element) || this.holdsSome(element.expression),
			);
		if (ts.isObjectLiteralExpression(value)) return value.properties.length > 0;
		if (ts.isStringLiteralLike(value)) return value.text !== '';
		if (ts.isIdentifier(value)) {
			const made = this.constants.get(value.text);
			if (made) return made.every((one) => one !== value && this.holdsSome(one));
			const imported = this.imports.get(value.text);
			if (!imported || !isFile(imported.from)) return false;
			const there = sourceOf(imported.from);
			return there.constants.get(imported.name)?.every((one) => there.holdsSome(one)) ?? false;
		}
		if (!ts.isCallExpression(value)) return false;
		const name = value.expression.getText();
		const [first] = value.arguments;
		if (/^Object\.(entries|keys|values)$|^Promise\.all(Settled)?$/.test(name))
			return this.holdsSome(/** @type {ts.Expression} */ (first));
		if (name === 'Array.from') return /^\{\s*length\b/.test(first?.getText() ?? '');
		const method = ts.isPropertyAccessExpression(value.expression) && value.expression;
		return (
			method !== false &&
			/^(map|entries|keys|values|sort|toSorted|reverse|concat)$/.test(method.name.text) &&
			this.holdsSome(method.expression)
		);
	}
}

/** @template K, V @param {Map<K, V[]>} map @param {K} key @param {V} value */
const push = (map, key, value) => map.set(key, [...(map.get(key) ?? []), value]);

/** @param {ts.Node} node @returns {node is ts.ArrowFunction | ts.FunctionExpression} */
const isFunction = (node) => ts.isArrowFunction(node) || ts.isFunctionExpression(node);

/** An expression without brackets, `await`, `as …`, `!`. @param {ts.Expression} node @returns {ts.Expression} */
const plain = (node) =>
	ts.isParenthesizedExpression(node) ||
	ts.isAwaitExpression(node) ||
	ts.isAsExpression(node) ||
	ts.isSatisfiesExpression(node) ||
	ts.isNonNullExpression(node)
		? plain(node.expression)
		: node;

/** Code without its layout. @param {ts.Node} node */
const textOf = (node) => node.getText().replace(/\s+/g, ' ');

/** @param {ts.CallExpression} node a matcher of `expect(…)`, `assert(…)`, `assert.…`, or a property of fast-check */
function isAssertion(node) {
	let inner = node.expression;
	if (/^(assert|t\.assert|fc\.assert)\b/.test(inner.getText())) return true;
	if (!ts.isPropertyAccessExpression(inner)) return false;
	while (ts.isPropertyAccessExpression(inner)) inner = inner.expression;
	return ts.isCallExpression(inner) && inner.expression.getText() === 'expect';
}

/** @param {ts.CallExpression} node @returns {{word: string, rest: string} | undefined} of `test(…)` and its kin */
function testWord(node) {
	const found =
		/^(?<word>describe|suite|test|it|xtest|xit|xdescribe|fit|fdescribe|t\.test)\b(?<rest>[^]*)$/.exec(
			node.expression.getText(),
		);
	return /** @type {any} */ (found?.groups);
}

/** What is gone through, without what cannot make it empty. @param {ts.Expression} written @returns {string} */
function base(written) {
	const value = plain(written);
	if (ts.isCallExpression(value) && ts.isPropertyAccessExpression(value.expression)) {
		const { expression, name } = value.expression;
		if (/^(entries|keys|values|sort|toSorted|reverse|map)$/.test(name.text)) {
			const [first] = value.arguments;
			return base(expression.getText() === 'Object' && first ? first : expression);
		}
	}
	return textOf(value);
}

/**
 * @param {ts.Node} body
 * @param {string} name
 * @returns {boolean} whether a variable or parameter of that name is made in it
 */
function declares(body, name) {
	let found = false;
	const look = (/** @type {ts.Node} */ node) => {
		if (
			(ts.isVariableDeclaration(node) || ts.isParameter(node) || ts.isBindingElement(node)) &&
			ts.isIdentifier(node.name) &&
			node.name.text === name
		)
			found = true;
		if (!found) ts.forEachChild(node, look);
	};
	look(body);
	return found;
}

/** Names of what a loop counts up or fills. @param {ts.Node} loop @returns {string[]} */
const countedIn = (loop) =>
	[...loop.getText().matchAll(/\b(\w+)(?:\+\+| \+= |\.push\(|\.add\()/g)].map(([, name]) =>
		String(name),
	);

/**
 * @param {SourceCode} source
 * @param {ts.Node} test the whole test
 * @param {Findings} found
 * @param {Assertion[]} elsewhere what the tests of the file assert
 * @returns {string[]}
 */
function doubtsOf(source, test, { sure, maybe, loops }, elsewhere) {
	if (sure.length + maybe.length === 0) return ['asserts nothing'];
	const doubts = [];
	/** Lists that an assertion goes through, which holds when they are empty. */
	const vacuous = sure.flatMap(({ expect, text }) => {
		/** @type {Loop[]} */
		const lists = [];
		const look = (/** @type {ts.Node} */ node) => {
			if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
				const { expression, name } = node.expression;
				if (name.text === 'every' && /(toBe\(true\)|toBeTruthy\(\)|^assert)/.test(text))
					lists.push({ over: expression, at: node });
				const [list] = node.arguments;
				if (
					list &&
					ts.isSpreadElement(list) &&
					((textOf(node).startsWith('Math.max(') && /toBeLess|< |<= /.test(text)) ||
						(textOf(node).startsWith('Math.min(') && /toBeGreater|> |>= /.test(text)))
				)
					lists.push({ over: list.expression, at: node });
			}
			ts.forEachChild(node, look);
		};
		look(expect);
		return lists.filter(({ over }) => !source.holdsSome(over));
	});
	for (const { over, at } of [...loops, ...vacuous]) {
		const list = base(over);
		const [root = list] = /^\w+/.exec(list) ?? [];
		// A list that several tests share is counted by one of them.
		const where = declares(test, root) ? sure : [...sure, ...elsewhere];
		const counts = [list, ...countedIn(at)].map(
			(name) => new RegExp(`(?<![\\w.])${RegExp.escape(name)}`),
		);
		const counted = where.some(
			({ expect, text }) =>
				!within(at, expect) &&
				!within(expect, at) &&
				counts.some((pattern) => pattern.test(text)) &&
				!absent.some((pattern) => pattern.test(text)),
		);
		if (!counted) doubts.push(`holds when ${list} is empty: assert how many there are`);
	}
	// What lies in a loop over a list that is counted is reached.
	const gone = loops.length > 0 && doubts.length === 0;
	if (sure.length === 0 && doubts.length === 0 && !gone)
		doubts.push('asserts only under a condition: assert something in any case');
	const proofs = [...sure, ...maybe];
	if (
		!gone &&
		proofs.every(({ text }) => absent.some((pattern) => pattern.test(text))) &&
		!proofs.some(({ expect }) => explained(source, expect))
	)
		doubts.push(
			'asserts only that something is absent: assert also that something was done, or say ' +
				'in a comment above why that is enough',
		);
	return doubts;
}

/** @param {ts.Node} node @param {ts.Node} outer */
const within = (node, outer) => node.pos >= outer.pos && node.end <= outer.end;

/** @param {SourceCode} source @param {ts.Node} node whether a comment stands above the statement */
function explained(source, node) {
	let statement = node;
	while (statement.parent && !ts.isStatement(statement)) statement = statement.parent;
	return (
		ts.getLeadingCommentRanges(source.tree.text, statement.getFullStart())?.length !== undefined
	);
}

/**
 * @param {string} file absolute path of a test file
 * @param {string} [text] its code, when it is not what stands on the disk
 * @returns {TestCode[]} groups and tests in the file's order
 */
export function testsOf(file, text) {
	const known = text === undefined ? answered.get(file) : undefined;
	if (known) return known;
	const source = text === undefined ? sourceOf(file) : new SourceCode(file, text);
	let lone = false;
	/** @type {(TestCode & {test?: ts.Node})[]} */
	const found = [];
	/** @param {ts.Node} node @param {string[]} above @param {boolean} left @param {ts.Expression[]} tables */
	const visit = (node, above, left, tables) => {
		const call = ts.isCallExpression(node) ? node : undefined;
		const word = call && testWord(call);
		const callback = call?.arguments
			.map(plain)
			.filter((argument) => isFunction(argument))
			.at(-1);
		const [first] = call?.arguments ?? [];
		// The table of `test.each` is a call of its own, without a title.
		if (
			!word ||
			!first ||
			(!callback && !/skip|todo/.test(word.rest)) ||
			/^[^(`]*\.each$/.test(word.rest)
		) {
			const inside = ts.isForOfStatement(node) ? [...tables, node.expression] : tables;
			ts.forEachChild(node, (child) => visit(child, above, left, inside));
			return;
		}
		const title = ts.isStringLiteralLike(first)
			? first.text
			: ts.isTemplateExpression(first)
				? first.getText().slice(1, -1)
				: `\${${textOf(first)}}`;
		const out = left || /^x/.test(word.word) || /^\.(skip|todo)\b/.test(word.rest);
		const options = call?.arguments.find((argument) => ts.isObjectLiteralExpression(argument));
		lone ||=
			/^f|\.only\b/.test(word.word + word.rest) || /\bonly: true/.test(options?.getText() ?? '');
		const skipped = /\b(skip|todo): (true|['"`])/.test(options?.getText() ?? '');
		const group = /describe|suite/.test(word.word);
		const inside = group || !callback ? undefined : source.findings(callback.body);
		found.push({
			kind: group ? 'describe' : 'test',
			title,
			above,
			line: source.tree.getLineAndCharacterOfPosition(node.getStart()).line + 1,
			runs: !out && !skipped,
			cases: [call?.expression, ...tables].flatMap((table) => (table ? source.texts(table) : [])),
			asserts: false,
			doubts: [],
			...(inside && callback ? { test: callback.body } : {}),
		});
		ts.forEachChild(node, (child) => visit(child, [...above, title], out || skipped, tables));
	};
	visit(source.tree, [], false, []);
	const all = found.flatMap(({ test, runs }) => (test && runs ? source.findings(test).sure : []));
	const tests = found.map(({ test, runs, ...about }) => {
		const doubts = test ? [...new Set(doubtsOf(source, test, source.findings(test), all))] : [];
		return {
			...about,
			runs: runs && !lone,
			asserts: test !== undefined && doubts.length === 0,
			doubts,
		};
	});
	if (text === undefined) answered.set(file, tests);
	return tests;
}

/** What stands in a title for a part of a case. */
const placeholder = /%[sijp#dfo]|\$[\w.]+|\$\{[^}]*\}/;

/** Where test runners look for tests, see scripts/test.mjs and jest.config.cjs. */
const places = /^test\/((unit|contract|engine)\/[^]*\.test\.cts|\w+\/[^]*\.test\.mjs)$/;

/**
 * Whether a test that a page names proves something.
 * @param {string} repository
 * @param {string} file below the repository
 * @param {string} title of a test or a group; of a test with a table, as it is written or with a case of it
 * @returns {{proves: boolean, why?: string}} `why` not
 */
export function proofOf(repository, file, title) {
	const no = (/** @type {string} */ why) => ({ proves: false, why });
	if (!places.test(file)) return no(`${file} is no place where tests run`);
	if (!existsSync(join(repository, file))) return no(`${file} does not exist`);
	const found = testsOf(join(repository, file));
	const path = title.split(' › ');
	const own = path.at(-1) ?? '';
	const above = path.slice(0, -1);
	const fitting = found.filter(
		(one) =>
			(one.title === own || one.cases.some((name) => isCase(one.title, name, own))) &&
			// The case that a group is for may be written as it is made.
			above.every((name, at) => {
				const group = one.above.at(at - above.length);
				return group === name || placeholder.test(group ?? '');
			}),
	);
	const tests = fitting.flatMap((one) =>
		one.kind === 'test'
			? [one]
			: found.filter(
					(inner) =>
						inner.kind === 'test' &&
						[...one.above, one.title].every((name, at) => inner.above[at] === name),
				),
	);
	if (tests.length === 0) return no(`${file} has no test "${title}"`);
	const idle = tests.find(({ runs }) => !runs);
	if (idle) return no(`"${idle.title}" is left out`);
	const weak = tests.find(({ asserts }) => !asserts);
	if (weak) return no(`"${weak.title}" ${weak.doubts.join('; ')}`);
	return { proves: true };
}

/**
 * Whether a name is that of a case in the table of a test.
 * @param {string} template title of the test, with its placeholders
 * @param {string} name text that stands in the table
 * @param {string} wanted
 */
function isCase(template, name, wanted) {
	const parts = template.split(placeholder);
	if (parts.length === 1) return false;
	const form = new RegExp(`^${parts.map((part) => RegExp.escape(part)).join('([^]*)')}$`);
	const [, ...filled] = form.exec(wanted) ?? [];
	// What follows a case's own name says how it is run and what is expected.
	return filled.some(
		(text) =>
			text === name ||
			(/^(:|,| \([^()]*\)$)/.test(text.slice(name.length)) && text.startsWith(name)),
	);
}
