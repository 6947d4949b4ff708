import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { after, before, test } from 'node:test';
import {
  createCleaner,
  createEmpty,
  createTemplate,
  notesMigration,
  runOnServer,
  serverUrl,
  sqlState,
  writeMigrations,
} from '../../test/harness/engines.ts';
import { type Database, openDatabase } from './database.ts';
import type { Sql } from './engine.ts';
import { migrate } from './migrate.ts';
import { createMessageFramer, queryMessage } from './wire-stream.ts';

const cleaner = createCleaner();
after(() => cleaner.clean());

const open = (databaseUrl: string) => openDatabase({ databaseUrl, dataDir: 'unused', log: () => undefined });

function frame(type: string, ...parts: (string | number[])[]): Buffer {
  const body = Buffer.concat(parts.map((part) => Buffer.from(part as string)));
  const header = Buffer.alloc(5);
  header.write(type);
  header.writeInt32BE(body.length + 4, 1);
  return Buffer.concat([header, body]);
}

const short = (value: number) => [value >> 8, value & 255];
const long = (value: number) => [value >>> 24, (value >> 16) & 255, (value >> 8) & 255, value & 255];

type Speaker = {
  isSilent: boolean;
  /** What it sends right after ReadyForQuery on a new connection, in the same packet. */
  afterthought?: Buffer;
};

/** The types of the columns that the service reads at start and in a ping: bool and int4; the others are text. */
const typeIds: Readonly<Record<string, number>> = { isReadOnly: 16, wantsEntry: 16, version: 23 };

/** The response to a query with one row. */
function rowResponse(row: Record<string, string>): Buffer[] {
  const names = Object.keys(row).flatMap((name) => [
    `${name}\0`,
    long(0),
    short(0),
    long(typeIds[name] ?? 25),
    short(0),
    long(0),
    short(0),
  ]);
  const values = Object.values(row).flatMap((value) => [long(value.length), value]);
  const count = short(Object.keys(row).length);
  return [
    frame('T', count, ...names),
    frame('D', count, ...values),
    frame('C', 'SELECT 1\0'),
    frame('Z', 'I'),
  ];
}

