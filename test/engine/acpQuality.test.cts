/** Ratings & Coaching: what is refused before anything is sent. */
import { cases, refusals } from './guarantees/cases.cts';
import { byId } from './guarantees/scene.cts';
import { usePlatform } from './harness/index.cts';

cases(
	usePlatform(),
	refusals('acpQuality', [
		[
			'coachingAgent.update',
			{
				coachingAgent: byId('00000000-0000-4000-8000-000000000000'),
				updateFields: { isDefault: false },
			},
			'Set as Default',
		],
		[
			'coachingAgent.create',
			{ name: 'x', additionalFields: { autoTriggerThreshold: 101 } },
			'it must be 100 or less',
		],
	]),
);
