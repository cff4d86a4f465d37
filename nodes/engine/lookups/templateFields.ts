import type { IDataObject, ResourceMapperField } from 'n8n-workflow';

/** Offered if the platform does not show a template's text; each says why it is nameless. */
const usual = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];

/**
 * Text of a template with its placeholders; undefined if the response has none (reference: whatsapp, the list's shape
 * was not seen).
 */
function textOf(template: IDataObject | undefined): string | undefined {
	if (typeof template?.content === 'string' && template.content !== '') return template.content;
	const components = Array.isArray(template?.components)
		? (template.components as IDataObject[])
		: [];
	const body = components.find((component) => String(component?.type).toUpperCase() === 'BODY');
	return typeof body?.text === 'string' ? body.text : undefined;
}

/**
 * The placeholders {{1}}, {{2}}, … of a WhatsApp template as fields `field1`, `field2`, … (reference: whatsapp).
 * @param template as in the list of templates; undefined if it is not there
 * @returns the fields, all of them required; the usual ten, none required, if the text is not known
 */
export function templateFields(template: IDataObject | undefined): ResourceMapperField[] {
	const text = textOf(template);
	const nameless = template ? 'text not shown' : 'template not in the list';
	const numbers =
		text === undefined
			? usual
			: [
					...new Set(
						[...text.matchAll(/\{\{\s*(\d+)\s*\}\}/g)].map(([, number]) => Number(number)),
					),
				].sort((a, b) => a - b);
	const field = (number: number): ResourceMapperField => ({
		id: `field${number}`,
		displayName: `${number}: ${text === undefined ? nameless : around(text, number)}`,
		required: text !== undefined,
		defaultMatch: false,
		display: true,
		type: 'string',
	});
	return numbers.map(field);
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
