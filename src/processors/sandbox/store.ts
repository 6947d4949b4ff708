// The sandbox's own records: one row per idempotency key. All its SQL is here.

import type { TenantTx } from '../../db/database.ts';
import type { BalanceTransaction, DeclineCode } from '../processor.ts';

export type ChargeState = 'challenge' | 'pending' | 'succeeded' | 'declined' | 'void';

export type SandboxCharge = {
  idempotencyKey: string;
  reference: string;
  state: ChargeState;
  afterChallenge: 'succeeded' | 'declined' | null;
  declineCode: DeclineCode | null;
  amountMinor: number;
  currency: string;
  returnUrl: string | null;
  merchantName: string | null;
  locale: string | null;
  settlesAt: Date | null;
};

const columns = `idempotency_key as "idempotencyKey", reference, state, after_challenge as "afterChallenge",
  decline_code as "declineCode", amount_minor as "amountMinor", currency, return_url as "returnUrl",
  merchant_name as "merchantName", locale, settles_at as "settlesAt"`;

export type NewSandboxCharge = SandboxCharge & { createdAt: Date };

/** Inserts charges, except those whose key exists. Returns the stored ones, in the order of the input. */
export async function insertCharges(
  tx: TenantTx,
  charges: readonly NewSandboxCharge[],
): Promise<{ charge: SandboxCharge; isNew: boolean }[]> {
  const all = <Value>(read: (charge: NewSandboxCharge) => Value) => charges.map(read);
  const inserted = await tx.query<{ reference: string }>(
    `insert into sandbox_charges (company_id, idempotency_key, reference, state, after_challenge, decline_code,
                                  amount_minor, currency, return_url, merchant_name, locale, settles_at, created_at)
     select $1, idempotency_key, reference, state, after_challenge, decline_code, amount_minor, currency,
            return_url, merchant_name, locale, settles_at, created_at
     from unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::bigint[], $8::text[], $9::text[],
                 $10::text[], $11::text[], $12::timestamptz[], $13::timestamptz[])
       as new (idempotency_key, reference, state, after_challenge, decline_code, amount_minor, currency,
               return_url, merchant_name, locale, settles_at, created_at)
     on conflict (company_id, mode, idempotency_key) do nothing
     returning reference`,
    [
      tx.companyId,
      all(({ idempotencyKey }) => idempotencyKey),
      all(({ reference }) => reference),
      all(({ state }) => state),
      all(({ afterChallenge }) => afterChallenge),
      all(({ declineCode }) => declineCode),
      all(({ amountMinor }) => amountMinor),
      all(({ currency }) => currency),
      all(({ returnUrl }) => returnUrl),
      all(({ merchantName }) => merchantName),
      all(({ locale }) => locale),
      all(({ settlesAt }) => settlesAt),
      all(({ createdAt }) => createdAt),
    ],
  );
  const written = new Set(inserted.map(({ reference }) => reference));
  const existing: { charge: SandboxCharge; isNew: boolean }[] = [];
  for (const { createdAt: _, ...charge } of charges) {
    const isNew = written.has(charge.reference);
    const found = isNew ? charge : await findSandboxCharge(tx, charge.idempotencyKey);
    if (!found) throw new Error('a charge is neither new nor there');
    existing.push({ charge: found, isNew });
  }
  return existing;
}

/** `insertCharges` for a single one. */
export async function insertCharge(
  tx: TenantTx,
  charge: NewSandboxCharge,
): Promise<{ charge: SandboxCharge; isNew: boolean }> {
  const [inserted] = await insertCharges(tx, [charge]);
  if (!inserted) throw new Error('a charge is neither new nor there');
  return inserted;
}

export async function findSandboxCharge(tx: TenantTx, idempotencyKey: string): Promise<SandboxCharge | null> {
  const [charge] = await tx.query<SandboxCharge>(
    `select ${columns} from sandbox_charges where company_id = $1 and idempotency_key = $2`,
    [tx.companyId, idempotencyKey],
  );
  return charge ?? null;
}

