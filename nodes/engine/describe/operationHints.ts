import { pickBy } from 'lodash';
import type { NodeHint } from 'n8n-workflow';
import { longRun, sendsPerSecond } from '../platform/waits';
import type { Resource } from '../operation/resource';

/** What the editor says before a run that would send very many: n8n shows a run's own hints only at its end. */
export const hintsBeforeRuns = (resources: Resource[]): NodeHint[] =>
	resources.flatMap(({ value, operations }) =>
		Object.entries(pickBy(operations, 'forMany')).map(([name, { forMany }]): NodeHint => ({
			type: 'info',
			location: 'outputPane',
			whenToDisplay: 'beforeExecution',
			displayCondition: `={{ $parameter["resource"] === "${value}" && $parameter["operation"] === "${name}" && $input.all().length >= ${longRun} }}`,
			message: `You are about to send more than ${longRun - 1} items. At ${sendsPerSecond} per second, 1000 take more than ${Math.floor(1000 / sendsPerSecond / 60)} minutes and 10,000 more than ${Math.floor(10_000 / sendsPerSecond / 60)} minutes. ${forMany}`,
		})),
	);
