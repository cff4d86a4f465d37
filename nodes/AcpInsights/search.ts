import { number, text } from '../engine/fields';
import { operation, resource } from '../engine/operation';

/** Six decimals are a tenth of a metre; the editor would round to two. */
const degrees = { typeOptions: { numberPrecision: 6 } };

export const search = resource({
	label: 'Web Search',
	value: 'search',
	operations: {
		ask: operation.action('POST /agentic-search', {
			action: 'Ask a web research question',
			description: 'Research a question on the web and get an answer with sources',
			body: {
				query: text('What to find out', {
					required: true,
					rows: 3,
					displayName: 'Question',
					maxLength: 4000,
					placeholder: 'e.g. Which holidays does Berlin have in May?',
				}),
				language: text("Language code of the answer; defaults to the workspace's language", {
					placeholder: 'e.g. en',
				}),
				search_preset: text('Preset of the search; not documented', { samples: ['fast-search'] }),
				search_country: text('Two-letter code of the country to search in', {
					placeholder: 'e.g. DE',
				}),
				search_region: text("Region to search in; requires 'Search Country'"),
				search_city: text("City to search in; requires 'Search Country'"),
				search_latitude: number(
					"Where to search; requires 'Search Longitude' and 'Search Country'",
					degrees,
				),
				search_longitude: number(
					"Where to search; requires 'Search Latitude' and 'Search Country'",
					degrees,
				),
			},
			check: ({ body }) => {
				const narrower = [
					'search_region',
					'search_city',
					'search_latitude',
					'search_longitude',
				].some((name) => body[name] !== undefined);
				if (narrower && !body.search_country)
					return "Fill in 'Search Country' too; region, city and position require it";
				if ((body.search_latitude === undefined) !== (body.search_longitude === undefined))
					return "Fill in both 'Search Latitude' and 'Search Longitude', or neither";
				return undefined;
			},
		}),
	},
});
