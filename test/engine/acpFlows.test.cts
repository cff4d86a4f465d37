/** Flows: what does not go together in a step is refused before anything is sent. */
import { cases, refusals } from './guarantees/cases.cts';
import { byId } from './guarantees/scene.cts';
import { usePlatform } from './harness/index.cts';

const some = byId('3f2b8c1e-5d47-4a9b-8f60-2c1d9e7a4b35');
const none = byId('={{ $json.none }}');
const action = { flow: some, kind: 'action', app: byId('tables') };

cases(
	usePlatform(),
	refusals('acpFlows', [
		['flowStep.add', { ...action, actionKey: none }, "'Action' is empty"],
		[
			'flowStep.add',
			{ flow: some, kind: 'trigger', app: byId('agents'), triggerKey: none },
			"'Trigger' is empty",
		],
		[
			'flowStep.add',
			{ ...action, actionKey: byId('ai_query'), additionalFields: { parentStep: some } },
			"both 'Parent Step' and 'Branch'",
		],
		[
			'flowStep.test',
			{ flow: some, step: some, additionalFields: { live: true, dryRun: true } },
			"'Live' and 'Dry Run'",
		],
	]),
);
