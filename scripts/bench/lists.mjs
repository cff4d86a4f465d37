/**
 * A listing of 50,000 rows beside the Code and HTTP Request nodes. A fresh n8n before each; memory is that of n8n and
 * its task runner together.
 *
 *   npm run bench -- --only listing
 */
import { readdirSync, readFileSync } from 'node:fs';
import { defaultVersion, ensureHost } from '../../tools/bootstrap.mjs';

const pack = 'n8n-nodes-agent-conversation-platform.';
const minute = 60_000;
const turns = 3;
const round = (value, digits = 2) => Number(value.toFixed(digits));
const seconds = (milliseconds) => `${round(milliseconds / 1000)} s`;

const statusOf = (pid, name) => {
	try {
		return readFileSync(`/proc/${pid}/${name}`, 'utf8');
	} catch {
		// It ended meanwhile.
		return '';
	}
};

/** Memory of all processes of a group, in megabytes. n8n and what it starts are one (`tools/host.mjs`). */
const memoryOf = (group) =>
	readdirSync('/proc')
		.filter((name) => /^\d+$/.test(name))
		.filter((pid) => Number(statusOf(pid, 'stat').split(') ').at(-1)?.split(' ')[2]) === group)
		.reduce(
			(sum, pid) => sum + Number(/VmRSS:\s+(\d+)/.exec(statusOf(pid, 'status'))?.[1] ?? 0),
			0,
		) / 1024;

/** Manual trigger → items made by code → the nodes in question. */
function workflow(name, code, after) {
	const node = (title, type, typeVersion, parameters) => ({
		id: title,
		name: title,
		type,
		typeVersion,
		position: [0, 0],
		parameters,
	});
	const nodes = [
		node('Start', 'n8n-nodes-base.manualTrigger', 1, {}),
		node('Items', 'n8n-nodes-base.code', 2, { jsCode: code }),
		...after.map(({ title, type, typeVersion = 1, parameters, ...rest }) => ({
			...node(title, type, typeVersion, parameters),
			...rest,
		})),
	];
	return {
		name,
		nodes,
		connections: Object.fromEntries(
			nodes
				.slice(0, -1)
				.map(({ name: from }, at) => [
					from,
					{ main: [[{ node: nodes[at + 1].name, type: 'main', index: 0 }]] },
				]),
		),
		settings: { executionOrder: 'v1' },
	};
}

/** An execution at its end; n8n may be too busy with expressions to answer before. */
async function ended(host, id) {
	for (;;) {
		try {
			return await host.waitForExecution(id, 10 * minute);
		} catch (error) {
			if (error.message !== 'fetch failed') throw error;
		}
	}
}

/**
 * Runs a workflow in a fresh n8n.
 * @param {any} bench @param {(credential: any) => any[]} after nodes after the items; their times are added up
 * @returns time in milliseconds, most memory in megabytes, items of the last node, contacts that the platform has
 */
async function measure({ another, sandbox }, code, after) {
	await ensureHost(defaultVersion);
	await sandbox.control('POST /reset', {
		settings: {
			rate: {
				send: { limit: 60_000, windowMs: minute },
				general: { limit: 60_000, windowMs: minute },
			},
		},
	});
	const { host, credential } = await another({});
	try {
		const nodes = after(credential);
		const { id } = await host.createWorkflow(workflow('List', code, nodes));
		let peak = 0;
		const watch = setInterval(() => (peak = Math.max(peak, memoryOf(host.process.pid))), 50);
		const execution = await ended(host, await host.run(id)).finally(() => clearInterval(watch));
		if (execution.status !== 'success') throw new Error(execution.error?.message);
		const runs = nodes.map(({ title }) => execution.data.resultData.runData[title][0]);
		const [listing] = await sandbox.control('GET /state/listings');
		return {
			time: runs.reduce((sum, { executionTime }) => sum + executionTime, 0),
			peak: Math.round(peak),
			items: runs.at(-1).data.main[0].length,
			contacts: listing?.contact_uuids.length ?? 0,
		};
	} finally {
		await host.kill();
	}
}

