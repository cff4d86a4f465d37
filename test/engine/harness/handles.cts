import { type ChildProcess } from 'node:child_process';

interface Handle {
	ref(): void;
	unref(): void;
}

/** What keeps this process alive as long as its child lives. */
export const handlesOf = (child: ChildProcess): Handle[] =>
	[child, child.channel, child.stdout, child.stderr].flatMap((handle) =>
		handle ? [handle as unknown as Handle] : [],
	);
