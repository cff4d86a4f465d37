/** What each wish is: the run of a node that carries it out, and what it may bring about on the platform. */
import { isUndefined, mapValues, omitBy, pick } from 'lodash';
import type { INodeParameters } from 'n8n-workflow';
import { type Kind, kinds } from '../engine/guarantees/kinds.cts';
import { byId, mapped } from '../engine/guarantees/scene.cts';
import type { Scene, State } from './play.cts';
import { people, type Row, type World } from './world.cts';

/** One line, by the oracle's own idea of it: digits alone, without the mobile prefixes of Argentina and Mexico. */
export const lineOf = (written: string | number): string =>
	String(written)
		.replace(/\(0\)|\D/g, '')
		.replace(/^00/, '')
		.replace(/^549/, '54')
		.replace(/^521(?=\d{10}$)/, '52');

export const lineOfPerson = (who: number): string => lineOf(people[who]!.spellings[0]);

export interface Wish {
	node: string;
	parameters: INodeParameters;
	items: object[];
	/** Whether something is written, so that Preview and lost answers have a meaning. */
	writes: boolean;
	/** How often a line may be reached by everything that the order carries out, `runs` of its own and `items` in each. */
	most: (line: string, times: { runs: number; items: number }) => number;
	/** Whether a record that was there may be another now, or gone. */
	mayChange: (collection: string, record: any) => boolean;
	/** What changes one record: what it shows afterwards, and what the last item says. */
	ends?: { shown: (state: State) => unknown; wanted: unknown };
	/** Written for each item, with text and number of its own. */
	kind?: Kind;
	/** As an AI tool: what the model fills in, for each call. */
	tool?: { parameters: INodeParameters; calls: object[] };
}

const texts = [
	'Hello',
	'Your table is ready',
	'Olá, tudo bem?',
	'👋🏽 日本\n2026-03-29',
	'{{ $json.phone }} <b>',
	'',
	undefined,
];
const cell = ({ who, spelling }: { who: number; spelling: number }) =>
	people[who]!.spellings[spelling]!;
const items = (rows: Row[]) =>
	rows.map((row, id) => ({
		id,
		phone: cell(row),
		text: texts[row.text],
		name: people[row.who]!.name,
	}));

/** The same parameters, which say more: whom they reach stays. */
export const saying = (parameters: INodeParameters, more: string): INodeParameters =>
	mapValues(parameters, (value) =>
		typeof value === 'string'
			? value.replace('{{ $json.text }}', `{{ $json.text }} ${more}`)
			: value,
	) as INodeParameters;

