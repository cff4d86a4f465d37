import {
	NodeOperationError,
	type IDataObject,
	type IHookFunctions,
	type IWebhookFunctions,
	type WebhookType,
} from 'n8n-workflow';
import { type IntentParameter, parameterOf } from './agentIntents';
import { locatorValue } from '../engine/fields/locator';
import { isUuid } from '../engine/response/response';
import { isStarting, type Target } from '../shared/registration/registrant';

/** Whether there is something to say in JSON: a letter, a digit, a number, yes or no. Names of fields say nothing. */
export function saysSomething(value: unknown): boolean {
	if (typeof value === 'string') return /[\p{L}\p{N}]/u.test(value);
	if (typeof value === 'object' && value !== null) return Object.values(value).some(saysSomething);
	return typeof value === 'number' || typeof value === 'boolean';
}

/** What is said where a parameter has no fixed text. These are its defaults in the editor. */
export const standardTexts = {
	responseText: 'Thank you, that is on its way.',
	fallbackText: 'I am sorry, I cannot find that out right now.',
};

export interface IntentFields {
	name: string;
	description: string;
	parameters: IntentParameter[];
}

/** The intent that the workflow answers for: one of the agent's, or one that the node creates. */
export interface WantedIntent extends Target {
	create?: IntentFields;
}

const trimmed = (value: unknown): string => String(value ?? '').trim();

function readId(context: IHookFunctions, name: string, label: string, what: string): string {
	const id = trimmed(locatorValue(context.getNodeParameter(name, '')));
	if (isUuid(id)) return id;
	throw new NodeOperationError(
		context.getNode(),
		id === ''
			? `No ${what} is chosen. Choose one under '${label}'`
			: `'${label}' is not an ID: "${id.slice(0, 60)}". Choose the ${what} from the list, or enter its ID`,
	);
}

function readIntentFields(context: IHookFunctions): IntentFields {
	const name = trimmed(context.getNodeParameter('intentName', ''));
	const { parameter = [] } = context.getNodeParameter('intentParameters', {}) as {
		parameter?: IDataObject[];
	};
	const parameters = parameter.map((one) => parameterOf(one, trimmed));
	const keys = parameters.map(({ key }) => key);
	const double = keys.find((key, index) => keys.indexOf(key) !== index);
	const wrong =
		name === ''
			? "The intent has no name. Enter one under 'Name'"
			: keys.includes('')
				? "A parameter under 'Parameters' has no key. Enter its 'Key'"
				: double && `'Parameters' has the key "${double}" twice. Rename one of them`;
	if (wrong) throw new NodeOperationError(context.getNode(), wrong);
	return {
		name,
		description: trimmed(context.getNodeParameter('intentDescription', '')),
		parameters,
	};
}

/** @throws NodeOperationError for what cannot be registered */
export function readWantedIntent(context: IHookFunctions): WantedIntent {
	const agent = readId(context, 'agent', 'Agent', 'agent');
	return context.getNodeParameter('intentToUse', 'existing') === 'create'
		? { agent, create: readIntentFields(context) }
		: { agent, intent: readId(context, 'intent', 'Intent', 'intent') };
}

interface Options {
	authToken?: string;
	responseTimeout?: unknown;
	replace?: boolean;
}

const optionsOf = (context: IHookFunctions | IWebhookFunctions): Options =>
	context.getNodeParameter('options', {}) as Options;

/** Whether the node may take an intent that does something else. */
export const readReplace = (context: IHookFunctions): boolean =>
	optionsOf(context).replace === true;

export interface AnswerSettings {
	immediately: boolean;
	/** Field of the first item that holds the answer; empty for the whole item. */
	field: string;
	text: string;
	fallbackText: string;
	longestMs: number;
	/** How to treat the auth token in the headers of a request. */
	authToken: 'whenPresent' | 'required' | 'off';
}

/** Nobody waits longer on the phone, and n8n's timers take no more than this. */
const mostSeconds = 120;

const secondsOf = (given: unknown): number => {
	const seconds = given === undefined || given === '' ? NaN : Number(given);
	return seconds > 0 ? Math.min(seconds, mostSeconds) : 10;
};

type Text = keyof typeof standardTexts;

/** The texts as they are in the workflow: no expression is evaluated. */
const writtenText = (context: IHookFunctions | IWebhookFunctions, name: Text): unknown =>
	context.getNode().parameters[name];

/** n8n takes the `=` away from a parameter that may be no expression, and leaves its braces. */
const isExpression = (text: unknown): boolean =>
	typeof text === 'string' && (text.startsWith('=') || text.includes('{{'));

function readText(context: IWebhookFunctions, name: Text): string {
	const written = writtenText(context, name);
	return isExpression(written) || !saysSomething(written) ? standardTexts[name] : trimmed(written);
}

/**
 * Refuses a text that could be missing, or be half a sentence, while a caller waits for it.
 * @throws NodeOperationError; while n8n starts, this only logs it
 */
export function refuseUnsureText(context: IHookFunctions): void {
	const [name, label]: [Text, string] =
		context.getNodeParameter('respond', 'lastNode') === 'immediately'
			? ['responseText', 'Text']
			: ['fallbackText', 'Fallback Text'];
	const written = writtenText(context, name);
	if (written === undefined || (saysSomething(written) && !isExpression(written))) return;
	const message = isExpression(written)
		? `'${label}' is an expression. The agent says this if the workflow cannot run, so an expression would not work. Enter fixed text. To answer with values, choose 'When Last Node Finishes' under 'Respond'`
		: `'${label}' contains no words. Enter a sentence that the agent can say`;
	if (!isStarting(context)) throw new NodeOperationError(context.getNode(), message);
	context.logger.warn(`Agent Question Trigger says "${standardTexts[name]}": ${message}`);
}

/** What to answer if the parameters cannot be read: an expression in one of them fails. */
export const lastResort = (context: IWebhookFunctions): AnswerSettings => ({
	immediately: false,
	field: trimmed(context.getNode().parameters.responseField),
	text: '',
	fallbackText: readText(context, 'fallbackText'),
	longestMs: secondsOf(undefined) * 1000,
	authToken: 'required',
});

/** Name of the webhook that n8n answers as the node's *Respond* says. */
export const webhookOf = (context: IHookFunctions): WebhookType =>
	context.getNodeParameter('respond', 'lastNode') === 'responseNode' ? 'setup' : 'default';

export function readAnswerSettings(context: IWebhookFunctions): AnswerSettings {
	const { authToken, responseTimeout } = optionsOf(context);
	const immediately = context.getNodeParameter('respond', 'lastNode') === 'immediately';
	return {
		immediately,
		field: immediately ? '' : trimmed(context.getNodeParameter('responseField', '')),
		text: immediately ? readText(context, 'responseText') : '',
		fallbackText: readText(context, 'fallbackText'),
		longestMs: secondsOf(responseTimeout) * 1000,
		authToken: authToken === 'required' || authToken === 'off' ? authToken : 'whenPresent',
	};
}
