/** Many records written or read: notes, all contacts, and a listing of 50,000 rows. */
import { byId } from '../../tools/workspace.mjs';
import { allPages, begin, changing, httpRequest, items, mapped } from './measure.mjs';
import { measure, round, seconds, work } from './measure.mjs';

/** Fewer than the documented limit lets pass in a minute: what is measured is the node. */
const withinTheLimit = 800;
/** With the agents that are read first, what two minutes of that limit let pass. */
const twoMinutes = 2 * withinTheLimit;

/** @param {import('../bench.mjs').Bench} bench */
export async function notes({ workspace, sandbox, say }) {
	const ways = {
		'this pack': work('acpKnowledge', 'agentKnowledge.addNote', {
			agent: byId('={{ $json.agent }}'),
			content: '={{ $json.text }}',
		}),
		'HTTP Request, defaults': {
			...httpRequest(
				workspace,
				'/agents/{{ $json.agent }}/notes',
				'={{ JSON.stringify({ content: $json.text }) }}',
			),
			onError: 'continueRegularOutput',
		},
	};
	const run = async (limit, way, count, general = {}) => {
		await begin(sandbox, { general, latencyMs: 100 }, { agents: 200 });
		// What left in the runs before would count: a process forgets it by being started anew.
		await workspace.host.restart();
		// Over many agents: an answer is the whole agent, so one agent would measure its growth instead.
		const agents = (await sandbox.control('GET /state/agents')).map((agent) => agent.agent_uuid);
		const code = `const agents = ${JSON.stringify(agents)}; return Array.from({ length: ${count} }, (_, i) => ({ json: { agent: agents[i % agents.length], text: 'Note ' + i } }));`;
		const result = await measure(workspace, [items(code), ways[way]]);
		const lost = count - result.different;
		const twice = result.created - result.different;
		say(`${limit}, ${way}: ${seconds(result.time)}, ${result.rejected} rejected, ${lost} lost`);
		const row = [
			...[limit, way, `${result.created} of ${count}`, result.rejected, result.mostInFlight],
			...[lost, twice, seconds(result.time)],
		];
		return { ...result, lost, twice, row };
	};
	const best = {};
	for (const way of [...Object.keys(ways), ...Object.keys(ways)]) {
		const result = await run('within the limit', way, withinTheLimit);
		if (!(best[way]?.time <= result.time)) best[way] = result;
	}
	const [mine, other] = Object.values(best);
	const limited = [];
	for (const way of Object.keys(ways))
		limited.push(
			await run('1000 per minute', way, twoMinutes, { limit: 1000, algorithm: 'sliding-window' }),
		);
	const [{ time, rejected, lost, twice }] = limited;
	return {
		title: 'Notes at 100 ms latency',
		text: 'Spread over 200 agents. Best of two runs of those within the limit of 1000 per minute.',
		columns: [
			...['limit', 'way', 'written', 'rejected', 'most in flight', 'lost', 'twice'],
			'node time',
		],
		rows: [...Object.values(best), ...limited].map(({ row }) => row),
		bars: [
			{
				bar: 'at least 0.9 × the HTTP Request node’s speed with at most 64 in flight',
				held: other.time / mine.time >= 0.9 && mine.mostInFlight <= 64,
				figure: `${round(other.time / mine.time)} ×, ${mine.mostInFlight} in flight`,
			},
			{
				// More than 1000 requests at 1000 in any minute cannot be done before the second minute begins.
				bar: 'under 1000 per minute: within 1.1 × the limiter’s own minimum of 60 s, at most 1 % rejected, none lost or twice',
				held: time <= 66_000 && rejected <= 20 && lost === 0 && twice === 0,
				figure: `${round(time / 60_000)} ×, ${rejected} rejected, ${lost} lost, ${twice} twice`,
			},
		],
	};
}

