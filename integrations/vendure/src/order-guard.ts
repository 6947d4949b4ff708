// Keeps an order as it is while its customer may pay it: its link is ended before the order changes, and an order whose
// customer is paying does not change.

import { type Injector, Logger, type OrderProcess } from '@vendure/core';
import { loggerName, OrderPayments } from './order-payments.ts';

let payments: OrderPayments;

export const orderGuard: OrderProcess<string> = {
  init(injector: Injector) {
    payments = injector.get(OrderPayments);
  },
  async onTransitionStart(fromState, toState, { ctx, order }) {
    if (fromState !== 'ArrangingPayment' || !['AddingItems', 'Cancelled'].includes(toState)) return;
    return (await payments.release(ctx, order.id)) ?? undefined;
  },
  async onTransitionEnd(_fromState, toState, { ctx, order }) {
    if (toState !== 'PaymentSettled' && toState !== 'PaymentAuthorized') return;
    // Paid in another way. If the link is being paid, too, its money is sent back when it arrives.
    const fault = await payments.release(ctx, order.id);
    if (fault !== null) Logger.warn(`Order ${order.code} is paid in another way. ${fault}`, loggerName);
  },
};
