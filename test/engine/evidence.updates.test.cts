/** Updates of which no source says whether they keep the fields that they leave out. */
import { agentOf, byId, failure, fast, hintsOf } from './guarantees/scene.cts';
import { usePlatform } from './harness/index.cts';

const platform = usePlatform({ settings: fast });

const update = async (operation: string, updateFields: object, items = [{ json: {} }]) => {
	const uuid = await agentOf(platform.sandbox);
	const result = await platform.engine.runNode(
		'acpAgents',
		{ resource: 'agentVoice', operation, agent: byId(uuid), updateFields: updateFields as never },
		{ items },
	);
	return { uuid, result };
};
const voiceOf = async (uuid: string) =>
	(await platform.sandbox.api.get(`/agents/${uuid}/voice`)).data.data;

describe('Evidence: a field that an update leaves out is taken for one that stays', () => {
	const sections = [
		['updateInteraction', 'interaction', { end_call_message: 'Bye', silence_message: 'Hello?' }],
		['updateCallBehavior', 'call_behavior', { silence_timeout_seconds: 30 }],
	] as const;
	const cases = sections.flatMap((section) =>
		[false, true].map((replacing) => [replacing ? 'replaces' : 'merges', ...section] as const),
	);

	test.each(cases)(
		'a platform that %s, %s: the other fields are read and sent, and it says so',
		async (manner, operation, section, before) => {
			const uuid = await agentOf(platform.sandbox);
			const path = section.replace('_', '-');
			await platform.sandbox.api.patch(`/agents/${uuid}/${path}`, before);
			const was = (await voiceOf(uuid))[section];
			await platform.sandbox.settings({ manners: { replacingUpdates: manner === 'replaces' } });
			const change =
				section === 'interaction'
					? { outboundFirstMessage: 'Hello' }
					: { maxCallDurationSeconds: 120 };
			const { result } = await update(operation, change);
			expect(failure(result)).toBeUndefined();
			expect((await voiceOf(uuid))[section]).toEqual({
				...was,
				...(section === 'interaction'
					? { outbound_first_message: 'Hello' }
					: { max_call_duration_seconds: 120 }),
			});
			expect(hintsOf(result)).toContain('read them and sent them unchanged with yours');
		},
	);

	test('a platform that does not show the fields: only what is filled in is sent, and it says so', async () => {
		await platform.sandbox.settings({
			differ: [{ path: '/agents/{uuid}/voice', method: 'GET', kind: 'missing' }],
		});
		const { uuid, result } = await update('updateInteraction', { silenceMessage: 'Hello?' });
		expect(failure(result)).toBeUndefined();
		expect(hintsOf(result)).toContain("Check the result with 'Get Voice Settings'");
		const sent = await platform.sandbox.ledger({ method: 'PATCH' });
		expect(sent.map(({ path, body }: any) => [path, body])).toEqual([
			[`/agents/${uuid}/interaction`, { silence_message: 'Hello?' }],
		]);
	});

	test('several items about one agent: each sends its own fields alone, so that none undoes another', async () => {
		const { uuid, result } = await update(
			'updateInteraction',
			{ silenceMessage: '={{ $json.silence }}', endCallMessage: '={{ $json.end }}' },
			[{ json: { silence: 'Hello?' } }, { json: { end: 'Bye' } }],
		);
		expect(failure(result)).toBeUndefined();
		expect((await voiceOf(uuid)).interaction).toMatchObject({
			silence_message: 'Hello?',
			end_call_message: 'Bye',
		});
		expect(hintsOf(result)).toContain('each sent only its own fields');
		const sent = await platform.sandbox.ledger({ method: 'PATCH' });
		expect(sent.map(({ body }: any) => Object.keys(body)).sort()).toEqual([
			['end_call_message'],
			['silence_message'],
		]);
	});
});
