// What an import of one company refuses, with one sentence and without a change, and what it finds in a file that somebody
// with the master key has changed.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { createCompany } from '../../src/create-company.ts';
import type { Database } from '../../src/db/database.ts';
import { createHome, type Home } from '../harness/cli.ts';
import { password } from '../harness/paylink.ts';
import {
  emptyDatabase,
  exportHere,
  type FileParts,
  fillShop,
  forge,
  type Installation,
  importHere,
  keyringOf,
  readRowsOf,
  removeHere,
  type Shop,
  startInstallation,
} from './company-rig.ts';
import { createMoveRig, onServer } from './move-rig.ts';

const rig = createMoveRig();
const url = 'http://127.0.0.1:1099/';
const otherKey = Buffer.alloc(32, 9).toString('base64');

let home: Home;
let source: Installation;
let target: Installation;
let shop: Shop;
let file: string;
let companyId: string;

const targetDb = () => target.paylink.app.deps.db;
const newPath = async () => join(await rig.cleaner.folder(), 'some.company');

before(async () => {
  home = await createHome();
  source = await startInstallation(rig, 'server');
  target = await startInstallation(rig, 'server');
  shop = await fillShop(source, source.paylink.merchant, { url });
  await fillShop(target, target.paylink.merchant, { url });
  ({ companyId } = shop.merchant);
  file = await newPath();
  await exportHere(source.paylink.app.deps.db, companyId, file);
});
after(async () => {
  await source?.paylink.stop();
  await target?.paylink.stop();
  await home?.remove();
  await rig.clean();
});

/** Nothing of the company is there, and the other one is as before. */
async function leavesNothing(db: Database, work: () => Promise<void>): Promise<void> {
  const resident = target.paylink.merchant.companyId;
  const before = await readRowsOf(db, resident);
  await work();
  assert.deepEqual(Object.values(await readRowsOf(db, companyId)).flat(), []);
  assert.deepEqual(await readRowsOf(db, resident), before);
}

async function refuses(path: string, message: RegExp, options: Parameters<typeof importHere>[2] = {}) {
  await leavesNothing(targetDb(), async () => {
    await assert.rejects(importHere(targetDb(), path, options), (error: Error) => {
      assert.match(error.name, /^(OperatorError|MoveStoppedError)$/, String(error.stack));
      assert.match(error.message, message);
      return true;
    });
  });
}

async function changed(change: (text: string) => string): Promise<string> {
  const path = await newPath();
  await writeFile(path, change(await readFile(file, 'utf8')));
  return path;
}

const header = (change: Partial<FileParts['header']>) => (parts: FileParts) => ({
  ...parts,
  header: { ...parts.header, ...change },
});

