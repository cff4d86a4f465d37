/**
 * Why a message about the platform or the way to it appears, by the message as `messages.mjs`
 * reads it. A test fails when
 * one is missing or no longer exists.
 */
export const reasons = {
	'…, but what came of it could not be read':
		'The request itself was carried out; what the operation does afterwards (waiting, downloading) was disturbed.',
	'The answer of … was lost; it may or may not have been carried out':
		'The connection broke after a costly request had left, and this package knows no way to repeat it safely.',
	'Could not connect to …':
		'Nobody answers at the address: a wrong port, a firewall, or the workspace is down.',
	'The address … was not found': 'The name in the Base URL does not exist in the internet.',
	'A secure connection to … could not be made':
		'The certificate or the encryption is not accepted: a proxy that reads along, a wrong clock, or a wrong address.',
	'… did not answer within … seconds':
		'The platform or the network is slow, the request takes long by nature, or a large file had begun ' +
		'to arrive. The whole answer counts, not its beginning.',
	'The file is larger than … MB and was not read to its end':
		"A file may have 512 MB unless 'Largest File' under Options says otherwise, and 256 MB where n8n keeps " +
		'files in memory.',
	'The file arrived, but n8n could not store it':
		'The disk where n8n keeps files is full or cannot be written to, or its memory does not suffice.',
	'The connection to … broke off before the answer arrived':
		'The network or the platform dropped the connection.',
	'It is not known whether the platform carried this out':
		'A write without a request key was sent in an earlier try, and its answer was lost.',
	'This was not sent, because it would happen twice':
		'A task would be carried out a second time: its status says that it is under way, or another item of the run is ' +
		'about it too.',
	'Not sent, because the request before it did not succeed':
		"With 'Batch Size' a listing goes in several requests, and the first of them, which creates it, did not succeed.",
	'The request is larger than the platform takes':
		'Status 413, of the platform or of a proxy before it; how large a request may be is not known here.',
	'… redirects to …': 'The workspace has moved, or the Base URL leads to a sign-in page.',
	'… redirects to another address':
		'The workspace has moved, or the Base URL leads to a sign-in page.',
	'… answered with a web page instead of data':
		'The Base URL leads to a website, or something between n8n and the platform answers in its place.',
	'The answer of … could not be read': 'The answer was empty, cut off, or no JSON.',
	'The platform refused this and did not say why':
		"Status 200 with `success: false` and no message; usually the message is the platform's own.",
	'Something went wrong that this node does not foresee':
		'A fault of this package or of n8n, with *On Error* set to *Continue*; its own message stands there if it has one.',
	'The platform did not accept the token':
		'Status 401 (`MISSING_AUTH_TOKEN`, `INVALID_AUTH_TOKEN`): the token is missing, mistyped or revoked.',
	'The token is valid, but it has no permission for this': 'Status 403 (`FORBIDDEN`).',
	'The platform does not know this address':
		'Status 404 (`ENDPOINT_NOT_FOUND`) or 405: the workspace does not offer this operation, or ' +
		'the path of an API Request is wrong.',
	'The platform has no record with this ID':
		"Status 404 (`RESOURCE_NOT_FOUND`): the record was deleted, or it is another workspace's.",
	'The workspace … was not found, or it has no such record':
		'Status 404 without a code: usually the first part of the Base URL, the name of the workspace, is wrong.',
	'The platform refused this, because it collides with what is there':
		'Status 409: the record is in a state that does not allow it, or a limit is reached.',
	'The platform did not accept …':
		'Status 422 (`VALIDATION_ERROR`, `INVALID_FORMAT`, `INVALID_UUID`) or 400; the platform names the field.',
	'The platform did not accept the request': 'Status 422 or 400; the platform names no field.',
	'The platform is receiving more requests than it allows':
		'Status 429 (`RATE_LIMIT_EXCEEDED`): five calls or messages per second and 1000 ' +
		'requests per minute, all senders of the workspace together.',
	'The platform asked to wait until … (…)':
		'Status 429 with a `Retry-After` of more than a minute. Until it is over, requests of that ' +
		'kind are not sent; everything else goes on.',
	'The platform is unavailable or being maintained': 'Status 503 (`SERVICE_UNAVAILABLE`).',
	'The platform could not process the request (status …)':
		'Status 500 or 502 (`INTERNAL_SERVER_ERROR`).',
	'The platform answered with status …': 'A status that the interface does not name.',
};

