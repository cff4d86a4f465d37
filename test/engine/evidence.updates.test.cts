/** Updates send what was filled in and nothing else, and say what may be lost where no source says that they are partial. */
import { isEmpty, isPlainObject, mapValues, pickBy } from 'lodash';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { contract } from '../../tools/contract.cjs';
import { nodes, operationsOf } from '../../tools/operations.cjs';
import { fill, forms } from './everyOperation/samples.cts';
import { beforehand, Scene } from './everyOperation/workspace.cts';
import { agentOf, byId, fast, hintsOf, ok, writesOf } from './guarantees/scene.cts';
import { usePlatform } from './harness/index.cts';

const { sandbox, engine, run } = usePlatform({ settings: fast });

const { endpoints } = contract();
const leftOutOf = (endpoint: string) => endpoints.find(({ key }) => key === endpoint)?.leftOut;

/** Every update that may leave something out; what replaces by its name is not among them. */
const updates = operationsOf(nodes()).filter(
	({ operation }) => ![undefined, 'replaced'].includes(leftOutOf(operation.endpoint)),
);

/** How many values are there; a list of texts is one value. */
const valuesIn = (value: unknown): number => {
	if (!value || (typeof value === 'object' && isEmpty(value))) return 0;
	const isInner = isPlainObject(value) || (Array.isArray(value) && isPlainObject(value[0]));
	return isInner
		? Object.values(value).reduce<number>((sum, inner) => sum + valuesIn(inner), 0)
		: 1;
};

const firstOf = (object: unknown) =>
	Object.fromEntries(Object.entries(object as IDataObject).slice(0, 1));

/** Updates whose request has more than one value where one field is filled in: what is required, and the first column. */
const more: Record<string, number> = {
	'agentIntent.update': 2,
	'agentVoice.updateVoiceAdvanced': 2,
	'phoneNumber.assignTrunk': 3,
	'phoneNumber.updateTrunk': 3,
};

test.each(updates.map((entry) => [entry.subject, entry] as const))(
	'%s sends one field that was filled in, and says what may be lost',
	async (subject, { operation, parameters, node }) => {
		const [form = {}] = forms(parameters);
		const scene = new Scene(sandbox, engine, subject, node.name, form, 'all', false);
		for (const name of beforehand[subject] ?? []) await scene.get(name);
		const update = async ({ options: _o, simplify: _s, ...chosen }: INodeParameters) =>
			ok(await run(`${node.name} ${subject}`, chosen));
		const all = await fill(parameters, scene, 'all', [], form);
		await update(all);
		const { updateFields } = all;
		const required = updateFields ? await fill(parameters, scene, 'required', [], form) : all;
		const one = updateFields
			? { updateFields: firstOf(updateFields) }
			: mapValues(pickBy(required, 'mappingMode'), (mapper: any) => ({
					...mapper,
					value: firstOf(mapper.value),
				}));
		await sandbox.clearLedger();
		const hints = hintsOf(await update({ ...required, ...one } as INodeParameters));
		const writes = await writesOf(sandbox);
		expect(writes.map(({ body }) => valuesIn(body))).toEqual([more[subject] ?? 1]);
		const leftOut = leftOutOf(operation.endpoint)!;
		const isPartial = leftOut === 'stays';
		const said = parameters.find(({ name }) => name === 'notice')?.displayName ?? '';
		// Not the doubt, but what to do.
		expect(said).toContain(isPartial ? '' : leftOut.replace(/^Unconfirmed: [^.]+\. /, ''));
		expect(/\bfill in\b/i.test(said)).toBe(!isPartial);
		// Of an agent, only what is inside a group may be lost.
		expect(hints.includes('no source shows it')).toBe(!isPartial && subject !== 'agent.update');
	},
);

test.each<[string, INodeParameters, boolean]>([
	['a group', { settingsVoice: { interactionSilenceMessage: 'Hello?' } }, true],
	['a field outside of groups', { updateFields: { topic: 'Sales' } }, false],
])('an agent, %s: the hint says that the group may be replaced: %j', async (_, change, says) => {
	const agent = byId(await agentOf(sandbox));
	const result = ok(await run('acpAgents agent.update', { agent, ...change }));
	expect(hintsOf(result).includes('may have been replaced as a whole')).toBe(says);
});
