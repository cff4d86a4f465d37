/**
 * The main job end to end: `npm start` in a real n8n against the sandbox, on free ports and in a folder of its own.
 * Needs the hosts and tools installed (`npm test` does that).
 */
import assert from '../asserted.mjs';
import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { ensureNodeVersion, repository } from '../../tools/bootstrap.mjs';
import { contentOf } from '../../tools/files.mjs';
import { until } from '../../tools/host-client.mjs';
import { listening } from '../../tools/ports.mjs';
import { leadsToUpload } from '../../tools/workspace.mjs';
import { inFull } from '../full.mjs';

const jobDeadline = 600_000;

/** Starts `npm start -- <args>`. @param {string[]} args */
function start(...args) {
	const child = spawn(process.execPath, [join(repository, 'scripts', 'start.mjs'), ...args], {
		cwd: repository,
	});
	const job = { child, output: '', errors: '' };
	child.stdout.setEncoding('utf8').on('data', (chunk) => (job.output += chunk));
	child.stderr.setEncoding('utf8').on('data', (chunk) => (job.errors += chunk));
	return {
		...job,
		get output() {
			return job.output;
		},
		get errors() {
			return job.errors;
		},
		running: () => child.exitCode === null && child.signalCode === null,
		/** @returns {Promise<number | null>} the exit code */
		async end() {
			await until(
				`start.mjs ${args.join(' ')} to end`,
				async () => child.exitCode !== null || child.signalCode !== null,
				jobDeadline,
			);
			return child.exitCode;
		},
	};
}

function tableOf(output) {
	const lines = output.split('\n');
	const header = lines.findIndex((line) =>
		/^lead +number +call +status +seconds +success +answered$/.test(line),
	);
	assert.notEqual(header, -1, `no table in:\n${output}`);
	const rows = [];
	for (const line of lines.slice(header + 2)) {
		const [lead, number, call, status, seconds, success, answered] = line.trim().split(/ {2,}/);
		if (!number) break;
		rows.push({ lead, number, call, status, seconds: Number(seconds), success, answered });
	}
	return rows;
}

function leads() {
	const [, ...lines] = contentOf('examples', 'leads.csv').trim().split('\n');
	return lines.map((line) => {
		const [lead, number] = line.split(',');
		return { lead, number };
	});
}

/** One of the leads asks where an order is, in the middle of the call, and n8n answers. */
function assertLiveAnswer(rows) {
	const answers = rows.filter(({ answered }) => answered);
	assert.deepEqual(
		answers.map(({ lead }) => lead),
		['Elif Demir'],
	);
	// A machine that is too busy to answer within ten seconds gets the fallback said; examples.test.mjs wants the answer.
	assert.match(
		answers[0].answered,
		/^"(Order 4711 is on its way and arrives on .*\.|I am sorry, I cannot look up orders right now\..*)"$/,
	);
}

/**
 * With the page open, the form that is printed lets a phone ring for every lead, though all have been called before;
 * the page names the form, too.
 */
async function assertPhonesRing(output, sandbox, leadsInFile) {
	const phones = /^Phones +(\S+) .*Call me/m.exec(output)?.[1];
	const form = /^Form +(\S+) .*leads\.csv/m.exec(output)?.[1];
	const leave = new AbortController();
	const page = await fetch(`${phones}/events`, { signal: leave.signal });
	const [first] = new TextDecoder()
		.decode((await page.body?.getReader().read())?.value)
		.split('\n\n');
	assert.equal(JSON.parse(first.replace('data: ', '')).formUrl, form);
	const body = new FormData();
	body.append('field-0', await leadsToUpload());
	assert.equal((await fetch(String(form), { method: 'POST', body })).status, 200);
	await until(
		'the phones to ring',
		async () => {
			const calls = await json(`${sandbox}/_sandbox/state/calls`);
			return calls.filter(({ status }) => status === 'initiated').length === leadsInFile;
		},
		15_000,
	);
	leave.abort();
}

async function json(url) {
	return (await fetch(url)).json();
}

