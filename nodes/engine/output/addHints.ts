import type { IExecuteFunctions, NodeExecutionHint } from 'n8n-workflow';
import type { Client } from '../http/client';
import { andList, escapeHtml, many } from '../text/text';

/** Shows in the output panel what happened during the run. */
export function addHints(context: IExecuteFunctions, client: Client, hints: Set<string>): void {
	if (typeof context.addExecutionHints !== 'function') return;
	const { retried, heldBack, longestMs, otherZone } = client.tally;
	const seconds = Math.round(longestMs / 100) / 10;
	const were = ['request was', 'requests were'] as const;
	const waits = [
		...(retried > 0 ? [`${many(retried, ...were)} retried`] : []),
		...(heldBack > 0
			? [`${many(heldBack, ...were)} delayed to keep the platform's rate limits`]
			: []),
	];
	const said: Array<Pick<NodeExecutionHint, 'message' | 'type'>> = [];
	if (retried > 0 || (heldBack > 0 && seconds >= 1))
		said.push({ message: `${andList(waits)}; the maximum wait was ${seconds} seconds.` });
	if (otherZone)
		said.push({
			message: `The platform applied the time zone ${otherZone} instead of the requested one. Times may be wrong. Check 'Timezone' under Options and in the credential.`,
			type: 'warning',
		});
	for (const message of hints) said.push({ message });
	if (said.length === 0) return;
	// n8n shows a hint as HTML; rows and the platform may have written parts of it.
	context.addExecutionHints(
		...said.map(({ message, type }) => ({
			message: escapeHtml(message),
			type,
			location: 'outputPane' as const,
		})),
	);
}
