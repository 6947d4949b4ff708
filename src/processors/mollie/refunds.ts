// Refunds through Mollie, at most once per refund. The payment's refunds are searched before one is created,
// since Mollie forgets a key after a while. A refund takes days.

import { toDecimalText } from '../../base/money.ts';
import { requireMatch } from '../check-response.ts';
import type {
  AttemptRequest,
  ExternalRefund,
  ProcessorConnection,
  ProcessorRefundRequest,
  RefundOutcome,
} from '../processor.ts';
import { fetchPage, type MollieApi, throwIfRejected, unexpectedResponse } from './api.ts';
import { isMollieId, type MollieRefund, readExternalRefund, readMetadata, readRefund } from './parse.ts';

export type MollieRefundDeps = { api: MollieApi; connection: ProcessorConnection & { connectionId: string } };

/** The most refunds of one payment that are read, in pages. */
const maxPages = 20;

function toOutcome(refund: MollieRefund): RefundOutcome {
  const { id: reference, amountMinor, currency } = refund;
  switch (refund.status) {
    case 'refunded':
      return { kind: 'succeeded', reference, amountMinor, currency };
    case 'failed':
    case 'canceled':
      return { kind: 'failed', reference, code: `refund_${refund.status}` };
    case 'queued':
    case 'pending':
    case 'processing':
      return { kind: 'processing', reference };
  }
}

/** Parses the response about a refund. Throws `ResponseMismatchError` for another one. */
function readOwn(
  { connection }: MollieRefundDeps,
  request: ProcessorRefundRequest,
  body: unknown,
): MollieRefund {
  const made = readRefund(body);
  const { marks, mode, paymentId, amountMinor, currency } = made;
  requireMatch(
    'a refund of Mollie',
    {
      mode: connection.mode,
      payment: request.processorReference,
      company: request.companyId,
      connection: connection.connectionId,
      attempt: request.attemptId,
      refund: request.refundId,
      amountMinor: request.amountMinor,
      currency: request.currency,
    },
    {
      ...{ mode, payment: paymentId, company: marks.company, connection: marks.connection },
      ...{ attempt: marks.attempt, refund: marks.refund, amountMinor, currency },
    },
  );
  return made;
}

function pathOf(reference: string): string {
  if (!isMollieId('tr', reference)) throw new Error('a reference that is not of the form of a payment');
  return `/v2/payments/${reference}/refunds`;
}

/** The refunds of a payment, whoever made them. */
async function* refundsOf(
  { api }: MollieRefundDeps,
  path: string,
  signal: AbortSignal,
): AsyncGenerator<unknown> {
  let fromId: string | null = null;
  for (let pages = 0; pages < maxPages; pages++) {
    const { things: items, nextId } = await fetchPage(api, { path, kind: 'refunds', fromId }, signal);
    yield* items;
    if (nextId === null) return;
    fromId = nextId;
  }
  throw new Error('there are more refunds than can be searched for one');
}

async function findRefund(
  deps: MollieRefundDeps,
  request: ProcessorRefundRequest,
  path: string,
  signal: AbortSignal,
): Promise<RefundOutcome | null> {
  for await (const item of refundsOf(deps, path, signal))
    if (readMetadata(item)?.refund === request.refundId) return toOutcome(readOwn(deps, request, item));
  return null;
}

/** External refunds of an attempt's money: made in Mollie's dashboard, they have no metadata of a refund. */
export async function listExternalRefunds(
  deps: MollieRefundDeps,
  { processorReference, attemptId }: AttemptRequest,
  signal: AbortSignal,
): Promise<ExternalRefund[]> {
  if (processorReference === null) return [];
  const found: ExternalRefund[] = [];
  for await (const item of refundsOf(deps, pathOf(processorReference), signal))
    if (!readMetadata(item)?.refund) found.push(...readExternalRefund(attemptId, item));
  return found;
}

function newRefund(deps: MollieRefundDeps, request: ProcessorRefundRequest): Record<string, unknown> {
  const { amountMinor, currency, companyId, attemptId, refundId } = request;
  return {
    amount: { currency, value: toDecimalText(amountMinor, currency) },
    // Mollie requires a description. The customer may read it on the bank statement.
    description: `Refund ${refundId}`,
    metadata: {
      company: companyId,
      connection: deps.connection.connectionId,
      attempt: attemptId,
      refund: refundId,
    },
  };
}

/**
 * Makes a refund. Throws `RejectedRequestError` when Mollie names one of our fields, and an error when the
 * result is unknown. This includes duplicates: within an hour Mollie refuses a second refund of the same
 * amount for a payment, whatever its key. A later retry succeeds.
 */
export async function refund(
  deps: MollieRefundDeps,
  request: ProcessorRefundRequest,
  signal: AbortSignal,
): Promise<RefundOutcome> {
  const { processorReference: reference, refundId } = request;
  const path = pathOf(reference);
  const existing = await findRefund(deps, request, path, signal);
  if (existing) return existing;
  const response = await deps.api.post(path, refundId, newRefund(deps, request), signal);
  if (response.status === 201) return toOutcome(readOwn(deps, request, response.body));
  // Another request under this key may have made it, which causes this refusal.
  const made = await findRefund(deps, request, path, signal);
  if (made) return made;
  throwIfRejected('a refund', response);
  if (response.status === 422) return { kind: 'failed', reference, code: 'refund_refused' };
  throw unexpectedResponse('a refund', response);
}
