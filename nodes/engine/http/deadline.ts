import { Cancelled } from './clock';
import { networkError, RequestError } from '../errors/requestError';

/**
 * How long one request may take until its answer is complete. Its signal is that of the deadline and of Stop together,
 * and closes the connection; a time-out of n8n's own ends only what is silent.
 */
export class Deadline {
	private readonly ending = new AbortController();
	/** Its timer neither keeps the process alive nor outlives the last listener. */
	private readonly time: AbortSignal;

	/** Closes the connection. */
	readonly end = (): void => this.ending.abort();

	/**
	 * @param seconds from now
	 * @param stop fires when the execution is stopped
	 */
	constructor(
		private readonly seconds: number,
		private readonly stop: AbortSignal | undefined,
	) {
		this.time = AbortSignal.timeout(Math.ceil(seconds * 1000));
		this.time.addEventListener('abort', this.end);
		stop?.addEventListener('abort', this.end);
		if (stop?.aborted) this.end();
	}

	get signal(): AbortSignal {
		return this.ending.signal;
	}

	/** The answer is complete, or nobody waits for it any more: nothing ends it now, and nothing is left behind. */
	lift(): void {
		this.time.removeEventListener('abort', this.end);
		this.stop?.removeEventListener('abort', this.end);
	}

	/**
	 * Why a request did not come to its end. What n8n throws does not tell the deadline from Stop, in some versions not
	 * even from the network.
	 */
	reasonOf(thrown: unknown): Cancelled | RequestError {
		if (thrown instanceof RequestError) return thrown;
		if (this.stop?.aborted) return new Cancelled('unknown');
		if (!this.time.aborted) return networkError(thrown, this.seconds);
		return new RequestError('timeout', 'unknown', {
			code: 'ETIMEDOUT',
			timeoutSeconds: this.seconds,
		});
	}
}
