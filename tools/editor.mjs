/**
 * n8n's editor as a person uses it. Elements are found by n8n's own test names or by what is written on them;
 * waiting is always for something to appear.
 */

/** What a busy machine may take for one step, in milliseconds. */
const stepDeadline = 180_000;

export class Editor {
	/** @param {import('playwright-core').Page} page @param {string} url n8n's address */
	constructor(page, url) {
		this.page = page;
		this.url = url;
	}

	/**
	 * @param {import('playwright-core').Browser} browser
	 * @param {import('./host-client.mjs').HostClient} host logged in
	 * @param {{width: number, height: number}} viewport in pixels
	 */
	static async open(browser, host, viewport) {
		const context = await browser.newContext({
			viewport,
			colorScheme: 'light',
			locale: 'en-US',
			reducedMotion: 'reduce',
		});
		const [name, value] = host.cookie.split(/=(.*)/);
		await context.addCookies([{ name, value, url: host.url }]);
		const page = await context.newPage();
		page.setDefaultTimeout(stepDeadline);
		return new Editor(page, host.url);
	}

	/**
	 * Opens a workflow; from another one as the editor's own links do, which do not load the editor anew.
	 * @param {string} id of a saved workflow with a node at least
	 */
	async openWorkflow(id) {
		const path = `/workflow/${id}`;
		if (!this.page.url().startsWith(this.url))
			await this.page.goto(this.url + path, { waitUntil: 'commit' });
		else
			await this.page.evaluate((to) => {
				for (const node of document.querySelectorAll('[data-test-id="canvas-node"]'))
					node.setAttribute('data-left', '');
				history.pushState(null, '', to);
				dispatchEvent(new PopStateEvent('popstate'));
			}, path);
		await this.page.locator('[data-test-id="canvas-node"]:not([data-left])').first().waitFor();
	}

	node(name) {
		return this.page.locator(`[data-test-id="canvas-node"][data-node-name="${name}"]`);
	}

	// The node panel

	/** Opens the panel that nodes are chosen from, and types into its search. @param {string} words */
	async searchPanel(words) {
		const search = this.page.getByTestId('node-creator-search-bar');
		if (!(await search.isVisible()))
			await this.page.getByTestId('node-creator-plus-button').click();
		await search.fill(words);
	}

	/** @param {string} name of a node or an action, exactly as the panel shows it */
	panelItem(name) {
		return this.page.getByTestId('node-creator-item-name').getByText(name, { exact: true });
	}

	// A node's parameters

	async openNode(name) {
		await this.node(name).dblclick();
		await this.parameters.waitFor();
	}

	async closeNode() {
		await this.page.getByTestId('ndv-close-button').click();
		await this.parameters.waitFor({ state: 'hidden' });
	}

	get parameters() {
		return this.page.getByTestId('node-parameters');
	}

	field(name) {
		return this.page.getByTestId(`parameter-input-${name}`);
	}

	async fill(name, text) {
		await this.field(name).locator('input, textarea').first().fill(text);
	}

	/** Chooses in a dropdown; one for several values stays open. */
	async choose(name, label) {
		await this.openDropdown(name);
		await this.option(label).click();
	}

	/** Opens a dropdown once its options have been loaded. @param {string} name of the parameter */
	async openDropdown(name) {
		await this.field(name).locator('input:enabled').first().waitFor({ state: 'attached' });
		await this.field(name).click();
		await this.option(/./).waitFor();
	}

	option(label) {
		return this.page.getByRole('option').filter({ hasText: label, visible: true }).first();
	}

	/** Opens the list of a reference. @param {string} name of the parameter */
	async openList(name) {
		await this.page.getByTestId(`resource-locator-${name}`).getByTestId('rlc-input').click();
	}

	listItem(label) {
		return this.page.getByTestId('rlc-item').filter({ hasText: label, visible: true }).first();
	}

	/** Chooses in the list of a reference. @param {string} [words] typed into the list's search */
	async chooseInList(name, label, words) {
		await this.openList(name);
		if (words) await this.page.getByTestId('rlc-search').locator('visible=true').fill(words);
		await this.listItem(label).click();
		// one that is opened again while it closes keeps what was searched for
		await this.page.getByTestId('rlc-item').first().waitFor({ state: 'hidden' });
	}

	/**
	 * Adds a parameter to a collection.
	 * @param {string} button what is written on it: "Add Option"
	 */
	async addToCollection(button, label) {
		await this.parameters
			.getByPlaceholder(button)
			.or(this.parameters.getByText(button, { exact: true }))
			.first()
			.click();
		await this.option(label).click();
	}

