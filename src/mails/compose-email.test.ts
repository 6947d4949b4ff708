// Emails name the payment method that was used.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { locales } from '../base/locale.ts';
import type { Company } from '../companies/store.ts';
import type { Refund } from '../payments/refund-store.ts';
import type { Attempt, Payment } from '../payments/store.ts';
import { composeEmail } from './compose-email.ts';
import type { PaymentEmailContext } from './read-email-context.ts';
import type { PaymentEmailKind } from './store.ts';

const at = new Date('2026-11-20T12:00:00Z');
const kinds: readonly PaymentEmailKind[] = ['receipt', 'refund', 'surplus', 'notice'];

function textOf(kind: PaymentEmailKind, locale: string, context: Partial<PaymentEmailContext>): string {
  const amount = { amountMinor: 1999, currency: 'EUR' } as const;
  const payment: Partial<Payment> = {
    ...amount,
    locale,
    code: 'codeofapayment',
    mode: 'live',
    customerOrderId: 'o',
    email: 'e',
    refundedMinor: 0,
    items: [],
  };
  const whole = {
    company: { name: 'Shop' } as Company,
    payment: { ...payment, expiresAt: at } as Payment,
    charged: { cardBrand: null, cardLast4: null } as Attempt,
    otherMethod: null,
    refund: kind === 'receipt' || kind === 'notice' ? null : (amount as Refund),
    ...context,
  };
  const { lead, facts } = composeEmail({ kind, createdAt: at }, whole, 'https://pay.example');
  return JSON.stringify([lead, facts]);
}

test('an email about a payment by another method names the method, and no card', () => {
  for (const kind of kinds) {
    for (const locale of locales) {
      const text = textOf(kind, locale, { otherMethod: { takes: 'page', title: 'Paypond' } });
      assert.match(text, /"Paypond"/, `${kind} ${locale}`);
      assert.doesNotMatch(text, /\bcard\b|Karte/, `${kind} ${locale}`);
    }
    const transfer = { takes: 'transfer', title: 'Bank transfer' } as const;
    assert.match(textOf(kind, 'de', { otherMethod: transfer }), /"Überweisung"/, kind);
  }
});

test('an email about a card payment names the card, and no processor', () => {
  const charged = { cardBrand: 'visa', cardLast4: '4242' } as Attempt;
  for (const kind of kinds) {
    const text = textOf(kind, 'en', { charged });
    assert.match(text, /Visa ending in 4242/);
    assert.doesNotMatch(text, /Paid with/);
  }
});

const item = { name: 'Blue mug', quantity: 2, unitAmountMinor: 950, taxRate: 1_900 };
const contentOf = (kind: PaymentEmailKind, company: Partial<Company>, payment: Partial<Payment> = {}) =>
  composeEmail(
    { kind, createdAt: at },
    {
      company: {
        companyId: 'co_00000000',
        name: 'Shop',
        logoHash: null,
        logoFile: null,
        ...company,
      } as Company,
      payment: {
        ...{ amountMinor: 1999, currency: 'EUR', code: 'codeofapayment', mode: 'live', items: [] },
        ...{ customerOrderId: 'o', email: 'e', expiresAt: at, refundedMinor: 0, locale: 'en', ...payment },
      } as Payment,
      ...{ charged: null, otherMethod: null },
      refund: kind === 'refund' ? ({ amountMinor: 500, currency: 'EUR' } as Refund) : null,
    },
    'https://pay.example',
  );

test('an email lists at most 20 items, links to the rest, and has the total and its taxes', () => {
  const of = (count: number, kind: PaymentEmailKind = 'receipt') =>
    contentOf(kind, {}, { items: Array(count).fill(item) });
  const { items, moreItems, sums } = of(22);
  assert.equal(items.length, 20);
  assert.deepEqual(items[0], { label: 'Blue mug', note: '2 × €9.50 · 19%', amount: '€19.00' });
  const url = 'https://pay.example/pay/codeofapayment/receipt';
  assert.deepEqual(moreItems, { label: 'and 2 more items', url });
  assert.deepEqual(
    sums.map(({ label }) => label),
    ['Total', 'Includes 19% tax'],
  );
  assert.equal(of(20).moreItems, null);
  assert.equal(of(21, 'link').moreItems?.url, 'https://pay.example/pay/codeofapayment');
  for (const kind of ['refund', 'notice'] as const) assert.deepEqual(of(3, kind).items, [], kind);
  assert.deepEqual(of(0).sums, [], 'without items, the large amount is enough');
});

test('the large amount is what was paid or refunded, and a refund says what is left', () => {
  assert.equal(contentOf('receipt', {}).amount, '€19.99');
  const { amount, facts } = contentOf('refund', {}, { refundedMinor: 500 });
  assert.equal(amount, '€5.00');
  assert.deepEqual(
    facts.filter(({ value }) => value.startsWith('€')),
    [
      { label: 'Paid', value: '€19.99' },
      { label: 'Paid after refunds', value: '€14.99' },
    ],
  );
});

test('the logo is a PNG from an address that is the same for each recipient, and an SVG is not shown', () => {
  const logoOf = (company: Partial<Company>, payment: Partial<Payment> = {}) =>
    contentOf('receipt', company, payment).brand.logoUrl;
  const folder = 'https://pay.example/assets/logos/co_00000000';
  assert.equal(logoOf({ logoFile: '0123456789abcdef.png' }), `${folder}/0123456789abcdef.png`);
  const small = { logoHash: 'a1b2c3d4' };
  assert.equal(logoOf({ ...small, logoFile: '0123456789abcdef.svg' }), `${folder}/a1b2c3d4.png`);
  assert.equal(logoOf({ logoFile: '0123456789abcdef.svg' }), null);
  assert.equal(logoOf({}), null);
  assert.equal(logoOf(small, { email: 'ada@example.com', code: 'one' }), logoOf(small, { code: 'two' }));
});

test('an email to a customer ends with the merchant’s address, VAT ID and contact, and one to the merchant does not', () => {
  const company = {
    ...{ postalAddress: 'Street 1\n10115 Berlin', vatId: 'DE123456789', supportEmail: 'help@shop.example' },
    ...{ website: 'https://shop.example', imprintUrl: 'https://shop.example/imprint' },
  };
  assert.deepEqual(contentOf('link', company).imprint, {
    address: ['Shop', 'Street 1', '10115 Berlin'],
    vatId: { label: 'VAT ID', value: 'DE123456789' },
    links: [
      { label: 'help@shop.example', url: 'mailto:help@shop.example' },
      { label: 'shop.example', url: 'https://shop.example' },
      { label: 'Imprint', url: 'https://shop.example/imprint' },
    ],
  });
  assert.equal(contentOf('notice', company).imprint, null);
});
