// Uploads from clients that disconnect, and imports that wait for another one. No temporary file is left behind.

import assert from 'node:assert/strict';
import { existsSync, readdirSync, readlinkSync } from 'node:fs';
import { type ClientRequest, request } from 'node:http';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { lockImports } from '../../src/bank/store.ts';
import { type StatementEntry, sendStatement, statementOf } from '../harness/bank.ts';
import { credentialHeaders } from '../harness/client.ts';
import { openRig, type Rig } from './merchant-rig.ts';

const guardMs = 60_000;
const ownFiles = '/proc/self/fd';

let rig: Rig;
/** Warnings about files that only the garbage collector closed. */
const unclosed: string[] = [];
const note = ({ message }: Error) => {
  if (message.includes('file descriptor')) unclosed.push(message);
};
before(async () => {
  process.on('warning', note);
  rig = await openRig('server');
});
after(async () => {
  process.off('warning', note);
  await rig.stop();
});

/** The number of temporary uploads that this process has open. */
function countSpools(): number {
  const places = readdirSync(ownFiles).map((name) => {
    try {
      return readlinkSync(`${ownFiles}/${name}`);
    } catch {
      // Closed meanwhile.
      return '';
    }
  });
  return places.filter((place) => place.includes('paylink-statement-')).length;
}

async function until(what: string, holds: () => boolean | Promise<boolean>): Promise<void> {
  const end = performance.now() + guardMs;
  while (!(await holds())) {
    assert.ok(performance.now() < end, `timed out: ${what}`);
    await pause(20);
  }
}

function openUpload(): ClientRequest {
  const headers = { 'content-type': 'application/xml', ...credentialHeaders(rig.credentials()) };
  const upload = request(`${rig.paylink.baseUrl}/v1/bank-statements`, { method: 'POST', headers });
  // The test aborts it.
  upload.on('error', () => undefined);
  return upload;
}

const strangers = (count: number): StatementEntry[] =>
  Array.from({ length: count }, () => ({ amount: '1.00', text: 'rent' }));

// Only Linux lists the open files of a process.
if (existsSync(ownFiles)) {
  test('a client that disconnects during the upload leaves no file behind', async () => {
    const upload = openUpload();
    upload.write(statementOf(strangers(3)).slice(0, 300));
    await until('the upload is put aside', () => countSpools() === 1);
    upload.destroy();
    await until('it is gone', () => countSpools() === 0);
  });

  test('a client that disconnects before the response leaves no file behind, and the file is imported', async () => {
    const before = await rig.get('/v1/bank-statements');
    const { deps } = rig.paylink.app;
    const { companyId } = rig.credentials();
    const upload = openUpload();
    // The import waits for another one while its client disconnects.
    await deps.db.inTenant({ companyId, mode: 'test' }, async (tx) => {
      assert.ok(await lockImports(tx));
      upload.end(statementOf(strangers(3)));
      await until('the upload is put aside', () => countSpools() === 1);
      await pause(300);
      upload.destroy();
    });
    const listed = async () => ((await rig.get('/v1/bank-statements')).data as unknown[]).length;
    await until(
      'the file is imported',
      async () => (await listed()) === (before.data as unknown[]).length + 1,
    );
    await until('it is gone', () => countSpools() === 0);
    // The warning follows shortly after the file is closed.
    await pause(500);
    assert.deepEqual(unclosed, []);
  });
}

test('an import that waited too long for another one can be retried with the same Idempotency-Key', async () => {
  const { deps } = rig.paylink.app;
  const { companyId } = rig.credentials();
  const headers = { 'idempotency-key': 'waits-for-another' };
  const send = async (file: string) => await sendStatement(rig.paylink, rig.credentials(), file, headers);
  const file = statementOf(strangers(1));
  await deps.db.inTenant({ companyId, mode: 'test' }, async (tx) => {
    assert.ok(await lockImports(tx));
    let answered = false;
    const waiting = send(file).finally(() => {
      answered = true;
    });
    // The database ends an idle transaction.
    while (!answered) {
      await tx.query('select 1 as one', []);
      await pause(1000);
    }
    const answer = await waiting;
    assert.deepEqual([answer.status, answer.body.code], [503, 'import_in_progress']);
    assert.equal(answer.headers.get('retry-after'), '30');
  });
  const again = await send(file);
  assert.deepEqual([again.status, again.body.isNew], [200, true], JSON.stringify(again.body));
});
