// The texts of emails about the method that was used.

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

function wordsOf(kind: PaymentEmailKind, locale: string, contents: Partial<PaymentEmailContext>): string {
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
    paidThere: null,
    refund: kind === 'receipt' || kind === 'notice' ? null : (amount as Refund),
    ...contents,
  };
  const { lead, facts, receipt } = composeEmail({ kind, createdAt: at }, whole, 'https://pay.example');
  return JSON.stringify([lead, facts, receipt?.data]);
}

test('who paid elsewhere reads with what, and nothing of a card', () => {
  for (const kind of kinds) {
    for (const locale of locales) {
      const there = wordsOf(kind, locale, { paidThere: { takes: 'page', title: 'Paypond' } });
      assert.match(there, /"Paypond"/, `${kind} ${locale}`);
      assert.doesNotMatch(there, /\bcard\b|Karte/, `${kind} ${locale}`);
    }
    const transfer = { takes: 'transfer', title: 'Bank transfer' } as const;
    assert.match(wordsOf(kind, 'de', { paidThere: transfer }), /"Überweisung"/, kind);
  }
});

test('who paid by card reads with which, and of no processor', () => {
  const charged = { cardBrand: 'visa', cardLast4: '4242' } as Attempt;
  for (const kind of kinds) {
    const words = wordsOf(kind, 'en', { charged });
    assert.match(words, /Visa ending in 4242/);
    assert.doesNotMatch(words, /Paid with/);
  }
});
