/** Kinds of operations that write something for each item `{phone, text}`, and where the platform carries them out. */
import type { INodeParameters } from 'n8n-workflow';
import type { Sandbox } from '../harness/index.cts';
import { agentOf, byId, contact, mapped, note, sms } from './scene.cts';

export interface Kind {
	node: string;
	/** Without options. */
	parameters: (agent: string, sandbox: Sandbox) => INodeParameters | Promise<INodeParameters>;
	/** A regular expression. */
	path: string;
	/** Default: POST. */
	method?: string;
	/** What tells the items apart in what the platform carried out; default: the text. */
	of?: (body: any, path: string) => string;
	/** Makes what the items are about, and gives the items instead of those that were asked for. */
	scene?: (sandbox: Sandbox, items: any[]) => Promise<object[]>;
}

const phoneNumber = '={{ $json.phone }}';
const scheduledAt = '2035-05-01T10:00:00+03:00';
const title = '={{ $json.text }}';
const contacts = mapped({ phone_number: phoneNumber });

/** API Request, with the same in its body. */
const written = (path: string, body: string) => ({
	node: 'acpContacts otherEndpoint.apiRequest',
	path,
	parameters: (agent: string) => ({
		method: 'POST',
		path,
		body: `={{ ${body.replace('AGENT', JSON.stringify(agent))} }}`,
	}),
});

/** A task for the far future, in some state. @returns it */
export async function taskIn(sandbox: Sandbox, status: string, change: object = {}): Promise<any> {
	const { data } = await sandbox.api.post('/tasks', {
		title: 'Call Anna back',
		type: 'make_call',
		agent_uuid: await agentOf(sandbox),
		scheduled_at: '2035-03-05T10:00:00Z',
		contact: { phone_number: '+14155550001' },
		...change,
	});
	await sandbox.change('tasks', data.data.uuid, { status });
	return { ...data.data, status };
}

/** Which item a task was made for. */
const textOfTask = new Map<string, string>();

/** Something is done to a task for each item. */
const onTask = (operation: string, status: string): Kind => ({
	node: `acpOutreach task.${operation}`,
	parameters: () => ({ task: byId('={{ $json.task }}'), simplify: false }),
	path: `/tasks/[^/]+/${operation}`,
	of: (_, path) => textOfTask.get(path.split('/')[2] as string) as string,
	scene: async (sandbox, items) =>
		await Promise.all(
			items.map(async (item) => {
				const contact = { phone_number: item.phone };
				const { uuid } = await taskIn(sandbox, status, { contact, title: item.text });
				textOfTask.set(uuid, item.text);
				return { ...item, task: uuid };
			}),
		),
});

export const kinds = {
	sms: { node: 'acpMessages', parameters: (agent) => sms(agent), path: '/sms/send' },
	call: {
		node: 'acpCalls call.start',
		parameters: (agent) => ({ agent: byId(agent), phoneNumber }),
		path: '/call',
		of: ({ participant }) => participant.number,
	},
	template: {
		node: 'acpMessages whatsapp.sendTemplate',
		parameters: async (agent, sandbox) => ({
			agent: byId(agent),
			template: byId((await sandbox.state('whatsapp_templates'))[0].uuid),
			phoneNumber,
		}),
		path: '/whatsapp/template',
		of: (body) => body.phoneNumber,
	},
	email: {
		node: 'acpMessages email.send',
		parameters: () => ({ to: '={{ $json.phone.slice(1) }}@example.com' }),
		path: '/email/messages',
		of: ({ to }) => `+${to.split('@')[0]}`,
	},
	smsByApiRequest: written(
		'/sms/send',
		'{ agentId: AGENT, phoneNumber: $json.phone, message: $json.text }',
	),
	contact: { node: 'acpContacts', parameters: () => contact(), path: '/contacts' },
	contactByApiRequest: written('/contacts', '{ phone_number: $json.phone, name: $json.text }'),
	findOrCreate: {
		node: 'acpContacts',
		parameters: () => ({ ...contact(), operation: 'findOrCreate' }),
		path: '/contacts',
	},
	note: { node: 'acpKnowledge', parameters: (agent) => note(agent), path: '/agents/[^/]+/notes' },
	/** Carried out at once. */
	task: {
		node: 'acpOutreach task.create',
		parameters: (agent) => ({
			title,
			type: 'make_call',
			phoneNumber,
			scheduledAt,
			autoQueue: true,
			agent: byId(agent),
		}),
		path: '/tasks',
	},
	queue: onTask('queue', 'scheduled'),
	retry: onTask('retry', 'failed'),
	cancel: onTask('cancel', 'scheduled'),
	/** Started at once, one for each item. */
	listing: {
		node: 'acpOutreach listing.create',
		parameters: (agent) => ({
			name: title,
			agent: byId(agent),
			autoStart: true,
			contacts: { values: [{ phoneNumber, name: 'Ada' }] },
		}),
		path: '/listings',
	},
	/** Started at once, one of all items. */
	launch: {
		node: 'acpOutreach listing.createFromItems',
		parameters: (agent) => ({
			name: 'Spring offer',
			autoStart: true,
			agent: byId(agent),
			campaignType: 'call',
			contacts,
		}),
		path: '/listings',
	},
} satisfies Record<string, Kind>;
