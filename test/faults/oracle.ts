// Finds faults after a run by comparing independent sources: responses to clients, the journals of the acquirer and of
// the webhook receiver, and the database. It never asks the service and never repairs anything. Run it when nothing is
// in progress.

import type { Database } from '../../src/db/database.ts';
import { verifyLedger } from '../../src/ledger/verify-ledger.ts';
import {
  type ChargeLine,
  chargesOf,
  type JournalLine,
  type RefundLine,
  refundsOf,
  reversedIn,
} from '../acquirer/journal.ts';
import type { Received } from '../receiver/journal.ts';
import { checkArrivals } from './oracle-arrivals.ts';
import { checkHistories } from './oracle-histories.ts';

/** A response to a client, which must stay true. */
export type ClientReport =
  | { kind: 'link'; code: string; orderId: string; amountMinor: number; currency: string }
  | { kind: 'paid' | 'failed'; code: string }
  | { kind: 'refund'; refundId: string; state: string };

type PaymentRow = {
  paymentId: string;
  companyId: string;
  code: string;
  orderId: string;
  state: string;
  amountMinor: number;
  currency: string;
};
type AttemptRow = { attemptId: string; paymentId: string; state: string };
type RefundRow = {
  refundId: string;
  attemptId: string;
  kind: string;
  state: string;
  amountMinor: number;
  currency: string;
};

type StoredRecords = {
  payments: Map<string, PaymentRow>;
  attempts: Map<string, AttemptRow>;
  refunds: Map<string, RefundRow>;
};
type OracleEvidence = StoredRecords & {
  charges: ChargeLine[];
  refundedMinor: Map<string, RefundLine>;
};

function keyed<T>(rows: T[], keyOf: (row: T) => string): Map<string, T> {
  return new Map(rows.map((row) => [keyOf(row), row]));
}

async function readRecords(db: Database): Promise<StoredRecords> {
  const payments = await db.asOwner.query<PaymentRow>(
    `select payment_id as "paymentId", company_id as "companyId", code, customer_order_id as "orderId", state,
            amount_minor as "amountMinor", currency from payments`,
  );
  const attempts = await db.asOwner.query<AttemptRow>(
    'select attempt_id as "attemptId", payment_id as "paymentId", state from attempts',
  );
  const refunds = await db.asOwner.query<RefundRow>(
    `select refund_id as "refundId", attempt_id as "attemptId", kind, state, amount_minor as "amountMinor", currency
     from refunds`,
  );
  return {
    payments: keyed(payments, ({ code }) => code),
    attempts: keyed(attempts, ({ attemptId }) => attemptId),
    refunds: keyed(refunds, ({ refundId }) => refundId),
  };
}

/** Checks that everything acknowledged is stored unchanged. Only a refund may fail after it succeeded. */
function checkReports(
  reports: readonly ClientReport[],
  records: StoredRecords,
  reversed: ReadonlySet<string>,
): string[] {
  return reports.flatMap((report) => {
    if (report.kind === 'refund') {
      const refund = records.refunds.get(report.refundId);
      if (!refund) return [`refund ${report.refundId} was acknowledged and is not stored`];
      const isFinal =
        report.state === 'failed' || (report.state === 'succeeded' && !reversed.has(report.refundId));
      return isFinal && refund.state !== report.state
        ? [`refund ${report.refundId} was reported as ${report.state} and is ${refund.state}`]
        : [];
    }
    const payment = records.payments.get(report.code);
    if (!payment) return [`link ${report.code} was acknowledged and is not stored`];
    if (report.kind !== 'link')
      return payment.state === report.kind
        ? []
        : [`link ${report.code} was reported as ${report.kind} and is ${payment.state}`];
    const isSame =
      payment.orderId === report.orderId &&
      payment.amountMinor === report.amountMinor &&
      payment.currency === report.currency;
    return isSame ? [] : [`link ${report.code} is stored with another order or amount than reported`];
  });
}

/** The link code of a charge, from the return URL that the acquirer received. */
function codeOf(charge: ChargeLine): string {
  return /\/pay\/([^/]+)\/return$/.exec(charge.about)?.[1] ?? '';
}

/** Whether a charge was refunded in full as an overpayment. A merchant's refund doesn't count. */
function isFullyRefunded(charge: ChargeLine, evidence: OracleEvidence): boolean {
  const back = [...evidence.refundedMinor.values()].filter(
    ({ key, chargeKey }) => chargeKey === charge.key && evidence.refunds.get(key)?.kind === 'surplus',
  );
  return back.reduce((sum, { amountMinor }) => sum + amountMinor, 0) === charge.amountMinor;
}

