import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { answerAtOnce, holdResponse, type HttpResponse } from './answer';
import type { Registration } from './intentState';
import { type } from './registration';
import { contactOf, conversationOf, parametersOf } from './request';
import { lastResort, readAnswerSettings, type AnswerSettings } from './settings';
import { rethrow } from '../engine/errors/requestError';
import { markOf } from '../engine/http/workspace';
import {
	bytesOf,
	masked,
	deliveredObject,
	receiverOf,
	RejectedDelivery,
	type Delivered,
	type Sender,
	unauthorized,
} from '../shared/registration/delivered';
import { sameText } from '../shared/registration/proof';
import { isPlainObject } from '../engine/text/text';

interface Header {
	name: string;
	value: string;
}

/** Headers whose purpose is to carry a token. */
const tokenHeader = /^(proxy-)?authorization$|auth[-_]?token$/i;

const secretIn = (value: string): string => value.trim().replace(/^(bearer|token)\s+/i, '');

/**
 * No source shows in which header the platform sends an intent's `auth_token` (catalogue, intentAnswer): it may be any.
 * @throws RejectedDelivery if a header for tokens has a wrong one, or if a token is required and missing
 */
async function checkAuthToken(
	{ headers }: Delivered,
	sender: Sender<Registration>,
	demand: AnswerSettings['authToken'],
): Promise<void> {
	if (demand === 'off') return;
	const { kept, secret } = sender;
	const made = kept ? undefined : await secret('auth');
	const expected = kept?.authToken ?? (made && markOf(made.toString('base64url')));
	const given = Object.entries(headers).flatMap(([name, values = []]): Header[] =>
		[values].flat().map((value) => ({ name, value })),
	);
	const isRight = ({ value }: Header): boolean =>
		expected !== undefined && sameText(markOf(secretIn(value)), expected);
	// A proxy may add its own user name and password.
	const isWrong = ({ name, value }: Header): boolean =>
		tokenHeader.test(name) && value.trim() !== '' && !/^basic\s/i.test(value.trim());
	if (given.some(isRight)) return;
	if (demand === 'required' || given.some(isWrong)) throw unauthorized(expected !== undefined);
}

/** The body as an object; empty if the request has none. @throws RejectedDelivery */
async function bodyOf(request: Delivered): Promise<IDataObject> {
	const bytes = await bytesOf(request);
	if (bytes.length === 0) return {};
	const isForm = request.contentType === 'application/x-www-form-urlencoded';
	return isForm && isPlainObject(request.body)
		? { ...(request.body as IDataObject) }
		: deliveredObject(request, bytes);
}

/**
 * Turns a request into one item and answers it in time. If a parameter cannot be read, n8n records why, and the caller
 * gets the fallback text instead of n8n's answer with status 500.
 */
export const receive = receiverOf<Registration>(type, async (context, request, sender) => {
	const response = context.getResponseObject() as unknown as HttpResponse;
	try {
		return await take(context, request, response, sender);
	} catch (thrown) {
		if (!(thrown instanceof RejectedDelivery)) {
			const settings = lastResort(context);
			holdResponse(response, settings, settings.longestMs);
		}
		return rethrow(thrown);
	}
});

async function take(
	context: IWebhookFunctions,
	request: Delivered,
	response: HttpResponse,
	sender: Sender<Registration>,
): Promise<IWebhookResponseData> {
	const begun = Date.now();
	const settings = readAnswerSettings(context);
	await checkAuthToken(request, sender, settings.authToken);
	const body = await bodyOf(request);
	const { agent, intent, kept } = sender;
	const declared = kept?.parameters;
	const answerBy = begun + settings.longestMs;
	const json: IDataObject = {
		intent,
		agent,
		parameters: parametersOf(body, declared ?? []),
		conversation: conversationOf(body, declared),
		...contactOf(body, declared),
		body: masked(body) as IDataObject,
		receivedAt: new Date(begun).toISOString(),
		answerBy: settings.immediately ? null : new Date(answerBy).toISOString(),
	};
	if (kept?.outdated) {
		// The node now serves another intent, but the platform still calls it for this one.
		answerAtOnce(response, { ...settings, immediately: false });
		return { noWebhookResponse: true };
	}
	if (settings.immediately) {
		answerAtOnce(response, settings);
		return { workflowData: [[{ json }]], noWebhookResponse: true };
	}
	holdResponse(response, settings, answerBy - Date.now(), json);
	return { workflowData: [[{ json }]] };
}