/** The same, locked until the transaction ends, so that refunds of it are counted one at a time. */
export async function lockCharge(tx: TenantTx, idempotencyKey: string): Promise<SandboxCharge | null> {
  const [charge] = await tx.query<SandboxCharge>(
    `select ${columns} from sandbox_charges where company_id = $1 and idempotency_key = $2 for update`,
    [tx.companyId, idempotencyKey],
  );
  return charge ?? null;
}

export async function findChargeByReference(tx: TenantTx, reference: string): Promise<SandboxCharge | null> {
  const [charge] = await tx.query<SandboxCharge>(
    `select ${columns} from sandbox_charges where company_id = $1 and reference = $2`,
    [tx.companyId, reference],
  );
  return charge ?? null;
}

/** Moves a charge that is still in `from`; null when it was moved before. */
export async function moveCharge(
  tx: TenantTx,
  move: { idempotencyKey: string; from: ChargeState; to: ChargeState; declineCode?: DeclineCode },
): Promise<SandboxCharge | null> {
  const [charge] = await tx.query<SandboxCharge>(
    `update sandbox_charges set state = $4, decline_code = coalesce($5, decline_code)
     where company_id = $1 and idempotency_key = $2 and state = $3
     returning ${columns}`,
    [tx.companyId, move.idempotencyKey, move.from, move.to, move.declineCode ?? null],
  );
  return charge ?? null;
}

export type SandboxRefund = {
  idempotencyKey: string;
  chargeReference: string;
  reference: string;
  state: 'succeeded' | 'failed';
  amountMinor: number;
  currency: string;
};

const refundColumns = `idempotency_key as "idempotencyKey", charge_reference as "chargeReference", reference, state,
  amount_minor as "amountMinor", currency`;

/** Inserts a refund unless its key exists, and returns the stored one. */
export async function insertSandboxRefund(
  tx: TenantTx,
  refund: SandboxRefund,
  at: Date,
): Promise<SandboxRefund> {
  await tx.query(
    `insert into sandbox_refunds (company_id, idempotency_key, charge_reference, reference, state, amount_minor, currency, created_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8) on conflict (company_id, mode, idempotency_key) do nothing`,
    [
      tx.companyId,
      refund.idempotencyKey,
      refund.chargeReference,
      refund.reference,
      refund.state,
      refund.amountMinor,
      refund.currency,
      at,
    ],
  );
  const [existing] = await tx.query<SandboxRefund>(
    `select ${refundColumns} from sandbox_refunds where company_id = $1 and idempotency_key = $2`,
    [tx.companyId, refund.idempotencyKey],
  );
  if (!existing) throw new Error('a refund is neither new nor there');
  return existing;
}

/** How much of a charge was refunded. */
export async function sumRefunds(tx: TenantTx, chargeReference: string): Promise<number> {
  const [row] = await tx.query<{ refundedMinor: number }>(
    `select coalesce(sum(amount_minor), 0)::bigint as "refundedMinor" from sandbox_refunds
     where company_id = $1 and charge_reference = $2 and state = 'succeeded'`,
    [tx.companyId, chargeReference],
  );
  return row?.refundedMinor ?? 0;
}

/** The sandbox's movements, in the order of its keys, after `after`. */
export async function listSandboxTransactions(
  tx: TenantTx,
  page: { from: Date; until: Date; after: string; limit: number },
): Promise<BalanceTransaction[]> {
  return await tx.query<BalanceTransaction>(
    `select kind, key, reference, "amountMinor", currency from (
       select 'charge' as kind, idempotency_key as key, reference, amount_minor as "amountMinor", currency
       from sandbox_charges
       where company_id = $1 and state = 'succeeded' and created_at >= $2 and created_at < $3 and idempotency_key > $4
       union all
       select 'refund', idempotency_key, reference, amount_minor, currency
       from sandbox_refunds
       where company_id = $1 and state = 'succeeded' and created_at >= $2 and created_at < $3 and idempotency_key > $4
     ) moved order by key limit $5`,
    [tx.companyId, page.from, page.until, page.after, page.limit],
  );
}
