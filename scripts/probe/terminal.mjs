import { createInterface } from 'node:readline/promises';

/**
 * Questions in a terminal. Whatever is not y or yes is a no, the end of the input too.
 * @returns {import('./guided.mjs').Terminal & {close: () => void}}
 */
export function terminal(input = process.stdin, output = process.stdout) {
	const lines = createInterface({ input, output });
	const pending = [];
	const waiting = [];
	let ended = false;
	lines.on('line', (line) => (waiting.shift() ?? ((one) => pending.push(one)))(line.trim()));
	lines.on('close', () => {
		ended = true;
		for (const resolve of waiting.splice(0)) resolve('');
	});
	const answer = async (question) => {
		output.write(`${question}: `);
		if (pending.length) return pending.shift();
		return ended ? '' : await new Promise((resolve) => waiting.push(resolve));
	};
	return {
		say: (text) => output.write(`${text}\n`),
		answer,
		agrees: async (question) => /^y(es)?$/i.test(await answer(`\n${question} [y/N]`)),
		close: () => lines.close(),
	};
}
