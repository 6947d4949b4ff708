// The import of statements as a whole: many at once, one that breaks off, files that are refused, and whose
// lines they are. Nothing of a file is there unless all of it is.

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
import { counts, countsOf, openRig, type Rig } from './merchant-rig.ts';

const strangers = (count: number, amount = '1.00'): StatementEntry[] =>
  Array.from({ length: count }, (_, i) => ({ amount, text: `invoice-${i}` }));

/** The same database, on which the statement that contains `text` fails at its n-th run. */
function failingAt(db: Database, text: string, n: number): Database {
  let runs = 0;
  return {
    ...db,
    inTenant: async (companyId, work, options) =>
      await db.inTenant(
        companyId,
        async (tx) => {
          const query: typeof tx.query = async (statement, values) => {
            if (statement.includes(text)) runs += 1;
            if (runs === n) throw new Error('the connection is lost');
            return await tx.query(statement, values);
          };
          return await work({ ...tx, query });
        },
        options,
      ),
  };
}

const laughs = `<!DOCTYPE lolz [<!ENTITY a "ha">${[...'bcdefghij'].map((name, i) => `<!ENTITY ${name} "${`&${'abcdefghij'[i]};`.repeat(10)}">`).join('')}]>`;
const good = statementOf([{ amount: '1.00', text: 'x' }]);
const refused: readonly [what: string, body: string, code: string][] = [
  ['nothing', '', 'statement_refused'],
  ['no XML', 'amount;date\n1.00;today', 'statement_refused'],
  [
    'an entity',
    good
      .replace('<Document', '<!DOCTYPE d [<!ENTITY x SYSTEM "file:///etc/passwd">]><Document')
      .replace('>x<', '>&x;<'),
    'statement_refused',
  ],
  [
    'a billion laughs',
    good.replace('<Document', `${laughs}<Document`).replace('>x<', '>&j;<'),
    'statement_refused',
  ],
  ['another namespace', good.replace('camt.053.001.08', 'pain.001.001.09'), 'statement_refused'],
  ['a negative amount', good.replaceAll('>1.00<', '>-1.00<'), 'statement_refused'],
  ['half of a file', good.slice(0, -200), 'statement_refused'],
  [
    'good lines and then a bad one',
    statementOf([...strangers(1200), { amount: '1.0.0', text: 'x' }]),
    'statement_refused',
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

    for (const [what, body, code] of refused)
      test(`a file of ${what} is refused, with a sentence that says why, and nothing of it is there`, async () => {
        const before = await countRows();
        const answer = await sendFile(body);
        assert.deepEqual([answer.status, answer.body.code], [422, code], JSON.stringify(answer.body));
        assert.match(String(answer.body.detail), /\w+ .*\.$/);
        assert.deepEqual(await countRows(), before);
      });

    test('what is no XML by its type, or packed, is not taken; and neither is more than 100 MiB', async () => {
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
        // As long as a file may be, and a byte.
        body: new Blob([Buffer.alloc(100 * 1024 * 1024, 0x20), 'x']),
      }).catch(() => null);
      // A server that answers before it has read everything may lose the answer to the sender.
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

    test('files that overlap, sent at once and in other orders, count each booking once', async () => {
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

    test('an import that breaks off in the middle leaves nothing, and the next one has everything', async () => {
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

    test('a file that comes in a stream of several megabytes is imported to its last line', async () => {
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

    test('a reference of another company is none, and the same file is everybody’s own', async () => {
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

    test('a live payment knows nothing of a statement that was imported in test mode', async () => {
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

    test('who sends a file again under the same Idempotency-Key is answered the same', async () => {
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
