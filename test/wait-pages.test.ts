// The pages of a payment in progress: reloads must not use up the processor's rate limit.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { createLink } from './harness/client.ts';
import type { Paylink } from './harness/paylink.ts';
import { chooseMethod } from './harness/payment-methods.ts';
import {
  connectScriptedProcessor,
  createScriptedProcessor,
  startWithScriptedProcessor,
} from './harness/scripted-processor.ts';
import { visit } from './harness/visitor.ts';

const stub = createScriptedProcessor();
let paylink: Paylink;
let connectionId: string;
before(async () => {
  paylink = await startWithScriptedProcessor('server', stub);
  connectionId = await connectScriptedProcessor(paylink, paylink.merchant);
});
after(async () => await paylink.stop());

async function begin(): Promise<{ link: string; attemptId: string }> {
  const { link, code } = await createLink(paylink);
  await chooseMethod(await visit(link), connectionId);
  const [row] = await paylink.app.deps.db.asOwner.query<{ id: string }>(
    'select attempt_id as id from attempts join payments using (company_id, payment_id) where code = $1',
    [code],
  );
  stub.asked.length = 0;
  return { link, attemptId: String(row?.id) };
}

// So many visits that the limit cannot refill during them, unless they took minutes.
const visits = 60;
const most = 45;

test('reloads of a waiting page are not limited, but queries to the processor are', async () => {
  const { link, attemptId } = await begin();
  stub.outcomes.set(attemptId, { kind: 'processing', reference: 'desk-1' });
  await visit(`${link}/return`);
  for (let count = 0; count < visits; count++) {
    const response = await fetch(`${link}/wait`, { redirect: 'manual' });
    await response.text();
    assert.ok(response.status < 400);
  }
  assert.ok(stub.asked.length <= most, `asked ${stub.asked.length} times`);
});

for (const way of ['return', 'back'] as const)
  test(`repeated returns to “${way}” query the processor at a limited rate`, async () => {
    const { link, attemptId } = await begin();
    const path = way === 'back' ? `back/${attemptId}` : way;
    for (let count = 0; count < visits; count++) {
      const response = await fetch(`${link}/${path}`, { redirect: 'manual' });
      await response.text();
      assert.ok(response.status < 400);
    }
    assert.ok(stub.asked.length > 0);
    assert.ok(stub.asked.length <= most, `asked ${stub.asked.length} times`);
  });

test('queries about one attempt do not limit queries about another', async () => {
  const { link, attemptId } = await begin();
  stub.outcomes.set(attemptId, {
    ...{ kind: 'succeeded', reference: 'desk-2', amountMinor: 1999, currency: 'EUR' },
  });
  const response = await fetch(`${link}/return`, { redirect: 'manual' });
  assert.match(response.headers.get('location') ?? '', /status=paid/);
});
