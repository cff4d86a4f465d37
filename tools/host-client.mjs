/**
 * A client of the API that n8n's own editor uses (`/rest/...`, cookie login), as far as the main job,
 * the host tests and the benchmarks need it. Works with n8n 1.123 and 2.x: what differs is detected.
 * Waiting is always polling on a condition with a deadline.
 */
import { parse as parseFlatted } from 'flatted';
import lodash from 'lodash';

/** The person who owns every n8n that this repository starts; the demo's has a password of its own. */
export const owner = {
	email: 'owner@example.com',
	firstName: 'Olivia',
	lastName: 'Owner',
	password: 'Leads2Calls',
};

/** A server closes an idle connection, at times in the moment in which it is used again. */
export const ownConnection = { connection: 'close' };

const endedStatuses = ['success', 'error', 'crashed', 'canceled'];
const defaultDeadline = 60_000;

/** An answer of n8n that is not a success. */
export class HostError extends Error {
	/** @param {string} message n8n's own message @param {number} status HTTP status */
	constructor(message, status) {
		super(message);
		this.status = status;
	}
}

/** What was waited for has not come in time. */
export class DeadlineError extends Error {}

/**
 * @typedef {{id: string, name: string}} CredentialReference how a workflow's node names a credential
 * @typedef {{json: Record<string, any>, binary?: Record<string, any>, pairedItem?: any, error?: any}} Item
 * @typedef {{
 *   runs: any[],         every run of the node as n8n stores it
 *   outputs: Item[][],   the last run: items per output
 *   items: Item[],       the last run: all outputs one after the other
 *   error: any,          the last run's error, else undefined
 *   hints: any[],        the last run's hints in the output panel
 * }} NodeResult
 * @typedef {{
 *   id: string, status: string, mode: string, startedAt: string, stoppedAt: string | null,
 *   workflowId: string, retryOf?: string, error: any, data: any,
 *   nodes: Record<string, NodeResult>,
 * }} Execution
 */

export class HostClient {
	/** @param {string} url n8n's address without a trailing slash, e.g. `http://127.0.0.1:5678` @param {string} [password] of the owner */
	constructor(url, password = owner.password) {
		this.url = url;
		this.password = password;
		this.cookie = '';
	}

	/**
	 * @param {string} path below the address, e.g. `/rest/workflows`
	 * @param {unknown} [body] sent as JSON
	 * @returns {Promise<any>} what n8n put under `data`, else the whole answer
	 * @throws {HostError} with n8n's message and the status
	 */
	async request(method, path, body) {
		const response = await fetch(this.url + path, {
			method,
			headers: {
				...ownConnection,
				...(this.cookie && { cookie: this.cookie }),
				...(body !== undefined && { 'content-type': 'application/json' }),
			},
			body: body === undefined ? undefined : JSON.stringify(body),
		});
		const cookie = response.headers.getSetCookie().find((line) => line.startsWith('n8n-auth='));
		if (cookie) this.cookie = cookie.split(';')[0];
		const text = await response.text();
		// A busy n8n answers so before it has looked at the request; 1.x lists an execution before it has stored its data.
		const isUnstored = method === 'GET' && text.includes("of null (reading 'data')");
		if (
			(response.status === 503 && text.includes('Database is not ready')) ||
			(response.status === 500 && isUnstored)
		) {
			await new Promise((resolve) => setTimeout(resolve, 1000));
			return await this.request(method, path, body);
		}
		let answer;
		try {
			answer = JSON.parse(text);
		} catch {
			answer = undefined;
		}
		if (!response.ok)
			throw new HostError(
				`${answer?.message ?? `${method} ${path}: ${response.status}`}${response.status >= 500 && answer?.stacktrace ? `\n${answer.stacktrace}` : ''}`,
				response.status,
			);
		if (answer === undefined && text !== '')
			throw new HostError(`${method} ${path} answered something that is not JSON`, response.status);
		return answer && typeof answer === 'object' && 'data' in answer ? answer.data : answer;
	}