	/** Where fields that only the workspace knows are filled in. */
	get mapper() {
		return this.page.getByTestId('resource-mapper-container');
	}

	/** @param {string} label of a field to fill in */
	async addMappedField(label) {
		await this.mapper.getByTestId('add-fields-select').locator('button, input').first().click();
		await this.page
			.getByRole('menuitem')
			.or(this.page.getByRole('option'))
			.filter({ hasText: label, visible: true })
			.first()
			.click();
	}

	/** How columns of the input become fields. @param {string} mode "Map Automatically" */
	async chooseMapping(mode) {
		await this.page.getByTestId('mapping-mode-select').locator('input').first().click();
		await this.option(mode).click();
	}

	/** Drags a column of the input, as its schema shows it, onto a parameter. */
	async dragColumn(column, name) {
		const pill = this.page
			.getByTestId('ndv-input-panel')
			.getByTestId('run-data-schema-item')
			.getByText(column, { exact: true })
			.first();
		// A mapped field comes after a parameter of the same name.
		const target = this.field(name).last();
		await target.scrollIntoViewIfNeeded();
		const [from, to] = [await pill.boundingBox(), await target.boundingBox()];
		if (!from || !to) throw new Error(`"${column}" or "${name}" is not to be seen`);
		await this.page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
		await this.page.mouse.down();
		for (const part of [0.1, 0.5, 0.9, 1])
			await this.page.mouse.move(
				from.x + (to.x + to.width / 2 - from.x) * part,
				from.y + (to.y + to.height / 2 - from.y) * part,
				{ steps: 5 },
			);
		await this.page.mouse.up();
		await this.page
			.getByTestId(`parameter-input-${name}`)
			.last()
			.getByText(`$json.${column}`)
			.waitFor();
	}

	/** Chooses what the open node does on an error. @param {string} label "Continue" */
	async onError(label) {
		await this.page.getByTestId('tab-settings').click();
		await this.choose('onError', new RegExp(`^${label}\\s`));
		await this.page.getByTestId('tab-params').click();
	}

	// Running

	/** Runs the open node and what stands before it. @returns {Promise<'success' | 'danger'>} how it ended */
	async execute() {
		const success = this.page.getByTestId('node-run-status-success');
		const danger = this.page.getByTestId('node-run-status-danger');
		// the editor takes the mark of an earlier run away before it asks for this one
		const begun = this.page.waitForResponse((response) => /\/run(\?|$)/.test(response.url()));
		await this.page.getByTestId('node-execute-button').click();
		await begun;
		for (;;) {
			await success.or(danger).waitFor();
			if (await success.isVisible()) return 'success';
			// Neither: the mark of the earlier run has just gone.
			if (await danger.isVisible()) return 'danger';
		}
	}

	/** Clicks on "Execute workflow" below the canvas; with several triggers, on the one that it offers. */
	async executeWorkflow() {
		await this.page.getByTestId('execute-workflow-button').last().click();
	}

	get output() {
		return this.page.getByTestId('output-panel');
	}

	async showOutput(form) {
		await this.output.getByTestId(`radio-button-${form.toLowerCase()}`).click();
		// the editor loads what draws JSON when it is first asked for
		if (form === 'JSON') await this.output.locator('.vjs-tree').first().waitFor();
	}

	/** Publishes the open workflow. */
	async publish() {
		await this.page.getByTestId('workflow-open-publish-modal-button').click();
		await this.page.getByTestId('workflow-publish-button').click();
		await this.page.getByTestId('workflowPublish-modal').waitFor({ state: 'hidden' });
		// n8n says then what happens from now on
		await this.page.getByRole('button', { name: 'Got it' }).click();
	}

	/**
	 * Loads the list of executions anew: an editor that is open goes on showing those of the workflow before.
	 * @param {string} id of the workflow
	 */
	async openExecutions(id) {
		await this.page.goto(`${this.url}/workflow/${id}/executions`, { waitUntil: 'commit' });
	}

	get executions() {
		return this.page.locator('.execution-card');
	}

	// Credentials

	/** From an open node to the form of a new credential. */
	async newCredential() {
		await this.page.getByTestId('node-credentials-select').click();
		await this.page.getByTestId('node-credentials-select-item-new').click();
		await this.credential.waitFor();
	}

	get credential() {
		return this.page.getByTestId('editCredential-modal');
	}

	async fillCredential(values) {
		for (const [name, value] of Object.entries(values))
			await this.credential.getByTestId(`parameter-input-${name}`).locator('input').fill(value);
	}

	/** Saves, which tests the credential too. */
	async saveCredential() {
		await this.credential.getByTestId('credential-save-button').click();
	}
}
