// Large files are read in little memory, in any chunks. The heap is measured after a garbage collection.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { readStatement } from '../../src/bank/read-camt.ts';
import { batch, camt053, entry } from './camt-files.ts';

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

function heapMiB(): number {
  collectGarbage();
  return process.memoryUsage().heapUsed / 2 ** 20;
}

/** A statement with this many entries, generated while it is read. */
async function* longStatement(count: number, one: string): AsyncGenerator<Uint8Array> {
  const [before = '', after = ''] = camt053('|').split('|');
  const hundred = Buffer.from(one.repeat(100));
  yield Buffer.from(before);
  for (let done = 0; done < count; done += 100) yield hundred;
  yield Buffer.from(after);
}

test('a statement of 100 MB is read in the memory of a small one', async () => {
  const remittance = `<RmtInf><Ustrd>RF18 5390 0754 7034 ${'order '.repeat(60)}</Ustrd></RmtInf>`;
  const one = batch('10.00', [`<Amt Ccy="EUR">10.00</Amt>${remittance}`]);
  const count = 100 * Math.ceil(2 ** 20 / one.length);
  let lineCount = 0;
  let sumMinor = 0;
  let start = 0;
  let growthMiB = 0;
  for await (const part of readStatement(longStatement(count, one))) {
    if (part.part !== 'line') continue;
    lineCount += 1;
    sumMinor += part.amountMinor!;
    if (lineCount === 1000) start = heapMiB();
    if (lineCount % 40_000 === 0) growthMiB = Math.max(growthMiB, heapMiB() - start);
  }
  assert.ok(count * one.length >= 100 * 2 ** 20);
  assert.deepEqual([lineCount, sumMinor], [count, count * 1000]);
  assert.ok(growthMiB < 8, `the heap grew by ${growthMiB.toFixed(1)} MiB`);
});

test('the largest batch keeps only its own texts in memory', async () => {
  const noise = `<AddtlTxDtls>${'noise '.repeat(200)}</AddtlTxDtls>`;
  const one = `<TxDtls><Amt Ccy="EUR">0.01</Amt>${noise}<RmtInf><Ustrd>for order number 4711</Ustrd></RmtInf></TxDtls>`;
  const count = 20_000;
  const [before = '', after = ''] = camt053(batch('200.00', ['|'])).split('<TxDtls>|</TxDtls>');
  async function* source() {
    yield Buffer.from(before);
    for (let done = 0; done < count; done += 100) yield Buffer.from(one.repeat(100));
    yield Buffer.from(after);
  }
  const start = heapMiB();
  let lineCount = 0;
  for await (const part of readStatement(source())) {
    if (part.part !== 'line') continue;
    lineCount += 1;
    if (lineCount !== 1) continue;
    const growthMiB = heapMiB() - start;
    assert.ok(growthMiB < 20, `the heap grew by ${growthMiB.toFixed(1)} MiB`);
  }
  assert.equal(lineCount, count);
});

test('a file in one chunk is read in pieces', async () => {
  const chunk = Buffer.from(camt053(entry().repeat(100_000)));
  async function* source() {
    yield chunk;
  }
  const start = heapMiB();
  for await (const part of readStatement(source())) {
    if (part.part !== 'line') continue;
    const growthMiB = heapMiB() - start;
    assert.ok(
      growthMiB < 4,
      `the heap grew by ${growthMiB.toFixed(1)} MiB for the first of ${chunk.length} bytes`,
    );
    break;
  }
});
