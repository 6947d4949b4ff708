// What the fake Mollie remembers: payments, refunds and idempotency keys, rebuilt from its journal, and the webhook that
// goes out with every change. It must never import anything of the service.

import { randomUUID } from 'node:crypto';
import type { FakeAnswer, FakeServer } from '../kit/fake-server.ts';
import { centsOf, momentText, type PaymentLine, type RefundLine } from './shapes.ts';

type KeyLine = {
  type: 'key';
  account: string;
  key: string;
  request: string;
  answer: FakeAnswer;
  atMs: number;
};

export type MollieLine = PaymentLine | RefundLine | KeyLine;

/** Keys that open an account, and whose account it is. */
export const accounts = [
  { apiKey: 'test_fakeAccountOne0123456789abcd', holder: 'Möbel Müller' },
  { apiKey: 'test_fakeAccountTwo0123456789abcd', holder: 'Somebody Else' },
] as const;

const hourMs = 60 * 60 * 1000;

/** How long Mollie remembers an idempotency key. */
const keyLifeMs = hourMs;

/** Mollie takes a second refund of the same amount for the doubling of the first, for so long. */
const doubleLifeMs = hourMs;

/** How long a payment stays open before a method is chosen. */
const paymentLifeMs = 15 * 60 * 1000;

export const newMollieId = (prefix: 'tr' | 're') =>
  `${prefix}_${randomUUID().replaceAll('-', '').slice(0, 22)}`;

export type Books = ReturnType<typeof openBooks>;

type NewPayment = Omit<
  PaymentLine,
  'type' | 'id' | 'status' | 'createdAt' | 'expiresAt' | 'paidAt' | 'failureReason'
>;

/** Replays a journal and goes on writing it. */
export function openBooks({ journal, now, notify }: FakeServer<MollieLine>) {
  const payments = new Map<string, PaymentLine>();
  const refunds = new Map<string, RefundLine>();
  const keys = new Map<string, KeyLine>();
  for (const line of journal.lines) {
    if (line.type === 'payment') payments.set(line.id, line);
    if (line.type === 'refund_made') refunds.set(line.id, line);
    if (line.type === 'key') keys.set(`${line.account} ${line.key}`, line);
  }

  const tell = ({ id, webhookUrl }: PaymentLine) =>
    notify({ url: webhookUrl, body: `id=${id}`, contentType: 'application/x-www-form-urlencoded' });
  const write = (payment: PaymentLine): PaymentLine => {
    journal.append(payment);
    payments.set(payment.id, payment);
    return payment;
  };
  const moveMoney = (moved: PaymentLine | RefundLine) => {
    const { key, account, amount } = moved;
    const isCharge = moved.type === 'payment';
    journal.append({
      ...{ type: isCharge ? 'charge' : 'refund', key, account, reference: moved.id },
      chargeReference: isCharge ? null : moved.paymentId,
      amountMinor: centsOf(amount),
      currency: amount.currency,
    });
  };
  /** Moves an open payment on; one that has ended stays as it is. */
  const end = (payment: PaymentLine, changes: Partial<PaymentLine>): PaymentLine => {
    if (payments.get(payment.id)?.status !== 'open') return payments.get(payment.id) ?? payment;
    const isPaid = changes.status === 'paid';
    const ended = write({ ...payment, ...changes, paidAt: isPaid ? momentText(now()) : null });
    if (isPaid) moveMoney(ended);
    tell(ended);
    return ended;
  };
  const refundsOf = (paymentId: string) =>
    [...refunds.values()].filter((refund) => refund.paymentId === paymentId);

  return {
    /** Ends what has run out. */
    expireDue: () => {
      for (const payment of payments.values())
        if (payment.status === 'open' && Date.parse(payment.expiresAt) <= now().getTime())
          end(payment, { status: 'expired' });
    },
    findPayment: (id: string) => payments.get(id) ?? null,
    listPayments: (account: string) =>
      [...payments.values()].filter((payment) => payment.account === account).reverse(),
    refundsOf,
    listRefunds: (account: string) =>
      [...refunds.values()].filter((refund) => refund.account === account).reverse(),
    createPayment: (asked: NewPayment): PaymentLine =>
      write({
        ...{ type: 'payment', id: newMollieId('tr'), ...asked, status: 'open' },
        createdAt: momentText(now()),
        expiresAt: momentText(new Date(now().getTime() + paymentLifeMs)),
        ...{ paidAt: null, failureReason: null },
      }),
    end,
    /** What can still be given back, in cents. */
    leftOf: (payment: PaymentLine): number =>
      refundsOf(payment.id)
        .filter(({ status }) => status !== 'failed')
        .reduce((left, refund) => left - centsOf(refund.amount), centsOf(payment.amount)),
    isDouble: (payment: PaymentLine, value: string): boolean =>
      refundsOf(payment.id).some(
        ({ amount, createdAt }) =>
          amount.value === value && now().getTime() - Date.parse(createdAt) < doubleLifeMs,
      ),
    createRefund: (asked: Omit<RefundLine, 'type' | 'id' | 'status' | 'createdAt'>): RefundLine => {
      const id = newMollieId('re');
      const createdAt = momentText(now());
      const refund = { type: 'refund_made', id, ...asked, status: 'pending', createdAt } as const;
      journal.append(refund);
      refunds.set(id, refund);
      return refund;
    },
    /** What takes Mollie days: refunds are paid out, or come back from the bank. */
    settleRefunds: (status: 'refunded' | 'failed') => {
      for (const refund of refunds.values()) {
        if (refund.status !== 'pending') continue;
        const settled = { ...refund, status };
        journal.append(settled);
        refunds.set(refund.id, settled);
        if (status === 'refunded') moveMoney(settled);
        const payment = payments.get(refund.paymentId);
        if (payment) tell(payment);
      }
    },
    findKey: (account: string, key: string): KeyLine | null => {
      const line = keys.get(`${account} ${key}`);
      return line && now().getTime() - line.atMs < keyLifeMs ? line : null;
    },
    keepKey: (kept: Omit<KeyLine, 'type' | 'atMs'>) => {
      const line = { type: 'key', ...kept, atMs: now().getTime() } as const;
      journal.append(line);
      keys.set(`${kept.account} ${kept.key}`, line);
    },
  };
}