/** What to do, where the message takes it from what happened. */
export const advice = {
	'The file is larger than … MB and was not read to its end':
		"If it is wanted, raise 'Largest File' under Options. Where n8n keeps files in memory, whoever runs it can " +
		'let it keep them on disk (N8N_DEFAULT_BINARY_DATA_MODE).',
	'The file arrived, but n8n could not store it':
		'Whoever runs this n8n makes room where it keeps files, or finds out why it cannot write there.',
	'The platform is receiving more requests than it allows':
		'Other senders in the same workspace count too. Run it again later, or send fewer at once. ' +
		"If 'Max Retries' is 0, raise it: then the node waits and sends again by itself.",
	'The platform asked to wait until … (…)': 'Run it again afterwards.',
	'…, but what came of it could not be read':
		'Retry On Fail and retrying this execution read on from there and do not do it again.',
	'The platform refused this and did not say why':
		'Nothing was done. Look at the record on the platform, or ask its support.',
	'The answer of … was lost; it may or may not have been carried out':
		'Look on the platform. If it is there, go on from there; if it is not, run the ' +
		"workflow anew, or turn on 'Retry Writes' under Options.",
	'The platform gave an address that is not a web address, or one that redirects to such an address':
		'The rest of the record is there. Fetch the file on the platform, and tell its support.',
	'The platform gave a file address without encryption, or one that redirects to such an address; it was not read':
		'The rest of the record is there. Fetch the file on the platform, and tell its support.',
	'The platform gave a file address in a private network, or one that redirects there; it was not read':
		'The rest of the record is there. Fetch the file on the platform, and tell its support.',
	'The file address redirects more than … times; it was not read':
		'The rest of the record is there. Fetch the file on the platform, and tell its support.',
	'The file could not be read from the address that the platform gave':
		'Such addresses end after a while: read the record again, then download. The rest of the record is there.',
	'The execution was stopped':
		'Somebody or a time limit stopped it. What the message counts as done stays done; ' +
		'run again to go on with the rest.',
	'The execution was canceled':
		'Somebody stopped it. What the message counts as done stays done; run again to go on with the rest.',
	'… of … items cannot be sent:':
		'Nothing was sent. Correct the rows that are listed and run again, or set *On Error* ' +
		'to *Continue* to send the others.',
	"'Request Key' should be text or a number, but it is …":
		'Give an expression that is one word or number per item, like an order number.',
	'…; the longest waited … seconds': 'For your information: the limits of the platform were kept.',
	'A workspace holds at most … calls at once, so no more than that were under way; the next began when one had ended':
		'For your information; nothing to do.',
	'\'…\' is not possible while the build conversation is "…"':
		'The message names the operation that is.',
	"'…' has an expression that could not be resolved: …":
		'Open the expression in the field; often the item lacks a column, or its name is written differently.',
	'Not a valid ID':
		'Shown under the field: paste the ID as the platform gives it, or choose from the list.',
	'Not a valid key': 'Shown under the field: a key has no spaces.',
};

/** The messages that people meet most, for the README; each must exist. */
export const frequent = [
	'The platform did not accept the token',
	'The workspace … was not found, or it has no such record',
	'The address … was not found',
	'… answered with a web page instead of data',
	'The token is valid, but it has no permission for this',
	"'…' is not a phone number in international format: …",
	'The platform is receiving more requests than it allows',
	'The platform did not accept …',
	'This agent already has five webhooks, the most it can hold',
	'The platform cannot … this n8n: its public address is …, which only this computer can reach',
	'… did not answer within … seconds',
];

/** Why, for frequent messages that are not about the platform's answers. */
export const frequentReasons = {
	"'…' is not a phone number in international format: …":
		'A number has no country code, as spreadsheets often have them ([phone numbers](docs/guides/phone-numbers.md)).',
	'This agent already has five webhooks, the most it can hold':
		'Status 409 (`webhook_limit_reached`).',
	'The platform cannot … this n8n: its public address is …, which only this computer can reach':
		'n8n announces a local address, so the trigger could not be called.',
};
