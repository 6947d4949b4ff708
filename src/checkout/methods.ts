// The payment methods on the pay page: a button for each, and the card form. One press pays, without a choice first.

import { type Html, html, userText } from '../http/html.ts';
import { interpolate, interpolateText } from '../http/interpolate.ts';
import type { ProcessorKind } from '../processors/processor.ts';
import { type PageTexts, pageTexts } from '../texts/texts.ts';
import type { PageFrame } from './layout.ts';

export type MethodView = {
  /** The value of the form's `method` input. */
  id: string;
  takes: ProcessorKind['takes'];
  /** The processor's name for customers. */
  title: string;
  /** Whether the method may be failing right now. Such methods come last. */
  mayBeUnavailable: boolean;
};

/** Shown if the customer returned from a method without paying. */
export type PayNote = 'not_completed' | 'transfer_not_expected';

export type MethodsView = {
  frame: PageFrame;
  action: string;
  formToken: string;
  /** The offered methods, in order; at least one. */
  methods: readonly MethodView[];
  /** Whether the last attempt used a card entered here, so that its form is open. */
  isCardInUse: boolean;
  note: PayNote | null;
};

export function methodTitle(kind: Pick<ProcessorKind, 'takes' | 'title'>, text: PageTexts): string {
  return kind.takes === 'transfer' ? text.methods.transfer : kind.title;
}

export function methodInput(method: MethodView): Html {
  return html`<input type="hidden" name="method" value="${method.id}">
`;
}

function renderUnavailableHint(method: MethodView, text: PageTexts): Html | null {
  return method.mayBeUnavailable ? html` <strong>${text.methods.mayBeUnavailable}</strong>` : null;
}

type MethodItem = { view: MethodsView; method: MethodView; id: string; label: Html; isQuiet: boolean };

function renderMethodForm({ view, method, id, label, isQuiet }: MethodItem): Html {
  const text = pageTexts(view.frame.locale);
  const { aboutTransfer, aboutPage, busy } = text.methods;
  const about =
    method.takes === 'transfer'
      ? aboutTransfer
      : interpolateText(view.frame.locale, aboutPage, { title: methodTitle(method, text) });
  return html`<form class="method" method="post" action="${view.action}">
<input type="hidden" name="form_token" value="${view.formToken}">
${methodInput(method)}<button type="submit" class="button${isQuiet && ' quiet'}" aria-describedby="${id}-about">${label}</button>
<p class="hint" id="${id}-about">${about}${renderUnavailableHint(method, text)}</p>
<p class="hint" role="status" data-busy="${busy}"></p>
</form>`;
}

export function renderSingleMethod(view: MethodsView, method: MethodView, amount: string): Html {
  const text = pageTexts(view.frame.locale);
  const sentence = method.takes === 'transfer' ? text.methods.payAmountByTransfer : text.pay.button;
  return renderMethodForm({
    view,
    method,
    id: 'method',
    label: interpolate(view.frame.locale, sentence, { amount }),
    isQuiet: false,
  });
}

function renderCardMethod(view: MethodsView, method: MethodView, form: Html, isFirst: boolean): Html {
  const text = pageTexts(view.frame.locale);
  if (isFirst && !method.mayBeUnavailable) return form;
  // Open after a card error, and if it is the first method.
  const isOpen = isFirst || view.isCardInUse;
  return html`<details${isOpen && html` open`}>
<summary>${text.methods.card}</summary>
${method.mayBeUnavailable && html`<p class="hint">${renderUnavailableHint(method, text)}</p>\n`}${form}
</details>`;
}

export function renderMethodChoice(view: MethodsView, renderCard: (method: MethodView) => Html): Html {
  const text = pageTexts(view.frame.locale);
  const items = view.methods.map((method, index) => {
    const isFirst = index === 0;
    if (method.takes === 'card')
      return html`<li>${renderCardMethod(view, method, renderCard(method), isFirst)}</li>\n`;
    const { payByTransfer, payWith } = text.methods;
    const label =
      method.takes === 'transfer'
        ? html`${payByTransfer}`
        : interpolate(view.frame.locale, payWith, { title: methodTitle(method, text) });
    return html`<li>${renderMethodForm({ view, method, id: `method-${index}`, label, isQuiet: !isFirst })}</li>\n`;
  });
  return html`<h2 id="methods">${text.methods.heading}</h2>
<ul class="methods" aria-labelledby="methods">
${items}</ul>`;
}

/** The result of the last method, if nothing went wrong. */
export function renderNote(view: MethodsView): Html | null {
  if (!view.note) return null;
  const { notCompleted, transferNotExpected } = pageTexts(view.frame.locale).methods;
  const merchant = userText(view.frame.merchantName);
  const sentence =
    view.note === 'not_completed'
      ? html`${notCompleted}`
      : interpolate(view.frame.locale, transferNotExpected, { merchant });
  return html`<p class="note">${sentence}</p>
`;
}