/** Changes of as many contacts, and of a few several times. @param {import('../bench.mjs').Bench} bench */
export async function changes({ workspace, sandbox, say }) {
	const count = withinTheLimit;
	const ways = {
		'this pack': work('acpContacts', 'contact.update', {
			contact: byId('={{ $json.contact }}'),
			updateFields: { surname: '={{ $json.surname }}' },
		}),
		'HTTP Request, defaults': {
			...changing(workspace, '={{ JSON.stringify({ surname: $json.surname }) }}'),
			onError: 'continueRegularOutput',
		},
	};
	const best = {};
	for (const different of [count, 40])
		for (const way of [...Object.keys(ways), ...Object.keys(ways)]) {
			await begin(sandbox, { latencyMs: 100, manners: { jitterMs: 100 } }, { contacts: count });
			await workspace.host.restart();
			const uuids = (await sandbox.control('GET /state/contacts'))
				.slice(0, different)
				.map(({ uuid }) => uuid);
			const code = `const uuids = ${JSON.stringify(uuids)}; return Array.from({ length: ${count} }, (_, i) => ({ json: { contact: uuids[i % uuids.length], surname: 'Change ' + i } }));`;
			const result = await measure(workspace, [items(code), ways[way]]);
			const now = new Map(
				(await sandbox.control('GET /state/contacts')).map(({ uuid, surname }) => [uuid, surname]),
			);
			const last = (at) => `Change ${count - different + at}`;
			const right = uuids.filter((uuid, at) => now.get(uuid) === last(at)).length;
			say(`${count} changes of ${different}, ${way}: ${seconds(result.time)}, ${right} right`);
			const key = `${different} ${way}`;
			const row = [different, way, seconds(result.time), `${right} of ${different}`];
			if (!(best[key]?.time <= result.time)) best[key] = { ...result, right, different, row };
		}
	const [mine, other, few] = Object.values(best);
	return {
		title: `${count} changes of contacts at 100 to 200 ms latency`,
		text: 'Each item changes the surname of one contact; where there are fewer contacts than items, the last item of each must win. Best of two runs.',
		columns: ['contacts', 'way', 'node time', 'with what its last item says'],
		rows: Object.values(best).map(({ row }) => row),
		bars: [
			{
				bar: 'different contacts: at least 0.9 × the HTTP Request node’s speed',
				held: other.time / mine.time >= 0.9,
				figure: `${round(other.time / mine.time)} ×`,
			},
			{
				bar: 'the last item of each contact wins',
				held: mine.right === mine.different && few.right === few.different,
				figure: `${mine.right} of ${mine.different}, ${few.right} of ${few.different}`,
			},
		],
	};
}

/** @param {import('../bench.mjs').Bench} bench */
export async function contacts({ workspace, sandbox, say }) {
	const count = 80_000;
	const ways = {
		'this pack, Return All': work('acpContacts', 'contact.getAll', { returnAll: true }),
		'HTTP Request, its own pagination': httpRequest(
			workspace,
			'/contacts?per_page=100',
			undefined,
			allPages,
		),
	};
	const results = [];
	for (const [way, node] of Object.entries(ways)) {
		await begin(sandbox, { latencyMs: 100 }, { contacts: count });
		await workspace.host.restart();
		const result = await measure(workspace, [items('return [{ json: {} }];'), node]);
		say(`${way}: ${seconds(result.time)}, ${result.requests} pages, peak ${result.peak} MB`);
		results.push({ way, ...result });
	}
	const [mine, other] = results;
	return {
		title: 'All of 80,000 contacts at 100 ms per page',
		text: 'The HTTP Request node reads one page after the other and returns a page per item; this pack returns a contact per item. n8n is started anew before each; memory is that of n8n and its task runner together.',
		columns: ['way', 'pages', 'items', 'node time', 'peak memory'],
		rows: results.map(({ way, requests, items: all, time, peak }) => [
			...[way, requests, all, seconds(time), `${peak} MB`],
		]),
		bars: [
			{
				bar: 'at least 3 × sequential pages',
				held: other.time / mine.time >= 3,
				figure: `${round(other.time / mine.time)} ×`,
			},
			{
				bar: 'peak memory at most 1.5 × the HTTP Request node’s',
				held: mine.peak / other.peak <= 1.5,
				figure: `${round(mine.peak / other.peak)} ×`,
			},
			{ bar: 'every contact', held: mine.items === count, figure: `${mine.items}` },
		],
	};
}

