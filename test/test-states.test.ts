// The routes that bring a test payment into a state, and those that cause events.

import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { verifyChain } from '../src/events/verify-chain.ts';
import { verifyLedger } from '../src/ledger/verify-ledger.ts';
import { eventTypes } from '../src/webhooks/event-types.ts';
import { connectBank } from './harness/bank.ts';
import {
  type Credentials,
  call,
  createLinkAs,
  credentialHeaders,
  type Json,
  logIn,
  post,
} from './harness/client.ts';
import { sealAllOf } from './harness/database-fixture.ts';
import { logInLive } from './harness/modes.ts';
import { engines, type Merchant, type Paylink, startPaylink } from './harness/paylink.ts';
import { advance } from './harness/test-clocks.ts';

type Step = readonly [action: string, body?: Json];

/** How to get a payment into each state, and the state of the payment and of its refund afterwards. */
const ways: readonly { steps: readonly Step[]; ends: readonly [payment: string, refund?: string] }[] = [
  { steps: [], ends: ['open'] },
  { steps: [['open']], ends: ['open'] },
  { steps: [['pay']], ends: ['paid'] },
  { steps: [['decline']], ends: ['failed'] },
  { steps: [['decline', { declineCode: 'insufficient_funds' }]], ends: ['failed'] },
  { steps: [['decline', { declineCode: 'incorrect_csc' }]], ends: ['open'] },
  { steps: [['process']], ends: ['processing'] },
  { steps: [['process', { attemptStatus: 'requires_action' }]], ends: ['processing'] },
  { steps: [['process', { attemptStatus: 'unknown' }]], ends: ['processing'] },
  { steps: [['process'], ['settle']], ends: ['paid'] },
  { steps: [['process'], ['settle', { outcome: 'declined' }]], ends: ['failed'] },
  { steps: [['process', { attemptStatus: 'requires_action' }], ['settle']], ends: ['paid'] },
  { steps: [['process'], ['escalate']], ends: ['processing'] },
  { steps: [['expire']], ends: ['expired'] },
  { steps: [['expire'], ['request-link']], ends: ['expired'] },
  { steps: [['cancel']], ends: ['cancelled'] },
  { steps: [['pay'], ['refund']], ends: ['paid', 'succeeded'] },
  { steps: [['pay'], ['refund', { amount: 5 }], ['refund']], ends: ['paid', 'succeeded'] },
  { steps: [['pay'], ['refund', { outcome: 'failed' }]], ends: ['paid', 'failed'] },
  { steps: [['pay'], ['refund', { outcome: 'failed' }], ['refund']], ends: ['paid', 'succeeded'] },
  { steps: [['pay'], ['refund', { outcome: 'unknown' }]], ends: ['paid', 'unknown'] },
  { steps: [['pay'], ['refund', { outcome: 'unknown' }], ['settle']], ends: ['paid', 'succeeded'] },
  {
    steps: [['pay'], ['refund', { outcome: 'unknown' }], ['settle', { outcome: 'declined' }]],
    ends: ['paid', 'failed'],
  },
  { steps: [['transfer']], ends: ['paid'] },
  { steps: [['transfer', { amount: 5 }]], ends: ['processing'] },
  { steps: [['transfer', { amount: 5 }], ['transfer']], ends: ['paid'] },
];

