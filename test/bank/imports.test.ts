// Importing statements: concurrent and interrupted imports, refused files, and tenant isolation. An import is all or
// nothing.

import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { after, before, describe, test } from 'node:test';
import { importStatement } from '../../src/bank/import-statement.ts';
import { spoolUpload } from '../../src/bank/spool.ts';
import type { Database } from '../../src/db/database.ts';
import {
  chooseTransfer,
  connectBank,
  type StatementEntry,
  sendStatement,
  statementOf,
  writeStatement,
} from '../harness/bank.ts';
import { createLinkAs, credentialHeaders, type Json, logIn } from '../harness/client.ts';
import { engines } from '../harness/paylink.ts';
import { counts, countsOf, interceptStatements, openRig, type Rig } from './merchant-rig.ts';

const strangers = (count: number, amount = '1.00'): StatementEntry[] =>
  Array.from({ length: count }, (_, i) => ({ amount, text: `invoice-${i}` }));

/** A database on which the n-th statement that contains `text` fails. */
function failingAt(db: Database, text: string, n: number): Database {
  let runs = 0;
  return interceptStatements(db, (statement) => {
    if (statement.includes(text)) runs += 1;
    if (runs === n) throw new Error('the connection is lost');
  });
}

const laughs = `<!DOCTYPE lolz [<!ENTITY a "ha">${[...'bcdefghij'].map((name, i) => `<!ENTITY ${name} "${`&${'abcdefghij'[i]};`.repeat(10)}">`).join('')}]>`;
const good = statementOf([{ amount: '1.00', text: 'x' }]);
const refused: readonly [what: string, body: string][] = [
  ['no bytes', ''],
  ['no XML', 'amount;date\n1.00;today'],
  [
    'an entity',
    good
      .replace('<Document', '<!DOCTYPE d [<!ENTITY x SYSTEM "file:///etc/passwd">]><Document')
      .replace('>x<', '>&x;<'),
  ],
  ['a billion laughs', good.replace('<Document', `${laughs}<Document`).replace('>x<', '>&j;<')],
  ['another namespace', good.replace('camt.053.001.08', 'pain.001.001.09')],
  ['a negative amount', good.replaceAll('>1.00<', '>-1.00<')],
  ['a truncated XML message', good.slice(0, -200)],
  [
    'valid lines followed by an invalid one',
    statementOf([...strangers(1200), { amount: '1.0.0', text: 'x' }]),
  ],
];

