// A statement of the maximum size, sent from a file to a service whose memory is watched while it reads, writes and
// matches.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { maxFileBytes } from '../../src/bank/spool.ts';
import { type StatementEntry, writeStatement } from '../harness/bank.ts';
import { credentialHeaders, type Json } from '../harness/client.ts';
import { openRig, type Rig } from './merchant-rig.ts';

/** Far below the size of the file, and above the usual needs of the service. */
const maxGrowthMb = 80;
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

/** Deletes the lines of no payment: the harness reads every row when it stops, and does not need these. */
async function deleteLines({ paylink }: Rig): Promise<void> {
  // A statement that deletes all of them may take longer than the limit of the database.
  const some = `delete from bank_lines where ctid in (
                  select ctid from bank_lines where state = 'review' limit 10000) returning line_id`;
  while ((await paylink.app.deps.db.asOwner.query(some)).length > 0);
}

test('100 MB of lines are imported completely without being held in memory', {
  timeout: 900_000,
}, async (t) => {
  const rig = await openRig('server');
  const folder = await mkdtemp(join(tmpdir(), 'paylink-large-'));
  const file = join(folder, 'statement.xml');
  try {
    const ordered = await rig.order(9);
    let written = 0;
    const lines = function* (): Iterable<StatementEntry> {
      yield { amount: '9.00', text: ordered.reference };
      while (written < maxFileBytes - 1_000_000) yield { amount: '1.00', text: 'x'.repeat(100) };
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
    }, 2_000);
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
    assert.ok(Number(bytes) > 99_000_000 && Number(count) > maxFileBytes / usualPiece / 2);
    assert.ok(growthMb < maxGrowthMb, `${growthMb} MB`);
    assert.equal(await rig.statusOf(ordered), 'paid');
    await rig.checkBooks();
  } finally {
    await rm(folder, { recursive: true });
    await deleteLines(rig);
    await rig.stop();
  }
});
