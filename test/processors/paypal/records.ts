// The records of the fake PayPal: orders, captures, refunds and transactions, replayed from its journal. Each change is
// on disk before it takes effect.

import { randomBytes } from 'node:crypto';
import type { FakeServer } from '../kit/fake-server.ts';

/** The apps, each with its own business account. */
export const apps = [
  {
    clientId: 'AWfake-client-one',
    clientSecret: 'EJfake-secret-one',
    appId: 'APP-FAKE000000000001T',
    webhookId: '1FAKE00000000001A',
  },
  {
    clientId: 'AWfake-client-two',
    clientSecret: 'EJfake-secret-two',
    appId: 'APP-FAKE000000000002T',
    webhookId: '2FAKE00000000002B',
  },
] as const;

export type Amount = { currency_code: string; value: string };

export type Capture = {
  id: string;
  status: 'COMPLETED' | 'PENDING' | 'DECLINED' | 'REFUNDED' | 'PARTIALLY_REFUNDED';
  responseCode?: string;
  /** Less than the order, where a part was captured. */
  amount?: Amount;
  at: string;
};

/** An order; each line replaces the previous one of its ID. */
export type OrderLine = {
  type: 'order';
  id: string;
  app: string;
  requestId: string | null;
  /** The request ID of its capture. */
  captureRequestId: string | null;
  status: 'PAYER_ACTION_REQUIRED' | 'APPROVED' | 'COMPLETED' | 'VOIDED';
  intent: string;
  referenceId: string;
  customId: string;
  invoiceId: string;
  amount: Amount;
  brandName: string;
  softDescriptor: string;
  description: string;
  returnUrl: string;
  cancelUrl: string;
  /** Whether the payer chose an instrument that the capture declines. */
  willDecline: boolean;
  captures: Capture[];
  createdAt: string;
};

export type RefundLine = {
  type: 'refund_asked';
  id: string;
  app: string;
  orderId: string;
  captureId: string;
  requestId: string | null;
  status: 'COMPLETED' | 'PENDING' | 'FAILED';
  amount: Amount;
  invoiceId: string;
  customId: string;
  createdAt: string;
};

/** A row of Transaction Search. Payouts are negative. */
export type TransactionLine = {
  type: 'transaction';
  app: string;
  id: string;
  code: string;
  status: string;
  amount: Amount;
  invoiceId: string;
  customField: string;
  at: string;
};

/** An issued token. */
export type TokenLine = { type: 'token'; app: string };

export type PaypalLine = OrderLine | RefundLine | TransactionLine | TokenLine;

const hourMs = 60 * 60 * 1000;
/** How long unpaid orders and request IDs are stored. */
export const orderLifeMs = 3 * hourMs;
export const requestIdLifeMs = 6 * hourMs;
/** How long request IDs of refunds are stored. */
export const refundRequestIdLifeMs = 45 * 24 * hourMs;

/** An ID in PayPal's form: 17 capital letters and digits. */
export const newId = () => randomBytes(12).toString('hex').toUpperCase().slice(0, 17);

/** The minor units of an amount in a currency with two decimals. */
export const minorOf = ({ value }: Amount) => Number(value.replace('.', ''));

export type Records = {
  /** An order of this app's, unless PayPal has forgotten it. */
  findOrder(app: string, id: string): OrderLine | null;
  /** An order by its ID, for its public page. */
  findForPayer(id: string): OrderLine | null;
  findByRequestId(app: string, requestId: string): OrderLine | null;
  findByCapture(app: string, captureId: string): { order: OrderLine; capture: Capture } | null;
  saveOrder(order: OrderLine): OrderLine;
  refundsOf(orderId: string): RefundLine[];
  findRefund(app: string, requestId: string): RefundLine | null;
  saveRefund(refund: RefundLine): RefundLine;
  /** Records moved money, for the tests and for the list of transactions. */
  book(
    kind: 'charge' | 'refund',
    order: OrderLine,
    moved: { id: string; amount: Amount; invoiceId: string; customId: string },
  ): void;
  /** Records a foreign charge. */
  bookForeign(app: string, amount: Amount): void;
  noteToken(app: string): void;
  transactionsOf(app: string): TransactionLine[];
  pendingRefunds(): RefundLine[];
  /** The orders with a capture under review. */
  pendingOrders(): OrderLine[];
};

