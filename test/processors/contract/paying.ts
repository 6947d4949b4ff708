// Guarantees about one attempt: it starts once, and charges exactly the requested amount at most once.

import assert from 'node:assert/strict';
import type {
  AttemptItem,
  AttemptOutcome,
  AuthoriseRequest,
  DeclineCode,
} from '../../../src/processors/processor.ts';
import { withReference } from '../kit/rig.ts';
import {
  act,
  type Bench,
  begin,
  completeAttempt,
  finish,
  type Guarantee,
  openAttempt,
  payWhole,
} from './bench.ts';

const declineCodes: Readonly<Record<DeclineCode, true>> = {
  generic_decline: true,
  source_declined: true,
  insufficient_funds: true,
  lost_or_stolen: true,
  suspected_fraud: true,
  incorrect_csc: true,
  expired_card: true,
  processing_error: true,
  authentication_failed: true,
};

const referenceOf = (outcome: AttemptOutcome) => ('reference' in outcome ? outcome.reference : null);

/** Fails unless exactly the requested amount was charged, once, and is reported. */
export async function assertPaid(
  bench: Bench,
  request: AuthoriseRequest,
  result: AttemptOutcome | null,
): Promise<void> {
  const { attemptId, amountMinor, currency } = request;
  assert.deepEqual({ ...result, reference: '' }, { kind: 'succeeded', amountMinor, currency, reference: '' });
  const charges = await bench.moneyOf(attemptId);
  assert.deepEqual(
    charges.map((line) => [line.type, line.amountMinor, line.currency]),
    [['charge', amountMinor, currency]],
  );
}

/** Fails if anything was charged. */
export async function assertUnpaid(bench: Bench, { attemptId }: AuthoriseRequest): Promise<void> {
  assert.deepEqual(await bench.moneyOf(attemptId), []);
}

/** Fails unless an uncharged attempt has ended, or is still open where a decline does not end it. */
async function assertNotTaken(
  bench: Bench,
  request: AuthoriseRequest,
  result: AttemptOutcome | null,
): Promise<void> {
  await assertUnpaid(bench, request);
  if (!bench.features.declineEnds) return assert.equal(result?.kind, 'requires_action');
  assert.ok(result?.kind === 'declined' && declineCodes[result.code], 'a decline is in our words');
}

const item = (unitAmountMinor: number, quantity = 1, name = 'Chair & table') => ({
  ...{ name, quantity, unitAmountMinor },
});

/** Items that add up to 1999. */
const itemLists: readonly AttemptItem[][] = [
  [item(1999)],
  [item(1250, 2), item(-501)],
  [item(-1, 9_999), item(0), item(11_998)],
  [item(1899), ...Array.from({ length: 98 }, () => item(1)), item(2)],
  [item(1, 1_999, `${'"<b>ö&\u{1F600}'.repeat(28)}مقعد`)],
  [item(1_000_000_000), item(-1_000_000_000 + 1999)],
];

