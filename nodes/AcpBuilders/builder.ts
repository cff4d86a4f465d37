import { isEmpty } from 'lodash';
import { choice, collection, integer, locator, map, number, text } from '../engine/fields';
import { operation, resource } from '../engine/operation';

const builderField = locator(null, {
	name: 'builder',
	displayName: 'Builder',
	required: true,
	description:
		'The ID of the app; it stands under builder in a build conversation that is deployed',
});

/** For paths that the interface names without showing them (§3): guessed from POST /builders/{uuid}/exec. */
const minutes = integer({
	min: 5,
	max: 10080,
	default: 60,
	displayName: 'Expires After (Minutes)',
	description: 'How long the access works, up to a week',
});

export const builder = resource({
	label: 'Builder',
	value: 'builder',
	description: 'Apps that run on machines of the platform',
	defaultOperation: 'getSpending',
	operations: {
		create: operation.create('POST /builders', {
			name: 'Create From Code',
			action: 'Create a builder from code',
			description: 'Run your own program on a machine of the platform',
			notice:
				"The machine costs money while it runs. Turn on 'Preview' under Options to see the request without sending it.",
			tool: false,
			body: {
				name: text({
					required: true,
					description: 'Lower-case letters, digits and dashes',
					placeholder: 'e.g. my-api',
				}),
				entrypoint: text({
					required: true,
					displayName: 'Start Command',
					description: "Starts the program, which must listen on 0.0.0.0 at 'Port'",
					placeholder: 'e.g. python3 main.py',
				}),
				files: map<string>(
					{
						entry: 'File',
						top: true,
						description:
							'The program. What a requirements.txt names is installed before the start.',
						key: { displayName: 'Path', placeholder: 'e.g. main.py' },
					},
					text({ displayName: 'Content', rows: 6 }),
				),
				backup_interval_hours: integer({ displayName: 'Backup Interval (Hours)' }),
				env: map<string>(
					{
						entry: 'Variable',
						displayName: 'Environment Variables',
						description: 'Values for the program that are not secret',
						key: { displayName: 'Name', placeholder: 'e.g. LANGUAGE' },
					},
					text({ displayName: 'Value' }),
				),
				job_type: choice(
					[
						{ name: 'Always On', value: 'always_on', description: 'Runs until it is stopped' },
						{ name: 'One Time', value: 'one_time', description: 'Ends when the program ends' },
					],
					{ description: 'How long it runs' },
				),
				port: integer({
					default: 8000,
					description: 'Where the program listens',
				}),
				resources: collection(
					{ displayName: 'Machine', description: 'How large the machine is' },
					{
						cpu: number({ displayName: 'CPU', default: 1, description: 'Virtual processors' }),
						disk: number({ displayName: 'Disk (GB)', default: 3 }),
						memory: number({ displayName: 'Memory (GB)', default: 1 }),
					},
				),
			},
			openBody: true,
			check: ({ body }) => {
				if (!/^[a-z0-9-]+$/.test(String(body.name)))
					return `'Name' is "${String(body.name).slice(0, 60)}"; it may hold lower-case letters, digits and dashes only`;
				return isEmpty(body.files)
					? `'Files' is empty. Add the program, or give it in 'Body (JSON)' like {"files": {"main.py": "…"}}`
					: undefined;
			},
		}),
		createSsh: operation.create('POST /builders/{uuid}/ssh', {
			name: 'Create SSH Access',
			action: 'Create SSH access to a builder',
			description:
				'Get a command that opens a shell on the machine; whoever has it can use the machine until it expires',
			notice:
				'The answer holds a way into the machine. Keep it out of places that others can read.',
			tool: false,
			path: { uuid: builderField },
			body: { expires_minutes: minutes },
		}),
		exec: operation.action('POST /builders/{uuid}/exec', {
			name: 'Run Command',
			action: 'Run a command in a builder',
			description: 'Run a shell command on the machine of an app and get its output',
			notice: 'The command runs with all the rights of the app and cannot be undone.',
			tool: false,
			path: { uuid: builderField },
			body: {
				command: text({ required: true, rows: 2, placeholder: 'e.g. ls -la' }),
				timeout: integer({
					displayName: 'Command Timeout (Seconds)',
					min: 1,
					max: 600,
					default: 60,
					description: 'How long to wait for the command to end',
				}),
			},
			takes: (body) => Number(body.timeout ?? 60),
		}),
		getFiles: operation.get('GET /builders/{uuid}/files', {
			name: 'Get Files',
			action: 'Get the files of a builder',
			description: 'Read the files of an app',
			path: { uuid: builderField },
		}),
		getLogs: operation.get('GET /builders/{uuid}/logs', {
			name: 'Get Logs',
			action: 'Get the logs of a builder',
			description: 'Read what an app has printed',
			path: { uuid: builderField },
		}),
		getSpending: operation.get('GET /builders/spending', {
			name: 'Get Spending',
			action: 'Get the spending for builders',
			description: 'Read what all apps of the workspace cost, and each of them',
		}),
		recreateSsh: operation.action('POST /builders/{uuid}/ssh/recreate', {
			name: 'Recreate SSH Access',
			action: 'Recreate SSH access to a builder',
			description: 'Get a new command that opens a shell on the machine',
			notice:
				'The answer holds a way into the machine. Keep it out of places that others can read.',
			tool: false,
			path: { uuid: builderField },
			body: { expires_minutes: minutes },
		}),
		start: operation.action('POST /builders/{uuid}/start', {
			name: 'Start',
			action: 'Start a builder',
			description:
				'Switch an app on; it costs money while it runs, and its preview address works only then',
			path: { uuid: builderField },
			body: {},
		}),
		stop: operation.action('POST /builders/{uuid}/stop', {
			name: 'Stop',
			action: 'Stop a builder',
			description: 'Switch an app off',
			path: { uuid: builderField },
			body: {},
		}),
	},
});
