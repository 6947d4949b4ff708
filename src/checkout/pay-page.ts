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
import {
  type MethodsView,
  type MethodView,
  methodInput,
  renderMethodChoice,
  renderNote,
  renderSingleMethod,
} from './methods.ts';

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
  /** Path that "Cancel and return" is posted to. It cancels nothing. */
  leavePath: string;
  /** Why the previous attempt failed. The alert takes focus. */
  problem: PayProblem | null;
  /** The name for customers of the processor where it failed; null for a card entered here. */
  problemTitle: string | null;
  fieldErrors: Partial<Record<FieldName, FieldProblem>>;
  /** Entered values that are shown again: never the number or the security code. */
  values: { name: string };
  /** The remaining attempts; null hides them. */
  attemptsLeft: number | null;
  testCards: readonly TestCard[];
};

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

type FieldTexts = { label: string; hint?: string; placeholder?: string };
type FieldState = { value: string; error: string | null };

function makeField(locale: Locale, field: FieldName, { value, error }: FieldState): Html {
  const text = pageTexts(locale);
  const { label, hint, placeholder }: FieldTexts = text.fields[field];
  const { id, autocomplete, attributes } = inputs[field];
  const describedBy = hint ? `${id}-error ${id}-hint` : `${id}-error`;
  // The error's paragraph always exists, because only a change inside it is announced.
  return html`<div class="field">
<div class="label"><label for="${id}">${label}</label>${
    field === 'number' && html`<span id="card-brand" class="brand" aria-live="polite"></span>`
  }</div>
<input type="text" id="${id}" name="${id}" autocomplete="${autocomplete}"${attributes} spellcheck="false" required${
    placeholder && html` placeholder="${placeholder}"`
  }${value && html` value="${value}"`} aria-describedby="${describedBy}"${
    error !== null && html` aria-invalid="true"`
  }${renderProblemTexts(problemTextsOf(text, field))}>
<p class="error" id="${id}-error" aria-live="polite">${error}</p>
${hint && html`<p class="hint" id="${id}-hint">${hint}</p>\n`}</div>
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

function renderSummary(view: PayView): Html {
  const { locale, merchantName } = view.frame;
  const text = pageTexts(locale);
  const facts: PageFact[] = [
    { label: text.order, value: userText(view.customerOrderId) },
    ...(view.description ? [{ label: text.description, value: userText(view.description) }] : []),
    {
      label: text.pay.payableUntil,
      value: html`<time datetime="${view.expiresAt.toISOString()}">${formatTimestamp(view.expiresAt, locale)}</time>`,
    },
  ];
  return html`<h1><span class="payee">${interpolate(view.frame.locale, text.pay.heading, { merchant: userText(merchantName) })}</span>
<span class="amount">${formatAmount(view.amountMinor, view.currency, locale)}</span></h1>
${renderFacts(facts)}${renderItems(locale, view.items, view.currency)}`;
}

/** `method`: set if the page has other methods. Then the form names it, and its heading is one level lower. */
function renderCardForm(view: PayView, method: MethodView | null): Html {
  const { locale } = view.frame;
  const text = pageTexts(locale);
  const name = view.fieldErrors.name ? view.values.name : view.values.name || (view.payerName ?? '');
  const lastAttempt = problemOf(view) === null && view.attemptsLeft === 1 ? renderAttemptsLeft(view) : null;
  const amount = formatAmount(view.amountMinor, view.currency, locale);
  return html`<form id="pay" method="post" action="${view.action}" autocomplete="on" novalidate>
${method ? html`<h3>${text.pay.cardDetails}</h3>` : html`<h2>${text.pay.cardDetails}</h2>`}
<input type="hidden" name="form_token" value="${view.formToken}">
${method && methodInput(method)}${renderField(view, 'name', plainText(name))}${renderField(view, 'number', '')}<div class="pair">
${renderField(view, 'expiry', '')}${renderField(view, 'csc', '')}</div>
${lastAttempt && html`<p class="hint">${lastAttempt}</p>\n`}<button type="submit" class="button" id="pay-button">${interpolate(
    view.frame.locale,
    text.pay.button,
    { amount },
  )}</button>
<p class="hint" id="pay-status" role="status" data-busy="${text.pay.busy}"></p>
</form>`;
}

function renderLeaveForm(view: PayView): Html {
  const text = pageTexts(view.frame.locale).pay;
  return html`<form class="leave" method="post" action="${view.leavePath}">
<input type="hidden" name="form_token" value="${view.formToken}">
<button type="submit" class="button quiet" aria-describedby="leave-hint">${interpolate(
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
  return html`<details>
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

function renderCard(view: PayView, method: MethodView | null): Html {
  return html`${renderCardForm(view, method)}
${renderTestCards(view)}`;
}

function renderMethods(view: PayView): Html {
  const [only, ...others] = view.methods;
  if (only && others.length > 0) return renderMethodChoice(view, (method) => renderCard(view, method));
  if (!only || only.takes === 'card') return renderCard(view, null);
  return renderSingleMethod(view, only, formatAmount(view.amountMinor, view.currency, view.frame.locale));
}

/** Throws a RangeError for an unsupported currency. */
export function renderPayPage(view: PayView): Html {
  const { locale, merchantName } = view.frame;
  const title = interpolateText(locale, pageTexts(locale).pay.title, {
    amount: formatAmount(view.amountMinor, view.currency, locale),
    merchant: titleText(merchantName),
  });
  const main = html`${renderAlert(view)}${renderNote(view)}${renderSummary(view)}
${renderMethods(view)}
${renderLeaveForm(view)}`;
  return renderLayout({ frame: view.frame, title, main, hasError: problemOf(view) !== null });
}