	/** Whether n8n answers and has its database. @returns {Promise<boolean>} */
	async isReady() {
		const asked = fetch(`${this.url}/healthz/readiness`, { headers: ownConnection });
		return (await asked.catch(() => undefined))?.ok === true;
	}

	/** Logs in as the owner, who is made on a new n8n. */
	async loginAsOwner() {
		const account = {
			emailOrLdapLoginId: owner.email,
			email: owner.email,
			password: this.password,
		};
		await this.request('POST', '/rest/login', account).catch(async (error) => {
			if (error.status !== 401) throw error;
			const made = this.request('POST', '/rest/owner/setup', { ...owner, password: this.password });
			// Where there is an owner, the password was wrong.
			await made.catch(() => Promise.reject(error));
		});
	}

	/**
	 * @param {string} [prefix] of the type, e.g. the package's name
	 * @returns {Promise<any[]>} descriptions of the node types that the editor gets
	 */
	async nodeTypes(prefix = '') {
		const types = await this.request('GET', '/types/nodes.json');
		return types.filter((type) => type.name.startsWith(prefix));
	}

	// Credentials

	/**
	 * @param {{name: string, type: string, data: Record<string, unknown>}} credential
	 * @returns {Promise<CredentialReference>}
	 */
	async createCredential(credential) {
		const { id, name } = await this.request('POST', '/rest/credentials', {
			nodesAccess: [],
			...credential,
		});
		return { id, name };
	}

	async updateCredential(id, credential) {
		await this.request('PATCH', `/rest/credentials/${id}`, { nodesAccess: [], ...credential });
	}

	/** @returns {Promise<Array<{id: string, name: string, type: string}>>} */
	async listCredentials() {
		return await this.request('GET', '/rest/credentials');
	}

	async deleteCredential(id) {
		await this.request('DELETE', `/rest/credentials/${id}`);
	}

	/**
	 * What the editor shows after Save: the credential's own test request.
	 * @param {string} id of a saved credential
	 * @returns {Promise<{status: 'OK' | 'Error', message: string}>}
	 */
	async testCredential(id) {
		const saved = await this.request('GET', `/rest/credentials/${id}?includeData=true`);
		const credentials = lodash.pick(saved, ['id', 'name', 'type', 'data']);
		return await this.request('POST', '/rest/credentials/test', { credentials });
	}

	// Workflows

	/**
	 * @param {any} workflow as exported: `name`, `nodes`, `connections`, `settings`, …
	 * @returns {Promise<any>} the stored workflow, with `id` and `versionId`
	 */
	async createWorkflow(workflow) {
		const { id: _id, versionId: _versionId, active: _active, meta: _meta, ...rest } = workflow;
		return await this.request('POST', '/rest/workflows', { active: false, settings: {}, ...rest });
	}

	/**
	 * Imports an example with the reader's credential. It names none itself: n8n runs no workflow with one that it does
	 * not know, not even a node whose output is pinned.
	 * @param {any} workflow as exported
	 * @param {CredentialReference} acpApi of every node of this package
	 * @param {(node: any) => void} [change] last changes, e.g. the agent to use
	 */
	async importWorkflow(workflow, acpApi, change) {
		const copy = structuredClone(workflow);
		for (const node of copy.nodes) {
			if (node.type.startsWith('n8n-nodes-agent-conversation-platform.'))
				node.credentials = { acpApi };
			change?.(node);
		}
		return await this.createWorkflow(copy);
	}

	async getWorkflow(id) {
		return await this.request('GET', `/rest/workflows/${id}`);
	}

	/** @returns {Promise<Array<{id: string, name: string, active: boolean}>>} */
	async listWorkflows() {
		return await this.request('GET', '/rest/workflows');
	}

	/** @param {any} changes e.g. `{nodes, connections}` */
	async updateWorkflow(id, changes) {
		return await this.request('PATCH', `/rest/workflows/${id}`, changes);
	}

	/** Deactivates, archives where n8n wants that first (2.x), deletes. @param {string} id */
	async deleteWorkflow(id) {
		await this.deactivate(id);
		const workflow = await this.getWorkflow(id);
		if ('isArchived' in workflow && !workflow.isArchived)
			await this.request('POST', `/rest/workflows/${id}/archive`, {});
		await this.request('DELETE', `/rest/workflows/${id}`);
	}

