/** What people and AI builders see of a node changes only if somebody means it: `npm run docs` records it. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from '../../tools/contract.cjs';
import { formsOf, nodes } from '../../tools/operations.cjs';

const forms = JSON.parse(readFileSync(join(repository, 'test/data/forms.json'), 'utf8'));

test('every node shows what is recorded; if a change is meant, run npm run docs', () => {
	expect(formsOf(nodes())).toEqual(forms);
});
