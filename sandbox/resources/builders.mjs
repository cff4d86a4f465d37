import { changed, created, read } from '../answers.mjs';
import { conflict } from '../errors.mjs';
import { born } from '../store.mjs';
import { Instant } from '../zone.mjs';

const QUESTIONS = [
	'Which region should the app serve?',
	'How often should it run?',
	'Who may see its results?',
];
const HOURLY_RATE = 0.05;

const builderOf = (sandbox, uuid) => sandbox.store.need('builders', uuid, 'Builder');

function addBuilder(sandbox, fields, uuid = sandbox.random.uuid()) {
	return sandbox.store.collection('builders').add({
		uuid,
		preview_url: `${sandbox.filesUrl}/preview/${uuid}`,
		service_token: `svc_${sandbox.random.uuidFor(`service ${uuid}`).replaceAll('-', '')}`,
		port: 8000,
		auto_stop_interval: 0,
		backup_interval_hours: 0,
		review_passed: true,
		qa_passed: true,
		files: {},
		running: true,
		ssh: 0,
		...fields,
		created_at: Instant.now(),
		output: ['started'],
	});
}

const shownBuilder = (builder) => {
	const { files, running, ssh, output, env, resources, job_type, ...shown } = builder;
	const hours = Math.round(((Date.now() - builder.created_at.ms) / 3_600_000) * 100) / 100;
	return {
		...shown,
		cost: {
			currency: 'EUR',
			hourly_rate: HOURLY_RATE,
			runtime_hours: hours,
			cost: Math.round(hours * HOURLY_RATE * 100) / 100,
		},
	};
};

const conversationOf = (sandbox, uuid) =>
	sandbox.store.need('build_conversations', uuid, 'Build conversation');

const shownConversation = (sandbox, { rounds, approved, builder_uuid, ...conversation }) => ({
	...conversation,
	builder: builder_uuid === undefined ? null : shownBuilder(builderOf(sandbox, builder_uuid)),
});

/**
 * Works in the background until the next state (interface §3): questions, then the one-time approval, then the app.
 * A prompt that holds the word "fail" fails, so that a failure can be had.
 */
function work(sandbox, conversation) {
	Object.assign(conversation, { status: 'processing', message: null, questions: [] });
	sandbox.later(sandbox.settings.builders.processingMs, () => {
		if (/\bfail\b/i.test(conversation.prompt))
			Object.assign(conversation, { status: 'failed', message: 'The app could not be built.' });
		else if (conversation.rounds > 0)
			Object.assign(conversation, {
				rounds: conversation.rounds - 1,
				status: 'gathering',
				message: 'A few questions first.',
				questions: [QUESTIONS[conversation.rounds % QUESTIONS.length]],
			});
		else if (!conversation.approved)
			Object.assign(conversation, {
				status: 'awaiting_approval',
				message: 'The plan is ready for your approval.',
			});
		else {
			conversation.builder_uuid ??= addBuilder(
				sandbox,
				{ name: conversation.name, entrypoint: 'python3 main.py' },
				sandbox.random.uuidFor(`builder ${conversation.uuid}`),
			).uuid;
			Object.assign(conversation, { status: 'deployed', message: 'The app is running.' });
		}
	});
}

/** Refuses what is not legal in the present state. */
function mustBe(conversation, states, operation) {
	if (!states.includes(conversation.status))
		throw conflict(
			`${operation} is not possible while the conversation is ${conversation.status}.`,
			'INVALID_STATE',
			`It is possible while ${states.join(' or ')}.`,
		);
}

const progressed = (sandbox, conversation) => ({
	status: 200,
	body: { success: true, data: shownConversation(sandbox, conversation) },
	effect: 'changed',
	uuid: conversation.uuid,
});

const sshAccess = (sandbox, builder, minutes) => {
	builder.ssh += 1;
	const token = sandbox.random.uuid().replaceAll('-', '');
	return {
		ssh_command: `ssh ${token}@builder.example.com`,
		token,
		expires_at: new Instant(Date.now() + minutes * 60_000),
	};
};

