// Starts and ends the processes of the fault tests. Each holds a pipe to this process and exits with it, so that no test
// leaves a process behind.

import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { compileCache } from '../harness/process.ts';

export type Running = {
  /** The values that it printed when it was ready. */
  ready: Record<string, number>;
  /** Resolves with the signal that ended it, or null. */
  ended: Promise<NodeJS.Signals | null>;
  hasEnded(): boolean;
  /** Sends SIGKILL, and waits for the end. */
  kill(): Promise<void>;
};

/** Waits for the line that a process prints when it is ready. Null if it ends before. */
async function readReady(child: ChildProcess): Promise<Record<string, number> | null> {
  let text = '';
  for await (const chunk of child.stdout ?? []) {
    text += String(chunk);
    if (text.includes('\n')) return JSON.parse(text) as Record<string, number>;
  }
  return null;
}

/**
 * Starts a program in this folder and waits until it is ready. `killAfterMs` counts from its start, ready or not. Null
 * if it ends before it is ready.
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

const pointLimitMs = 60_000;

/** Waits until a process has died at its crash point. */
export async function awaitDeath(running: Running | null): Promise<void> {
  assert.ok(running, 'it was ready before it died');
  const signal = await Promise.race([running.ended, sleep(pointLimitMs, 'still alive', { ref: false })]);
  assert.equal(signal, 'SIGKILL', 'the service died at its crash point');
}
