/** No mark of the contract is stronger than what contract/sources.yaml says of its source. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { contract, repository } from '../../../tools/contract.cjs';
import { contractFields } from '../../../tools/contract.cjs';

/** Strongest first. The interface and the reference are both the platform's own words. */
const ranks = [['seed', 'reference'], ['workspace'], ['client'], ['catalogue'], ['inferred']];
const rankOf = (source: string | undefined) => ranks.findIndex((of) => of.includes(source!));
const guess = rankOf('inferred');

type Shown = Record<string, string | undefined>;
const shown = load(readFileSync(join(repository, 'contract', 'sources.yaml'), 'utf8')) as Record<
	string,
	Shown | undefined
>;

/** "a.{b,c} d" → a.b, a.c, d */
const namesIn = (text: string) =>
	text.split(' ').flatMap((word) => {
		const [, head, names] = /^(.*)\{(.*)\}$/.exec(word) ?? [];
		return names === undefined ? [word] : names.split(',').map((name) => `${head}${name}`);
	});

/** Every field that a source shows of a request, with the rank of the strongest source. */
function ranksOf({ as, ...sources }: Shown): Map<string, number> {
	const found = as === undefined ? new Map<string, number>() : ranksOf(shown[as]!);
	for (const [source, text] of Object.entries(sources))
		for (const name of namesIn(text!))
			found.set(name, Math.min(rankOf(source), found.get(name) ?? guess));
	return found;
}

const known = contract();
const requested = (document: unknown) =>
	contractFields({ ...known, document, endpoints: endpointsOf(document) })
		.filter(({ place }) => ['body', 'query'].includes(place))
		// Of a list or a map, the field itself is what a source shows.
		.map(({ place, name, ...field }) => ({
			...field,
			name: `${place === 'query' ? '?' : ''}${name.replace(/(.)(\.(\[\]|\*))+$/, '$1')}`,
		}));
const endpointsOf = (document: any) =>
	known.endpoints.map((one) => ({
		...one,
		contract: document.paths[one.path][one.method.toLowerCase()],
	}));

/** Fields of requests whose mark says more than any source. */
const tooStrong = (document: unknown) =>
	requested(document)
		.filter(({ endpoint, name, source }) => {
			const { source: existence } = known.endpoints.find(({ key }) => key === endpoint)!;
			// All of a guessed request is a guess.
			const evidence = existence === 'inferred' ? undefined : shown[endpoint];
			const limit = Math.min(
				guess,
				...[...ranksOf(evidence ?? {})].flatMap(([one, rank]) =>
					`${one}.`.startsWith(`${name}.`) ? [rank] : [],
				),
			);
			return existence !== 'inferred' && rankOf(source) < limit;
		})
		.map(({ endpoint, name, source }) => `${endpoint} ${name} (${source})`);

test('no field of a request has a stronger mark than its source', () => {
	expect(requested(known.document).length).toBeGreaterThan(800);
	expect([...new Set(tooStrong(known.document))]).toEqual([]);
});

test('no endpoint has a stronger mark than its source', () => {
	const stronger = known.endpoints.filter(
		({ key, source }) =>
			rankOf(source) <
			Math.min(
				guess,
				...Object.keys(shown[key] ?? {}).map((name) => rankOf(name === 'as' ? 'reference' : name)),
			),
	);
	expect(known.endpoints.length).toBeGreaterThan(150);
	expect(stronger.map(({ key, source }) => `${key} (${source})`)).toEqual([]);
});

test('a mark that says too much is found', () => {
	const copy = structuredClone(known.document);
	copy.components.schemas.ListingContactAdded.properties.timezone['x-source'] = 'reference';
	expect(tooStrong(copy)).toEqual([
		'POST /listings/{uuid}/contacts contacts.[].timezone (reference)',
	]);
});

test('what the sources show is in the contract', () => {
	const fields = new Set(
		requested(known.document).map(({ endpoint, name }) => `${endpoint} ${name}`),
	);
	const endpoints = known.endpoints.map(({ key }) => key);
	expect(Object.keys(shown).filter((key) => !endpoints.includes(key))).toEqual([]);
	const objects = [...fields];
	const absent = Object.entries(shown).flatMap(([key, sources]) =>
		[...ranksOf(sources!).keys()]
			.filter(
				(name) =>
					name !== '' &&
					!objects.some((one) => one === `${key} ${name}` || one.startsWith(`${key} ${name}.`)),
			)
			.map((name) => `${key} ${name}`),
	);
	expect(absent).toEqual([]);
});
