// Bank transfers and time: money booked within the grace period pays, and money booked later is refunded.

import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  bankFile,
  book,
  credit,
  depsAt,
  later,
  look,
  type Module,
  modulePath,
  openShop,
  order,
  scope,
  settleFile,
  statusOf,
  storeFile,
  transferOf,
} from './bank-shop.ts';
import { guarantee } from './plant.ts';

const dayMs = 24 * 60 * 60 * 1000;
/** The days that a customer has, and the grace period. */
const [payDays, graceDays] = [7, 5];

/** The result of a transfer, by the documentation. */
function expectResult(dueMinor: number, steps: readonly Step[]) {
  let [received, returned, left] = [0, 0, 0];
  let state: 'open' | 'complete' | 'void' | 'closed' = 'open';
  for (const { amountMinor, atMs } of steps) {
    if (amountMinor === null) {
      if (state !== 'open' || atMs < (payDays + graceDays) * dayMs) continue;
      state = received === 0 ? 'void' : 'closed';
      returned = received;
      continue;
    }
    const isLeft = returned > 0;
    received += amountMinor;
    if (isLeft) left += amountMinor;
    if (state === 'open' && received >= dueMinor) state = 'complete';
    const owed = state === 'open' || state === 'complete' ? dueMinor : 0;
    if (!isLeft) returned = Math.max(received - owed, 0);
  }
  const sums = {
    ...(state === 'complete' ? { capture: dueMinor } : {}),
    ...(returned > 0 ? { surplus: returned } : {}),
  };
  const back = returned > 0 ? [`surplus ${returned}`] : [];
  const paymentState = { open: 'processing', complete: 'paid', void: 'open', closed: 'failed' }[state];
  return { received, returned, left, state, sums, back, paymentState };
}

/** A booking, or a run of the worker (`amountMinor` null), this long after the order. */
type Step = { amountMinor: number | null; atMs: number };

async function play(module: Module, dueMinor: number, steps: readonly Step[]): Promise<void> {
  const { attemptId, reference } = await order(module, dueMinor);
  for (const { amountMinor, atMs } of steps) {
    if (amountMinor === null) await look(module, attemptId, later(atMs));
    else await book(module, reference, { amountMinor, at: later(atMs) });
  }
  const expected = expectResult(dueMinor, steps);
  const { transfer, state, sums, back } = await statusOf(module, attemptId);
  const { receivedMinor: received, returnedMinor: returned, leftMinor: left } = transfer;
  const found = { received, returned, left, state: transfer.state, sums, back, paymentState: state };
  assert.deepEqual(found, expected, JSON.stringify(steps));
  assert.equal(transfer.isUnsettled, false);
}

/** All money was credited in time, and the payment is updated only by the last run of the worker. */
async function playUnsettled(module: Module, amountMinor: number): Promise<void> {
  const { attemptId } = await order(module, 1000);
  await credit(module, attemptId, amountMinor);
  await look(module, attemptId, later(closeMs));
  await module.matchBankLines(depsAt(module, later(closeMs)), scope());
  const { state, sums } = await statusOf(module, attemptId);
  const surplus = amountMinor > 1000 ? { surplus: amountMinor - 1000 } : {};
  assert.deepEqual({ state, sums }, { state: 'paid', sums: { capture: 1000, ...surplus } });
}

const endMs = payDays * dayMs;
const closeMs = (payDays + graceDays) * dayMs;

