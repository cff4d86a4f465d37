/**
 * Why a message about the platform or the connection to it appears, by the message as `messages.mjs` reads it. A test
 * fails when one is missing or no longer exists.
 */
export const reasons = {
	'…, but its result could not be read':
		'The request went through. A later step of the operation, such as waiting or downloading, did not.',
	'The response of … was lost; the request may have gone through':
		'The connection broke after a costly request was sent, and this package knows no safe way to send it again.',
	'Could not connect to …':
		'No server responds at the URL: a wrong port, a firewall, or the workspace is down.',
	'The host … was not found': 'The host in the Base URL does not exist on the internet.',
	'Could not make a secure connection to …':
		'The certificate or the encryption is not accepted: a proxy that reads the traffic, a wrong clock, or a wrong URL.',
	'… did not respond within … seconds':
		'The platform or the network is slow, the request takes long by nature, or a large file was still ' +
		'arriving. The complete response counts, not its beginning.',
	'The file is larger than … MB and was not read completely':
		"The maximum is 512 MB unless you change 'Maximum File Size' under Options, and 256 MB if n8n keeps files " +
		'in memory.',
	'… answered with more than … MB, which was not read':
		'A page of a list that holds very much, a file where JSON was expected, or a server in between that does not end.',
	'The file arrived, but n8n could not store it':
		'The disk on which n8n stores files is full or read-only, or n8n has not enough memory.',
	'The connection to … was lost before the response arrived':
		'The network or the platform dropped the connection.',
	'This request may have gone through in an earlier try':
		'An earlier try sent a write without a request key and lost the response.',
	'An earlier try sent this with other values, and it may have gone through':
		'An earlier try lost the response of a create request, and the values were changed before the execution was ' +
		'retried.',
	'Not sent, because it would happen twice':
		'A task would run a second time: its status says that it is in progress, or another item of the run is ' +
		'about the same task.',
	'Not sent, because the previous request did not succeed':
		"With 'Batch Size' a listing takes several requests. The first one, which creates it, did not succeed.",
	'The request is larger than the platform accepts':
		'Status 413 from the platform or from a proxy before it. The maximum size of a request is not known here.',
	'… redirects to …': 'The workspace has moved, or the Base URL leads to a sign-in page.',
	'… refused the request with a web page (status …)':
		'A firewall or a proxy between n8n and the platform did not let the request through.',
	'The record is locked on the platform': 'Another change of the same record is in progress.',
	'… responded with a web page instead of data':
		'The Base URL leads to a website, or something between n8n and the platform responds instead.',
	'The response of … could not be read': 'The response was empty, incomplete, or not JSON.',
	'The platform returned a request to … instead of …':
		'The request key stands for another recipient on the platform, so the response is about somebody else.',
	'The platform returned no … for …':
		'The response holds no list, or no record, although one was asked for. It is not taken for "none".',
	'The platform refused this without a reason':
		"Status 200 with `success: false` and no message; usually the message is the platform's own.",
	'Something unexpected happened in this node':
		'A fault of this package or of n8n, with *On Error* set to *Continue*; its own message is shown if it has one.',
	'The platform did not accept the token':
		'Status 401 (`MISSING_AUTH_TOKEN`, `INVALID_AUTH_TOKEN`): the token is missing, mistyped or revoked.',
	'The token is valid, but it has no permission for this': 'Status 403 (`FORBIDDEN`).',
	'The platform does not know this endpoint':
		'Status 404 (`ENDPOINT_NOT_FOUND`) or 405: the workspace does not offer this operation, or ' +
		'the path of an API Request is wrong.',
	'The platform found no record with this ID':
		"Status 404 (`RESOURCE_NOT_FOUND`): the record was deleted, or it is another workspace's.",
	'The workspace … was not found, or it has no such record':
		'Status 404 without a code: usually the first part of the Base URL, the name of the workspace, is wrong.',
	'The platform refused this, because it conflicts with an existing record':
		'Status 409: the record is in a state that does not allow it, or a limit is reached.',
	'The platform did not accept …':
		'Status 422 (`VALIDATION_ERROR`, `INVALID_FORMAT`, `INVALID_UUID`) or 400; the platform may name the field.',
	'The platform is receiving more requests than it allows':
		'Status 429 (`RATE_LIMIT_EXCEEDED`): five calls or messages per second and 1000 ' +
		'requests per minute, all senders of the workspace together.',
	'The platform asked to wait until … (…)':
		'Status 429 with a `Retry-After` of more than a minute. Until then, requests of that ' +
		'kind are not sent; all others continue.',
	'The platform is unavailable or in maintenance': 'Status 503 (`SERVICE_UNAVAILABLE`).',
	'The platform could not process the request (status …)':
		'Status 500 or 502 (`INTERNAL_SERVER_ERROR`).',
	'The platform responded with status …': 'A status that the interface does not name.',
};

