/**
 * Where in a request the value of each parameter stands, by its declaration. The names are the rule: a parameter is the
 * API's field in camelCase, nested fields join, and a reference is named after what it refers to. So two fields of one
 * type that were exchanged, like user and password or start and end, show here. That the values arrive there,
 * everyOperation shows.
 */
import { camelCase } from 'lodash';
import type { Placed } from '../../../nodes/engine/fields/field';
import { fieldsOf } from '../../../nodes/engine/operation/places';
import { nodes, operationsOf } from '../../../tools/operations.cjs';

/** Who is meant by the uuid in a path: the parameter is named after the resource, the contract says `uuid`. */
const ownersOfPaths: Record<string, string> = {
	'/agents/{uuid}': 'agent',
	'/appointment-requests/{uuid}': 'appointmentRequest',
	'/appointments/{uuid}': 'appointment',
	'/builder-agents/{uuid}': 'buildConversation',
	'/builders/{uuid}': 'builder',
	'/calls/action/{uuid}': 'conversation',
	'/calls/{uuid}': 'call',
	'/campaigns/{uuid}': 'campaign',
	'/coaching-agents/{uuid}': 'coachingAgent',
	'/contacts/{uuid}': 'contact',
	'/conversations/{uuid}': 'conversation',
	'/data/{uuid}': 'table',
	'/evaluations/{uuid}': 'evaluation',
	'/flow/apps/{uid}': 'app',
	'/flow/{uuid}': 'flow',
	'/listings/{uuid}': 'listing',
	'/logs/actions/{type}/{uuid}': 'log',
	'/medias/{uuid}': 'media',
	'/pbx_extension_connectors/{uuid}': 'pbxConnector',
	'/phone-numbers/{uuid}': 'phoneNumber',
	'/pools/{uuid}': 'pool',
	'/qa-agents/{uuid}': 'qaAgent',
	'/rules/{uuid}': 'rule',
	'/schedules/{uuid}': 'schedule',
	'/sessions/{uuid}': 'session',
	'/tasks/{uuid}': 'task',
	'/transcriptions/{uuid}': 'transcription',
};

/** Parameters that depart from the rule: `resource.operation.name` or `*.name`, where `*` is any operation. */
const exceptions: Record<string, string> = {
	// Whoever is called or written to is `phoneNumber`, whatever the endpoint calls it.
	'call.start.phoneNumber': 'body.participant.number',
	'call.startAndWait.phoneNumber': 'body.participant.number',
	'phoneNumber.buy.phoneNumber': 'body.number',
	'task.create.phoneNumber': 'body.contact.phone_number',
	'phoneNumber.getChannelsByNumber.phoneNumber': 'query.number',
	// A reference is named after its resource, and after its part in it where there are two.
	'*.action': 'body.action_key',
	'*.targetAgent': 'body.agent_uuid',
	'agentIntent.setEvent.connection': 'body.app_connection_uuid',
	'*.guardRule': 'path.ruleUuid',
	'*.routingRule': 'path.ruleUuid',
	'*.trainingItem': 'path.trainingUuid',
	'*.settingsVoice.voice': 'body.settings.voice.voice_profile.voice_uuid',
	'task.create.template': 'body.task_data',
	'campaign.attachPools.pools': 'body.pool_uuids',
	// Several parameters together make it: the first one names them.
	'*.period': 'query.from',
	'appointment.getAll.period': 'query.start_date',
	'appointmentRequest.getAll.period': 'query.start_date',
	'*.audioSource': 'body.voice_file',
	// The name of n8n's own for a file of the input item.
	'*.binaryPropertyName': 'body.file',
	// What a mapper is filled with are columns, for people.
	'record.create.columns': 'body.record',
	'record.update.columns': 'body.record',
	'record.upsert.columns': 'body.record',
};

/** Names that a reference may have in a request: its own, or with what kind of ID it is. */
const kinds = ['', 'Uuid', 'Id', 'Uid'];

interface Declared {
	subject: string;
	template: string;
	/** Of the parameter, with those that it is inside of. */
	names: string[];
	/** Where in the request. */
	place: string[];
	isReference: boolean;
}

/** A field and those inside it. */
const declaredIn = (
	placed: Placed,
	about: Pick<Declared, 'subject' | 'template'>,
	above: Pick<Declared, 'names' | 'place'>,
): Declared[] => {
	const names = [...above.names, placed.name];
	const place = [...above.place, ...placed.path];
	const [shown] = placed.field.show('any', 'Any');
	return [
		{ ...about, names, place, isReference: shown?.type === 'resourceLocator' },
		...(placed.field.inside ?? []).flatMap((inside) => declaredIn(inside, about, { names, place })),
	];
};

/** Whether a parameter stands where its name says. */
function belongs({ subject, template, names, place, isReference }: Declared): boolean {
	const listed = exceptions[`${subject}.${names.join('.')}`] ?? exceptions[`*.${names.join('.')}`];
	if (listed) return place.join('.') === listed;
	const own = /^path\.(uu?id)$/.exec(place.join('.'))?.[1];
	if (own) {
		const upTo = template.slice(0, template.indexOf(`{${own}}`) + own.length + 2);
		return ownersOfPaths[upTo] === names.join('.');
	}
	const name = camelCase(place.slice(1).join(' '));
	const wanted = camelCase(names.join(' '));
	return (isReference || /phoneNumber$/.test(wanted) ? kinds : ['']).some(
		(kind) => name === `${wanted}${kind}`,
	);
}

test('every parameter stands where its name says, each in a place of its own', () => {
	const declared = operationsOf(nodes()).map(({ subject, operation }) => {
		const about = { subject, template: operation.template };
		return fieldsOf(operation)
			.filter(({ part }) => part !== 'filters')
			.flatMap((one) => declaredIn(one, about, { names: [], place: [one.part] }));
	});
	expect(declared.flat().length).toBeGreaterThan(1300);
	const wrong = declared.flat().filter((one) => !belongs(one));
	expect(wrong.map(({ subject, names, place }) => [subject, names, place].join(' '))).toEqual([]);
	const twice = declared.filter(
		(ofOne) => new Set(ofOne.map(({ place }) => place.join('.'))).size < ofOne.length,
	);
	expect(twice).toEqual([]);
});
