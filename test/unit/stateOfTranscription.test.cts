/** How far a transcription is, by the words that a platform may use for it. */
import { stateOfTranscription } from '../../nodes/AcpConversations/transcription';

test.each([
	[{ status: 'completed' }, 'done'],
	[{ status: 'Completed', transcription_result: '' }, 'done'],
	[{ status: 'failed' }, 'done'],
	[{ status: 'ERROR' }, 'done'],
	[{ status: 'pending', error_message: 'The audio is empty.' }, 'done'],
	[{ status: 'in progress', error_message: null }, 'waiting'],
	[{ status: 'pending', error_message: ' ' }, 'waiting'],
	[{ status: 'Processing' }, 'waiting'],
	[{ status: 'queued', processed_at: '2026-11-22T10:00:00Z' }, 'waiting'],
	[{ status: 'archived', processed_at: '2026-11-22T10:00:00Z' }, 'done'],
	[{ status: 'diarizing', processed_at: null }, 'unknown'],
	[{}, 'unknown'],
] as const)('%j: %s', (record, state) => {
	expect(stateOfTranscription(record)).toBe(state);
});