describe('an import refuses a file', () => {
  test('that does not exist', async () => {
    await refuses('/nowhere/some.company', /^The file \/nowhere\/some\.company cannot be read: ENOENT/);
  });

  test('that is empty, has no end, or is cut off in a line', async () => {
    const whole = await readFile(file, 'utf8');
    const end = whole.lastIndexOf('\n', whole.length - 2) + 1;
    const first = whole.indexOf('\n') + 1;
    for (const [length, what] of [
      [0, /it is empty/],
      [first, /its end is missing/],
      [end, /its end is missing/],
      [end - 10, /its last line is cut off/],
      [whole.length - 1, /its last line is cut off/],
    ] as const)
      await refuses(await changed((text) => text.slice(0, length)), what);
  });

  test('that lacks a row, has one twice, or a changed character', async () => {
    const sum = /is not a complete export of a company: its checksum is wrong\. Export it again\.$/;
    const edit = (change: (rows: string[]) => void) => async () =>
      await changed((text) => {
        const lines = text.split('\n');
        change(lines);
        return lines.join('\n');
      });
    for (const edited of [
      edit((lines) => void lines.splice(3, 1)),
      edit((lines) => void lines.splice(3, 0, lines[3] ?? '')),
      edit((lines) => void lines.splice(1, 1, (lines[1] ?? '').replace('DE', 'FR'))),
    ])
      await refuses(await edited(), sum);
  });

  test('of another program', async () => {
    const path = await newPath();
    await writeFile(path, '{"name":"other"}\n{}\n');
    await refuses(path, /is not a complete export of a company: its first line does not describe one/);
    await writeFile(path, Buffer.alloc(100_000, 0xff));
    await refuses(path, /is not a complete export of a company/);
    await appendFile(path, '\n\n\n');
    await refuses(path, /is not a complete export of a company: a line is not JSON/);
  });

  test('that somebody without the master key has written', async () => {
    const keyIds = [(await keyringOf()).keyId];
    const path = await forge(rig, file, header({ keyIds }), await keyringOf(otherKey));
    await refuses(path, /somebody without the master key has written it/);
  });

  test('of a newer format, and says to which version to upgrade', async () => {
    const path = await changed((text) =>
      text
        .replace('"paylinkCompany":1', '"paylinkCompany":2')
        .replace('"version":"0.0.0"', '"version":"7.1.0"'),
    );
    await refuses(
      path,
      /has the format 2, and this version of Paylink reads the format 1: upgrade .* to 7\.1\.0/,
    );
  });

  test('of a newer or an older schema, and says which side to upgrade', async () => {
    const newer = await forge(rig, file, header({ lastMigration: '9000_later', version: '7.1.0' }));
    await refuses(
      newer,
      /by Paylink 7\.1\.0 \(last migration 9000_later\), which is newer .*: upgrade here to that version/,
    );
    const older = await forge(rig, file, header({ lastMigration: '0020_earlier' }));
    await refuses(
      older,
      /which is older than this database .*: upgrade the installation that it comes from to 0\.0\.0/,
    );
  });

  test('whose tables have other columns', async () => {
    const path = await forge(rig, file, ({ header: { tables, ...rest }, rows }) => ({
      header: { ...rest, tables: tables.map((one) => (one.name === 'mails' ? { ...one, shape: 'x' } : one)) },
      rows,
    }));
    await refuses(
      path,
      /the tables here differ \(mails\): use the same version of Paylink in both installations/,
    );
  });

  test('with numbers of events that no installation can have reached', async () => {
    const path = await forge(rig, file, header({ number: '9000000000000000000' }));
    await refuses(
      path,
      /Events would get numbers from 9000000000000000000 on, and no installation can have come that far/,
    );
  });

  test('with a master key that is not in the settings', async () => {
    const keyring = await keyringOf(otherKey);
    await refuses(
      file,
      /was exported with the master key named \w{16}, .* set it as PAYLINK_OLD_MASTER_KEY/,
      {
        keyring,
      },
    );
  });

  test('with an email address that has an account in another company', async () => {
    const { db } = await emptyDatabase(rig);
    const company = { name: 'Other', country: 'DE', email: shop.merchant.email, password };
    await createCompany({ ...target.paylink.app.deps, db }, company);
    await assert.rejects(importHere(db, file), {
      name: 'OperatorError',
      message: new RegExp(
        `have an account of another company here: ${shop.merchant.email}\\. .*remove that member`,
      ),
    });
    assert.deepEqual(Object.values(await readRowsOf(db, companyId)).flat(), []);
  });
});

