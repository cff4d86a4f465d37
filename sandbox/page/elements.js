/**
 * An element with its attributes, listeners (`onclick`) and children. Text never becomes markup.
 * @param {string} tag
 * @param {Record<string, any>} [attributes]
 * @param {...(Node | string)} children
 */
export function element(tag, attributes = {}, ...children) {
	const made = document.createElement(tag);
	for (const [name, value] of Object.entries(attributes)) {
		if (name.startsWith('on')) made.addEventListener(name.slice(2), value);
		else if (value !== undefined && value !== false) made.setAttribute(name, value);
	}
	made.append(...children);
	return made;
}

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
 * @param {(item: any) => string | number} keyOf
 * @param {(item: any) => Element & {update?: (item: any) => void}} make
 */
export function each(parent, items, keyOf, make) {
	const kept = new Map([...parent.children].map((child) => [child.dataset.key, child]));
	const keys = new Set(items.map((item) => String(keyOf(item))));
	let isFocusLost = false;
	for (const [key, child] of kept) {
		if (keys.has(key)) continue;
		isFocusLost ||= child.contains(document.activeElement);
		child.remove();
	}
	if (isFocusLost && parent.dataset.after) byId(parent.dataset.after).focus();
	let before = parent.firstElementChild;
	for (const item of items) {
		const key = String(keyOf(item));
		let child = kept.get(key);
		if (child === undefined) {
			child = make(item);
			child.dataset.key = key;
		}
		if (child === before) before = before.nextElementSibling;
		else parent.insertBefore(child, before);
		child.update?.(item);
	}
}

/** @param {string} word @param {number} count */
export const counted = (count, word) => `${count} ${word}${count === 1 ? '' : 's'}`;

/** @param {number} seconds */
export const clock = (seconds) =>
	`${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`;
