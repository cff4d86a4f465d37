/**
 * Packs the sandbox as a package of its own, for people who have an n8n already.
 *
 *   npm run sandbox:pack                      into the repository
 *   npm run sandbox:pack -- --into <folder>   into another folder
 *
 * It is put together here rather than by a workspace of pnpm: its contract belongs to the nodes as well, and a second
 * manifest would repeat versions, author and repository.
 */
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { exitWith, localFolder, repository } from '../tools/bootstrap.mjs';

/** What the sandbox imports; the versions are those that it is tested with. */
const libraries = ['ajv', 'ajv-formats', 'js-yaml', 'luxon', 'windows-iana'];

/** What of `sandbox/` stands elsewhere in the package, or is for tests alone. */
const elsewhere = new Set(['package', 'client.mjs']);

try {
	const { values } = parseArgs({ options: { into: { type: 'string', default: repository } } });
	const folder = join(localFolder, 'sandbox-package');
	rmSync(folder, { recursive: true, force: true });
	mkdirSync(folder, { recursive: true });
	const sandbox = join(repository, 'sandbox');
	cpSync(sandbox, join(folder, 'sandbox'), {
		recursive: true,
		filter: (file) => !elsewhere.has(relative(sandbox, file)),
	});
	cpSync(join(sandbox, 'package'), folder, { recursive: true });
	for (const file of ['contract/openapi.yaml', 'LICENSE.md'])
		cpSync(join(repository, file), join(folder, file));
	writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest(), undefined, '\t')}\n`);
	mkdirSync(values.into, { recursive: true });
	const parameters = ['pack', '--json', '--ignore-scripts', '--pack-destination'];
	const [{ filename }] = JSON.parse(
		execFileSync('npm', [...parameters, resolve(values.into)], {
			cwd: folder,
			encoding: 'utf8',
			stdio: ['ignore', 'pipe', 'ignore'],
		}),
	);
	console.log(join(resolve(values.into), filename));
} catch (error) {
	exitWith(error);
}

function manifest() {
	const nodes = JSON.parse(readFileSync(join(repository, 'package.json'), 'utf8'));
	const { version, license, homepage, author, repository: source, bugs, engines } = nodes;
	return {
		name: 'agent-conversation-platform-sandbox',
		version,
		description:
			"The other end of n8n's nodes for an agent conversation platform: a stand-in for the platform, " +
			'and a page where you are the customer',
		license,
		homepage,
		keywords: ['n8n', 'sandbox', 'voice-ai', 'phone-calls', 'whatsapp', 'sms'],
		author,
		repository: { ...source, directory: 'sandbox' },
		bugs,
		engines,
		type: 'module',
		bin: { 'agent-conversation-platform-sandbox': 'start.mjs' },
		dependencies: Object.fromEntries(libraries.map((name) => [name, nodes.devDependencies[name]])),
	};
}