describe('npm start', () => {
	let state;
	const jobs = [];
	before(async () => {
		state = await mkdtemp(join(tmpdir(), 'main-job-'));
	});
	after(async () => {
		for (const job of jobs.filter((one) => one.running())) {
			// n8n ends with it; killed, it would leave n8n behind.
			job.child.kill('SIGINT');
			await job.end();
		}
		await rm(state, { recursive: true, force: true });
	});

	test(
		'calls every lead exactly once, shows each outcome, and stays up until Ctrl-C',
		{ timeout: jobDeadline },
		async () => {
			const job = start('--port', '0', '--sandbox-port', '0', '--state', state);
			jobs.push(job);
			await until(
				'the line about Ctrl-C',
				async () => {
					if (!job.running()) throw new Error(`npm start ended:\n${job.output}\n${job.errors}`);
					return job.output.includes('Ctrl-C ends both.');
				},
				jobDeadline,
			);
			const sandbox = /^Sandbox +(\S+)$/m.exec(job.output)?.[1];
			const rows = tableOf(job.output);

			assert.deepEqual(
				rows.map(({ lead, number }) => ({ lead, number })),
				leads(),
			);

			const ledger = await json(`${sandbox}/_sandbox/ledger?path=/call&method=POST`);
			const placed = ledger.filter(({ effect }) => effect === 'created');
			assert.deepEqual(
				placed.map(({ body }) => body.participant.number).sort(),
				rows.map(({ number }) => number).sort(),
			);

			const stored = await json(`${sandbox}/_sandbox/state/calls`);
			const calls = new Map(stored.map((call) => [call.conversation_uuid, call]));
			assert.equal(stored.length, rows.length);
			for (const row of rows) {
				const call = calls.get(row.call);
				assert.equal(call?.number, row.number, `the call of ${row.lead}`);
				assert.equal(row.status, call.status, `the status of ${row.lead}`);
				assert.equal(row.success, call.fate.success, `the success of ${row.lead}`);
				assert.equal(row.seconds, call.duration, `the seconds of ${row.lead}`);
			}

			assertLiveAnswer(rows);
			const asked = rows.find(({ answered }) => answered);
			const said = await json(`${sandbox}/_sandbox/state/messages`);
			assert.ok(
				said.some(
					({ conversation_uuid, content }) =>
						conversation_uuid === asked?.call && `"${content}"` === asked.answered,
				),
				'the transcript of the call holds the answer',
			);

			const password = /^Login +\S+ +(\S+)$/m.exec(job.output)?.[1];
			assert.equal(password, await readFile(join(state, 'password'), 'utf8'));
			assert.match(String(password), /^A1[\w-]{16}$/);
			assert.equal((await stat(join(state, 'password'))).mode & 0o777, 0o600);
			const editor = /^Editor +(\S+)$/m.exec(job.output)?.[1];
			assert.equal((await fetch(String(editor))).status, 200);
			await assertPhonesRing(job.output, String(sandbox), rows.length);
			job.child.kill('SIGINT');
			assert.equal(await job.end(), 0);
			await assert.rejects(fetch(String(editor)), 'n8n has ended');
			await assert.rejects(fetch(String(sandbox)), 'the sandbox has ended');
		},
	);

	test(
		'--once, with what the first start left: ends 0 after the table',
		{ timeout: jobDeadline, ...inFull },
		async () => {
			const job = start('--once', '--port', '0', '--sandbox-port', '0', '--state', state);
			jobs.push(job);
			assert.equal(await job.end(), 0, `${job.output}\n${job.errors}`);
			const rows = tableOf(job.output);
			assert.deepEqual(
				rows.map(({ lead, number }) => ({ lead, number })),
				leads(),
			);
			assert.ok(
				rows.every(({ status, success }) => ![status, success].includes('(none)') && success),
				job.output,
			);
			assertLiveAnswer(rows);
			assert.match(job.output, /Every one of the \d+ leads has an outcome\./);
		},
	);
});

describe('npm start, what it says when it cannot', () => {
	for (const [option, who] of [
		['--port', 'n8n'],
		['--sandbox-port', 'the sandbox'],
	])
		test(`a taken port of ${who} is named, with the option for another`, async () => {
			const server = createServer();
			const { port } = new URL(await listening(server));
			try {
				const job = start('--once', '--port', '0', '--sandbox-port', '0', option, port);
				assert.equal(await job.end(), 1);
				assert.equal(
					job.errors,
					`✖ Port ${port} for ${who} is taken. End what uses it, or choose another one with ${option}.\n`,
				);
				assert.equal(job.output, '');
			} finally {
				server.close();
			}
		});

	test('an option that does not exist is named, with those that do', async () => {
		const job = start('--twice');
		assert.equal(await job.end(), 1);
		assert.equal(
			job.errors,
			"✖ Unknown option '--twice'. Known options: --once, --port, --sandbox-port, --state.\n",
		);
	});

	test('a Node that is too old is named, with the one it needs', () => {
		assert.doesNotThrow(() => ensureNodeVersion('v20.0.0'));
		assert.throws(() => ensureNodeVersion('v18.20.4'), {
			message:
				'Node 20 or newer is needed, this is v18.20.4. Install a newer Node and run the command again.',
		});
	});
});
