/** Requests per second that the four sending endpoints of a workspace take together (interface §8). */
export const sendsPerSecond = 5;

/** From so many requests on, a run that sends them takes more than a minute. */
export const longRun = 301;