/** Checks for at most one kept charge for each link and order, and paid only if captured with the same amount. */
function checkCaptures(evidence: OracleEvidence): string[] {
  const faults: string[] = [];
  const keptByCode = new Map<string, ChargeLine[]>();
  const keptByOrder = new Map<string, number>();
  for (const charge of evidence.charges) {
    const code = codeOf(charge);
    const payment = evidence.payments.get(code);
    const attempt = evidence.attempts.get(charge.key);
    if (!payment) faults.push(`charge ${charge.key} is for a link that is not stored`);
    if (!attempt) faults.push(`charge ${charge.key} was made under a key that no attempt has`);
    if (isFullyRefunded(charge, evidence)) continue;
    keptByCode.set(code, [...(keptByCode.get(code) ?? []), charge]);
    if (payment) keptByOrder.set(payment.orderId, (keptByOrder.get(payment.orderId) ?? 0) + 1);
    if (attempt && attempt.state !== 'succeeded')
      faults.push(
        `charge ${charge.key} was kept though its attempt is ${attempt.state}: an overpayment was not refunded`,
      );
  }
  for (const [orderId, count] of keptByOrder)
    if (count > 1) faults.push(`order ${orderId} was captured ${count} times`);
  for (const payment of evidence.payments.values()) {
    const kept = keptByCode.get(payment.code) ?? [];
    if (kept.length > 1) faults.push(`link ${payment.code} was captured ${kept.length} times`);
    if (payment.state === 'paid' && kept.length === 0)
      faults.push(`link ${payment.code} is paid and nothing was captured`);
    if (payment.state !== 'paid' && kept.length > 0)
      faults.push(`link ${payment.code} is ${payment.state} and was captured`);
    for (const { amountMinor, currency } of kept)
      if (amountMinor !== payment.amountMinor || currency !== payment.currency)
        faults.push(
          `link ${payment.code} asks for ${payment.amountMinor} ${payment.currency} and ${amountMinor} ${currency} was captured`,
        );
  }
  return faults;
}

/** Checks that stored refunds and the acquirer's refunds match. */
function checkRefunds(evidence: OracleEvidence): string[] {
  const faults: string[] = [];
  for (const refund of evidence.refunds.values()) {
    const made = evidence.refundedMinor.get(refund.refundId);
    if (refund.state === 'succeeded' && !made)
      faults.push(`refund ${refund.refundId} succeeded and was not made`);
    if (!made) continue;
    if (refund.state !== 'succeeded')
      faults.push(`refund ${refund.refundId} is ${refund.state} and was made`);
    if (made.amountMinor !== refund.amountMinor || made.currency !== refund.currency)
      faults.push(`refund ${refund.refundId} was made with another amount`);
    if (made.chargeKey !== refund.attemptId)
      faults.push(`refund ${refund.refundId} was made of another charge than its attempt's`);
  }
  for (const charge of evidence.charges) {
    const back = [...evidence.refundedMinor.values()].filter(({ chargeKey }) => chargeKey === charge.key);
    const sum = back.reduce((total, { amountMinor }) => total + amountMinor, 0);
    if (sum > charge.amountMinor)
      faults.push(`charge ${charge.key} took ${charge.amountMinor} and refunded ${sum}`);
  }
  for (const { key } of evidence.refundedMinor.values())
    if (!evidence.refunds.has(key)) faults.push(`the acquirer made a refund ${key} that is not stored`);
  return faults;
}

/** Checks the ledger against payments, and its processor account against the acquirer's journal, by currency. */
async function checkLedger(db: Database, evidence: OracleEvidence): Promise<string[]> {
  const faults: string[] = [];
  for (const companyId of new Set([...evidence.payments.values()].map((payment) => payment.companyId))) {
    const found = await db.inBothModes(companyId, verifyLedger);
    faults.push(...found.map(({ fault, sourceId }) => `ledger of ${companyId}: ${fault} (${sourceId})`));
  }
  const balances = await db.asOwner.query<{ currency: string; balance: number }>(
    `select currency, sum(case 'processor' when debit_account then amount_minor when credit_account then -amount_minor
            else 0 end)::bigint as balance from ledger_entries group by currency`,
  );
  const moved = new Map<string, number>();
  for (const { currency, amountMinor } of evidence.charges)
    moved.set(currency, (moved.get(currency) ?? 0) + amountMinor);
  for (const { currency, amountMinor } of evidence.refundedMinor.values())
    moved.set(currency, (moved.get(currency) ?? 0) - amountMinor);
  const posted = new Map(balances.map(({ currency, balance }) => [currency, Number(balance)]));
  for (const currency of new Set([...moved.keys(), ...posted.keys()]))
    if ((moved.get(currency) ?? 0) !== (posted.get(currency) ?? 0))
      faults.push(
        `the ledger says that the acquirer owes ${posted.get(currency) ?? 0} ${currency}, its journal ${moved.get(currency) ?? 0}`,
      );
  return faults;
}

/** All faults, as sentences. */
export async function findFaults(sources: {
  db: Database;
  reports: readonly ClientReport[];
  journal: readonly JournalLine[];
  /** The messages at a receiver subscribed to all events, if there is one. */
  received?: readonly Received[];
}): Promise<string[]> {
  const records = await readRecords(sources.db);
  const evidence: OracleEvidence = {
    ...records,
    charges: [...chargesOf(sources.journal).values()].filter(({ state }) => state === 'charged'),
    refundedMinor: new Map(
      [...refundsOf(sources.journal)].filter(([, refund]) => refund.state === 'refunded'),
    ),
  };
  return [
    ...checkReports(sources.reports, records, reversedIn(sources.journal)),
    ...checkCaptures(evidence),
    ...checkRefunds(evidence),
    ...(await checkLedger(sources.db, evidence)),
    ...(await checkHistories(sources.db)),
    ...(sources.received ? await checkArrivals(sources.db, sources.received) : []),
  ];
}
