/** Plays a world: makes its workspace, carries its wish out in its order, and gathers truth and claims. */
import type { INodeParameters, WorkflowExecuteMode } from 'n8n-workflow';
import type { Engine, Result, Sandbox } from '../engine/harness/index.cts';
import { type Kind, kinds } from '../engine/guarantees/kinds.cts';
import { agentOf, fast, people as peopleOf } from '../engine/guarantees/scene.cts';
import { isApart, type openView } from './view.cts';
import { saying, type Wish, wishOf } from './wishes.cts';
import { people, type World } from './world.cts';

/** What stands in the workspace before the wish. */
export interface Scene {
	agent: string;
	listing: string;
	campaign: string;
	table: string;
	record: string;
	contacts: Map<number, string>;
	tasks: any[];
	/** Of a wish that writes or reads something for each item: its items, and what its node is told. */
	items: any[];
	parameters: INodeParameters;
}

/** Everything that a promise compares: what is true on the platform, and what n8n's user is told. */
export interface Played {
	world: World;
	scene: Scene;
	wish: Wish;
	/** How often the wish was meant, and how often each run has every item. */
	runs: number;
	each: number;
	results: Array<Result & { first?: number }>;
	/** As an AI tool: what the model was told, call by call. */
	answers: any[];
	/** What the platform carried out, in order. */
	ledger: any[];
	before: State;
	after: State;
	token: string;
}

interface RunOptions {
	items?: object[];
	/** It is stopped in the middle. */
	stops?: boolean;
	by?: Engine;
	/** Which of the wish's items its first one is. */
	first?: number;
	mode?: WorkflowExecuteMode;
	executionId?: string;
}

export type State = Record<string, any[]>;
const collections = ['agents', 'contacts', 'tasks', 'listings', 'records', 'conversations'];

async function stateOf(sandbox: Sandbox): Promise<State> {
	const all = collections.map(async (one) => {
		const records = await sandbox.state(one);
		return [one, records.map((record: any) => ({ uuid: record.agent_uuid, ...record }))];
	});
	return Object.fromEntries(await Promise.all(all));
}

/** The workspace of a world, through the platform's own API as far as it has one. */
async function build({ workspace, wish }: World, sandbox: Sandbox): Promise<Scene> {
	const { api } = sandbox;
	const agent = await agentOf(sandbox);
	const contacts = new Map<number, string>();
	for (const { who, spelling } of workspace.contacts) {
		const { name, email, spellings } = people[who]!;
		const written = String(spellings[spelling]);
		const number = written.startsWith('+') ? written.replace(/\(0\)|[^+\d]/g, '') : spellings[0];
		const { data } = await api.post('/contacts', { name, email, phone_number: number });
		contacts.set(who, data.data.uuid);
		if (workspace.asWritten)
			await sandbox.change('contacts', data.data.uuid, { phone_number: written });
	}
	for (const who of workspace.blacklisted)
		if (contacts.has(who))
			await api.post(`/contacts/${contacts.get(who)}/blacklist`, { reason: 'said no' });
	const launched = async (name: string, who: number) =>
		(
			await api.post('/listings', {
				name,
				agent_uuid: agent,
				auto_start: true,
				// Two of them are called at once.
				contacts: [people[who]!.spellings[0], '+14155550190', '+14155550191', '+14155550192'].map(
					(one) => ({ phone_number: one }),
				),
			})
		).data.data;
	const mine =
		wish.does === 'launch' && !wish.other
			? undefined
			: await launched(wish.does === 'launch' ? 'Spring offer' : 'Mine', 0);
	const other = ['stop', 'summary', 'tasksOfCampaign'].includes(wish.does)
		? await launched('Of others', 1)
		: undefined;
	const tasks: any[] = [];
	for (const kind of workspace.tasks) {
		const { data } = await api.post('/tasks', {
			title: 'Call back',
			type: 'make_call',
			agent_uuid: agent,
			scheduled_at: '2035-03-05T10:00:00Z',
			contact: { phone_number: '+14155550111' },
			...(kind === 'another' && other && { campaign_uuid: other.campaign_uuid }),
		});
		tasks.push(data.data);
	}
	let table = '';
	let record = '';
	if (['records', 'updateRecord'].includes(wish.does)) {
		const columns = ['id', 'status']
			.slice(workspace.ownIdColumn ? 0 : 1)
			.map((name) => ({ name, data_type: 'text' }));
		table = (await api.post('/data/tables', { name: 'Orders', columns })).data.data.uuid;
		for (let at = 0; at < 20; at++)
			({ uuid: record } = (
				await api.post(`/data/${table}/records`, {
					record: { status: 'open', ...(workspace.ownIdColumn && { id: String(at % 15) }) },
				})
			).data.data);
	}
	const kind: Kind | undefined = kinds[wish.kind as keyof typeof kinds];
	const asked = peopleOf(wish.count ?? 0);
	const all = await sandbox.state('contacts');
	const read = asked.map((one, at) => ({ ...one, uuid: all[at % all.length]?.uuid }));
	return {
		items: kind ? ((await kind.scene?.(sandbox, asked)) ?? asked) : read,
		parameters: (await kind?.parameters(agent, sandbox)) ?? {},
		agent,
		contacts,
		tasks,
		table,
		record,
		listing: mine?.uuid ?? '',
		campaign: mine?.campaign_uuid ?? '',
	};
}

