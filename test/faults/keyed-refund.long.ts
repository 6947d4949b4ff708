// A refund with an Idempotency-Key, whose service is killed before the response is stored: the repeated request gets a
// response, and the money is refunded once.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Answer, type Credentials, credentialHeaders, post } from '../harness/client.ts';
import { guardMs } from '../harness/process.ts';
import { keyedRefundCrashPoints } from './crash-points.ts';
import { type FaultRig, openFaultRig } from './fault-rig.ts';
import { awaitDeath } from './processes.ts';

let rig: FaultRig;
before(async () => {
  rig = await openFaultRig();
});
after(async () => await rig.close());

/** Repeats a request until the service no longer reports another run in progress. */
async function sendUntilAnswered(send: () => Promise<Answer>): Promise<Answer> {
  const startedAt = performance.now();
  for (;;) {
    const answer = await send();
    if (answer.body.code !== 'idempotency_in_progress') return answer;
    assert.ok(answer.headers.get('retry-after'), 'the response has Retry-After');
    assert.ok(performance.now() - startedAt < guardMs, 'the lease of a dead run ends');
    await sleep(200);
  }
}

for (const point of keyedRefundCrashPoints) {
  test(`${point}: the repeated request finds the refund of the killed process, and makes no second one`, async () => {
    const service = await rig.start({ crashAt: point, processorTimeoutMs: 20_000 });
    assert.ok(service);
    const credentials: Credentials = await rig.logIn();
    const link = await rig.createLink(credentials);
    assert.equal(await rig.payWell(link), 'paid');
    const headers = { ...credentialHeaders(credentials), 'idempotency-key': randomUUID() };
    const body = { amount: 5, expectedRemaining: 19.99 };
    const send = async () => await post(`${rig.baseUrl}/v1/payments/${link.code}/refunds`, body, headers);
    await assert.rejects(send, 'the connection is closed');
    await awaitDeath(service);
    await rig.makeDue();
    assert.ok(await rig.start());
    const answer = await sendUntilAnswered(send);
    assert.deepEqual([answer.status, answer.body.amount], [200, 5], JSON.stringify(answer.body));
    const again = await send();
    assert.equal(again.headers.get('idempotent-replayed'), 'true');
    assert.deepEqual(again.body, answer.body);
    await rig.settle();
    const rows = await rig.db.asOwner.query<{ id: string }>(
      `select refund_id as id from refunds join payments using (company_id, payment_id) where code = $1`,
      [link.code],
    );
    assert.deepEqual(rows, [{ id: answer.body.refundId }]);
    assert.deepEqual(await rig.findFaults(), []);
  });
}
