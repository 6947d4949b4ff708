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
  const amount = { amountMinor: 1999, currency: 'EUR' };
  const payment = {
    ...amount,
    locale,
    code: 'codeofapayment',
    mode: 'live',
    customerOrderId: 'o',
    email: 'e',
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