/** What to do, where the message takes it from what happened. */
export const advice = {
	'The file is larger than … MB and was not read completely':
		"To read it, raise 'Maximum File Size' under Options. If n8n keeps files in memory, whoever runs it can " +
		'store them on disk instead (N8N_DEFAULT_BINARY_DATA_MODE).',
	'… answered with more than … MB, which was not read':
		"Ask for less per request: a smaller page, a lower 'Limit', or filters. If it is a file, turn on 'Download " +
		"File' in API Request.",
	'The file arrived, but n8n could not store it':
		'Ask who runs this n8n to check where it stores files.',
	'… did not respond within … seconds':
		"The message's second sentence says whether it may have gone through. Try again, or raise 'Timeout' under Options.",
	'Not sent, because it would happen twice':
		'Look at the task on the platform. To run it again, wait until it is over, and name it in one item only.',
	'The request is larger than the platform accepts':
		"Send fewer items in one request, or a smaller file. 'Batch Size' under Options divides a list.",
	'… responded with a web page instead of data':
		"Check 'Base URL' in the credential: it should lead to your workspace. If it is right, the platform may be in " +
		'maintenance: try again in some minutes. If it lasts, ask who runs the network between n8n and the platform.',
	'The platform is receiving more requests than it allows':
		'Other senders in the same workspace count too. Run it again later, or send fewer at a time. ' +
		"If 'Max Retries' is 0, raise it. The node then waits and retries by itself.",
	'The platform asked to wait until … (…)': 'Run it again afterwards.',
	'…, but its result could not be read':
		'Retry On Fail and Executions › Retry continue from there and do not send the request again.',
	'The platform refused this without a reason':
		'Nothing was done. Check the record on the platform, or ask its support.',
	'The response of … was lost; the request may have gone through':
		'Check the platform. If it is there, continue from there; if not, start a new run of the ' +
		"workflow, or turn on 'Retry Writes' under Options.",
	'This request may have gone through in an earlier try':
		"Check the platform. If it is not there, turn on 'Retry Writes' under Options and use Executions › Retry with the " +
		'current workflow.',
	'The platform returned a file URL that is not a web URL, or one that redirects to such a URL':
		'The rest of the record is in the output. Download the file on the platform, and tell its support.',
	'The platform returned an unencrypted file URL, or one that redirects to such a URL; the file was not read':
		'The rest of the record is in the output. Download the file on the platform, and tell its support.',
	'The platform returned a file URL in a private network, or one that redirects there; the file was not read':
		'The rest of the record is in the output. Download the file on the platform, and tell its support.',
	'The file URL redirects more than … times; the file was not read':
		'The rest of the record is in the output. Download the file on the platform, and tell its support.',
	'The file could not be read from the URL that the platform returned':
		'Such URLs expire. Read the record again, then download. The rest of the record is in the output.',
	'The execution was stopped':
		'A person or a time limit stopped it. What was done stays done; a new run begins with the first item again. ' +
		'See [a stopped execution](../guides/pace-and-retries.md#a-stopped-execution).',
	'The execution was canceled':
		'A person or a time limit stopped it. What was done stays done; a new run begins with the first item again. ' +
		'See [a stopped execution](../guides/pace-and-retries.md#a-stopped-execution).',
	'… of … items cannot be sent:':
		'Nothing was sent. Correct the listed items, then run again, or set *On Error* ' +
		'to *Continue* to send the others.',
	"'Request Key' should be text or a number, but it is …":
		'Enter an expression that returns one word or number per item, like an order number.',
	'…; the maximum wait was … seconds':
		'For your information: the limits of the platform were kept.',
	'A workspace can have at most … live calls, so no more ran in parallel; each further call started when another ended':
		'For your information; nothing to do.',
	'\'…\' is not possible while the build conversation is "…"':
		'The message names the operation that is possible.',
	"'…' has an expression that could not be resolved: …":
		'Open the expression in the field. Often the item has no such column, or its name differs.',
	'Not a valid ID':
		'Shown under the field: paste the ID as the platform shows it, or choose from the list.',
	'Not a valid key': 'Shown under the field: a key has no spaces.',
};

/** The messages that people meet most, for docs/troubleshooting.md; each must exist. */
export const frequent = [
	'The platform did not accept the token',
	'The workspace … was not found, or it has no such record',
	'The host … was not found',
	'… responded with a web page instead of data',
	'The token is valid, but it has no permission for this',
	"'…' is not a phone number in international format: …",
	'The platform is receiving more requests than it allows',
	'The platform did not accept …',
	'This agent already has five webhooks, which is the maximum',
	'The platform cannot … this n8n: its public URL is …, which only this computer can reach',
	'… did not respond within … seconds',
];

/** Why, for frequent messages that are not about the platform's answers. */
export const frequentReasons = {
	"'…' is not a phone number in international format: …":
		'A number has no country code, as spreadsheets often have them ([phone numbers](guides/phone-numbers.md)).',
	'This agent already has five webhooks, which is the maximum':
		'Status 409 (`webhook_limit_reached`).',
	'The platform cannot … this n8n: its public URL is …, which only this computer can reach':
		'n8n announces a local URL, so the platform could not call the trigger.',
};
