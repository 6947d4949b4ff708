// A customer without a browser: parses the form, fills it, posts it, and follows redirects.

import assert from 'node:assert/strict';
import { testCsc } from './paylink.ts';

export type Page = { url: string; status: number; text: string; headers: Headers };
export type Card = { number: string; expiry?: string; csc?: string; name?: string };

type Input = { name: string; value: string; autocomplete: string; takes: string; isChosen: boolean };
/** Of the radio buttons, `inputs` has the chosen one; `choices` has all. */
type Form = { action: string; inputs: Input[]; choices: Input[] };

function attribute(tag: string, name: string): string {
  const value = new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1] ?? '';
  return value
    .replaceAll('&amp;', '&')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<');
}

const isLanguageForm = ({ action }: Form) => new URL(action).pathname.endsWith('/language');

function readForms(page: Page): Form[] {
  return [...page.text.matchAll(/<form\b([^>]*)>([\s\S]*?)<\/form>/g)].map(([, head = '', inside = '']) => {
    const all = [...inside.matchAll(/<input\b[^>]*>/g)].map(([tag]) => ({
      name: attribute(tag, 'name'),
      value: attribute(tag, 'value'),
      autocomplete: attribute(tag, 'autocomplete'),
      takes: attribute(tag, 'data-takes'),
      isRadio: attribute(tag, 'type') === 'radio',
      isChosen: /\schecked[\s>]/.test(tag),
    }));
    return {
      action: new URL(attribute(` ${head}`, 'action'), page.url).href,
      inputs: all.filter(({ isRadio, isChosen }) => !isRadio || isChosen),
      choices: all.filter(({ isRadio }) => isRadio),
    };
  });
}

/** The forms of a page, in order, without the choice of language, which most pages have. */
export function formsOf(page: Page): Form[] {
  return readForms(page).filter((form) => !isLanguageForm(form));
}

/** The choice of language of a page. */
export function languageFormOf(page: Page): Form {
  return readForms(page).find(isLanguageForm) ?? assert.fail(`no language can be picked at ${page.url}`);
}

/** Fetches and follows redirects itself, up to a page or an address of another origin. */
export async function visit(url: string, init: RequestInit = {}): Promise<Page> {
  const origin = new URL(url).origin;
  let next = { url, init };
  for (let hop = 0; hop < 10; hop++) {
    if (new URL(next.url).origin !== origin)
      return { url: next.url, status: 0, text: '', headers: new Headers() };
    // A browser always sends a language; without one, the pages would have that of the company.
    const headers = { 'accept-language': 'en', ...Object.fromEntries(new Headers(next.init.headers)) };
    const response = await fetch(next.url, { redirect: 'manual', ...next.init, headers });
    const location = response.headers.get('location');
    if (!location)
      return {
        url: next.url,
        status: response.status,
        text: await response.text(),
        headers: response.headers,
      };
    assert.equal(response.status, 303, 'a redirect is a 303');
    next = { url: new URL(location, next.url).href, init: {} };
  }
  throw new Error('too many redirects');
}

/** The body that a browser would post for the card form of a page. */
export function fillCard(page: Page, card: Card): { action: string; body: URLSearchParams } {
  const form = formsOf(page).find((candidate) =>
    candidate.inputs.some((input) => input.autocomplete === 'cc-number'),
  );
  assert.ok(form, `there is no card form at ${page.url}`);
  const values: Record<string, string> = {
    'cc-name': card.name ?? 'Ada Lovelace',
    'cc-number': card.number,
    'cc-exp': card.expiry ?? '12/34',
    'cc-csc': card.csc ?? testCsc,
  };
  const body = new URLSearchParams();
  for (const input of form.inputs) body.append(input.name, values[input.autocomplete] ?? input.value);
  const cards = form.choices.find(({ takes }) => takes === 'card');
  if (cards) body.set(cards.name, cards.value);
  return { action: form.action, body };
}

/** Opens a link and pays with a card. Returns the last page. */
export async function payWith(link: string, card: Card): Promise<Page> {
  const { action, body } = fillCard(await visit(link), card);
  return await visit(action, { method: 'POST', body });
}

/** Presses a button of the only form that has it, such as `decision=approve` of the challenge. */
export async function press(
  page: Page,
  options: { form: number; extra?: Record<string, string> },
): Promise<Page> {
  const form = formsOf(page)[options.form];
  assert.ok(form, `there is no such form at ${page.url}`);
  const body = new URLSearchParams(form.inputs.map((input): [string, string] => [input.name, input.value]));
  for (const [name, value] of Object.entries(options.extra ?? {})) body.set(name, value);
  return await visit(form.action, { method: 'POST', body });
}
