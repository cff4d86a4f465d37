/** Ratings & Coaching: what is refused before anything is sent. */
import { cases, refusals } from './guarantees/cases.cts';
import { byId } from './guarantees/scene.cts';
import { usePlatform } from './harness/index.cts';

const coachingAgent = byId('00000000-0000-4000-8000-000000000000');
const unset = { coachingAgent, updateFields: { isDefault: false } };

cases(usePlatform(), refusals('acpQuality', [['coachingAgent.update', unset, 'Set as Default']]));