const asking: readonly Guarantee[] = [
  {
    title: 'authorising one attempt twice starts it once and charges once',
    prove: async (bench) => {
      const { request, outcome } = await begin(bench);
      const again = await bench.authorise({ ...request, processorReference: null });
      assert.deepEqual(again, outcome);
      await act(bench, 'pay', outcome);
      const result = await finish(bench, request);
      await assertPaid(bench, request, result);
      const late = await bench.authorise({ ...request, processorReference: null });
      assert.notEqual(late.kind, 'unavailable');
      await assertPaid(bench, request, await finish(bench, request));
    },
  },
  {
    title: 'authorising one attempt 20 times at once starts it once and charges once',
    prove: async (bench) => {
      const request = bench.newRequest();
      const asked = await Promise.allSettled(
        Array.from({ length: 20 }, async () => await bench.authorise(request)),
      );
      const result = asked.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
      const begun = result.filter(({ kind }) => kind !== 'unavailable');
      assert.ok(begun.length > 0, 'one of them was answered');
      assert.equal(new Set(begun.map(referenceOf)).size, 1, 'all speak of the same');
      const urls = new Set(begun.map((outcome) => ('url' in outcome ? outcome.url : null)));
      assert.equal(urls.size, 1, 'the customer is sent to one address');
      const [first] = begun;
      assert.ok(first);
      await act(bench, 'pay', first);
      await assertPaid(bench, request, await finish(bench, withReference(request, first)));
    },
  },
  {
    title: 'two identical attempts are charged separately',
    prove: async (bench) => {
      const first = await payWhole(bench);
      const { attemptId } = bench.newRequest();
      const second = await payWhole(bench, { ...first, attemptId, processorReference: null });
      assert.notEqual(first.processorReference, second.processorReference);
      assert.equal((await bench.moneyOf(first.attemptId)).length, 1);
      assert.equal((await bench.moneyOf(attemptId)).length, 1);
    },
  },
  {
    title: 'exactly the requested amount is charged, in every currency, including 0.01 and 10,000,000.00',
    prove: async (bench) => {
      for (const currency of bench.rig.kind.currencies) {
        for (const amountMinor of [1, 1999, 100_010, 1_000_000_000]) {
          const { request, outcome } = await begin(bench, 'pay', { amountMinor, currency });
          // A processor may have its own limits if it reports them before anything is started.
          if (outcome.kind === 'unavailable') {
            assert.ok(amountMinor === 1 || amountMinor === 1_000_000_000, 'an everyday amount is taken');
            await assertUnpaid(bench, request);
            continue;
          }
          await act(bench, 'pay', outcome);
          await assertPaid(bench, request, await finish(bench, request));
        }
      }
    },
  },
  {
    title: 'items never change the amount: discounts, free items, 100 lines and long names',
    prove: async (bench) => {
      for (const items of itemLists) {
        const { request, result } = await completeAttempt(bench, 'pay', { items });
        assert.equal(
          items.reduce((sum, { quantity, unitAmountMinor }) => sum + quantity * unitAmountMinor, 0),
          request.amountMinor,
        );
        await assertPaid(bench, request, result);
      }
    },
  },
  {
    title: 'texts of any length and script are accepted',
    prove: async (bench) => {
      const long = 'Ä"<b>&amp;\u{1F600}\u202e '.repeat(30);
      for (const description of [long.slice(0, 250), '', null]) {
        const { request, result } = await completeAttempt(bench, 'pay', {
          description,
          merchantName: long.slice(0, 200),
          customerOrderId: `"${'ö'.repeat(126)}"`,
          customer: {
            email: "o'neil+a@shop.example",
            firstName: 'Łucja 北京',
            lastName: null,
            country: 'PL',
          },
          locale: 'zz-ZZ',
        });
        await assertPaid(bench, request, result);
      }
    },
  },
];

const customers: readonly Guarantee[] = [
  {
    title: 'a customer who pays returns to the return address, and is charged once',
    prove: async (bench) => {
      const { request, place, result } = await completeAttempt(bench, 'pay');
      if (place) assert.ok(place.url.startsWith(request.returnUrl), `back at ${place.url}`);
      await assertPaid(bench, request, result);
    },
  },
  {
    title: 'a declined customer is charged nothing, and the decline has one of our codes',
    prove: async (bench) => {
      const { request, result } = await completeAttempt(bench, 'decline');
      await assertNotTaken(bench, request, result);
    },
  },
  {
    title: 'after a decline on a page that stays open, the customer can still pay there, once',
    applies: ({ declineEnds }) => !declineEnds,
    prove: async (bench) => {
      const { request, result } = await completeAttempt(bench, 'decline');
      await act(bench, 'pay', result);
      await assertPaid(bench, request, await finish(bench, request));
    },
  },
  {
    title: 'a customer who passes the challenge has paid, and one who fails it has not',
    prove: async (bench) => {
      const passed = await completeAttempt(bench, 'pass');
      await assertPaid(bench, passed.request, passed.result);
      const failed = await completeAttempt(bench, 'fail');
      await assertNotTaken(bench, failed.request, failed.result);
    },
  },
  {
    title: 'a customer who turns back returns to the cancel address and is charged nothing',
    applies: ({ turningBack }) => turningBack !== 'none',
    prove: async (bench) => {
      const { request, outcome } = await openAttempt(bench);
      const place = await bench.rig.customer.turnBack(outcome.url);
      assert.ok(place.url.startsWith(request.cancelUrl), `back at ${place.url}`);
      await assertUnpaid(bench, request);
      const result = await bench.query(request);
      if (bench.features.turningBack === 'ends')
        return assert.ok(
          result?.kind === 'void' || result?.kind === 'declined',
          `it is over, not ${result?.kind}`,
        );
      assert.equal(result?.kind, 'requires_action');
      await act(bench, 'pay', result);
      await assertPaid(bench, request, await finish(bench, request));
    },
  },
];

