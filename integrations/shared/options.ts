// The options that both integrations take in the configuration of their host, checked when its server starts.

import { createPaylink, type Paylink, PaylinkError } from '../../sdk/src/index.ts';
import { checkWebhookKey } from '../../sdk/src/webhooks.ts';

export type IntegrationOptions = {
  /** The address of the Paylink service. */
  baseUrl: string;
  /** A service key with the scope `payments`. */
  serviceKey: string;
  /** The secret of the webhook endpoint, `whsec_…`; both secrets while it is changed. */
  webhookSecret: string | readonly string[];
  /** The page of the storefront to which the customer returns, paid or not. */
  returnUrl: string;
};

const names = ['baseUrl', 'serviceKey', 'webhookSecret', 'returnUrl'] as const;

/** A customer or a member of staff waits for each call, and the host repeats what failed. */
const limits = { timeoutMs: 15_000, deadlineMs: 40_000 };

/** Checks the options. Throws `PaylinkError` with a sentence that names the invalid one. */
export function openOptions(given: unknown): { options: IntegrationOptions; paylink: Paylink } {
  const options = (given ?? {}) as IntegrationOptions;
  const unknown = Object.keys(options).find((name) => !names.some((known) => known === name));
  if (unknown !== undefined)
    throw new PaylinkError(
      'invalid_option',
      `There is no option ${unknown}. The options are ${names.join(', ')}.`,
    );
  const { baseUrl, serviceKey, webhookSecret, returnUrl } = options;
  if (!serviceKey)
    throw new PaylinkError(
      'invalid_option',
      'The option serviceKey is missing: a service key of the company.',
    );
  const paylink = createPaylink({ baseUrl, serviceKey, ...limits });
  checkWebhookKey(webhookSecret);
  if (!/^https?:$/.test(URL.parse(returnUrl ?? '')?.protocol ?? ''))
    throw new PaylinkError('invalid_option', 'The option returnUrl is not an address of your storefront.');
  return { options, paylink };
}
