// An import of one company is killed at its steps and leaves nothing; and what a target does that has a master key of its own.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { reencryptAll } from '../../src/rotate-master-key.ts';
import {
  emptyDatabase,
  exportHere,
  fillShop,
  importHere,
  keyringOf,
  readRowsOf,
  startInstallation,
} from './company-rig.ts';
import { createMoveRig, masterKey } from './move-rig.ts';

const rig = createMoveRig();
const otherKey = Buffer.alloc(32, 9).toString('base64');
let file: string;
let companyId: string;

before(async () => {
  const source = await startInstallation(rig, 'server');
  ({ companyId } = source.paylink.merchant);
  await fillShop(source, source.paylink.merchant, { url: 'http://127.0.0.1:1099/' });
  file = join(await rig.cleaner.folder(), 'shop.company');
  await exportHere(source.paylink.app.deps.db, companyId, file);
  await source.paylink.stop();
});
after(rig.clean);

describe('an import that is interrupted', () => {
  /** Imports in a process that kills itself at a step; without one it runs to its end. */
  async function importAndKill(databaseUrl: string, step: string): Promise<string> {
    const child = spawn(
      process.execPath,
      [fileURLToPath(new URL('company-child.ts', import.meta.url)), databaseUrl, file, step],
      { stdio: ['ignore', 'pipe', 'inherit'] },
    );
    let steps = '';
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      steps += text;
    });
    await new Promise((resolve) => child.once('close', resolve));
    return steps;
  }

  test('at any step leaves nothing, and the next one succeeds', async () => {
    const { db, url: databaseUrl } = await emptyDatabase(rig);
    for (const step of [
      'checked the file and the database',
      'imported companies',
      'imported payments',
      'imported webhook_deliveries',
      'compared the counts and checksums of all tables',
      'the transaction commits',
    ]) {
      const steps = await importAndKill(databaseUrl, step);
      assert.ok(steps.endsWith(`${step}\n`), steps);
      assert.deepEqual(Object.values(await readRowsOf(db, companyId)).flat(), [], step);
    }
    await importHere(db, file);
    assert.equal((await readRowsOf(db, companyId)).payments?.length, 4);
  });
});

describe('an import with the master key of the other installation as the old key', () => {
  test('brings secrets that the settings decrypt, and a rotation re-encrypts them', async () => {
    const { db } = await emptyDatabase(rig);
    const keyring = await keyringOf(otherKey, masterKey);
    const { hasOldKey } = await importHere(db, file, { keyring });
    assert.equal(hasOldKey, true);
    const { kinds } = await reencryptAll({ db, keyring });
    const secrets = kinds.find(({ name }) => name === 'webhook secrets');
    assert.deepEqual([secrets?.resealed, secrets?.unopened], [1, []]);
  });
});
