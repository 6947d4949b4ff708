// `npm run test:faults`: a statement as large as one may be, sent as a stream, to a service whose memory is
// watched while it reads, writes and matches.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { maxFileBytes } from '../../src/bank/spool.ts';
import { type Line, sendStatement, writeStatement } from '../harness/bank.ts';
import { openRig } from './merchant-rig.ts';

/** Well below the file, and well above what a service needs anyhow: a file in memory would break it. */
const mostGrowthMb = 80;
const usualPiece = 620;

test('100 MB of lines are imported, all of them, without being held in memory', {
  timeout: 900_000,
}, async (t) => {
  const rig = await openRig('server');
  try {
    const ordered = await rig.order(9);
    let written = 0;
    const lines = function* (): Iterable<Line> {
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
    // Without what nobody holds any more the figure says what is held.
    setFlagsFromString('--expose-gc');
    const gc = runInNewContext('gc') as () => void;
    gc();
    const before = process.memoryUsage().heapUsed;
    let most = before;
    const watch = setInterval(() => {
      gc();
      most = Math.max(most, process.memoryUsage().heapUsed);
    }, 250);
    const begun = performance.now();
    const answer = await sendStatement(rig.paylink, rig.credentials(), ReadableStream.from(pieces()));
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
    assert.ok(growthMb < mostGrowthMb, `${growthMb} MB`);
    assert.equal(await rig.statusOf(ordered), 'paid');
    await rig.checkBooks();
  } finally {
    await rig.stop();
  }
});