/** A fake PostgreSQL server: it commits, accepts writes, and returns this row for every other query. */
async function startSpeaker(
  row: Record<string, string>,
  speaker: Speaker = { isSilent: false },
): Promise<string> {
  const ready = frame('Z', 'I');
  const response = rowResponse(row);
  const pingResponse = rowResponse({ isReadOnly: 'f', wantsEntry: 'f' });
  const commit = queryMessage('commit');
  const committed = [frame('C', 'COMMIT\0'), ready];
  const responseTo = (bytes: Buffer) => {
    if (bytes.equals(commit)) return committed;
    return bytes.includes('transaction_read_only') ? pingResponse : response;
  };
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    const framer = createMessageFramer();
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.on('data', (chunk) => {
      for (const { kind, bytes } of framer.push(chunk)) {
        if (kind === 'startup')
          socket.write(Buffer.concat([frame('R', long(0)), ready, speaker.afterthought ?? Buffer.alloc(0)]));
        else if (kind === 'terminate') socket.end();
        else if (!speaker.isSilent) socket.write(Buffer.concat(responseTo(bytes)));
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  cleaner.add(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  assert.ok(address && typeof address === 'object');
  return `postgresql://someone:hidden@127.0.0.1:${address.port}/paylink`;
}

const good = { version: '150000', versionText: '15.0', fsync: 'on', synchronousCommit: 'on' };

test('a server older than PostgreSQL 15 is rejected in one sentence', async () => {
  const url = await startSpeaker({ ...good, version: '140012', versionText: '14.12' });
  await assert.rejects(open(url), {
    message: 'The database server is PostgreSQL 14.12, and Paylink needs PostgreSQL 15 or newer.',
  });
});

test('the durability of commits is reported', async () => {
  const cases: [object, RegExp][] = [
    [{}, /^every commit is flushed to disk by the server/],
    [{ fsync: 'off' }, /^commits may be lost at a power failure: the server runs with fsync = off$/],
    [{ synchronousCommit: 'off' }, /^commits may be lost .* synchronous_commit = off$/],
  ];
  for (const [settings, expected] of cases) {
    const db = await open(await startSpeaker({ ...good, ...settings }));
    assert.match(db.durability, expected);
    await db.close();
  }
});

test('an unreachable address is reported in one sentence without the password', async () => {
  const addresses = [
    'postgresql://someone:hidden@127.0.0.1:1/paylink',
    'postgresql://someone:hid den@:::/paylink',
    'postgresql://someone:hidden@[::1]:1/paylink',
  ];
  for (const address of addresses) {
    await assert.rejects(open(address), (error: Error) => {
      assert.match(error.message, /^The database of DATABASE_URL cannot be reached: .*\.$/);
      assert.ok(!/hid ?den/.test(JSON.stringify([error.message, error.stack, error.cause, { ...error }])));
      return true;
    });
  }
});

test('the ping fails after 2 seconds without a response', async () => {
  const speaker = { isSilent: false };
  const db = await open(await startSpeaker(good, speaker));
  await db.ping();
  speaker.isSilent = true;
  const start = performance.now();
  await assert.rejects(db.ping(), /no answer within 2000 ms|timeout/);
  // Only a guard against hanging: a busy machine is slow.
  assert.ok(performance.now() - start < 30_000);
  await db.close();
});

test('a server that does not send its version is reported after 5 seconds', async () => {
  const opening = open(await startSpeaker(good, { isSilent: true }));
  await assert.rejects(
    opening,
    /^OperatorError: The database of DATABASE_URL cannot be reached: Query read timeout\.$/,
  );
});

test('a connection that becomes ready and ends at once fails its use, not the process', async () => {
  const speaker: Speaker = { isSilent: false };
  const db = await open(await startSpeaker(good, speaker));
  const parts = ['SFATAL\0', 'VFATAL\0', 'C57P01\0', 'Mterminating connection\0', '\0'];
  speaker.afterthought = frame('E', ...parts);
  // The pool has one connection already; the others are opened now.
  const asked = Array.from({ length: 3 }, async () => await db.asOwner.query('select 1'));
  const ends = await Promise.allSettled(asked);
  const reasons = ends.flatMap((end) => (end.status === 'rejected' ? [String(end.reason)] : []));
  assert.equal(reasons.length, 2);
  for (const reason of reasons) assert.match(reason, /not queryable/);
  await db.close();
});

const socketTable = '/proc/net/tcp';
// Only Linux shows the keep-alive timer of a socket: here, in hundredths of a second until the probe.
if (existsSync(socketTable))
  test('an idle connection is probed after 10 seconds', async () => {
    const url = await startSpeaker(good);
    const db = await open(url);
    const port = Number(new URL(url).port).toString(16).toUpperCase().padStart(4, '0');
    const ours = new RegExp(`^ *\\d+: \\S+ \\S+:${port} 01 \\S+ 02:([0-9A-F]{8})`, 'm');
    const dueIn = ours.exec(readFileSync(socketTable, 'utf8'))?.[1];
    assert.ok(dueIn && Number.parseInt(dueIn, 16) <= 1_000, `the timer says ${dueIn}`);
    await db.close();
  });

if (serverUrl) {
  let db: Database;
  let databaseUrl: string;
  before(async () => {
    const options = await createEmpty('server', cleaner, createTemplate(cleaner));
    databaseUrl = options.databaseUrl ?? '';
    db = await openDatabase(options);
    cleaner.add(() => db.close());
    const dir = await writeMigrations(cleaner, { '0001_rooms.sql': notesMigration });
    await migrate(db, { dir, log: () => undefined });
  });

  /** Ends the session of a transaction from another one, and uses it. */
  async function endSession(tx: Sql): Promise<void> {
    const [row] = await tx.query<{ pid: number }>('select pg_backend_pid() as pid');
    await runOnServer(`select pg_terminate_backend(${row?.pid}, 5000)`);
    await tx.query('select 1');
  }

  test('server: a connection that drops in a transaction fails it, and the next one works', async () => {
    const work = db.inCompany('co_dropped', async (tx) => {
      await tx.query('insert into notes values ($1, 1)', [tx.companyId]);
      await endSession(tx);
    });
    await assert.rejects(work, /terminating connection|Connection terminated|connection is lost/);
    const unseen = db.inCompany('co_dropped', async (tx) => {
      await endSession(tx).catch(() => undefined);
    });
    await assert.rejects(unseen, /nothing was committed|connection is lost/);
    assert.deepEqual(await db.inCompany('co_dropped', (tx) => tx.query('select * from notes')), []);
  });

  test('server: two deadlocked transactions both succeed', async () => {
    const companyId = 'co_deadlock';
    await db.inCompany(companyId, (tx) =>
      tx.query("insert into notes values ($1, 1, ''), ($1, 2, '')", [companyId]),
    );
    let arrived = 0;
    let meet: () => void = () => undefined;
    const met = new Promise<void>((resolve) => {
      meet = resolve;
    });
    let runs = 0;
    const write = (order: number[]) =>
      db.inCompany(companyId, async (tx) => {
        runs++;
        for (const noteId of order) {
          await tx.query(`update notes set body = body || 'x' where note_id = $1`, [noteId]);
          if (++arrived === 2) meet();
          await met;
        }
      });
    await Promise.all([write([1, 2]), write([2, 1])]);
    assert.ok(runs > 2, 'they never locked each other');
    const rows = await db.inCompany(companyId, (tx) => tx.query('select body from notes'));
    assert.deepEqual(rows, [{ body: 'xx' }, { body: 'xx' }]);
  });

  test('server: a statement sent behind a failed begin writes nothing', async () => {
    const stranger = `paylink_stranger_${randomBytes(6).toString('hex')}`;
    // It may write the table, but not become the tenant.
    await runOnServer(`create role ${stranger} login; grant all on notes to ${stranger}`, databaseUrl);
    const url = new URL(databaseUrl);
    url.username = stranger;
    const strange = await open(url.href);
    const work = strange.inCompany('co_strange', (tx) =>
      tx.query('insert into notes values ($1, 1)', ['co_strange']),
    );
    await assert.rejects(work, sqlState('42501'));
    await strange.close();
    const [count] = await db.inCompany('co_strange', (tx) => tx.query('select count(*) as notes from notes'));
    assert.deepEqual(count, { notes: 0 });
    await runOnServer(`drop owned by ${stranger}; drop role ${stranger}`, databaseUrl);
  });
}
