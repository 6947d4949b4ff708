// The payment page. Must not contain an entered card number or code, and must work without script.

import { formatAmount } from '../base/format-amount.ts';
import { formatTimestamp } from '../base/format-timestamp.ts';
import { type Locale, memoizeByLocale } from '../base/locale.ts';
import { type Html, html, plainText, titleText, userText } from '../http/html.ts';
import { interpolate, interpolateText } from '../http/interpolate.ts';
import type { PaymentItem } from '../payments/items.ts';
import { type PageTexts, pageTexts } from '../texts/texts.ts';
import { renderItems } from './items.ts';
import { type PageFact, renderFacts, renderLayout } from './layout.ts';
import { type MethodsView, renderMethodChoice, renderNote, renderOnlyMethod } from './methods.ts';

export type FieldName = keyof PageTexts['fields'];

export type FieldProblem = 'missing' | 'invalid' | 'expired' | 'unsupported_test_card' | 'too_long';

export type PayProblem = keyof PageTexts['problems'];

/** No processor was called, so these problems used no attempt. */
const problemsBeforeCall: ReadonlySet<PayProblem> = new Set([
  'unreachable',
  'unreachable_alone',
  'method_unavailable',
  'form_expired',
  'page_expired',
  'fields',
]);

export type TestCard = { number: string; what: keyof PageTexts['testCards'] };

export type PayView = MethodsView & {
  amountMinor: number;
  currency: string;
  customerOrderId: string;
  description: string | null;
  items: readonly PaymentItem[];
  /** Prefills the name on the card until the customer has sent one. */
  payerName: string | null;
  expiresAt: Date;
  /** How long the link can still be paid. */
  secondsLeft: number;
  /** The attempt before this form; empty without one. */
  lastAttemptId: string;
  /** Path that "Cancel and return" is posted to. It cancels nothing. */
  leavePath: string;
  /** Why the previous attempt failed. The alert takes focus. */
  problem: PayProblem | null;
  /** The name for customers of the processor where it failed; null for a card entered here. */
  problemTitle: string | null;
  fieldErrors: Partial<Record<FieldName, FieldProblem>>;
  /** Entered values that are shown again: never the number or the security code. */
  values: { name: string; expiry: string };
  /** The remaining attempts; null hides them. */
  attemptsLeft: number | null;
  testCards: readonly TestCard[];
};

/** The expiry of a link is shown when it is closer than this. */
const shownExpirySeconds = 48 * 60 * 60;

type Input = { id: string; autocomplete: string; attributes: Html };

const inputs: Record<FieldName, Input> = {
  name: { id: 'cc_name', autocomplete: 'cc-name', attributes: html` dir="auto" autocapitalize="words"` },
  number: { id: 'cc_number', autocomplete: 'cc-number', attributes: html` dir="ltr" inputmode="numeric"` },
  expiry: { id: 'cc_exp', autocomplete: 'cc-exp', attributes: html` dir="ltr" inputmode="numeric"` },
  csc: { id: 'cc_csc', autocomplete: 'cc-csc', attributes: html` dir="ltr" inputmode="numeric"` },
};

const fieldOrder = Object.keys(inputs) as FieldName[];

type ProblemTexts = { invalid: string } & Partial<Record<FieldProblem, string>>;

function problemTextsOf(text: PageTexts, field: FieldName): ProblemTexts {
  return text.fields[field].problems;
}

function fieldErrorOf(view: PayView, field: FieldName): string | null {
  const problem = view.fieldErrors[field];
  if (!problem) return null;
  const sentences = problemTextsOf(pageTexts(view.frame.locale), field);
  return sentences[problem] ?? sentences.invalid;
}

// The script shows the same texts, and reads them from the input.
function renderProblemTexts(sentences: ProblemTexts): Html {
  const { missing, invalid, expired } = sentences;
  return html`${missing !== undefined && html` data-missing="${missing}"`} data-invalid="${invalid}"${
    expired !== undefined && html` data-expired="${expired}"`
  }`;
}

// Empty until the script knows the brand.
const brandMark = html`<span id="card-brand" class="brand" aria-live="polite"></span>`;

// The script replaces the hint once it knows the brand.
function renderCodeHints({ fields: { csc } }: PageTexts): Html {
  return html` data-any="${csc.hint}" data-three="${csc.hintThree}" data-four="${csc.hintFour}"`;
}

type FieldTexts = { label: string; hint?: string; placeholder?: string };
type FieldState = { value: string; error: string | null };