for (const engine of engines)
  describe(`test states on the ${engine} database`, () => {
    let paylink: Paylink;
    let owner: Credentials;
    let merchant: Merchant;
    before(async () => {
      paylink = await startPaylink(engine);
      merchant = paylink.merchant;
      owner = await logIn(paylink);
      await connectBank(paylink, owner);
    });
    after(async () => await paylink.stop());

    const act = async (code: string, [action, body = {}]: Step, who = owner) =>
      await call(paylink, who, ['POST', `/v1/test/payments/${code}/${action}`], body);
    const cause = async (type: string, body: Json = {}, who = owner) =>
      await call(paylink, who, ['POST', `/v1/test/events/${type}`], body);

    for (const { steps, ends } of ways)
      test(`a payment is ${ends.join(' and its refund ')} after ${JSON.stringify(steps)}`, async () => {
        const { code } = await createLinkAs(paylink, owner);
        let last: Json = {
          payment: (await call(paylink, owner, ['GET', `/v1/payments/${code}`])).body,
          refund: null,
        };
        for (const step of steps) {
          const answer = await act(code, step);
          assert.equal(answer.status, 200, JSON.stringify(answer.body));
          last = answer.body;
        }
        const [payment, refund] = ends;
        assert.equal((last.payment as Json).status, payment);
        assert.equal((last.refund as Json | null)?.status, refund);
      });

    test('an overpayment is refunded', async () => {
      const { code } = await createLinkAs(paylink, owner);
      const { body } = await act(code, ['overpay']);
      assert.equal((body.refund as Json).kind, 'surplus');
    });

    test('an attempt or refund without an outcome becomes a case, and its case ends with it', async () => {
      const { code } = await createLinkAs(paylink, owner);
      await act(code, ['process']);
      await act(code, ['escalate']);
      const cases = async () =>
        ((await call(paylink, owner, ['GET', '/v1/cases'])).body.data as Json[]).filter(
          (one) => one.PaymentLinkCode === code,
        );
      assert.equal((await cases()).length, 1);
      await act(code, ['settle']);
      assert.equal((await cases()).length, 0);
    });

    test('every public event can be caused, is and is public', async () => {
      for (const type of Object.keys(eventTypes)) {
        const answer = await cause(type);
        assert.equal(answer.status, 200, `${type}: ${JSON.stringify(answer.body)}`);
        assert.equal(answer.body.type, type);
        const [listed] = await paylink.app.deps.db.asOwner.query<Json>(
          'select type, is_public from events where event_id = $1',
          [answer.body.eventId],
        );
        assert.deepEqual(listed, { type, is_public: true });
      }
      assert.deepEqual(Object.keys(eventTypes).length, 20);
    });

    test('every public event can be caused while the clock is moved, in the time of the company, and all records agree', async () => {
      const other = await paylink.createMerchant();
      const theirs = await logIn(paylink, other);
      await connectBank(paylink, theirs);
      await advance(paylink, theirs, 'P100D');
      for (const type of Object.keys(eventTypes)) {
        const answer = await cause(type, {}, theirs);
        assert.equal(answer.status, 200, `${type}: ${JSON.stringify(answer.body)}`);
        const aheadMs = new Date(String(answer.body.createdAt)).getTime() - Date.now();
        assert.equal(Math.round(aheadMs / 86_400_000), 100, type);
      }
      const { db } = paylink.app.deps;
      await sealAllOf(db, other.companyId);
      assert.deepEqual(await db.inBothModes(other.companyId, verifyChain), []);
      assert.deepEqual(await db.inBothModes(other.companyId, verifyLedger), []);
    });

    test('an event has the order, amount and metadata that were sent', async () => {
      const customerOrderId = randomUUID();
      const { body } = await cause('refund.succeeded', {
        ...{ customerOrderId, amount: 12.34, currency: 'USD', email: 'grace@example.com' },
        metadata: { cart: '7' },
      });
      const payment = body.payment as Json;
      assert.deepEqual(
        [payment.customerOrderId, payment.amount, payment.currency, payment.metadata],
        [customerOrderId, 12.34, 'USD', { cart: '7' }],
      );
      assert.equal((body.refund as Json).amount, 12.34);
      const again = await cause('payment.created', { customerOrderId });
      assert.deepEqual([again.status, again.body.code], [409, 'order_conflict']);
    });

    test('how a test refund ends concerns no other refund of the payment, also if it was refused', async () => {
      // A company of its own, because an advance does all that is due.
      const theirs = await logIn(paylink, await paylink.createMerchant());
      const { code } = await createLinkAs(paylink, theirs);
      await act(code, ['pay'], theirs);
      for (const outcome of ['failed', 'unknown'])
        assert.equal((await act(code, ['refund', { amount: 99_999, outcome }], theirs)).status, 409);
      const refund = async () =>
        (await call(paylink, theirs, ['POST', `/v1/payments/${code}/refunds`], { amount: 1 })).body.status;
      assert.equal(await refund(), 'succeeded');
      const unknown = await act(code, ['refund', { amount: 2, outcome: 'unknown' }], theirs);
      const { refundId } = unknown.body.refund as Json;
      assert.equal((await act(code, ['refund', { amount: 3 }], theirs)).status, 200);
      assert.equal(await refund(), 'succeeded');
      await advance(paylink, theirs, 'PT1M');
      const { body } = await call(paylink, theirs, ['GET', `/v1/refunds/${refundId}`]);
      assert.equal(body.status, 'unknown');
    });

    test('an action with an Idempotency-Key happens once', async () => {
      const { code } = await createLinkAs(paylink, owner);
      await act(code, ['pay']);
      const headers = { ...credentialHeaders(owner), 'idempotency-key': randomUUID() };
      const url = `${paylink.baseUrl}/v1/test/payments/${code}/refund`;
      const [first, second] = [
        await post(url, { amount: 1 }, headers),
        await post(url, { amount: 1 }, headers),
      ];
      assert.equal(second.headers.get('idempotent-replayed'), 'true');
      assert.deepEqual((second.body.refund as Json).refundId, (first.body.refund as Json).refundId);
    });

    test('bad input and impossible states are refused with a reason', async () => {
      const { code } = await createLinkAs(paylink, owner);
      const refusal = async (step: Step) => {
        const { status, body } = await act(code, step);
        return [status, body.code];
      };
      assert.deepEqual(await refusal(['decline', { declineCode: 'no' }]), [422, 'invalid_fields']);
      assert.deepEqual(await refusal(['pay', { card: '4242424242424242' }]), [422, 'invalid_fields']);
      assert.deepEqual(await refusal(['transfer', { amount: -1 }]), [422, 'invalid_fields']);
      assert.deepEqual(await refusal(['settle']), [409, 'state_not_reachable']);
      assert.deepEqual(await refusal(['request-link']), [409, 'state_not_reachable']);
      assert.deepEqual(await refusal(['refund']), [409, 'not_refundable']);
      await act(code, ['pay']);
      for (const action of ['pay', 'expire', 'open', 'cancel'])
        assert.deepEqual(await refusal([action]), [409, 'payment_ended'], action);
      assert.deepEqual(await refusal(['refund', { amount: 1e6 }]), [409, 'refund_too_large']);
      assert.equal((await act('unknown', ['pay'])).status, 404);
      assert.equal((await cause('payment.unknown')).status, 422);
      assert.equal((await cause('payment.paid', { amount: 0 })).status, 422);
    });

    test('the routes refuse live mode, other companies, and roles that may not create payments', async () => {
      const { code } = await createLinkAs(paylink, owner);
      const live = await logInLive(paylink, merchant);
      for (const { status, body } of [await act(code, ['pay'], live), await cause('payment.paid', {}, live)])
        assert.deepEqual([status, body.code], [403, 'test_mode_only']);
      const other = await logIn(paylink, await paylink.createMerchant());
      assert.equal((await act(code, ['pay'], other)).status, 404);
      const viewer = await logIn(paylink, await paylink.createMerchant({ roles: ['viewer'] }));
      assert.equal((await cause('payment.paid', {}, viewer)).body.code, 'role_not_allowed');
    });
  });
