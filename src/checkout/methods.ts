// The methods on the pay page, in order: a button for each, and the card form among them. One press pays, with and
// without script. No choice is needed first. Must not offer a method that it was not given.

import { type Html, html, userText } from '../http/html.ts';
import { interpolate, interpolateText } from '../http/interpolate.ts';
import type { ProcessorKind } from '../processors/processor.ts';
import type { PageFrame } from './layout.ts';
import { type Texts, texts } from './texts.ts';

export type MethodView = {
  /** The value by which the form requests the method. */
  id: string;
  takes: ProcessorKind['takes'];
  /** The processor's name for customers. */
  title: string;
  /** Whether the method may be failing right now. Such methods come last. */
  isDoubtful: boolean;
};

/** Shown if the customer came back from a method that took no money. */
export type PayNote = 'came_back' | 'transfer_ended';

/** What the methods use of the pay page's view. */
export type MethodsView = {
  frame: PageFrame;
  /** Path that a card and a method are posted to. */
  action: string;
  /** Goes into the hidden input `form_token` of every form. */
  formToken: string;
  /** The offered methods, in order; at least one. */
  methods: readonly MethodView[];
  /** Whether the last attempt used a card entered here, so that its form is open. */
  isCardInUse: boolean;
  note: PayNote | null;
};

/** The name of a processor on a page. A bank transfer has a name in each language. */
export function methodTitle(kind: Pick<ProcessorKind, 'takes' | 'title'>, text: Texts): string {
  return kind.takes === 'transfer' ? text.methods.transfer : kind.title;
}

/** The hidden input by which a form requests a method. */
export function methodInput(method: MethodView): Html {
  return html`<input type="hidden" name="method" value="${method.id}">
`;
}

function renderUnavailableHint(method: MethodView, text: Texts): Html | null {
  return method.isDoubtful ? html` <strong>${text.methods.isDoubtful}</strong>` : null;
}

type MethodItem = { view: MethodsView; method: MethodView; id: string; label: Html; isQuiet: boolean };

/** The button of a method that is paid elsewhere, and what happens when it is pressed. */
function renderMethodForm({ view, method, id, label, isQuiet }: MethodItem): Html {
  const text = texts(view.frame.locale);
  const { aboutTransfer, aboutPage, busy } = text.methods;
  const about =
    method.takes === 'transfer'
      ? aboutTransfer
      : interpolateText(aboutPage, { title: methodTitle(method, text) });
  return html`<form class="way" method="post" action="${view.action}">
<input type="hidden" name="form_token" value="${view.formToken}">
${methodInput(method)}<button type="submit" class="button${isQuiet && ' quiet'}" aria-describedby="${id}-about">${label}</button>
<p class="hint" id="${id}-about">${about}${renderUnavailableHint(method, text)}</p>
<p class="hint" role="status" data-busy="${busy}"></p>
</form>`;
}

/** The only method, without a choice: a button with the amount. */
export function renderSingleMethod(view: MethodsView, method: MethodView, amount: string): Html {
  const text = texts(view.frame.locale);
  const sentence = method.takes === 'transfer' ? text.methods.payAmountByTransfer : text.pay.button;
  return renderMethodForm({
    view,
    method,
    id: 'way',
    label: interpolate(sentence, { amount }),
    isQuiet: false,
  });
}

function renderCardMethod(view: MethodsView, method: MethodView, form: Html, isFirst: boolean): Html {
  const text = texts(view.frame.locale);
  if (isFirst && !method.isDoubtful) return form;
  // Open if the customer was there: after an error of the card, and if nothing else is above it.
  const isOpen = isFirst || view.isCardInUse;
  return html`<details${isOpen && html` open`}>
<summary>${text.methods.card}</summary>
${method.isDoubtful && html`<p class="hint">${renderUnavailableHint(method, text)}</p>\n`}${form}
</details>`;
}

/** A choice of methods. `renderCard` makes the form of a method that takes a card here. */
export function renderMethodChoice(view: MethodsView, renderCard: (method: MethodView) => Html): Html {
  const text = texts(view.frame.locale);
  const items = view.methods.map((method, index) => {
    const isFirst = index === 0;
    if (method.takes === 'card')
      return html`<li>${renderCardMethod(view, method, renderCard(method), isFirst)}</li>\n`;
    const { payByTransfer, payWith } = text.methods;
    const label =
      method.takes === 'transfer'
        ? html`${payByTransfer}`
        : interpolate(payWith, { title: methodTitle(method, text) });
    return html`<li>${renderMethodForm({ view, method, id: `way-${index}`, label, isQuiet: !isFirst })}</li>\n`;
  });
  return html`<h2 id="ways">${text.methods.heading}</h2>
<ul class="ways" aria-labelledby="ways">
${items}</ul>`;
}

/** The result of the last method, if nothing went wrong. */
export function renderNote(view: MethodsView): Html | null {
  if (!view.note) return null;
  const { cameBack, transferEnded } = texts(view.frame.locale).methods;
  const merchant = userText(view.frame.merchantName);
  const sentence = view.note === 'came_back' ? html`${cameBack}` : interpolate(transferEnded, { merchant });
  return html`<p class="note">${sentence}</p>
`;
}
