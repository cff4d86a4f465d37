import { pick } from 'lodash';
import type { Operation } from './operation';
import type { Fields } from '../fields/shape';
import { actionName } from '../platform/guesses';
import { inSentence, title } from '../text/text';

export interface Resource {
	/** Title Case, singular, as in the resource dropdown. */
	label: string;
	value: string;
	/** What its records are parts of, as in "Add a note to an agent"; the label may begin with it. */
	partOf?: string;
	description?: string;
	/** What stands in the paths of its operations, where they do not say it themselves. */
	path?: Fields;
	operations: Record<string, Operation>;
	defaultOperation?: string;
	/** What of it is reached through the node's API Request alone, and what to know about it; whole sentences. */
	apiRequestNotice?: string;
	/** Areas of the interface near it of which no known source shows an endpoint (interface §1, §4.4). */
	unsupported?: string[];
}

/** How an action speaks of parts: "Add a note to an agent", "Get the files of a builder". */
const partsWith: Record<string, { article?: string; of?: string }> = {
	Add: { of: 'to' },
	Assign: { of: 'to' },
	Create: { of: 'for' },
	Delete: { of: 'from' },
	Get: { article: 'the' },
	Remove: { of: 'from' },
	Replace: { article: 'all' },
	Set: { article: 'the' },
};

/** "a note", "an agent"; several as they are. */
const oneOf = (what: string): string =>
	what.endsWith('s') ? what : `${/^(a|e|i|o)/i.test(what) ? 'an' : 'a'} ${what}`;

/** The action that the name of an operation and its resource make: "Get many agents", "Start a call". */
function actionOf(name: string, { label, partOf }: Resource): string {
	const whole = inSentence(label);
	const own = partOf && whole.startsWith(`${partOf} `) ? whole.slice(partOf.length + 1) : whole;
	const [verb = '', ...part] = name.split(' ');
	const { article, of = 'of' } = partsWith[verb] ?? {};
	if (name === 'Get Many') return `Get many ${own}s${partOf ? ` of ${oneOf(partOf)}` : ''}`;
	if (part.length === 0) return `${verb} ${oneOf(own)}${partOf ? ` ${of} ${oneOf(partOf)}` : ''}`;
	const what = inSentence(part.join(' '));
	return `${verb} ${article ? `${article} ${what}` : oneOf(what)} ${of} ${oneOf(partOf ?? own)}`;
}

/** @throws Error if a part of the path has no field */
function pathOf({ endpoint, path, template }: Operation, { path: shared = {} }: Resource): Fields {
	const names = [...template.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
	const fields = { ...pick(shared, names), ...path };
	if (names.some((name) => !fields[name])) throw new Error(`${endpoint}: no field`);
	return fields;
}

/** Declares a resource. Operations that say none get their name from their value, their action from the name. */
export function resource(definition: Resource): Resource {
	const operations = Object.entries(definition.operations).map(([value, operation]) => {
		const name = operation.name || (value === 'getAll' ? 'Get Many' : title(value));
		const action = actionName(operation.action || actionOf(name, definition), operation);
		return [value, { ...operation, path: pathOf(operation, definition), name, action }] as const;
	});
	return { ...definition, operations: Object.fromEntries(operations) };
}
