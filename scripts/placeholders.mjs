/**
 * Ends with 1 while the author in package.json is a placeholder: n8n verifies a package only where author and repository
 * are real. Placeholders are known by an email address under `.example`, a domain that nobody can own (RFC 2606).
 */
import { readFileSync } from 'node:fs';

const { author } = JSON.parse(readFileSync('package.json', 'utf8'));
if (/\.example$/i.test(author.email)) {
	console.error(
		'✖ The author and the repository in package.json are placeholders. Set your own first: docs/contributing/releasing.md',
	);
	process.exitCode = 1;
}
