/** A callback URL that has leaked is made invalid by the option 'URL Version', in both triggers. */
import { usePlatform, type Trigger } from './harness/index.cts';

const { sandbox, engine } = usePlatform({ speed: 10 });

const post = async (url: string) =>
	(
		await fetch(url, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: '{"event":"conversation_end_report","data":{}}',
		})
	).status;

/** Each trigger, published, with the URL that the platform has for it. */
const scenes = {
	acpTrigger: async () => {
		const [{ agent_uuid: agent }] = await sandbox.state('agents');
		const parameters = { agents: [agent] };
		const registered = async () => {
			const [{ url }, ...more] = await sandbox.state('webhooks');
			expect(more).toEqual([]);
			return { url: String(url) };
		};
		return { parameters, registered };
	},
	acpIntentTrigger: async () => {
		const [{ agent_uuid: agent }] = await sandbox.state('agents');
		const { data } = await sandbox.api.post(`/agents/${agent}/intents`, {
			name: 'Free slot',
			description: 'The customer asks for a slot',
		});
		const intent = data.data.intent_uuid;
		const parameters = { agent, intent, respond: 'immediately', responseText: 'Yes' };
		const registered = async () => {
			const found = (await sandbox.api.get(`/agents/${agent}`)).data.data.intents.find(
				({ intent_uuid }: { intent_uuid: string }) => intent_uuid === intent,
			);
			return { url: String(found.webhook.url) };
		};
		return { parameters, registered };
	},
};
const kinds = Object.keys(scenes) as Array<keyof typeof scenes>;

const publish = async (trigger: Trigger, parameters: object, urlVersion: string) => {
	await trigger.setParameters({ ...parameters, options: { urlVersion } } as never);
	await trigger.activate('update');
};

test.each(kinds)('%s: a new version has another URL; the former URL is refused', async (kind) => {
	const { parameters, registered } = await scenes[kind]();
	const trigger = await engine.trigger(kind, parameters as never);
	await trigger.activate();
	const leaked = await registered();
	const older = await trigger.staticData();
	expect(await post(leaked.url)).toBe(200);

	await publish(trigger, parameters, '2');
	const second = await registered();
	expect(await post(leaked.url)).toBe(401);
	expect(await post(second.url)).toBe(200);
	await publish(trigger, parameters, '3');
	const third = await registered();
	expect([await post(second.url), await post(third.url)]).toEqual([401, 200]);
	expect(new Set([leaked.url, second.url, third.url]).size).toBe(3);

	// Static data may come back as it was, or be lost: neither opens what was closed.
	for (const staticData of [older, {}]) {
		await trigger.setStaticData({ 'node:Trigger': staticData });
		expect([await post(leaked.url), await post(second.url)]).toEqual([401, 401]);
		expect(await post(third.url)).toBe(200);
	}
	await trigger.activate('update');
	expect(await registered()).toEqual(third);
});

test.each(kinds)(
	'%s: the first version is known as its own although static data is lost',
	async (kind) => {
		const { parameters, registered } = await scenes[kind]();
		const trigger = await engine.trigger(kind, parameters as never);
		await trigger.activate();
		const leaked = await registered();
		await trigger.setStaticData({});
		await publish(trigger, parameters, '2');
		const { url } = await registered();
		expect(url).not.toBe(leaked.url);
		expect([await post(leaked.url), await post(url)]).toEqual([401, 200]);
	},
);

test.each(kinds)('%s: a version that is empty leaves the URL as it is', async (kind) => {
	const { parameters, registered } = await scenes[kind]();
	const trigger = await engine.trigger(kind, parameters as never);
	await trigger.activate();
	const before = await registered();
	await publish(trigger, parameters, ' ');
	expect(await registered()).toEqual(before);
	await trigger.deactivate();
});
