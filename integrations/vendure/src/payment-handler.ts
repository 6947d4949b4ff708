// The payment method handler: how Vendure asks for payments, refunds and cancellations.

import { type Injector, LanguageCode, PaymentMethodHandler, UserInputError } from '@vendure/core';
import { RefusedError } from '../../shared/refused-error.ts';
import { handlerCode, OrderPayments } from './order-payments.ts';

let payments: OrderPayments;

export const paylinkPaymentHandler = new PaymentMethodHandler({
  code: handlerCode,
  description: [{ languageCode: LanguageCode.en, value: 'Paylink: the customer pays on a hosted page' }],
  args: {},
  init(injector: Injector) {
    payments = injector.get(OrderPayments);
  },
  createPayment: async (ctx, order, amount, _args, metadata) =>
    await payments.createPayment(ctx, order, amount, metadata.paymentLinkCode),
  // Paylink collects the money when the customer pays, so every payment is created as settled.
  settlePayment: () => ({ success: true }),
  createRefund: async (ctx, _input, amount, order, payment) => {
    try {
      return await payments.refund(ctx, order, payment, amount);
    } catch (error) {
      if (error instanceof RefusedError) throw new UserInputError(error.message);
      throw error;
    }
  },
  cancelPayment: (_ctx, _order, payment) => {
    if (payment.state === 'Settled')
      throw new UserInputError('A payment that Paylink has collected cannot be cancelled. Refund it.');
    return { success: true };
  },
});
