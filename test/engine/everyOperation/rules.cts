/**
 * Rules of the platform that concern several fields at once, so that "all fields" or "the required ones alone" cannot be
 * sent. Each says why in our words before anything leaves n8n; with other parameters the operation then runs for real.
 */
import type { INodeParameters } from 'n8n-workflow';
import type { Scene } from './workspace.cts';

export interface Rule {
	/** What the node says. */
	says: RegExp;
	/** Changes with which it goes through: null takes a parameter away. */
	instead: (scene: Scene) => Promise<Record<string, unknown>>;
}

/** @param changes `{name}` in them stands for a record */
const rule = (says: RegExp, changes: object): Rule => ({
	says,
	instead: async (scene) => await scene.filledIn(changes),
});

/** An update without a field would do nothing; with any one of its fields it goes through. */
export const nothingToChange = (updateFields: INodeParameters): Rule =>
	rule(/There is nothing to change\. Fill in .*a field under 'Update Fields'/, { updateFields });

/** The name of the field is a guess, or there are rows of it: so what it holds may be given as JSON instead. */
const orJson = (field: string, instead: object): Rule =>
	rule(new RegExp(`'${field}' is empty.*'Body \\(JSON\\)'`), instead);
const rows = (...values: object[]) => ({ values });
/** An existing contact is recognized by that value. */
const matched = (instead: object): Rule =>
	rule(/is empty, and the contact is matched by it/, instead);
const ownWindow = rule(/'From' is empty/, {
	from: '2035-03-05T10:00:00',
	to: '2035-03-06T10:00:00',
});
const ownDays = rule(/'Start Date' is empty, and so is 'End Date'/, { endDate: '2035-03-06' });
const fields = { mappingMode: 'defineBelow', matchingColumns: [], schema: [] };
const byId = (value: string) => ({ __rl: true, mode: 'id', value });

/** Where the required fields alone are not enough. */
const required: Record<string, Rule> = {
	'agentChannel.assignSms': rule(/'Body \(JSON\)' is empty/, {
		bodyJson: { phone_number_uuid: '{ownNumber}' },
	}),
	'agentRule.addGuardRule': rule(/To forward, fill in 'Destination' or 'Destination Agent'/, {
		thenAction: 'end_conversation',
	}),
	'agentRule.replaceRoutingRules': orJson('Routing Rules', {
		routingRules: rows({ departmentName: 'Sales' }),
	}),
	'agent.replaceAppointments': orJson('Schedule Assignments', {
		scheduleAssignments: rows({ schedule: '{schedule}' }),
	}),
	'agentKnowledge.replaceGuidelines': orJson('Guidelines', {
		guidelines: rows({ content: 'Be brief' }),
	}),
	'agentKnowledge.replaceTraining': orJson('Training', {
		training: rows({ content: 'Open?', response: 'Yes' }),
	}),
	'agentRule.replaceGuardRules': orJson('Guard Rules', {
		guardRules: rows({ whenCondition: 'Rude', thenAction: 'end_conversation' }),
	}),
	'qaAgent.replaceSkills': orJson('Skills', { skills: rows({ name: 'Tone' }) }),
	'appointmentRequest.getAll, custom': ownDays,
	'contact.upsert, phone_number': matched({ phoneNumber: '+14155550177' }),
	'contact.upsert, email': matched({ email: 'zoe@example.com' }),
	'contact.upsert, customField': matched({
		customFields: { ...fields, value: { '{contactFieldKey}': 'C-1' } },
	}),
	'analytics.exportMessages, custom': ownWindow,
	'analytics.getCalls, custom': ownWindow,
	'analytics.getSessions, custom': ownWindow,
	'appointment.getAll, custom': ownDays,
	'agentVoice.updateVoiceAdvanced': orJson('Fields', { bodyJson: { style: 0.25 } }),
	'callAction.forward': orJson('Phone Number', { phoneNumber: '+14155550123' }),
	'campaign.attachPools': orJson('Pools', { pools: '{pool}' }),
	'email.send, email': orJson('To', { bodyJson: { recipient: 'zoe@example.com' } }),
	'import.website': orJson('Website URL', { url: 'https://example.com' }),
	'builder.create': rule(/'Files' is empty/, {
		options: { bodyJson: { files: { 'main.py': 'print(1)' } } },
	}),
	'contact.create': rule(/The contact would be empty\. Fill in 'Phone Number'/, { name: 'Zoe' }),
	'listing.addContacts': rule(/'Contacts' is empty\. Add at least one contact/, {
		contacts: rows({ email: 'zoe@example.com' }),
	}),
	'task.create': rule(/Enter 'Phone Number', or choose a contact/, { phoneNumber: '+14155550123' }),
	'appointmentRequest.create': rule(
		/Choose a contact in 'Contact', or enter both 'Contact Name' and 'Contact Email'/,
		{ contact: byId('{contact}') },
	),
};

/** By the title of a case. */
export const rules: Record<string, Rule> = {
	...Object.fromEntries(
		Object.entries(required).map(([name, rule]) => [`${name}, with the required fields`, rule]),
	),
	'flowStep.test, with all fields': rule(/'Live' and 'Dry Run' cannot be used together/, {
		additionalFields: { live: null },
	}),
	'task.create, with all fields': rule(/Enter 'Phone Number' or choose 'Contact', not both/, {
		additionalFields: { contact: null },
	}),
};

/** Changes parameters; groups are changed inside, everything else is replaced. */
export function changed(parameters: INodeParameters, changes: object): INodeParameters {
	const result: Record<string, unknown> = { ...parameters };
	for (const [name, value] of Object.entries(changes)) {
		const isGroup = name === 'additionalFields';
		if (value === null) delete result[name];
		else result[name] = isGroup ? changed((result[name] ?? {}) as INodeParameters, value) : value;
	}
	return result as INodeParameters;
}
