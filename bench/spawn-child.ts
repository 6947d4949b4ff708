// Runs helper programs of a measurement as separate processes, so that their usage is separate. Must not: end
// a process that it did not start.

import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';

const execute = promisify(execFile);

/** Runs a program to its end and returns its output. Throws with both outputs when it fails. */
export async function runProgram(file: string, args: readonly string[]): Promise<string> {
  const { stdout } = await execute(file, args, { maxBuffer: 2 ** 24, env: { PATH: process.env.PATH } });
  return stdout;
}

export type HelperProcess = { url: string; stop(): Promise<void> };

/** The helper ends when its standard input closes, so that it does not outlive this process. */
async function stopHelper(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.stdin?.end();
  await once(child, 'exit');
}

/** Starts a program of this folder that listens on loopback and prints its port. */
export async function startHelper(file: string): Promise<HelperProcess> {
  const program = new URL(file, import.meta.url).pathname;
  const child = spawn(process.execPath, [program], { stdio: ['pipe', 'pipe', 'inherit'] });
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  return { url: `http://127.0.0.1:${Number(line)}`, stop: async () => await stopHelper(child) };
}
