import type { Operation } from './operation';
import { actionName } from '../platform/guesses';
import { inSentence, title } from '../text/text';

/** A resource of a node: its operations by `operation` value. */
export interface Resource {
	/** Title Case, singular, as in the resource dropdown. */
	label: string;
	value: string;
	description?: string;
	operations: Record<string, Operation>;
	defaultOperation?: string;
	/** What of it is reached through the node's API Request alone, and what to know about it; whole sentences. */
	apiRequestNotice?: string;
}

/** What n8n calls the usual operations: the start of their action, before "an agent" or "many agents". */
const usual: Record<string, string> = {
	create: 'Create',
	delete: 'Delete',
	get: 'Get',
	getAll: 'Get many',
	update: 'Update',
};

/** The action of an operation that says none: "Get an agent". */
function actionOf(value: string, label: string): string {
	const one = inSentence(label);
	const article = ['a', 'e', 'i', 'o'].includes(label.charAt(0).toLowerCase()) ? 'an' : 'a';
	const what = value === 'getAll' ? `${one}s` : `${article} ${one}`;
	return `${usual[value]} ${what}`;
}

/** Declares a resource. Its operations get their name from their value, the usual ones their action, too. */
export function resource(definition: Resource): Resource {
	const operations = Object.entries(definition.operations).map(([value, operation]) => {
		const name = operation.name || (value === 'getAll' ? 'Get Many' : title(value));
		const action = actionName(operation.action || actionOf(value, definition.label), operation);
		return [value, { ...operation, name, action }] as const;
	});
	return { ...definition, operations: Object.fromEntries(operations) };
}
