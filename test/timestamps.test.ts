// Every field and filter with a timestamp: exact or rejected, never truncated to milliseconds.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import {
  type Answer,
  type Credentials,
  call,
  createLink,
  type Json,
  logIn,
  orderOf,
} from './harness/client.ts';
import { type Paylink, startPaylink } from './harness/paylink.ts';
import { loopbackSettings } from './harness/webhook-endpoints.ts';

let paylink: Paylink;
let owner: Credentials;
let endpointId: string;
let code: string;
before(async () => {
  paylink = await startPaylink('server', { settings: loopbackSettings });
  owner = await logIn(paylink);
  ({ code } = await createLink(paylink));
  const endpoint = { url: 'http://127.0.0.1:1029/', events: ['*'] };
  endpointId = String((await call(paylink, owner, ['POST', '/v1/webhook-endpoints'], endpoint)).body.id);
});
after(async () => await paylink.stop());

type Use = { field: string; ask: (moment: string) => Promise<Answer> };

const filter = (path: string, field: string): Use => ({
  field,
  ask: async (moment) => await call(paylink, owner, ['GET', `${path}?${field}=${moment}`]),
});
const uses: Use[] = [
  filter('/v1/payments', 'createdFrom'),
  filter('/v1/payments', 'createdTo'),
  filter('/v1/ledger/entries', 'from'),
  filter('/v1/ledger/entries', 'to'),
  filter('/v1/audit-events', 'from'),
  filter('/v1/audit-events', 'to'),
  {
    field: 'expiresAt',
    ask: async (expiresAt) =>
      await call(paylink, owner, ['POST', '/v1/payment/process'], {
        ...orderOf({ customerOrderId: randomUUID() }),
        expiresAt,
      }),
  },
  {
    field: 'expiresAt',
    ask: async (expiresAt) => await call(paylink, owner, ['PATCH', `/v1/payments/${code}`], { expiresAt }),
  },
  {
    field: 'since',
    ask: async (since) =>
      await call(paylink, owner, ['POST', `/v1/webhook-endpoints/${endpointId}/resend`], { since }),
  },
];

/** Tomorrow, to the millisecond. */
const tomorrow = new Date(Date.now() + 24 * 3600_000).toISOString();
const withDigits = (digits: string) => tomorrow.replace('Z', `${digits}Z`);

test('a timestamp finer than a millisecond is a 422 with its field, in every field and filter', async () => {
  for (const { field, ask } of uses)
    for (const digits of ['0001', '9', '000000001', `${'0'.repeat(200)}1`]) {
      const { status, body } = await ask(withDigits(digits));
      const [fault] = body.errors as Json[];
      assert.deepEqual(
        [status, fault?.field, fault?.code],
        [422, field, 'too_precise'],
        `${field} ${digits}`,
      );
    }
});

test('any number of zeros after the milliseconds is accepted, in every field and filter', async () => {
  for (const { field, ask } of uses)
    for (const digits of ['', '0', '000000', '0'.repeat(300)])
      assert.equal((await ask(withDigits(digits))).status, 200, `${field} ${digits}`);
});
