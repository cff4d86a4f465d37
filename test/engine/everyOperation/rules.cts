/**
 * Rules of the platform that concern several fields at once, so that "all fields" or "the
 * required ones alone" cannot be
 * sent. Each says why in our words before anything leaves n8n; with `instead` the operation then runs for real.
 */
import type { INodeParameters } from 'n8n-workflow';
import type { Scene } from './workspace.cts';

export interface Rule {
	/** What the node says. */
	says: RegExp;
	/** Why it must. */
	because: string;
	/** Parameters with which it goes through, as they stand in the workflow; undefined takes one away. */
	instead: (scene: Scene) => Promise<Record<string, unknown>> | Record<string, unknown>;
}

/** An update without a field would do nothing; with any one of its fields it goes through. */
export const nothingToChange = (one: INodeParameters): Rule => ({
	says: /There is nothing to change\. Add a field under 'Update Fields'/,
	because: 'an update without a field would do nothing',
	instead: () => ({ updateFields: one }),
});

const openWindow: Rule = {
	says: /'From' is empty/,
	because: "a window of one's own has a beginning and an end",
	instead: () => ({ from: '2035-03-05T10:00:00', to: '2035-03-06T10:00:00' }),
};

const guessed = (field: string): Pick<Rule, 'says' | 'because'> => ({
	says: new RegExp(`'${field}' is empty.*'Body \\(JSON\\)'`),
	because: 'the name of the field is a guess, so what it holds may be given as JSON instead',
});

const replacing = (list: string): Pick<Rule, 'says' | 'because'> => ({
	says: new RegExp(`'${list}' is empty.*'Body \\(JSON\\)'`),
	because: 'the list may be given as rows or in the JSON, so neither alone is required',
});

const contactRow: Rule = {
	says: /'Contacts' is empty\. Add at least one contact/,
	because: 'a row that holds nothing is none',
	instead: () => ({ contacts: { values: [{ email: 'zoe@example.com' }] } }),
};

const matched = (instead: Rule['instead']): Rule => ({
	says: /is empty, and the contact is matched by it/,
	because: 'an existing contact is recognized by that value',
	instead,
});

const ownDays: Rule = {
	says: /'Start Date' is empty, and so is 'End Date'/,
	because: "days of one's own begin or end somewhere",
	instead: () => ({ endDate: '2035-03-06' }),
};

