import type { IExecuteFunctions, NodeExecutionHint } from 'n8n-workflow';
import type { Client } from '../http/client';
import { escapeHtml } from '../text/text';

/** Shows in the output panel what happened during the run. */
export function addHints(context: IExecuteFunctions, client: Client, hints: Set<string>): void {
	if (typeof context.addExecutionHints !== 'function') return;
	const { retried, heldBack, longestMs, otherZone } = client.tally;
	const seconds = Math.round(longestMs / 100) / 10;
	const said: NodeExecutionHint[] = [];
	if (retried > 0 || (heldBack > 0 && seconds >= 1)) {
		const parts = [
			retried > 0 ? `${retried} ${retried === 1 ? 'request was' : 'requests were'} retried` : '',
			heldBack > 0
				? `${heldBack} ${heldBack === 1 ? 'request was' : 'requests were'} delayed to keep the platform's rate limits`
				: '',
		].filter(Boolean);
		said.push({
			message: `${parts.join(' and ')}; the maximum wait was ${seconds} seconds.`,
			location: 'outputPane',
		});
	}
	if (otherZone) {
		said.push({
			message: `The platform applied the time zone ${otherZone} instead of the requested one. Times may be wrong. Check 'Timezone' under Options and in the credential.`,
			type: 'warning',
			location: 'outputPane',
		});
	}
	for (const message of hints) said.push({ message, location: 'outputPane' });
	// n8n shows a hint as HTML; rows and the platform may have written parts of it.
	if (said.length)
		context.addExecutionHints(
			...said.map((hint) => ({ ...hint, message: escapeHtml(hint.message) })),
		);
}
