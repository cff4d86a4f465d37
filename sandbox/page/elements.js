/**
 * An element with its classes, attributes, listeners (`onclick`) and children; what is undefined or false is left out.
 * Text never becomes markup.
 * @param {string} selector tag and classes: `p.quiet`
 * @param {...(Record<string, any> | Node | string | undefined | false)} parts attributes first, if there are any
 */
export function element(selector, ...parts) {
	const [tag, ...classes] = selector.split('.');
	const made = document.createElement(tag);
	made.classList.add(...classes);
	for (const part of parts) {
		if (part === undefined || part === false) continue;
		if (typeof part === 'string' || part instanceof Node) made.append(part);
		else
			for (const [name, value] of Object.entries(part))
				if (name.startsWith('on')) made.addEventListener(name.slice(2), value);
				else if (value !== undefined && value !== false) made.setAttribute(name, value);
	}
	return made;
}

/** @param {string} label @param {object} attributes */
export const button = (label, { kind, ...attributes }) =>
	element(`button${kind ? `.${kind}` : ''}`, { type: 'button', ...attributes }, label);

/** @param {string} id */
export const byId = (id) => document.getElementById(id);

/** Sets a text only if it has changed: whatever listens to it would say it again. */
export function setText(target, text) {
	if (target.textContent !== text) target.textContent = text;
}

/**
 * Shows one element per item and keeps it for as long as the item is there, so that focus and what is being typed stay.
 * If the focus goes with an item, it moves to the element that `data-after` of the parent names.
 * @param {Element} parent
 * @param {any[]} items
 * @param {(item: any) => Element & {update?: (item: any) => void}} make
 * @param {(item: any, index: number) => string | number} [keyOf]
 */
export function each(parent, items, make, keyOf = ({ uuid }) => uuid) {
	const kept = new Map([...parent.children].map((child) => [child.dataset.key, child]));
	const keys = items.map((item, index) => String(keyOf(item, index)));
	let isFocusLost = false;
	for (const [key, child] of kept) {
		if (keys.includes(key)) continue;
		isFocusLost ||= child.contains(document.activeElement);
		child.remove();
	}
	if (isFocusLost && parent.dataset.after) byId(parent.dataset.after).focus();
	let before = parent.firstElementChild;
	for (const [index, item] of items.entries()) {
		let child = kept.get(keys[index]);
		if (child === undefined) {
			child = make(item);
			child.dataset.key = keys[index];
		}
		if (child === before) before = before.nextElementSibling;
		else parent.insertBefore(child, before);
		child.update?.(item);
	}
}

/** The parts of a sentence that there are. */
export const joined = (parts, between = ' ') => parts.filter(Boolean).join(between);

/** @param {string} word @param {number} count */
export const counted = (count, word) => `${count} ${word}${count === 1 ? '' : 's'}`;

/** @param {number} seconds */
export const clock = (seconds) =>
	`${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`;
