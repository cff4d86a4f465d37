/**
 * The manners of real platforms and networks, a switch each, all off: the setting `manners`. The variable
 * `SANDBOX_MANNERS` (JSON) turns some on for a whole process, so that any test can run against them.
 */
export const NO_MANNERS = {
	/**
	 * Which answer `POST /call` gives where it names no conversation (reference: call): 'older' or 'quickstart'.
	 * The call itself takes place.
	 */
	callAnswer: '',
	/**
	 * How the list of conversations departs from what is asked for: 'oldest-first' (it takes neither an order nor a page
	 * size), 'thin' (rows without status and call), 'late' (a conversation appears in it once it is closed).
	 */
	conversationList: '',
	/**
	 * Query parameters whose names are a guess (`x-source: inferred`), and those that the contract does not have, are
	 * taken and nothing comes of them. Page number and page size work.
	 */
	ignoreGuesses: false,
	/** Paths, as in the contract, that no token may read: 403. */
	unreadable: [],
	/** No answer says in `X-Timezone` which zone was applied. */
	zoneUnnamed: false,
};

/** @returns {object} the manners that the environment asks for */
export const mannersOfEnvironment = () =>
	process.env.SANDBOX_MANNERS === undefined ? {} : JSON.parse(process.env.SANDBOX_MANNERS);

const PAGING = ['page', 'per_page'];

/** Whether nothing comes of a query parameter, with `ignoreGuesses`. */
export const isGuess = (contract, { contract: operation }, name) => {
	if (PAGING.includes(name)) return false;
	const parameter = (operation.parameters ?? [])
		.map((one) => contract.resolve(one))
		.find((one) => one.in === 'query' && one.name === name);
	return (
		(parameter?.['x-source'] ?? (parameter && operation['x-source']) ?? 'inferred') === 'inferred'
	);
};

/** Fields of the answer to a call in the variants without a conversation (reference: call). */
const CALL_ANSWERS = {
	older: ({ id, agentId, status }) => ({ id, agentId, provider: 'sip', status }),
	quickstart: ({ id, agentId, status }, number) => ({
		id,
		status,
		provider: 'sip',
		agentId,
		participant: { number },
		createdAt: new Date().toISOString(),
	}),
};

/**
 * What an answer becomes by the manners.
 * @param {object} manners
 * @param {string} key of the operation
 * @param {any} answer JSON, as the contract has it
 * @param {any} sent JSON of the request
 * @returns {any}
 */
export function bent(manners, key, answer, sent) {
	if (key === 'POST /call' && answer.success && manners.callAnswer in CALL_ANSWERS) {
		const data = CALL_ANSWERS[manners.callAnswer](answer.data, sent?.participant?.number);
		return { ...answer, data };
	}
	if (key === 'GET /conversations' && answer.success && manners.conversationList === 'thin') {
		const rows = answer.data.data.map(({ status, call, ...row }) => row);
		return { ...answer, data: { ...answer.data, data: rows } };
	}
	return answer;
}
