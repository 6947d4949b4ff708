// Every acquirer script against the running service: an attempt without a usable response becomes `unknown`, blocks
// further attempts, and ends only when the acquirer reports its outcome.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { cardOf, type Script } from '../acquirer/scripts.ts';
import type { Credentials } from '../harness/client.ts';
import { fillCard, visit } from '../harness/visitor.ts';
import { type FaultRig, hasCardForm, type Link, openFaultRig, statusOf } from './fault-rig.ts';

/** Scripts without a usable response, and the final status of the payment. */
const unknowns: readonly [Script, 'paid' | 'open'][] = [
  ['timeout_before', 'open'],
  ['timeout_after', 'paid'],
  ['reset_mid_answer', 'paid'],
  ['nonsense', 'paid'],
  ['error_500_before', 'open'],
  ['error_500_after', 'paid'],
  ['slow:1500', 'paid'],
];

let rig: FaultRig;
let credentials: Credentials;
before(async () => {
  rig = await openFaultRig();
  assert.ok(await rig.start());
  credentials = await rig.logIn();
});
after(async () => {
  await rig.settle();
  assert.deepEqual(await rig.findFaults(), []);
  await rig.close();
});

const chargesOf = (link: Link) =>
  rig
    .acquirerJournal()
    .filter((line) => line.type === 'charge' && line.state === 'charged' && line.about.includes(link.code))
    .length;

describe('an unusable response, while the acquirer also refuses queries', () => {
  const links = new Map<Script, Link>();
  const seen = new Map<Script, { payment: string; attempts: string[] }>();
  const pages = new Map<Script, string>();

  /** Pays from one tab, then from a second tab whose form was opened before. */
  async function payTwice(script: Script): Promise<Link> {
    const link = await rig.createLink(credentials);
    links.set(script, link);
    const second = fillCard(await visit(link.link), { number: cardOf('approve') });
    await rig.pay(link, script);
    pages.set(script, (await visit(second.action, { method: 'POST', body: second.body })).text);
    return link;
  }

  /** Plays a script until the acquirer has made its charge: on a busy machine the service may give up before. */
  async function playWhole([script, end]: (typeof unknowns)[number]): Promise<void> {
    for (let tries = 0; tries < 5; tries++) {
      const link = await payTwice(script);
      if (end === 'open') return;
      // `slow` charges after 1.5 s.
      for (const stop = performance.now() + 4_000; performance.now() < stop; await sleep(50))
        if (chargesOf(link) === 1) return;
    }
  }

  before(async () => {
    await rig.control({ refusesQuestions: true });
    await Promise.all(unknowns.map(playWhole));
    // Long enough for the job to query once and be refused.
    await sleep(2_500);
    for (const [script, link] of links) seen.set(script, await rig.statesOf(link));
    await rig.control({ refusesQuestions: false });
    await rig.settle();
  });

  for (const [script, end] of unknowns) {
    test(`${script}: unknown, no further attempt, then ${end} as the acquirer reports`, async () => {
      const link = links.get(script);
      assert.ok(link);
      assert.deepEqual(seen.get(script), { payment: 'processing', attempts: ['unknown'] });
      assert.match(pages.get(script) ?? '', /do not pay again/i);
      const attempt = end === 'paid' ? 'succeeded' : 'cancelled';
      assert.deepEqual(await rig.statesOf(link), { payment: end, attempts: [attempt] });
      assert.equal(chargesOf(link), end === 'paid' ? 1 : 0);
      if (end === 'open') assert.equal(await rig.payWell(link), 'paid');
      assert.equal(chargesOf(link), 1);
    });
  }
});

test('a charge slower than the timeout is voided, and cannot collect the money later', async () => {
  const link = await rig.createLink(credentials);
  await rig.control({ clockMs: Date.now() });
  // The customer's page after the form already queries the acquirer and voids the key.
  await rig.pay(link, 'slow:1500');
  await rig.settle();
  await rig.control({ clockMs: null });
  await sleep(1_500);
  assert.equal(chargesOf(link), 0);
  assert.equal((await rig.statesOf(link)).payment, 'open');
});

/** Restarts the service with time for every response. */
const startPatiently = async () => assert.ok(await rig.start({ processorTimeoutMs: 10_000 }));

