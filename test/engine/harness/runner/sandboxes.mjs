/**
 * The process in which the sandboxes of a Jest process run: to read the contract and compile its schemas takes longer
 * than most tests. They share nothing else but the clock (../clock.cjs).
 */
import { openSandbox, readContract } from '../../../../sandbox/open.mjs';

const contract = readContract();
/** By URL. @type {Map<string, {close: () => void}>} */
const opened = new Map();

const act = {
	async open({ clock, ...options }) {
		if (opened.size === 0) globalThis.setClock(clock);
		const { close, ...shown } = await openSandbox(contract, options);
		opened.set(shown.url, { close });
		return shown;
	},
	async close({ url }) {
		opened.get(url)?.close();
		opened.delete(url);
	},
};

process.on('message', async ({ id, method, options }) => {
	const answer = await act[method](options).then(
		(result) => ({ id, result }),
		(error) => ({ id, error: error.message }),
	);
	process.send(answer);
});
process.on('disconnect', () => process.exit());
