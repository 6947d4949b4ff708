// Resolves a booking or a refund by a person's decision, stored with its actor. Must not count money twice, or assign a
// booking to two payments, whoever requests it.

import type { Clock } from '../base/clock.ts';
import { parseReference } from '../base/creditor-reference.ts';
import { errors, invalidField } from '../base/errors.ts';
import type { TenantTx } from '../db/database.ts';
import { appendEvent } from '../events/append-event.ts';
import { findRefund } from '../payments/refund-store.ts';
import {
  type BankRefund,
  endBankRefund,
  findBankRefund,
  listBankRefundsByReference,
} from '../processors/bank-transfer/refund-store.ts';
import { findTransfer, listTransfersByReference } from '../processors/bank-transfer/transfer-store.ts';
import type { Mode } from '../processors/processor.ts';
import { confirmRefund, creditLine, type MatchSource } from './credit-line.ts';
import { canCredit } from './decide-line.ts';
import { dismissLine } from './line-states.ts';
import { applyMatch, type MatchDeps, type MatchedPayment } from './match-lines.ts';
import { type BankLine, findLine, lockLine } from './store.ts';

export type LineResolution =
  | { action: 'match'; reference: string; note?: string }
  | { action: 'dismiss'; note: string };

type ResolutionCaller = { companyId: string; mode: Mode; actor: string };

function refuseUnknownReference(direction: BankLine['direction']): never {
  const whose = direction === 'credit' ? 'a requested transfer' : 'a waiting refund';
  throw invalidField('reference', 'unknown_reference', `This must be the reference of ${whose}.`);
}

/** Matches a booking by hand. Returns what payments must apply. Throws if the match is impossible. */
async function matchManually(
  tx: TenantTx,
  line: BankLine,
  wanted: string,
  matcher: MatchSource,
): Promise<MatchedPayment> {
  const { mode, direction, isBooked, isReturn, amountMinor, currency } = line;
  if (!isBooked || amountMinor === null || currency !== 'EUR' || (isReturn && direction === 'credit'))
    throw invalidField(
      'action',
      'not_allowed',
      'This line is not a booked payment in euros. You can only dismiss it.',
    );
  const reference = parseReference(wanted) ?? refuseUnknownReference(direction);
  if (direction === 'credit') {
    const [transfer] = await listTransfersByReference(tx, mode, [reference]);
    if (!transfer) refuseUnknownReference(direction);
    if (!canCredit(transfer, line))
      throw invalidField(
        'action',
        'not_allowed',
        'No transfer can have this amount. You can only dismiss this line.',
      );
    await creditLine(tx, line, transfer, matcher);
    return { attemptId: transfer.attemptId };
  }
  const [refund] = await listBankRefundsByReference(tx, mode, [reference]);
  if (!refund) refuseUnknownReference(direction);
  if (refund.amountMinor !== amountMinor)
    throw invalidField(
      'reference',
      'amount_differs',
      'The refund has another amount than this line. Check the reference.',
    );
  if (!(await confirmRefund(tx, line, refund, matcher))) throw errors.bankRefundEnded();
  return { refundId: refund.refundId };
}

/** Whether the same decision was made before, by a request whose response was lost. */
async function isRepeat(
  tx: TenantTx,
  line: BankLine,
  resolution: LineResolution,
  actor: string,
): Promise<boolean> {
  if (line.resolvedBy !== actor) return false;
  if (resolution.action === 'dismiss') return line.state === 'resolved' && line.note === resolution.note;
  if (line.state !== 'matched') return false;
  const reference = parseReference(resolution.reference);
  const transfer = line.attemptId === null ? null : await findTransfer(tx, line.attemptId);
  const refund = line.refundId === null ? null : await findBankRefund(tx, line.refundId);
  return reference !== null && [transfer?.reference, refund?.reference].includes(reference);
}

