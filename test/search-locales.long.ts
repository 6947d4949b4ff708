// Search finds the same payments in any case, and without accents, on every database, whatever its locale.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { type Credentials, call, type Json, logIn, orderOf, processPayment } from './harness/client.ts';
import { type Paylink, startPaylink } from './harness/paylink.ts';
import { fillWordsOf } from './harness/payment-words.ts';
import { createDatabase, type DatabaseLocale, type TestDatabase } from './harness/services.ts';

/** The stored text, the searched text, and whether they differ only in case, or else only in accents. */
const searches: readonly [written: string, searched: string, by: 'case' | 'accents'][] = [
  ['ÉT-1', 'ét-1', 'case'],
  ['été', 'ÉTÉ', 'case'],
  ['Çelik', 'ÇELIK', 'case'],
  ['ΟΔΟΣ', 'οδος', 'case'],
  ['ΟΔΟΣ', 'οδο', 'case'],
  ['οδός', 'ΟΔΌΣ', 'case'],
  ['Łódź', 'lodz', 'accents'],
  ['Юлия', 'юлИЯ', 'case'],
  ['Straße', 'STRAẞE', 'case'],
  ['Nguyễn-Юлия', 'NGUYỄN-юлия', 'case'],
  ['Արամ', 'ԱՐԱՄ', 'case'],
  ['\u{10400}', '\u{10428}', 'case'],
  ['title', 'TITLE', 'case'],
  ['Iz', 'iz', 'case'],
  ['ısı', 'isi', 'accents'],
  ['Äpfel', 'apfel', 'accents'],
];

const places: readonly ('embedded' | DatabaseLocale)[] = ['embedded', 'C', 'C.UTF-8', 'tr-TR by ICU'];
for (const place of places)
  describe(`search on ${place === 'embedded' ? 'the embedded database' : `a server whose database is ${place}`}`, () => {
    let database: TestDatabase | null = null;
    let paylink: Paylink;
    let owner: Credentials;
    before(async () => {
      database = place === 'embedded' ? null : await createDatabase({ locale: place });
      const settings = database ? { DATABASE_URL: database.url } : {};
      paylink = await startPaylink(database ? 'server' : 'embedded', { settings });
      owner = await logIn(paylink);
    });
    after(async () => {
      await paylink.stop();
      await database?.drop();
    });

    const find = async (query: Record<string, string>): Promise<unknown[]> => {
      const { body } = await call(paylink, owner, ['GET', `/v1/payments?${new URLSearchParams(query)}`]);
      return (body.data as Json[]).map(({ customerOrderId }) => customerOrderId);
    };

    test('names, order IDs and addresses are found in any case, and words without accents, too', async () => {
      const made: { written: string; searched: string; by: string; tail: string }[] = [];
      for (const [written, searched, by] of searches) {
        const tail = randomUUID();
        const customerOrderId = `${written} ${tail}`;
        const fields = { customerOrderId, lastName: written, email: `${written}@${tail}.example` };
        assert.equal((await processPayment(paylink, owner, orderOf(fields))).status, 200);
        made.push({ written, searched, by, tail });
      }
      await fillWordsOf(paylink.app.deps.db, paylink.merchant.companyId);
      for (const { written, searched, by, tail } of made) {
        const customerOrderId = `${written} ${tail}`;
        const isFound = by === 'case';
        const expected = isFound ? [customerOrderId] : [];
        const what = `${written} by ${searched}`;
        assert.ok((await find({ text: searched })).includes(customerOrderId), what);
        assert.equal(
          (await find({ customerOrderId: `${searched}*` })).includes(customerOrderId),
          isFound,
          what,
        );
        if (searched.length === written.length)
          assert.deepEqual(await find({ email: `${searched}@${tail}.example` }), expected, what);
      }
    });
  });
