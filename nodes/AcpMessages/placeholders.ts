import { difference } from 'lodash';
import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { unreadable } from '../engine/response/response';
import { type Field, type FieldOptions, mapper } from '../engine/fields';
import { placeholdersOf, templateText } from '../engine/lookups/templateFields';
import type { PreflightDefinition } from '../engine/operation/operation';
import { read } from '../engine/operation/secondaryRead';
import { andList, quoted, tidy } from '../engine/text/text';

const dependsOn = ['template.value'];

/** The text of the chosen template, whole: the editor shows why a mapper has no fields in a box as large as the text. */
const text: INodeProperties = {
	displayName: 'Template Text',
	name: 'templateText',
	description: 'The whole text of the template',
	type: 'resourceMapper',
	noDataExpression: true,
	default: { mappingMode: 'defineBelow', value: null },
	builderHint: { propertyHint: 'Omit' },
	displayOptions: { hide: { template: [''] } },
	typeOptions: {
		loadOptionsDependsOn: dependsOn,
		resourceMapper: {
			resourceMapperMethod: 'getTemplateText',
			mode: 'add',
			fieldWords: { singular: 'text', plural: 'text' },
			supportAutoMap: false,
		},
	},
};

/** Values for the placeholders of the template that is chosen in 'Template', below its text. */
export function placeholders(options: FieldOptions): Field<Record<string, string>> {
	const field = mapper<Record<string, string>>('getTemplateFields', {
		displayName: 'Placeholders',
		words: { singular: 'placeholder', plural: 'placeholders' },
		dependsOn,
		// A message with a gap in its text helps nobody.
		decides: true,
		autoMap: false,
		texts: true,
		...options,
	});
	return { ...field, show: (...named) => [text, ...field.show(...named)] };
}

const placeholdersIn = (text: string): number => text.match(/\{\{\s*\d+\s*\}\}/g)?.length ?? 0;

/** Compares values with the text in the list of templates (reference: whatsapp). @param given numbers that have a value */
function misfit(templates: IDataObject[], id: unknown, given: string[]): string | undefined {
	const template = templates.find(({ uuid }) => uuid === id);
	const text = templateText(template);
	// The list does not show it, or no text of it: it may have any placeholders.
	if (text === undefined) throw unreadable('record', templates[0]);
	const wanted = placeholdersOf(text).map(({ number }) => String(number));
	const named = (numbers: string[]) => andList(numbers.map((number) => `{{${number}}}`));
	const lacking = difference(wanted, given);
	const shown = quoted(tidy(text, 80));
	if (lacking.length > 0)
		return `'Placeholders' has no value for ${named(lacking)}, so people would read the braces: ${shown}. Fill it in`;
	// How values are numbered that belong to a header or a button is not shown.
	const others = placeholdersIn(JSON.stringify(template?.components ?? '')) - placeholdersIn(text);
	const left = others > 0 ? [] : difference(given, wanted);
	return left.length > 0
		? `'Placeholders' has a value for ${named(left)}, which the template does not have: ${shown}. Remove it`
		: undefined;
}

/** Every placeholder of a template has a value, and no other. @param of what a body says of both */
export const placeholdersFit = (
	of: (body: IDataObject) => { template: unknown; values: unknown },
): PreflightDefinition => ({
	read: read('GET /whatsapp/templates'),
	whole: true,
	unread:
		'The text of the template could not be read, so it is unknown whether all its placeholders are filled in.',
	check: (templates, body) => {
		const { template, values } = of(body);
		const given = Object.keys((values as IDataObject | undefined) ?? {});
		const numbers = given.map((key) => key.replace(/^field(?=\d+$)/, ''));
		return misfit(templates as IDataObject[], template, numbers);
	},
});
