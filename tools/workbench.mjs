/**
 * All that a person needs to build a workflow, for the browser tests and the screenshots: a workspace (see
 * workspace.mjs) and its editor in a browser. Needs the development tools (see bootstrap.mjs).
 */
import { ensureBuild } from './bootstrap.mjs';
import { startBrowser } from './browser.mjs';
import { Editor } from './editor.mjs';
import { manualTrigger, openWorkspace, packageName as pack } from './workspace.mjs';

export { manualTrigger, pack };

/**
 * @param {{
 *   agents?: number,                             in the sandbox; default a handful
 *   viewport?: {width: number, height: number},  of the editor, in pixels
 * }} [options]
 * @returns {Promise<import('./workspace.mjs').Workspace & {
 *   browser: import('playwright-core').Browser, editor: Editor}>}
 */
export async function startWorkbench({ agents, viewport = { width: 1440, height: 900 } } = {}) {
	await ensureBuild();
	const workspace = await openWorkspace();
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
