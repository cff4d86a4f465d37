import { fileNameFrom } from '../../nodes/engine/follow/files';

const disposed = (header: string, ...names: string[]) =>
	fileNameFrom({ 'content-disposition': header }, names);

describe('names of files', () => {
	test('the response names the file, otherwise its record, otherwise its URL', () => {
		expect(disposed('attachment; filename="offer.pdf"', 'record.pdf', 'a1b2')).toBe('offer.pdf');
		expect(disposed('attachment; filename=offer.pdf; size=5', 'record.pdf')).toBe('offer.pdf');
		expect(disposed(`attachment; filename="x"; filename*=UTF-8''Prix%20%C3%A9t%C3%A9.jpg`)).toBe(
			'Prix été.jpg',
		);
		expect(disposed('attachment; filename="say \\"hi\\".txt"')).toBe('say hi.txt');
		expect(disposed('attachment', 'record.pdf', 'a1b2')).toBe('record.pdf');
		expect(disposed('attachment; filename=""', '', 'a1b2.pdf')).toBe('a1b2.pdf');
		expect(fileNameFrom({}, [undefined, ''])).toBe('file');
	});

	test('a name without an extension gets that of the next name', () => {
		expect(fileNameFrom({}, ['recording-7', 'audio.wav'])).toBe('recording-7.wav');
		expect(fileNameFrom({}, ['recording-7', 'audio'])).toBe('recording-7');
	});

	test('no name leads elsewhere, hides signs or is too long for a disk', () => {
		expect(fileNameFrom({}, ['../../etc/passwd'])).toBe('passwd');
		expect(fileNameFrom({}, ['..\\..\\boot.ini'])).toBe('boot.ini');
		expect(disposed(`attachment; filename*=UTF-8''..%2F..%2F1.ini`)).toBe('1.ini');
		expect(fileNameFrom({}, ['..'])).toBe('file');
		expect(fileNameFrom({}, ['a\u0000b\r\nc\u202Ed.txt'])).toBe('abcd.txt');
		expect(fileNameFrom({}, ['<a>:"b"|?*.txt'])).toBe('ab.txt');
		const long = fileNameFrom({}, [`${'n'.repeat(300)}.pdf`]);
		expect(long).toBe(`${'n'.repeat(76)}.pdf`);
		expect(Buffer.byteLength(fileNameFrom({}, [`${'字'.repeat(300)}.pdf`]))).toBeLessThan(255);
	});

	test('a percent sign that encodes nothing stays', () => {
		expect(disposed('attachment; filename="100% sure.txt"')).toBe('100% sure.txt');
	});
});
