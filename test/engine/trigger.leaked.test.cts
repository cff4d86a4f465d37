/** A callback URL that has leaked is made invalid by the option 'URL Version', in both triggers. */
import { usePlatform } from './harness/index.cts';
import { post, triggersOn } from './harness/triggers.cts';

const platform = usePlatform({ speed: 10 });
const { agents, eventTrigger, intentOf, intentTrigger, listed, newIntent } = triggersOn(platform);

const statusesOf = async (...urls: string[]) => {
	const statuses = [];
	for (const url of urls)
		statuses.push((await post(url, { event: 'conversation_end_report', data: {} })).status);
	return statuses;
};

test.each(['acpTrigger', 'acpIntentTrigger'])(
	'%s: a new version has another URL; the former URL is refused',
	async (kind) => {
		const [agent] = (await agents()) as [string];
		const isEvent = kind === 'acpTrigger';
		const intent = await newIntent(agent);
		const asked = { agent, intent, respond: 'immediately', responseText: 'Yes' };
		const parameters = isEvent ? { agents: [agent] } : asked;
		const trigger = await (isEvent ? eventTrigger([agent]) : intentTrigger(agent, intent, asked));
		const registered = async () =>
			isEvent
				? (await listed(agent)).map(({ url }) => url).join()
				: (await intentOf(agent, intent)).webhook.url;
		await trigger.activate();
		const publish = async (urlVersion: string) => {
			await trigger.setParameters({ ...parameters, options: { urlVersion } } as never);
			await trigger.activate('update');
			return await registered();
		};
		const older = await trigger.staticData();
		const leaked = await registered();
		// An empty version is the first, which is known as its own although static data is lost.
		expect(await publish(' ')).toBe(leaked);
		expect(await statusesOf(leaked)).toEqual([200]);
		await trigger.setStaticData({});
		const second = await publish('2');
		expect(await statusesOf(leaked, second)).toEqual([401, 200]);
		const third = await publish('3');
		expect(await statusesOf(leaked, second, third)).toEqual([401, 401, 200]);
		// Static data may come back as it was, or be lost: neither opens what was closed.
		for (const staticData of [older, {}]) {
			await trigger.setStaticData({ 'node:Trigger': staticData });
			expect(await statusesOf(leaked, second, third)).toEqual([401, 401, 200]);
		}
		await trigger.activate('update');
		expect(await registered()).toEqual(third);
	},
);
