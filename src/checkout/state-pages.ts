// One page for each status of a link without a card form: what happened to the money, and what to do next. Must not
// claim more than the status proves. `not_found` must not name a merchant, because a wrong code and another company's
// code give the same response.

import { formatAmount } from '../base/format-amount.ts';
import { formatTimestamp } from '../base/format-timestamp.ts';
import { type Html, html, titleText, userText, webAddress } from '../http/html.ts';
import { interpolate, interpolateText } from '../http/interpolate.ts';
import { brandName } from '../processors/card.ts';
import { type PageFact, type PageFrame, renderFacts, renderLayout } from './layout.ts';
import { texts } from './texts.ts';

export type PageState =
  | 'processing'
  | 'requires_action'
  | 'leaving'
  | 'unknown'
  | 'paid'
  | 'failed'
  | 'expired'
  | 'cancelled'
  | 'no_method'
  | 'not_found'
  | 'error'
  | 'unavailable'
  | 'checking'
  | 'too_many';

export type StateView = {
  frame: PageFrame;
  amountMinor?: number;
  currency?: string;
  customerOrderId?: string;
  /** When the status was reached; while the payment is open, when the attempt began. */
  at?: Date;
  card?: { brand: string; last4: string } | null;
  /** The processor's name for customers, if the customer pays there and not with a card entered here. */
  title?: string | null;
  /** Until when the processor keeps open what the customer wanted to cancel. */
  keptUntil?: Date | null;
  /** Whether an overpayment was collected. The page of a final status says that it is refunded. */
  isMoneySentBack?: boolean;
  /** Whether an overpayment was collected that only the merchant can refund. */
  isMoneyHeld?: boolean;
  /** Path that `processing`, `unknown` and `checking` reload every few seconds. */
  refreshPath?: string;
  /** The link back to the merchant: an absolute http(s) URL. Anything else is not shown. */
  returnUrl?: string;
  /** `requires_action` and `leaving`: where the customer continues. */
  resumePath?: string;
  /** `requires_action`: path that "use another card", or another method, is posted to, with `formToken`. */
  abandonPath?: string;
  formToken?: string;
  /** `error`: the request ID in our log. */
  requestId?: string;
};

const refreshSeconds = 2;
/** A payment on the processor's page takes longer, and the processor limits our queries. */
const refreshAtProcessorSeconds = 5;

type StatusIcon = 'done' | 'stopped' | 'waiting' | 'attention';

// `merchant`: whether the page may name the merchant. `back`: whether it links back.
const pages: Record<PageState, { mark: StatusIcon; merchant: boolean; back: boolean; refresh: boolean }> = {
  processing: { mark: 'waiting', merchant: true, back: false, refresh: true },
  requires_action: { mark: 'attention', merchant: true, back: false, refresh: false },
  leaving: { mark: 'waiting', merchant: true, back: false, refresh: false },
  unknown: { mark: 'waiting', merchant: true, back: false, refresh: true },
  paid: { mark: 'done', merchant: true, back: true, refresh: false },
  failed: { mark: 'stopped', merchant: true, back: true, refresh: false },
  expired: { mark: 'stopped', merchant: true, back: true, refresh: false },
  cancelled: { mark: 'stopped', merchant: true, back: true, refresh: false },
  no_method: { mark: 'attention', merchant: true, back: true, refresh: false },
  not_found: { mark: 'attention', merchant: false, back: false, refresh: false },
  error: { mark: 'attention', merchant: true, back: false, refresh: false },
  unavailable: { mark: 'attention', merchant: false, back: false, refresh: false },
  checking: { mark: 'waiting', merchant: false, back: false, refresh: true },
  too_many: { mark: 'attention', merchant: true, back: false, refresh: false },
};

const markPaths: Record<StatusIcon, string> = {
  done: 'M7 12.5l3.5 3.5L17 9',
  stopped: 'M8 8l8 8M16 8l-8 8',
  waiting: 'M12 7v5l3 2',
  attention: 'M12 6.5v7M12 17v.5',
};

/** The mark above a page's heading, with the same meaning. */
export function renderStatusIcon(mark: StatusIcon): Html {
  return html`<svg class="mark ${mark}" viewBox="0 0 24 24" width="48" height="48" aria-hidden="true" focusable="false"><circle cx="12" cy="12" r="11"/><path d="${markPaths[mark]}"/></svg>`;
}

function cardFact(view: StateView): Html | null {
  if (!view.card) return null;
  const text = texts(view.frame.locale);
  const brand = brandName(view.card.brand);
  // Four characters and no more, in case a whole number ever gets here.
  const last4 = view.card.last4.slice(-4);
  return brand ? interpolate(text.cardEnding, { brand, last4 }) : interpolate(text.cardEndingOnly, { last4 });
}

function formattedAmount(view: StateView): string | null {
  if (view.amountMinor === undefined || view.currency === undefined) return null;
  return formatAmount(view.amountMinor, view.currency, view.frame.locale);
}