function makeField(locale: Locale, field: FieldName, { value, error }: FieldState): Html {
  const text = pageTexts(locale);
  const { label, hint, placeholder }: FieldTexts = text.fields[field];
  const { id, autocomplete, attributes } = inputs[field];
  const describedBy = hint ? `${id}-error ${id}-hint` : `${id}-error`;
  // The error's paragraph always exists, because only a change inside it is announced.
  return html`<div class="field">
<label for="${id}">${label}</label>
<div class="input"><input type="text" id="${id}" name="${id}" autocomplete="${autocomplete}"${attributes} spellcheck="false" required${
    placeholder && html` placeholder="${placeholder}"`
  }${value && html` value="${value}"`} aria-describedby="${describedBy}"${
    error !== null && html` aria-invalid="true"`
  }${renderProblemTexts(problemTextsOf(text, field))}>${field === 'number' && brandMark}</div>
<p class="error" id="${id}-error" aria-live="polite">${error}</p>
${hint && html`<p class="hint" id="${id}-hint"${field === 'csc' && renderCodeHints(text)}>${hint}</p>\n`}</div>
`;
}

const emptyFields = memoizeByLocale((locale) => {
  const empty = fieldOrder.map((field) => [field, makeField(locale, field, { value: '', error: null })]);
  return Object.fromEntries(empty) as Record<FieldName, Html>;
});

function renderField(view: PayView, field: FieldName, value: string): Html {
  const { locale } = view.frame;
  const error = fieldErrorOf(view, field);
  return value || error !== null ? makeField(locale, field, { value, error }) : emptyFields(locale)[field];
}

function renderAttemptsLeft(view: PayView): Html | null {
  const { locale } = view.frame;
  if (view.attemptsLeft === null || view.attemptsLeft < 1) return null;
  return interpolate(locale, pageTexts(locale).pay.attemptsLeft, { count: view.attemptsLeft });
}

function problemOf(view: PayView): PayProblem | null {
  return view.problem ?? (Object.keys(view.fieldErrors).length > 0 ? 'fields' : null);
}

function renderAlert(view: PayView): Html | null {
  const problem = problemOf(view);
  if (!problem) return null;
  const { what, next } = pageTexts(view.frame.locale).problems[problem];
  const title = view.problemTitle ?? '';
  const invalidFields = fieldOrder.flatMap((field) => {
    const error = fieldErrorOf(view, field);
    return error === null ? [] : [html`<li><a href="#${inputs[field].id}">${error}</a></li>`];
  });
  const attemptsLeft = problemsBeforeCall.has(problem) ? null : renderAttemptsLeft(view);
  return html`<div class="alert" id="alert" role="alert" tabindex="-1" autofocus>
<p><strong>${interpolate(view.frame.locale, what, { title })}</strong></p>
<p>${interpolate(view.frame.locale, next, { title })}${attemptsLeft && html` ${attemptsLeft}`}</p>
${invalidFields.length > 0 && html`<ul>${invalidFields}</ul>\n`}</div>
`;
}

/** What is paid, and to whom. */
function renderHeading({ frame, amountMinor, currency }: PayView): Html {
  const { locale, merchantName } = frame;
  const merchant = userText(merchantName);
  return html`<h1><span class="payee">${interpolate(locale, pageTexts(locale).pay.heading, { merchant })}</span>
<span class="amount">${formatAmount(amountMinor, currency, locale)}</span></h1>`;
}

function renderExpiry({ frame: { locale }, expiresAt }: PayView): Html {
  return html`<time datetime="${expiresAt.toISOString()}">${formatTimestamp(expiresAt, locale)}</time>`;
}

// The script shows it in the last ten minutes.
function renderCountdown({ frame: { locale }, secondsLeft }: PayView): Html | null {
  if (secondsLeft >= shownExpirySeconds) return null;
  const sentence = interpolateText(locale, pageTexts(locale).pay.countdown, { time: '{time}' });
  return html`<p class="note screen-only" id="countdown" role="timer" hidden data-left="${secondsLeft}" data-text="${sentence}"></p>
<p class="unseen" id="countdown-status" role="status"></p>
`;
}

function renderSummary(view: PayView): Html {
  const text = pageTexts(view.frame.locale);
  const isExpirySoon = view.secondsLeft < shownExpirySeconds;
  const facts: PageFact[] = [
    { label: text.order, value: userText(view.customerOrderId) },
    ...(view.description ? [{ label: text.description, value: userText(view.description) }] : []),
    ...(isExpirySoon ? [{ label: text.pay.payableUntil, value: renderExpiry(view) }] : []),
  ];
  return html`${renderFacts(facts)}${renderItems(view.frame.locale, view.items, view.currency)}`;
}

