// Bank transfer as a processor, without network calls: the facts are in its own records, which src/bank/ writes from
// statements. Must not: report that money came or went unless a statement or a person said so.

import { randomBytes } from 'node:crypto';
import type { Clock } from '../../base/clock.ts';
import { deriveReference } from '../../base/creditor-reference.ts';
import type { Database, TenantTx } from '../../db/database.ts';
import type {
  AttemptOutcome,
  AttemptRequest,
  BalanceTransactionPage,
  Processor,
  ProcessorConnection,
  ProcessorKind,
  ProcessorRefundRequest,
  RefundOutcome,
  TransferInstructions,
} from '../processor.ts';
import { type BankRefund, findBankRefund, insertBankRefund, type NewBankRefund } from './refund-store.ts';
import {
  type BankTransferSettings,
  bankTransferFields,
  checkBankTransferSettings,
  maxDaysToPay,
  parseBankTransferSettings,
} from './settings.ts';
import {
  closeTransfer,
  findTransfer,
  insertTransfer,
  listTransferTransactions,
  type NewTransfer,
  type Transfer,
  voidTransfer,
} from './transfer-store.ts';

export const name = 'bank_transfer';

export type BankTransferDeps = { db: Database; clock: Clock };
type BankTransferAccount = {
  connectionId: string;
  companyId: string;
  mode: ProcessorConnection['mode'];
  settings: BankTransferSettings;
};

const dayMs = 24 * 60 * 60 * 1000;
/** A transfer of the last day arrives after a weekend and a holiday, and is known once its statement is imported. */
const graceDays = 5;

/** The outcome of a transfer by the records. A part that came too late for the rest is an overpayment. */
export function attemptOutcomeOf(transfer: Transfer): AttemptOutcome {
  const { state, reference, currency } = transfer;
  switch (state) {
    case 'open':
      return { kind: 'processing', reference };
    case 'complete':
      return { kind: 'succeeded', reference, amountMinor: transfer.dueMinor, currency };
    case 'closed':
      return {
        kind: 'succeeded',
        reference,
        amountMinor: transfer.returnedMinor,
        currency,
        isLastOfIt: true,
      };
    case 'void':
      return { kind: 'void' };
  }
}

function newTransfer(
  account: BankTransferAccount,
  request: AttemptRequest,
  now: Date,
): Omit<NewTransfer, 'state'> {
  const { holder, iban, bic, daysToPay } = account.settings;
  const { firstName, lastName } = request.customer;
  const expiresAt = new Date(now.getTime() + daysToPay * dayMs);
  return {
    attemptId: request.attemptId,
    connectionId: account.connectionId,
    mode: account.mode,
    reference: deriveReference(randomBytes(16)),
    dueMinor: request.amountMinor,
    currency: request.currency,
    holder,
    iban,
    bic,
    linkCode: request.linkCode,
    customerOrderId: request.customerOrderId,
    customerName: [firstName, lastName].filter(Boolean).join(' '),
    expiresAt,
    closesAt: new Date(expiresAt.getTime() + graceDays * dayMs),
    createdAt: now,
  };
}

/** Repeats `insert` until it succeeds. A reference that already exists is extremely unlikely. */
async function retryInsert<T>(insert: () => Promise<T | null>): Promise<T> {
  for (let round = 0; round < 5; round++) {
    const found = await insert();
    if (found) return found;
  }
  throw new Error('found no unused reference');
}

/** The transfer of an attempt; if missing, creates it in `state`. */
async function ensureTransfer(
  tx: TenantTx,
  account: BankTransferAccount,
  { request, state, now }: { request: AttemptRequest; state: NewTransfer['state']; now: Date },
): Promise<Transfer> {
  return await retryInsert(
    async () =>
      (await insertTransfer(tx, { ...newTransfer(account, request, now), state })) ??
      (await findTransfer(tx, request.attemptId)),
  );
}

async function authorise(
  { db, clock }: BankTransferDeps,
  account: BankTransferAccount,
  request: AttemptRequest,
): Promise<AttemptOutcome> {
  if (request.currency !== 'EUR')
    return { kind: 'unavailable', why: 'bank transfers require EUR', isOfRequest: true };
  const order = { request, state: 'open', now: clock.now() } as const;
  return attemptOutcomeOf(await db.inTenant(account, (tx) => ensureTransfer(tx, account, order)));
}

async function query(
  { db, clock }: BankTransferDeps,
  account: BankTransferAccount,
  { attemptId }: AttemptRequest,
): Promise<AttemptOutcome | null> {
  const now = clock.now();
  return await db.inTenant(account, async (tx) => {
    const transfer = (await closeTransfer(tx, attemptId, now)) ?? (await findTransfer(tx, attemptId));
    return transfer && attemptOutcomeOf(transfer);
  });
}