	/**
	 * Publishes the workflow as it is saved and waits until its triggers are registered or refused:
	 * n8n 2.x answers before that.
	 * @param {number} [deadline] milliseconds
	 * @param {number} [tries]
	 * @returns {Promise<{active: boolean, status: string, error: string | undefined}>} `error` is what n8n shows
	 */
	async activate(id, deadline = defaultDeadline, tries = 3) {
		const workflow = await this.getWorkflow(id);
		try {
			if (!publishes(workflow)) {
				await this.updateWorkflow(id, { active: true, versionId: workflow.versionId });
				return { active: true, status: 'published', error: undefined };
			}
			await this.request('POST', `/rest/workflows/${id}/activate`, {
				versionId: workflow.versionId,
			});
		} catch (error) {
			if (!(error instanceof HostError)) throw error;
			// n8n ends a check by regular expression after 250 ms: on a busy machine also one that has got no turn.
			if (tries > 1 && error.message.includes('Error validating node parameters'))
				return await this.activate(id, deadline, tries - 1);
			return { active: false, status: 'failed', error: error.message };
		}
		const settled = await until(
			`workflow ${id} to be published`,
			async () => {
				const publication = await this.publicationStatus(id);
				return ['published', 'partial', 'failed'].includes(publication.status) && publication;
			},
			deadline,
		);
		const { status, triggers } = settled;
		const error = triggers.find(({ errorMessage }) => errorMessage)?.errorMessage;
		return { active: status === 'published', status, error };
	}

	/** @param {number} [deadline] milliseconds */
	async deactivate(id, deadline = defaultDeadline) {
		const workflow = await this.getWorkflow(id);
		if (!publishes(workflow)) {
			if (workflow.active)
				await this.updateWorkflow(id, { active: false, versionId: workflow.versionId });
			return;
		}
		if (!workflow.activeVersionId) return;
		await this.request('POST', `/rest/workflows/${id}/deactivate`, {});
		await until(
			`workflow ${id} to be unpublished`,
			async () => (await this.publicationStatus(id)).status === 'not_published',
			deadline,
		);
	}

	/** n8n 2.x before the publication service answers 404: there /activate itself is synchronous. @param {string} id */
	async publicationStatus(id) {
		try {
			return await this.request('GET', `/rest/workflows/${id}/publication-status`);
		} catch (error) {
			if (!(error instanceof HostError) || error.status !== 404) throw error;
			const { activeVersionId } = await this.getWorkflow(id);
			return { status: activeVersionId ? 'published' : 'not_published', triggers: [] };
		}
	}

	// Executions

	/**
	 * Runs a saved workflow as "Execute workflow" does.
	 * @param {Record<string, unknown>} [start] n8n's own start conditions (`triggerToStartFrom`,
	 *   `destinationNode`, `runData`, …); without: from the Manual Trigger, else from the first trigger
	 * @returns {Promise<string>} the execution's id
	 * @throws {Error} when the run waits for a call to a test webhook (see `listen`)
	 */
	async run(id, start) {
		const answer = await this.startManually(id, start);
		if (!answer.executionId)
			throw new Error(`Workflow ${id} waits for a test event, it did not run`);
		return answer.executionId;
	}

	/** @param {string} id @returns {Promise<{form: any, url: string}>} the form of a published workflow, and its page */
	async formOf(id) {
		const { nodes } = await this.getWorkflow(id);
		const form = nodes.find(({ type }) => type === 'n8n-nodes-base.formTrigger');
		return { form, url: `${this.url}/form/${form.webhookId}` };
	}

