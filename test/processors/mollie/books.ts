// What the fake Mollie remembers: payments, refunds and idempotency keys, rebuilt from its journal, and the webhook that
// goes out with every change. It must never import anything of the service.

import { randomUUID } from 'node:crypto';
import type { FakeAnswer, FakeServer } from '../kit/fake-server.ts';
import {
  type CaptureLine,
  centsOf,
  momentText,
  type PaymentLine,
  type RefundLine,
  takenCentsOf,
} from './shapes.ts';

type KeyLine = {
  type: 'key';
  account: string;
  key: string;
  request: string;
  answer: FakeAnswer;
  atMs: number;
};

export type MollieLine = PaymentLine | RefundLine | CaptureLine | KeyLine;

/** Keys that open an account, and whose account it is. */
export const accounts = [
  { apiKey: 'test_fakeAccountOne0123456789abcd', holder: 'Möbel Müller', profileId: 'pfl_QkEhN94Ba' },
  { apiKey: 'test_fakeAccountTwo0123456789abcd', holder: 'Somebody Else', profileId: 'pfl_3RkSN1zuPE' },
] as const;

const hourMs = 60 * 60 * 1000;

/** How long Mollie remembers an idempotency key. */
const keyLifeMs = hourMs;

/** Mollie takes a second refund of the same amount for the doubling of the first, for so long. */
const doubleLifeMs = hourMs;

/** How long a payment stays open before a method is chosen. */
const paymentLifeMs = 15 * 60 * 1000;

export const newMollieId = (prefix: 'tr' | 're' | 'cpt') =>
  `${prefix}_${randomUUID().replaceAll('-', '').slice(0, 22)}`;

type NewPayment = Omit<
  PaymentLine,
  'type' | 'id' | 'status' | 'createdAt' | 'expiresAt' | 'paidAt' | 'failureReason' | 'capturedCents'
>;

type Memory = {
  server: FakeServer<MollieLine>;
  payments: Map<string, PaymentLine>;
  refunds: Map<string, RefundLine>;
  captures: Map<string, CaptureLine>;
  keys: Map<string, KeyLine>;
};

function replay(server: FakeServer<MollieLine>): Memory {
  const maps = { payments: new Map(), refunds: new Map(), captures: new Map(), keys: new Map() };
  const memory: Memory = { server, ...maps };
  for (const line of server.journal.lines) {
    if (line.type === 'payment') memory.payments.set(line.id, line);
    if (line.type === 'refund_made') memory.refunds.set(line.id, line);
    if (line.type === 'capture_made') memory.captures.set(line.id, line);
    if (line.type === 'key') memory.keys.set(`${line.account} ${line.key}`, line);
  }
  return memory;
}

const tell = ({ server }: Memory, { id, webhookUrl }: PaymentLine) =>
  server.notify({ url: webhookUrl, body: `id=${id}`, contentType: 'application/x-www-form-urlencoded' });

function writePayment({ server, payments }: Memory, payment: PaymentLine): PaymentLine {
  server.journal.append(payment);
  payments.set(payment.id, payment);
  return payment;
}

function writeRefund({ server, refunds }: Memory, refund: RefundLine): RefundLine {
  server.journal.append(refund);
  refunds.set(refund.id, refund);
  return refund;
}

function linkCodeOf({ metadata }: PaymentLine): string | null {
  const { linkCode } = (metadata ?? {}) as { linkCode?: unknown };
  return typeof linkCode === 'string' ? linkCode : null;
}

function moveMoney({ server }: Memory, moved: PaymentLine | RefundLine): void {
  const { key, account, amount } = moved;
  const isCharge = moved.type === 'payment';
  server.journal.append({
    ...{ type: isCharge ? 'charge' : 'refund', key, account, reference: moved.id },
    chargeReference: isCharge ? null : moved.paymentId,
    linkCode: isCharge ? linkCodeOf(moved) : null,
    amountMinor: moved.type === 'payment' ? takenCentsOf(moved) : centsOf(amount),
    currency: amount.currency,
  });
}

/** States of a payment that can still move. */
const underWay: readonly PaymentLine['status'][] = ['open', 'pending', 'authorized'];

/** Moves a payment on; one that has ended stays as it is. */
function endPayment(memory: Memory, { id }: PaymentLine, changes: Partial<PaymentLine>): PaymentLine {
  const standing = memory.payments.get(id);
  if (!standing) throw new Error(`there is no payment ${id}`);
  if (!underWay.includes(standing.status)) return standing;
  const isPaid = changes.status === 'paid';
  const paidAt = isPaid ? momentText(memory.server.now()) : null;
  const ended = writePayment(memory, { ...standing, ...changes, paidAt });
  if (isPaid) moveMoney(memory, ended);
  tell(memory, ended);
  return ended;
}

/** Mollie takes the money of a payment, though it is over. */
function payAnyway(memory: Memory, payment: PaymentLine): void {
  const paidAt = momentText(memory.server.now());
  const paid = writePayment(memory, { ...payment, status: 'paid', paidAt });
  moveMoney(memory, paid);
  tell(memory, paid);
}