export const builders = {
	'POST /builder-agents': ({ sandbox, body }) => {
		const conversation = sandbox.store.collection('build_conversations').add({
			uuid: sandbox.random.uuid(),
			name: body.name ?? body.prompt.split(/\s+/).slice(0, 4).join('-').toLowerCase(),
			status: 'processing',
			prompt: body.prompt,
			message: null,
			questions: [],
			rounds: 1,
			approved: false,
			...born(),
		});
		work(sandbox, conversation);
		return created(shownConversation(sandbox, conversation), conversation.uuid, 'Build started.');
	},
	'GET /builder-agents/{}': ({ sandbox, params: [uuid] }) =>
		read(shownConversation(sandbox, conversationOf(sandbox, uuid))),
	'POST /builder-agents/{}/answers': ({ sandbox, params: [uuid] }) => {
		const conversation = conversationOf(sandbox, uuid);
		mustBe(conversation, ['gathering'], 'Answering');
		work(sandbox, conversation);
		return progressed(sandbox, conversation);
	},
	'POST /builder-agents/{}/approve': ({ sandbox, params: [uuid] }) => {
		const conversation = conversationOf(sandbox, uuid);
		mustBe(conversation, ['awaiting_approval'], 'Approving');
		conversation.approved = true;
		work(sandbox, conversation);
		return progressed(sandbox, conversation);
	},
	'POST /builder-agents/{}/rebuild': ({ sandbox, params: [uuid], body }) => {
		const conversation = conversationOf(sandbox, uuid);
		mustBe(conversation, ['deployed', 'failed'], 'Rebuilding');
		conversation.prompt =
			body.replace_prompt || conversation.status === 'failed'
				? body.message
				: `${conversation.prompt}\n${body.message}`;
		work(sandbox, conversation);
		return progressed(sandbox, conversation);
	},
	'POST /builders': ({ sandbox, body }) => {
		const builder = addBuilder(sandbox, body);
		return created(shownBuilder(builder), builder.uuid, 'Builder created.');
	},
	'GET /builders/spending': ({ sandbox }) => {
		const all = [...sandbox.store.collection('builders').values()].map(shownBuilder);
		const total = all.reduce((sum, { cost }) => sum + cost.cost, 0);
		return {
			status: 200,
			body: {
				success: true,
				data: {
					currency: 'EUR',
					total_cost: total,
					vm_count: all.length,
					deployments: all.map(({ uuid, name, cost }) => ({ uuid, name, cost: cost.cost })),
				},
			},
			effect: 'none',
		};
	},
	'POST /builders/{}/start': ({ sandbox, params: [uuid] }) => {
		Object.assign(builderOf(sandbox, uuid), { running: true });
		return changed({ uuid, running: true }, uuid, 'Started.');
	},
	'POST /builders/{}/stop': ({ sandbox, params: [uuid] }) => {
		Object.assign(builderOf(sandbox, uuid), { running: false });
		return changed({ uuid, running: false }, uuid, 'Stopped.');
	},
	'GET /builders/{}/logs': ({ sandbox, params: [uuid] }) =>
		read({ logs: builderOf(sandbox, uuid).output.join('\n') }),
	'GET /builders/{}/files': ({ sandbox, params: [uuid] }) =>
		read(
			Object.entries(builderOf(sandbox, uuid).files).map(([path, text]) => ({
				path,
				size: Buffer.byteLength(text),
			})),
		),
	'POST /builders/{}/exec': ({ sandbox, params: [uuid], body }) => {
		const builder = builderOf(sandbox, uuid);
		if (!builder.running)
			throw conflict('The builder is stopped.', 'INVALID_STATE', 'Start it first.');
		builder.output.push(`$ ${body.command}`);
		const echoed = /^echo (.*)$/.exec(body.command);
		const data = echoed
			? { exit_code: 0, output: `${echoed[1]}\n` }
			: { exit_code: /\bfalse\b/.test(body.command) ? 1 : 0, output: '' };
		return { status: 200, body: { success: true, data }, effect: 'created', uuid };
	},
	'POST /builders/{}/ssh': ({ sandbox, params: [uuid], body = {} }) => {
		const data = sshAccess(sandbox, builderOf(sandbox, uuid), body.expires_minutes ?? 60);
		return { status: 201, body: { success: true, data }, effect: 'created', uuid };
	},
	'POST /builders/{}/ssh/recreate': ({ sandbox, params: [uuid], body = {} }) => {
		const data = sshAccess(sandbox, builderOf(sandbox, uuid), body.expires_minutes ?? 60);
		return { status: 200, body: { success: true, data }, effect: 'created', uuid };
	},
};
