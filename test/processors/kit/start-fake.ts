// Starts a fake as a process with a journal in a temporary folder. It ends with the test: the process holds a pipe.

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Running, startProcess } from '../../faults/processes.ts';
import { freePort } from '../../harness/paylink.ts';
import type { Control, MoneyLine, SentWebhook } from './control.ts';

export type RunningFake = {
  /** Its address, unchanged by a restart. */
  url: string;
  /** Sends a command. Resolves with the number of requests that the outage hit, and the result of `command`. */
  control(control: Control): Promise<Record<string, unknown>>;
  /** All lines of its journal. */
  lines(): Promise<Record<string, unknown>[]>;
  /** The money that moved by its journal. */
  money(): Promise<MoneyLine[]>;
  webhooks(): Promise<SentWebhook[]>;
  /** The headers that the webhook at an index of `webhooks` would have with another body. */
  signAs(place: number, body: string): Promise<Record<string, string>>;
  /** Kills it, and starts it again with its journal and address. */
  restart(): Promise<void>;
  stop(): Promise<void>;
};

const guardMs = 60_000;

async function call(url: string, body?: object): Promise<unknown> {
  const init = body ? { method: 'POST', body: JSON.stringify(body) } : {};
  const response = await fetch(url, { ...init, signal: AbortSignal.timeout(guardMs) });
  const text = await response.text();
  assert.equal(response.status, 200, `the fake's control API responded: ${text}`);
  return JSON.parse(text);
}

async function start(file: string, journalFile: string, port: number): Promise<Running> {
  const running = await startProcess(file, { args: [journalFile, String(port)] });
  if (!running) throw new Error(`the fake ${file} ended before it was ready`);
  return running;
}

/** Starts the fake of a file; `file` is an address: `new URL('./fake.ts', import.meta.url)`. */
export async function startFake(file: URL): Promise<RunningFake> {
  const folder = await mkdtemp(join(tmpdir(), 'paylink-fake-'));
  const journalFile = join(folder, 'journal.jsonl');
  const remove = async () => await rm(folder, { recursive: true, force: true });
  // It restarts at its port, so no other process may get that port meanwhile.
  let running = await start(file.href, journalFile, await freePort()).catch(async (error: unknown) => {
    await remove();
    throw error;
  });
  const { port = 0 } = running.ready;
  const controlUrl = () => `http://127.0.0.1:${running.ready.controlPort}`;
  const lines = async () => (await call(`${controlUrl()}/__journal`)) as Record<string, unknown>[];
  return {
    url: `http://127.0.0.1:${port}`,
    control: async (control) => (await call(`${controlUrl()}/__control`, control)) as Record<string, unknown>,
    lines,
    money: async () =>
      (await lines()).filter(
        (line): line is MoneyLine & Record<string, unknown> =>
          line.type === 'charge' || line.type === 'refund',
      ),
    webhooks: async () => (await call(`${controlUrl()}/__webhooks`)) as SentWebhook[],
    signAs: async (place, body) =>
      (await call(`${controlUrl()}/__sign`, { place, body })) as Record<string, string>,
    restart: async () => {
      await running.kill();
      running = await start(file.href, journalFile, port);
    },
    stop: async () => {
      await running.kill();
      await remove();
    },
  };
}
