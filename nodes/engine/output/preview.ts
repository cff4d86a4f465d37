import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { isEmpty } from 'lodash';
import { adding } from '../execution';
import { guessedIn, recipientsOf, shownAddress } from '../operation/places';
import { nothingSent } from './failures';
import { item } from './items';
import { changedNumbers, clockText, otherClocks } from './hints';
import { maskWebhooks, namesSecret } from '../secrets/secrets';
import { quoted } from '../text/text';
import type { PreparedRequest, Execution } from '../operation/operation';

/** Secrets stay out of what n8n keeps of a run. */
const hideSecret = (key: string, value: unknown): unknown =>
	typeof value === 'string' && value !== '' && namesSecret.test(key) ? '(hidden)' : value;

const shown = (content: IDataObject, path: string): IDataObject =>
	JSON.parse(JSON.stringify(maskWebhooks(content, path), hideSecret)) as IDataObject;

export function previewOf(execution: Execution, prepared: PreparedRequest): INodeExecutionData {
	const { workspace } = execution.client;
	const clocks = otherClocks(execution, prepared);
	const numbers = changedNumbers(execution, prepared);
	const { operation, path, query, body, report, items } = prepared;
	const matching = (report.matching ?? []).map(quoted).join(' and ');
	const [to, ...others] = recipientsOf(prepared);
	const guessed = guessedIn(operation, body);
	const whom = others.length === 0 ? to?.number : undefined;
	return item(
		adding(execution, {
			...(whom && shownAddress(whom)),
			text:
				`${nothingSent} Turn 'Preview' off to send this request${whom ? ` to ${whom}` : ''}.` +
				(matching ? ` If a record has the same ${matching}, it is updated instead.` : ''),
			...report.facts,
			...(numbers && { changedNumbers: numbers }),
			...(clocks.length ? { otherClocks: clocks.map(clockText).join('; ') } : {}),
			...(guessed.length ? { betaFields: guessed.join(', ') } : {}),
			preview: true,
			request: {
				method: operation.method,
				url: `${workspace.root}${path}`,
				...(isEmpty(query) ? {} : { query: shown(query, path) }),
				...(isEmpty(body) ? {} : { body: shown(body, path) }),
			},
		}),
		items,
	);
}
