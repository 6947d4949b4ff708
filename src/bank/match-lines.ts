// Matches the lines of statements with what customers were asked to send: each line in a transaction of its own,
// so that one that can't be dealt with holds up no other. Run by a job that the import enqueues, and again until
// no line is new; a crash at any point leaves nothing that the next run does not finish.

import { type Mode, modes, type TenantScope, type TenantTx } from '../db/database.ts';
import { listBankRefundsByReference } from '../processors/bank-transfer/refund-store.ts';
import {
  listAccounts,
  listTransfersByReference,
  listUnsettled,
} from '../processors/bank-transfer/transfer-store.ts';
import { type RefundDeps, RefundNotSettledYet, reconcileRefund } from '../refunds/refund-payment.ts';
import { confirmRefund, creditLine } from './credit-line.ts';
import { judgeLine, mayBeDuplicate, type Verdict } from './judge-line.ts';
import { putLineOn } from './line-states.ts';
import { settleTransfer } from './settle-transfer.ts';
import { type BankLine, listCreditedLines, listNewLines, lockLine } from './store.ts';
import { tellMerchant } from './tell-merchant.ts';

export type MatchDeps = RefundDeps;

/** What payments are to be told once the transaction of a line is committed. */
export type News = { attemptId?: string; refundId?: string };

/** Lines in one run: it ends well within a job's lease. */
export const batchSize = 200;
const actor = 'bank';

async function judge(tx: TenantTx, line: BankLine): Promise<Verdict> {
  const { mode, foundReferences } = line;
  const transfers = await listTransfersByReference(tx, mode, foundReferences);
  const refunds = await listBankRefundsByReference(tx, mode, foundReferences);
  const accounts = new Set(await listAccounts(tx, mode));
  const verdict = judgeLine(line, { transfers, refunds, accounts });
  if (verdict.kind !== 'credit') return verdict;
  const { attemptId } = verdict.transfer;
  if (!mayBeDuplicate(line, await listCreditedLines(tx, attemptId))) return verdict;
  return { kind: 'put', state: 'review', reason: 'maybe_duplicate', attemptId, refundId: null };
}

async function put(
  tx: TenantTx,
  line: BankLine,
  verdict: Verdict & { kind: 'put' },
  at: Date,
): Promise<void> {
  const { lineId, amountMinor, currency } = line;
  const { attemptId, refundId, reason, state } = verdict;
  await putLineOn(tx, lineId, verdict);
  if (state !== 'review' || attemptId === null) return;
  const data = { lineId, reason, amountMinor, currency, ...(refundId ? { refundId } : {}) };
  await tellMerchant(tx, { type: 'payment.transfer_review', attemptId, actor, data, at });
}

async function matchInside(tx: TenantTx, lineId: string, at: Date): Promise<News> {
  const line = await lockLine(tx, lineId);
  if (line?.state !== 'new') return {};
  const verdict = await judge(tx, line);
  const matcher = { by: 'reference', actor, at } as const;
  if (verdict.kind === 'put') {
    await put(tx, line, verdict, at);
    return {};
  }
  if (verdict.kind === 'credit') {
    await creditLine(tx, line, verdict.transfer, matcher);
    return { attemptId: verdict.transfer.attemptId };
  }
  const { refund } = verdict;
  if (await confirmRefund(tx, line, refund, matcher)) return { refundId: refund.refundId };
  // Somebody else was first; then this one says that it was sent twice.
  const { refundId, attemptId } = refund;
  const twice = { kind: 'put', state: 'review', reason: 'refund_not_waiting', refundId, attemptId } as const;
  await put(tx, line, twice, at);
  return {};
}

/** Tells payments what a transaction of the bank's lines has made true. */
export async function tellPayments(deps: MatchDeps, scope: TenantScope, news: News): Promise<void> {
  const { attemptId, refundId } = news;
  if (attemptId) await settleTransfer(deps, { ...scope, attemptId });
  if (!refundId) return;
  try {
    await reconcileRefund(deps, { companyId: scope.companyId, refundId });
  } catch (error) {
    // Its own job asks again.
    if (!(error instanceof RefundNotSettledYet)) throw error;
  }
}

/**
 * Matches new lines of a company, at most `batchSize`, and settles what was left unsettled. Enqueues itself while
 * there are more. Throws when a line or a transfer could not be dealt with, after all the others.
 */
export async function matchBankLines(
  deps: MatchDeps,
  job: { companyId: string; mode?: Mode },
): Promise<void> {
  const { companyId, mode } = job;
  for (const each of mode ? [mode] : modes) await matchOf(deps, { companyId, mode: each });
}

async function matchOf(deps: MatchDeps, scope: TenantScope): Promise<void> {
  const { companyId, mode } = scope;
  const { inTenant } = deps.db;
  const faults: unknown[] = [];
  const each = async (ids: readonly string[], run: (id: string) => Promise<void>) => {
    for (const id of ids) {
      try {
        await run(id);
      } catch (err) {
        deps.log.warn({ companyId, id, err }, 'a bank line or transfer could not be dealt with');
        faults.push(err);
      }
    }
  };
  const lineIds = await inTenant(scope, async (tx) => await listNewLines(tx, batchSize));
  await each(lineIds, async (lineId) => {
    const at = deps.clock.now();
    await tellPayments(deps, scope, await inTenant(scope, (tx) => matchInside(tx, lineId, at)));
  });
  const unsettled = await inTenant(scope, async (tx) => await listUnsettled(tx, batchSize));
  await each(unsettled, async (attemptId) => await settleTransfer(deps, { ...scope, attemptId }));
  if (faults.length > 0)
    throw new AggregateError(faults, `${faults.length} bank lines could not be dealt with`);
  if (lineIds.length < batchSize && unsettled.length < batchSize) return;
  await inTenant(scope, (tx) =>
    deps.jobs.enqueue(tx, 'match-bank-lines', { companyId, mode }, { afterSeconds: 0 }),
  );
}
