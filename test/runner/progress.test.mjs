/** What `npm start` says while it works. */
import '../asserted.mjs';
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { watchInstall } from '../../tools/bootstrap.mjs';
import { Progress } from '../../tools/progress.mjs';

const steps = {
	tools: { title: 'Install the tools', else: 'there already' },
	n8n: { title: 'Install n8n', else: 'there already' },
};

/** A progress whose clock the test sets; `shown()` gives the lines that a person has read. */
function watched() {
	let printed = '';
	let now = 0;
	const out = { write: (text) => (printed += text) };
	return {
		progress: new Progress(steps, { out, now: () => now }),
		pass: (seconds) => (now += seconds * 1000),
		shown: () => printed.split('\n').filter(Boolean),
	};
}

test('each step once, with its number, how far it is, and how it ended', async () => {
	const { progress, pass, shown } = watched();
	await progress.step('tools', async () => {});
	await progress.step('n8n', () =>
		progress.work('Installing n8n', async () => {
			pass(5);
			progress.say('3 of 6 packages');
			progress.show();
			pass(4);
		}),
	);
	assert.deepEqual(shown(), [
		'1/2 Install the tools',
		'  there already',
		'2/2 Install n8n',
		'  … 5 s  3 of 6 packages',
		'  done in 9 s',
	]);
});

test('a step that fails is not called done', async () => {
	const { progress, shown } = watched();
	const fails = async () => {
		throw new Error('no');
	};
	await assert.rejects(progress.step('n8n', fails), /^Error: no$/);
	assert.deepEqual(shown(), ['2/2 Install n8n']);
});

test('work outside of known steps has a title and no number', async () => {
	const { progress, pass, shown } = watched();
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
		const { progress, shown } = watched();
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
