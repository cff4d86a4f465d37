/** A report that can be sent to the people who keep the contract. Everything in it has passed `names.mjs`. */

const cell = (text) =>
	String(text ?? '')
		.replaceAll('|', '\\|')
		.replaceAll('\n', ' ');
const table = (head, rows) =>
	[head, head.map(() => '---'), ...rows]
		.map((row) => `| ${row.map(cell).join(' | ')} |`)
		.join('\n');
const listed = (facts) =>
	Object.entries(facts)
		.map(([name, says]) => `${name}: ${says}`)
		.join('; ');

/** By which a report is known as one. */
export const format = 'report of npm run probe';

/** @returns {string} the same as JSON, for `npm run contract -- --confirm` */
export const jsonOf = (found) => `${JSON.stringify({ format, ...found }, undefined, '\t')}\n`;

/** @returns {string} Markdown */
export function reportOf({ endpoints, lists, deliveries, openapi, guided }) {
	return `${[
		'# Comparison with a workspace',
		'It holds names of fields and kinds of values, no value. Read it before you send it.',
		...(guided
			? [
					'## Questions that only a workspace can answer',
					table(
						['question', 'answer', 'what follows'],
						guided.map(({ question, finding, then }) => [question, finding, then]),
					),
				]
			: []),
		...(endpoints
			? [
					'## Endpoints',
					table(
						['endpoint', 'known from', 'verdict', 'how'],
						endpoints.map(({ endpoint, source, verdict, how }) => [endpoint, source, verdict, how]),
					),
				]
			: []),
		...(lists?.length
			? [
					'## Lists',
					table(
						[
							'endpoint',
							'verdict',
							'how',
							'layout',
							'rows under',
							'around them',
							'pages',
							'filters',
						],
						lists.map(({ endpoint, verdict, differs, layout, rows, beside, paging, filters }) => [
							endpoint,
							verdict,
							differs.join('; '),
							layout,
							rows,
							beside,
							listed(paging),
							listed(filters),
						]),
					),
				]
			: []),
		...(deliveries?.length
			? [
					'## Events and logs',
					table(
						['what', 'it shows'],
						deliveries.map(({ what, says }) => [what, says]),
					),
				]
			: []),
		...(openapi
			? [
					"## The platform's own OpenAPI file",
					table(
						['endpoint', 'known from', 'verdict', 'how'],
						openapi.map(({ endpoint, source, verdict, how }) => [endpoint, source, verdict, how]),
					),
				]
			: []),
	].join('\n\n')}\n`;
}