/** By the title of a case. */
export const rules: Record<string, Rule> = {
	'agentChannel.assignSms, with the required fields': {
		says: /'Body \(JSON\)' is empty/,
		because: 'the fields are not shown, so they can only be given as JSON',
		instead: async (scene) => ({
			bodyJson: JSON.stringify({ phone_number_uuid: await scene.get('ownNumber') }),
		}),
	},
	'agentRule.addGuardRule, with the required fields': {
		says: /To forward, fill in 'Destination' or 'Destination Agent'/,
		because: 'the sample action "forward" needs to know whereto (reference: agents)',
		instead: () => ({ thenAction: 'end_conversation' }),
	},
	'agentRule.replaceRoutingRules, with the required fields': {
		...replacing('Routing Rules'),
		instead: () => ({ routingRules: { values: [{ departmentName: 'Sales' }] } }),
	},
	'agent.replaceAppointments, with the required fields': {
		...replacing('Schedule Assignments'),
		instead: async (scene) => ({
			scheduleAssignments: { values: [{ schedule: await scene.get('schedule') }] },
		}),
	},
	'agentKnowledge.replaceGuidelines, with the required fields': {
		...replacing('Guidelines'),
		instead: () => ({ guidelines: { values: [{ content: 'Be brief' }] } }),
	},
	'agentKnowledge.replaceTraining, with the required fields': {
		...replacing('Training'),
		instead: () => ({ training: { values: [{ content: 'Open?', response: 'Yes' }] } }),
	},
	'agentRule.replaceGuardRules, with the required fields': {
		...replacing('Guard Rules'),
		instead: () => ({
			guardRules: { values: [{ whenCondition: 'Rude', thenAction: 'end_conversation' }] },
		}),
	},
	'qaAgent.replaceSkills, with the required fields': {
		...replacing('Skills'),
		instead: () => ({ skills: { values: [{ name: 'Tone' }] } }),
	},
	'appointmentRequest.getAll, custom, with the required fields': ownDays,
	'contact.upsert, phone_number, with the required fields': matched(() => ({
		phoneNumber: '+14155550177',
	})),
	'contact.upsert, email, with the required fields': matched(() => ({ email: 'zoe@example.com' })),
	'contact.upsert, customField, with the required fields': matched(async (scene) => ({
		customFields: {
			mappingMode: 'defineBelow',
			value: { [String(await scene.get('contactFieldKey'))]: 'C-1' },
			matchingColumns: [],
			schema: [],
		},
	})),
	'analytics.exportMessages, custom, with the required fields': openWindow,
	'analytics.getCalls, custom, with the required fields': openWindow,
	'analytics.getSessions, custom, with the required fields': openWindow,
	'appointment.getAll, custom, with the required fields': ownDays,
	'agentVoice.updateVoiceAdvanced, with the required fields': {
		...guessed('Fields'),
		instead: () => ({ bodyJson: '{"style": 0.25}' }),
	},
	'callAction.forward, with the required fields': {
		...guessed('Phone Number'),
		instead: () => ({ phoneNumber: '+14155550123' }),
	},
	'campaign.attachPools, with the required fields': {
		...guessed('Pools'),
		instead: async (scene) => ({ pools: await scene.get('pool') }),
	},
	'email.send, email, with the required fields': {
		...guessed('To'),
		instead: () => ({ bodyJson: '{"recipient": "zoe@example.com"}' }),
	},
	'import.website, with the required fields': {
		...guessed('Website URL'),
		instead: () => ({ url: 'https://example.com' }),
	},
	'builder.create, with the required fields': {
		says: /'Files' is empty/,
		because: 'the program may be given as rows or in the JSON, so neither alone is required',
		instead: () => ({ options: { bodyJson: '{"files": {"main.py": "print(1)"}}' } }),
	},
	'contact.create, with the required fields': {
		says: /The contact would be empty/,
		because: 'a contact may be known by any one field, so none is required',
		instead: () => ({ name: 'Zoe' }),
	},
	'flowStep.test, with all fields': {
		says: /'Live' and 'Dry Run' cannot be used together/,
		because: 'an action is either run or only checked (reference: flow-steps)',
		instead: () => ({ additionalFields: { live: undefined } }),
	},
	'listing.addContacts, with the required fields': contactRow,
	'task.create, with all fields': {
		says: /Enter 'Phone Number' or choose 'Contact', not both/,
		because: 'a task is for one person (reference: tasks)',
		instead: () => ({ additionalFields: { contact: undefined } }),
	},
	'task.create, with the required fields': {
		says: /Enter 'Phone Number', or choose a contact/,
		because: 'a task is for one person, known to the workspace or not (reference: tasks)',
		instead: () => ({ phoneNumber: '+14155550123' }),
	},
	'appointmentRequest.create, with the required fields': {
		says: /Choose a contact in 'Contact', or enter both 'Contact Name' and 'Contact Email'/,
		because: 'somebody has to be asked (reference: appointment-requests)',
		instead: async (scene) => ({
			contact: { __rl: true, mode: 'id', value: await scene.get('contact') },
		}),
	},
};

/** Changes parameters; objects are changed inside, everything else is replaced. */
export function changed(
	parameters: INodeParameters,
	changes: Record<string, unknown>,
): INodeParameters {
	const result: Record<string, unknown> = { ...parameters };
	for (const [name, value] of Object.entries(changes)) {
		const inside = name === 'additionalFields' || name === 'updateFields' || name === 'filters';
		if (value === undefined) delete result[name];
		else
			result[name] = inside
				? changed((result[name] ?? {}) as INodeParameters, value as Record<string, unknown>)
				: value;
	}
	return result as INodeParameters;
}
