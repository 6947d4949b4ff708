// Several connections of one processor, with separate or shared accounts: the nightly comparison finds only real
// differences. On PostgreSQL.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { pay } from '../src/attempts/pay.ts';
import { recordOutcome } from '../src/attempts/record-outcome.ts';
import { viewPayment } from '../src/attempts/view-payment.ts';
import { createPayment } from '../src/links/create-payment.ts';
import type { PaymentRequest } from '../src/payments/schema.ts';
import type { BalanceTransaction, ProcessorKind } from '../src/processors/processor.ts';
import { compareProcessor, listRoutes } from '../src/reconciliation/compare-processor.ts';
import { refundPayment } from '../src/refunds/refund-payment.ts';
import { compareAllProcessors } from '../src/verify-companies.ts';
import { assertCaught, compareAnyConnection } from './faults/planted-guards.ts';
import { orderOf } from './harness/client.ts';
import { createFakeHostedProcessor, withSandbox } from './harness/fake-processors.ts';
import { manualClock } from './harness/manual-clock.ts';
import { type Paylink, startPaylink } from './harness/paylink.ts';
import { noCards, openCompany } from './harness/payment-methods.ts';
import { testMerchant } from './harness/test-merchant.ts';

const hourMs = 60 * 60 * 1000;
const dayMs = 24 * hourMs;
const accounts = ['north', 'south', 'west'] as const;
type ProcessorAccount = (typeof accounts)[number];

/** The processor's records by account: what moved, and when. */
const books = new Map<string, (BalanceTransaction & { at: Date })[]>();
const bookOf = (account: string) => {
  const book = books.get(account) ?? [];
  books.set(account, book);
  return book;
};
const clock = manualClock();
/** Whether the processor does not return its list. */
let isListDown = false;

/** A processor that shows the movements of an account only to connections of that account. */
function makeKind(): ProcessorKind {
  const { kind } = createFakeHostedProcessor('paypond', 'Paypond');
  return {
    ...kind,
    fields: [
      {
        name: 'account',
        label: 'Account',
        isSecret: false,
        isRequired: true,
        help: 'A name.',
        maxLength: 60,
      },
    ],
    check: async ({ credentials: { account = '' } }) => ({ kind: 'good', holder: account, account }),
    connect: (connection) => {
      const book = bookOf(connection.credentials.account ?? '');
      const charge = (key: string) => book.find((each) => each.kind === 'charge' && each.key === key);
      const write = (movement: BalanceTransaction) => void book.push({ ...movement, at: clock.now() });
      return {
        ...kind.connect(connection),
        authorise: async ({ attemptId: key, amountMinor, currency }) => {
          const money = { reference: `s-${key}`, amountMinor, currency };
          write({ kind: 'charge', key, ...money });
          return { kind: 'succeeded', ...money };
        },
        query: async ({ attemptId }) => {
          const { reference = '', amountMinor = 0, currency = '' } = charge(attemptId) ?? {};
          return reference ? { kind: 'succeeded', reference, amountMinor, currency } : null;
        },
        refund: async ({ refundId: key, attemptId, amountMinor, currency }) => {
          if (!charge(attemptId)) return { kind: 'failed', reference: key, code: 'unknown_charge' };
          const money = { reference: `r-${key}`, amountMinor, currency };
          write({ kind: 'refund', key, ...money });
          return { kind: 'succeeded', ...money };
        },
        list: async ({ from, until }) => {
          if (isListDown) throw new Error('the list is down');
          return { movements: book.filter(({ at }) => at >= from && at < until), nextCursor: null };
        },
      };
    },
  };
}

let paylink: Paylink;
before(async () => {
  paylink = await startPaylink('server', { clock, processors: withSandbox([makeKind()]), isAtWork: false });
});
after(async () => await paylink.stop());

type Shop = { companyId: string; accountId: string; ids: string[] };

let shops = 0;

