/**
 * The long form of the fault suite: for every class of fault 1000 keyed sends, 1000 reads and 300 writes without a key,
 * each way of writing, in n8n's own engine against the sandbox.
 *
 *   npm run test:faults                    about ten minutes
 *   npm run test:faults -- --seed 7        other random faults
 *   npm run test:faults -- --class 503     one class
 */
import { spawn } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { parseArgs } from 'node:util';
import {
	ensureBuild,
	ensureNodeVersion,
	ensurePackage,
	exitWith,
	nodeBinary,
	repository,
} from '../tools/bootstrap.mjs';

try {
	ensureNodeVersion();
	const { values } = parseArgs({
		options: { seed: { type: 'string', default: '1' }, class: { type: 'string' } },
	});
	await ensurePackage();
	await ensureBuild();
	const jest = join(repository, 'node_modules', 'jest', 'bin', 'jest.js');
	const chosen = values.class === undefined ? [] : ['--testNamePattern', `› ${values.class}\\b`];
	const child = spawn(
		nodeBinary(),
		[
			jest,
			'--selectProjects',
			'engine',
			'--testPathPatterns',
			'engine/faults',
			'--verbose',
			...chosen,
		],
		{
			cwd: repository,
			stdio: 'inherit',
			env: {
				...process.env,
				PATH: `${join(repository, 'node_modules', '.bin')}${delimiter}${process.env.PATH}`,
				FAULTS: 'full',
				FAULTS_SEED: values.seed,
			},
		},
	);
	child.on('exit', (code) => (process.exitCode = code ?? 1));
} catch (error) {
	exitWith(error);
}
