/** What takes long runs with `npm test -- --full` alone. */
export const isFull = Boolean(process.env.FULL);

/** Options of such a test. */
export const inFull = { skip: !isFull && 'runs with --full' };
