/**
 * Chromium for the browser tests and the screenshots: found, installed where that can be done, started.
 * Needs the development tools (see bootstrap.mjs).
 */
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { chromium, selectors } from 'playwright-core';
import {
	ClearError,
	ensureBuild,
	howToInstall,
	installDebian,
	localFolder,
	mayInstallDebian,
} from './bootstrap.mjs';
import { Editor } from './editor.mjs';
import { openWorkspace } from './workspace.mjs';

// n8n's own name for it
selectors.setTestIdAttribute('data-test-id');

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];
const applications = [
	'/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
	'/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/**
 * A browser that asks nothing of the internet, with a profile of its own that is gone when it closes.
 * @returns {Promise<import('playwright-core').Browser>}
 * @throws {ClearError} when there is no Chromium and it cannot be installed here
 */
export async function startBrowser() {
	return await chromium.launch({
		executablePath: await ensureChromium(),
		args: [
			'--no-sandbox',
			'--disable-gpu',
			'--disable-quic',
			'--no-first-run',
			'--disable-background-networking',
			'--disable-component-update',
			'--disable-sync',
			'--font-render-hinting=none',
		],
	});
}

const packages = ['chromium', 'fonts-liberation'];
const missing = `Chromium is missing. Install it (Debian: ${howToInstall(packages)}), or name a Chrome or Chromium in CHROMIUM_PATH.`;
/** @returns {string | undefined} what to do, where there is no Chromium and it cannot be installed here */
export function withoutChromium() {
	return process.env.CHROMIUM_PATH || installedChromium() || mayInstallDebian()
		? undefined
		: missing;
}

/**
 * @returns {Promise<string>} path of the program: CHROMIUM_PATH, else what is installed, else
 * Debian's own, installed now
 * @throws {ClearError}
 */
export async function ensureChromium() {
	const wanted = process.env.CHROMIUM_PATH;
	if (wanted) {
		if (existsSync(wanted)) return wanted;
		throw new ClearError(`CHROMIUM_PATH names ${wanted}, and there is nothing there.`);
	}
	const found = installedChromium();
	if (found) return found;
	if (mayInstallDebian()) {
		console.log('Installing Chromium …');
		await installDebian(packages).catch(() => {});
	}
	const installed = installedChromium();
	if (installed) return installed;
	throw new ClearError(missing);
}

/** @returns {string | undefined} */
function installedChromium() {
	const folders = (process.env.PATH ?? '').split(delimiter);
	return [
		...folders.flatMap((folder) => names.map((name) => join(folder, name))),
		...applications,
	].find((path) => existsSync(path));
}

/** Keeps what a page shows when a test has failed, in `.local/browser`. @param {import('playwright-core').Page} [page] */
export async function keepFailure({ passed, name }, page) {
	const path = join(localFolder, 'browser', `${name.replace(/\W+/g, '-')}.png`);
	if (!passed) await page?.screenshot({ path });
}

/**
 * All that a person needs to build a workflow: a workspace and its editor in a browser.
 * @param {{
 *   agents?: number,                             in the sandbox; default a handful
 *   viewport?: {width: number, height: number},  of the editor, in pixels
 * }} [options]
 * @returns {Promise<import('./workspace.mjs').Workspace & {
 *   browser: import('playwright-core').Browser, editor: Editor}>}
 */
export async function startWorkbench({ agents, viewport = { width: 1440, height: 900 } } = {}) {
	await ensureBuild();
	const workspace = await openWorkspace({ shares: true });
	const browser = await startBrowser();
	if (agents) await workspace.sandbox.control('POST /reset', { agents });
	const editor = await Editor.open(browser, workspace.host, viewport);
	const close = workspace.close.bind(workspace);
	return Object.assign(workspace, {
		browser,
		editor,
		async close() {
			await browser.close();
			await close();
		},
	});
}