	/**
	 * Sends the form of a published workflow, as somebody does on its page.
	 * @param {string} id of a workflow with one Form Trigger
	 * @param {Array<string | File>} values of the fields, in their order
	 * @returns {Promise<string>} the execution's id
	 * @throws {HostError} when n8n does not take it
	 */
	async submitForm(id, values) {
		const { form, url } = await this.formOf(id);
		const body = new FormData();
		for (const [index, value] of values.entries()) body.append(`field-${index}`, value);
		const earlier = (await this.listExecutions({ workflowId: id })).map((one) => one.id);
		const response = await fetch(url, { method: 'POST', body, headers: ownConnection });
		if (!response.ok) throw new HostError(`The form answered ${response.status}`, response.status);
		return await until(
			'the execution that the form started',
			async () => {
				for (const one of await this.listExecutions({ workflowId: id }))
					if (!earlier.includes(one.id) && form.name in (await this.getExecution(one.id)).nodes)
						return one.id;
			},
			defaultDeadline,
		);
	}

	/**
	 * "Listen for test event": registers the trigger's test webhook.
	 * @param {string} [trigger] the trigger node's name; without: the first trigger
	 */
	async listen(id, trigger) {
		const start = trigger && { triggerToStartFrom: { name: trigger } };
		const answer = await this.startManually(id, start);
		if (!answer.waitingForWebhook) throw new Error(`Workflow ${id} ran instead of listening`);
	}

	/** "Stop listening". @param {string} id the workflow */
	async stopListening(id) {
		await this.request('DELETE', `/rest/test-webhook/${id}`);
	}

	async startManually(id, start) {
		const workflow = await this.getWorkflow(id);
		const triggers = workflow.nodes.filter((node) => /trigger$/i.test(node.type));
		const first =
			triggers.find((node) => node.type === 'n8n-nodes-base.manualTrigger') ?? triggers[0];
		return await this.request('POST', `/rest/workflows/${id}/run`, {
			// 1.x runs what it is sent, 2.x what is saved
			workflowData: workflow,
			...(start ?? { triggerToStartFrom: { name: first?.name } }),
		});
	}

	/** @returns {Promise<Execution>} */
	async getExecution(id) {
		return readExecution(await this.request('GET', `/rest/executions/${id}`));
	}

	/**
	 * @param {number} [deadline] milliseconds
	 * @returns {Promise<Execution>} once it has ended, whatever the end
	 */
	async waitForExecution(id, deadline = defaultDeadline) {
		const stored = await until(
			`execution ${id} to end`,
			async () => {
				const execution = await this.request('GET', `/rest/executions/${id}`);
				if (!endedStatuses.includes(execution.status)) return false;
				// 1.x stores the status a moment before the data: what succeeded has run at least one node, what failed says why
				const { nodes, error } = readExecution(execution);
				const isStored = Object.keys(nodes).length > 0 || error;
				return (!['success', 'error'].includes(execution.status) || isStored) && execution;
			},
			deadline,
		);
		return readExecution(stored);
	}

	/**
	 * @param {{workflowId?: string, status?: string[], mode?: string}} [filter]
	 * @param {number} [limit] 1 to 100
	 * @returns {Promise<Array<{id: string, status: string, mode: string, workflowId: string, retryOf?: string}>>}
	 *   without data, newest first
	 */
	async listExecutions(filter = {}, limit = 100) {
		return (await this.executions(filter, { limit: String(limit) })).results;
	}

	/**
	 * As `listExecutions`, with the number of all that the filter finds; `estimated` where n8n has not counted them.
	 * n8n sorts by start and pages by ID, so pages by the last ID can have gaps; a window of IDs has none.
	 * @param {{workflowId?: string, status?: string[], mode?: string}} filter
	 * @param {{limit?: string, firstId?: string, lastId?: string}} [range] both IDs exclusive
	 * @returns {Promise<{count: number, estimated: boolean, results: any[]}>}
	 */
	async executions(filter, range = {}) {
		return await this.request(
			'GET',
			`/rest/executions?${new URLSearchParams({ filter: JSON.stringify(filter), limit: '100', ...range })}`,
		);
	}

