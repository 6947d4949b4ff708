// The page of a receipt, to read and to print. Must work without script.

import type { Html } from '../http/html.ts';
import { html, titleText } from '../http/html.ts';
import { isolate } from '../http/interpolate.ts';
import type { Receipt } from '../receipts/compose-receipt.ts';
import { receiptTexts } from '../texts/texts.ts';
import { type PageFrame, renderFacts, renderLayout } from './layout.ts';

export type ReceiptView = { frame: PageFrame; receipt: Receipt; pdfPath: string };

export function renderReceiptPage({ frame, receipt, pdfPath }: ReceiptView): Html {
  const { title, merchant, amount, foot } = receipt;
  const text = receiptTexts(frame.locale);
  const facts = receipt.facts.map(({ label, value }) => ({ label, value: html`<bdi>${value}</bdi>` }));
  const main = html`<h1><span class="payee">${title}</span>
<span class="amount">${amount}</span></h1>
${renderFacts(facts)}
<p class="hint">${foot}</p>
<a class="button" href="${pdfPath}">${text.download}</a>
<p class="hint screen-only">${text.print}</p>`;
  return renderLayout({
    frame,
    title: [title, amount, isolate(frame.locale, titleText(merchant))].join(' – '),
    main,
  });
}
