// A demo merchant's page. Must not say "paid" because of the URL alone: only a verified result counts.

import { type Html, html, userText } from '../http/html.ts';
import { pageTexts } from '../texts/texts.ts';
import { type PageFrame, renderLayout } from './layout.ts';

export type ShopView = {
  frame: PageFrame;
  /** Which of the two URLs of the payment request the customer came to. */
  outcome: 'success' | 'failure';
  /** Whether the signed result was verified with the published key, and if not, why. */
  verification: { verified: boolean; reason?: string };
  /** The claims of the result as text; null if there is none that can be parsed. */
  result: Record<string, string> | null;
};

function renderCheck(view: ShopView, contradicts: boolean): Html {
  const text = pageTexts(view.frame.locale).shop;
  if (view.verification.verified) {
    return html`<p class="verdict ${contradicts ? 'bad' : 'good'}">${contradicts ? text.contradiction : text.verified}</p>`;
  }
  const { reason } = view.verification;
  return html`<p class="verdict bad">${text.notVerified}${reason && html` ${userText(reason)}`}</p>`;
}

function renderClaims(view: ShopView): Html {
  const text = pageTexts(view.frame.locale).shop;
  const claims = Object.entries(view.result ?? {});
  if (claims.length === 0) return html`<p>${text.noClaims}</p>`;
  const rows = claims.map(
    ([name, value]) => html`<tr><th scope="row">${userText(name)}</th><td>${userText(value)}</td></tr>\n`,
  );
  return html`<table>
<caption>${text.claimsHeading}</caption>
<thead><tr><th scope="col">${text.claim}</th><th scope="col">${text.value}</th></tr></thead>
<tbody>
${rows}</tbody>
</table>`;
}

export function renderShopPage(view: ShopView): Html {
  const text = pageTexts(view.frame.locale).shop;
  const status = view.result?.status;
  const contradicts = status !== undefined && (status === 'paid') !== (view.outcome === 'success');
  const sentences = view.verification.verified && !contradicts ? text[view.outcome] : text.unverified;
  const main = html`<p class="payee">${text.name}</p>
<h1>${sentences.heading}</h1>
<p class="money">${sentences.lead}</p>
<h2>${text.checkHeading}</h2>
${renderCheck(view, contradicts)}
${renderClaims(view)}
<p class="hint">${text.about}</p>`;
  return renderLayout({ frame: view.frame, title: `${sentences.heading} – ${text.name}`, main });
}
