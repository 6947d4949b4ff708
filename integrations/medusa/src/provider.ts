// The payment provider as Medusa 2 calls it. It passes each call on to payment-sessions.ts, and turns errors into those of
// Medusa. This file needs Medusa.

import type {
  AuthorizePaymentInput,
  AuthorizePaymentOutput,
  CancelPaymentInput,
  CancelPaymentOutput,
  CapturePaymentInput,
  CapturePaymentOutput,
  DeletePaymentInput,
  DeletePaymentOutput,
  GetPaymentStatusInput,
  GetPaymentStatusOutput,
  InitiatePaymentInput,
  InitiatePaymentOutput,
  Logger,
  PaymentSessionStatus,
  ProviderWebhookPayload,
  RefundPaymentInput,
  RefundPaymentOutput,
  RetrievePaymentInput,
  RetrievePaymentOutput,
  UpdatePaymentInput,
  UpdatePaymentOutput,
  WebhookActionResult,
} from '@medusajs/framework/types';
import { AbstractPaymentProvider, MedusaError } from '@medusajs/framework/utils';
import { PaylinkApiError, PaylinkError, SignatureError } from '../../../sdk/src/index.ts';
import { type IntegrationOptions, openOptions } from '../../shared/options.ts';
import { RefusedError } from '../../shared/refused-error.ts';
import * as sessions from './payment-sessions.ts';
import { readWebhook } from './webhook-actions.ts';

export class PaylinkPaymentProvider extends AbstractPaymentProvider<IntegrationOptions> {
  static override identifier = 'paylink';

  readonly #deps: sessions.Deps;
  readonly #webhookSecret: string | readonly string[];
  readonly #logger: Logger;

  static override validateOptions(options: Record<string, unknown>): void {
    try {
      openOptions(options);
    } catch (error) {
      throw toMedusaError(error);
    }
  }

  constructor(container: { logger: Logger }, given: IntegrationOptions) {
    super(container, given);
    const { options, paylink } = openOptions(given);
    this.#deps = { links: paylink, returnUrl: options.returnUrl };
    this.#webhookSecret = options.webhookSecret;
    this.#logger = container.logger;
  }

  async initiatePayment(input: InitiatePaymentInput): Promise<InitiatePaymentOutput> {
    const { amount, currency_code: currencyCode, data, context } = input;
    return await translated(() => sessions.initiate(this.#deps, { amount, currencyCode, data, context }));
  }

  async updatePayment(input: UpdatePaymentInput): Promise<UpdatePaymentOutput> {
    const { amount, currency_code: currencyCode, data, context } = input;
    return await translated(() => sessions.update(this.#deps, { amount, currencyCode, data, context }));
  }

  async deletePayment({ data }: DeletePaymentInput): Promise<DeletePaymentOutput> {
    return await translated(() => sessions.remove(this.#deps, data));
  }

  async authorizePayment({ data, context }: AuthorizePaymentInput): Promise<AuthorizePaymentOutput> {
    const found = await translated(() => sessions.authorise(this.#deps, { data, context }));
    return { data: found.data, status: found.status as PaymentSessionStatus };
  }

  async getPaymentStatus({ data }: GetPaymentStatusInput): Promise<GetPaymentStatusOutput> {
    const found = await translated(() => sessions.look(this.#deps, data));
    return { data: found.data, status: found.status as PaymentSessionStatus };
  }

  async retrievePayment({ data }: RetrievePaymentInput): Promise<RetrievePaymentOutput> {
    const found = await translated(() => sessions.look(this.#deps, data));
    return { data: found.data };
  }

  async capturePayment({ data }: CapturePaymentInput): Promise<CapturePaymentOutput> {
    return await translated(() => sessions.capture(this.#deps, data));
  }

  async refundPayment({ data, amount, context }: RefundPaymentInput): Promise<RefundPaymentOutput> {
    return await translated(() => sessions.refund(this.#deps, { data, amount, context }));
  }

  async cancelPayment({ data }: CancelPaymentInput): Promise<CancelPaymentOutput> {
    return await translated(() => sessions.cancel(this.#deps, data));
  }

  /** Medusa has answered the request already, so a message that is not genuine can only be logged and ignored. */
  async getWebhookActionAndData(payload: ProviderWebhookPayload['payload']): Promise<WebhookActionResult> {
    const { rawData, headers } = payload;
    try {
      return (await readWebhook({ rawData, headers }, this.#webhookSecret)) as WebhookActionResult;
    } catch (error) {
      if (!(error instanceof SignatureError)) throw toMedusaError(error);
      this.#logger.error(`A webhook for Paylink was ignored (${error.code}): ${error.message}`);
      return { action: 'not_supported' };
    }
  }
}

async function translated<T>(run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    throw toMedusaError(error);
  }
}

function toMedusaError(error: unknown): Error {
  const { INVALID_DATA, NOT_ALLOWED, UNEXPECTED_STATE } = MedusaError.Types;
  if (error instanceof RefusedError)
    return new MedusaError(error.refusal === 'invalid' ? INVALID_DATA : NOT_ALLOWED, error.message);
  if (error instanceof PaylinkApiError && error.status === 422)
    return new MedusaError(INVALID_DATA, `Paylink: ${error.message}`);
  if (error instanceof PaylinkError) return new MedusaError(UNEXPECTED_STATE, `Paylink: ${error.message}`);
  return error instanceof Error ? error : new Error(String(error));
}
