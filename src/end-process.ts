// Ends this process for certain. `process.exit` joins V8's own threads first, and one of them that
// compiles may wait for a collection that the exiting thread will never do: the process then hangs with
// its folder and port taken (https://github.com/nodejs/node/issues/54918, seen once in 80 early stops).

import { existsSync } from 'node:fs';

const shell = '/bin/sh';

/**
 * Ends with the exit code 0 to 255, at once. Listeners of `exit` are called as by `process.exit`: the log writes
 * its last lines there. Then the kernel replaces the process by a shell that does nothing but exit, and no
 * thread of it is waited for. Where there is no shell to become, it is `process.exit`.
 */
export function endProcess(code: number): never {
  if (process.execve && existsSync(shell)) {
    process.emit('exit', code);
    process.execve(shell, ['sh', '-c', `exit ${code}`], {});
  }
  process.exit(code);
}