export interface Platform {
	sandbox: Sandbox;
	engine: Engine;
	/** Another process of the same n8n. */
	worker: Engine;
	/** Between n8n and the sandbox. */
	proxy: Awaited<ReturnType<typeof openView>>;
}

/** Executions of the worker, whose IDs the other process does not give. */
let ofWorker = 1_000_000;

/** @param platform reset by each world */
export async function play(
	world: World,
	{ sandbox, engine, worker, proxy }: Platform,
): Promise<Played> {
	const { view, order } = world;
	if (!isApart) await Promise.all([engine.forget(), worker.forget()]);
	await engine.forgetDuplicates();
	await sandbox.reset({
		settings: { ...fast, call: { lifeMs: 86_400_000, liveLimit: 2 } },
		contacts: 0,
	} as never);
	const scene = await build(world, sandbox);
	await sandbox.control.post('/settle');
	// Forbidden: an n8n that has forgotten, before a platform that does not show what was made. Nobody could know.
	const lagMs = ['restarted', 'killed'].includes(order) ? 0 : view.lagMs;
	await sandbox.settings({ manners: { ...view.manners, lagMs } });
	await sandbox.clearLedger();
	const before = await stateOf(sandbox);
	const baseUrl = proxy.show(view, sandbox.url);
	const acpApi = { ...sandbox.credential({ timezone: 'Europe/Istanbul' }), baseUrl };
	engine.credentials = worker.credentials = { acpApi };
	const wish = wishOf(world, scene);
	const results: Played['results'] = [];
	const answers: any[] = [];
	let [runs, each] = [1, 1];
	const workflowOf = (parameters: INodeParameters, items: object[], options: object) => {
		const { nodes, ...rest } = engine.nodeWorkflow(wish.node, parameters, {
			items,
			...(world.continues && {
				onError: world.wish.how?.errorOutput ? 'continueErrorOutput' : 'continueRegularOutput',
			}),
			...options,
		} as never);
		return { ...rest, nodes: nodes.map((one) => ({ ...one, id: one.name })), id: 'world' };
	};
	const run = async (
		options: object = {},
		{ items = wish.items, stops = false, by = engine, first = 0, ...more } = {} as RunOptions,
	) => {
		const workflow = workflowOf(wish.parameters, items, options);
		const { done, cancel } = await by.start(workflow, { startNode: 'Items', ...more });
		if (stops) proxy.interrupts(cancel);
		const result = Object.assign(await done, { first });
		// n8n keeps no output of a node that was stopped.
		if (result.status !== 'canceled') results.push(result);
	};
	if (['again', 'restarted', 'stopped', 'killed'].includes(order)) {
		runs = 2;
		await run({}, { stops: order === 'stopped' || order === 'killed' });
		if (order === 'restarted' || order === 'killed') await engine.forget();
		await run();
	} else if (order === 'atOnce') {
		runs = 2;
		await Promise.all([run(), run()]);
	} else if (order === 'atOnceInTwo') {
		runs = 2;
		await Promise.all([run(), run({}, { by: worker, executionId: String(++ofWorker) })]);
	} else if (order === 'twice') {
		each = 2;
		await run({}, { items: [...wish.items, ...wish.items] });
	} else if (order === 'loop') await run({ batchSize: 1 });
	else if (order === 'subWorkflow')
		for (const [first, item] of wish.items.entries())
			await run({}, { items: [item], first, mode: 'integrated' });
	else if (order === 'retryOnFail')
		await run({ retryOnFail: true, maxTries: 3, waitBetweenTries: 1 });
	else if (order === 'tool' && wish.tool) {
		// A model that reads an error asks for the same once more. What the node retries by itself is no error.
		const { fault } = view;
		const isLost = fault?.kind === 'lost' || fault?.kind === 'failsAfter';
		const again =
			isLost && fault.from === 0 && fault.times === 99 ? wish.tool.calls.slice(0, 1) : [];
		const calls = [...wish.tool.calls.slice(0, 1), ...again, ...wish.tool.calls.slice(1)];
		const [node, of] = wish.node.split(' ') as [string, string];
		const [resource, operation] = of.split('.');
		const told = await engine.callTools(
			node,
			{ resource, operation, ...wish.tool.parameters } as never,
			calls.map((args, at) => ({ args, id: `call-${at}` })) as never,
		);
		results.push(told.result);
		answers.push(...told.answers);
	} else {
		await run();
		const [first] = results as [Result];
		if (order === 'retryExecution' && first.status === 'error')
			results.push(await engine.retry(first));
		// A person says more in the node before Executions › Retry.
		if (order === 'corrected' && first.status === 'error') {
			const currentWorkflow = workflowOf(saying(wish.parameters, 'more'), wish.items, {});
			results.push(await engine.retry(first, { currentWorkflow } as never));
		}
	}
	await sandbox.settings({ manners: { lagMs: 0 } });
	const [ledger, after] = await Promise.all([sandbox.ledger(), stateOf(sandbox)]);
	const asked = { world, scene, wish, runs, each };
	return { ...asked, results, answers, ledger, before, after, token: sandbox.token };
}