/** The best of several turns, each way in turn. */
async function best(bench, ways) {
	const results = {};
	for (let turn = 0; turn < turns; turn++) {
		for (const [way, run] of Object.entries(ways)) {
			const result = await run();
			bench.say(`${way}: ${seconds(result.time)}, ${result.peak} MB`);
			const { time, peak } = results[way] ?? { time: Infinity, peak: Infinity };
			results[way] = {
				...result,
				time: Math.min(time, result.time),
				peak: Math.min(peak, result.peak),
			};
		}
	}
	return results;
}

const peopleCode = (count) =>
	`return Array.from({ length: ${count} }, (_, i) => ({ json: { phone: '+1415' + String(5000000 + i), 'First Name': 'Name ' + i, Surname: 'Surname ' + i, email: 'p' + i + '@example.com', Company: 'Company ' + (i % 500) } }));`;

const columns = {
	phone_number: '={{ $json.phone }}',
	name: '={{ $json["First Name"] }}',
	surname: '={{ $json.Surname }}',
	email: '={{ $json.email }}',
	company: '={{ $json.Company }}',
};

/** 50,000 rows as one listing. */
export async function listing(bench) {
	const count = 50_000;
	const [agent] = await bench.sandbox.control('GET /state/agents');
	const about = { name: 'Spring offer', agent_uuid: agent.agent_uuid, campaign_type: 'call' };
	// As text: an object of this size takes longer to leave n8n's sandbox for expressions than it allows.
	const body = `return [{ json: { body: JSON.stringify({ ...${JSON.stringify(about)}, auto_start: false, contacts: $input.all().map(({ json }) => ({ phone_number: json.phone, name: json['First Name'], surname: json.Surname, email: json.email, company: json.Company })) }) } }];`;
	const code = peopleCode(count);
	const results = await best(bench, {
		'this pack, Create From Items': async () =>
			await measure(bench, code, (credential) => [
				{
					title: 'Listing',
					type: `${pack}acpOutreach`,
					parameters: {
						resource: 'listing',
						operation: 'createFromItems',
						name: about.name,
						agent: { __rl: true, mode: 'id', value: about.agent_uuid },
						campaignType: 'call',
						contacts: {
							mappingMode: 'defineBelow',
							value: columns,
							schema: Object.keys(columns).map((id) => ({
								id,
								displayName: id,
								display: true,
								required: id === 'phone_number',
								defaultMatch: false,
								type: 'string',
							})),
						},
					},
					credentials: { acpApi: credential },
				},
			]),
		'Code and HTTP Request': async () =>
			await measure(bench, code, (credential) => [
				{
					title: 'Body',
					type: 'n8n-nodes-base.code',
					typeVersion: 2,
					parameters: { jsCode: body },
				},
				{
					title: 'Request',
					type: 'n8n-nodes-base.httpRequest',
					typeVersion: 4.2,
					parameters: {
						method: 'POST',
						url: `${bench.sandbox.url}/api/v1/listings`,
						authentication: 'predefinedCredentialType',
						nodeCredentialType: 'acpApi',
						sendBody: true,
						specifyBody: 'json',
						jsonBody: '={{ $json.body }}',
						options: {},
					},
					credentials: { acpApi: credential },
				},
			]),
	});
	const [mine, other] = Object.values(results);
	return {
		title: '50,000 rows as one listing',
		text:
			'Five columns of every row. n8n is started anew before each run; memory is that of n8n and its task runner ' +
			'together. Best of three runs each, in turn.',
		columns: ['way', 'contacts', 'node time', 'peak memory'],
		rows: Object.entries(results).map(([way, { contacts, time, peak }]) => [
			way,
			contacts,
			seconds(time),
			`${peak} MB`,
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
