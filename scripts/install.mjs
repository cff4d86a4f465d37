/**
 * Installs what stages of the tests need: `node scripts/install.mjs 2.41.1 chromium services`
 * Names: versions of n8n, `chromium`, `services` (Redis and PostgreSQL). The package is packed, too.
 */
import { ensureBuild, ensureHost, ensurePack, exitWith } from '../tools/bootstrap.mjs';

try {
	const needs = process.argv.slice(2);
	// First what may fail immediately.
	if (needs.includes('chromium')) await (await import('../tools/browser.mjs')).ensureChromium();
	if (needs.includes('services')) await (await import('../tools/services.mjs')).ensureServices();
	await ensureBuild();
	await ensurePack();
	for (const version of needs.filter((need) => /^\d/.test(need))) await ensureHost(version);
} catch (error) {
	exitWith(error);
}
