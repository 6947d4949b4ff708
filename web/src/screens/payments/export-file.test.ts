// How an export is read while it arrives.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createRowCount, readExport } from './export-file.ts';

test('rows are counted across chunks, and line breaks in cells are not counted', () => {
  const count = createRowCount();
  const bytes = new TextEncoder().encode('a,b\r\n1,"two\nlines ""quoted""\n"\r\n2,x\r\n');
  let rows = 0;
  for (const byte of bytes) rows = count(Uint8Array.of(byte));
  assert.equal(rows, 3);
});

test('a complete file is returned with its count of payments, and an interrupted one is an error', async () => {
  let seen = { payments: 0, bytes: 0 };
  const text = 'name\r\n1\r\n2\r\n';
  const blob = await readExport(new Response(text), (progress) => {
    seen = progress;
  });
  assert.equal(await blob.text(), text);
  assert.deepEqual(seen, { payments: 2, bytes: 12 });
  const broken = new ReadableStream<Uint8Array<ArrayBuffer>>({
    start: (controller) => controller.enqueue(new TextEncoder().encode('name\r\n')),
    pull: () => {
      throw new Error('cut');
    },
  });
  await assert.rejects(
    readExport(new Response(broken), () => undefined),
    /cut/,
  );
});