const impatient: readonly Guarantee[] = [
  {
    title: 'a customer who pays in two tabs at once, and once more afterwards, is charged once',
    prove: async (bench) => {
      const { request, outcome } = await openAttempt(bench);
      const tab = async () => await act(bench, 'pass', outcome);
      await Promise.allSettled([tab(), tab()]);
      const result = await finish(bench, request);
      await assertPaid(bench, request, result);
      await tab().catch(() => undefined);
      await assertPaid(bench, request, await finish(bench, request));
    },
  },
];

const questions: readonly Guarantee[] = [
  {
    title: 'querying an attempt that never started returns that, and moves no money',
    prove: async (bench) => {
      const request = bench.newRequest();
      const result = await bench.query(request);
      const isUnknown = result === null || result.kind === 'void';
      assert.ok(isUnknown || (!bench.features.findsByKey && result.kind === 'requires_action'), result?.kind);
      await assertUnpaid(bench, request);
    },
  },
  {
    title:
      'a query returns the current outcome during and after the customer’s action, with and without the reference',
    prove: async (bench) => {
      const { request, outcome } = await openAttempt(bench);
      const withoutReference = { ...request, processorReference: null };
      assert.deepEqual(await bench.query(request), outcome);
      assert.deepEqual(await bench.query(withoutReference), outcome);
      await act(bench, 'pass', outcome);
      const result = await finish(bench, request);
      await assertPaid(bench, request, result);
      assert.ok(result);
      assert.deepEqual(await bench.query(withReference(request, result)), result);
      assert.deepEqual(await bench.query(request), result);
      assert.deepEqual(await bench.query(withoutReference), result);
    },
  },
  {
    title: 'queries move no money, even after the customer approved',
    applies: ({ capturesSeparately }) => capturesSeparately,
    prove: async (bench) => {
      const { request, outcome } = await openAttempt(bench);
      await act(bench, 'pass', outcome);
      for (let times = 0; times < 3; times++) assert.equal((await bench.query(request))?.kind, 'approved');
      await assertUnpaid(bench, request);
    },
  },
  {
    title: 'captured twice, and ten times at once, the money is captured once',
    applies: ({ capturesSeparately }) => capturesSeparately,
    prove: async (bench) => {
      const { request, outcome } = await openAttempt(bench);
      await act(bench, 'pass', outcome);
      await Promise.allSettled(Array.from({ length: 10 }, async () => await bench.capture(request)));
      await assertPaid(bench, request, await bench.capture(request));
      await assertPaid(bench, request, await bench.capture(request));
    },
  },
  {
    title: 'nothing is captured before the customer approved',
    applies: ({ capturesSeparately }) => capturesSeparately,
    prove: async (bench) => {
      const { request } = await openAttempt(bench);
      await bench.capture(request).catch(() => undefined);
      await assertUnpaid(bench, request);
    },
  },
];

export const paying: readonly Guarantee[] = [...asking, ...customers, ...impatient, ...questions];
