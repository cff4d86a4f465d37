import { compact, isEmpty } from 'lodash';
import type { IDataObject } from 'n8n-workflow';
import { choice, collection, integer, map, number, reference, text } from '../engine/fields';
import { operation, resource } from '../engine/operation';
import { oncePerItem } from '../shared/oncePerItem';

const access = {
	notice: 'Anyone with the response can use the machine. Keep it where others cannot read it.',
	body: {
		expires_minutes: integer('How long the access is valid, up to one week', {
			min: 5,
			max: 10080,
			default: 60,
			displayName: 'Expires After (Minutes)',
		}),
	},
};

export const builder = resource({
	label: 'Builder',
	value: 'builder',
	path: {
		uuid: reference(null, 'ID of the app, found under builder in a deployed build conversation', {
			name: 'builder',
		}),
	},
	description: "Apps that run on the platform's machines",
	defaultOperation: 'getSpending',
	operations: {
		create: operation.create('POST /builders', {
			name: 'Create From Code',
			action: 'Create a builder from code',
			description: "Run your own program on one of the platform's machines",
			notice:
				"The machine costs money while it runs. Turn on 'Preview' under Options to see the request without sending it.",
			body: {
				name: oncePerItem(
					text('Lowercase letters, digits and dashes only', {
						required: true,
						placeholder: 'e.g. my-api',
					}),
					'Create for Each Item',
					'creates a machine',
				),
				entrypoint: text("Starts the program, which must listen on 0.0.0.0 at 'Port'", {
					required: true,
					displayName: 'Start Command',
					placeholder: 'e.g. python3 main.py',
				}),
				files: map<string>(
					{
						entry: 'File',
						top: true,
						description:
							"The program's files. Packages listed in requirements.txt are installed before it starts.",
						key: { displayName: 'Path', placeholder: 'e.g. main.py' },
					},
					text({ displayName: 'Content', rows: 6 }),
				),
				backup_interval_hours: integer({ displayName: 'Backup Interval (Hours)' }),
				env: map<string>(
					{
						entry: 'Variable',
						displayName: 'Environment Variables',
						description: 'Non-secret values for the program',
						key: { displayName: 'Name', placeholder: 'e.g. LANGUAGE' },
					},
					text(),
				),
				job_type: choice(
					[
						{ name: 'Always On', value: 'always_on', description: 'Runs until you stop it' },
						{ name: 'One Time', value: 'one_time', description: 'Stops when the program ends' },
					],
					'How long the app runs',
				),
				port: integer('Port on which the program listens', { default: 8000 }),
				resources: collection(
					{ top: true, displayName: 'Machine', description: 'Size of the machine' },
					{
						cpu: number('Number of virtual CPUs', { displayName: 'CPU', default: 1 }),
						disk: number({ displayName: 'Disk (GB)', default: 3 }),
						memory: number({ displayName: 'Memory (GB)', default: 1 }),
					},
				),
			},
			openBody: true,
			check: ({ body }) => {
				if (!/^[a-z0-9-]+$/.test(String(body.name)))
					return `'Name' is "${String(body.name).slice(0, 60)}"; it may contain only lowercase letters, digits and dashes`;
				return isEmpty(compact(Object.values((body.files ?? {}) as IDataObject)))
					? `'Files' is empty. Add the program, or enter it in 'Body (JSON)' under Options like {"files": {"main.py": "…"}}`
					: undefined;
			},
		}),
		createSsh: operation.create('POST /builders/{uuid}/ssh', {
			name: 'Create SSH Access',
			action: 'Create SSH access to a builder',
			description:
				'Get a command that opens a shell on the machine; anyone who has it can use the machine until it expires',
			...access,
		}),
		exec: operation.action('POST /builders/{uuid}/exec', {
			name: 'Run Command',
			action: 'Run a command in a builder',
			description: "Run a shell command on an app's machine and get its output",
			notice: "The command runs with all of the app's permissions and cannot be undone.",
			body: {
				command: text({ required: true, rows: 2, placeholder: 'e.g. ls -la' }),
				timeout: integer('How long to wait for the command to finish', {
					displayName: 'Command Timeout (Seconds)',
					min: 1,
					max: 600,
					default: 60,
				}),
			},
		}),
		getFiles: operation.get('GET /builders/{uuid}/files', {
			description: 'Read the files of an app',
			mayBeEmpty: true,
		}),
		getLogs: operation.get('GET /builders/{uuid}/logs', {
			description: "Read an app's printed output",
			mayBeEmpty: true,
		}),
		getSpending: operation.get('GET /builders/spending', {
			action: 'Get the spending on builders',
			description: "Read what the workspace's apps cost, in total and per app",
		}),
		recreateSsh: operation.action('POST /builders/{uuid}/ssh/recreate', {
			name: 'Recreate SSH Access',
			action: 'Recreate SSH access to a builder',
			description: 'Get a new command that opens a shell on the machine',
			...access,
		}),
		start: operation.action('POST /builders/{uuid}/start', {
			description:
				'Switch an app on; it costs money while it runs, and its preview URL works only then',
		}),
		stop: operation.action('POST /builders/{uuid}/stop', {
			description: 'Switch an app off',
		}),
	},
});
