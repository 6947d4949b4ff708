// The payments of orders: opens links, records what was paid once, refunds, and follows webhooks. What was paid is read from
// Paylink, whoever says so. Must not: record a payment twice, whatever arrives at the same time.

import { Inject, Injectable } from '@nestjs/common';
import {
  ActiveOrderService,
  ChannelNotFoundError,
  type CreatePaymentErrorResult,
  type CreatePaymentResult,
  type CreateRefundResult,
  type ID,
  isGraphQlErrorResult,
  type LanguageCode,
  Logger,
  Order,
  OrderService,
  PaymentMethodService,
  type RequestContext,
  RequestContextService,
  TransactionalConnection,
  totalCoveredByPayments,
  UserInputError,
  Payment as VendurePayment,
  Refund as VendureRefund,
} from '@vendure/core';
import { In, Not } from 'typeorm';
import type { WebhookEvent } from '../../../sdk/src/webhooks.ts';
import { toMinor } from '../../shared/amounts.ts';
import {
  endLink,
  hasCode,
  type LinkStatus,
  type Links,
  linkStatusOf,
  type Payment,
  type Refund,
  readLink,
  refundOnce,
} from '../../shared/links.ts';
import { RefusedError } from '../../shared/refused-error.ts';
import { addLink, countRefund, findLink, listLinks, lockLink, moveLink } from './link-store.ts';
import {
  isAwaited,
  type OrderOfLink,
  openOrderLink,
  orderOfLink,
  refundReason,
  refundStateOf,
  requireOrderLink,
} from './order-links.ts';

export const handlerCode = 'paylink';
export const loggerName = 'PaylinkPlugin';

/** The plugin provides this with its options. */
export const linksToken = Symbol('paylink links');
export type LinksAndPage = { links: Links; returnUrl: string };

/** What the storefront learns about a payment link. */
export type PaymentOfShop = { code: string; url: string; status: LinkStatus; orderCode: string };

@Injectable()
export class OrderPayments {
  readonly #links: Links;
  readonly #returnUrl: string;
  readonly #connection: TransactionalConnection;
  readonly #orders: OrderService;
  readonly #activeOrders: ActiveOrderService;
  readonly #methods: PaymentMethodService;
  readonly #contexts: RequestContextService;

  constructor(
    @Inject(linksToken) { links, returnUrl }: LinksAndPage,
    @Inject(TransactionalConnection) connection: TransactionalConnection,
    @Inject(OrderService) orders: OrderService,
    @Inject(ActiveOrderService) activeOrders: ActiveOrderService,
    @Inject(PaymentMethodService) methods: PaymentMethodService,
    @Inject(RequestContextService) contexts: RequestContextService,
  ) {
    this.#links = links;
    this.#returnUrl = returnUrl;
    this.#connection = connection;
    this.#orders = orders;
    this.#activeOrders = activeOrders;
    this.#methods = methods;
    this.#contexts = contexts;
  }

