// The folder of emails: emails older than 30 days are removed as new ones come and at the start, and no other files.

import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { manualClock } from '../../test/harness/manual-clock.ts';
import { openFileTransport } from './transport.ts';

const dayMs = 24 * 60 * 60 * 1000;
let folder: string;
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'paylink-mails-'));
});
after(async () => await rm(folder, { recursive: true, force: true }));

async function put(name: string, ageMs: number): Promise<void> {
  const at = new Date(Date.now() - ageMs);
  await writeFile(join(folder, name), 'x');
  await utimes(join(folder, name), at, at);
}
const names = async () => (await readdir(folder)).sort();
const message = {
  from: 'a@example.com',
  to: 'b@example.com',
  subject: 'x',
  text: 'x',
} as unknown as Parameters<Awaited<ReturnType<typeof openFileTransport>>['deliver']>[1];

test('emails older than 30 days are removed at the start and at most hourly, and no other file is', async () => {
  await put('mail_1_receipt.eml', 30 * dayMs + 60_000);
  await put('mail_2_receipt.eml.new', 31 * dayMs);
  await put('mail_3_receipt.eml', 30 * dayMs - 60_000);
  await put('kept-by-hand.eml', 99 * dayMs);
  await put('notes.txt', 99 * dayMs);
  const clock = manualClock();
  const transport = await openFileTransport(folder, clock);
  assert.deepEqual(await names(), ['kept-by-hand.eml', 'mail_3_receipt.eml', 'notes.txt']);
  await put('mail_4_receipt.eml', 40 * dayMs);
  await transport.deliver('mail_5_receipt', message);
  assert.ok((await names()).includes('mail_4_receipt.eml'), 'not removed with every email');
  clock.advanceMs(60 * 60 * 1000);
  await transport.deliver('mail_6_receipt', message);
  assert.deepEqual(await names(), [
    'kept-by-hand.eml',
    'mail_5_receipt.eml',
    'mail_6_receipt.eml',
    'notes.txt',
  ]);
  transport.close();
});
