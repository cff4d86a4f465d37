/** @param {number} pid whether a process still runs */
export const isAlive = (pid) => {
	try {
		return process.kill(pid, 0);
	} catch {
		return false;
	}
};