guarantee<Module>(
  'a bank transfer booked within five days after it expired pays, and later money is refunded',
  modulePath,
  async (module) => {
    await openShop();
    const { attemptId } = await order(module, 1000);
    const { expiresAt, closesAt, createdAt } = await transferOf(module, attemptId);
    const lives = [expiresAt, closesAt].map((end) => end.getTime() - createdAt.getTime());
    assert.deepEqual(lives, [endMs, closeMs]);
    // The worker runs just before each booking, and long after it.
    for (const atMs of [0, endMs, endMs + 1, endMs + dayMs, closeMs - 1, closeMs, closeMs + dayMs])
      await play(module, 1000, [
        { amountMinor: null, atMs },
        { amountMinor: 1000, atMs },
        { amountMinor: null, atMs: 90 * dayMs },
      ]);
    for (const amountMinor of [1000, 1200]) await playUnsettled(module, amountMinor);
    await play(module, 1000, [
      { amountMinor: 400, atMs: 0 },
      { amountMinor: null, atMs: closeMs - 1 },
      { amountMinor: 600, atMs: closeMs - 1 },
      { amountMinor: 600, atMs: closeMs },
      { amountMinor: 1, atMs: closeMs + 1 },
    ]);
    await play(module, 1000, [
      { amountMinor: 999, atMs: 0 },
      { amountMinor: null, atMs: closeMs },
      { amountMinor: 1, atMs: closeMs },
    ]);
    const step = fc.record({
      amountMinor: fc.option(fc.constantFrom(1, 400, 600, 999, 1000, 1001), { freq: 2 }),
      atMs: fc.constantFrom(0, endMs - 1, endMs + 1, closeMs - 1, closeMs, closeMs + 1),
    });
    const walks = fc.array(step, { minLength: 1, maxLength: 4 });
    const proof = fc.asyncProperty(walks, async (steps) => {
      const inTime = steps.toSorted((one, other) => one.atMs - other.atMs);
      await play(module, 1000, inTime);
    });
    await fc.assert(proof, { numRuns: 10 });
  },
  {
    [bankFile]: {
      'const graceDays = 5;': {
        'there is no grace period': 'const graceDays = 0;',
        'the grace period is longer': 'const graceDays = 6;',
      },
      '        isLastOfIt: true,\n': { 'a partial amount is not final': '' },
      "case 'complete':\n      return { kind: 'succeeded', reference, amountMinor: transfer.dueMinor": {
        'an overpayment is captured':
          "case 'complete':\n      return { kind: 'succeeded', reference, amountMinor: transfer.receivedMinor",
      },
    },
    [storeFile]: {
      "state = 'open' and closes_at <= $3": {
        'a transfer closes when it expires': "state = 'open' and expires_at <= $3",
        'a transfer stays open at the end of the grace period': "state = 'open' and closes_at < $3",
        'a complete transfer is closed': "state in ('open', 'complete') and closes_at <= $3",
      },
      'ended_at = $3, returned_minor = received_minor,': {
        'a partial amount is kept': 'ended_at = $3, returned_minor = 0,',
      },
      "then 'complete' else state end": {
        'the full amount does not complete a transfer':
          "and received_minor + $3 > due_minor then 'complete' else state end",
      },
      "state = case when state = 'open' and received_minor + $3 >= due_minor": {
        'a partial amount completes a transfer':
          "state = case when state = 'open' and received_minor + $3 > 0",
        'a closed transfer is completed': 'state = case when received_minor + $3 >= due_minor',
      },
      'received_minor = received_minor + $3, is_unsettled = true,': {
        'received money is not marked for settlement': 'received_minor = received_minor + $3,',
      },
      "state === 'open' || state === 'complete' ? dueMinor : 0": {
        'a closed transfer keeps the due amount': 'dueMinor',
        'an open transfer does not keep the due amount': "state === 'complete' ? dueMinor : 0",
      },
    },
    [settleFile]: {
      ' - transfer.returnedMinor - transfer.leftMinor': {
        'money left for a review is refunded': ' - transfer.returnedMinor',
      },
      'await noteSettled(tx, { attemptId, returnedMinor: amountMinor, at });': {
        'the refunded amount is not recorded': 'await noteSettled(tx, { attemptId, returnedMinor: 0, at });',
      },
      'if (amountMinor <= 0) return': { 'a small overpayment is kept': 'if (amountMinor <= 1000) return' },
    },
    'src/bank/credit-line.ts': {
      'const isLeft = excessOf(current) > 0;': {
        'a second overpayment is refunded automatically': 'const isLeft = false;',
      },
    },
  },
);
