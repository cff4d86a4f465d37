/** What a run that ended early says: which item ended it, and how far it came. */
import { contact, fast, people } from './guarantees/scene.cts';
import { usePlatform } from './harness/index.cts';

const { sandbox, engine, run } = usePlatform({ settings: fast });

test('a retried execution names what is wrong now, not what an earlier try left uncertain', async () => {
	const items = people(3);
	await sandbox.strike('POST ^/contacts$', 'reset-after', { nth: 1 });
	const lost = await run('acpContacts', contact({ concurrency: 1 }), { items });
	expect(lost.error?.message).toMatch(/\[item 0, \+14155550000\]$/);
	await sandbox.clearFaults();
	await sandbox.strike('POST ^/contacts$', 403, { nth: 2 });
	const again = await engine.retry(lost);
	expect(again.error?.message).toMatch(/\[item 2, \+14155550002\]$/);
	expect(again.error?.httpCode).toBe('403');
	expect(again.error?.description).toMatch(/1 done, 1 uncertain, 1 not done\./);
	await sandbox.clearFaults();
	// Now nothing else is wrong, so the one that is uncertain is named.
	const last = await engine.retry(again);
	expect(last.error?.message).toMatch(/\[item 0, \+14155550000\]$/);
	expect(last.error?.description).toMatch(/2 done, 1 uncertain, 0 not done\./);
});