async function cancel(
  { db, clock }: BankTransferDeps,
  account: BankTransferAccount,
  request: AttemptRequest,
): Promise<AttemptOutcome> {
  const now = clock.now();
  return await db.inTenant(account, async (tx) => {
    // Use up an unused key, so that a late request with it requests no money.
    const existing = await ensureTransfer(tx, account, { request, state: 'void', now });
    return attemptOutcomeOf(
      (await voidTransfer(tx, existing.attemptId, now)) ??
        (await findTransfer(tx, existing.attemptId)) ??
        existing,
    );
  });
}

function refundOutcomeOf({ state, reference, amountMinor, currency }: BankRefund): RefundOutcome {
  if (state === 'failed') return { kind: 'failed', reference, code: 'not_sent' };
  return state === 'sent'
    ? { kind: 'succeeded', reference, amountMinor, currency }
    : { kind: 'processing', reference };
}

/** Records that money must be sent back, under its own reference, once per refund. */
export async function ensureBankRefund(
  tx: TenantTx,
  refund: Omit<NewBankRefund, 'reference'>,
): Promise<BankRefund> {
  return await retryInsert(async () => {
    await insertBankRefund(tx, { ...refund, reference: deriveReference(randomBytes(16)) });
    return await findBankRefund(tx, refund.refundId);
  });
}

async function refund(
  { db, clock }: BankTransferDeps,
  account: BankTransferAccount,
  request: ProcessorRefundRequest,
): Promise<RefundOutcome> {
  const { refundId, attemptId, amountMinor, currency } = request;
  const createdAt = clock.now();
  return await db.inTenant(account, async (tx) => {
    const transfer = await findTransfer(tx, attemptId);
    if (!transfer || transfer.receivedMinor === 0)
      return { kind: 'failed', reference: request.processorReference, code: 'nothing_to_give_back' };
    const to = { toName: transfer.payerName, toIban: transfer.payerIban };
    return refundOutcomeOf(
      await ensureBankRefund(tx, { refundId, attemptId, amountMinor, currency, ...to, createdAt }),
    );
  });
}

async function instruct(
  { db }: BankTransferDeps,
  account: BankTransferAccount,
  { attemptId }: AttemptRequest,
): Promise<TransferInstructions | null> {
  const transfer = await db.inTenant(account, async (tx) => await findTransfer(tx, attemptId));
  if (!transfer) return null;
  const { holder, iban, bic, reference, dueMinor, receivedMinor, currency, expiresAt } = transfer;
  const stillDueMinor = Math.max(dueMinor - receivedMinor, 0);
  return { holder, iban, bic, reference, dueMinor: stillDueMinor, receivedMinor, currency, expiresAt };
}

const pageSize = 500;

async function list(
  { db }: BankTransferDeps,
  account: BankTransferAccount,
  { from, until, cursor }: Parameters<Processor['list']>[0],
): Promise<BalanceTransactionPage> {
  const { connectionId } = account;
  const page = { connectionId, from, until, after: cursor ?? '', limit: pageSize };
  const rows = await db.inTenant(account, async (tx) => await listTransferTransactions(tx, page));
  const movements = rows.map(({ place: _, ...movement }) => movement);
  return { movements, nextCursor: rows.length < pageSize ? null : (rows.at(-1)?.place ?? null) };
}

function bind(deps: BankTransferDeps, connection: ProcessorConnection): Processor {
  const { connectionId, companyId, mode, credentials } = connection;
  if (connectionId === null) throw new Error('bank transfers require a connection');
  const account = { connectionId, companyId, mode, settings: parseBankTransferSettings(credentials) };
  return {
    name,
    refuseCard: () => 'unsupported_test_card',
    authorise: async (request) => await authorise(deps, account, request),
    query: async (request) => await query(deps, account, request),
    capture: async () => {
      throw new Error('bank transfers need no capture');
    },
    cancel: async (request) => await cancel(deps, account, request),
    refund: async (request) => await refund(deps, account, request),
    list: async (request) => await list(deps, account, request),
    instruct: async (request) => await instruct(deps, account, request),
  };
}

export function createBankTransfer(deps: BankTransferDeps): ProcessorKind {
  return {
    name,
    title: 'Bank transfer',
    takes: 'transfer',
    modes: ['test', 'live'],
    currencies: ['EUR'],
    // The longest that any connection allows. Each transfer expires by the days of its own connection.
    actionLifeMs: (maxDaysToPay + graceDays) * dayMs,
    mayOutliveLink: true,
    followsTestClock: true,
    fields: bankTransferFields,
    check: async ({ credentials }) => checkBankTransferSettings(credentials),
    connect: (connection) => bind(deps, connection),
    readNotice: null,
  };
}
