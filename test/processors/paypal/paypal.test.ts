// PayPal's adapter against the fake PayPal: what is PayPal's own, and the contract suite cannot show. What every
// processor has to keep is in ../contract.ts.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Outcome, Processor } from '../../../src/processors/processor.ts';
import { newRequest, withReference } from '../kit/rig.ts';
import { type PaypalRig, startPaypalRig } from './paypal-rig.ts';

let rig: PaypalRig;
let paypal: Processor;
const signal = AbortSignal.timeout(120_000);

before(async () => {
  rig = await startPaypalRig();
  paypal = rig.kind.connect(rig.connection);
});
after(async () => await rig.stop());

async function begin() {
  const request = newRequest(rig, rig.connection);
  const outcome = await paypal.authorise(request, signal);
  assert.equal(outcome.kind, 'requires_action');
  const { url } = outcome as Extract<Outcome, { kind: 'requires_action' }>;
  return { request: withReference(request, outcome), url };
}

test('smoke', async () => {
  const { request, url } = await begin();
  console.log(await rig.customer.pay(url));
  console.log(await paypal.query(request, signal));
  console.log(await paypal.query({ ...request, processorReference: null }, signal));
  console.log(await paypal.capture(request, signal), await paypal.capture(request, signal));
  console.log(await paypal.cancel(request, signal));
  console.log(await rig.money());
  for (const notice of await rig.webhooks())
    console.log(await rig.kind.readNotice?.(rig.connection, { headers: notice.headers, body: Buffer.from(notice.body), now: rig.now() }, signal));
  console.log(await rig.kind.check(rig.connection, signal), JSON.stringify(await Promise.all(rig.badConnections.map((b) => rig.kind.check(b.connection, signal)))));
  console.log(await paypal.list({ companyId: request.companyId, from: new Date(rig.now().getTime() - 60000), until: new Date(rig.now().getTime() + 60000), cursor: null }, signal));
});
