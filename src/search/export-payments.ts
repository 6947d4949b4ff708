// Exports all payments that pass a filter, as CSV or as lines of JSON, in batches: each batch is a short transaction,
// and the next one is read when the reader has taken the last. Must not hold more than two batches in memory, nor end
// normally if it is incomplete.

import { Readable } from 'node:stream';
import type { Clock } from '../base/clock.ts';
import { csvLine } from '../base/csv.ts';
import { toDecimalText } from '../base/money.ts';
import type { Database, TenantScope } from '../db/database.ts';
import { appendEvent } from '../events/append-event.ts';
import type { Principal } from '../http/authentication.ts';
import { actorOf } from '../http/roles.ts';
import { presentPayment } from '../payments/present-payment.ts';
import type { PaymentWithAttempts } from '../payments/presented-store.ts';
import type { PaymentResponse } from '../payments/schema.ts';
import { prepareSearch, readScanPage } from './find-payments.ts';
import type { ParsedQuery, PaymentSearch } from './payment-query.ts';
import type { SearchPosition } from './store.ts';

const batchSize = 1_000;
/** How much is read ahead of a slow reader. */
const maxBufferedBytes = 64 * 1024;
/** Characters of a chunk; small, so that the progress of a slow reader is visible. */
const pieceLength = 16 * 1024;

export type ExportFormat = 'csv' | 'ndjson';

type ExportedField = Exclude<
  keyof PaymentResponse,
  'responseCode' | 'responseMessage' | 'refunds' | 'attempts'
>;

/** The columns of a CSV, in order, by their API names. */
const columns = [
  'PaymentLinkCode',
  'customerOrderId',
  'status',
  'amount',
  'currency',
  'refundedAmount',
  'CreatedOn',
  'expiresAt',
  'email',
  'firstName',
  'lastName',
  'phone',
  'country',
  'description',
  'locale',
  'metadata',
  'mode',
  'success_url',
  'failure_url',
  'PaymentLink',
  'version',
  'createdAt',
  'paymentLinkCode',
  'paidAt',
  'method',
  'fee',
  'lastDecline',
] as const satisfies readonly ExportedField[];

/** The fields of a line of JSON: those of a CSV, and lists, which a cell of a table cannot hold. */
const fields = [...columns, 'items', 'taxes'] as const satisfies readonly ExportedField[];

type ExportRow = Record<ExportedField, unknown>;

function rowOf(payment: PaymentWithAttempts, baseUrl: string): ExportRow {
  const shown = presentPayment(payment, { baseUrl, message: '' });
  return {
    ...(Object.fromEntries(fields.map((name) => [name, shown[name]])) as Pick<
      ExportRow,
      (typeof fields)[number]
    >),
    // As text: a program might parse a number as a binary fraction.
    amount: toDecimalText(payment.amountMinor, payment.currency),
    refundedAmount: toDecimalText(payment.refundedMinor, payment.currency),
  };
}

const writers: Readonly<Record<ExportFormat, { head: string; line: (row: ExportRow) => string }>> = {
  // Without the mark, spreadsheets assume the encoding of their country.
  csv: { head: `\uFEFF${csvLine(columns)}`, line: (row) => csvLine(columns.map((name) => row[name])) },
  ndjson: { head: '', line: (row) => `${JSON.stringify(row)}\n` },
};

export type ExportRequest = TenantScope & { query: ParsedQuery; format: ExportFormat; baseUrl: string };

async function* writeBatches(
  db: Database,
  request: ExportRequest,
  isOver: () => boolean,
): AsyncGenerator<string> {
  const { query, baseUrl } = request;
  const { head, line } = writers[request.format];
  let lines = head;
  let after: SearchPosition | null = null;
  // The same for all batches, whatever is filled meanwhile.
  let search: PaymentSearch | undefined;
  do {
    const page = await db.inTenant(request, async (tx) => {
      search ??= await prepareSearch(tx, query);
      return await readScanPage(tx, search, { after, limit: batchSize });
    });
    for (const payment of page.payments) {
      lines += line(rowOf(payment, baseUrl));
      if (lines.length < pieceLength) continue;
      yield lines;
      lines = '';
    }
    // A filter may pass nothing for long. Then the reader has nothing to take, and may have disconnected.
    if (lines !== '') yield lines;
    lines = '';
    after = page.next;
  } while (after !== null && !isOver());
}

/** The export as a stream of UTF-8. An error of the database destroys it. */
export function exportPayments(db: Database, request: ExportRequest): Readable {
  const stream: Readable = Readable.from(
    writeBatches(db, request, () => stream.destroyed),
    { objectMode: false, highWaterMark: maxBufferedBytes },
  );
  return stream;
}

/**
 * Records in the audit log that somebody exports payments, before the first byte is sent. Only the names of the
 * filters: their values may be personal data, and events are never deleted.
 */
export async function recordExport(
  deps: { db: Database; clock: Clock },
  caller: Principal,
  data: { format: ExportFormat; filters: readonly string[] },
): Promise<void> {
  const at = deps.clock.now();
  const actor = actorOf(caller);
  await deps.db.inTenant(
    caller,
    async (tx) => await appendEvent(tx, { type: 'payments.exported', isPublic: false, actor, data, at }),
  );
}