/** A company with a connection to each of some accounts, which no other company uses. */
async function openShop(wanted: readonly ProcessorAccount[]): Promise<Shop & { accountNames: string[] }> {
  shops += 1;
  const accountNames = wanted.map((account) => `${account}-${shops}`);
  const connections = accountNames.map((account) => ({ processor: 'paypond', credentials: { account } }));
  const { owner, ids } = await openCompany(paylink, ...connections, noCards);
  const { companyId } = owner;
  return { companyId, accountId: paylink.merchant.accountId, ids, accountNames };
}

/** Pays a new link through a connection. */
async function payThrough({ companyId, accountId }: Shop, connectionId: string, amount: number) {
  const scope = { companyId, mode: 'test' as const };
  const { deps } = paylink.app;
  const body = orderOf({ amount }) as PaymentRequest;
  const { code } = (await createPayment(deps, { ...scope, accountId }, body)).payment;
  const view = await viewPayment(deps, { ...scope, code });
  const method = view?.methods.find((each) => each.connectionId === connectionId);
  assert.ok(method);
  const paid = await pay(deps, {
    ...scope,
    code,
    method,
    card: null,
    merchant: testMerchant,
    locale: 'en',
    pageLocale: 'en',
  });
  assert.equal(paid?.payment.state, 'paid');
  return { code, attemptId: paid.attempt?.attemptId ?? '' };
}

type Sale = { at: number; amount: number; refunds: readonly number[]; gapMs: number };
const sales = fc.array(
  fc.record({
    at: fc.nat(2),
    amount: fc.integer({ min: 1, max: 50 }),
    // Percentages of the remaining amount.
    refunds: fc.array(fc.constantFrom(30, 50, 100), { maxLength: 2 }),
    gapMs: fc.integer({ min: 0, max: dayMs / 8 }),
  }),
  { minLength: 3, maxLength: 7 },
);

async function sell(shop: Shop, { at, amount, refunds, gapMs }: Sale): Promise<string> {
  const { companyId, ids } = shop;
  const { code, attemptId } = await payThrough(shop, ids[at % (ids.length - 1)] ?? '', amount);
  let left = amount * 100;
  for (const share of refunds) {
    const part = Math.floor((left * share) / 100);
    if (part === 0) continue;
    const order = { companyId, mode: 'test', code, amount: part / 100, createdBy: 'test' } as const;
    assert.equal((await refundPayment(paylink.app.deps, order)).state, 'succeeded');
    left -= part;
  }
  clock.advanceMs(gapMs);
  return attemptId;
}

/** What the nightly comparison finds for a company. */
async function compare({ companyId }: Shop): Promise<string[]> {
  // So that the present is inside the period.
  clock.advanceMs(90 * 60 * 1000);
  const { deps } = paylink.app;
  const until = clock.now();
  const span = { from: new Date(until.getTime() - 3 * dayMs), until };
  const found: string[] = [];
  for (const route of await listRoutes(deps, companyId))
    for (const { key, fault } of (await compareProcessor(deps, { ...route, ...span })).discrepancies)
      found.push(`${key}: ${fault}`);
  return found;
}

/** The keys that the nightly job finds for a company. */
async function nightly(shop: Shop): Promise<string[]> {
  const { findings } = await compareAllProcessors(paylink.app.deps);
  return findings
    .filter(({ companyId }) => companyId === shop.companyId)
    .map(({ sentence, fault }) => fault?.key ?? sentence);
}

const choiceOfAccounts = fc
  .array(fc.constantFrom(...accounts), { minLength: 2, maxLength: 3 })
  .filter((wanted) => new Set(wanted).size > 1);

/** Checks that connections of one processor match its lists, and that money missing from one account is found once. */
async function checkConnections(numRuns: number): Promise<void> {
  const property = fc.asyncProperty(choiceOfAccounts, sales, fc.nat(), async (wanted, sold, dice) => {
    clock.advanceMs(5 * dayMs);
    const shop = await openShop(wanted);
    const attemptIds: string[] = [];
    for (const sale of sold) attemptIds.push(await sell(shop, sale));
    assert.deepEqual(await compare(shop), []);
    const lost = attemptIds[dice % attemptIds.length] ?? '';
    for (const account of new Set(shop.accountNames)) {
      const book = bookOf(account);
      const place = book.findIndex(({ kind, key }) => kind === 'charge' && key === lost);
      if (place >= 0) book.splice(place, 1);
    }
    const found = await compare(shop);
    assert.deepEqual(found, [`${lost}: a charge that the processor does not have`]);
  });
  await fc.assert(property, { numRuns, endOnFailure: true });
}

