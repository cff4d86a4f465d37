import type { IDataObject } from 'n8n-workflow';
import { get, isString, range, sortBy, uniq } from 'lodash';

/** Text of a template with its placeholders, if the list shows one (reference: whatsapp; its shape was not seen). */
export function templateText(template: IDataObject | undefined): string | undefined {
	const parts = [template?.components].flat();
	const body = parts.find((part) => String(get(part, 'type')).toUpperCase() === 'BODY');
	return [template?.content, get(body, 'text')].filter(isString).find(Boolean);
}

/** The placeholders {{1}}, {{2}}, … of a text, each with the words around it; the usual ten if it is not known. */
export function placeholdersOf(text: string | undefined): Array<{ number: number; label: string }> {
	if (text === undefined)
		return range(1, 11).map((number) => ({ number, label: 'text not shown' }));
	const line = text.replace(/\s+/g, ' ').replace(/\{\{ ?(\d+) ?\}\}/g, '{{$1}}');
	const found = [...line.matchAll(/\{\{(\d+)\}\}/g)].map(([, number]) => Number(number));
	return sortBy(uniq(found)).map((number) => ({ number, label: around(line, number) }));
}

/** The editor shows about the first 28 signs of a label. */
function around(line: string, number: number): string {
	const at = line.indexOf(`{{${number}}}`);
	const from = at < 12 ? 0 : line.lastIndexOf(' ', at - 12) + 1;
	const words = line.slice(from, at + 40);
	return `${from > 0 ? '…' : ''}${words}${from + words.length < line.length ? '…' : ''}`;
}
