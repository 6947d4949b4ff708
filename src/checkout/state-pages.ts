// One page for each state of a link in which there is no card to enter: what happened to the money,
// and what to do next. It must never claim more than the state proves, and `not_found` must never
// name a merchant, because a wrong code and a foreign one answer alike.

import { formatAmount } from '../base/amount-text.ts';
import { formatMoment } from '../base/moment-text.ts';
import { fill } from '../http/fill.ts';
import { type Html, html, titleText, userText, webAddress } from '../http/html.ts';
import { brandName } from '../processors/card.ts';
import { type Fact, type PageFrame, renderFacts, renderLayout } from './layout.ts';
import { texts } from './texts.ts';

export type PageState =
  | 'processing'
  | 'requires_action'
  | 'unknown'
  | 'paid'
  | 'failed'
  | 'expired'
  | 'cancelled'
  | 'not_found'
  | 'error'
  | 'too_many';

export type StateView = {
  frame: PageFrame;
  amountMinor?: number;
  currency?: string;
  customerOrderId?: string;
  /** When the state was reached (or, while it is open, when the attempt began). */
  at?: Date;
  card?: { brand: string; last4: string } | null;
  /** Whether money was taken that the payment has no place for; the page of an end says that it goes back. */
  isMoneySentBack?: boolean;
  /** Path that `processing` and `unknown` load again every two seconds. */
  refreshPath?: string;
  /** The way back to the merchant: an absolute http(s) address; anything else is not shown. */
  returnUrl?: string;
  /** `requires_action`: where the bank's confirmation goes on. */
  resumePath?: string;
  /** `requires_action`: path that "use another card" is posted to, with `formToken`. */
  abandonPath?: string;
  formToken?: string;
  /** `error`: the id under which our log knows what happened. */
  requestId?: string;
};

const refreshSeconds = 2;

type Mark = 'done' | 'stopped' | 'waiting' | 'attention';

// `merchant` says whether the page may name the merchant; `back` whether the way back is offered.
const pages: Record<PageState, { mark: Mark; merchant: boolean; back: boolean; refresh: boolean }> = {
  processing: { mark: 'waiting', merchant: true, back: false, refresh: true },
  requires_action: { mark: 'attention', merchant: true, back: false, refresh: false },
  unknown: { mark: 'waiting', merchant: true, back: false, refresh: true },
  paid: { mark: 'done', merchant: true, back: true, refresh: false },
  failed: { mark: 'stopped', merchant: true, back: true, refresh: false },
  expired: { mark: 'stopped', merchant: true, back: true, refresh: false },
  cancelled: { mark: 'stopped', merchant: true, back: true, refresh: false },
  not_found: { mark: 'attention', merchant: false, back: false, refresh: false },
  error: { mark: 'attention', merchant: true, back: false, refresh: false },
  too_many: { mark: 'attention', merchant: true, back: false, refresh: false },
};

const markPaths: Record<Mark, string> = {
  done: 'M7 12.5l3.5 3.5L17 9',
  stopped: 'M8 8l8 8M16 8l-8 8',
  waiting: 'M12 7v5l3 2',
  attention: 'M12 6.5v7M12 17v.5',
};

function renderMark(mark: Mark): Html {
  return html`<svg class="mark ${mark}" viewBox="0 0 24 24" width="48" height="48" aria-hidden="true" focusable="false"><circle cx="12" cy="12" r="11"/><path d="${markPaths[mark]}"/></svg>`;
}

function cardFact(view: StateView): Html | null {
  if (!view.card) return null;
  const text = texts(view.frame.locale);
  const brand = brandName(view.card.brand);
  // Four characters and no more: should a whole number ever come this way, it stops here.
  const last4 = view.card.last4.slice(-4);
  return brand ? fill(text.cardEnding, { brand, last4 }) : fill(text.cardEndingOnly, { last4 });
}

function formattedAmount(view: StateView): string | null {
  if (view.amountMinor === undefined || view.currency === undefined) return null;
  return formatAmount(view.amountMinor, view.currency, view.frame.locale);
}

function factsOf(state: PageState, view: StateView): Fact[] {
  const { locale, merchantName } = view.frame;
  const text = texts(locale);
  const amount = formattedAmount(view);
  const card = cardFact(view);
  const facts: Fact[] = [];
  if (pages[state].merchant && merchantName) {
    facts.push({ label: text.merchant, value: userText(merchantName) });
    if (amount) facts.push({ label: text.amount, value: html`<strong>${amount}</strong>` });
    if (view.customerOrderId) facts.push({ label: text.order, value: userText(view.customerOrderId) });
    if (card) facts.push({ label: text.card, value: card });
  }
  if (view.at) {
    const moment = html`<time datetime="${view.at.toISOString()}">${formatMoment(view.at, locale)}</time>`;
    facts.push({ label: text.states[state].at, value: moment });
  }
  if (state === 'error' && view.requestId) {
    facts.push({ label: text.states.requestId, value: html`<code>${userText(view.requestId)}</code>` });
  }
  return facts;
}

function renderActions(state: PageState, view: StateView): Html {
  const text = texts(view.frame.locale).states;
  const { back, refresh } = pages[state];
  const returnUrl = back ? webAddress(view.returnUrl) : null;
  const merchant = userText(view.frame.merchantName);
  return html`${
    returnUrl && html`<a class="button" href="${returnUrl}">${fill(text.back, { merchant })}</a>\n`
  }${
    refresh &&
    view.refreshPath &&
    html`<a class="button quiet" href="${view.refreshPath}">${text.checkNow}</a>\n`
  }${
    state === 'requires_action' &&
    view.resumePath &&
    html`<a class="button" href="${view.resumePath}">${text.resume}</a>\n`
  }${
    state === 'requires_action' &&
    view.abandonPath &&
    html`<form class="leave" method="post" action="${view.abandonPath}">
<input type="hidden" name="form_token" value="${view.formToken}">
<button type="submit" class="button quiet">${text.abandon}</button>
</form>`
  }`;
}

const unpaidEnds: ReadonlySet<PageState> = new Set(['failed', 'expired', 'cancelled']);

/** What became of the money: no page may say that nothing was charged while some is on its way back. */
function moneySentence(state: PageState, view: StateView): string {
  const { states, sentBack } = texts(view.frame.locale);
  if (!view.isMoneySentBack) return states[state].money;
  if (state === 'paid') return sentBack.paid;
  return unpaidEnds.has(state) ? sentBack.unpaid : states[state].money;
}

/**
 * The page of a state as a whole document. What the view does not hold is left out. Throws a
 * RangeError for a currency that is not taken.
 */
export function renderStatePage(state: PageState, view: StateView): Html {
  const { locale } = view.frame;
  const sentences = texts(locale).states[state];
  const merchantName = pages[state].merchant ? view.frame.merchantName : '';
  const amount = merchantName ? formattedAmount(view) : null;
  const title = [sentences.heading, amount, titleText(merchantName)].filter(Boolean).join(' – ');
  const merchant = userText(merchantName);
  const main = html`${renderMark(pages[state].mark)}
<h1>${sentences.heading}</h1>
<p class="money">${fill(moneySentence(state, view), { merchant })}</p>
<p>${fill(sentences.next, { merchant })}</p>
${renderFacts(factsOf(state, view))}
${renderActions(state, view)}`;
  const refresh =
    pages[state].refresh && view.refreshPath ? { path: view.refreshPath, seconds: refreshSeconds } : null;
  return renderLayout({ frame: view.frame, title, main, refresh });
}
