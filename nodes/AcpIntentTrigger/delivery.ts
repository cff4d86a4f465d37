import type { IDataObject, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';
import { isPlainObject } from 'lodash';
import { answerAtOnce, holdResponse, type HttpResponse } from './answer';
import type { Registration } from './intentState';
import { type } from './registration';
import { contactOf, conversationOf, parametersOf } from './request';
import { lastResort, readAnswerSettings, type AnswerSettings } from './settings';
import { rethrow } from '../engine/errors/requestError';
import { markOf } from '../engine/http/workspace';
import { maskWebhooks } from '../engine/secrets/secrets';
import {
	bytesOf,
	masked,
	deliveredObject,
	answeringRejections,
	RejectedDelivery,
	senderOf,
	type Delivered,
	type Sender,
} from '../engine/registration/delivered';
import { pendingCleanups } from '../engine/registration/pendingCleanups';
import { sameText } from '../engine/registration/proof';

const responseOf = (context: IWebhookFunctions): HttpResponse =>
	context.getResponseObject() as unknown as HttpResponse;

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
	const given = Object.entries(headers).flatMap(([name, values]) =>
		[values].flat().flatMap((value) => (value === undefined ? [] : [{ name, value }])),
	);
	const isRight = ({ value }: { value: string }): boolean =>
		expected !== undefined && sameText(markOf(secretIn(value)), expected);
	// A proxy may add its own user name and password.
	const isWrong = ({ name, value }: { name: string; value: string }): boolean =>
		tokenHeader.test(name) && value.trim() !== '' && !/^basic\s/i.test(value.trim());
	if (given.some(isRight)) return;
	if (demand === 'required' || given.some(isWrong)) throw new RejectedDelivery(401, 'Unauthorized');
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
 * n8n's `webhook`: turns a request into one item and answers it in time, or answers it without starting anything. It
 * never throws because of what a sender does: n8n would record a failed execution.
 */
export const receive = async (context: IWebhookFunctions): Promise<IWebhookResponseData> =>
	await answeringRejections(context, accept);

async function accept(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const begun = Date.now();
	const request = context.getRequestObject() as unknown as Delivered;
	const sender = await senderOf<Registration>(context, type);
	try {
		return await take(context, request, sender, begun);
	} catch (thrown) {
		// n8n records why, and answers with status 500: the caller gets the fallback text instead.
		if (!(thrown instanceof RejectedDelivery)) {
			const settings = lastResort(context);
			holdResponse(responseOf(context), settings, settings.longestMs);
		}
		return rethrow(thrown);
	}
}

async function take(
	context: IWebhookFunctions,
	request: Delivered,
	sender: Sender<Registration>,
	begun: number,
): Promise<IWebhookResponseData> {
	const response = responseOf(context);
	const settings = readAnswerSettings(context);
	await checkAuthToken(request, sender, settings.authToken);
	const body = await bodyOf(request);
	const declared = sender.kept?.parameters;
	const answerBy = begun + settings.longestMs;
	const json: IDataObject = {
		intent: sender.intent,
		agent: sender.agent,
		parameters: parametersOf(body, declared ?? []),
		conversation: conversationOf(body, declared),
		...contactOf(body, declared),
		body: maskWebhooks(masked(body)) as IDataObject,
		receivedAt: new Date(begun).toISOString(),
		answerBy: settings.immediately ? null : new Date(answerBy).toISOString(),
	};
	if (sender.kept?.outdated) {
		// The node now serves another intent, but the platform still calls it for this one.
		answerAtOnce(response, { ...settings, immediately: false });
		return { noWebhookResponse: true };
	}
	pendingCleanups.testReceived(context);
	if (settings.immediately) {
		answerAtOnce(response, settings);
		return { workflowData: [[{ json }]], noWebhookResponse: true };
	}
	holdResponse(response, settings, answerBy - Date.now());
	return { workflowData: [[{ json }]] };
}
