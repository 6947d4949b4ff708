// PayPal's own list of movements (Transaction Search): all of the account's business, of which ours has our
// IDs. It lags by up to three hours. Must not: list a movement twice, or omit one that PayPal lists.

import { type ApiResponse, ResponseTooLargeError } from '../call-api.ts';
import type { BalanceTransaction, BalanceTransactionPage, Processor } from '../processor.ts';
import { fieldsOf, type UntrustedFields } from '../untrusted-fields.ts';
import { unexpectedResponse } from './api.ts';
import type { PaypalAccount } from './attempts.ts';
import { decodeCustomId } from './custom-id.ts';
import {
  findText,
  readClaimedMoney,
  readFields,
  readIssues,
  readList,
  readMoneyOfAnyCurrency,
  readText,
} from './fields.ts';

/** PayPal returns 31 days at most, and fails above 10,000 transactions. A day stays below both for long. */
const windowMs = 24 * 60 * 60 * 1000;
/** Page sizes, largest first. A smaller one is requested when a page exceeds the response limit. */
const pageSizes = [500, 100, 10, 1] as const;

/** "It takes a maximum of three hours for executed transactions to appear." */
const lagMs = 3 * 60 * 60 * 1000;

/** PayPal has whole seconds: periods begin and end with them, so that nothing falls between two windows. */
const secondMs = 1000;

/** The T-codes of our movements: T00xx are received payments, T1107 is a refund by the merchant. */
const isPayment = (code: string) => /^T00\d\d$/.test(code);
const isRefund = (code: string) => code === 'T1107';

/** S is completed; V is completed and refunded since. P is pending and D was denied: no money moved. */
const isMoved = (status: string) => status === 'S' || status === 'V';

/** Where to continue: the window, and its page, counted in pages of `size`. */
type ListCursor = { startMs: number; page: number; size: number };

function readCursor(cursor: string | null, fromMs: number): ListCursor {
  if (cursor === null) return { startMs: fromMs, page: 1, size: pageSizes[0] };
  const [, startMs, page, size] = /^(\d{1,15})\.(\d{1,6})\.(\d{1,3})$/.exec(cursor) ?? [];
  if (!startMs || !page || !pageSizes.some((one) => one === Number(size)))
    throw new Error('the cursor is not of this list');
  return { startMs: Number(startMs), page: Number(page), size: Number(size) };
}

/** PayPal writes a zone without its colon: `2026-01-31T23:59:59+0000`. */
function readMoment(text: string): number {
  const atMs = new Date(text.replace(/([+-]\d\d)(\d\d)$/, '$1:$2')).getTime();
  if (Number.isNaN(atMs)) throw new Error('PayPal sent a time in another format');
  return atMs;
}

function readTransaction(info: UntrustedFields): BalanceTransaction | null {
  const code = findText(info, 'transaction_event_code') ?? '';
  const ids = [findText(info, 'invoice_id'), findText(info, 'custom_field')].map(decodeCustomId);
  const attemptId = ids.map((note) => note.attemptId).find((id) => id);
  const refundId = ids.map((note) => note.refundId).find((id) => id);
  // A refund made at PayPal has the attempt's custom_id, without a refund ID of ours.
  const key = isPayment(code) ? attemptId : isRefund(code) ? (refundId ?? attemptId) : null;
  if (!key || !isMoved(readText(info, 'transaction_status'))) return null;
  const { currency_code, value } = readFields(info.transaction_amount, 'transaction_amount');
  // Refunds have a minus sign. A payment with one is money that the account sent, and not ours.
  const isNegative = typeof value === 'string' && value.startsWith('-');
  if (isNegative !== isRefund(code)) return null;
  const amount = { currency_code, value: isNegative ? value.slice(1) : value };
  const feeMinor = isRefund(code) ? null : readFee(info.fee_amount, currency_code);
  return {
    kind: !isRefund(code) ? 'charge' : refundId ? 'refund' : 'outside_refund',
    key,
    reference: readText(info, 'transaction_id'),
    ...readMoneyOfAnyCurrency(amount, 'transaction_amount'),
    ...(feeMinor === null ? {} : { feeMinor }),
  };
}

