// The page of a payment that waits for a bank transfer: the details to copy, and a QR code.

import { formatAmount } from '../base/format-amount.ts';
import { formatDay } from '../base/format-timestamp.ts';
import { formatIban } from '../base/iban.ts';
import { toDecimalText } from '../base/money.ts';
import { type Html, html, plainText, titleText, userText } from '../http/html.ts';
import { interpolate, interpolateText, isolate } from '../http/interpolate.ts';
import type { TransferInstructions } from '../processors/processor.ts';
import { pageTexts } from '../texts/texts.ts';
import { type PageFact, type PageFrame, renderFacts, renderLayout } from './layout.ts';
import { renderSecondForm, renderStatusIcon } from './state-pages.ts';

export type TransferView = {
  frame: PageFrame;
  instructions: TransferInstructions;
  /** The QR code for banking apps, as a PNG of `qrSize` pixels a side; null if it could not contain the transfer. */
  code: Buffer | null;
  /** Whether the customer gets an email when the money has arrived. */
  isNotifiedByEmail: boolean;
  /** Path that the page reloads once a minute. */
  refreshPath: string;
  /** Path that "pay another way" is posted to; null once money has arrived. */
  abandonPath: string | null;
  formToken: string;
};

const refreshSeconds = 60;

/** In pixels: four for each module of most codes, and two for the largest. */
export const qrSize = 228;

/** A value to copy. The button needs the script, so it stays hidden without. */
function copyable(view: TransferView, label: string, value: { shown: Html; copied: string }): PageFact {
  const { copy, copyLabel } = pageTexts(view.frame.locale).transfer;
  const button = html`<button type="button" class="copy" hidden data-copy="${value.copied}" aria-label="${interpolateText(view.frame.locale, copyLabel, { label })}">${copy}</button>`;
  return { label, value: html`${value.shown} ${button}` };
}

// On one line also on the narrowest phone: a long one in smaller letters.
const longIban = 24;

function renderIban(iban: string): Html {
  return html`<code class="line${iban.length > longIban && ' long'}">${formatIban(iban)}</code>`;
}

function factsOf(view: TransferView): PageFact[] {
  const { locale } = view.frame;
  const text = pageTexts(locale).transfer;
  const { holder, iban, bic, reference, dueMinor, currency, expiresAt } = view.instructions;
  const code = (value: string) => html`<code class="line">${value}</code>`;
  const amount = html`<strong>${formatAmount(dueMinor, currency, locale)}</strong>`;
  return [
    copyable(view, text.holder, { shown: userText(holder), copied: plainText(holder) }),
    copyable(view, text.iban, { shown: renderIban(iban), copied: iban }),
    ...(bic ? [copyable(view, text.bic, { shown: code(bic), copied: bic })] : []),
    copyable(view, text.amount, { shown: amount, copied: toDecimalText(dueMinor, currency) }),
    copyable(view, text.reference, { shown: code(formatIban(reference)), copied: reference }),
    { label: text.until, value: html`<strong>${formatDay(expiresAt, locale)}</strong>` },
  ];
}

function moneySentence({ frame: { locale }, instructions }: TransferView): Html {
  const { waiting, partiallyReceived, received: receivedInFull } = pageTexts(locale).transfer;
  const { dueMinor, receivedMinor, currency } = instructions;
  if (dueMinor === 0) return html`${receivedInFull}`;
  if (receivedMinor === 0) return html`${waiting}`;
  const received = formatAmount(receivedMinor, currency, locale);
  return interpolate(locale, partiallyReceived, { received, due: formatAmount(dueMinor, currency, locale) });
}

/** Inlined, because a request for it would take more bytes. */
function renderCode({ frame: { locale }, code, instructions }: TransferView): Html | null {
  if (!code) return null;
  const fileName = `${instructions.reference}.png`;
  const { codeLabel, codeHint, saveCode } = pageTexts(locale).transfer;
  return html`<figure><img class="code" src="data:image/png;base64,${code.toString('base64')}" width="${qrSize}" height="${qrSize}" alt="${codeLabel}">
<figcaption class="hint">${codeHint}</figcaption>
<button type="button" class="copy" id="save-code" hidden data-file="${fileName}">${saveCode}</button></figure>
`;
}

export function renderTransferPage(view: TransferView): Html {
  const { frame, instructions, refreshPath, abandonPath } = view;
  const { transfer: text, pay, states, atProcessor } = pageTexts(frame.locale);
  const isDue = instructions.dueMinor > 0;
  const heading = interpolateText(frame.locale, isDue ? text.heading : states.processing.heading, {
    amount: formatAmount(instructions.dueMinor, instructions.currency, frame.locale),
  });
  const notified = view.isNotifiedByEmail ? text.emailed : text.notEmailed;
  const main = html`${renderStatusIcon('waiting')}
<p class="payee">${interpolate(frame.locale, pay.heading, { merchant: userText(frame.merchantName) })}</p>
<h1>${heading}</h1>
<p class="money">${moneySentence(view)}</p>
${isDue && html`<p>${text.next}</p>\n`}${isDue && html`<div class="transfer">${renderFacts(factsOf(view))}</div>\n`}${renderCode(view)}<p class="hint" role="status" id="copy-status" data-copied="${text.copied}"></p>
<p>${notified}</p>
<a class="button quiet" href="${refreshPath}">${states.checkNow}</a>
${
  abandonPath &&
  html`${renderSecondForm({ path: abandonPath, token: view.formToken, label: atProcessor.abandon })}
<p class="hint center screen-only">${text.abandonHint}</p>`
}`;
  const title = `${heading} – ${isolate(frame.locale, titleText(frame.merchantName))}`;
  const refresh = { path: refreshPath, seconds: refreshSeconds };
  return renderLayout({ frame, title, main, refresh });
}
