/** Where things are in the repository. */
import path from 'node:path';

export const repositoryRoot = path.resolve(__dirname, '../../..');

/** The Node that n8n asks for (24), whatever runs the tests. */
export const nodeBinary = require.resolve('node/bin/node');
