// Bank transfers in time: what is booked in the days of grace pays, and what is booked later goes back.

import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  bankFile,
  book,
  credit,
  depsAt,
  faultsOf,
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
/** As the connection is set: the days that a customer has, and those of grace. */
const [payDays, graceDays] = [7, 5];

/** What becomes of a transfer, by the documentation: whole within its time, or back. */
function expectEnd(dueMinor: number, steps: readonly Step[]) {
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

/** Money that is booked, or a look of the worker (`amountMinor` null), so long after the order. */
type Step = { amountMinor: number | null; atMs: number };

async function play(module: Module, dueMinor: number, steps: readonly Step[]): Promise<void> {
  const { attemptId, reference } = await order(module, dueMinor);
  for (const { amountMinor, atMs } of steps) {
    if (amountMinor === null) await look(module, attemptId, later(atMs));
    else await book(module, reference, { amountMinor, at: later(atMs) });
  }
  const expected = expectEnd(dueMinor, steps);
  const { transfer, state, sums, back } = await statusOf(module, attemptId);
  const { receivedMinor: received, returnedMinor: returned, leftMinor: left } = transfer;
  const found = { received, returned, left, state: transfer.state, sums, back, paymentState: state };
  assert.deepEqual(found, expected, JSON.stringify(steps));
  assert.equal(transfer.isUnsettled, false);
}

/** All of the money was counted in time, and payments hear of it only from the worker's look at the end. */
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
  'a bank transfer that is booked after its time but within five days of grace pays, and what is booked after that goes back',
  modulePath,
  async (module) => {
    await openShop();
    const { attemptId } = await order(module, 1000);
    const { expiresAt, closesAt, createdAt } = await transferOf(module, attemptId);
    const lives = [expiresAt, closesAt].map((end) => end.getTime() - createdAt.getTime());
    assert.deepEqual(lives, [endMs, closeMs]);
    // The worker looks just before each booking, and long after.
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
  faultsOf([
    ['there is no grace', bankFile, 'const graceDays = 5;', 'const graceDays = 0;'],
    ['there is more grace', bankFile, 'const graceDays = 5;', 'const graceDays = 6;'],
    [
      'a transfer closes with the customer’s time',
      storeFile,
      "state = 'open' and closes_at <= $3",
      "state = 'open' and expires_at <= $3",
    ],
    [
      'a transfer stays open at the end of its grace',
      storeFile,
      "state = 'open' and closes_at <= $3",
      "state = 'open' and closes_at < $3",
    ],
    [
      'a complete transfer is closed',
      storeFile,
      "state = 'open' and closes_at <= $3",
      "state in ('open', 'complete') and closes_at <= $3",
    ],
    [
      'a part is kept',
      storeFile,
      'ended_at = $3, returned_minor = received_minor,',
      'ended_at = $3, returned_minor = 0,',
    ],
    [
      'the whole is not enough',
      storeFile,
      "then 'complete' else state end",
      "and received_minor + $3 > due_minor then 'complete' else state end",
    ],
    [
      'a part is enough',
      storeFile,
      "state = case when state = 'open' and received_minor + $3 >= due_minor",
      "state = case when state = 'open' and received_minor + $3 > 0",
    ],
    [
      'a transfer that has ended is completed',
      storeFile,
      "state = case when state = 'open' and received_minor + $3 >= due_minor",
      'state = case when received_minor + $3 >= due_minor',
    ],
    [
      'money that came is not to be settled',
      storeFile,
      'received_minor = received_minor + $3, is_unsettled = true,',
      'received_minor = received_minor + $3,',
    ],
    [
      'what a closed transfer was asked for is owed',
      storeFile,
      "state === 'open' || state === 'complete' ? dueMinor : 0",
      'dueMinor',
    ],
    [
      'what an open transfer was asked for is not owed',
      storeFile,
      "state === 'open' || state === 'complete' ? dueMinor : 0",
      "state === 'complete' ? dueMinor : 0",
    ],
    ['a part may be followed by more', bankFile, '        isLastOfIt: true,\n', ''],
    [
      'more than was due is booked as paid',
      bankFile,
      "case 'complete':\n      return { kind: 'succeeded', reference, amountMinor: transfer.dueMinor",
      "case 'complete':\n      return { kind: 'succeeded', reference, amountMinor: transfer.receivedMinor",
    ],
    [
      'what was left to a person goes back, too',
      settleFile,
      ' - transfer.returnedMinor - transfer.leftMinor',
      ' - transfer.returnedMinor',
    ],
    [
      'what goes back is not noted',
      settleFile,
      'await noteSettled(tx, { attemptId, returnedMinor: amountMinor, at });',
      'await noteSettled(tx, { attemptId, returnedMinor: 0, at });',
    ],
    ['what nobody owed stays', settleFile, 'if (amountMinor <= 0) return', 'if (amountMinor <= 1000) return'],
    [
      'a surplus that comes again is nobody’s',
      'src/bank/credit-line.ts',
      'const isLeft = excessOf(standing) > 0;',
      'const isLeft = false;',
    ],
  ]),
);