function paymentBook(memory: Memory) {
  const { payments, server } = memory;
  return {
    /** Ends what has run out. */
    expireDue: () => {
      for (const payment of payments.values())
        if (payment.status === 'open' && Date.parse(payment.expiresAt) <= server.now().getTime())
          endPayment(memory, payment, { status: 'expired' });
    },
    findPayment: (id: string) => payments.get(id) ?? null,
    findByKey: (key: string) => [...payments.values()].find((payment) => payment.key === key) ?? null,
    payAnyway: (payment: PaymentLine) => payAnyway(memory, payment),
    /** Makes Mollie say something else about a payment. Nobody is told. */
    restate: (payment: PaymentLine, changes: Pick<PaymentLine, 'amount' | 'metadata'>) =>
      writePayment(memory, { ...payment, ...changes }),
    listPayments: (account: string) =>
      [...payments.values()].filter((payment) => payment.account === account).reverse(),
    createPayment: (asked: NewPayment): PaymentLine =>
      writePayment(memory, {
        ...{ type: 'payment', id: newMollieId('tr'), ...asked, status: 'open' },
        createdAt: momentText(server.now()),
        expiresAt: momentText(new Date(server.now().getTime() + paymentLifeMs)),
        ...{ paidAt: null, failureReason: null, capturedCents: null },
      }),
    end: (payment: PaymentLine, changes: Partial<PaymentLine>) => endPayment(memory, payment, changes),
  };
}

function refundBook(memory: Memory) {
  const { payments, refunds, server } = memory;
  const refundsOf = (paymentId: string) =>
    [...refunds.values()].filter((refund) => refund.paymentId === paymentId);
  return {
    refundsOf,
    listRefunds: (account: string) =>
      [...refunds.values()].filter((refund) => refund.account === account).reverse(),
    /** What can still be refunded, in cents. */
    leftOf: (payment: PaymentLine): number =>
      refundsOf(payment.id)
        .filter(({ status }) => status !== 'failed')
        .reduce((left, refund) => left - centsOf(refund.amount), takenCentsOf(payment)),
    isDouble: (payment: PaymentLine, value: string): boolean =>
      refundsOf(payment.id).some(
        ({ amount, createdAt }) =>
          amount.value === value && server.now().getTime() - Date.parse(createdAt) < doubleLifeMs,
      ),
    createRefund: (asked: Omit<RefundLine, 'type' | 'id' | 'status' | 'createdAt'>): RefundLine => {
      const createdAt = momentText(server.now());
      const fresh = { type: 'refund_made', id: newMollieId('re'), status: 'pending', createdAt } as const;
      return writeRefund(memory, { ...fresh, ...asked });
    },
    /** A refund comes back from the customer's bank. */
    failRefund: (refund: RefundLine) => {
      writeRefund(memory, { ...refund, status: 'failed' });
      const payment = payments.get(refund.paymentId);
      if (payment) tell(memory, payment);
    },
    /** What takes Mollie days: refunds are paid out, or come back from the bank. */
    settleRefunds: (status: 'refunded' | 'failed') => {
      for (const refund of refunds.values()) {
        if (refund.status !== 'pending') continue;
        const settled = writeRefund(memory, { ...refund, status });
        if (status === 'refunded') moveMoney(memory, settled);
        const payment = payments.get(refund.paymentId);
        if (payment) tell(memory, payment);
      }
    },
  };
}

function captureBook(memory: Memory) {
  const { captures, payments, server } = memory;
  const write = (capture: CaptureLine): CaptureLine => {
    server.journal.append(capture);
    captures.set(capture.id, capture);
    return capture;
  };
  return {
    capturesOf: (paymentId: string) =>
      [...captures.values()].filter((capture) => capture.paymentId === paymentId),
    createCapture: (asked: Omit<CaptureLine, 'type' | 'id' | 'status' | 'createdAt'>): CaptureLine =>
      write({
        ...{ type: 'capture_made', id: newMollieId('cpt'), status: 'pending', ...asked },
        createdAt: momentText(server.now()),
      }),
    /** What is under way comes to its end: captures are made, and payments that wait are paid. */
    settlePayments: () => {
      for (const capture of captures.values()) {
        const payment = payments.get(capture.paymentId);
        if (capture.status !== 'pending' || !payment) continue;
        write({ ...capture, status: 'succeeded' });
        endPayment(memory, payment, { status: 'paid', capturedCents: centsOf(capture.amount) });
      }
      for (const payment of payments.values())
        if (payment.status === 'pending') endPayment(memory, payment, { status: 'paid' });
    },
  };
}

function keyBook({ keys, server }: Memory) {
  return {
    findKey: (account: string, key: string): KeyLine | null => {
      const line = keys.get(`${account} ${key}`);
      return line && server.now().getTime() - line.atMs < keyLifeMs ? line : null;
    },
    keepKey: (kept: Omit<KeyLine, 'type' | 'atMs'>) => {
      const line = { type: 'key', ...kept, atMs: server.now().getTime() } as const;
      server.journal.append(line);
      keys.set(`${kept.account} ${kept.key}`, line);
    },
  };
}

export type Books = ReturnType<typeof openBooks>;

/** Replays a journal and goes on writing it. */
export function openBooks(server: FakeServer<MollieLine>) {
  const memory = replay(server);
  return { ...paymentBook(memory), ...refundBook(memory), ...captureBook(memory), ...keyBook(memory) };
}
