// The only module that writes the state of a booking. Each transition is one guarded statement. The caller counts the
// money towards a transfer in the same transaction, once.

import type { TenantTx } from '../db/database.ts';
import type { LineReason } from './store.ts';

type LineTarget = { attemptId?: string | null; refundId?: string | null };

/** False if it was matched or resolved by somebody else. */
export async function matchLine(
  tx: TenantTx,
  lineId: string,
  match: LineTarget & {
    isCredited: boolean;
    by: 'reference' | 'person';
    actor: string;
    note?: string;
    at: Date;
  },
): Promise<boolean> {
  const { attemptId = null, refundId = null, isCredited, by, actor, at, note = null } = match;
  const rows = await tx.query(
    `update bank_lines set state = 'matched', reason = null, attempt_id = $3, refund_id = $4, is_credited = $5,
            matched_by = $6, resolved_by = $7, resolved_at = $8, note = $9
     where company_id = $1 and line_id = $2 and state in ('new', 'review', 'ignored') and not is_credited
     returning line_id`,
    [tx.companyId, lineId, attemptId, refundId, isCredited, by, actor, at, note],
  );
  return rows.length === 1;
}

export async function classifyLine(
  tx: TenantTx,
  lineId: string,
  put: LineTarget & { state: 'review' | 'ignored'; reason: LineReason },
): Promise<void> {
  await tx.query(
    `update bank_lines set state = $3, reason = $4, attempt_id = $5, refund_id = $6
     where company_id = $1 and line_id = $2 and state = 'new'`,
    [tx.companyId, lineId, put.state, put.reason, put.attemptId ?? null, put.refundId ?? null],
  );
}

/** Its money can't be assigned. */
export async function reopenLine(tx: TenantTx, lineId: string, reason: LineReason): Promise<void> {
  await tx.query(
    `update bank_lines set state = 'review', reason = $3
     where company_id = $1 and line_id = $2 and state = 'matched'`,
    [tx.companyId, lineId, reason],
  );
}

/** False if the booking was not waiting. */
export async function dismissLine(
  tx: TenantTx,
  lineId: string,
  dismissal: { actor: string; note: string; at: Date },
): Promise<boolean> {
  const rows = await tx.query(
    `update bank_lines set state = 'resolved', resolved_by = $3, resolved_at = $4, note = $5
     where company_id = $1 and line_id = $2 and state in ('review', 'ignored')
     returning line_id`,
    [tx.companyId, lineId, dismissal.actor, dismissal.at, dismissal.note],
  );
  return rows.length === 1;
}
