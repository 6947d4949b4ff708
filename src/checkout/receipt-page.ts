// The page of a receipt, to read and to print. Must work without script.

import type { Html } from '../http/html.ts';
import { html, titleText } from '../http/html.ts';
import { isolate } from '../http/interpolate.ts';
import type { Receipt } from '../receipts/compose-receipt.ts';
import type { ReceiptRow } from '../receipts/receipt-rows.ts';
import { receiptTexts } from '../texts/texts.ts';
import { type PageFrame, renderFacts, renderLayout } from './layout.ts';

export type ReceiptView = { frame: PageFrame; receipt: Receipt; pdfPath: string };

/** Who was paid. The name stands first also without an address: paper has no logo of the page's head. */
function renderMerchant({ merchant, address }: Receipt): Html {
  const lines = address.map((line) => html`<br><bdi>${line}</bdi>`);
  return html`<address><strong><bdi>${merchant}</bdi></strong>${lines}</address>`;
}

/** Items, total, taxes and refunds, each with its amount at the end of the line. */
function renderRows(rows: readonly ReceiptRow[]): Html | null {
  if (rows.length === 0) return null;
  return html`<dl class="rows">${rows.map(
    ({ label, note, amount }) =>
      html`<div><dt><bdi>${label}</bdi>${note && html` <small><bdi>${note}</bdi></small>`}</dt><dd><bdi>${amount}</bdi></dd></div>`,
  )}</dl>
`;
}

export function renderReceiptPage({ frame, receipt, pdfPath }: ReceiptView): Html {
  const { title, merchant, amount, items, sums, foot } = receipt;
  const text = receiptTexts(frame.locale);
  const facts = receipt.facts.map(({ label, value }) => ({ label, value: html`<bdi>${value}</bdi>` }));
  const main = html`<h1><span class="payee">${title}</span>
<span class="amount">${amount}</span></h1>
${renderMerchant(receipt)}
${renderFacts(facts)}
${renderRows(items)}${renderRows(sums)}<p class="hint">${foot}</p>
<a class="button" href="${pdfPath}">${text.download}</a>
<p class="hint screen-only">${text.print}</p>`;
  return renderLayout({
    frame,
    title: [title, amount, isolate(frame.locale, titleText(merchant))].join(' – '),
    main,
  });
}