/**
 * PayPal writes what it takes with a minus sign. Null if it says nothing readable, has taken it in another currency, or gives a
 * credit: the fee is only shown, so it must not keep payments from being compared.
 */
function readFee(value: unknown, currency: unknown): number | null {
  const fee = fieldsOf(value);
  if (typeof fee.value !== 'string' || fee.currency_code !== currency) return null;
  if (/^-?0+(\.0+)?$/.test(fee.value)) return 0;
  return fee.value.startsWith('-')
    ? readClaimedMoney({ currency_code: currency, value: fee.value.slice(1) }).amountMinor
    : null;
}

function readTotalPages(fields: UntrustedFields): number {
  const total = fields.total_pages;
  if (typeof total !== 'number' || !Number.isSafeInteger(total) || total < 0)
    throw new Error('PayPal sent no total_pages');
  return total;
}

/** PayPal refuses periods that its list has not reached. */
const isAhead = ({ status, body }: ApiResponse) =>
  status === 400 && readIssues(body).some((issue) => /start date is not available/i.test(issue));

type TransactionPage = { infos: UntrustedFields[]; totalPages: number };

async function fetchPage(
  { call }: PaypalAccount,
  { startMs, page, size }: ListCursor,
  endMs: number,
): Promise<TransactionPage> {
  const query = new URLSearchParams({
    start_date: new Date(startMs).toISOString(),
    end_date: new Date(endMs).toISOString(),
    fields: 'transaction_info',
    balance_affecting_records_only: 'Y',
    page_size: String(size),
    page: String(page),
  });
  const path = `/v1/reporting/transactions?${query}`;
  const response = await call({ method: 'GET', path });
  if (isAhead(response)) return { infos: [], totalPages: 0 };
  if (response.status !== 200) throw unexpectedResponse('a list', response);
  const fields = readFields(response.body, 'list');
  const details = readList(fields.transaction_details, 'transaction_details');
  return {
    infos: details.map((detail) => readFields(detail.transaction_info, 'transaction_info')),
    totalPages: readTotalPages(fields),
  };
}

/** The page at a position. If it is too large, the smaller page that begins with the same entry. */
async function fetchReadablePage(
  account: PaypalAccount,
  listCursor: ListCursor,
  endMs: number,
): Promise<{ place: ListCursor; page: TransactionPage }> {
  try {
    return { place: listCursor, page: await fetchPage(account, listCursor, endMs) };
  } catch (error) {
    const size = pageSizes.find((shorter) => shorter < listCursor.size);
    if (!(error instanceof ResponseTooLargeError) || size === undefined) throw error;
    const page = ((listCursor.page - 1) * listCursor.size) / size + 1;
    return await fetchReadablePage(account, { ...listCursor, page, size }, endMs);
  }
}

export async function listBalanceTransactions(
  account: PaypalAccount,
  { from, until, cursor }: Parameters<Processor['list']>[0],
): Promise<BalanceTransactionPage> {
  const now = account.clock.now();
  const begun = readCursor(cursor, Math.floor(from.getTime() / secondMs) * secondMs);
  const untilMs = Math.ceil(until.getTime() / secondMs) * secondMs;
  const endMs = Math.min(begun.startMs + windowMs, untilMs);
  const { place: listCursor, page } = await fetchReadablePage(account, begun, endMs);
  const { infos, totalPages } = page;
  const { connectionId } = account.connection;
  const movements = infos
    // PayPal does not document whether the last second is included: the next window begins with it.
    .filter((info) => readMoment(readText(info, 'transaction_initiation_date')) < endMs)
    // One account at PayPal may serve several connections.
    .filter(
      (info) =>
        (decodeCustomId(findText(info, 'custom_field')).connectionId ?? connectionId) === connectionId,
    )
    .map(readTransaction)
    .filter((movement) => movement !== null);
  const next =
    listCursor.page < totalPages
      ? { ...listCursor, page: listCursor.page + 1 }
      : { startMs: endMs, page: 1, size: pageSizes[0] };
  const isLast = next.startMs >= untilMs;
  return {
    movements,
    nextCursor: isLast ? null : `${next.startMs}.${next.page}.${next.size}`,
    completeUntil: new Date(now.getTime() - lagMs),
  };
}
