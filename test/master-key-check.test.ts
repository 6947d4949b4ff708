// The service starts only with the master key that encrypted its database: by a check value in the database, or without
// one by the encrypted secrets. Tested with the function and with real starts.

import assert from 'node:assert/strict';
import { after, afterEach, describe, test } from 'node:test';
import { newConnectionId } from '../src/base/ids.ts';
import { openKeyring } from '../src/base/keyring.ts';
import { allowCurrentKey, requireMasterKey, revokeOldKeys } from '../src/check-master-key.ts';
import { encryptCredentials } from '../src/connections/open-connection.ts';
import type { Database } from '../src/db/database.ts';
import { reencryptAll } from '../src/rotate-master-key.ts';
import { createHome } from './harness/cli.ts';
import { type DatabaseFixture, openDatabaseFixture } from './harness/database-fixture.ts';
import { copyTemplate, createFromTemplate } from './harness/database-templates.ts';
import { engines, freePort } from './harness/paylink.ts';
import { createProcessGroup, endOf, stopRun } from './harness/process.ts';

const [oldKey, newKey, wrongKey] = [1, 2, 3].map((byte) => Buffer.alloc(32, byte)) as [
  Buffer,
  Buffer,
  Buffer,
];
const refusal = /The database was written with another master key/;
const alone = (current: Buffer) => ({ current, old: null });

/** Whether each key alone is accepted at a start. */
async function whichStart(db: Database, ...keys: Buffer[]): Promise<boolean[]> {
  const starts: boolean[] = [];
  for (const key of keys)
    starts.push(
      await requireMasterKey(db, alone(key)).then(
        () => true,
        (error: Error) => {
          assert.match(error.message, refusal);
          return false;
        },
      ),
    );
  return starts;
}

/** Connections whose credentials are encrypted with a key. */
async function addSealed({ db, createCompany }: DatabaseFixture, key: Buffer, count = 1): Promise<void> {
  const keyring = await openKeyring(key);
  const companyId = await createCompany();
  for (let made = 0; made < count; made += 1) {
    const connectionId = newConnectionId(companyId);
    const sealed = encryptCredentials(keyring, { companyId, connectionId }, { apiKey: 'one' });
    await db.inTenant({ companyId, mode: 'test' }, async (tx) => {
      await tx.query(
        `insert into connections (company_id, connection_id, processor, mode, name, currencies, position, sealed, key_id,
                                  created_by, created_at, updated_at)
         values ($1, $2, 'sandbox', 'test', 'Till', '{EUR}', 1, $3, $4, 'test', now(), now())`,
        [companyId, connectionId, sealed, keyring.keyId],
      );
    });
  }
}

const countChecks = async (db: Database) =>
  (await db.asOwner.query('select key_id from master_key_checks')).length;

