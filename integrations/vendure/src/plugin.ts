// The plugin: its options, and what it adds to the configuration of the server.

import { Inject, type OnApplicationBootstrap } from '@nestjs/common';
import {
  ConfigService,
  PluginCommonModule,
  type RuntimeVendureConfig,
  type Type,
  VendurePlugin,
} from '@vendure/core';
import { expressWebhook } from '../../../sdk/src/express.ts';
import type { Paylink } from '../../../sdk/src/index.ts';
import { type IntegrationOptions, openOptions } from '../../shared/options.ts';
import { PaylinkLink } from './link-entity.ts';
import { orderGuard } from './order-guard.ts';
import { type LinksAndPage, linksToken, OrderPayments } from './order-payments.ts';
import { paylinkPaymentHandler } from './payment-handler.ts';
import { PaylinkShopResolver, shopSchema } from './shop-api.ts';

/** Where Paylink sends webhooks. */
export const webhookPath = '/paylink/webhook';

let opened: { options: IntegrationOptions; paylink: Paylink } | null = null;
let payments: OrderPayments | null = null;

function openedOptions(): { options: IntegrationOptions; paylink: Paylink } {
  if (opened) return opened;
  throw new Error('Use PaylinkPlugin.init({ … }) in the plugins of the configuration.');
}

/** Vendure does not export this type. */
type RefundProcess = NonNullable<RuntimeVendureConfig['paymentOptions']['refundProcess']>[number];

/** A new refund is pending for Vendure, and moves to the state that the handler returns, which may be the same. */
const staysPending: RefundProcess = { transitions: { Pending: { to: ['Pending'] } } };

function configure(config: RuntimeVendureConfig): RuntimeVendureConfig {
  const { webhookSecret } = openedOptions().options;
  config.paymentOptions.paymentMethodHandlers.push(paylinkPaymentHandler);
  config.orderOptions.process.push(orderGuard);
  config.paymentOptions.refundProcess = [...(config.paymentOptions.refundProcess ?? []), staysPending];
  // Before the parsers of the server: the signature covers the exact bytes of the body.
  const handler = expressWebhook(webhookSecret, async (event) => {
    if (!payments) throw new Error('The server is not ready for webhooks.');
    await payments.follow(event);
  });
  config.apiOptions.middleware.push({ route: webhookPath, beforeListen: true, handler });
  return config;
}

@VendurePlugin({
  imports: [PluginCommonModule],
  compatibility: '^3.7.3',
  entities: [PaylinkLink],
  providers: [
    {
      provide: linksToken,
      useFactory: (): LinksAndPage => {
        const { options, paylink } = openedOptions();
        return { links: paylink, returnUrl: options.returnUrl };
      },
    },
    OrderPayments,
  ],
  shopApiExtensions: { schema: shopSchema, resolvers: [PaylinkShopResolver] },
  configuration: configure,
})
export class PaylinkPlugin implements OnApplicationBootstrap {
  readonly #payments: OrderPayments;
  readonly #config: ConfigService;

  constructor(
    @Inject(OrderPayments) orderPayments: OrderPayments,
    @Inject(ConfigService) config: ConfigService,
  ) {
    this.#payments = orderPayments;
    this.#config = config;
  }

  /** Call it in the plugins of the configuration. Throws `PaylinkError` for an invalid option. */
  static init(options: IntegrationOptions): Type<PaylinkPlugin> {
    opened = openOptions(options);
    return PaylinkPlugin;
  }

  onApplicationBootstrap(): void {
    const { precision = 2 } = this.#config.entityOptions.moneyStrategy;
    if (precision !== 2)
      throw new Error(
        `Paylink takes amounts with 2 decimals, and the money strategy of this shop has ${precision}.`,
      );
    payments = this.#payments;
  }
}