function renderCardFields(view: PayView): Html {
  const name = view.fieldErrors.name ? view.values.name : view.values.name || (view.payerName ?? '');
  return html`${renderField(view, 'name', plainText(name))}${renderField(view, 'number', '')}<div class="pair">
${renderField(view, 'expiry', plainText(view.values.expiry))}${renderField(view, 'csc', '')}</div>
`;
}

/** What is chosen or entered above the button. */
function renderFormContent(view: PayView): Html {
  const [only, ...others] = view.methods;
  if (only && others.length > 0) return renderMethodChoice(view, renderCardFields(view));
  if (only && only.takes !== 'card') return renderOnlyMethod(view, only);
  return html`<h2>${pageTexts(view.frame.locale).pay.cardDetails}</h2>
${renderCardFields(view)}`;
}

const lock = html`<svg class="lock" viewBox="0 0 24 24" width="20" height="20" aria-hidden="true" focusable="false"><path d="M5 11h14v10H5zM8 11V7.5a4 4 0 0 1 8 0V11"/></svg>`;

function renderPayForm(view: PayView): Html {
  const { locale } = view.frame;
  const { pay, methods } = pageTexts(locale);
  const lastAttempt = problemOf(view) === null && view.attemptsLeft === 1 ? renderAttemptsLeft(view) : null;
  const amount = formatAmount(view.amountMinor, view.currency, locale);
  const isTransfer = view.methods.every(({ takes }) => takes === 'transfer');
  const isElsewhere = view.methods.length === 1 && view.methods.every(({ takes }) => takes !== 'card');
  const label = isTransfer ? methods.payAmountByTransfer : pay.button;
  return html`<form id="pay" method="post" action="${view.action}" autocomplete="on" novalidate>
<input type="hidden" name="form_token" value="${view.formToken}">
<input type="hidden" name="last_attempt" value="${view.lastAttemptId}">
${renderFormContent(view)}${
  lastAttempt && html`<p class="hint">${lastAttempt}</p>\n`
}<button type="submit" class="button" id="pay-button"${isElsewhere && html` aria-describedby="method-about"`}>${lock}<span>${interpolate(locale, label, { amount })}</span></button>
<p class="hint" id="pay-status" role="status" data-busy="${pay.busy}" data-leaving="${methods.busy}"></p>
</form>`;
}

function renderLeaveForm(view: PayView): Html {
  const text = pageTexts(view.frame.locale).pay;
  return html`<form class="leave" method="post" action="${view.leavePath}">
<input type="hidden" name="form_token" value="${view.formToken}">
<button type="submit" class="as-link" aria-describedby="leave-hint">${interpolate(
    view.frame.locale,
    text.leave,
    {
      merchant: userText(view.frame.merchantName),
    },
  )}</button>
<p class="hint" id="leave-hint">${text.leaveHint}</p>
</form>`;
}

function makeTestCards(locale: Locale, cards: readonly TestCard[]): Html {
  const text = pageTexts(locale);
  const rows = cards.map((card) => {
    const groups = card.number.replace(/\D/g, '').replace(/(\d{4})(?=\d)/g, '$1 ');
    return html`<li><code>${groups}</code> ${text.testCards[card.what]}</li>`;
  });
  return html`<details class="screen-only">
<summary>${text.pay.testCards}</summary>
<ul>${rows}</ul>
<p class="hint">${text.pay.testCardsHint}</p>
</details>`;
}

/** A cache: a service has one list of cards. */
const testCardParts = new WeakMap<readonly TestCard[], (locale: Locale) => Html>();

function renderTestCards({ frame, testCards }: PayView): Html | null {
  if (!frame.isTestMode || testCards.length === 0) return null;
  const known = testCardParts.get(testCards);
  const part = known ?? memoizeByLocale((locale) => makeTestCards(locale, testCards));
  if (!known) testCardParts.set(testCards, part);
  return part(frame.locale);
}

/** Throws a RangeError for an unsupported currency. */
export function renderPayPage(view: PayView): Html {
  const { locale, merchantName } = view.frame;
  const title = interpolateText(locale, pageTexts(locale).pay.title, {
    amount: formatAmount(view.amountMinor, view.currency, locale),
    merchant: titleText(merchantName),
  });
  const main = html`${renderAlert(view)}${renderNote(view)}${renderCountdown(view)}${renderSummary(view)}
${renderPayForm(view)}
${renderTestCards(view)}${renderLeaveForm(view)}`;
  const heading = renderHeading(view);
  return renderLayout({ frame: view.frame, title, heading, main, hasError: problemOf(view) !== null });
}
