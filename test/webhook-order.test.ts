// Messages arrive in any order, some twice. A receiver that compares versions ends with the status of the payment. One that
// uses the last message does not, which proves that the test can fail.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { writeMessages } from '../src/webhooks/message.ts';
import { type Credentials, call, createLinkAs, type Json, logIn } from './harness/client.ts';
import { type Paylink, startPaylink } from './harness/paylink.ts';
import { payWith } from './harness/visitor.ts';

let paylink: Paylink;
let credentials: Credentials;
before(async () => {
  paylink = await startPaylink('server');
  credentials = await logIn(paylink);
});
after(async () => await paylink.stop());

type Shown = { status: string; refundedAmount: number };
type ReceivedVersion = Shown & { version: number };

const acts = ['decline', 'pay', 'refund', 'change', 'cancel'] as const;
type Act = (typeof acts)[number];

async function perform(act: Act, { link, code }: { link: string; code: string }): Promise<void> {
  const path = `/v1/payments/${code}`;
  // A step may be refused in the current status.
  if (act === 'decline') await payWith(link, { number: '4000000000000127' }).catch(() => undefined);
  if (act === 'pay') await payWith(link, { number: '4242424242424242' }).catch(() => undefined);
  if (act === 'refund') await call(paylink, credentials, ['POST', `${path}/refunds`], { amount: 3 });
  if (act === 'change') await call(paylink, credentials, ['PATCH', path], { metadata: { shelf: '7' } });
  if (act === 'cancel') await call(paylink, credentials, ['POST', `${path}/cancel`]);
}

/** The messages of a payment's public events, as sent now. */
async function writeAll(code: string): Promise<ReceivedVersion[]> {
  const { db, baseUrl } = paylink.app.deps;
  return await db.inTenant({ companyId: credentials.companyId, mode: 'test' }, async (tx) => {
    const events = await tx.query<{ eventId: string }>(
      `select event_id as "eventId" from events join payments using (company_id, payment_id)
       where code = $1 and is_public order by event_id`,
      [code],
    );
    const bodies = await writeMessages(
      tx,
      events.map(({ eventId }) => eventId),
      { baseUrl, apiVersion: null },
    );
    return [...bodies.values()].map(
      (body) => (JSON.parse(body) as { data: { payment: ReceivedVersion } }).data.payment,
    );
  });
}

/** The final status at a receiver that compares versions, or, as a planted fault, does not. */
function apply(messages: readonly ReceivedVersion[], comparesVersions: boolean): Shown | null {
  let known: ReceivedVersion | null = null;
  for (const message of messages)
    if (!comparesVersions || !known || message.version > known.version) known = message;
  return known && { status: known.status, refundedAmount: known.refundedAmount };
}

/** Walks a payment. Returns each event's messages at its time and at the end of the walk. */
async function walk(
  steps: readonly Act[],
  isSentAgain: boolean,
): Promise<{ messages: ReceivedVersion[]; end: Shown }> {
  const made = await createLinkAs(paylink, credentials, { amount: 10 });
  const messages: ReceivedVersion[] = await writeAll(made.code);
  let known = messages.length;
  for (const act of steps) {
    await perform(act, made);
    const now = await writeAll(made.code);
    messages.push(...(isSentAgain ? now : now.slice(known)));
    known = now.length;
  }
  const { body } = await call(paylink, credentials, ['GET', `/v1/payments/${made.code}`]);
  const { status, refundedAmount } = body as Json & Shown;
  return { messages, end: { status, refundedAmount } };
}

const walks = fc.array(fc.constantFrom(...acts), { minLength: 1, maxLength: 4 });

test('a receiver that compares versions ends with the status of the payment, in any order', async () => {
  let misled = 0;
  await fc.assert(
    fc.asyncProperty(walks, fc.boolean(), fc.infiniteStream(fc.nat()), async (steps, isSentAgain, random) => {
      const { messages, end } = await walk(steps, isSentAgain);
      for (let order = 0; order < 50; order++) {
        const shuffled = messages
          .map((message) => ({ message, at: Number(random.next().value) }))
          .sort((a, b) => a.at - b.at)
          .map(({ message }) => message);
        assert.deepEqual(apply(shuffled, true), end);
        const careless = apply(shuffled, false);
        if (careless?.status !== end.status || careless.refundedAmount !== end.refundedAmount) misled += 1;
      }
    }),
    { numRuns: 12 },
  );
  assert.ok(misled > 0, 'using the last message fails');
});
