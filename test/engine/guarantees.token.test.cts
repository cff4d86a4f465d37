/** A credential without a token: said in words wherever the nodes would use it, and nothing leaves. */
import { usePlatform } from './guarantees/platform.cts';
import { contact, failure, people } from './guarantees/scene.cts';

const { sandbox, engine, run } = usePlatform();
const named =
	/^'Token' in the credential is empty\. Create one in your profile's Developer section/;

describe.each([
	['empty', ''],
	['spaces', ' \n '],
	['the word Bearer alone', 'Bearer '],
])('Guarantee: an empty token is named before anything is sent › %s', (_, token) => {
	const credentials = () => ({ acpApi: sandbox.credential({ token }) });
	const nothingLeft = async () => expect(await sandbox.ledger()).toEqual([]);

	test('by an action node', async () => {
		const result = await run('acpContacts', contact(), {
			items: people(2),
			credentials: credentials(),
		});
		expect(failure(result)).toMatch(named);
		await nothingLeft();
	});

	test('by a list of the editor', async () => {
		const searched = engine.listSearch('acpAgents', 'searchAgents', {
			parameters: { resource: 'agent', operation: 'get' } as never,
			path: 'parameters.agent',
			credentials: credentials(),
		});
		await expect(searched).rejects.toThrow(named);
		await nothingLeft();
	});

	test('by the agents of the trigger', async () => {
		const loaded = engine.loadOptions('acpTrigger', 'getAgents', {
			path: 'parameters.agents',
			credentials: credentials(),
		});
		await expect(loaded).rejects.toThrow(/'Token' in the credential is empty/);
		await nothingLeft();
	});

	test('by the trigger when it is published', async () => {
		const [{ agent_uuid: agent }] = (await sandbox.state('agents')) as [{ agent_uuid: string }];
		const trigger = await engine.trigger(
			'acpTrigger',
			{ agents: [agent] },
			{ credentials: credentials() },
		);
		await expect(trigger.activate()).rejects.toThrow(named);
		await nothingLeft();
	});
});
