// A merchant who accepts bank transfers, and the use cases of a module at a given time. No worker runs jobs, so only what
// a test calls is executed.

import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { after, before } from 'node:test';
import { spoolUpload } from '../../src/bank/spool.ts';
import { newId } from '../../src/base/ids.ts';
import type { Database } from '../../src/db/database.ts';
import { listRefunds } from '../../src/payments/refund-store.ts';
import { findAttempt, findPayment } from '../../src/payments/store.ts';
import { connectBank, statementOf } from '../harness/bank.ts';
import { type Credentials, createLinkAs, logIn } from '../harness/client.ts';
import { type Paylink, startPaylink } from '../harness/paylink.ts';
import { testMerchant } from '../harness/test-merchant.ts';

export type Module = typeof import('./bank-modules.ts');
export const modulePath = 'test/guarantees/bank-modules.ts';

let paylink: Paylink;
let owner: Credentials;
let connectionId: string;
before(async () => {
  paylink = await startPaylink('server', { isAtWork: false, isSearched: false });
});
after(async () => await paylink?.stop());

/** Opens a new merchant, so that the effects of a fault do not reach other tests. */
export async function openShop(): Promise<void> {
  owner = await logIn(paylink, await paylink.createMerchant());
  connectionId = await connectBank(paylink, owner);
}

export const database = () => paylink.app.deps.db;

export const base = new Date();
export const later = (ms: number) => new Date(base.getTime() + ms);
export const scope = () => ({ companyId: owner.companyId, mode: 'test' }) as const;

/** Dependencies at a given time, with the bank transfers of `module`. */
export function depsAt(module: Module, at: Date, db: Database = paylink.app.deps.db) {
  const { deps } = paylink.app;
  const clock = { now: () => at };
  const kind = module.createBankTransfer({ db, clock });
  return { ...deps, db, clock, processors: { ...deps.processors, find: () => kind, kinds: [kind] } };
}

/** Starts a bank transfer. */
export async function order(
  module: Module,
  dueMinor: number,
): Promise<{ attemptId: string; reference: string }> {
  const { code } = await createLinkAs(paylink, owner, { amount: dueMinor / 100 });
  const deps = depsAt(module, base);
  const kind = deps.processors.find();
  const method = { kind, connectionId, isUp: true };
  const view = await module.pay(deps, {
    ...scope(),
    code,
    method,
    card: null,
    merchant: testMerchant,
    locale: 'en',
    pageLocale: 'en',
  });
  const attemptId = view?.attempt?.attemptId ?? '';
  const transfer = await transferOf(module, attemptId);
  return { attemptId, reference: transfer.reference };
}

export async function transferOf(module: Module, attemptId: string) {
  const transfer = await paylink.app.deps.db.inTenant(
    scope(),
    async (tx) => await module.findTransfer(tx, attemptId),
  );
  assert.ok(transfer);
  return transfer;
}

/** Imports a statement of one line and matches it, as a job would. */
export async function book(module: Module, reference: string, line: { amountMinor: number; at: Date }) {
  const { amountMinor, at } = line;
  const deps = depsAt(module, at);
  const statement = statementOf([{ amount: (amountMinor / 100).toFixed(2), text: reference }]);
  const file = await spoolUpload(Readable.from([Buffer.from(statement)]));
  const statementId = newId('bst', at);
  await module.importStatement(deps, { ...scope(), statementId, file, createdBy: 'test' });
  await file.close();
  await module.matchBankLines(deps, scope());
}

/** Runs the worker on an attempt. */
export async function look(module: Module, attemptId: string, at: Date): Promise<void> {
  const { companyId } = owner;
  await module
    .reconcileAttempt(depsAt(module, at), { companyId, attemptId })
    .catch((error: Error) => assert.equal(error.name, 'AttemptNotFinalError', error.message));
}

export async function statusOf(module: Module, attemptId: string) {
  const transfer = await transferOf(module, attemptId);
  const { db } = paylink.app.deps;
  const found = await db.inTenant(scope(), async (tx) => {
    const attempt = await findAttempt(tx, attemptId);
    const payment = attempt && (await findPayment(tx, attempt.paymentId));
    return { attempt, payment, refunds: payment ? await listRefunds(tx, payment.paymentId) : [] };
  });
  const entries = await db.asOwner.query<{ kind: string; amount: number }>(
    'select kind, amount_minor as amount from ledger_entries where source_id = $1',
    [attemptId],
  );
  const sums = Object.fromEntries(entries.map(({ kind, amount }) => [kind, amount]));
  const back = found.refunds.map(({ kind, amountMinor }) => `${kind} ${amountMinor}`);
  return { transfer, state: found.payment?.state, sums, back };
}

/** Credits a transfer without updating its payment, as if the process died in between. */
export async function credit(module: Module, attemptId: string, amountMinor: number): Promise<void> {
  await paylink.app.deps.db.inTenant(scope(), async (tx) => {
    const transfer = await module.lockTransfer(tx, attemptId);
    assert.ok(transfer);
    const isLeft = module.excessOf(transfer) > 0;
    const payer = { payerName: 'Ada', payerIban: null };
    await module.creditTransfer(tx, attemptId, { amountMinor, isLeft, ...payer, at: later(0) });
  });
}

export const storeFile = 'src/processors/bank-transfer/transfer-store.ts';
export const bankFile = 'src/processors/bank-transfer/bank-transfer.ts';
export const settleFile = 'src/bank/refresh-transfer.ts';
