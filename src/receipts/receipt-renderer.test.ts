// The thread that draws receipts: its limits on time, memory and waiting receipts, and what comes after a failure.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sampleReceipt as receipt } from '../../test/harness/sample-receipt.ts';
import { readPdf } from '../../test/harness/smtp-server.ts';
import type { Receipt } from './compose-receipt.ts';
import { drawReceipt } from './draw-receipt.ts';
import { openReceiptRenderer } from './receipt-renderer.ts';

/** A thread that does what the title of a receipt says. */
const planted = new URL(
  `data:text/javascript,${encodeURIComponent(`
    import { parentPort } from 'node:worker_threads';
    parentPort.on('message', ({ title }) => {
      if (title === 'endless') for (;;);
      if (title === 'exit') process.exit(0);
      if (title === 'throw') throw new Error('planted');
      if (title === 'huge') { const kept = []; for (;;) kept.push({ kept: [kept.length] }); }
      if (title !== 'silent') parentPort.postMessage({ pdf: new Uint8Array([1, 2, 3]) });
    });
    parentPort.postMessage('ready');
  `)}`,
);
const titled = (title: string): Receipt => ({ ...receipt, title });

test('the thread draws the same bytes as a direct call', async () => {
  const renderer = openReceiptRenderer({ timeoutMs: 60_000 });
  assert.deepEqual(Buffer.from(await renderer.render(receipt)), Buffer.from(await drawReceipt(receipt)));
  await renderer.close();
});

for (const title of ['endless', 'silent'])
  test(`a receipt that takes too long (${title}) is ended after 2 s, and the next one is drawn`, async () => {
    const renderer = openReceiptRenderer({ workerFile: planted });
    await renderer.render(receipt);
    const startedAt = performance.now();
    const ended = assert.rejects(renderer.render(titled(title)), /could not be drawn/);
    const next = renderer.render(receipt);
    await ended;
    const tookMs = performance.now() - startedAt;
    assert.ok(tookMs > 1_900 && tookMs < 5_000, `${tookMs} ms`);
    assert.deepEqual([...(await next)], [1, 2, 3]);
    await renderer.close();
  });

test('a receipt that needs more than 128 MB is ended within the time, and the next one is drawn', async () => {
  const renderer = openReceiptRenderer({ workerFile: planted });
  await renderer.render(receipt);
  const residentMb = process.memoryUsage.rss() / 2 ** 20;
  await assert.rejects(renderer.render(titled('huge')), (error: Error) => {
    const { code, name } = error.cause as Error & { code?: string };
    // On a busy machine the limit of time may come first.
    assert.ok(code === 'ERR_WORKER_OUT_OF_MEMORY' || name === 'AbortError', `${code} ${name}`);
    return true;
  });
  assert.ok(process.memoryUsage.rss() / 2 ** 20 - residentMb < 200);
  assert.deepEqual([...(await renderer.render(receipt))], [1, 2, 3]);
  await renderer.close();
});

for (const title of ['throw', 'exit'])
  test(`a thread that ends by itself (${title}) fails its receipt, and the next one is drawn`, async () => {
    const renderer = openReceiptRenderer({ workerFile: planted });
    await assert.rejects(renderer.render(titled(title)), /could not be drawn/);
    assert.deepEqual([...(await renderer.render(receipt))], [1, 2, 3]);
    await renderer.close();
  });

test('at most eight receipts wait; one more is refused at once', async () => {
  const renderer = openReceiptRenderer({ workerFile: planted });
  const drawn = Array.from({ length: 8 }, async () => await renderer.render(receipt));
  await assert.rejects(renderer.render(receipt), /too many/);
  assert.equal((await Promise.all(drawn)).length, 8);
  assert.equal((await renderer.render(receipt)).length, 3);
  await renderer.close();
});

test('a receipt that cannot be drawn does not affect the next one, and closing ends those that wait', async () => {
  const renderer = openReceiptRenderer({ timeoutMs: 60_000 });
  const broken = { ...receipt, facts: null } as unknown as Receipt;
  await assert.rejects(renderer.render(broken), /could not be drawn/);
  assert.match(await readPdf(await renderer.render(receipt)), /Ada Lovelace/);
  const waiting = [receipt, receipt].map(
    async (each) => await assert.rejects(renderer.render(each), /could not be drawn|closed/),
  );
  await renderer.close();
  await Promise.all(waiting);
  await assert.rejects(renderer.render(receipt), /closed/);
});
