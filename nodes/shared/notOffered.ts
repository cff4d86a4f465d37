/** What to say if the platform does not have an endpoint that is our guess (contract: x-source inferred). */
export const notOffered = (what: string, instead: string) => {
	const words = {
		message: `This workspace has no endpoint to ${what} at the undocumented path this node tried`,
		description: instead,
	};
	return { ENDPOINT_NOT_FOUND: words, '405': words };
};
