// Stripe as a processor: the customer pays in a Checkout Session, so no card data reaches us.

import { currencies } from '../../base/money.ts';
import type { ProcessorKind } from '../processor.ts';
import { listBalanceTransactions } from './balance-transactions.ts';
import { checkCredentials, stripeFields } from './check-credentials.ts';
import type { StripeDeps } from './client.ts';
import { listExternalRefunds, readExternalRefundWebhook } from './external-refunds.ts';
import { refund } from './refunds.ts';
import { authorise, cancel, query } from './sessions.ts';
import { readWebhook } from './webhooks.ts';

const name = 'stripe';

/** `apiUrl` is null for Stripe itself. */
export function createStripe(deps: StripeDeps): ProcessorKind {
  return {
    name,
    title: 'Stripe',
    takes: 'page',
    modes: ['test', 'live'],
    currencies,
    // docs.stripe.com/currencies#minimum-and-maximum-charge-amounts: 0.50, and eight digits.
    amountsMinor: { least: 50, most: 99_999_999 },
    actionLifeMs: 60 * 60_000,
    mayOutliveLink: false,
    fields: stripeFields,
    check: async (connection, signal) => await checkCredentials({ ...deps, connection, signal }),
    readNotice: async (connection, request, signal) => {
      const account = { ...deps, connection, signal };
      const notice = readWebhook(account, request);
      return notice.kind === 'irrelevant'
        ? await readExternalRefundWebhook(account, { notice, body: request.body })
        : notice;
    },
    connect: (connection) => {
      const open = (signal: AbortSignal) => ({ ...deps, connection, signal });
      return {
        name,
        refuseCard: () => null,
        authorise: async (request, signal) => await authorise(open(signal), request),
        query: async (request, signal) => await query(open(signal), request),
        capture: async () => {
          throw new Error('stripe: a session captures by itself');
        },
        cancel: async (request, signal) => await cancel(open(signal), request),
        refund: async (request, signal) => await refund(open(signal), request),
        list: async (request, signal) => await listBalanceTransactions(open(signal), request),
        listOutsideRefunds: async (request, signal) => await listExternalRefunds(open(signal), request),
        instruct: async () => null,
      };
    },
  };
}
