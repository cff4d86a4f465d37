import { appField } from './flowStep';
import { operation, resource } from '../engine/operation';

export const flowCatalog = resource({
	label: 'Flow Catalog',
	value: 'flowCatalog',
	description: 'Apps, triggers, actions and connections that flows can use',
	defaultOperation: 'getApps',
	operations: {
		getActions: operation.list('GET /flow/apps/{uid}/actions', {
			action: 'Get the actions of an app',
			pages: { unpaged: true },
			description: 'List what an app can do in a flow',
			path: { uid: appField({ required: true, description: 'The app whose actions to list' }) },
		}),
		getApps: operation.list('GET /flow/apps', {
			action: 'Get the apps of the flow catalog',
			description:
				'List the apps that flows can use, both built-in apps and apps that require a connection',
		}),
		getConnections: operation.list('GET /flow/connections', {
			action: 'Get the app connections',
			description:
				'List the connections to other services; you create them on the platform, not here',
		}),
		getTriggers: operation.list('GET /flow/apps/{uid}/triggers', {
			action: 'Get the triggers of an app',
			pages: { unpaged: true },
			description: 'List the triggers of an app that can start a flow',
			path: { uid: appField({ required: true, description: 'The app whose triggers to list' }) },
		}),
	},
});
