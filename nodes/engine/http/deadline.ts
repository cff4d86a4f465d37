import { Cancelled } from './clock';
import { networkError, RequestError } from '../errors/requestError';

/**
 * When the response to one try of a request must be complete. Its signal fires at the deadline and at Stop, and closes
 * the connection. n8n's own timeout ends only a connection that is silent.
 */
export class Deadline {
	private readonly ending = new AbortController();
	readonly signal = this.ending.signal;
	/** Its timer neither keeps the process alive nor outlives the last listener. */
	private readonly time: AbortSignal;

	readonly end = (): void => this.ending.abort();

	constructor(
		private readonly seconds: number,
		private readonly stop: AbortSignal | undefined,
	) {
		this.time = AbortSignal.timeout(Math.ceil(seconds * 1000));
		this.time.addEventListener('abort', this.end);
		stop?.addEventListener('abort', this.end);
		if (stop?.aborted) this.end();
	}

	/** From now on nothing ends the request, and nothing stays behind. */
	lift(): void {
		this.time.removeEventListener('abort', this.end);
		this.stop?.removeEventListener('abort', this.end);
	}

	/** Why a request ended: what n8n throws does not distinguish the deadline from Stop, or even from the network. */
	reasonOf(thrown: unknown): Cancelled | RequestError {
		if (thrown instanceof RequestError) return thrown;
		if (this.stop?.aborted) return new Cancelled('unknown');
		if (!this.time.aborted) return networkError(thrown, this.seconds);
		const facts = { code: 'ETIMEDOUT', timeoutSeconds: this.seconds };
		return new RequestError('timeout', 'unknown', facts);
	}
}