for (const engine of engines) {
  describe(`importing statements on the ${engine} database`, () => {
    let rig: Rig;
    before(async () => {
      rig = await openRig(engine);
    });
    after(async () => {
      await rig.checkBooks();
      await rig.stop();
    });
    const countRows = async () => {
      const { query } = rig.paylink.app.deps.db.asOwner;
      const [row] = await query<{ statements: number; lines: number }>(
        'select (select count(*) from bank_statements) as statements, (select count(*) from bank_lines) as lines',
      );
      return row;
    };
    const sendFile = async (body: string | ReadableStream, headers: Record<string, string> = {}) =>
      await sendStatement(rig.paylink, rig.credentials(), body, headers);

    for (const [what, body] of refused)
      test(`a file with ${what} is refused with the reason, and nothing is imported`, async () => {
        const before = await countRows();
        const answer = await sendFile(body);
        assert.deepEqual(
          [answer.status, answer.body.code],
          [422, 'statement_refused'],
          JSON.stringify(answer.body),
        );
        assert.match(String(answer.body.detail), /\w+ .*\.$/);
        assert.deepEqual(await countRows(), before);
      });

    test('other content types, compressed bodies and more than 100 MiB are refused', async () => {
      const { baseUrl } = rig.paylink;
      const headers = credentialHeaders(rig.credentials());
      const asJson = await fetch(`${baseUrl}/v1/bank-statements`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/json' },
        body: '{}',
      });
      assert.equal(asJson.status, 415);
      assert.equal((await sendFile(good, { 'content-encoding': 'gzip' })).status, 415);
      const announced = await fetch(`${baseUrl}/v1/bank-statements`, {
        method: 'POST',
        headers: { ...headers, 'content-type': 'application/xml' },
        // One byte more than the limit.
        body: new Blob([Buffer.alloc(100 * 1024 * 1024, 0x20), 'x']),
      }).catch(() => null);
      // The client may not receive a response that is sent before its request is complete.
      if (announced) assert.equal(announced.status, 413);
    });

    test('the same file sent many times at once is imported once', async () => {
      const ordered = await rig.order(70);
      const file = statementOf([{ amount: '70.00', text: ordered.reference }, ...strangers(600)]);
      const answers = await Promise.all(Array.from({ length: 5 }, async () => await sendFile(file)));
      assert.deepEqual(
        answers.map(({ status }) => status),
        [200, 200, 200, 200, 200],
      );
      assert.equal(new Set(answers.map(({ body }) => body.id)).size, 1);
      assert.equal(answers.filter(({ body }) => body.isNew).length, 1);
      const statement = await rig.untilMatched(answers[0]?.body ?? {});
      assert.deepEqual(countsOf(statement), counts({ matched: 1, waiting: 600 }));
      assert.equal(await rig.statusOf(ordered), 'paid');
      assert.deepEqual(await rig.refundsOf(ordered), []);
    });

    test('overlapping files, sent concurrently and in different orders, count each line once', async () => {
      const ordered = await rig.order(71);
      const shared: StatementEntry[] = Array.from({ length: 30 }, (_, i) => ({
        amount: '3.00',
        bankReference: `SHARED-${engine}-${i}`,
        text: 'rent',
      }));
      const paid: StatementEntry = {
        amount: '71.00',
        text: ordered.reference,
        bankReference: `PAID-${engine}`,
      };
      const files = [
        [...shared, paid],
        [paid, ...shared.toReversed()],
        [...shared.slice(10), paid, ...shared.slice(0, 10)],
      ].map((lines) => statementOf(lines));
      const answers = await Promise.all(files.map(async (file) => await sendFile(file)));
      const duplicates = answers.map(({ body }) => Number(body.duplicates)).sort((a, b) => a - b);
      assert.deepEqual(duplicates, [0, 31, 31]);
      for (const { body } of answers) await rig.untilMatched(body);
      assert.equal(await rig.statusOf(ordered), 'paid');
      assert.deepEqual(await rig.refundsOf(ordered), []);
    });

    test('an interrupted import leaves nothing, and the next one is complete', async () => {
      const { companyId } = rig.credentials();
      const text = statementOf(strangers(1300, '4.00'));
      const order = async () => ({
        companyId,
        mode: 'test' as const,
        statementId: `bst_test${engine}`,
        file: await spoolUpload(Readable.from([Buffer.from(text)])),
        createdBy: 'test',
      });
      const { deps } = rig.paylink.app;
      const before = await countRows();
      for (const [statement, n] of [
        ['insert into bank_lines', 2],
        ['insert into bank_statements', 1],
        ['insert into events', 1],
      ] as const) {
        const broken = { ...deps, db: failingAt(deps.db, statement, n) };
        await assert.rejects(importStatement(broken, await order()), /the connection is lost/);
        assert.deepEqual(await countRows(), before, statement);
      }
      const { statement, isNew } = await importStatement(deps, await order());
      assert.deepEqual([isNew, statement.lineCount, statement.duplicateCount], [true, 1300, 0]);
    });

    test('a streamed file of several megabytes is imported completely', async () => {
      const ordered = await rig.order(72);
      const lines = function* (): Iterable<StatementEntry> {
        yield* strangers(9000, '5.00');
        yield { amount: '72.00', text: ordered.reference };
      };
      const file = ReadableStream.from(
        (function* () {
          for (const piece of writeStatement(lines())) yield Buffer.from(piece);
        })(),
      );
      const answer = await sendFile(file);
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
      assert.ok(Number(answer.body.bytes) > 5_000_000, `${answer.body.bytes} bytes`);
      assert.deepEqual([answer.body.lines, answer.body.duplicates], [9001, 0]);
      await rig.untilMatched(answer.body);
      assert.equal(await rig.statusOf(ordered), 'paid');
    });

    test('a reference of another company is unknown, and each company can import the same file', async () => {
      const ordered = await rig.order(73);
      const other = await logIn(rig.paylink, await rig.paylink.createMerchant());
      await connectBank(rig.paylink, other);
      const { code } = await createLinkAs(rig.paylink, other, { amount: 74 });
      const theirs = await chooseTransfer(rig.paylink, other.companyId, code);
      const file = statementOf([
        { amount: '73.00', text: ordered.reference },
        { amount: '74.00', text: theirs.reference },
      ]);
      const answer = await sendStatement(rig.paylink, other, file);
      assert.deepEqual(countsOf(answer.body), counts({ matched: 1, waiting: 1 }));
      assert.equal(await rig.statusOf(ordered), 'processing');
      const own = await sendFile(file);
      assert.equal(own.body.isNew, true);
      assert.deepEqual(countsOf(own.body), counts({ matched: 1, waiting: 1 }));
      assert.equal(await rig.statusOf(ordered), 'paid');
      const foreign = await rig.get(`/v1/bank-statements/${answer.body.id}`);
      assert.equal(foreign.code, 'not_found');
    });

    test('a statement imported in test mode does not affect live payments', async () => {
      const { companyId } = rig.credentials();
      const { db } = rig.paylink.app.deps;
      const ordered = await rig.order(75);
      await db.asOwner.query(
        `update bank_transfers set mode = 'live' where company_id = $1 and attempt_id = $2`,
        [companyId, ordered.attemptId],
      );
      const statement = await rig.send({ amount: '75.00', text: ordered.reference });
      assert.deepEqual(await rig.reasonsOf(statement), ['unknown_reference']);
      assert.equal(await rig.statusOf(ordered), 'processing');
    });

    test('a repeated Idempotency-Key replays the response of an import', async () => {
      const file = statementOf(strangers(1, '6.00'));
      const headers = { 'idempotency-key': `statement-${engine}` };
      const first = await sendFile(file, headers);
      const again = await sendFile(file, headers);
      assert.equal(again.headers.get('idempotent-replayed'), 'true');
      assert.deepEqual(again.body, first.body);
      const other = await sendFile(statementOf(strangers(2, '6.00')), headers);
      assert.deepEqual([other.status, (other.body as Json).code], [422, 'idempotency_key_reused']);
    });
  });
}
