// The receipt of a paid payment: a page to print, and its PDF, drawn on request. Whoever has the link may read it.

import type { FastifyReply } from 'fastify';
import { errors } from '../base/errors.ts';
import { enforceLimit } from '../http/rate-limit.ts';
import type { Receipt } from '../receipts/compose-receipt.ts';
import { localeOfPayment } from '../receipts/compose-receipt.ts';
import { type ReceiptDeps, readReceipt } from '../receipts/read-receipt.ts';
import type { ReceiptRenderer } from '../receipts/receipt-renderer.ts';
import { renderReceiptPage } from './receipt-page.ts';
import { sendPage } from './send-page.ts';
import { toReceiptView } from './views.ts';
import type { Visit } from './visit.ts';

/** Drawing takes much more CPU time than a page. */
const pdfLimit = { name: 'receipt_pdf', quota: 30, windowSeconds: 60 };

/** Seconds after which a PDF that could not be drawn may be requested again. */
const retrySeconds = 5;

async function findReceipt(
  deps: ReceiptDeps,
  visit: Visit,
  options: { locale: Receipt['locale']; isDrawn: boolean },
): Promise<Receipt> {
  const { company, payment } = visit.view;
  const receipt = await readReceipt(deps, { company, payment, ...options });
  if (!receipt) throw errors.notFound();
  return receipt;
}

/** The page of the receipt, in the language of the other pages. */
export async function showReceipt(deps: ReceiptDeps, visit: Visit): Promise<FastifyReply> {
  const { view, context, reply } = visit;
  const receipt = await findReceipt(deps, visit, { locale: context.locale, isDrawn: false });
  return sendPage(reply, {
    html: renderReceiptPage(toReceiptView(view, receipt, context)),
    locale: context.locale,
  });
}

/** The PDF, in the language of the payment. Throws `unavailable` if it can't be drawn now. */
export async function sendReceiptPdf(
  deps: ReceiptDeps & { receiptRenderer: ReceiptRenderer },
  visit: Visit,
): Promise<FastifyReply> {
  const { view, reply } = visit;
  const { payment } = view;
  const receipt = await findReceipt(deps, visit, { locale: localeOfPayment(payment), isDrawn: true });
  await enforceLimit(deps.db, { limit: pdfLimit, who: payment.code, reply });
  const pdf = await deps.receiptRenderer.render(receipt).catch((cause: unknown) => {
    throw errors.unavailable({ cause, headers: { 'retry-after': String(retrySeconds) } });
  });
  return reply
    .headers({
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex',
      'content-disposition': `inline; filename="${receipt.fileName}"`,
      'content-language': receipt.locale,
    })
    .type('application/pdf')
    .send(Buffer.from(pdf));
}
