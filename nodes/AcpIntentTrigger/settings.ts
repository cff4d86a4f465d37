import { NodeOperationError, type IHookFunctions, type IWebhookFunctions } from 'n8n-workflow';
import type { IntentParameter } from './agentIntents';
import { locatorValue } from '../engine/fields/locator';
import { isUuid } from '../engine/fields/scalar';

/** The intent that the node creates, as its parameters describe it. */
export interface IntentFields {
	name: string;
	description: string;
	parameters: IntentParameter[];
}

/** The intent that the workflow answers for: one of the agent's, or one that the node creates. */
export interface Target {
	agent: string;
	intent?: string;
	create?: IntentFields;
}

const textOf = (value: unknown): string => String(value ?? '').trim();

function readId(context: IHookFunctions, name: string, label: string, what: string): string {
	const id = textOf(locatorValue(context.getNodeParameter(name, '')));
	if (isUuid(id)) return id;
	throw new NodeOperationError(
		context.getNode(),
		id === ''
			? `No ${what} is chosen. Choose one under '${label}'`
			: `'${label}' is not an ID: "${id.slice(0, 60)}". Choose the ${what} from the list, or enter its ID`,
	);
}

function readIntentFields(context: IHookFunctions): IntentFields {
	const name = textOf(context.getNodeParameter('intentName', ''));
	const refuse = (message: string): never => {
		throw new NodeOperationError(context.getNode(), message);
	};
	if (name === '') refuse("The intent has no name. Enter one under 'Name'");
	const { parameter = [] } = context.getNodeParameter('intentParameters', {}) as {
		parameter?: Array<Partial<IntentParameter>>;
	};
	const parameters = parameter.map((one) => ({
		key: textOf(one.key),
		type: textOf(one.type) || 'string',
		default: textOf(one.default),
		required: one.required === true,
	}));
	const keys = parameters.map(({ key }) => key);
	if (keys.includes('')) refuse("A parameter under 'Parameters' has no key. Enter its 'Key'");
	const double = keys.find((key, index) => keys.indexOf(key) !== index);
	if (double !== undefined)
		refuse(`'Parameters' has the key "${double}" twice. Rename one of them`);
	return {
		name,
		description: textOf(context.getNodeParameter('intentDescription', '')),
		parameters,
	};
}

/** @throws NodeOperationError for what cannot be registered */
export function readTarget(context: IHookFunctions): Target {
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

/** What to answer, and when at the latest. */
export interface AnswerSettings {
	immediately: boolean;
	/** Field of the first item that holds the answer; empty for the whole item. */
	field: string;
	/** Fixed text of an immediate answer. */
	text: string;
	fallbackText: string;
	longestMs: number;
	/** How to treat the auth token in the headers of a request. */
	authToken: 'whenPresent' | 'required' | 'off';
}

/** Nobody waits longer on the phone, and n8n's timers take no more than this. */
const mostSeconds = 120;

/** Ten seconds if there is no usable value. */
const secondsOf = (given: unknown): number => {
	const seconds = given === undefined || given === '' ? NaN : Number(given);
	return seconds > 0 ? Math.min(seconds, mostSeconds) : 10;
};

export function readAnswerSettings(context: IWebhookFunctions): AnswerSettings {
	const { authToken, responseTimeout } = optionsOf(context);
	const parameter = (name: string): string => textOf(context.getNodeParameter(name, ''));
	const immediately = context.getNodeParameter('respond', 'lastNode') === 'immediately';
	return {
		immediately,
		field: immediately ? '' : parameter('responseField'),
		text: immediately ? parameter('responseText') : '',
		fallbackText: parameter('fallbackText'),
		longestMs: secondsOf(responseTimeout) * 1000,
		authToken: authToken === 'required' || authToken === 'off' ? authToken : 'whenPresent',
	};
}
