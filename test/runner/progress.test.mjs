/** What `npm start` says while it works: on a terminal, and where its output goes to a file. */
import '../asserted.mjs';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { watchInstall } from '../../tools/bootstrap.mjs';
import { Progress } from '../../tools/progress.mjs';

const steps = {
	tools: { title: 'Install the tools', else: 'there already' },
	n8n: { title: 'Install n8n', else: 'there already' },
};

/** A progress whose clock the test sets; `shown()` gives what a person has read, one line per rewriting. */
function watched(isTTY) {
	let printed = '';
	let now = 0;
	const out = { isTTY, columns: 100, write: (text) => (printed += text) };
	return {
		progress: new Progress(steps, { out, now: () => now }),
		pass: (seconds) => (now += seconds * 1000),
		shown: () => printed.split(/\n|\r\x1b\[2K/).filter(Boolean),
	};
}

async function install({ progress, pass }) {
	await progress.step('tools', async () => {});
	await progress.step('n8n', () =>
		progress.work('Installing n8n', async () => {
			pass(5);
			progress.say('3 of 6 packages');
			progress.show();
			pass(4);
		}),
	);
}

test('a file gets plain lines: each step once, with its number and how it ended', async () => {
	const file = watched(false);
	await install(file);
	assert.deepEqual(file.shown(), [
		'1/2 Install the tools',
		'  there already',
		'2/2 Install n8n',
		'  … 5 s  3 of 6 packages',
		'  done in 9 s',
	]);
});

test('a terminal gets one line that is written anew, and one for each step that has ended', async () => {
	const terminal = watched(true);
	await install(terminal);
	const shown = terminal.shown();
	assert.deepEqual(
		shown.filter((line) => line.startsWith('✔')),
		['✔ 1/2 Install the tools (there already)', '✔ 2/2 Install n8n (9 s)'],
	);
	assert.ok(shown.includes('2/2 Install n8n … 5 s  3 of 6 packages'), shown.join('\n'));
});

test('a line never grows beyond the terminal', async () => {
	const { progress, shown } = watched(true);
	await progress.step('n8n', async () => {
		progress.say('x'.repeat(500));
		progress.show();
	});
	assert.equal(Math.max(...shown().map((line) => line.length)), 99);
});

test('a step that fails is not called done', async () => {
	for (const isTTY of [true, false]) {
		const { progress, shown } = watched(isTTY);
		await assert.rejects(
			progress.step('n8n', async () => {
				throw new Error('no');
			}),
			/^Error: no$/,
		);
		assert.equal(shown().length, 1, 'what has begun');
		assert.doesNotMatch(shown().join('\n'), /✔|done|already/);
	}
});

test('work outside of known steps has a title and no number', async () => {
	const { progress, pass, shown } = watched(false);
	await progress.work('Packing', async () => pass(2));
	assert.deepEqual(shown(), ['Packing', '  done in 2 s']);
});

test('compiling is spoken of once, and only when something is compiled', async () => {
	const binary = [
		'Packages: +10',
		'Progress: resolved 0, reused 4, downloaded 4, added 2',
		'node_modules/sqlite3 install$ prebuild-install -r napi || node-gyp rebuild',
		'node_modules/sqlite3 install: Done',
	];
	const compiled = [
		...binary.slice(0, 3),
		'node_modules/sqlite3 install: gyp info it worked if it ends with ok',
		'node_modules/sqlite3 install: gyp info spawn make',
	];
	const told = async (lines) => {
		const { progress, shown } = watched(false);
		await progress.step('n8n', async () => {
			const read = watchInstall(progress);
			for (const line of lines) read(line);
			progress.show();
		});
		return shown().join('\n');
	};
	assert.match(await told(binary), /8 of 10 packages fetched, 2 in place/);
	assert.doesNotMatch(await told(binary), /[Cc]ompil/);
	assert.equal((await told(compiled)).match(/takes minutes/g)?.length, 1);
});
