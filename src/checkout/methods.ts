// The payment methods of the pay page: a radio button for each, and the card form below that of the card. Which form
// is visible is decided by the stylesheet, so that the choice works without script.

import { type Html, html, userText } from '../http/html.ts';
import { interpolate } from '../http/interpolate.ts';
import type { ProcessorKind } from '../processors/processor.ts';
import { type PageTexts, pageTexts } from '../texts/texts.ts';
import type { PageFrame } from './layout.ts';

export type MethodView = {
  /** The value of the form's `method` input. */
  id: string;
  takes: ProcessorKind['takes'];
  /** The processor's name for customers. */
  title: string;
  /** The merchant's name for the connection, if the page offers another method with the same title; else null. */
  name: string | null;
  /** What customers can use at the processor, by its brand: `Apple Pay`. */
  offers: readonly string[];
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
  /** The method of the last attempt or of the refused form; null chooses the first. */
  chosenId: string | null;
  note: PayNote | null;
};

export function methodTitle(kind: Pick<ProcessorKind, 'takes' | 'title'>, text: PageTexts): string {
  return kind.takes === 'transfer' ? text.methods.transfer : kind.title;
}

/** The chosen method. */
export function chosenOf({ methods, chosenId }: MethodsView): MethodView | undefined {
  return methods.find(({ id }) => id === chosenId) ?? methods[0];
}

export function methodInput(method: MethodView): Html {
  return html`<input type="hidden" name="method" value="${method.id}">
`;
}

// In a square of 24; the arrow of `page` points to where the text goes, so it is mirrored from right to left.
const iconPaths: Record<MethodView['takes'], string> = {
  card: 'M3 5.5h18v13H3zM3 10h18M6.5 15h4',
  page: 'M14 4h6v6M20 4l-9 9M18 14v6H4V6h6',
  transfer: 'M3 9.5L12 4l9 5.5zM5.5 10v8M10 10v8M14 10v8M18.5 10v8M3 20h18',
};

function renderIcon(takes: MethodView['takes']): Html {
  return html`<svg class="method-icon${takes === 'page' && ' leaves'}" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true" focusable="false"><path d="${iconPaths[takes]}"/></svg>`;
}

/** The line below the name of a method: what the customer will do. */
function renderAbout(view: MethodsView, method: MethodView): Html {
  const { locale } = view.frame;
  const { aboutCard, aboutPage, aboutTransfer, mayBeUnavailable } = pageTexts(locale).methods;
  const about = {
    card: html`${aboutCard}`,
    page: interpolate(locale, aboutPage, { title: method.title }),
    transfer: html`${aboutTransfer}`,
  }[method.takes];
  return html`${about}${method.mayBeUnavailable && html` <strong>${mayBeUnavailable}</strong>`}`;
}

function renderOffers({ offers }: MethodView): Html | null {
  if (offers.length === 0) return null;
  return html`<span class="offers">${offers.map((offer) => html`<span dir="ltr">${offer}</span> `)}</span>`;
}

function renderName(method: MethodView, text: PageTexts): Html {
  const title = method.takes === 'card' ? text.card : methodTitle(method, text);
  return method.name === null ? html`${title}` : html`<bdi>${title}</bdi> (${userText(method.name)})`;
}

/** The single method of a page, if that is no card: the form names it, and says what will happen. */
export function renderOnlyMethod(view: MethodsView, method: MethodView): Html {
  return html`${methodInput(method)}<p class="hint" id="method-about">${renderAbout(view, method)}</p>
${renderOffers(method)}`;
}

/** A radio button for each method, in a row of at least 56 px; `card`: the fields of the card form. */
export function renderMethodChoice(view: MethodsView, card: Html): Html {
  const text = pageTexts(view.frame.locale);
  const chosen = chosenOf(view);
  const rows = view.methods.map((method) => {
    const isChosen = method === chosen;
    return html`<label class="method"><input type="radio" name="method" value="${method.id}" data-takes="${method.takes}"${
      isChosen && html` checked`
    }>${renderIcon(method.takes)}<span><span class="method-name">${renderName(method, text)}</span> <span class="hint">${renderAbout(
      view,
      method,
    )}</span>${renderOffers(method)}</span></label>
${method.takes === 'card' && html`<div class="method-fields">\n${card}</div>\n`}`;
  });
  return html`<fieldset class="methods">
<legend>${text.methods.heading}</legend>
${rows}</fieldset>
`;
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