const partOf = (text: string, prefix: string) =>
  text.split('/').find((part) => part.startsWith(prefix)) ?? null;

const isPending = ({ captures }: OrderLine) => captures.at(-1)?.status === 'PENDING';

/** Opens the records on a journal. */
export function openRecords({ journal, now }: FakeServer<PaypalLine>): Records {
  const orders = new Map<string, OrderLine>();
  const refunds = new Map<string, RefundLine>();
  const learn = (line: { type: string }) => {
    if (line.type === 'order') orders.set((line as OrderLine).id, line as OrderLine);
    if (line.type === 'refund_asked') refunds.set((line as RefundLine).id, line as RefundLine);
  };
  for (const line of journal.lines) learn(line);
  const save = <Kept extends PaypalLine>(line: Kept): Kept => {
    journal.append(line);
    learn(line);
    return line;
  };
  const ageMs = ({ createdAt }: { createdAt: string }) => now().getTime() - new Date(createdAt).getTime();
  const isForgotten = (order: OrderLine) => order.status !== 'COMPLETED' && ageMs(order) >= orderLifeMs;
  const findForPayer = (id: string) => [orders.get(id)].find((order) => order && !isForgotten(order)) ?? null;
  const transact = (app: string, row: Omit<TransactionLine, 'type' | 'app' | 'status' | 'at'>) =>
    save({ type: 'transaction', app, status: 'S', at: now().toISOString(), ...row });
  return {
    findOrder: (app, id) => {
      const order = findForPayer(id);
      return order?.app === app ? order : null;
    },
    findForPayer,
    findByRequestId: (app, requestId) =>
      [...orders.values()].find(
        (order) => order.app === app && order.requestId === requestId && ageMs(order) < requestIdLifeMs,
      ) ?? null,
    findByCapture: (app, captureId) => {
      for (const order of orders.values()) {
        const capture = order.captures.find(({ id }) => id === captureId);
        if (capture && order.app === app) return { order, capture };
      }
      return null;
    },
    saveOrder: save,
    refundsOf: (orderId) => [...refunds.values()].filter((refund) => refund.orderId === orderId),
    findRefund: (app, requestId) =>
      [...refunds.values()].find(
        (refund) =>
          refund.app === app && refund.requestId === requestId && ageMs(refund) < refundRequestIdLifeMs,
      ) ?? null,
    saveRefund: save,
    book: (kind, order, { id, amount, invoiceId, customId }) => {
      const isCharge = kind === 'charge';
      const key = isCharge ? partOf(order.customId, 'att_') : invoiceId;
      const chargeReference = isCharge ? null : order.id;
      const [reference, linkCode] = isCharge ? [order.id, order.referenceId] : [id, null];
      const money = { amountMinor: minorOf(amount), currency: amount.currency_code };
      journal.append({ type: kind, key, reference, chargeReference, linkCode, account: order.app, ...money });
      const code = isCharge ? 'T0006' : 'T1107';
      const signed = isCharge ? amount : { ...amount, value: `-${amount.value}` };
      transact(order.app, { id, code, amount: signed, invoiceId, customField: customId });
    },
    bookForeign: (app, amount) => {
      const id = newId();
      const money = { amountMinor: minorOf(amount), currency: amount.currency_code };
      const nobody = { key: null, chargeReference: null, linkCode: null };
      journal.append({ type: 'charge', reference: id, account: app, ...nobody, ...money });
      transact(app, { id, code: 'T0006', amount, invoiceId: 'INV-4711', customField: 'their own shop' });
    },
    noteToken: (app) => void save({ type: 'token', app }),
    transactionsOf: (app) =>
      journal.lines.filter((line) => line.type === 'transaction').filter((line) => line.app === app),
    pendingOrders: () => [...orders.values()].filter(isPending),
    pendingRefunds: () => [...refunds.values()].filter(({ status }) => status === 'PENDING'),
  };
}
