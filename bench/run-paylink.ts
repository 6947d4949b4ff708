// Runs the service as users do: one process of src/main.ts, its log in a file, its limits disabled by
// settings. Must not: outlive the bench. It ends when the channel to it closes.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { serverEnvironment } from '../scripts/server-environment.mjs';
import { freePort, password } from '../test/harness/paylink.ts';

export type PaylinkService = {
  pid: number;
  url: string;
  host: string;
  secondsToReady: number;
  stop(): Promise<void>;
};

export const ownerEmail = 'owner@example.com';
const readyLimitMs = 60_000;
const checkIntervalMs = 5;

const benchSettings = {
  RATE_LIMIT_PROCESS_PER_SECOND: '0',
  RATE_LIMIT_LOGIN_PER_MINUTE: '0',
  RATE_LIMIT_API_PER_SECOND: '0',
  RATE_LIMIT_REFUSALS_PER_MINUTE: '0',
  MAX_CONNECTIONS_PER_CLIENT: '0',
  // No proxy needs to notice its stop.
  DRAIN_SECONDS: '0',
};

/** It logs this line when it accepts requests and the first start has created its company. */
const isReady = (logFile: string) => readFileSync(logFile, 'utf8').includes('\nPaylink is ready: ');

async function stopService(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}

/**
 * Starts it with these settings in a folder, which also has its log. Throws with the log when it does not
 * become ready.
 */
export async function startService(
  folder: string,
  settings: Record<string, string>,
): Promise<PaylinkService> {
  const port = await freePort();
  const host = `127.0.0.1:${port}`;
  const url = `http://${host}`;
  const logFile = path.join(folder, `service-${port}.log`);
  const log = openSync(logFile, 'a', 0o600);
  const startedAt = performance.now();
  const child = spawn(process.execPath, [new URL('../src/main.ts', import.meta.url).pathname], {
    cwd: folder,
    // Like `npm start`.
    env: serverEnvironment({
      PATH: process.env.PATH,
      HOME: folder,
      NODE_ENV: 'production',
      PORT: String(port),
      BASE_URL: url,
      BOOTSTRAP_EMAIL: ownerEmail,
      BOOTSTRAP_PASSWORD: password,
      ...benchSettings,
      ...settings,
    }),
    stdio: ['ignore', log, log, 'ipc'],
  });
  closeSync(log);
  while (!isReady(logFile)) {
    const hasEnded = child.exitCode !== null || child.signalCode !== null;
    if (hasEnded || performance.now() - startedAt > readyLimitMs) {
      await stopService(child);
      throw new Error(`the service did not get ready:\n${readFileSync(logFile, 'utf8')}`);
    }
    await sleep(checkIntervalMs);
  }
  const secondsToReady = (performance.now() - startedAt) / 1_000;
  return { pid: child.pid ?? 0, url, host, secondsToReady, stop: async () => await stopService(child) };
}
