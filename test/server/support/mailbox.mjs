/** A mail server that takes every mail and keeps it: as much of SMTP as n8n's Send Email node speaks. */
import { createServer } from 'node:net';
import { listening } from '../../../tools/ports.mjs';

const decoded = (text) =>
	Buffer.from(
		text
			.replace(/=\r?\n/g, '')
			.replace(/=([0-9A-F]{2})/g, (_, hex) => String.fromCharCode(parseInt(hex, 16))),
		'latin1',
	).toString('utf8');

/** Words of a header that hold more than ASCII (RFC 2047). */
const header = (text) =>
	text
		.replace(/\r?\n\s+/g, ' ')
		.replace(/=\?UTF-8\?Q\?(.*?)\?=/gi, (_, word) => decoded(word.replaceAll('_', ' ')))
		.replace(/=\?UTF-8\?B\?(.*?)\?=/gi, (_, word) => Buffer.from(word, 'base64').toString('utf8'));

/** @param {string} raw @returns {{to: string, subject: string, html: string, raw: string}} `html`: of a mail without attachments */
function mailOf(raw) {
	const [head = '', ...rest] = raw.split(/\r?\n\r?\n/);
	const of = (name) =>
		header(new RegExp(`^${name}: ((?:.|\\r?\\n\\s)*)`, 'im').exec(head)?.[1]?.trim() ?? '');
	const body = rest.join('\n\n');
	const html = /quoted-printable/i.test(head)
		? decoded(body)
		: /base64/i.test(head)
			? Buffer.from(body, 'base64').toString('utf8')
			: body;
	return { to: of('To'), subject: of('Subject'), html, raw };
}

/** One part of a mail with attachments. @param {string} raw @param {string} type @returns {string} its text */
export function partOf(raw, type) {
	const part = raw
		.split(/\r?\n--/)
		.find((one) => new RegExp(`^Content-Type: ${type}`, 'im').test(one.split(/\r?\n\r?\n/)[0]));
	const [head = '', ...rest] = (part ?? '').split(/\r?\n\r?\n/);
	const body = rest.join('\n\n');
	if (/base64/i.test(head)) return Buffer.from(body, 'base64').toString('utf8');
	return /quoted-printable/i.test(head) ? decoded(body) : body;
}

export class Mailbox {
	/** Oldest first. @type {Array<ReturnType<typeof mailOf>>} */
	mails = [];

	/** @returns {Promise<Mailbox>} listening on a free port of this machine */
	static async start() {
		const mailbox = new Mailbox();
		mailbox.server = createServer((socket) => mailbox.#talk(socket));
		mailbox.port = Number(new URL(await listening(mailbox.server)).port);
		return mailbox;
	}

	#talk(socket) {
		let received = '';
		let isMail = false;
		socket.on('error', () => socket.destroy());
		socket.write('220 mailbox\r\n');
		socket.on('data', (chunk) => {
			received += chunk.toString('latin1');
			for (;;) {
				const end = received.indexOf(isMail ? '\r\n.\r\n' : '\r\n');
				if (end < 0) return;
				const text = received.slice(0, end);
				received = received.slice(end + (isMail ? 5 : 2));
				if (isMail) this.mails.push(mailOf(text));
				isMail = !isMail && /^DATA/i.test(text);
				socket.write(isMail ? '354 go ahead\r\n' : '250 OK\r\n');
				if (/^QUIT/i.test(text)) socket.end();
			}
		});
	}

	async stop() {
		await new Promise((resolve) => this.server.close(resolve));
	}
}