describe('with time for every response', () => {
  before(startPatiently);

  test('a charge of the wrong amount pays nothing and is refunded in full', async () => {
    const link = await rig.createLink(credentials);
    await rig.pay(link, 'wrong_amount');
    await rig.settle();
    assert.deepEqual(await rig.statesOf(link), { payment: 'failed', attempts: ['declined'] });
    const refunds = rig.acquirerJournal().filter((line) => line.type === 'refund');
    assert.deepEqual(
      refunds.map(({ state, amountMinor }) => [state, amountMinor]),
      [['refunded', 2000]],
    );
  });

  test('a late charge pays when it is made', async () => {
    const link = await rig.createLink(credentials);
    await rig.control({ clockMs: Date.now() });
    await rig.pay(link, 'late:1500');
    assert.deepEqual(await rig.statesOf(link), { payment: 'processing', attempts: ['processing'] });
    await rig.control({ clockMs: null });
    await rig.makeDue();
    await rig.settle();
    assert.deepEqual(await rig.statesOf(link), { payment: 'paid', attempts: ['succeeded'] });
  });

  describe('an acquirer that sends notifications', () => {
    const rowsOf = async (link: Link, text: string) =>
      await rig.db.asOwner.query<Record<string, unknown>>(
        // safe: each text is a literal of this file.
        `${text} join payments p using (company_id, payment_id) where p.code = $1`,
        [link.code],
      );

    for (const script of ['twice', 'twice_late', 'out_of_order'] as const)
      test(`${script}: paid once, reported once, one ledger entry, and no status moves back`, async () => {
        const link = await rig.createLink(credentials);
        assert.equal(statusOf(await rig.pay(link, script)), 'paid');
        // This script sends its second report 1 s after the response.
        if (script === 'twice_late') await sleep(1_500);
        assert.deepEqual(await rig.statesOf(link), { payment: 'paid', attempts: ['succeeded'] });
        assert.equal(chargesOf(link), 1);
        const events = await rowsOf(link, 'select e.type from events e');
        assert.deepEqual(events.map(({ type }) => type).sort(), [
          'attempt.succeeded',
          'payment.created',
          'payment.paid',
          'payment.processing',
        ]);
        const entries = await rowsOf(link, 'select l.kind from ledger_entries l');
        assert.deepEqual(entries, [{ kind: 'capture' }]);
        assert.deepEqual(await rig.findFaults(), []);
      });
  });

  test('a decline is final or fixable by its code', async () => {
    const [final, fixable] = [await rig.createLink(credentials), await rig.createLink(credentials)];
    assert.equal(statusOf(await rig.pay(final, 'decline:generic_decline')), 'failed');
    assert.ok(hasCardForm(await rig.pay(fixable, 'decline:incorrect_csc')));
    assert.equal(await rig.payWell(fixable), 'paid');
  });
});

describe('a refund without a usable response', () => {
  before(async () => assert.ok(await rig.start()));

  for (const script of [
    'timeout_before',
    'timeout_after',
    'reset_mid_answer',
    'nonsense',
    'error_500_after',
  ] as const)
    test(`a refund whose response is ${script} is unknown, and refunded once`, async () => {
      const link = await rig.createLink(credentials);
      assert.equal(await rig.payWell(link), 'paid');
      await rig.control({ refundScript: script });
      const received = await rig.refund(link, 7);
      await rig.control({ refundScript: 'approve' });
      assert.equal(received.state, 'unknown');
      await rig.settle();
      const made = rig
        .acquirerJournal()
        .filter((line) => line.type === 'refund' && line.key === received.refundId);
      assert.deepEqual(
        made.map(({ state, amountMinor }) => [state, amountMinor]),
        [['refunded', 700]],
      );
      assert.deepEqual(await rig.findFaults(), []);
    });
});

test('a killed acquirer keeps every charge, and refunds earlier ones', async () => {
  const link = await rig.createLink(credentials);
  assert.equal(await rig.payWell(link), 'paid');
  await rig.restartAcquirer();
  await startPatiently();
  assert.equal((await rig.refund(link)).state, 'succeeded');
  assert.deepEqual(await rig.findFaults(), []);
});
