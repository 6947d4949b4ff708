// Refunds through Mollie, at most once per refund. The payment's refunds are searched before one is created,
// since Mollie forgets a key after a while. A refund takes days.

import { toDecimalText } from '../../base/money.ts';
import { requireMatch } from '../check-response.ts';
import type { AttemptRequest, ExternalRefund, ProcessorRefundRequest, RefundOutcome } from '../processor.ts';
import { fetchPages, type MollieAccount, throwIfRejected, unexpectedResponse } from './api.ts';
import {
  type MollieRefund,
  readExternalRefund,
  readMetadata,
  readRefund,
  requirePaymentId,
} from './parse.ts';

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
  { connection }: MollieAccount,
  request: ProcessorRefundRequest,
  body: unknown,
): MollieRefund {
  const made = readRefund(body);
  const { metadata, mode, paymentId, amountMinor, currency } = made;
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
      ...{ mode, payment: paymentId, company: metadata.company, connection: metadata.connection },
      ...{ attempt: metadata.attempt, refund: metadata.refund, amountMinor, currency },
    },
  );
  return made;
}

const pathOf = (reference: string) => `/v2/payments/${requirePaymentId(reference)}/refunds`;

async function* refundsOf({ api }: MollieAccount, path: string): AsyncGenerator<unknown> {
  const list = { path, kind: 'refunds', fromId: null } as const;
  for await (const { items } of fetchPages(api, list, maxPages)) yield* items;
}

async function findRefund(
  account: MollieAccount,
  request: ProcessorRefundRequest,
  path: string,
): Promise<RefundOutcome | null> {
  for await (const item of refundsOf(account, path))
    if (readMetadata(item)?.refund === request.refundId) return toOutcome(readOwn(account, request, item));
  return null;
}

/** External refunds of an attempt's money: made in Mollie's dashboard, they have no metadata of a refund. */
export async function listExternalRefunds(
  account: MollieAccount,
  { processorReference, attemptId }: AttemptRequest,
): Promise<ExternalRefund[]> {
  if (processorReference === null) return [];
  const found: ExternalRefund[] = [];
  for await (const item of refundsOf(account, pathOf(processorReference)))
    if (!readMetadata(item)?.refund) found.push(...readExternalRefund(attemptId, item));
  return found;
}

function newRefund(account: MollieAccount, request: ProcessorRefundRequest): Record<string, unknown> {
  const { amountMinor, currency, companyId, attemptId, refundId } = request;
  return {
    amount: { currency, value: toDecimalText(amountMinor, currency) },
    // Mollie requires a description. The customer may read it on the bank statement.
    description: `Refund ${refundId}`,
    metadata: {
      company: companyId,
      connection: account.connection.connectionId,
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
  account: MollieAccount,
  request: ProcessorRefundRequest,
): Promise<RefundOutcome> {
  const { processorReference: reference, refundId } = request;
  const path = pathOf(reference);
  const existing = await findRefund(account, request, path);
  if (existing) return existing;
  const response = await account.api.post(path, refundId, newRefund(account, request));
  if (response.status === 201) return toOutcome(readOwn(account, request, response.body));
  // Another request under this key may have made it, which causes this refusal.
  const made = await findRefund(account, request, path);
  if (made) return made;
  throwIfRejected('a refund', response);
  if (response.status === 422) return { kind: 'failed', reference, code: 'refund_refused' };
  throw unexpectedResponse('a refund', response);
}
