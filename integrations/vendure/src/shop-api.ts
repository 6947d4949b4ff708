// What the plugin adds to the shop API.

import { Inject } from '@nestjs/common';
import { Args, Mutation, Resolver } from '@nestjs/graphql';
import { Allow, Ctx, Permission, type RequestContext, UserInputError } from '@vendure/core';
import { parse } from 'graphql';
import { PaylinkApiError } from '../../../sdk/src/index.ts';
import { RefusedError } from '../../shared/refused-error.ts';
import { OrderPayments, type PaymentOfShop } from './order-payments.ts';

export const shopSchema = parse(`
  enum PaylinkPaymentStatus {
    open
    processing
    paid
    refunded
    failed
    cancelled
  }

  "A payment link of an order"
  type PaylinkPayment {
    "The code of the link, which the return address has as PaymentLinkCode"
    code: String!
    "Where the customer pays"
    url: String!
    status: PaylinkPaymentStatus!
    orderCode: String!
  }

  extend type Mutation {
    "The link on which the customer pays the active order. The same order gets the same link again"
    createPaylinkPayment: PaylinkPayment!
    "Asks Paylink how a payment stands, and completes the order if it is paid. For the page to which the customer returns"
    confirmPaylinkPayment(code: String!): PaylinkPayment!
  }
`);

@Resolver()
export class PaylinkShopResolver {
  readonly #payments: OrderPayments;

  constructor(@Inject(OrderPayments) payments: OrderPayments) {
    this.#payments = payments;
  }

  @Mutation()
  @Allow(Permission.Owner)
  async createPaylinkPayment(@Ctx() ctx: RequestContext): Promise<PaymentOfShop> {
    return await explained(async () => await this.#payments.open(ctx));
  }

  @Mutation()
  @Allow(Permission.Public)
  async confirmPaylinkPayment(@Args('code') code: string): Promise<PaymentOfShop> {
    return await explained(async () => {
      const payment = await this.#payments.record(code);
      if (!payment) throw new UserInputError('There is no such payment link.');
      return payment;
    });
  }
}

/** What the storefront can correct is its error; what Paylink refuses otherwise is for the log of the server. */
async function explained<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    if (error instanceof RefusedError) throw new UserInputError(error.message);
    if (error instanceof PaylinkApiError && error.status === 404)
      throw new UserInputError('There is no such payment link.');
    if (error instanceof PaylinkApiError && error.status === 422)
      throw new UserInputError(`Paylink: ${error.message}`);
    throw error;
  }
}
