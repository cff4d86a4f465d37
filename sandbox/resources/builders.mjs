import { changed, created } from '../answers.mjs';
import { conflict } from '../errors.mjs';
import { Instant } from '../zone.mjs';

const QUESTIONS = [
	'Which region should the app serve?',
	'How often should it run?',
	'Who may see its results?',
];
const HOURLY_RATE = 0.05;

function addBuilder({ filesUrl, random, store }, { uuid = random.uuid(), ...fields }) {
	return store.add('builders', {
		uuid,
		preview_url: `${filesUrl}/preview/${uuid}`,
		service_token: `svc_${random.uuidFor(`service ${uuid}`).replaceAll('-', '')}`,
		port: 8000,
		auto_stop_interval: 0,
		backup_interval_hours: 0,
		review_passed: true,
		qa_passed: true,
		files: {},
		running: true,
		...fields,
		output: ['started'],
	});
}

function costOf({ created_at: since }) {
	const hours = Math.round(((Date.now() - since.ms) / 3_600_000) * 100) / 100;
	const cost = Math.round(hours * HOURLY_RATE * 100) / 100;
	return { currency: 'EUR', hourly_rate: HOURLY_RATE, runtime_hours: hours, cost };
}

const shownBuilder = (builder) => ({ ...builder, cost: costOf(builder) });

const shownConversation = ({ store }, { builder_uuid: uuid, ...conversation }) => ({
	...conversation,
	builder: uuid === undefined ? null : shownBuilder(store.get('builders', uuid)),
});

/**
 * Works in the background until the next state (interface §3): questions, then the one-time approval, then the app.
 * A prompt that holds the word "fail" fails, so that a failure can be had.
 */
function work(sandbox, conversation) {
	Object.assign(conversation, { status: 'processing', message: null, questions: [] });
	const become = (status, message, more) =>
		Object.assign(conversation, { status, message, ...more });
	sandbox.later(sandbox.settings.builders.processingMs, () => {
		const { approved, name, prompt, rounds } = conversation;
		if (/\bfail\b/i.test(prompt)) become('failed', 'The app could not be built.');
		else if (rounds > 0) {
			const questions = [QUESTIONS[rounds % QUESTIONS.length]];
			become('gathering', 'A few questions first.', { rounds: rounds - 1, questions });
		} else if (!approved) become('awaiting_approval', 'The plan is ready for your approval.');
		else {
			const uuid = sandbox.random.uuidFor(`builder ${conversation.uuid}`);
			const fields = { uuid, name, entrypoint: 'python3 main.py' };
			conversation.builder_uuid ??= addBuilder(sandbox, fields).uuid;
			become('deployed', 'The app is running.');
		}
	});
	return changed(shownConversation(sandbox, conversation));
}

/** Goes on with a build, unless that is not legal in its present state. @param {(context: any) => void} [note] */
const goOn = (states, note) => (context) => {
	const { sandbox, record: conversation } = context;
	if (!states.includes(conversation.status))
		throw conflict(
			`That is not possible while the conversation is ${conversation.status}.`,
			'INVALID_STATE',
			`It is possible while ${states.join(' or ')}.`,
		);
	note?.(context);
	return work(sandbox, conversation);
};

const sshAccess = ({ sandbox, body: { expires_minutes: minutes = 60 } = {} }) => {
	const token = sandbox.random.uuid().replaceAll('-', '');
	return created({
		ssh_command: `ssh ${token}@builder.example.com`,
		token,
		expires_at: new Instant(Date.now() + minutes * 60_000),
	});
};

const run =
	(running) =>
	({ record: { uuid }, record }) => {
		record.running = running;
		return changed({ uuid, running });
	};

export const handlers = {
	'POST /builder-agents': ({ sandbox, body: { prompt, name } }) => {
		const conversation = sandbox.store.add('build_conversations', {
			name: name ?? prompt.split(/\s+/).slice(0, 4).join('-').toLowerCase(),
			prompt,
			rounds: 1,
			approved: false,
		});
		return created(work(sandbox, conversation).data);
	},
	'GET /builder-agents/{}': ({ sandbox, record }) => shownConversation(sandbox, record),
	'POST /builder-agents/{}/answers': goOn(['gathering']),
	'POST /builder-agents/{}/approve': goOn(['awaiting_approval'], ({ record }) => {
		record.approved = true;
	}),
	'POST /builder-agents/{}/rebuild': goOn(['deployed', 'failed'], ({ record, body }) => {
		const isNew = body.replace_prompt || record.status === 'failed';
		record.prompt = isNew ? body.message : `${record.prompt}\n${body.message}`;
	}),
	'POST /builders': ({ sandbox, body }) => shownBuilder(addBuilder(sandbox, body)),
	'GET /builders/spending': ({ sandbox }) => {
		const all = sandbox.store.all('builders').map(shownBuilder);
		return {
			currency: 'EUR',
			total_cost: all.reduce((sum, { cost }) => sum + cost.cost, 0),
			vm_count: all.length,
			deployments: all.map(({ uuid, name, cost }) => ({ uuid, name, cost: cost.cost })),
		};
	},
	'POST /builders/{}/start': run(true),
	'POST /builders/{}/stop': run(false),
	'GET /builders/{}/logs': ({ record: { output } }) => ({ logs: output.join('\n') }),
	'GET /builders/{}/files': ({ record: { files } }) =>
		Object.entries(files).map(([path, text]) => ({ path, size: Buffer.byteLength(text) })),
	'POST /builders/{}/exec': ({ record: builder, body: { command } }) => {
		if (!builder.running)
			throw conflict('The builder is stopped.', 'INVALID_STATE', 'Start it first.');
		builder.output.push(`$ ${command}`);
		const [, echoed] = /^echo (.*)$/.exec(command) ?? [];
		return echoed === undefined
			? { exit_code: /\bfalse\b/.test(command) ? 1 : 0, output: '' }
			: { exit_code: 0, output: `${echoed}\n` };
	},
	'POST /builders/{}/ssh': sshAccess,
	'POST /builders/{}/ssh/recreate': sshAccess,
};
