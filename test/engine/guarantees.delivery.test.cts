/**
 * Every way of finding out about what became of a request, crossed with what can happen to it and with every option that
 * could go round it. What counts is what the platform carried out, by its own ledger: nothing happens twice, every
 * output tells of its own item, and whoever may not have been reached is named.
 */
import type { INodeParameters } from 'n8n-workflow';
import { type Kind, kinds } from './guarantees/kinds.cts';
import { usePlatform } from './guarantees/platform.cts';
import { hit, lost, promisesOf, unsent } from './guarantees/promises.cts';
import { failure, fast, onceEach, people, requestsShown, retrying } from './guarantees/scene.cts';
import type { NodeOptions } from './harness/index.cts';

const platform = usePlatform({ settings: fast, speed: 50 });
// A process remembers what it has launched.
beforeEach(async () => {
	const { currentTestName = '' } = expect.getState();
	if (currentTestName.includes('search ')) await platform.engine.forget();
});
const { sandbox, engine } = platform;
const { given, happened, perform, requests } = promisesOf(platform);

const count = 5;
const texts = people(count).map(({ text }) => text);

/** By its key the platform knows a request; or the node finds what it made, if it is there; or nobody can tell. */
type Finds = 'by key' | 'by search' | 'nothing';
const ways: Record<string, [Kind, Finds, file?: 'file']> = {
	'request key': [kinds.sms, 'by key'],
	'API Request with a request key': [kinds.smsByApiRequest, 'by key', 'file'],
	'search in the parent': [kinds.note, 'by search'],
	'search in the list': [kinds.listing, 'by search'],
	'a look at the record': [kinds.queue, 'by search'],
	'search first': [kinds.findOrCreate, 'by search'],
	'nothing to find out by': [kinds.contact, 'nothing'],
	'API Request without a request key': [kinds.contactByApiRequest, 'nothing', 'file'],
};

/** What a user may choose around a request. `again`: what runs after the first execution. */
interface Choice {
	options?: INodeParameters;
	node?: NodeOptions;
	again?: 'retry';
}
const downloadFile = true;
const choices: Record<string, Choice> = {
	'Retry On Fail': { node: retrying },
	'Retry execution': { again: 'retry' },
	'Concurrency 1, Retry execution': { options: { concurrency: 1 }, again: 'retry' },
	'Continue, Retry On Fail': { node: { ...retrying, onError: 'continueRegularOutput' } },
	'error output, Retry On Fail': { node: { ...retrying, onError: 'continueErrorOutput' } },
	'a file, Retry On Fail': { options: { downloadFile }, node: retrying },
	'a file, Retry execution': { options: { downloadFile }, again: 'retry' },
	'Retry Writes, Retry On Fail': { options: { retryWrites: true }, node: retrying },
};

const lostOnce = 'the answer to the first request is lost';
const unsentOnce = 'the first request is lost';
const refusedOnce = 'the fourth request is refused once';
/** As often as the items are sent at all, with the retries that people have who change nothing. */
const lasting = 'the answers to the first 30 requests are lost';
const happenings = {
	[lostOnce]: lost(1, { times: 1 }),
	[unsentOnce]: unsent(1, { times: 1 }),
	[refusedOnce]: hit({ status: 422, body: { success: false, error: { field: 'name' } } })(4, {
		times: 1,
	}),
	[lasting]: lost('all', { times: count * 6 }),
};
type Happening = keyof typeof happenings;

/** What people have who change nothing, and what leaves all trying again to n8n. */
const settings: Array<[string, INodeParameters]> = [
	['', {}],
	[', with Max Retries 0', { maxRetries: 0 }],
];

interface Crossed extends Choice {
	name: string;
	happening: Happening;
}

/** Ways that the worlds take, too (`test/worlds`), and the choices that they make. */
const inWorlds = new Set([
	'request key',
	'search in the list',
	'a look at the record',
	'search first',
]);
const chosenInWorlds = new Set(['Retry On Fail', 'Retry execution', 'Continue, Retry On Fail']);