	/**
	 * "Retry execution". n8n answers when the new execution has ended, but not always: in queue mode a worker can be done
	 * before the main process waits for it. So n8n's list tells when it has ended.
	 * @param {{loadWorkflow?: boolean}} [options] `true` = with the currently saved workflow
	 * @returns {Promise<Execution>} the new execution
	 * @throws {HostError} when n8n refuses
	 */
	async retryExecution(id, { loadWorkflow = false } = {}) {
		const { workflowId } = await this.request('GET', `/rest/executions/${id}`);
		let refusal;
		this.request('POST', `/rest/executions/${id}/retry`, { loadWorkflow }).catch((error) => {
			refusal = error;
		});
		const { id: retry } = await until(
			`the retry of execution ${id} to end`,
			async () => {
				if (refusal) throw refusal;
				const all = await this.listExecutions({ workflowId });
				return all.find(({ retryOf, status }) => retryOf === id && endedStatuses.includes(status));
			},
			defaultDeadline,
		);
		return await this.waitForExecution(retry);
	}

	async stopExecution(id) {
		return await this.request('POST', `/rest/executions/${id}/stop`);
	}

	// Data tables (2.x)

	/** @returns {Promise<string>} the path below which the owner's own data tables are */
	async dataTablesPath() {
		const { id } = await this.request('GET', '/rest/projects/personal');
		return `/rest/projects/${id}/data-tables`;
	}

	/** @returns {Promise<{id: string, name: string} | undefined>} */
	async findDataTable(name) {
		const query = new URLSearchParams({ filter: JSON.stringify({ name }) });
		const { data } = await this.request('GET', `${await this.dataTablesPath()}?${query}`);
		return data.find((table) => table.name === name);
	}

	/** @returns {Promise<Array<Record<string, any>>>} at most 250 rows */
	async dataTableRows(id) {
		const path = await this.dataTablesPath();
		return (await this.request('GET', `${path}/${id}/rows?take=250`)).data;
	}

	async clearDataTable(id) {
		const everything = { type: 'and', filters: [{ columnName: 'id', condition: 'gte', value: 0 }] };
		const query = new URLSearchParams({ filter: JSON.stringify(everything) });
		await this.request('DELETE', `${await this.dataTablesPath()}/${id}/rows?${query}`);
	}
}

/** n8n 2.x publishes versions; 1.x has a switch in the workflow. @param {any} workflow */
function publishes(workflow) {
	return 'activeVersionId' in workflow;
}

/**
 * @param {any} stored an execution as `/rest/executions/:id` gives it, its data flatted
 * @returns {Execution}
 */
function readExecution(stored) {
	const data = typeof stored.data === 'string' ? parseFlatted(stored.data) : stored.data;
	const resultData = data?.resultData ?? {};
	/** @type {Record<string, NodeResult>} */
	const nodes = {};
	for (const [name, runs] of Object.entries(resultData.runData ?? {})) {
		const { data: given = {}, error, hints = [] } = runs.at(-1) ?? {};
		const outputs = (Object.values(given)[0] ?? []).map((items) => items ?? []);
		nodes[name] = { runs, outputs, items: outputs.flat(), error, hints };
	}
	const { id, status, mode, startedAt, stoppedAt, workflowId, retryOf } = stored;
	const told = { id, status, mode, startedAt, stoppedAt, workflowId };
	return { ...told, retryOf: retryOf ?? undefined, error: resultData.error, data, nodes };
}

/**
 * Polls until the condition gives something, at first often: each look costs n8n 15 to 20 ms of computing.
 * @template T
 * @param {string} what for the message when it does not come
 * @param {() => Promise<T | false | undefined>} condition a throw ends the waiting
 * @param {number} deadline milliseconds on a quiet machine; one that is busy or slow gets four times as many
 * @param {number} [interval] milliseconds
 * @returns {Promise<T>}
 * @throws {DeadlineError}
 */
export async function until(what, condition, deadline, interval = 100) {
	const begun = Date.now();
	const end = begun + 4 * deadline;
	for (;;) {
		const result = await condition();
		if (result) return result;
		if (Date.now() > end)
			throw new DeadlineError(`Waited ${(4 * deadline) / 1000} s in vain for ${what}`);
		const pause = Math.max(interval, Math.min((Date.now() - begun) / 5, 500));
		await new Promise((resolve) => setTimeout(resolve, pause));
	}
}