  /** The link on which the customer pays the active order. Throws `UserInputError` or `RefusedError`. */
  async open(ctx: RequestContext): Promise<PaymentOfShop> {
    const active = await this.#activeOrders.getActiveOrder(ctx, undefined);
    const order = active && (await this.#orders.findOne(ctx, active.id));
    if (!order) throw new UserInputError('There is no active order.');
    if (order.state !== 'ArrangingPayment')
      throw new UserInputError(
        `The order is in the state ${order.state}. Transition it to ArrangingPayment before you ask for a payment link.`,
      );
    if (!order.customer) throw new UserInputError('The order has no customer.');
    order.payments = await this.#orders.getOrderPayments(ctx, order.id);
    const recorded = await listLinks(this.#connection, ctx, order.id, 'recorded');
    const payment = await openOrderLink(this.#links, {
      orderCode: order.code,
      channelToken: ctx.channel.token,
      method: await this.#methodFor(ctx, order),
      earlierPayments: recorded.length,
      amountMinor: order.totalWithTax - totalCoveredByPayments(order),
      currencyCode: order.currencyCode,
      email: order.customer.emailAddress,
      firstName: order.customer.firstName,
      lastName: order.customer.lastName,
      languageCode: ctx.languageCode as LanguageCode,
      returnUrl: this.#returnUrl,
    });
    await addLink(this.#connection, ctx, payment.paymentLinkCode, order.id);
    return present(payment, order.code);
  }

  /** The code of the method that uses this plugin. Checked before the customer pays, because Vendure checks it after. */
  async #methodFor(ctx: RequestContext, order: Order): Promise<string> {
    const ours = (await this.#methods.getActivePaymentMethods(ctx)).filter(
      ({ handler }) => handler.code === handlerCode,
    );
    const quotes = await this.#methods.getEligiblePaymentMethods(ctx, order);
    const eligible = ours.find(({ code }) => quotes.some((quote) => quote.code === code && quote.isEligible));
    if (!eligible) throw new UserInputError('No payment method with the handler paylink can pay this order.');
    return eligible.code;
  }

  /**
   * Records what was paid on a link, if it was, and says how it stands. Any number of calls record it once. Returns null for
   * a link that is not of this shop.
   */
  async record(code: string): Promise<PaymentOfShop | null> {
    const payment = await readLink(this.#links, code);
    const target = orderOfLink(payment);
    const place = target && (await this.#findPlace(target));
    if (!place) return null;
    const status = linkStatusOf(payment);
    if (status === 'paid')
      await this.#connection.withTransaction(place.ctx, (tx) =>
        this.#recordPaid(tx, place.orderId, payment, target),
      );
    else if (status === 'failed' || status === 'cancelled')
      await moveLink(this.#connection, place.ctx, code, { from: 'open', to: 'ended' });
    return present(payment, target.orderCode);
  }

  /** The order of a link in its channel; null if another shop of the company has made the link. */
  async #findPlace({
    orderCode,
    channelToken,
  }: OrderOfLink): Promise<{ ctx: RequestContext; orderId: ID } | null> {
    try {
      const ctx = await this.#contexts.create({ apiType: 'admin', channelOrToken: channelToken });
      // A shop with one channel gets that one for any token.
      if (ctx.channel.token !== channelToken) return null;
      const order = await this.#orders.findOneByCode(ctx, orderCode);
      return order ? { ctx, orderId: order.id } : null;
    } catch (error) {
      if (error instanceof ChannelNotFoundError) return null;
      throw error;
    }
  }

  async #recordPaid(
    ctx: RequestContext,
    orderId: ID,
    payment: Payment,
    { method }: OrderOfLink,
  ): Promise<void> {
    const code = payment.paymentLinkCode;
    await addLink(this.#connection, ctx, code, orderId);
    if (!(await moveLink(this.#connection, ctx, code, { from: 'open', to: 'recorded' }))) return;
    // Read after the move, which may have waited for another transaction.
    const order = await this.#orderNow(ctx, orderId);
    if (isDone(order)) return await this.#sendBack(ctx, order, payment);
    if (order.state === 'AddingItems')
      await this.#orders.transitionToState(ctx, order.id, 'ArrangingPayment');
    await this.#addPayment(ctx, order, method, code);
  }

  async #orderNow(ctx: RequestContext, orderId: ID): Promise<Order> {
    const order = await this.#connection.getEntityOrThrow(ctx, Order, orderId);
    order.payments = await this.#orders.getOrderPayments(ctx, orderId);
    return order;
  }

  async #addPayment(ctx: RequestContext, order: Order, method: string, code: string): Promise<void> {
    const input = { method, metadata: { paymentLinkCode: code } };
    let result = await this.#orders.addPaymentToOrder(ctx, order.id, input);
    // Vendure has removed a coupon and asks for a confirmation of the new price. The money is collected: it is a part.
    if (isGraphQlErrorResult(result) && String(result.errorCode).startsWith('COUPON_REMOVED'))
      result = await this.#orders.addPaymentToOrder(ctx, order.id, input);
    if (isGraphQlErrorResult(result))
      throw new Error(`The payment ${code} of order ${order.code} was not recorded: ${result.message}`);
  }

  /** Refunds money for an order that is cancelled or that was paid in another way. */
  async #sendBack(ctx: RequestContext, order: Order, payment: Payment): Promise<void> {
    const code = payment.paymentLinkCode;
    const body = { reason: `Vendure order ${order.code} is ${order.state} and needs no payment` };
    const refund = await this.#links.payments.refund(code, body, {
      idempotencyKey: `vendure-surplus-${code}`,
    });
    await moveLink(this.#connection, ctx, code, { from: 'recorded', to: 'ended' });
    const outcome = {
      Settled: 'and has refunded it',
      Pending: 'and is refunding it',
      Failed: `and the processor has refused to refund it (${refund.failureCode}): refund it in Paylink or by hand`,
    }[refundStateOf(refund)];
    const note = `Paylink has collected ${payment.amount} ${payment.currency} (${code}) when nothing was left to pay, ${outcome}.`;
    await this.#orders.addNoteToOrder(ctx, { id: order.id, note, isPublic: false });
    Logger.warn(`Order ${order.code}: ${note}`, loggerName);
  }

