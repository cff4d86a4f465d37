/** What a run that ended early says: which item ended it, and how far it came. */
import { contact, fast, people } from './guarantees/scene.cts';
import { usePlatform } from './harness/index.cts';

const platform = usePlatform({ settings: fast });

test('a retried execution names what is wrong now, not what an earlier try left uncertain', async () => {
	const items = people(3);
	await platform.sandbox.faults([
		{ match: { method: 'POST', path: '^/contacts$', nth: 1 }, fault: { kind: 'reset-after' } },
	]);
	const lost = await platform.engine.runNode('acpContacts', contact({ concurrency: 1 }), { items });
	expect(lost.error?.message).toMatch(/\[item 0, \+14155550000\]$/);
	await platform.sandbox.clearFaults();
	await platform.sandbox.faults([
		{
			match: { method: 'POST', path: '^/contacts$', nth: 2 },
			fault: { kind: 'status', status: 403 },
		},
	]);
	const again = await platform.engine.retry(lost);
	expect(again.error?.message).toMatch(/\[item 2, \+14155550002\]$/);
	expect(again.error?.httpCode).toBe('403');
	expect(again.error?.description).toMatch(/1 done, 1 uncertain, 1 not done\./);
	await platform.sandbox.clearFaults();
	// Now nothing else is wrong, so the one that is uncertain is named.
	const last = await platform.engine.retry(again);
	expect(last.error?.message).toMatch(/\[item 0, \+14155550000\]$/);
	expect(last.error?.description).toMatch(/2 done, 1 uncertain, 0 not done\./);
});
