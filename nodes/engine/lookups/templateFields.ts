import type { IDataObject } from 'n8n-workflow';
import { range, uniq } from 'lodash';

/** Text of a template with its placeholders, if the response has one (reference: whatsapp; its shape was not seen). */
export function textOf(template: IDataObject | undefined): string | undefined {
	if (typeof template?.content === 'string' && template.content !== '') return template.content;
	const components = Array.isArray(template?.components)
		? (template.components as IDataObject[])
		: [];
	const body = components.find((component) => String(component?.type).toUpperCase() === 'BODY');
	return typeof body?.text === 'string' ? body.text : undefined;
}

/**
 * The placeholders {{1}}, {{2}}, … of a WhatsApp template (reference: whatsapp), each with what it stands for.
 * @param template as in the list of templates; undefined if it is not there
 * @returns the usual ten if the text is not known
 */
export function placeholdersOf(template: IDataObject | undefined) {
	const text = textOf(template);
	const nameless = template ? 'text not shown' : 'template not in the list';
	const found = [...(text ?? '').matchAll(/\{\{\s*(\d+)\s*\}\}/g)].map(([, number]) =>
		Number(number),
	);
	const numbers = text === undefined ? range(1, 11) : uniq(found).sort((a, b) => a - b);
	return {
		known: text !== undefined,
		placeholders: numbers.map((number) => ({
			number,
			label: text === undefined ? nameless : around(text, number),
		})),
	};
}

/**
 * The words around a placeholder, so that a person sees what it stands for; the editor shows
 * about the first 28 signs of a label.
 */
function around(text: string, number: number): string {
	const line = text
		.replace(/\s+/g, ' ')
		.replace(/\{\{\s*(\d+)\s*\}\}/g, (_, found: string) =>
			Number(found) === number ? '[…]' : `[${found}]`,
		);
	const at = line.indexOf('[…]');
	const words = line.slice(Math.max(0, at - 40), at).split(' ');
	const before = words
		.slice(words.at(-1) === '' ? -3 : -2)
		.join(' ')
		.trimStart()
		.slice(-14);
	const to = Math.min(line.length, at + 33);
	return `${before.length < at ? '…' : ''}${before}${line.slice(at, to).trim()}${to < line.length ? '…' : ''}`;
}
