// The pages of a link that can't be paid now: what happened to the money, and what to do next. `not_found` must not
// name a merchant: a wrong code and another company's code give the same response.

import type { OverpaymentRefund } from '../attempts/view-payment.ts';
import { formatAmount } from '../base/format-amount.ts';
import { formatTimestamp } from '../base/format-timestamp.ts';
import { type Html, html, titleText, userText, webAddress } from '../http/html.ts';
import { interpolate, interpolateText, isolate } from '../http/interpolate.ts';
import { brandName } from '../processors/card.ts';
import { pageTexts, receiptTexts } from '../texts/texts.ts';
import { renderSupport } from './contact.ts';
import { type PageFact, type PageFrame, renderFacts, renderLayout } from './layout.ts';

export type StateView = {
  frame: PageFrame;
  amountMinor?: number;
  currency?: string;
  customerOrderId?: string;
  /** When the status was reached; while the payment is open, when the attempt began. */
  at?: Date;
  card?: { brand: string; last4: string } | null;
  /** The processor's name for customers, unless the customer pays with a card entered here. */
  title?: string | null;
  /** Until when the processor keeps open an attempt that can't be cancelled. */
  openUntil?: Date | null;
  /** The refund of an overpayment. The page of a final status names it. */
  overpaymentRefund?: OverpaymentRefund | null;
  /** Whether an overpayment was collected that only the merchant can refund. */
  isOverpaymentHeld?: boolean;
  /** Path that `processing`, `unknown` and `checking` reload every few seconds. */
  refreshPath?: string;
  /** The link back to the merchant: an absolute http(s) URL. Anything else is not shown. */
  returnUrl?: string;
  /** `paid`: paths of the receipt, the masked address that it is sent to, and what was refunded. */
  receipt?: {
    page: string;
    pdf: string;
    email: string | null;
    refundedMinor: number;
    refundingMinor: number;
  };
  /** `requires_action` and `leaving`: where the customer continues. */
  resumePath?: string;
  /** `requires_action`: path that "use another card" is posted to, with `formToken`. */
  abandonPath?: string;
  formToken?: string;
  /** `failed` and `expired`: path that "ask for a new link" is posted to, with `formToken`. */
  requestPath?: string;
  /** Whether the page says that the merchant was asked for a new link, instead of offering it. */
  isLinkRequested?: boolean;
  /** Whether "ask for a new link" was refused because its form was too old. */
  isFormExpired?: boolean;
  /** `error`: the request ID in our log. */
  requestId?: string;
};

const refreshSeconds = 2;
/** A payment on the processor's page takes longer, and the processor limits our queries. */
const refreshAtProcessorSeconds = 5;

type StatusIcon = 'done' | 'stopped' | 'waiting' | 'attention';

// `merchant`: whether the page may name the merchant. `back`: whether it links back.
const pages = {
  processing: { icon: 'waiting', merchant: true, back: false, refresh: true },
  requires_action: { icon: 'attention', merchant: true, back: false, refresh: false },
  leaving: { icon: 'waiting', merchant: true, back: false, refresh: false },
  unknown: { icon: 'waiting', merchant: true, back: false, refresh: true },
  paid: { icon: 'done', merchant: true, back: true, refresh: false },
  failed: { icon: 'stopped', merchant: true, back: true, refresh: false },
  expired: { icon: 'stopped', merchant: true, back: true, refresh: false },
  cancelled: { icon: 'stopped', merchant: true, back: true, refresh: false },
  no_method: { icon: 'attention', merchant: true, back: true, refresh: false },
  not_found: { icon: 'attention', merchant: false, back: false, refresh: false },
  error: { icon: 'attention', merchant: true, back: false, refresh: false },
  unavailable: { icon: 'attention', merchant: false, back: false, refresh: false },
  checking: { icon: 'waiting', merchant: false, back: false, refresh: true },
  no_pdf: { icon: 'attention', merchant: false, back: false, refresh: false },
  too_many: { icon: 'attention', merchant: true, back: false, refresh: false },
} satisfies Record<string, { icon: StatusIcon; merchant: boolean; back: boolean; refresh: boolean }>;

export type PageState = keyof typeof pages;

