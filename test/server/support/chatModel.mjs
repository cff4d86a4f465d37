/**
 * A chat model that says what it is told to: an HTTP server that speaks the chat completions API of OpenAI, as far as
 * n8n's chat model node needs it.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { listening } from '../../../tools/ports.mjs';

/**
 * @typedef {{calls: Array<[tool: string, args: object]>} | {text: string}} Turn what the model answers next
 */
export class ChatModel {
	#turns = [];
	#calls = 0;

	/** Requests of the agent, oldest first: `messages`, `tools`, … @type {any[]} */
	requests = [];

	/** @returns {Promise<ChatModel>} listening on a free port of this machine */
	static async start() {
		const model = new ChatModel();
		model.server = createServer(async (request, response) => {
			let text = '';
			for await (const chunk of request) text += chunk;
			model.#answer(JSON.parse(text), response);
		});
		/** Base URL for an OpenAI account. */
		model.url = `${await listening(model.server)}/v1`;
		return model;
	}

	/** Forgets what was and answers these from now on. @param {Turn[]} turns */
	script(turns) {
		this.#turns = [...turns];
		this.requests = [];
	}

	/** @returns {Array<{name: string, description: string, parameters: any}>} the tools that the agent offered last */
	tools() {
		return this.requests.at(-1).tools.map((tool) => tool.function);
	}

	/** @returns {Record<string, string[]>} by tool: what the agent was told that each call gave */
	results() {
		const { messages } = this.requests.at(-1);
		const names = new Map(
			messages
				.flatMap((message) => message.tool_calls ?? [])
				.map((call) => [call.id, call.function.name]),
		);
		const results = {};
		for (const { role, tool_call_id: id, content } of messages)
			if (role === 'tool') (results[names.get(id)] ??= []).push(content);
		return results;
	}

	#answer(request, response) {
		this.requests.push(request);
		const turn = this.#turns.shift() ?? { text: 'The script has ended.' };
		const calls =
			'calls' in turn &&
			turn.calls.map(([name, args], index) => ({
				index,
				id: `call_${++this.#calls}`,
				type: 'function',
				function: { name, arguments: JSON.stringify(args) },
			}));
		const message = {
			role: 'assistant',
			content: 'text' in turn ? turn.text : null,
			...(calls ? { tool_calls: calls } : {}),
		};
		const finish = calls ? 'tool_calls' : 'stop';
		const answer = { id: 'chatcmpl-1', created: 0, model: request.model };
		if (!request.stream) {
			response.setHeader('content-type', 'application/json');
			response.end(
				JSON.stringify({
					...answer,
					object: 'chat.completion',
					choices: [{ index: 0, message, finish_reason: finish }],
					usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
				}),
			);
			return;
		}
		response.setHeader('content-type', 'text/event-stream');
		for (const choice of [
			{ index: 0, delta: message, finish_reason: null },
			{ index: 0, delta: {}, finish_reason: finish },
		])
			response.write(
				`data: ${JSON.stringify({ ...answer, object: 'chat.completion.chunk', choices: [choice] })}\n\n`,
			);
		response.end('data: [DONE]\n\n');
	}

	async stop() {
		this.server.closeAllConnections();
		this.server.close();
		await once(this.server, 'close');
	}
}
