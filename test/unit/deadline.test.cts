/** What ends a request, and what is left behind when it ends by itself. Streams are Node's own. */
import { getEventListeners } from 'node:events';
import { Readable } from 'node:stream';
import type { IN8nHttpFullResponse } from 'n8n-workflow';
import { Deadline } from '../../nodes/engine/http/clock';
import { describeError } from '../../nodes/engine/errors/errorText';
import { readStream } from '../../nodes/engine/http/client';
import type { FileSink } from '../../nodes/engine/http/fileStream';
import { RequestError } from '../../nodes/engine/errors/requestError';

describe('a deadline', () => {
	test('many requests leave nothing at the execution’s signal and no timer that holds the process', () => {
		const stop = new AbortController();
		const timers = () =>
			process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
		const before = timers();
		const deadlines = Array.from({ length: 1000 }, () => new Deadline(600, stop.signal));
		expect(getEventListeners(stop.signal, 'abort')).toHaveLength(1000);
		expect(timers()).toBe(before);
		for (const deadline of deadlines) deadline.lift();
		expect(getEventListeners(stop.signal, 'abort')).toHaveLength(0);
		stop.abort();
		expect(deadlines.filter(({ signal }) => signal.aborted)).toEqual([]);
	});
});

describe('a file', () => {
	const response = (body: Readable, change: Partial<IN8nHttpFullResponse> = {}) =>
		({ body, headers: {}, statusCode: 200, ...change }) as unknown as IN8nHttpFullResponse;
	const collect = async (stream: Readable) => Buffer.concat(await stream.toArray()).toString();
	const sink = (change: Partial<FileSink<unknown>> = {}): FileSink<unknown> => ({
		largest: 1,
		keepsInMemory: async () => true,
		store: async (stream) => await collect(stream as Readable),
		...change,
	});
	const pieces = (...sizes: number[]) =>
		Readable.from(
			sizes.map((size) => Buffer.alloc(size)),
			{ objectMode: false },
		);
	const megabyte = 1024 * 1024;
	/** A file that says how large it is. */
	const announced = (megabytes: number) =>
		response(pieces(1), { headers: { 'content-length': String(megabytes * megabyte) } });
	const deadlineOf = () => new Deadline(60, undefined);

	test('is stored whole up to the limit, and Stop ends nothing after that', async () => {
		const stop = new AbortController();
		const deadline = new Deadline(60, stop.signal);
		const store = async (stream: unknown) => {
			const text = await collect(stream as Readable);
			stop.abort();
			return text.length;
		};
		const whole = response(pieces(megabyte - 1, 1));
		expect(await readStream(whole, deadline, sink({ store }))).toBe(megabyte);
		expect(deadline.signal.aborted).toBe(false);
		expect(getEventListeners(stop.signal, 'abort')).toHaveLength(0);
	});

	test('a refusal is read as text, as far as a message needs it', async () => {
		const refused = { statusCode: 422 };
		const deadline = new Deadline(60, undefined);
		const short = response(Readable.from([Buffer.from('no, '), Buffer.from('never')]), refused);
		expect(await readStream(short, deadline, sink())).toBe('no, never');
		expect(deadline.signal.aborted).toBe(false);
		const long = response(pieces(60_000, 60_000, 60_000), refused);
		expect(await readStream(long, deadline, sink())).toHaveLength(120_000);
		expect(deadline.signal.aborted).toBe(true);
	});

	test.each([
		['on disk', false, 300, 512, undefined],
		['on disk', false, 513, 512, { largest: 512, inMemory: false }],
		['in memory', true, 256, 512, undefined],
		['in memory', true, 257, 512, { largest: 256, inMemory: true }],
		['in memory', true, 257, 200, { largest: 200, inMemory: false }],
	])('%s (%p), %i MB of at most %i: refused with %j', async (_, inMemory, size, largest, facts) => {
		const to = sink({ largest, keepsInMemory: async () => inMemory });
		const read = readStream(announced(size), deadlineOf(), to).then(() => undefined);
		expect(await read.catch((thrown: RequestError) => thrown.facts)).toEqual(facts);
	});

	test('n8n is asked where it keeps files only about those that may be too large for memory', async () => {
		const keepsInMemory = jest.fn(async () => false);
		const read = async (size: number) =>
			await readStream(announced(size), deadlineOf(), sink({ largest: 512, keepsInMemory }));
		await read(256);
		expect(keepsInMemory).not.toHaveBeenCalled();
		await read(257);
		expect(keepsInMemory).toHaveBeenCalledTimes(1);
	});

	test.each([
		['ENOSPC', /The disk on which n8n stores files is full\./],
		['EDQUOT', /The disk on which n8n stores files is full\./],
		['ERR_STRING_TOO_LONG', /keeps files in memory, and this one is too large/],
		['EACCES', /Ask who runs this n8n to check where it stores files \(EACCES\)\./],
		[undefined, /to check where it stores files \(No room\)\./],
	])('storage that gives up with %s has its own words', async (code, says) => {
		const thrown = Object.assign(new Error('No room.'), code ? { code } : {});
		const store = async (stream: unknown) => {
			for await (const _ of stream as Readable) throw thrown;
		};
		const read = readStream(response(pieces(10, 10)), deadlineOf(), sink({ store }));
		const error = (await read.catch((caught: RequestError) => caught)) as RequestError;
		expect(error).toMatchObject({ reason: 'storage', outcome: 'done', temporary: false });
		const said = describeError(error, { class: 'read' });
		expect(said.message).toBe('The file arrived, but n8n could not store it');
		expect(said.description).toMatch(says);
		expect(said.description).not.toMatch(/accepted/);
		const ofWrite = describeError(error, { class: 'write' });
		expect(ofWrite.description).toMatch(/The platform accepted the request/);
	});
});
