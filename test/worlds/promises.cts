/** The promises: what must hold between the truth on the platform and what n8n's user is told, in every world. */
import { difference, isEqual, omit, pick, uniq } from 'lodash';
import type { Result } from '../engine/harness/index.cts';
import type { Broken } from './check.cts';
import type { Played } from './play.cts';
import { lineOf, lineOfPerson } from './wishes.cts';
import { people, plain, type Row } from './world.cts';

/** Everybody whom a request that was carried out reaches. */
function reachedBy({ method, path, body, effect }: any, { before, after }: Played): string[] {
	if (method !== 'POST' || effect !== 'created') return [];
	if (path === '/call') return [body.participant.number];
	if (path === '/sms/send') return [body.phoneNumber];
	if (path === '/listings' && body.auto_start)
		return body.contacts.map(({ phone_number: one }: any) => one);
	if (path === '/tasks' && body.auto_queue) return [body.contact.phone_number];
	const [, task] = /^\/tasks\/([^/]+)\/(?:queue|retry)$/.exec(path) ?? [];
	const { contact_uuid: contact } =
		[...before.tasks!, ...after.tasks!].find(({ uuid }) => uuid === task) ?? {};
	const found = after.contacts!.find(({ uuid }) => uuid === contact);
	return found ? [found.phone_number] : [];
}

const reached = (played: Played): string[] =>
	played.ledger.flatMap((entry) => reachedBy(entry, played)).map(lineOf);

const count = (list: string[], one: string): number => list.filter((other) => other === one).length;

/** Orders that carry out a wish item by item. */
const isInRounds = ({ order }: Played['world']): boolean => ['loop', 'subWorkflow'].includes(order);

/** Items of all outputs, with the input item that each belongs to. */
const itemsOf = (result: Played['results'][number]) => {
	const runs = result.runs();
	return runs.flatMap((run, at) =>
		(run.data?.main ?? []).flatMap((output, index) =>
			(output ?? []).map(({ json, pairedItem }) => ({
				json: json as any,
				// An AI agent gets them among the others.
				isSkipped: json.skipped === true || (index === 1 && json.reason !== undefined),
				// In a loop, each round has one item.
				of: (runs.length > 1 ? [at] : [pairedItem ?? []].flat()).map(
					(paired: any) => (paired.item ?? paired) + (result.first ?? 0),
				) as number[],
			})),
		),
	);
};

/** An item that is told as done: no error, nobody left out, nothing that only was accepted. */
const isDone = ({ json, isSkipped }: { json: any; isSkipped?: boolean }) =>
	!json.error && !isSkipped && !json.acceptedWithoutProof && json.status !== 'failed';

/** All sentences that the user reads of a run. */
const said = (result: Result): string =>
	[
		result.error?.message,
		result.error?.description,
		...result.hints().map(({ message }) => message),
	]
		.filter(Boolean)
		.join(' ');

const textOf = (body: any): string => body.message ?? body.content ?? body.title ?? body.name;

const isSend = ({ world: { wish } }: Played) => wish.does === 'sms' || wish.does === 'call';

/** After these it is not known whether a request was carried out. */
const isUncertain = ({ view, order }: Played['world']): boolean =>
	['stopped', 'killed'].includes(order) ||
	(view.fault?.of === 'writes' && !['refused', 'busy'].includes(view.fault.kind));

/** Items that are told as reached before, and never were. */
function wronglySkipped(played: Played): string[] {
	if (!isSend(played)) return [];
	const all = reached(played);
	return played.results.flatMap((result) =>
		itemsOf(result)
			.filter(({ json, isSkipped }) => isSkipped && json.reason === 'reached_before')
			// A run that ended in the middle leaves some of whom nobody knows.
			.filter(({ json }) => !isUncertain(played.world) || !json.message.includes('or may have'))
			.flatMap(({ of }) => {
				const line = lineOf(
					(played.wish.items as any[])[(of[0] ?? 0) % played.wish.items.length].phone,
				);
				return all.includes(line)
					? []
					: [`item ${of}: ${line} is skipped as reached, and never was`];
			}),
	);
}

