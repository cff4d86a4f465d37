import type { IDataObject } from 'n8n-workflow';
import { boolean, reference, text } from '../engine/fields';
import { unwrap } from '../engine/response/response';
import { everySeconds } from '../engine/follow/wait';
import {
	type PreflightDefinition,
	fromRequest,
	operation,
	read,
	resource,
	words,
} from '../engine/operation';

/** What to do in each state of a build conversation (interface §3); in any other one, the platform decides. */
const states = new Map<string, { operations: string[]; advice: string }>(
	Object.entries({
		processing: {
			operations: [],
			advice: "The platform is still working on it. Use the operation 'Wait Until Ready' first",
		},
		gathering: {
			operations: ['Answer'],
			advice: 'The platform has questions, listed under "questions". Use the operation \'Answer\'',
		},
		awaiting_approval: {
			operations: ['Approve'],
			advice: "The platform is waiting for your approval. Use the operation 'Approve'",
		},
		deployed: {
			operations: ['Rebuild'],
			advice:
				"The app is built. Use the operation 'Rebuild' to change it, or the resource 'Builder' to run it",
		},
		failed: {
			operations: ['Rebuild'],
			advice:
				"The app could not be built. Use the operation 'Rebuild' and say what to change, or 'Start' for a new conversation",
		},
	}),
);

const stateOf = (record: IDataObject): string => String(record.status ?? '');

/** Reads the state before writing, because each operation is legal only in its own (interface §3). */
const onlyFor = (name: string): PreflightDefinition => ({
	read: read('GET /builder-agents/{uuid}', { uuid: fromRequest('uuid') }),
	check: (response) => {
		const status = stateOf((unwrap(response) ?? {}) as IDataObject);
		if (status === '')
			return 'The platform does not show the status of the build conversation, so it is not known whether this is possible. Run it again later';
		const state = states.get(status);
		return !state || state.operations.includes(name)
			? undefined
			: `'${name}' is not possible while the build conversation is "${status}". ${state.advice}`;
	},
});

/** The state may have changed between the read and the write. */
const explain = {
	'409': {
		message: 'This is not possible in the current state of the build conversation',
		description: "Read it with the operation 'Get'; its status tells you what to do next.",
	},
};

const hint = (record: IDataObject) => states.get(stateOf(record))?.advice;

const simplify = words(
	'uuid name status message questions prompt builder.uuid builder.preview_url created_at',
);

export const buildConversation = resource({
	label: 'Build Conversation',
	value: 'buildConversation',
	path: {
		uuid: reference(null, "The ID that 'Start' returned as uuid", {
			name: 'buildConversation',
		}),
	},
	description: 'Have an app built: describe it, answer questions, approve the build',
	defaultOperation: 'start',
	operations: {
		answer: operation.action('POST /builder-agents/{uuid}/answers', {
			action: 'Answer the questions of a build conversation',
			description: "Answer while the status is gathering; use 'Wait Until Ready' afterwards",
			body: {
				message: text('One text can answer several questions', {
					required: true,
					rows: 4,
					displayName: 'Answer',
					placeholder: 'e.g. Frankfurt. It should run once a day.',
				}),
			},
			preflight: onlyFor('Answer'),
			explain,
		}),
		approve: operation.action('POST /builder-agents/{uuid}/approve', {
			action: 'Approve a build',
			description:
				"Approve while the status is awaiting_approval; the app is then built and costs money while it runs. Use 'Wait Until Ready' afterwards.",
			notice:
				"The app runs on a machine that costs money. Turn on 'Preview' under Options to see the request without sending it.",
			preflight: onlyFor('Approve'),
			explain: {
				...explain,
				// Interface §3 names the step without its path; the path comes from the reference.
				ENDPOINT_NOT_FOUND: {
					message: 'This workspace does not accept approvals at the path this package knows',
					description:
						"Approve the build on the platform, or use the resource 'Other Endpoint' with the path from your workspace's API documentation.",
				},
			},
		}),
		get: operation.get('GET /builder-agents/{uuid}', {
			description: 'Read the current state once, with any open questions',
			simplify,
			hint,
		}),
		rebuild: operation.action('POST /builder-agents/{uuid}/rebuild', {
			action: 'Change a finished build',
			description:
				"Change the app while the status is deployed or failed; use 'Wait Until Ready' afterwards",
			body: {
				message: text({
					required: true,
					rows: 4,
					displayName: 'What to Change',
					placeholder: 'e.g. Add a page with the opening hours',
				}),
				replace_prompt: boolean(
					"Whether 'What to Change' replaces the app's description instead of adding to it",
				),
			},
			preflight: onlyFor('Rebuild'),
			explain,
		}),
		start: operation.action('POST /builder-agents', {
			description:
				"Describe an app in a sentence; the platform asks for more details. Use 'Wait Until Ready' afterwards.",
			body: {
				prompt: text({
					required: true,
					rows: 4,
					displayName: 'Description of the App',
					placeholder: 'e.g. A page where customers see the status of their order',
				}),
				name: text('Generated from the description if left empty'),
			},
			openBody: true,
		}),
		waitUntilReady: operation.get('GET /builder-agents/{uuid}', {
			action: 'Wait until a build conversation needs something or is done',
			description:
				'Wait until the platform asks questions, has a build to approve, or has built the app or failed',
			wait: {
				read: read('GET /builder-agents/{uuid}', { uuid: fromRequest('uuid') }),
				watch: everySeconds(2.5),
				timeoutSeconds: 300,
				forWhat: 'the platform to finish its work',
				state: (record) =>
					stateOf(record) === 'processing'
						? 'waiting'
						: states.has(stateOf(record))
							? 'done'
							: 'unknown',
			},
			simplify: [...simplify, 'timedOut'],
			hint,
		}),
	},
});
