/** A credential without a token: said in words wherever the nodes would use it, and nothing leaves. */
import { usePlatform } from './guarantees/platform.cts';
import { agentOf, contact, failure, people } from './guarantees/scene.cts';

const { sandbox, engine, run } = usePlatform();
const named =
	/^'Token' in the credential is empty\. Create one in your profile's Developer section/;

test.each([
	['empty', ''],
	['the word Bearer alone', 'Bearer \n '],
])('Guarantee: an empty token is named before anything is sent › %s', async (_, token) => {
	const credentials = { acpApi: sandbox.credential({ token }) };
	expect(failure(await run('acpContacts', contact(), { items: people(2), credentials }))).toMatch(
		named,
	);
	const list = { path: 'parameters.agent', credentials };
	await expect(engine.listSearch('acpAgents', 'searchAgents', list)).rejects.toThrow(named);
	const agents = { path: 'parameters.agents', credentials };
	await expect(engine.loadOptions('acpTrigger', 'getAgents', agents)).rejects.toThrow(
		/'Token' in the credential is empty/,
	);
	const of = { agents: [await agentOf(sandbox)] };
	const trigger = await engine.trigger('acpTrigger', of, { credentials });
	await expect(trigger.activate()).rejects.toThrow(named);
	expect(await sandbox.ledger()).toEqual([]);
});