async function take(
  deps: { clock: Clock },
  tx: TenantTx,
  line: BankLine,
  resolution: LineResolution,
  actor: string,
): Promise<MatchedPayment> {
  const { lineId, mode } = line;
  const at = deps.clock.now();
  let news: MatchedPayment = {};
  if (resolution.action === 'dismiss') await dismissLine(tx, lineId, { actor, note: resolution.note, at });
  else {
    const note = resolution.note === undefined ? {} : { note: resolution.note };
    news = await matchManually(tx, line, resolution.reference, { by: 'person', actor, at, ...note });
  }
  const data = { lineId, mode, ...resolution, ...news };
  await appendEvent(tx, { type: 'bank.line_resolved', isPublic: false, actor, data, at });
  return news;
}

/** May be repeated. Throws `not_found`, `line_not_waiting`, `bank_refund_ended` or `invalid_fields`. */
export async function resolveLine(
  deps: MatchDeps,
  caller: ResolutionCaller,
  { lineId, resolution }: { lineId: string; resolution: LineResolution },
): Promise<BankLine> {
  const { mode, actor } = caller;
  const news = await deps.db.inTenant(caller, async (tx) => {
    const line = await lockLine(tx, lineId);
    if (line?.mode !== mode) throw errors.notFound();
    if (await isRepeat(tx, line, resolution, actor)) return {};
    const isWaiting = line.state === 'review' || line.state === 'ignored';
    if (!isWaiting || (resolution.action === 'match' && line.isCredited)) throw errors.lineNotWaiting();
    // If this process dies now, the worker updates the payment: the transfer is unsettled, and due soon.
    return await take(deps, tx, line, resolution, actor);
  });
  await applyMatch(deps, caller, news);
  const line = await deps.db.inTenant(caller, async (tx) => await findLine(tx, lineId));
  if (!line) throw errors.notFound();
  return line;
}

export type RefundResolution = { outcome: 'sent' | 'not_sent'; note: string };

const endOf = { sent: 'sent', not_sent: 'failed' } as const;

async function resolveTransferManually(
  deps: { clock: Clock },
  tx: TenantTx,
  { refundId }: BankRefund,
  { outcome, note }: RefundResolution,
  actor: string,
): Promise<void> {
  const at = deps.clock.now();
  const known = await findRefund(tx, refundId);
  if (outcome === 'not_sent' && known?.kind === 'surplus')
    throw invalidField(
      'outcome',
      'not_allowed',
      'An overpayment must be sent back to the customer. Send it, then resolve the refund as sent.',
    );
  if (!(await endBankRefund(tx, { refundId, to: endOf[outcome], lineId: null, endedBy: actor, note, at })))
    throw errors.bankRefundEnded();
  const data = { refundId, outcome, note };
  await appendEvent(tx, { type: 'bank.refund_resolved', isPublic: false, actor, data, at });
}

/** The refund was sent, or will not be. May be repeated. Throws `not_found`, `bank_refund_ended`, `invalid_fields`. */
export async function resolveRefund(
  deps: MatchDeps,
  caller: ResolutionCaller,
  { refundId, resolution }: { refundId: string; resolution: RefundResolution },
): Promise<BankRefund> {
  const { mode, actor } = caller;
  const find = async (tx: TenantTx) => {
    const refund = await findBankRefund(tx, refundId);
    const transfer = refund && (await findTransfer(tx, refund.attemptId));
    if (!refund || transfer?.mode !== mode) throw errors.notFound();
    return refund;
  };
  await deps.db.inTenant(caller, async (tx) => {
    const refund = await find(tx);
    const isRepeat =
      refund.endedBy === actor &&
      refund.note === resolution.note &&
      refund.state === endOf[resolution.outcome];
    if (!isRepeat) await resolveTransferManually(deps, tx, refund, resolution, actor);
  });
  await applyMatch(deps, caller, { refundId });
  return await deps.db.inTenant(caller, find);
}
