// A large statement, sent from a file to a service whose memory is watched while it reads, writes and matches.
// large.campaign.ts and its short form share it.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { TestContext } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { type StatementEntry, writeStatement } from '../harness/bank.ts';
import { credentialHeaders, type Json } from '../harness/client.ts';
import { openRig, type Rig } from './merchant-rig.ts';

/** `maxGrowthMb` is below the size of the file, and above the usual needs of the service. */
export type LargeImport = { fileMb: number; maxGrowthMb: number; watchMs: number };

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** The memory in use after a garbage collection, in the heap and outside it. */
function heldBytes(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

const usualPiece = 620;

/** Streams a file: fetch would keep all of it in this process. */
async function sendFile(
  { paylink, credentials }: Rig,
  file: string,
): Promise<{ status: number; body: Json }> {
  const sent = request(`${paylink.baseUrl}/v1/bank-statements`, {
    method: 'POST',
    headers: { 'content-type': 'application/xml', ...credentialHeaders(credentials()) },
  });
  const answered = once(sent, 'response') as Promise<[IncomingMessage]>;
  await pipeline(createReadStream(file), sent);
  const [response] = await answered;
  let text = '';
  for await (const chunk of response) text += String(chunk);
  return { status: response.statusCode ?? 0, body: JSON.parse(text) as Json };
}

/** Imports a file of this size, and asserts that memory grows by less than the limit and that every line is read. */
export async function importLarge(
  t: TestContext,
  { fileMb, maxGrowthMb, watchMs }: LargeImport,
): Promise<void> {
  const leastBytes = fileMb * 1_000_000;
  const rig = await openRig('server');
  const folder = await mkdtemp(join(tmpdir(), 'paylink-large-'));
  const file = join(folder, 'statement.xml');
  try {
    const ordered = await rig.order(9);
    let written = 0;
    const lines = function* (): Iterable<StatementEntry> {
      yield { amount: '9.00', text: ordered.reference };
      while (written < leastBytes) yield { amount: '1.00', text: 'x'.repeat(100) };
    };
    const pieces = function* () {
      for (const piece of writeStatement(lines())) {
        const bytes = Buffer.from(piece);
        written += bytes.length;
        yield bytes;
      }
    };
    await writeFile(file, pieces());
    const before = heldBytes();
    let most = before;
    const watch = setInterval(() => {
      most = Math.max(most, heldBytes());
    }, watchMs);
    const begun = performance.now();
    const answer = await sendFile(rig, file);
    clearInterval(watch);
    assert.equal(answer.status, 200, JSON.stringify(answer.body));
    const { lines: count, bytes } = answer.body;
    const growthMb = Math.round((most - before) / 1024 / 1024);
    t.diagnostic(
      JSON.stringify({
        bytes,
        lines: count,
        growthMb,
        seconds: Math.round((performance.now() - begun) / 1000),
      }),
    );
    assert.ok(Number(bytes) >= leastBytes && Number(count) > leastBytes / usualPiece / 2);
    assert.ok(growthMb < maxGrowthMb, `${growthMb} MB`);
    assert.equal(await rig.statusOf(ordered), 'paid');
    await rig.checkBooks();
  } finally {
    await rm(folder, { recursive: true });
    // The harness reads every row when it stops, and does not need these.
    await rig.paylink.app.deps.db.asOwner.query(`delete from bank_lines where state = 'review'`);
    await rig.stop();
  }
}
