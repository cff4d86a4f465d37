import { limits } from './facts';

/** A `Retry-After` longer than any window of the platform is about the endpoint. */
export const longWaitMs = limits.requests.seconds * 1000;
/** Requests per second that the four sending endpoints of a workspace take together. */
export const sendsPerSecond = limits.sends.most / limits.sends.seconds;
/** From so many requests on, a run that sends them takes more than a minute. */
export const longRun = sendsPerSecond * 60 + 1;
