import type { INodeProperties } from 'n8n-workflow';
import { type Field, type FieldOptions, mapper } from '../engine/fields';

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