describe('an import finds in a file that somebody with the master key has changed', () => {
  const without = (table: string) => (parts: FileParts) => {
    const index = parts.rows.findIndex(([name]) => name === table);
    assert.notEqual(index, -1);
    return { ...parts, rows: parts.rows.toSpliced(index, 1) };
  };
  const edit = (table: string, change: (line: string) => string) => (parts: FileParts) => {
    const index = parts.rows.findIndex(([name]) => name === table);
    const [, line = ''] = parts.rows[index] ?? [];
    assert.notEqual(change(line), line, 'the edit changes the row');
    return { ...parts, rows: parts.rows.with(index, [table, change(line)]) };
  };

  test('a missing row', async () => {
    for (const table of ['mails', 'event_seals'])
      await refuses(
        await forge(rig, file, without(table)),
        new RegExp(`The rows of the table ${table} differ from the export .*Nothing was imported\\.$`),
      );
  });

  test('a changed ledger entry', async () => {
    const path = await forge(
      rig,
      file,
      edit('ledger_entries', (line) => line.replace(/,(\d+),EUR,/, ',1,EUR,')),
    );
    await refuses(path, /The rows of the table ledger_entries differ from the export/);
  });

  test('a row of another company', async () => {
    const foreign = target.paylink.merchant.companyId;
    for (const table of ['payments', 'ledger_entries'])
      await refuses(
        await forge(
          rig,
          file,
          edit(table, (line) => line.replace(companyId, foreign)),
        ),
        new RegExp(`^The file has rows of another company in ${table}\\. Nothing was imported\\.$`),
      );
  });

  test('rows of a table that is not exported', async () => {
    const path = await forge(rig, file, (parts) => ({
      ...parts,
      rows: [...parts.rows, ['schema_migrations', '(9999,planted,x,2026-01-01)']],
    }));
    await refuses(path, /rows of the unknown table schema_migrations/);
  });

  test('a ledger or a chain that is wrong, although its checksums agree', async () => {
    for (const [table, change, fault] of [
      [
        'ledger_entries',
        (line: string) => line.replace(/,(\d+),EUR,/, ',1,EUR,'),
        /has faults that the exported one/,
      ],
      [
        'events',
        (line: string) => line.replace('payment.created', 'payment.updated'),
        /has faults that the exported one/,
      ],
    ] as const) {
      const path = await forge(rig, file, edit(table, change));
      // The checksum that the changed rows have, as the first refusal names it.
      const found = await importHere(targetDb(), path).then(
        () => assert.fail('the import succeeded'),
        (error: Error) => /imported: \d+ rows, checksum (\d+)\)/.exec(error.message)?.[1],
      );
      assert.ok(found);
      const agreeing = await forge(rig, path, ({ header: { tables, ...rest }, rows }) => ({
        header: {
          ...rest,
          tables: tables.map((one) => (one.name === table ? { ...one, checksum: found } : one)),
        },
        rows,
      }));
      await refuses(agreeing, fault);
    }
  });
});

describe('an import refuses a database', () => {
  test('whose user does not inherit the rights of companies, with the statement to run', async () => {
    const { db, adminUrl, user } = await emptyDatabase(rig);
    await onServer(adminUrl, `alter role ${user} noinherit`);
    await assert.rejects(importHere(db, file), {
      name: 'OperatorError',
      message: new RegExp(`^The user ${user} does not inherit .* Run once: alter role ${user} inherit;$`),
    });
    await onServer(adminUrl, `alter role ${user} inherit`);
    await importHere(db, file);
    await assert.rejects(importHere(db, file), {
      name: 'OperatorError',
      message: `The company ${companyId} exists here already. Nothing was imported.`,
    });
  });
});

describe('an export refuses', () => {
  test('an unknown company, an existing file, and a folder that does not exist', async () => {
    const { db } = source.paylink.app.deps;
    const path = await newPath();
    await assert.rejects(
      exportHere(db, 'co_00000000', path),
      /There is no company co_00000000 in the database/,
    );
    assert.equal(existsSync(path), false);
    const before = await readFile(file);
    await assert.rejects(exportHere(db, companyId, file), /exists already: name another one/);
    assert.deepEqual(await readFile(file), before);
    await assert.rejects(exportHere(db, companyId, '/nowhere/x.company'), /cannot be written: ENOENT/);
  });

  test('and the commands say so in one sentence, with an exit code', async () => {
    const run = async (...args: string[]) => await home.run(source.settings, 'admin', 'company', ...args);
    const refused = await run('export', '--company', companyId, '--to', file);
    assert.equal(refused.code, 2);
    assert.match(refused.err, /exists already: name another one\.$/m);
    const other = await home.run(
      { ...target.settings, PAYLINK_MASTER_KEY: otherKey },
      ...['admin', 'company', 'import', '--from', file],
    );
    assert.equal(other.code, 2);
    assert.match(other.err, /The database was written with the master key named/);
    for (const { err } of [refused, other]) assert.doesNotMatch(err, /\n {4}at /);
  });
});

describe('a removal refuses', () => {
  test('the file of another company', async () => {
    const { db } = source.paylink.app.deps;
    await assert.rejects(removeHere(db, 'co_00000000', file), /has the company co_\w+, not co_00000000\.$/);
  });
});
