/**
 * Whose package this is: author, repository, and every link that leads into the repository, in one go.
 *
 *   npm run identity -- --name "Ada Jones" --email ada@jones.dev --repository https://github.com/ada/n8n-nodes-acp
 *   npm run identity -- --check      ends with 1 and one sentence while the placeholders stand
 *
 * n8n verifies a package only where the author and the repository of package.json are real, and the repository is
 * public on GitHub (docs/contributing/releasing.md). Placeholders are known by an email address under `.example`, a
 * domain that nobody can own (RFC 2606).
 */
import { execFileSync } from 'node:child_process';
import { lstatSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { ClearError, exitWith, repository } from '../tools/bootstrap.mjs';

const usage =
	'npm run identity -- --name "Ada Jones" --email ada@jones.dev --repository https://github.com/ada/n8n-nodes-acp';
const isPlaceholder = (email) => /\.example$/i.test(email);

try {
	const { values } = parseArgs({
		options: {
			name: { type: 'string' },
			email: { type: 'string' },
			repository: { type: 'string' },
			folder: { type: 'string', default: repository },
			check: { type: 'boolean', default: false },
		},
	});
	const { author, repository: old } = JSON.parse(
		readFileSync(join(values.folder, 'package.json'), 'utf8'),
	);
	if (values.check) {
		if (isPlaceholder(author.email))
			throw new ClearError(
				`The author and the repository in package.json are placeholders. Set your own first: ${usage}`,
			);
	} else {
		const { name, email, address } = identityOf(values);
		const changed = new Set(filesWith(values.folder, addressOf(old.url)));
		for (const file of changed)
			rewrite(values.folder, file, (text) => text.replaceAll(addressOf(old.url), address));
		// A name can be an everyday word, so it is replaced only where an author is named.
		rewrite(values.folder, 'package.json', (text) =>
			text.replace(/("author": \{\s*"name": ).*(,\s*"email": ).*/, (_, before, between) =>
				[before, JSON.stringify(name), between, JSON.stringify(email)].join(''),
			),
		);
		rewrite(values.folder, 'LICENSE.md', (text) =>
			text.replace(/^(Copyright \(c\) \d+ ).*/m, (_, before) => before + name),
		);
		const count = changed.add('package.json').add('LICENSE.md').size;
		console.log(`Changed ${count} files. Look at them with git diff, then commit.`);
	}
} catch (error) {
	exitWith(error);
}

/** @throws {ClearError} naming the option that is missing or wrong */
function identityOf({ name = '', email = '', repository: url = '' }) {
	const address = url.trim().replace(/(\.git)?\/?$/, '');
	const faults = [
		!name.trim() && '--name is missing',
		!/^[^\s@<>"]+@[^\s@<>"]+\.[^\s@<>".]+$/.test(email) && '--email is not an email address',
		isPlaceholder(email) && '--email must be an address that you read',
		!/^https:\/\/github\.com\/[\w-]+\/[\w.-]+$/.test(address) &&
			'--repository is not like https://github.com/owner/name (n8n verifies packages on GitHub only)',
		/["\\\n]/.test(name) && '--name must not contain quotes',
	].filter(Boolean);
	if (faults.length > 0) throw new ClearError(`${faults.join('; ')}. ${usage}`);
	return { name: name.trim(), email, address };
}

/** The address of a repository as it stands in links. */
function addressOf(url) {
	return url.replace(/^git\+/, '').replace(/\.git$/, '');
}

/** Files that git knows and that hold a text. @returns {string[]} */
function filesWith(folder, text) {
	return execFileSync('git', ['grep', '-zlIF', text], { cwd: folder, encoding: 'utf8' })
		.split('\0')
		.filter((file) => file && lstatSync(join(folder, file)).isFile());
}

function rewrite(folder, file, change) {
	const path = join(folder, file);
	writeFileSync(path, change(readFileSync(path, 'utf8')));
}
