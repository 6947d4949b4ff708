// The items of a payment on the pages: one line each, with its amount, and the tax in them.

import { formatAmount } from '../base/format-amount.ts';
import { formatTaxRate } from '../base/format-tax-rate.ts';
import type { Locale } from '../base/locale.ts';
import { type Html, html, userText } from '../http/html.ts';
import { interpolate } from '../http/interpolate.ts';
import { type ItemTax, lineTotal, type PaymentItem, taxesOf } from '../payments/items.ts';
import { pageTexts } from '../texts/texts.ts';

/** More items than this are folded, so that the form stays in sight. */
const maxOpen = 3;

function renderLine(locale: Locale, item: PaymentItem, currency: string): Html {
  const { quantity, name } = item;
  const what = interpolate(locale, pageTexts(locale).items.line, { quantity, name: userText(name) });
  return html`<li><span>${what}</span> <span>${formatAmount(lineTotal(item), currency, locale)}</span></li>`;
}

function renderTax(locale: Locale, { rate, taxMinor }: ItemTax, currency: string): Html {
  const tax = interpolate(locale, pageTexts(locale).items.tax, {
    rate: formatTaxRate(rate, locale),
    amount: formatAmount(taxMinor, currency, locale),
  });
  return html`<li class="hint">${tax}</li>`;
}

/** The list of items with the tax in them; nothing without items. Throws a RangeError for an unsupported currency. */
export function renderItems(locale: Locale, items: readonly PaymentItem[], currency: string): Html {
  if (items.length === 0) return html``;
  const taxes = taxesOf(items).filter(({ taxMinor }) => taxMinor !== 0);
  const list = html`<ul class="items">${items.map((item) => renderLine(locale, item, currency))}${taxes.map(
    (tax) => renderTax(locale, tax, currency),
  )}</ul>`;
  if (items.length <= maxOpen) return list;
  const count = interpolate(locale, pageTexts(locale).items.count, { count: items.length });
  return html`<details>
<summary>${count}</summary>
${list}
</details>`;
}
