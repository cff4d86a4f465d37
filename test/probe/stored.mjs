/**
 * Everything that a sandbox holds; collections that are empty may not exist yet.
 * @param {Awaited<ReturnType<typeof import('../../sandbox/client.mjs').startSandbox>>} sandbox
 * @returns {Promise<Record<string, any[]>>}
 */
export async function stored(sandbox) {
	const names = await sandbox.control('GET /state');
	const all = await Promise.all(
		names.map(async (name) => [name, await sandbox.control(`GET /state/${name}`)]),
	);
	return Object.fromEntries(all.filter(([, records]) => records.length > 0));
}