/** The parameters of a node for one wish in one scene. */
export function wishOf({ wish, workspace }: World, scene: Scene): Wish {
	const nobody = { writes: true, most: () => 0, mayChange: () => false, items: [{}] };
	const { agent, listing, campaign, contacts } = scene;
	const about = scene.tasks[0]?.uuid ?? '3f2b8c1e-5d47-4a9b-8f60-2c1d9e7a4b35';
	const contactOf = (who: number) => contacts.get(who) ?? '3f2b8c1e-5d47-4a9b-8f60-2c1d9e7a4b35';
	const contact = contactOf(wish.who);
	switch (wish.does) {
		case 'sms':
		case 'call': {
			const { reach, sharedKey, skip, skipBlacklisted, preview } = wish.how;
			const options = {
				reachEachPerson: reach,
				timezone: 'Europe/Istanbul',
				...(reach === 'ownKey' && { requestKey: sharedKey ? 'order-1' : '=order-{{ $json.id }}' }),
				...(skip.length > 0 && { skipNumbers: skip.map(cell).join(', ') }),
				...(skipBlacklisted && { skipBlacklistedContacts: true }),
				...(preview && { preview }),
			};
			const { toContact } = wish;
			const whom = (phone: string, id: string): INodeParameters =>
				toContact ? { reachBy: 'contact', contact: byId(id) } : { phoneNumber: phone };
			const given = items(wish.rows).map((one, at) => ({
				...one,
				...(toContact && { contact: contactOf(wish.rows[at].who) }),
			}));
			const left = [
				...(toContact ? people.map((_, who) => who) : [])
					.filter((who) => !contacts.has(who))
					.map(lineOfPerson),
				...skip.map(({ who }: Row) => lineOfPerson(who)),
				...(skipBlacklisted
					? workspace.blacklisted.filter((who) => contacts.has(who)).map(lineOfPerson)
					: []),
			];
			const call = wish.does === 'call';
			const base = {
				agent: byId(agent),
				options,
				...(call ? { messageStart: 'Hello' } : {}),
			};
			const keyed = new Map<string, Set<number>>();
			wish.rows.forEach((row: Row, id: number) => {
				const line = lineOfPerson(row.who);
				keyed.set(line, (keyed.get(line) ?? new Set()).add(sharedKey ? 0 : id));
			});
			return {
				node: call ? 'acpCalls call.start' : 'acpMessages sms.send',
				parameters: {
					...base,
					...whom('={{ $json.phone }}', '={{ $json.contact }}'),
					...(!call && { message: '={{ $json.text }}' }),
				},
				items: given,
				writes: !preview,
				most: (line, times) => {
					if (preview || left.includes(line)) return 0;
					if (reach === 'ownKey') return keyed.get(line)?.size ?? 0;
					return reach === 'everyRun' ? times.runs * times.items : Math.min(1, times.items);
				},
				mayChange: () => false,
				tool: {
					parameters: {
						...base,
						...whom(
							"={{ $fromAI('phone', 'Whom', 'string') }}",
							"={{ $fromAI('contact', 'Whom', 'string') }}",
						),
						...(!call && { message: "={{ $fromAI('text', 'What', 'string') }}" }),
					},
					calls: given.map((one) => pick(one, toContact ? 'contact' : 'phone', call ? [] : 'text')),
				},
			};
		}
		case 'launch':
			return {
				...nobody,
				node: 'acpOutreach listing.createFromItems',
				parameters: {
					name: 'Spring offer',
					autoStart: true,
					agent: byId(agent),
					campaignType: 'call',
					contacts: mapped({ phone_number: '={{ $json.phone }}', name: '={{ $json.name }}' }),
				},
				items: items(wish.rows),
				// Whoever is in a listing of this name was reached by it already.
				most: (line, { items: count }) =>
					wish.other && line === lineOfPerson(0) ? 0 : Math.min(1, count),
				mayChange: (collection, { phone_number: number }) =>
					collection === 'contacts' &&
					wish.rows.some(({ who }: Row) => lineOfPerson(who) === lineOf(number)),
			};
		case 'stop':
			return {
				...nobody,
				node: 'acpOutreach listing.stop',
				parameters: { listing: byId(listing) },
				mayChange: (collection, record) =>
					collection === 'tasks' && record.listing_uuid === listing,
			};
		case 'summary':
			return {
				...nobody,
				node: 'acpOutreach listing.getSummary',
				parameters: { listing: byId(listing) },
				writes: false,
			};
		case 'tasksOfCampaign':
			return {
				...nobody,
				node: 'acpOutreach task.getAll',
				parameters: { returnAll: true, filters: { campaign: byId(campaign) } },
				writes: false,
			};
		case 'cancelTask':
		case 'queueTask':
			return {
				...nobody,
				node: `acpOutreach task.${wish.does === 'cancelTask' ? 'cancel' : 'queue'}`,
				parameters: { task: byId(about) },
				most: () => (wish.does === 'queueTask' ? 1 : 0),
				mayChange: (collection, { uuid }) => collection === 'tasks' && uuid === about,
			};
		case 'makeTask':
			return {
				...nobody,
				node: 'acpOutreach task.create',
				parameters: {
					title: 'Remind',
					type: 'make_call',
					agent: byId(agent),
					scheduledAt: '2035-05-01T10:00:00+02:00',
					phoneNumber: '={{ $json.phone }}',
					autoQueue: true,
				},
				items: [{ phone: people[wish.who]!.spellings[0] }],
				most: (_, { runs, items: count }) => runs * count,
				mayChange: (collection) => collection === 'contacts',
			};
		case 'findOrCreate':
		case 'upsert':
			return {
				...nobody,
				node: `acpContacts contact.${wish.does}`,
				parameters: { phoneNumber: '={{ $json.phone }}', name: '={{ $json.name }}' },
				items: items(wish.rows),
				mayChange: (collection, { phone_number: number }) =>
					wish.does === 'upsert' &&
					collection === 'contacts' &&
					wish.rows.some(({ who }: Row) => lineOfPerson(who) === lineOf(number)),
			};
		case 'write': {
			const kind: Kind = kinds[wish.kind as keyof typeof kinds];
			const { errorOutput: _, moves, downloadFile, ...how } = wish.how;
			const options = {
				...omitBy(how, isUndefined),
				...(wish.kind.endsWith('ByApiRequest') && { downloadFile }),
			};
			return {
				...nobody,
				kind,
				node: kind.node,
				parameters: {
					...(moves ? saying(scene.parameters, '{{ Math.random() }}') : scene.parameters),
					options,
				},
				items: scene.items,
				writes: !how.preview,
				mayChange: (collection) => ['agents', 'contacts', 'tasks'].includes(collection),
			};
		}
		case 'read':
			return {
				...nobody,
				node: 'acpContacts contact.get',
				parameters: { contact: byId('={{ $json.uuid }}') },
				items: scene.items,
				writes: false,
			};
		case 'deleteContact':
		case 'blacklistContact':
			return {
				...nobody,
				node: `acpContacts contact.${wish.does === 'deleteContact' ? 'delete' : 'blacklist'}`,
				parameters: {
					contact: byId(contact),
					...(wish.does === 'blacklistContact' && { reason: 'Asked for it' }),
				},
				mayChange: (collection, { uuid }) => collection === 'contacts' && uuid === contact,
			};
		case 'updateContact':
		case 'updateRecord':
		case 'replaceGuidelines': {
			const items = wish.values.map((value: number) => ({ value: `Value ${value}` }));
			const changes = (node: string, collection: string, of: string, parameters: object) => ({
				...nobody,
				node,
				parameters: parameters as INodeParameters,
				items,
				mayChange: (changed: string, { uuid }: any) => changed === collection && uuid === of,
			});
			const found = (state: State, collection: string, of: string) =>
				state[collection]!.find(({ uuid }) => uuid === of);
			const wanted = items.at(-1)!.value;
			if (wish.does === 'updateRecord')
				return {
					...changes('acpTables record.update', 'records', scene.record, {
						table: byId(scene.table),
						record: byId(scene.record),
						columns: mapped({ status: '={{ $json.value }}' }),
					}),
					ends: { wanted, shown: (state) => found(state, 'records', scene.record)?.record.status },
				};
			if (wish.does === 'replaceGuidelines')
				return {
					...changes('acpKnowledge agentKnowledge.replaceGuidelines', 'agents', agent, {
						agent: byId(agent),
						guidelines: { values: [{ content: '={{ $json.value }}' }] },
					}),
					ends: {
						wanted,
						shown: (state) =>
							found(state, 'agents', agent)
								.guidelines.map(({ content }: any) => content)
								.join(),
					},
				};
			return {
				...changes('acpContacts contact.update', 'contacts', contact, {
					contact: byId(contact),
					updateFields: { surname: '={{ $json.value }}' },
				}),
				ends: {
					wanted,
					shown: (state) => {
						const one = found(state, 'contacts', contact);
						return one && (one.surname ?? '');
					},
				},
			};
		}
		case 'find': {
			const { spellings, email, name } = people[wish.who]!;
			const asked = {
				number: spellings[1],
				email,
				name,
				extension: `${spellings[0]} ext 5`,
				unknown: '+14155559999',
			};
			return {
				...nobody,
				node: 'acpContacts contact.find',
				parameters: { findBy: wish.by ?? 'any', find: '={{ $json.who }}' },
				items: [{ who: asked[wish.asked as keyof typeof asked] }],
				writes: false,
			};
		}
		case 'contactsList':
			return {
				...nobody,
				node: 'acpContacts contact.getAll',
				parameters: { returnAll: true },
				writes: false,
			};
		case 'conversationsOf':
			return {
				...nobody,
				node: 'acpConversations conversation.getAll',
				parameters: { returnAll: true, filters: { contact: byId(contact) } },
				writes: false,
				tool: {
					parameters: {
						returnAll: true,
						filters: { contact: byId("={{ $fromAI('contact', 'Whose', 'string') }}") },
					},
					calls: [{ contact: '' }],
				},
			};
		default:
			return {
				...nobody,
				node: 'acpTables record.getAll',
				parameters: { returnAll: true, table: byId(scene.table) },
				writes: false,
			};
	}
}
