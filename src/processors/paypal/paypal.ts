// PayPal as a processor: Orders v2, Payments v2 and Transaction Search v1. Paylink captures an order that the customer
// has approved. Must not: take money that our records did not request.

import type {
  CredentialCheck,
  CredentialError,
  CredentialField,
  Processor,
  ProcessorConnection,
  ProcessorKind,
} from '../processor.ts';
import {
  AccessTokenError,
  createPaypalApi,
  type PaypalCall,
  type PaypalDeps,
  unexpectedResponse,
} from './api.ts';
import { authorise, cancel, capture, type PaypalAccount, query } from './attempts.ts';
import { listBalanceTransactions } from './balance-transactions.ts';
import { createCertificates } from './certificates.ts';
import { listExternalRefunds, refund } from './refunds.ts';
import { paypalEventTypes, readWebhook } from './webhooks.ts';

const name = 'paypal';

/** PayPal keeps an order for three hours. An attempt ends earlier: an order approved later is never captured. */
const actionLifeMs = 60 * 60 * 1000;

const fields: readonly CredentialField[] = [
  {
    name: 'clientId',
    label: 'Client ID',
    isSecret: false,
    isRequired: true,
    help: 'developer.paypal.com → Apps & Credentials → your app (Sandbox for test, Live for live): the client ID, about 80 characters.',
    maxLength: 128,
  },
  {
    name: 'clientSecret',
    label: 'Secret',
    isSecret: true,
    isRequired: true,
    help: 'On the same page, under the client ID: secret key 1 or 2.',
    maxLength: 128,
  },
  {
    name: 'webhookId',
    label: 'Webhook ID',
    isSecret: false,
    // It belongs to an address that is known only once the connection exists.
    isRequired: false,
    help:
      'On the same page, under Webhooks, once the address of this connection is added there: the ID beside it, about 17 ' +
      'capital letters and digits. Without it every webhook counts as forged. ' +
      `The webhook needs these events: ${paypalEventTypes.join(', ')}.`,
    maxLength: 64,
  },
];

/** Why the pair of ID and secret was refused: PayPal does not say which of the two is wrong. */
function clientIdRejected(connection: ProcessorConnection): CredentialError[] {
  const environment = connection.mode === 'live' ? 'Live' : 'Sandbox';
  const detail = `PayPal rejected this client ID with this secret. Copy both from the same app, under ${environment}.`;
  return ['clientId', 'clientSecret'].map((field) => ({ field, code: 'refused', detail }));
}

const badWebhookId: CredentialError = {
  field: 'webhookId',
  code: 'unknown',
  detail:
    'The app of this client ID has no webhook with this ID. Copy the ID from the webhooks of the same app.',
};

/** Whether the app has the webhook whose signatures must be verified. */
async function checkWebhook({ call }: PaypalAccount, webhookId: string): Promise<CredentialError[]> {
  if (!/^[A-Za-z0-9]{5,50}$/.test(webhookId)) return [badWebhookId];
  const path = `/v1/notifications/webhooks/${webhookId}`;
  const response = await call({ method: 'GET', path });
  if (response.status === 404) return [badWebhookId];
  // An app may lack the permission to read webhooks; its own still arrive.
  if (response.status !== 200 && response.status !== 403) throw unexpectedResponse('a webhook', response);
  return [];
}

async function check(
  account: PaypalAccount,
  authenticate: () => Promise<{ appId: string | null }>,
): Promise<CredentialCheck> {
  const { clientId = '', webhookId = '' } = account.connection.credentials;
  let appId: string | null;
  try {
    appId = (await authenticate()).appId;
  } catch (error) {
    if (error instanceof AccessTokenError && error.isRefused)
      return { kind: 'bad', faults: clientIdRejected(account.connection) };
    throw error;
  }
  const faults = webhookId === '' ? [] : await checkWebhook(account, webhookId);
  if (faults.length > 0) return { kind: 'bad', faults };
  // Another app of the same merchant cannot see the orders of this one.
  return { kind: 'good', holder: `${appId ?? 'app'} (${clientId.slice(0, 8)}…)`, account: clientId };
}

function connect(open: (signal: AbortSignal) => PaypalAccount): Processor {
  return {
    name,
    refuseCard: () => {
      throw new Error('PayPal does not take cards from Paylink');
    },
    authorise: async (request, signal) => await authorise(open(signal), request),
    query: async (request, signal) => await query(open(signal), request),
    capture: async (request, signal) => await capture(open(signal), request),
    cancel: async (request, signal) => await cancel(open(signal), request),
    refund: async (request, signal) => await refund(open(signal), request),
    list: async (request, signal) => await listBalanceTransactions(open(signal), request),
    listOutsideRefunds: async (request, signal) => await listExternalRefunds(open(signal), request),
    instruct: async () => null,
  };
}

/** `apiUrl` is a PayPal for tests; null for PayPal itself, by the mode. */
export function createPaypal(deps: PaypalDeps): ProcessorKind {
  const api = createPaypalApi(deps);
  const certificates = createCertificates(deps);
  const open = (connection: ProcessorConnection) => (signal: AbortSignal) => ({
    ...deps,
    connection,
    call: (call: PaypalCall) => api.call(connection, call, signal),
  });
  return {
    name,
    title: 'PayPal',
    takes: 'page',
    modes: ['test', 'live'],
    currencies: ['EUR', 'USD'],
    actionLifeMs,
    mayOutliveLink: false,
    fields,
    check: async (connection, signal) =>
      await check(open(connection)(signal), () => api.authenticate(connection, signal)),
    connect: (connection) => connect(open(connection)),
    readNotice: async (connection, webhook, signal) =>
      await readWebhook(certificates, connection, webhook, signal),
  };
}
