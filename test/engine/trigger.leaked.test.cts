/** A callback URL that has leaked is made invalid by the option 'URL Version', in both triggers. */
import { usePlatform } from './harness/index.cts';
import { post, triggersOn } from './harness/triggers.cts';

const platform = usePlatform({ speed: 10 });
const { agents, eventTrigger, intentOf, intentTrigger, listed, newIntent } = triggersOn(platform);

const statusOf = async (url: string) =>
	(await post(url, { event: 'conversation_end_report', data: {} })).status;

/** Each trigger, published, with the URL that the platform has for it. */
const scenes = {
	async acpTrigger() {
		const [agent] = (await agents()) as [string];
		const parameters = { agents: [agent] };
		const registered = async () => {
			const [webhook, ...more] = await listed(agent);
			expect(more).toEqual([]);
			return webhook!.url;
		};
		return { parameters, registered, trigger: await eventTrigger([agent]) };
	},
	async acpIntentTrigger() {
		const [agent] = (await agents()) as [string];
		const intent = await newIntent(agent);
		const respond = { respond: 'immediately', responseText: 'Yes' };
		const registered = async () => (await intentOf(agent, intent)).webhook.url;
		const trigger = await intentTrigger(agent, intent, respond);
		return { parameters: { agent, intent, ...respond }, registered, trigger };
	},
};
const kinds = Object.keys(scenes) as Array<keyof typeof scenes>;

async function published(kind: keyof typeof scenes) {
	const { parameters, registered, trigger } = await scenes[kind]();
	await trigger.activate();
	const publish = async (urlVersion: string) => {
		await trigger.setParameters({ ...parameters, options: { urlVersion } } as never);
		await trigger.activate('update');
		return await registered();
	};
	return { registered, trigger, publish, leaked: await registered() };
}

test.each(kinds)('%s: a new version has another URL; the former URL is refused', async (kind) => {
	const { registered, trigger, publish, leaked } = await published(kind);
	const older = await trigger.staticData();
	expect(await statusOf(leaked)).toBe(200);

	const second = await publish('2');
	expect([await statusOf(leaked), await statusOf(second)]).toEqual([401, 200]);
	const third = await publish('3');
	expect([await statusOf(second), await statusOf(third)]).toEqual([401, 200]);
	expect(new Set([leaked, second, third]).size).toBe(3);

	// Static data may come back as it was, or be lost: neither opens what was closed.
	for (const staticData of [older, {}]) {
		await trigger.setStaticData({ 'node:Trigger': staticData });
		const statuses = [await statusOf(leaked), await statusOf(second), await statusOf(third)];
		expect(statuses).toEqual([401, 401, 200]);
	}
	await trigger.activate('update');
	expect(await registered()).toEqual(third);
});

test.each(kinds)(
	'%s: the first version is known as its own although static data is lost; an empty one is the first',
	async (kind) => {
		const { trigger, publish, leaked } = await published(kind);
		expect(await publish(' ')).toBe(leaked);
		await trigger.setStaticData({});
		const url = await publish('2');
		expect(url).not.toBe(leaked);
		expect([await statusOf(leaked), await statusOf(url)]).toEqual([401, 200]);
	},
);