function casesOf([, finds, file]: (typeof ways)[string], way: string): Crossed[] {
	const isMet = (happening: Happening, { options = {} }: Choice, retries: INodeParameters) =>
		(file || !options.downloadFile) &&
		// It says that what nobody can find out about may happen twice.
		(finds !== 'nothing' || (!options.retryWrites && happening !== lasting)) &&
		// One item after the other: the first one ends every try.
		(happening !== unsentOnce || finds !== 'by search' || !options.concurrency) &&
		(![lasting, unsentOnce].includes(happening) || !('maxRetries' in retries));
	return settings.flatMap(([words, retries]) =>
		(Object.keys(happenings) as Happening[]).flatMap((happening) =>
			Object.entries(choices)
				.filter(([name]) => !(inWorlds.has(way) && chosenInWorlds.has(name)))
				.filter(([, choice]) => isMet(happening, choice, retries))
				.map(([name, choice]) => ({
					...choice,
					name: `${name}; ${happening}${words}`,
					happening,
					options: { ...retries, ...choice.options },
				})),
		),
	);
}

/** What becomes of the item that something happens to. */
function fateOf(finds: Finds, { happening, options = {}, node }: Crossed) {
	// n8n tries a node that continues again only when its first item failed.
	if (happening === refusedOnce) return node?.onError ? 'not done' : 'sent again';
	if (finds === 'by key') return 'sent again';
	if (happening === lostOnce) return finds === 'by search' ? 'found' : 'unknown, and done';
	return finds === 'by search' && options.retryWrites ? 'sent again' : 'unknown, and not done';
}

async function happensOnce([{ scene, ...kind }, finds]: (typeof ways)[string], one: Crossed) {
	const { happening, options = {}, node, again } = one;
	const items: any[] = (await scene?.(sandbox, people(count))) ?? people(count);
	await sandbox.clearLedger();
	await given(kind, { strikes: [happenings[happening]] });
	let result = await perform(kind, items, { options, ...node });
	const fate = happening === lasting ? 'found' : fateOf(finds, one);
	const isUnknown = fate.startsWith('unknown');
	// Where the lost answer was found out about at once, there is nothing to retry; what nobody knows stays unknown.
	for (let tries = isUnknown ? count - 1 : 0; again && tries < count; tries++)
		if (result.status === 'error') result = await engine.retry(result);

	const done = await happened(kind);
	expect(done).toEqual(onceEach(Object.keys(done)));
	expect(Object.keys(done)).toHaveLength(fate.endsWith('not done') ? count - 1 : count);
	const { length: sent } = await requests(kind.path);
	expect(sent - (fate === 'sent again' ? 1 : 0)).toBe(happening === lasting ? sent : count);
	const told = [0, 1, 2].flatMap((output) => result.json('Node', output));
	const errors = told.filter((json) => 'error' in json);
	const isError = isUnknown || fate === 'not done';
	expect(result.status).toBe(isError && !node?.onError ? 'error' : 'success');
	expect(errors).toHaveLength(isError && node?.onError ? 1 : 0);
	expect(failure(result) ?? JSON.stringify(errors)).toMatch(
		isUnknown ? /may have gone through/ : /^(?!.*may have gone)/,
	);
	// Every output tells of its own item; a file does not.
	const own = options.downloadFile || isError ? [] : told.map((json) => JSON.stringify(json));
	expect(
		own.filter((json, at) => json.includes(items[at].text) || json.includes(items[at].phone)),
	).toEqual(own);
}

test('every way and every choice is crossed, here or in the worlds', () => {
	const all = Object.entries(ways).flatMap(([name, way]) => casesOf(way, name));
	expect(all).toHaveLength(212);
});

describe.each(Object.entries(ways))(
	'Guarantee: whatever is chosen around a request, it happens once › %s',
	(name, way) => {
		test.each(casesOf(way, name))('$name', async (one) => await happensOnce(way, one));

		test('Preview: nothing is sent', async () => {
			const result = await perform(way[0], count, { options: { preview: true } });
			expect(requestsShown(result).map(({ preview }) => preview)).toEqual(texts.map(() => true));
			expect((await requests(way[0].path)).length).toBe(0);
		});
	},
);
