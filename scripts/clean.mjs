// Removes the folders named on the command line, below the repository only.
import { rmSync } from 'node:fs';
import { resolve, sep } from 'node:path';

const root = resolve(import.meta.dirname, '..');
for (const name of process.argv.slice(2)) {
	const folder = resolve(root, name);
	if (!folder.startsWith(root + sep)) throw new Error(`${name} is not below the repository`);
	rmSync(folder, { recursive: true, force: true });
}
