/**
 * Whose package this is: author, repository, and every link that leads into the repository, in one go.
 *
 *   npm run identity -- --name "Ada Jones" --email ada@jones.dev --repository https://github.com/ada/n8n-nodes-acp
 *   npm run identity -- --check      ends with 1 and one sentence while the placeholders stand
 *
 * n8n verifies a package only where the author and the repository of package.json are real (docs/contributing/releasing.md).
 * Placeholders are known by an email address under `.example`, a domain that nobody can own (RFC 2606).
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { ClearError, exitWith } from '../tools/bootstrap.mjs';

const usage =
	'npm run identity -- --name "Ada Jones" --email ada@jones.dev --repository https://github.com/ada/n8n-nodes-acp';
const isPlaceholder = (email) => /\.example$/i.test(email);

try {
	const { values } = parseArgs({
		options: {
			name: { type: 'string', default: '' },
			email: { type: 'string', default: '' },
			repository: { type: 'string', default: '' },
			check: { type: 'boolean', default: false },
		},
	});
	const { author, repository } = JSON.parse(readFileSync('package.json', 'utf8'));
	if (!values.check) rewrite(author, addressOf(repository.url), values);
	else if (isPlaceholder(author.email))
		throw new ClearError(
			`The author and the repository in package.json are placeholders. Set your own first: ${usage}`,
		);
} catch (error) {
	exitWith(error);
}

/** The address of a repository as it stands in links. */
function addressOf(url) {
	return url.replace(/^git\+/, '').replace(/(\.git)?\/?$/, '');
}

/** @throws {ClearError} naming the option that is missing or wrong */
function rewrite(old, oldAddress, { name, email, repository: url }) {
	const address = addressOf(url);
	const wrong =
		(!/^[^"\\\s][^"\\\n]*$/.test(name) && '--name') ||
		((!/^[^\s@<>"]+@[^\s@<>"]+$/.test(email) || isPlaceholder(email)) && '--email') ||
		(!/^https:\/\/github\.com\/[\w-]+\/[\w.-]+$/.test(address) && '--repository');
	if (wrong) throw new ClearError(`${wrong} is missing or wrong. ${usage}`);
	const holding = execFileSync('git', ['grep', '-zlIF', oldAddress], { encoding: 'utf8' });
	for (const file of new Set([...holding.split('\0').filter(Boolean), 'LICENSE.md'])) {
		const text = readFileSync(file, 'utf8')
			.replaceAll(oldAddress, address)
			.replace(`"email": "${old.email}"`, `"email": "${email}"`)
			// A name can be an everyday word, so it is replaced only where an author is named.
			.replace(`"name": "${old.name}"`, `"name": "${name}"`)
			.replace(/^(Copyright \(c\) \d+ ).*/m, (_, before) => before + name);
		writeFileSync(file, text);
	}
	console.log('Changed. Look at it with git diff, then commit.');
}
