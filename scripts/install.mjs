/**
 * Installs what stages of the tests need: `node scripts/install.mjs 2.40.7 chromium services`
 * Names: versions of n8n, `chromium`, `services` (Redis and PostgreSQL). The package is packed, too.
 */
import { ensureBuild, ensureHost, ensurePack, exitWith } from '../tools/bootstrap.mjs';

try {
	await ensureBuild();
	await ensurePack();
	for (const need of process.argv.slice(2)) {
		if (need === 'chromium') await (await import('../tools/browser.mjs')).ensureChromium();
		else if (need === 'services')
			await (await import('../test/queue/services.mjs')).ensureServices();
		else await ensureHost(need);
	}
} catch (error) {
	exitWith(error);
}
