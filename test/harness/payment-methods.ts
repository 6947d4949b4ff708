// The payment methods of a page as a customer without a browser reads them, and companies that offer them.

import assert from 'node:assert/strict';
import { type Credentials, call, type Json, logIn } from './client.ts';
import type { Paylink } from './paylink.ts';
import { formsOf, type Page, press } from './visitor.ts';

/** The visible text of a page. */
export function visibleText({ text }: Page): string {
  return text
    .replace(/^[\s\S]*<main/, '<main')
    .replace(/<footer[\s\S]*$/, '')
    .replace(/<[^>]*>/g, ' ')
    .replaceAll('&#39;', "'")
    .replace(/\s+/gu, ' ');
}

export const titleOf = ({ text }: Page) => /<title>(.*)<\/title>/.exec(text)?.[1] ?? '';

/** The payment methods of a page, in order; `card` for the card form. */
export function methodsOf(page: Page): string[] {
  return formsOf(page).flatMap(({ inputs, choices }) => {
    if (choices.length > 0) return choices.map(({ value, takes }) => (takes === 'card' ? 'card' : value));
    if (inputs.some(({ autocomplete }) => autocomplete === 'cc-number')) return ['card'];
    const method = inputs.find(({ name }) => name === 'method');
    return method ? [method.value] : [];
  });
}

/** The method whose radio button is chosen; `card` for the card form. */
export function chosenMethodOf(page: Page): string | undefined {
  const chosen = formsOf(page)
    .flatMap(({ choices }) => choices)
    .find(({ isChosen }) => isChosen);
  return chosen?.takes === 'card' ? 'card' : chosen?.value;
}

/**
 * Pays with a method; a card form is posted as it is. The page need not offer the method any more, because its processor
 * is down: a customer may have opened the page before.
 */
export async function chooseMethod(page: Page, method: string): Promise<Page> {
  const form = formsOf(page).findIndex(({ inputs, choices }) =>
    [...inputs, ...choices].some(({ name }) => name === 'method'),
  );
  return await press(page, { form, extra: { method } });
}

export async function openCompany(
  paylink: Paylink,
  ...processors: (string | Json)[]
): Promise<{ owner: Credentials; ids: string[] }> {
  const owner = await logIn(paylink, await paylink.createMerchant());
  const ids: string[] = [];
  for (const wanted of processors) {
    const body = typeof wanted === 'string' ? { processor: wanted } : wanted;
    const made = await call(paylink, owner, ['POST', '/v1/processor-connections'], body);
    assert.equal(made.status, 200, JSON.stringify(made.body));
    ids.push(String(made.body.id));
  }
  return { owner, ids };
}

/** Disables the built-in card form, which test mode offers by default. */
export const noCards: Json = { processor: 'sandbox', enabled: false };

export async function listAttempts(
  paylink: Paylink,
  code: string,
): Promise<{ id: string; processor: string; state: string }[]> {
  return await paylink.app.deps.db.asOwner.query(
    `select a.attempt_id as id, a.processor, a.state from attempts a join payments p using (company_id, payment_id)
     where p.code = $1 order by a.attempt_id`,
    [code],
  );
}

export async function statusOf(paylink: Paylink, owner: Credentials, code: string): Promise<unknown> {
  return (await call(paylink, owner, ['GET', `/v1/payments/${code}`])).body.status;
}
