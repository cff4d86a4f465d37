/**
 * Loaded into n8n before it starts: notes each turn of its event loop that computes for more than 20 ms. It counts the
 * thread's own computing, which another program on a busy machine does not lengthen.
 */
const { appendFileSync, readFileSync } = require('node:fs');
const { isMainThread } = require('node:worker_threads');

const file = process.env.TURNS_FILE;
const isServer = isMainThread && process.argv[1]?.endsWith('/bin/n8n');

/** What the first thread of this process has computed, in milliseconds. */
const computed = () => Number(readFileSync('/proc/self/schedstat', 'utf8').split(' ')[0]) / 1e6;

if (file && isServer) {
	let before = computed();
	setInterval(() => {
		const now = computed();
		if (now - before > 20) appendFileSync(file, `${Date.now()} ${now - before}\n`);
		before = computed();
	}, 5).unref();
}
