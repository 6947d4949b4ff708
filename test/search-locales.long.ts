// Case-insensitive search finds the same payments on every database, whatever its locale.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { type Credentials, call, type Json, logIn, orderOf, processPayment } from './harness/client.ts';
import { type Paylink, startPaylink } from './harness/paylink.ts';
import { createDatabase, type DatabaseLocale, type TestDatabase } from './harness/services.ts';

/** The stored text, the searched text, and whether they differ only in case. */
const searches: readonly [written: string, searched: string, isFound: boolean][] = [
  ['ÉT-1', 'ét-1', true],
  ['été', 'ÉTÉ', true],
  ['Çelik', 'ÇELIK', true],
  ['ΟΔΟΣ', 'οδος', true],
  ['ΟΔΟΣ', 'οδο', true],
  ['οδός', 'ΟΔΌΣ', true],
  ['Юлия', 'юлИЯ', true],
  ['Straße', 'STRAẞE', true],
  ['Nguyễn-Юлия', 'NGUYỄN-юлия', true],
  ['Արամ', 'ԱՐԱՄ', true],
  ['\u{10400}', '\u{10428}', true],
  ['title', 'TITLE', true],
  ['Iz', 'iz', true],
  ['ısı', 'isi', false],
  ['Äpfel', 'apfel', false],
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

    test('names, order IDs and addresses are found in any case', async () => {
      for (const [written, searched, isFound] of searches) {
        const tail = randomUUID();
        const customerOrderId = `${written} ${tail}`;
        const fields = { customerOrderId, lastName: written, email: `${written}@${tail}.example` };
        assert.equal((await processPayment(paylink, owner, orderOf(fields))).status, 200);
        const expected = isFound ? [customerOrderId] : [];
        const what = `${written} by ${searched}`;
        assert.equal((await find({ text: searched })).includes(customerOrderId), isFound, what);
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
