import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { repository } from './bootstrap.mjs';

/** @returns {Promise<File>} the leads of `examples/`, as somebody uploads them on the form of the example */
export const leadsToUpload = async () =>
	new File([await readFile(join(repository, 'examples', 'leads.csv'))], 'leads.csv', {
		type: 'text/csv',
	});