for (const engine of engines)
  describe(`the check of the master key (${engine})`, () => {
    let bare: DatabaseFixture | null = null;
    const open = async (): Promise<DatabaseFixture> => {
      bare = await openDatabaseFixture(engine);
      return bare;
    };
    afterEach(async () => {
      await bare?.stop();
      bare = null;
    });

    test('an empty database accepts its first key, and then no other', async () => {
      const { db } = await open();
      assert.deepEqual(await whichStart(db, oldKey, wrongKey, oldKey), [true, false, true]);
      await assert.rejects(requireMasterKey(db, { current: newKey, old: wrongKey }), refusal);
      assert.equal(await countChecks(db), 1);
    });

    test('a database without a check value accepts only the key that decrypts its secrets', async () => {
      const here = await open();
      await here.createCompany();
      await addSealed(here, oldKey);
      await assert.rejects(requireMasterKey(here.db, alone(wrongKey)), refusal);
      assert.equal(await countChecks(here.db), 0, 'a refused key leaves nothing behind');
      assert.deepEqual(await whichStart(here.db, oldKey, wrongKey), [true, false]);
    });

    test('one row that no key decrypts does not make the correct key fail', async () => {
      const here = await open();
      await addSealed(here, wrongKey);
      await addSealed(here, oldKey);
      await here.db.asOwner.query('select 1');
      assert.deepEqual(await whichStart(here.db, oldKey), [true]);
    });

    test('during a change of keys, a database without a check value starts with both keys', async () => {
      const here = await open();
      await addSealed(here, oldKey);
      await requireMasterKey(here.db, { current: newKey, old: oldKey });
      assert.deepEqual(await whichStart(here.db, oldKey, newKey), [true, false]);
    });

    test('during a change of keys either key starts, and afterwards only the new one', async () => {
      const here = await open();
      const { db } = here;
      await addSealed(here, oldKey, 3);
      await requireMasterKey(db, alone(oldKey));
      const keyring = await openKeyring(newKey, oldKey);
      await requireMasterKey(db, { current: newKey, old: oldKey });
      await allowCurrentKey(db, keyring);
      assert.deepEqual(await whichStart(db, oldKey, newKey, wrongKey), [true, true, false]);
      await reencryptAll({ db, keyring });
      // An interrupted change is continued by running it again.
      await allowCurrentKey(db, keyring);
      await reencryptAll({ db, keyring });
      await revokeOldKeys(db, keyring);
      assert.deepEqual(await whichStart(db, newKey, oldKey), [true, false]);
      await requireMasterKey(db, { current: newKey, old: oldKey });
    });

    test('of two concurrent starts on an empty database with different keys, one wins', async () => {
      const { db } = await open();
      const starts = await Promise.allSettled(
        [oldKey, newKey].map(async (key) => await requireMasterKey(db, alone(key))),
      );
      assert.deepEqual(starts.map(({ status }) => status).sort(), ['fulfilled', 'rejected']);
      assert.equal(await countChecks(db), 1);
    });
  });

describe('starts with a wrong master key', () => {
  const stage = createProcessGroup();
  after(async () => await stage.clear());
  const settingsFor = async (key: Buffer) => ({
    PORT: String(await freePort()),
    PAYLINK_MASTER_KEY: key.toString('base64'),
  });

  async function refuse(settings: Record<string, string>, dataDir?: string): Promise<void> {
    const run = await stage.start({ through: 'server', settings, ...(dataDir ? { dataDir } : {}) });
    assert.deepEqual(await endOf(run), { code: 1, signal: null });
    assert.match(run.stderr(), refusal);
    assert.doesNotMatch(run.stderr(), /^ +at /m);
    assert.doesNotMatch(run.stdout(), /Paylink is ready/);
  }

  test('on a server, the service refuses to start, and the command that changes the key refuses to run', async () => {
    const database = await createFromTemplate();
    const home = await createHome();
    try {
      const place = { DATABASE_URL: database.url };
      const run = await stage.start({
        through: 'server',
        settings: { ...place, ...(await settingsFor(oldKey)) },
      });
      await run.ready();
      await stopRun(run);
      await refuse({ ...place, ...(await settingsFor(wrongKey)) });
      const settings = { ...place, ...(await settingsFor(wrongKey)) };
      const changed = await home.run(settings, 'admin', 'rotate-master-key');
      assert.equal(changed.code, 2);
      assert.match(changed.err, /The database was written with another master key/);
      const taken = await home.run(settings, 'admin', 'rotate-master-key', '--lost');
      assert.equal(taken.code, 0, taken.err);
      const lost = await stage.start({ through: 'server', settings });
      await lost.ready();
      await stopRun(lost);
      await refuse({ ...place, ...(await settingsFor(oldKey)) });
    } finally {
      await stage.clear();
      await home.remove();
      await database.drop();
    }
  });

  test('the service refuses to start on the embedded database', async () => {
    const dataDir = await copyTemplate(`${await stage.folder()}/data`);
    const run = await stage.start({ through: 'server', dataDir, settings: await settingsFor(oldKey) });
    await run.ready();
    await stopRun(run);
    await refuse(await settingsFor(wrongKey), dataDir);
  });
});