const columns = {
	phone_number: '={{ $json.phone }}',
	name: '={{ $json["First Name"] }}',
	surname: '={{ $json.Surname }}',
	email: '={{ $json.email }}',
	company: '={{ $json.Company }}',
};

/** 50,000 rows as one listing. @param {import('../bench.mjs').Bench} bench */
export async function listing({ workspace, sandbox, say }) {
	const count = 50_000;
	const rows = items(
		`return Array.from({ length: ${count} }, (_, i) => ({ json: { phone: '+1415' + String(5000000 + i), 'First Name': 'Name ' + i, Surname: 'Surname ' + i, email: 'p' + i + '@example.com', Company: 'Company ' + (i % 500) } }));`,
	);
	const waysOf = ({ agent_uuid: agent }) => {
		const about = { name: 'Spring offer', agent_uuid: agent, campaign_type: 'call' };
		// As text: an object of this size takes longer to leave n8n's sandbox for expressions than it allows.
		const body = `return [{ json: { body: JSON.stringify({ ...${JSON.stringify(about)}, auto_start: false, contacts: $input.all().map(({ json }) => ({ phone_number: json.phone, name: json['First Name'], surname: json.Surname, email: json.email, company: json.Company })) }) } }];`;
		return {
			'this pack, Create From Items': [
				work('acpOutreach', 'listing.createFromItems', {
					name: about.name,
					agent: byId(agent),
					campaignType: 'call',
					contacts: mapped(columns, 'phone_number'),
				}),
			],
			'Code and HTTP Request': [
				{ ...items(body), name: 'Body' },
				httpRequest(workspace, '/listings', '={{ $json.body }}'),
			],
		};
	};
	const best = {};
	for (let turn = 0; turn < 3; turn++)
		for (const way of ['this pack, Create From Items', 'Code and HTTP Request']) {
			await begin(sandbox, { send: { limit: 60_000, windowMs: 60_000 } });
			await workspace.host.restart();
			const [agent] = await sandbox.control('GET /state/agents');
			const { time, peak } = await measure(workspace, [rows, ...waysOf(agent)[way]]);
			const [made] = await sandbox.control('GET /state/listings');
			say(`${way}: ${seconds(time)}, ${peak} MB`);
			best[way] = {
				time: Math.min(time, best[way]?.time ?? Infinity),
				peak: Math.min(peak, best[way]?.peak ?? Infinity),
				contacts: made?.contact_uuids.length ?? 0,
			};
		}
	const [mine, other] = Object.values(best);
	return {
		title: '50,000 rows as one listing',
		text: 'Five columns of every row. n8n is started anew before each run; memory is that of n8n and its task runner together. Best of three runs each, in turn.',
		columns: ['way', 'contacts', 'node time', 'peak memory'],
		rows: Object.entries(best).map(([way, { contacts: all, time, peak }]) => [
			...[way, all, seconds(time), `${peak} MB`],
		]),
		bars: [
			{
				bar: 'at most 1 × the time of Code and HTTP Request',
				held: mine.time <= other.time,
				figure: `${round(mine.time / other.time)} ×`,
			},
			{
				bar: 'at most 1.1 × their peak memory',
				held: mine.peak <= 1.1 * other.peak,
				figure: `${round(mine.peak / other.peak)} ×`,
			},
			{ bar: 'every row', held: mine.contacts === count, figure: `${mine.contacts}` },
		],
	};
}
