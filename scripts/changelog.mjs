/**
 * Stops a release (.release-it.json) when its version is out already, and while CHANGELOG.md has new lines under a
 * version that is out: a branch from before that release puts its line there, and git sees no conflict.
 *
 *   node scripts/changelog.mjs --version 0.2.0
 */
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { ClearError, exitWith } from '../tools/bootstrap.mjs';

const git = (...parameters) =>
	execFileSync('git', parameters, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });

try {
	const { values } = parseArgs({ options: { version: { type: 'string' } } });
	if (git('tag', '--list', values.version ?? ''))
		throw new ClearError(`${values.version} is out already. Choose a higher version.`);
	const tag = latestTag();
	if (tag) {
		const now = sections(readFileSync('CHANGELOG.md', 'utf8'));
		const added = [...sections(git('show', `${tag}:CHANGELOG.md`))].flatMap(([version, before]) => {
			const lines = now.get(version) ?? [];
			// As many as before: words were changed, nothing was added.
			if (version === 'Unreleased' || lines.length <= before.length) return [];
			return lines.filter((line) => !before.includes(line));
		});
		if (added.length > 0)
			throw new ClearError(
				`CHANGELOG.md has new lines under a version that is out. Move them under Unreleased: ${added.join(' ')}`,
			);
	}
} catch (error) {
	exitWith(error);
}

function latestTag() {
	try {
		return git('describe', '--tags', '--abbrev=0', '--match=*.*.*').trim();
	} catch {
		// Nothing has been released.
		return undefined;
	}
}

/** @param {string} changelog @returns {Map<string, string[]>} version → its lines */
function sections(changelog) {
	return new Map(
		changelog
			.split(/^## \[/m)
			.slice(1)
			.map((section) => {
				const [title, ...lines] = section.split('\n');
				// Links at the end of the file belong to no version.
				return [title.split(']')[0], lines.filter((line) => line && !/^\[[^\]]+\]: /.test(line))];
			}),
	);
}
