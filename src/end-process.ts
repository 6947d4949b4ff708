// Ends this process reliably. `process.exit` first joins V8's threads. One that compiles may wait for a
// garbage collection that the exiting thread never runs: the process then hangs and keeps its folder and port
// (https://github.com/nodejs/node/issues/54918, seen once in 80 early stops).

import { existsSync } from 'node:fs';

const shell = '/bin/sh';

/**
 * Ends at once with exit code 0 to 255. Calls listeners of `exit` like `process.exit`: the log writes its
 * last lines there. Then the kernel replaces the process by a shell that only exits, without waiting for
 * threads. Without a shell it calls `process.exit`.
 */
export function endProcess(code: number): never {
  if (process.execve && existsSync(shell)) {
    process.emit('exit', code);
    process.execve(shell, ['sh', '-c', `exit ${code}`], {});
  }
  process.exit(code);
}
