// A failure that Stripe stored for an attempt's key is repeated for a day, and must not block the payment meanwhile.

import assert from 'node:assert/strict';
import { afterEach, beforeEach, test } from 'node:test';
import type { Processor } from '../../../src/processors/processor.ts';
import { newRequest } from '../kit/rig.ts';
import { type StripeRig, sessionsOf, startStripe } from './stripe-rig.ts';

let rig: StripeRig;
let stripe: Processor;
beforeEach(async () => {
  rig = await startStripe();
  stripe = rig.kind.connect(rig.connection);
});
afterEach(async () => await rig.stop());

const soon = () => AbortSignal.timeout(30_000);
const attempt = () => newRequest(rig, rig.connection);

test('an attempt whose key has a stored 500 and no session is cancelled at once, and cannot be paid', async () => {
  await rig.command({ failsSession: 'before' });
  const request = attempt();
  await assert.rejects(stripe.authorise(request, soon()), /failed with status 500$/);
  await assert.rejects(stripe.authorise(request, soon()), /by its stored response/);
  assert.equal(await stripe.query(request, soon()), null);
  assert.deepEqual(await stripe.cancel(request, soon()), { kind: 'void' });
  await assert.rejects(stripe.authorise(request, soon()), /by its stored response/);
  assert.equal((await sessionsOf(rig, request)).size, 0);
});

test('a session created despite a stored 500 is found, and expired on cancel', async () => {
  await rig.command({ failsSession: 'after' });
  const request = attempt();
  await assert.rejects(stripe.authorise(request, soon()), /failed with status 500$/);
  const current = await stripe.query(request, soon());
  assert.equal(current?.kind, 'requires_action');
  assert.deepEqual(await stripe.cancel(request, soon()), { kind: 'void' });
  assert.equal((await sessionsOf(rig, request)).size, 1);
});
