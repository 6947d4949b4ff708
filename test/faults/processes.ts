// Starts the programs of the fault tests and ends them again. Each holds a pipe to this process and
// ends by itself when this one is gone, so that no test can leave any behind.

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { compileCache } from '../harness/process.ts';

export type Running = {
  /** What it printed when it was ready. */
  ready: Record<string, number>;
  /** The signal that ended it, or null; resolves when it has ended. */
  ended: Promise<NodeJS.Signals | null>;
  hasEnded(): boolean;
  /** Ends it as a power cut would, and waits until it is gone. */
  kill(): Promise<void>;
};

/** Waits for the line that says that it is ready; null when it ended before. */
async function readReady(child: ChildProcess): Promise<Record<string, number> | null> {
  let text = '';
  for await (const chunk of child.stdout ?? []) {
    text += String(chunk);
    if (text.includes('\n')) return JSON.parse(text) as Record<string, number>;
  }
  return null;
}

/**
 * Starts a program beside this file and waits until it is ready. With `killAfterMs` it is killed that
 * long after its start, ready or not. Null when it ended before it was ready.
 */
export async function startProcess(
  file: string,
  options: { args?: string[]; env?: Record<string, string>; killAfterMs?: number },
): Promise<Running | null> {
  const child = spawn(
    process.execPath,
    [fileURLToPath(new URL(file, import.meta.url)), ...(options.args ?? [])],
    {
      env: { PATH: process.env.PATH, TMPDIR: process.env.TMPDIR, ...compileCache(), ...options.env },
      stdio: ['pipe', 'pipe', 'inherit'],
    },
  );
  let isOver = false;
  const ended = once(child, 'exit').then(([, signal]) => {
    isOver = true;
    return signal as NodeJS.Signals | null;
  });
  const kill = async () => {
    if (!isOver) child.kill('SIGKILL');
    await ended;
  };
  if (options.killAfterMs !== undefined) setTimeout(() => void kill(), options.killAfterMs).unref();
  const ready = await readReady(child);
  if (ready) return { ready, ended, hasEnded: () => isOver, kill };
  await kill();
  return null;
}

/** A service that does not come to its crash point in this time never does. */
const pointLimitMs = 60_000;

/** Waits until a process has died at its crash point, and fails when it never comes there. */
export async function awaitDeath(running: Running | null): Promise<void> {
  assert.ok(running, 'it was ready before it died');
  const signal = await Promise.race([running.ended, sleep(pointLimitMs, 'still alive', { ref: false })]);
  assert.equal(signal, 'SIGKILL', 'the service died at its point');
}
