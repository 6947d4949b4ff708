// Messages come in any order, some twice. A receiver that goes by the version of the payment ends where the
// payment is, whatever the order; one that goes by what came last does not, which shows that the test can fail.

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
  // What the payment refuses in its state is part of the walk.
  if (act === 'decline') await payWith(link, { number: '4000000000000127' }).catch(() => undefined);
  if (act === 'pay') await payWith(link, { number: '4242424242424242' }).catch(() => undefined);
  if (act === 'refund') await call(paylink, credentials, ['POST', `${path}/refunds`], { amount: 3 });
  if (act === 'change') await call(paylink, credentials, ['PATCH', path], { metadata: { shelf: '7' } });
  if (act === 'cancel') await call(paylink, credentials, ['POST', `${path}/cancel`]);
}

/** The messages of a payment's public events, as they are written when they are sent now. */
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
      { baseUrl },
    );
    return [...bodies.values()].map(
      (body) => (JSON.parse(body) as { data: { payment: ReceivedVersion } }).data.payment,
    );
  });
}

/** Where a receiver ends who heeds the version, or, as a plant, does not. */
function apply(messages: readonly ReceivedVersion[], heedsVersion: boolean): Shown | null {
  let known: ReceivedVersion | null = null;
  for (const told of messages) if (!heedsVersion || !known || told.version > known.version) known = told;
  return known && { status: known.status, refundedAmount: known.refundedAmount };
}

/** Walks a payment, and gives each event as some message of its own time and as one of the end of the walk, or of its time alone. */
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

test('a receiver that goes by the version ends where the payment is, whatever the order', async () => {
  let misled = 0;
  await fc.assert(
    fc.asyncProperty(walks, fc.boolean(), fc.infiniteStream(fc.nat()), async (steps, isSentAgain, dice) => {
      const { messages, end } = await walk(steps, isSentAgain);
      for (let order = 0; order < 50; order++) {
        const shuffled = messages
          .map((told) => ({ told, at: Number(dice.next().value) }))
          .sort((a, b) => a.at - b.at)
          .map(({ told }) => told);
        assert.deepEqual(apply(shuffled, true), end);
        const careless = apply(shuffled, false);
        if (careless?.status !== end.status || careless.refundedAmount !== end.refundedAmount) misled += 1;
      }
    }),
    { numRuns: 12 },
  );
  assert.ok(misled > 0, 'going by what came last goes wrong');
});