export const promises: Record<string, (played: Played) => string[]> = {
	'nobody is reached more often than asked, nor who must be skipped': (played) => {
		const { wish, runs, each, world, answers } = played;
		if (wish.kind) return [];
		const all = reached(played);
		return [...new Set(all)].flatMap((line) => {
			const rows = ('rows' in world.wish ? world.wish.rows : [{ who: world.wish.who }]) as Array<{
				who: number;
			}>;
			const items = rows.filter(({ who }) => lineOfPerson(who) === line).length * each;
			const most = wish.most(line, { runs, items });
			return count(all, line) > most
				? [
						`${line} was reached ${count(all, line)} times, at most ${most} were asked for${answers.length ? ', as a tool' : ''}`,
					]
				: [];
		});
	},
	'who is to be reached once is reached, and not asked for again': (played) => {
		const { world, ledger } = played;
		const { wish, order, view } = world;
		if (!['once', 'onceADay'].includes(wish.how?.reach) || isUncertain(world)) return [];
		const isAgain =
			!order.startsWith('atOnce') && ledger.some(({ effect }) => effect === 'repeated');
		const { skip, skipBlacklisted, preview } = wish.how;
		// What is written otherwise may be refused.
		const isPlain = wish.rows.every(({ spelling, text }: Row) => spelling < 2 && text < 3);
		const mayBeLeft = skip.length || skipBlacklisted || preview || wish.toContact || view.fault;
		const lines: string[] = wish.rows.map(({ who }: Row) => lineOfPerson(who));
		return [
			...(isAgain ? ['the platform alone knows who was reached'] : []),
			...difference(isPlain && !mayBeLeft ? lines : [], reached(played)),
		];
	},
	'a lost answer is no error where the platform shows what was done': ({
		world,
		results,
		ledger,
	}) => {
		const { view, wish, order } = world;
		const { fault } = view;
		const shows = ['manners', 'hidden', 'numbers', 'lagMs'] as const;
		const isWhole = isEqual(pick(view, shows), pick(plain.view, shows));
		const isLost = fault?.of === 'writes' && fault.kind === 'lost' && fault.times === 1;
		// A change is not looked for, and a stopped run looks for nothing.
		const isChange = ledger.some(({ method }) => method === 'PUT') || wish.how?.maxRetries === 0;
		if (!isLost || !isWhole || isChange || ['stopped', 'killed'].includes(order)) return [];
		// Nor is a contact that is created without a look, deleted or blacklisted.
		if (/contact(by.*)?$/i.test(wish.kind ?? wish.does)) return [];
		const errors = results.flatMap(({ error }) => error?.message ?? []);
		const ofItems = results.flatMap(itemsOf).flatMap(({ json }) => json.error ?? []);
		return [...errors, ...ofItems].filter((one) => /gone through|before the response/.test(one));
	},
	'nothing that was not asked for is changed, canceled or deleted': ({ before, after, wish }) =>
		['contacts', 'tasks', 'records', 'agents'].flatMap((collection) =>
			before[collection]!.flatMap((record) => {
				const now = after[collection]!.find(({ uuid }) => uuid === record.uuid);
				const same = now && isEqual(omit(now, 'updated_at'), omit(record, 'updated_at'));
				return same || wish.mayChange(collection, record)
					? []
					: [`${now ? 'changed' : 'gone'}: ${collection} ${JSON.stringify(record).slice(0, 160)}`];
			}),
		),
	'nobody is there twice': ({ before, after, world: { wish } }) => {
		if (!['findOrCreate', 'upsert'].includes(wish.does)) return [];
		const lines = (state: any[]) => state.map(({ phone_number: number }) => lineOf(number));
		const now = lines(after.contacts!);
		return [...new Set(now)].flatMap((line) =>
			count(now, line) > Math.max(1, count(lines(before.contacts!), line))
				? [`${line} is there ${count(now, line)} times`]
				: [],
		);
	},
	'what is told as done is done': (played) => {
		const { results, world, ledger, after, before, scene, wish } = played;
		if (!wish.writes || wish.kind) return [];
		const all = reached(played);
		const untrue = results.flatMap((result, at) => {
			const more = world.order === 'corrected' && at > 0 ? ' more' : '';
			const done = itemsOf(result).filter(isDone);
			if (isSend(played)) {
				const items = wish.items as any[];
				return done.flatMap(({ of, json }) => {
					const item = items[(of[0] ?? 0) % items.length];
					const line = lineOf(item.phone);
					if (!all.includes(line))
						return [`item ${of} is told as done, and ${line} was not reached`];
					const told = ledger.some(
						(entry) =>
							entry.effect === 'created' &&
							entry.body?.message === item.text + more &&
							reachedBy(entry, played).map(lineOf).includes(line),
					);
					return world.wish.does === 'call' ||
						told ||
						(more && said(result).includes('with other values')) ||
						// Of the rounds of a loop, the last alone shows its hints here.
						(json.requestKeyUsedBefore &&
							(isInRounds(world) || said(result).includes('Request Key')))
						? []
						: [`item ${of} is told as done, and "${item.text}" was not sent`];
				});
			}
			const contact = scene.contacts.get(world.wish.who);
			const kept = after.contacts!.find(({ uuid }) => uuid === contact);
			if (world.wish.does === 'deleteContact' && done.some(({ json }) => json.deleted) && kept)
				return ['told as deleted, and it is there'];
			if (
				world.wish.does === 'blacklistContact' &&
				done.length > 0 &&
				kept?.status !== 'Blacklisted'
			)
				return ['told as blacklisted, and it is not'];
			const task = after.tasks!.find(({ uuid }) => uuid === scene.tasks[0]?.uuid);
			if (world.wish.does === 'cancelTask' && done.length > 0 && task?.status !== 'cancelled')
				return ['told as canceled, and it is not'];
			if (world.wish.does !== 'stop') return [];
			return done.flatMap(({ json }) => {
				const changed = before.tasks!.filter(
					({ uuid, status }) =>
						status !== 'cancelled' &&
						after.tasks!.find((one) => one.uuid === uuid)?.status === 'cancelled',
				).length;
				const ahead = after.tasks!.filter(
					(one) => one.listing_uuid === scene.listing && one.status === 'queued',
				).length;
				return [
					...(json.canceled > changed
						? [`${json.canceled} are told as canceled, ${changed} were`]
						: []),
					...(json.stopped && ahead > 0 ? [`told as stopped, and ${ahead} tasks are ahead`] : []),
				];
			});
		});
		return [...untrue, ...wronglySkipped(played)];
	},
	'each item is written as often as it was asked for, and told as it is': ({
		wish: { kind, items },
		world,
		...played
	}) => {
		const { wish } = world;
		if (!kind || wish.how.preview) return [];
		const { ledger, results, runs, each } = played;
		const { of = textOf } = kind;
		const written = ledger
			.filter(({ path, effect }) => effect === 'created' && new RegExp(`^${kind.path}$`).test(path))
			.map(({ body, path }) => of(body, path));
		const isOnce = ['findOrCreate', 'queue', 'retry'].includes(wish.kind);
		const told = results.flatMap(itemsOf);
		const all = items as Array<{ phone: string; text: string }>;
		const perItem = all.flatMap((item, at) => {
			const times = written.filter(
				(one) => one === item.phone || one.split(' ', 2).join(' ') === item.text,
			).length;
			const asked = isOnce ? 1 : runs * each;
			const own = told.filter((one) => (one.of[0] ?? 0) % all.length === at);
			const done = own.filter((one) => isDone(one) && one.json.created !== false).length;
			const nothing = own.filter(({ json }) =>
				/nothing happened\)?$/.test(json.errorOutcome ?? json.error ?? ''),
			).length;
			return [
				// With 'Retry Writes' a write happens twice whose answer was lost: that is what the option says.
				...(times > asked && !wish.how.retryWrites
					? [`"${item.text}" was written ${times} times`]
					: []),
				...(done > times && !isOnce
					? [`"${item.text}" is told ${done} times, and was written ${times}`]
					: []),
				...(!isOnce && !wish.how.retryWrites && times > asked - nothing
					? [`"${item.text}" is told as not written, and it was`]
					: []),
				...own
					.filter(isDone)
					.map(({ json }) => JSON.stringify(json))
					.filter((json) => all.some((one) => json.includes(one.text) || json.includes(one.phone)))
					.filter((json) => !json.includes(item.text) && !json.includes(item.phone))
					.map(() => `"${item.text}" comes out as another item`),
			];
		});
		const last = results.at(-1);
		const [sum, done, open = 0] = /(\d+) done,(?: (\d+) uncertain,)?/.exec(said(last!)) ?? [];
		const isSum = sum && runs === 1 && !isInRounds(world) && last?.status === 'error';
		const once = uniq(written.map((one) => one.split(' ', 2).join(' '))).length;
		const most = each === 1 ? once : written.length;
		return [
			...perItem,
			...(isSum && !isOnce && (Number(done) > most || once > Number(done) + Number(open))
				? [`"${sum}", and ${once} were written`]
				: []),
			...(last?.status === 'error' &&
			runs === 1 &&
			each === 1 &&
			items.length === 1 &&
			!isOnce &&
			once > 0 &&
			/Nothing was (done|sent)/.test(said(last))
				? [`${said(last)}, and it was written`]
				: []),
		];
	},
	'what is read for an item is that item’s': ({ world: { wish }, wish: { items }, results }) =>
		wish.does !== 'read'
			? []
			: results.flatMap(itemsOf).flatMap(({ json, of }) => {
					const { uuid } = (items as any[])[(of[0] ?? 0) % items.length];
					return json.error || !json.uuid || json.uuid === uuid
						? []
						: [`item ${of} is another record`];
				}),
	'the last item of a record wins': ({ world, wish, results, before, after, each }) => {
		if (!wish.ends || world.order === 'tool') return [];
		const { shown, wanted } = wish.ends;
		const last = results.at(-1)!;
		const [ofLast] = itemsOf(last)
			.filter(({ of }) => isInRounds(world) || of.includes(wish.items.length * each - 1))
			.slice(-1);
		const isTold = ofLast !== undefined && isDone(ofLast);
		const now = shown(after);
		return shown(before) !== undefined && last.status === 'success' && isTold && now !== wanted
			? [`it is ${now}, and the last item says ${wanted}`]
			: [];
	},
	'what is told as not done is not done, and sums are right': (played) => {
		const all = reached(played);
		const { wish, results, answers, runs, each, world } = played;
		if (!wish.writes || wish.kind) return [];
		// Rounds and calls are told one by one.
		const isWhole = !isInRounds(world) && world.order !== 'tool';
		const told = [...results.map(said), ...answers.map((one) => JSON.stringify(one))].join(' ');
		const nothing =
			isWhole &&
			/Nothing was sent\.|\b0 (calls|SMS|messages) were \w+(?!, and \d+ may have been)\b/.exec(
				told,
			);
		// Where nothing was sent, or the next call is the same request, trying again does no harm.
		const isHarmless = /nothing was sent|they send the same request key|with the same key is safe/i;
		const again = answers
			.map((one) => JSON.stringify(one))
			.some((one) => /Try again/i.test(one) && !isHarmless.test(one))
			? ['a lost answer, and the model is told to try again']
			: [];
		const sums = [
			...told.matchAll(/\b(\d+) (?:calls?|SMS|messages?) (?:was|were) (?:placed|sent|accepted)/g),
		].map(([, one]) => Number(one));
		// The last try sums up all of them: done, uncertain, not done.
		const [, sum, open = 0] =
			/(\d+) done,(?: (\d+) uncertain,)?/.exec(said(results.at(-1)!)) ??
			/\b(\d+) \w+ (?:was|were) (?:placed|sent|accepted)(?:, and (\d+) may have been)?/.exec(
				said(results.at(-1)!),
			) ??
			[];
		const tooFew =
			isSend(played) && sum !== undefined && Number(sum) + Number(open) < all.length
				? [`${sum} are told as done, ${open} as uncertain, and ${all.length} were reached`]
				: [];
		const isTrue = (one: number) =>
			one <= all.length + played.ledger.filter(({ effect }) => effect === 'repeated').length;
		return [
			...(nothing && all.length > 0 && runs === 1 && results.length === 1
				? [`"${nothing[0]}", and ${all.length} were reached`]
				: []),
			...(all.length > 0 && world.view.fault?.of === 'writes' ? again : []),
			...(isWhole && runs === 1 && each === 1 ? tooFew : []),
			...(isWhole ? sums : [])
				.filter((one) => !isTrue(one))
				.map((one) => `${one} are told, ${all.length} were reached`),
		];
	},
	'each input item is accounted for': ({ results, wish, world, each }) =>
		results.flatMap((result) => {
			if (
				result.status !== 'success' ||
				world.order === 'tool' ||
				!wish.writes ||
				isInRounds(world)
			)
				return [];
			const there = new Set(itemsOf(result).flatMap(({ of }) => of));
			const missing = Array.from({ length: wish.items.length * each }, (_, at) => at).filter(
				(at) => !there.has(at),
			);
			return missing.length ? [`items ${missing} are missing`] : [];
		}),
	'a list is whole and holds nothing else, or says what is not known': ({
		results,
		answers,
		wish,
		world,
		before,
		scene,
		ledger,
	}) => {
		if (wish.writes) return [];
		const contact = scene.contacts.get(world.wish.who);
		const { spellings, email, name } = people[world.wish.who] ?? people[0];
		const asked: Record<string, (one: any) => boolean> = {
			number: (one) => lineOf(one.phone_number) === lineOf(spellings[0]),
			email: (one) => one.email === email,
			name: (one) => one.name === name,
			extension: (one) => lineOf(one.phone_number) === lineOf(spellings[0]),
			unknown: () => false,
		};
		const byOf = { number: 'phone_number', email: 'email', name: 'name' };
		const { by = 'any' } = world.wish;
		const isMeant = by === 'any' || by === byOf[world.wish.asked as keyof typeof byOf];
		const truth: Record<string, any[]> = {
			contactsList: before.contacts!,
			records: before.records!.filter(({ table_uuid: of }) => of === scene.table),
			tasksOfCampaign: before.tasks!.filter(({ campaign_uuid: of }) => of === scene.campaign),
			conversationsOf: before.conversations!.filter(
				(one) => contact !== undefined && (one.contact_uuid ?? one.contact?.uuid) === contact,
			),
			find: before.contacts!.filter((isMeant && asked[world.wish.asked]) || (() => false)),
		};
		const there = truth[world.wish.does];
		if (!there) return [];
		const isEmptyTool = world.order === 'tool' && world.wish.does === 'conversationsOf';
		if (isEmptyTool) {
			const rows = answers.flatMap(({ response }) => (Array.isArray(response) ? response : []));
			return ledger.some(({ path }) => path === '/conversations') && rows.length >= 0
				? ['an empty contact was taken for everybody']
				: [];
		}
		return results.flatMap((result) => {
			if (result.status !== 'success') return [];
			const wanted = there.map(({ uuid }) => uuid);
			// Rows that do not show their ID are counted.
			const isNameless = (world.view.hidden as string[]).some((one) =>
				/^(record_)?uuid$/.test(one),
			);
			const ids = itemsOf(result)
				.map(({ json }, at) =>
					isNameless ? wanted[at] : (json.uuid ?? json.record_uuid ?? json.id),
				)
				.filter(Boolean);
			const perItem = itemsOf(result).map(({ of }) => of[0]);
			const isOneOfMany = world.wish.does === 'find' && uniq(perItem).length < perItem.length;
			const strange = ids.filter((one) => !wanted.includes(one));
			const missing = wanted.filter((one) => !ids.includes(one));
			const errors = result.json().flatMap(({ error }) => error ?? []);
			const isSaid =
				[said(result), ...errors].join('').replace(/\d+ requests? (was|were) delayed.*?\./, '')
					.length > 0;
			return [
				...(isOneOfMany ? ['the next node acts on each of several who match'] : []),
				// What rows do not show is unknown, and told as that.
				...(strange.length && !said(result).includes('not known')
					? [`${strange.length} of others`]
					: []),
				// A table that nobody changes is read to its end, or not at all, which an error says.
				...(missing.length && (!isSaid || (world.wish.does === 'records' && !errors.length))
					? [`${missing.length} of ${wanted.length} are missing, without a word`]
					: []),
			];
		});
	},
	'a summary counts the listing’s own': ({ results, world, before, scene }) => {
		if (world.wish.does !== 'summary') return [];
		const own = new Set(
			[...before.conversations!, ...before.tasks!]
				.filter(({ listing_uuid: of }) => of === scene.listing)
				.map(({ contact_uuid: one }) => one),
		);
		return results.flatMap((result) =>
			itemsOf(result).flatMap(({ json }) =>
				json.contacts > own.size
					? [`${json.contacts} contacts are counted, ${own.size} are in it`]
					: [],
			),
		);
	},
	'a preview sends nothing': ({ wish, world, ledger }) =>
		world.wish.how?.preview && ledger.some(({ method }) => method !== 'GET') && !wish.writes
			? ['something was sent']
			: [],
	'no secret in anything that n8n stores': ({ results, token }) =>
		results.flatMap(({ stored }) => {
			const { credentials: _, ...data } = stored as any;
			return JSON.stringify(data).includes(token) ? ['the token'] : [];
		}),
};

/** Every promise that a played world breaks. */
export const broken = (played: Played): Broken[] =>
	Object.entries(promises).flatMap(([promise, look]) =>
		look(played).map((how) => ({ promise, how })),
	);