const iconPaths: Record<StatusIcon, string> = {
  done: 'M7 12.5l3.5 3.5L17 9',
  stopped: 'M8 8l8 8M16 8l-8 8',
  waiting: 'M12 7v5l3 2',
  attention: 'M12 6.5v7M12 17v.5',
};

export function renderStatusIcon(icon: StatusIcon): Html {
  return html`<svg class="icon ${icon}" viewBox="0 0 24 24" width="48" height="48" aria-hidden="true" focusable="false"><circle cx="12" cy="12" r="11"/><path d="${iconPaths[icon]}"/></svg>`;
}

function cardFact(view: StateView): Html | null {
  if (!view.card) return null;
  const { locale } = view.frame;
  const text = receiptTexts(locale);
  const brand = brandName(view.card.brand);
  // Never more than four characters, even of a whole number.
  const last4 = view.card.last4.slice(-4);
  return brand
    ? interpolate(locale, text.cardEnding, { brand, last4 })
    : interpolate(locale, text.cardEndingOnly, { last4 });
}

function formattedAmount(view: StateView): string | null {
  if (view.amountMinor === undefined || view.currency === undefined) return null;
  return formatAmount(view.amountMinor, view.currency, view.frame.locale);
}

function factsOf(state: PageState, view: StateView): PageFact[] {
  const { locale, merchantName } = view.frame;
  const text = pageTexts(locale);
  const amount = formattedAmount(view);
  const card = cardFact(view);
  const facts: PageFact[] = [];
  if (pages[state].merchant && merchantName) {
    facts.push({ label: text.merchant, value: userText(merchantName) });
    if (amount && state !== 'paid')
      facts.push({ label: text.amount, value: html`<strong>${amount}</strong>` });
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
  const { states, atProcessor } = pageTexts(view.frame.locale);
  if ((state !== 'requires_action' && state !== 'leaving') || !view.resumePath) return null;
  const label = view.title
    ? interpolate(view.frame.locale, atProcessor.resume, { title: view.title })
    : html`${states.resume}`;
  return html`<a class="button" href="${view.resumePath}">${label}</a>
`;
}

/** A form that is one secondary button. */
export function renderSecondForm(form: { path: string; token: string | undefined; label: string }): Html {
  return html`<form class="leave" method="post" action="${form.path}">
<input type="hidden" name="form_token" value="${form.token}">
<button type="submit" class="button quiet">${form.label}</button>
</form>`;
}

type PaidReceipt = NonNullable<StateView['receipt']>;

function renderReceiptLinks({ frame: { locale } }: StateView, { page, pdf }: PaidReceipt): Html {
  const text = receiptTexts(locale);
  return html`<a class="button quiet" href="${pdf}">${text.download}</a>
<p class="center"><a class="away" href="${page}">${text.view}</a></p>
`;
}

/** What was refunded since, and where the receipt goes. */
function renderPaidNotes({ frame: { locale }, currency = '' }: StateView, receipt: PaidReceipt): Html {
  const text = pageTexts(locale).states.paid;
  const { email, refundedMinor, refundingMinor } = receipt;
  const amountOf = (amountMinor: number) => ({ amount: formatAmount(amountMinor, currency, locale) });
  return html`${
    refundedMinor > 0 &&
    html`<p class="note">${interpolate(locale, text.refunded, amountOf(refundedMinor))}</p>\n`
  }${
    refundingMinor > 0 &&
    html`<p class="note">${interpolate(locale, text.refunding, amountOf(refundingMinor))}</p>\n`
  }${email !== null && html`<p>${interpolate(locale, text.receiptTo, { email: html`<bdi dir="ltr">${email}</bdi>` })}</p>\n`}`;
}

function renderLinkRequest(state: PageState, view: StateView): Html | null {
  if ((state !== 'failed' && state !== 'expired') || !view.requestPath || view.isLinkRequested) return null;
  const { states, problems } = pageTexts(view.frame.locale);
  return html`${
    view.isFormExpired &&
    html`<p class="note" role="alert" tabindex="-1" autofocus>${problems.page_expired.what}</p>\n`
  }${renderSecondForm({ path: view.requestPath, token: view.formToken, label: states.requestLink })}`;
}

function renderActions(state: PageState, view: StateView): Html {
  const { states: text, atProcessor } = pageTexts(view.frame.locale);
  const { back, refresh } = pages[state];
  const returnUrl = back ? webAddress(view.returnUrl) : null;
  const merchant = userText(view.frame.merchantName);
  const label = view.title ? atProcessor.abandon : text.abandon;
  return html`${
    returnUrl &&
    html`<a class="button" href="${returnUrl}">${interpolate(view.frame.locale, text.back, { merchant })}</a>\n`
  }${state === 'paid' && view.receipt && renderReceiptLinks(view, view.receipt)}${
    refresh &&
    view.refreshPath &&
    html`<a class="button quiet" href="${view.refreshPath}">${text.checkNow}</a>\n`
  }${renderResume(state, view)}${
    state === 'requires_action' &&
    !view.openUntil &&
    view.abandonPath &&
    renderSecondForm({ path: view.abandonPath, token: view.formToken, label })
  }${renderLinkRequest(state, view)}`;
}

const unpaidFinalStates: ReadonlySet<PageState> = new Set(['failed', 'expired', 'cancelled', 'no_method']);

/** Where the customer cannot go on alone. */
const supportedStates: ReadonlySet<PageState> = new Set([...unpaidFinalStates, 'unknown']);

/** No page may say that nothing was charged while a refund is in progress. */
function moneySentence(state: PageState, view: StateView): string {
  const { overpayment } = pageTexts(view.frame.locale);
  const { money } = sentencesOf(state, view);
  if (view.isOverpaymentHeld && unpaidFinalStates.has(state)) return overpayment.held;
  if (!view.overpaymentRefund) return money;
  const { paid, paidAtProcessor, unpaid, unpaidAtProcessor } = overpayment[view.overpaymentRefund];
  if (state === 'paid') return view.title ? paidAtProcessor : paid;
  if (!unpaidFinalStates.has(state)) return money;
  return view.title ? unpaidAtProcessor : unpaid;
}

type Sentences = { heading: string; money: string; next: string };

/** The texts of a page. If the customer pays at a processor, they don't mention a bank or card. */
function sentencesOf(state: PageState, view: StateView): Sentences {
  const { states, atProcessor } = pageTexts(view.frame.locale);
  if (!view.title || !Object.hasOwn(atProcessor, state)) return states[state];
  return { ...states[state], ...(atProcessor as Partial<Record<PageState, Partial<Sentences>>>)[state] };
}

function renderNext(sentences: Sentences, view: StateView, values: Record<string, Html | string>): Html {
  const { locale } = view.frame;
  if (view.isLinkRequested)
    return html`<p class="note">${interpolate(locale, pageTexts(locale).states.linkRequested, values)}</p>`;
  if (!view.openUntil) return html`<p>${interpolate(locale, sentences.next, values)}</p>`;
  const until = html`<time datetime="${view.openUntil.toISOString()}">${formatTimestamp(view.openUntil, locale)}</time>`;
  return html`<p class="note">${interpolate(locale, pageTexts(locale).atProcessor.kept, { ...values, until })}</p>`;
}

/** Throws a RangeError for an unsupported currency. */
export function renderStatePage(state: PageState, view: StateView): Html {
  const { locale } = view.frame;
  const sentences = sentencesOf(state, view);
  const merchantName = pages[state].merchant ? view.frame.merchantName : '';
  const amount = merchantName ? formattedAmount(view) : null;
  const heading = interpolateText(locale, sentences.heading, { title: view.title ?? '' });
  const title = [heading, amount, merchantName && isolate(locale, titleText(merchantName))]
    .filter(Boolean)
    .join(' – ');
  const values = { merchant: userText(merchantName), title: view.title ?? '' };
  const main = html`${renderStatusIcon(pages[state].icon)}
<h1>${heading}</h1>
${state === 'paid' && amount && html`<p class="amount">${amount}</p>\n`}<p class="money">${interpolate(locale, moneySentence(state, view), values)}</p>
${renderNext(sentences, view, values)}
${supportedStates.has(state) && renderSupport(view.frame.contact, view.frame)}
${state === 'paid' && view.receipt && renderPaidNotes(view, view.receipt)}${renderFacts(factsOf(state, view))}
${renderActions(state, view)}`;
  const seconds = view.title ? refreshAtProcessorSeconds : refreshSeconds;
  const refresh = pages[state].refresh && view.refreshPath ? { path: view.refreshPath, seconds } : null;
  return renderLayout({ frame: view.frame, title, main, refresh });
}