test('connections of one processor match its lists, and missing money at one is found once', async () => {
  await checkConnections(4);
});

test('comparing a connection with movements of another one is detected', async () => {
  await assertCaught(
    () => compareAnyConnection(paylink.app.deps.db),
    async () => await checkConnections(4),
  );
});

test('the first comparison after a stop of ten days covers the whole stop, also if a comparison failed in between', async () => {
  clock.advanceMs(5 * dayMs);
  const shop = await openShop(['north', 'south']);
  clock.advanceMs(dayMs);
  assert.deepEqual(await nightly(shop), []);
  clock.advanceMs(dayMs);
  const { attemptId: lost } = await payThrough(shop, shop.ids[0] ?? '', 20);
  bookOf(shop.accountNames[0] ?? '').length = 0;
  clock.advanceMs(dayMs / 4);
  isListDown = true;
  assert.match(String((await nightly(shop))[0]), /could not be compared with paypond/);
  isListDown = false;
  clock.advanceMs(10 * dayMs);
  assert.deepEqual(await nightly(shop), [lost]);
  clock.advanceMs(5 * dayMs);
  assert.deepEqual(await nightly(shop), []);
});

test('a charge of ours in the last hour before a comparison ended, or a step of it, is compared by the next', async () => {
  clock.advanceMs(5 * dayMs);
  const shop = await openShop(['north', 'south']);
  const lose = async () => {
    const { attemptId } = await payThrough(shop, shop.ids[0] ?? '', 20);
    bookOf(shop.accountNames[0] ?? '').length = 0;
    return attemptId;
  };
  clock.advanceMs(dayMs);
  const beforeEnd = await lose();
  clock.advanceMs(hourMs / 2);
  assert.deepEqual(await nightly(shop), []);
  clock.advanceMs(3 * dayMs - 1.5 * hourMs);
  const beforeStep = await lose();
  clock.advanceMs(10 * dayMs);
  assert.deepEqual((await nightly(shop)).sort(), [beforeEnd, beforeStep].sort());
});

test('a refund that was refused but made after all is not made twice, if the list has it in a later step than its charge', async () => {
  clock.advanceMs(5 * dayMs);
  const shop = await openShop(['north', 'south']);
  const { companyId } = shop;
  const { deps } = paylink.app;
  const query = async (text: string, values: unknown[]) =>
    await deps.db.asOwner.query<{ refundId: string }>(text, values);
  assert.deepEqual(await nightly(shop), []);
  clock.advanceMs(dayMs);
  const { attemptId } = await payThrough(shop, shop.ids[0] ?? '', 20);
  await query(`update attempts set state = 'cancelled' where attempt_id = $1`, [attemptId]);
  const money = { reference: 'late', amountMinor: 2_000, currency: 'EUR' };
  const outcome = { kind: 'succeeded', ...money } as const;
  await recordOutcome(deps, { companyId, mode: 'test', attemptId, outcome, actor: 'test' });
  const refunds = async () =>
    await query('select refund_id as "refundId" from refunds where attempt_id = $1', [attemptId]);
  const [refused] = await refunds();
  await query(`update refunds set state = 'failed' where attempt_id = $1`, [attemptId]);
  clock.advanceMs(4 * dayMs);
  const made = { kind: 'refund', key: String(refused?.refundId), ...money, at: clock.now() } as const;
  bookOf(shop.accountNames[0] ?? '').push(made);
  clock.advanceMs(6 * dayMs);
  await nightly(shop);
  assert.deepEqual(await refunds(), [refused]);
});
