// Requests to email an undeliverable address are refused.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { call, createLinkAs, logIn } from './harness/client.ts';
import { startPaylink } from './harness/paylink.ts';

test('a request to email a link to an undeliverable address is refused', async () => {
  const paylink = await startPaylink('server');
  try {
    const owner = await logIn(paylink);
    const send = async (email: string) => {
      const { code } = await createLinkAs(paylink, owner, { email });
      return await call(paylink, owner, ['POST', `/v1/payments/${code}/send`]);
    };
    for (const email of ['"Ada"@example.com', 'a,b@example.com', `${'a'.repeat(65)}@example.com`]) {
      const { status, body } = await send(email);
      assert.deepEqual([status, body.code], [422, 'email_not_deliverable'], email);
    }
    const mails = await paylink.app.deps.db.asOwner.query('select 1 from mails');
    assert.deepEqual(mails, []);
    assert.equal((await send('ada@example.com')).status, 200);
  } finally {
    await paylink.stop();
  }
});
