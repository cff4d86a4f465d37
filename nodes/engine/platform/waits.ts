import { limits } from './facts';

/** A `Retry-After` longer than any window of the platform is about the endpoint. */
export const longWaitMs = limits.requests.seconds * 1000;
