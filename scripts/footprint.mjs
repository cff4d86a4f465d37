/**
 * What the package weighs, beside well-known nodes of n8n itself, measured in the same run and the same way.
 *
 *   npm run footprint              writes docs/footprint.md
 *   npm run footprint -- --print   prints, writes nothing
 */
import { execFile } from 'node:child_process';
import { readdirSync, statSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { ensureBuild, ensureHost, ensureNodeVersion, ensurePack, ensurePackage, exitWith, nodeBinary, repository } from './lib/bootstrap.mjs';

const name = 'n8n-nodes-agent-conversation-platform';
const rounds = 7;
/** Nodes of n8n with many operations, and one with few. */
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
	for (const library of ['n8n-workflow', 'luxon', 'lodash', 'p-limit', 'zod']) require(library);
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

try {
	ensureNodeVersion();
	const { values } = parseArgs({ options: { print: { type: 'boolean', default: false } } });
	await ensurePackage();
	const { defaultVersion, installPack } = await import('./lib/host.mjs');
	const host = await ensureHost(defaultVersion);
	await ensureBuild();
	const tarball = await ensurePack();
	const folder = await mkdtemp(join(tmpdir(), 'footprint-'));
	try {
		await installPack(tarball, folder);
		const installed = join(folder, '.n8n', 'nodes', 'node_modules', name);
		const files = readdirSync(installed, { recursive: true }).map((file) => join(installed, String(file))).filter((file) => statSync(file).isFile());
		const own = files.filter((file) => file.endsWith('.node.js')).sort();
		const measure = async (/** @type {string[]} */ paths) => {
			const runs = [];
			for (let round = 0; round < rounds; round++) {
				const { stdout } = await promisify(execFile)(nodeBinary(host), ['-e', loader, ...paths], { env: { ...process.env, NODE_PATH: join(host, 'node_modules') }, maxBuffer: 1e8 });
				runs.push(JSON.parse(stdout.trim().split('\n').at(-1) ?? ''));
			}
			runs.sort((one, other) => one.milliseconds - other.milliseconds);
			return runs[Math.floor(rounds / 2)];
		};
		const pack = await measure(own);
		const theirs = [];
		for (const [title, path] of Object.entries(others)) {
			const { milliseconds, nodes } = await measure([join(host, 'node_modules', 'n8n-nodes-base', 'dist', 'nodes', path)]);
			theirs.push({ ...nodes[0], name: title, milliseconds });
		}
		const kilobytes = (/** @type {number} */ bytes) => (bytes / 1000).toFixed(1);
		const row = (/** @type {any} */ { name: title, bytes, operations, milliseconds }) =>
			`| ${title} | ${operations || '–'} | ${kilobytes(bytes)} | ${operations ? kilobytes(bytes / operations) : '–'} | ${milliseconds === undefined ? '' : milliseconds.toFixed(0)} |`;
		const total = { bytes: 0, operations: 0 };
		for (const { bytes, operations } of pack.nodes) {
			total.bytes += bytes;
			total.operations += operations;
		}
		const page = [
			'# Footprint',
			'',
			`Made by \`npm run footprint\` on ${new Date().toISOString().slice(0, 10)}: ${cpus().length} × ${cpus()[0].model.trim()}, n8n ${defaultVersion}, Node 24. Load times are processor time, the median of ${rounds} fresh processes in which n8n's own libraries are loaded already; compare them within the table only.`,
			'',
			`- Download: ${kilobytes(statSync(tarball).size)} kB`,
			`- Installed: ${kilobytes(files.reduce((sum, file) => sum + statSync(file).size, 0))} kB in ${files.length} files, no dependencies`,
			`- Loading all ${own.length} nodes: ${pack.milliseconds.toFixed(0)} ms`,
			`- Descriptions that the editor gets: ${kilobytes(total.bytes)} kB for ${total.operations} operations, ${kilobytes(total.bytes / total.operations)} kB per operation`,
			'',
			'| Node | Operations | Description, kB | kB per operation | Load, ms |',
			'|---|---|---|---|---|',
			...pack.nodes.map(row),
			row({ ...total, name: `**All ${own.length} nodes of this package**`, milliseconds: pack.milliseconds }),
			...theirs.map((other) => row({ ...other, name: `${other.name} (n8n's own)` })),
			'',
		].join('\n');
		if (values.print) console.log(page);
		else writeFileSync(join(repository, 'docs', 'footprint.md'), page);
	} finally {
		await rm(folder, { recursive: true, force: true });
	}
} catch (error) {
	exitWith(error);
}
