/** What the package weighs, beside well-known nodes of n8n itself, measured in the same run and the same way. */
import { execFile } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ensureHost, ensurePack, nodeBinary } from '../../tools/bootstrap.mjs';
import { defaultVersion, installPack } from '../../tools/host.mjs';

const name = 'n8n-nodes-agent-conversation-platform';
const rounds = 7;
/** Nodes of n8n with many operations, and some with few. */
const others = {
	Slack: 'Slack/Slack.node.js',
	HubSpot: 'Hubspot/Hubspot.node.js',
	Airtable: 'Airtable/Airtable.node.js',
	'Google Sheets': 'Google/Sheet/GoogleSheets.node.js',
};

/**
 * Runs in a fresh process: loads the files as n8n does (n8n's own libraries are loaded already) and describes them.
 * Prints `{milliseconds, nodes: [{name, bytes, operations}]}`; of a node with several versions the newest counts.
 */
const loader = `
	for (const library of ['n8n-workflow', 'luxon', 'lodash', 'zod']) require(library);
	const { basename } = require('node:path');
	const begun = process.cpuUsage();
	const nodes = process.argv.slice(1).map((file) => {
		const type = new (require(file)[basename(file).split('.')[0]])();
		return type.nodeVersions ? type.getNodeType() : type;
	});
	const { user, system } = process.cpuUsage(begun);
	const milliseconds = (user + system) / 1000;
	const operationsOf = ({ properties }) => new Set(properties.filter(({ name }) => name === 'operation').flatMap((property) => (property.displayOptions?.show?.resource ?? ['']).flatMap((resource) => property.options.map(({ value }) => resource + '.' + value)))).size;
	console.log(JSON.stringify({ milliseconds, nodes: nodes.map(({ description }) => ({ name: description.displayName, bytes: Buffer.byteLength(JSON.stringify(description)), operations: operationsOf(description) })) }));
`;

const kilobytes = (/** @type {number} */ bytes) => (bytes / 1000).toFixed(1);

/** @param {string} host folder of an installed n8n @param {string[]} paths @returns the run with the median time */
async function measure(host, paths) {
	const runs = [];
	for (let round = 0; round < rounds; round++) {
		const { stdout } = await promisify(execFile)(nodeBinary(host), ['-e', loader, ...paths], {
			env: { ...process.env, NODE_PATH: join(host, 'node_modules') },
			maxBuffer: 1e8,
		});
		runs.push(JSON.parse(stdout.trim().split('\n').at(-1) ?? ''));
	}
	runs.sort((one, other) => one.milliseconds - other.milliseconds);
	return runs[Math.floor(rounds / 2)];
}

/** @param {{say: (line: string) => void}} bench @returns the section of docs/reference/benchmarks.md */
export async function footprint({ say }) {
	const host = await ensureHost(defaultVersion);
	const tarball = await ensurePack();
	const folder = await mkdtemp(join(tmpdir(), 'footprint-'));
	try {
		await installPack(tarball, folder);
		const installed = join(folder, '.n8n', 'nodes', 'node_modules', name);
		const files = readdirSync(installed, { recursive: true })
			.map((file) => join(installed, String(file)))
			.filter((file) => statSync(file).isFile());
		const pack = await measure(host, files.filter((file) => file.endsWith('.node.js')).sort());
		const total = {
			name: `**All ${pack.nodes.length} nodes of this package**`,
			bytes: 0,
			operations: 0,
			milliseconds: pack.milliseconds,
		};
		for (const { bytes, operations } of pack.nodes) {
			total.bytes += bytes;
			total.operations += operations;
		}
		const theirs = [];
		for (const [title, path] of Object.entries(others)) {
			const { milliseconds, nodes } = await measure(host, [
				join(host, 'node_modules', 'n8n-nodes-base', 'dist', 'nodes', path),
			]);
			theirs.push({ ...nodes[0], name: `${title} (n8n's own)`, milliseconds });
		}
		const perOperation = ({ bytes, operations }) =>
			operations ? kilobytes(bytes / operations) : '–';
		say(
			`${kilobytes(statSync(tarball).size)} kB packed, ${total.milliseconds.toFixed(0)} ms to load, ${perOperation(total)} kB per operation`,
		);
		return {
			title: 'Footprint',
			text: `Download ${kilobytes(statSync(tarball).size)} kB; installed ${kilobytes(files.reduce((sum, file) => sum + statSync(file).size, 0))} kB in ${files.length} files, no dependencies, the phone library bundled. The description is what the editor gets. Load times are processor time, the median of ${rounds} fresh processes in which n8n's own libraries are loaded already.`,
			columns: ['node', 'operations', 'description', 'per operation', 'load'],
			rows: [...pack.nodes, total, ...theirs].map((one) => [
				one.name,
				one.operations || '–',
				`${kilobytes(one.bytes)} kB`,
				one.operations ? `${perOperation(one)} kB` : '–',
				one.milliseconds === undefined ? '' : `${one.milliseconds.toFixed(0)} ms`,
			]),
			bars: [],
		};
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
}