  /** What Vendure asks before it stores a payment, on behalf of `record` or of a customer. */
  async createPayment(
    ctx: RequestContext,
    order: Order,
    amount: number,
    code: unknown,
  ): Promise<CreatePaymentResult | CreatePaymentErrorResult> {
    const refuse = (errorMessage: string) => ({ amount, state: 'Error' as const, errorMessage });
    if (typeof code !== 'string') return refuse('The metadata has no paymentLinkCode.');
    const payment = await readLink(this.#links, code);
    try {
      const { code: orderCode, currencyCode } = order;
      requireOrderLink(payment, { code: orderCode, currencyCode, channelToken: ctx.channel.token });
    } catch (error) {
      if (error instanceof RefusedError) return refuse(error.message);
      throw error;
    }
    if (linkStatusOf(payment) !== 'paid') return refuse(`The payment is ${payment.status} at Paylink.`);
    await addLink(this.#connection, ctx, code, order.id);
    const isFirst = await moveLink(this.#connection, ctx, code, { from: 'open', to: 'recorded' });
    if (!isFirst && (await this.#isStored(ctx, code))) return refuse('The payment is already recorded.');
    if (toMinor(payment.amount) > BigInt(amount))
      Logger.warn(
        `Order ${order.code}: Paylink has collected ${payment.amount} ${payment.currency} (${code}), more than is left to pay. Refund the difference.`,
        loggerName,
      );
    return {
      // What was collected, even if the order has another price by now.
      amount: Number(toMinor(payment.amount)),
      state: 'Settled',
      transactionId: code,
      metadata: { processor: payment.method?.processor ?? null, public: { paymentLinkCode: code } },
    };
  }

  /** Whether a payment has a link, or the link is ended: only `record` marks a link before its payment is stored. */
  async #isStored(ctx: RequestContext, code: string): Promise<boolean> {
    if ((await findLink(this.#connection, ctx, code))?.state !== 'recorded') return true;
    const states = Not(In(['Error', 'Declined', 'Cancelled']));
    const payments = this.#connection.getRepository(ctx, VendurePayment);
    return (await payments.countBy({ transactionId: code, state: states })) > 0;
  }

  /** Refunds a part of a payment. A repetition after a failed transaction gets the first refund of Paylink. */
  async refund(
    ctx: RequestContext,
    order: Order,
    payment: VendurePayment,
    amount: number,
  ): Promise<CreateRefundResult> {
    const code = payment.transactionId;
    const count = await countRefund(this.#connection, ctx, code);
    const refunds = await this.#connection
      .getRepository(ctx, VendureRefund)
      .findBy({ paymentId: payment.id });
    const refunded = refunds
      .filter(({ state }) => state !== 'Failed')
      .reduce((sum, { total }) => sum + total, 0);
    const made = await refundOnce(this.#links, code, {
      key: `vendure-${code}-${count}-${amount}`,
      amountMinor: BigInt(amount),
      remainingMinor: BigInt(payment.amount - refunded),
      reason: refundReason(order.code),
    });
    const metadata = made.failureCode ? { failureCode: made.failureCode } : {};
    return { state: refundStateOf(made), transactionId: made.refundId, metadata };
  }

  /** Ends the open links of an order. Returns why one of them cannot be ended, or null. */
  async release(ctx: RequestContext, orderId: ID): Promise<string | null> {
    for (const { code } of await listLinks(this.#connection, ctx, orderId, 'open')) {
      try {
        await endLink(this.#links, code);
      } catch (error) {
        if (error instanceof RefusedError) return error.message;
        // A link of the other mode, from before the service key was changed, has ended for this shop.
        if (!hasCode(error, 'payment_not_found')) {
          Logger.error(`The payment link ${code} could not be cancelled: ${error}`, loggerName);
          return `The payment link ${code} could not be cancelled. Try again in a minute.`;
        }
      }
      await moveLink(this.#connection, ctx, code, { from: 'open', to: 'ended' });
    }
    return null;
  }

  /** Handles a verified webhook. Throws if Paylink should send it again. */
  async follow(event: WebhookEvent): Promise<void> {
    const { payment, refund } = event.data as { payment?: Payment; refund?: Refund };
    const target = payment && orderOfLink(payment);
    if (!target) return;
    if (['payment.paid', 'payment.failed', 'payment.expired', 'payment.cancelled'].includes(event.type))
      await this.record(payment.paymentLinkCode);
    if (refund && (event.type === 'refund.succeeded' || event.type === 'refund.failed'))
      await this.#followRefund(event.timestamp, target, refund);
  }

  async #followRefund(happenedAt: string, target: OrderOfLink, refund: Refund): Promise<void> {
    const place = await this.#findPlace(target);
    if (!place) return;
    await this.#connection.withTransaction(place.ctx, async (tx) => {
      await lockLink(this.#connection, tx, refund.paymentLinkCode);
      const refunds = this.#connection.getRepository(tx, VendureRefund);
      const known = await refunds.findOneBy({ transactionId: refund.refundId });
      const state = refundStateOf(refund);
      if (!known && isAwaited(refund, target.orderCode, happenedAt, Date.now()))
        throw new Error(`The refund ${refund.refundId} is not stored yet`);
      if (!known || state === 'Pending' || known.state === state) return;
      if (known.state === 'Pending') await this.#orders.transitionRefundToState(tx, known.id, state);
      else
        Logger.error(
          `The refund ${refund.refundId} of order ${target.orderCode} failed after it had succeeded.`,
          loggerName,
        );
    });
  }
}

function present(payment: Payment, orderCode: string): PaymentOfShop {
  return {
    code: payment.paymentLinkCode,
    url: payment.PaymentLink,
    status: linkStatusOf(payment),
    orderCode,
  };
}

/** Whether an order takes no payment any more. Refunds of what it was paid with do not open it again. */
function isDone(order: Order): boolean {
  return !['AddingItems', 'ArrangingPayment', 'ArrangingAdditionalPayment', 'Modifying'].includes(
    order.state,
  );
}