function factsOf(state: PageState, view: StateView): PageFact[] {
  const { locale, merchantName } = view.frame;
  const text = texts(locale);
  const amount = formattedAmount(view);
  const card = cardFact(view);
  const facts: PageFact[] = [];
  if (pages[state].merchant && merchantName) {
    facts.push({ label: text.merchant, value: userText(merchantName) });
    if (amount) facts.push({ label: text.amount, value: html`<strong>${amount}</strong>` });
    if (view.customerOrderId) facts.push({ label: text.order, value: userText(view.customerOrderId) });
    if (card) facts.push({ label: text.card, value: card });
    if (state === 'paid' && view.title) facts.push({ label: text.paidWith, value: html`${view.title}` });
  }
  if (view.at) {
    const moment = html`<time datetime="${view.at.toISOString()}">${formatTimestamp(view.at, locale)}</time>`;
    facts.push({ label: text.states[state].at, value: moment });
  }
  if (state === 'error' && view.requestId) {
    facts.push({ label: text.states.requestId, value: html`<code>${userText(view.requestId)}</code>` });
  }
  return facts;
}

function renderResume(state: PageState, view: StateView): Html | null {
  const { states, there } = texts(view.frame.locale);
  if ((state !== 'requires_action' && state !== 'leaving') || !view.resumePath) return null;
  const label = view.title ? interpolate(there.resume, { title: view.title }) : html`${states.resume}`;
  return html`<a class="button" href="${view.resumePath}">${label}</a>
`;
}

/** The form that cancels what is under way, so that the customer can pay with another method. */
export function renderAbandonForm(form: { path: string; token: string | undefined; label: string }): Html {
  return html`<form class="leave" method="post" action="${form.path}">
<input type="hidden" name="form_token" value="${form.token}">
<button type="submit" class="button quiet">${form.label}</button>
</form>`;
}

function renderActions(state: PageState, view: StateView): Html {
  const { states: text, there } = texts(view.frame.locale);
  const { back, refresh } = pages[state];
  const returnUrl = back ? webAddress(view.returnUrl) : null;
  const merchant = userText(view.frame.merchantName);
  const label = view.title ? there.abandon : text.abandon;
  return html`${
    returnUrl && html`<a class="button" href="${returnUrl}">${interpolate(text.back, { merchant })}</a>\n`
  }${
    refresh &&
    view.refreshPath &&
    html`<a class="button quiet" href="${view.refreshPath}">${text.checkNow}</a>\n`
  }${renderResume(state, view)}${
    state === 'requires_action' &&
    !view.keptUntil &&
    view.abandonPath &&
    renderAbandonForm({ path: view.abandonPath, token: view.formToken, label })
  }`;
}

const unpaidFinalStates: ReadonlySet<PageState> = new Set(['failed', 'expired', 'cancelled', 'no_method']);

/** What happened to the money: no page may say that nothing was charged while a refund is under way. */
function moneySentence(state: PageState, view: StateView): string {
  const { sentBack } = texts(view.frame.locale);
  const { money } = sentencesOf(state, view);
  if (view.isMoneyHeld && unpaidFinalStates.has(state)) return sentBack.held;
  if (!view.isMoneySentBack) return money;
  if (state === 'paid') return view.title ? sentBack.paidThere : sentBack.paid;
  if (!unpaidFinalStates.has(state)) return money;
  return view.title ? sentBack.unpaidThere : sentBack.unpaid;
}

type Sentences = { heading: string; money: string; next: string };

/** What a page says. If the customer pays elsewhere, it does not mention their bank and card. */
function sentencesOf(state: PageState, view: StateView): Sentences {
  const { states, there } = texts(view.frame.locale);
  if (!view.title || !Object.hasOwn(there, state)) return states[state];
  return { ...states[state], ...(there as Partial<Record<PageState, Partial<Sentences>>>)[state] };
}

/** What to do next. While the processor keeps open what was to be cancelled, no other method is offered. */
function renderNext(sentences: Sentences, view: StateView, values: Record<string, Html | string>): Html {
  const { locale } = view.frame;
  if (!view.keptUntil) return html`<p>${interpolate(sentences.next, values)}</p>`;
  const until = html`<time datetime="${view.keptUntil.toISOString()}">${formatTimestamp(view.keptUntil, locale)}</time>`;
  return html`<p class="note">${interpolate(texts(locale).there.kept, { ...values, until })}</p>`;
}

/**
 * The page of a status as a whole document. Omits what the view does not contain. Throws a RangeError for an
 * unsupported currency.
 */
export function renderStatePage(state: PageState, view: StateView): Html {
  const sentences = sentencesOf(state, view);
  const merchantName = pages[state].merchant ? view.frame.merchantName : '';
  const amount = merchantName ? formattedAmount(view) : null;
  const heading = interpolateText(sentences.heading, { title: view.title ?? '' });
  const title = [heading, amount, titleText(merchantName)].filter(Boolean).join(' – ');
  const values = { merchant: userText(merchantName), title: view.title ?? '' };
  const main = html`${renderStatusIcon(pages[state].mark)}
<h1>${heading}</h1>
<p class="money">${interpolate(moneySentence(state, view), values)}</p>
${renderNext(sentences, view, values)}
${renderFacts(factsOf(state, view))}
${renderActions(state, view)}`;
  const seconds = view.title ? refreshAtProcessorSeconds : refreshSeconds;
  const refresh = pages[state].refresh && view.refreshPath ? { path: view.refreshPath, seconds } : null;
  return renderLayout({ frame: view.frame, title, main, refresh });
}
