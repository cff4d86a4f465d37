import { limits } from '../platform/facts';

/** Requests per second that the four sending endpoints of a workspace take together. */
export const sendsPerSecond = limits.sends.most / limits.sends.seconds;

/** From so many requests on, a run that sends them takes more than a minute. */
export const longRun = sendsPerSecond * 60 + 1;
