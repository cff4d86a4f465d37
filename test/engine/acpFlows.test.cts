/** Flows: what does not go together in a step is refused before anything is sent. */
import { cases, refusals } from './guarantees/cases.cts';
import { byId } from './guarantees/scene.cts';
import { usePlatform } from './harness/index.cts';

const flow = byId('3f2b8c1e-5d47-4a9b-8f60-2c1d9e7a4b35');
const none = byId('={{ $json.none }}');
const action = { flow, kind: 'action', app: byId('tables') };
const trigger = { flow, kind: 'trigger', app: byId('agents') };
const child = { actionKey: byId('ai_query'), additionalFields: { parentStep: flow } };

cases(
	usePlatform(),
	refusals('acpFlows', [
		['flowStep.add', { ...action, actionKey: none }, "'Action' is empty"],
		['flowStep.add', { ...trigger, triggerKey: none }, "'Trigger' is empty"],
		['flowStep.add', { ...action, ...child }, "both 'Parent Step' and 'Branch'"],
	]),
);
