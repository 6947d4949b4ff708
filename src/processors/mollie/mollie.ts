// Mollie (Payments API v2) as a processor. Every outcome is queried. Must not: log a key or a response.

import type { Clock } from '../../base/clock.ts';
import type { CredentialCheck, Processor, ProcessorConnection, ProcessorKind } from '../processor.ts';
import { fieldsOf } from '../untrusted-fields.ts';
import type { WebhookProofSubject } from '../webhook-proof.ts';
import { apiKeyPattern, openMollieApi, unexpectedResponse } from './api.ts';
import { listBalanceTransactions } from './balance-transactions.ts';
import { textOf } from './parse.ts';
import { authorise, cancel, capture, query } from './payments.ts';
import { listExternalRefunds, refund } from './refunds.ts';
import { signedWebhookAddress, webhookAddress } from './webhook-address.ts';
import { createUnknownPaymentCache, readWebhook } from './webhooks.ts';

/** `apiUrl` is null for Mollie itself; `baseUrl` is our public address. */
export type MollieDeps = {
  apiUrl: string | null;
  baseUrl: string;
  clock: Clock;
  /** Proves that a webhook address was created here for one attempt. */
  proveAddress: (place: WebhookProofSubject) => string;
};

const name = 'mollie';

function connect(deps: MollieDeps, opened: ProcessorConnection): Processor {
  const { connectionId } = opened;
  if (connectionId === null) throw new Error('Mollie requires a connection');
  const connection = { ...opened, connectionId };
  const address = webhookAddress({ ...deps, connectionId });
  const webhookUrlOf = (attemptId: string) =>
    address && signedWebhookAddress(address, attemptId, deps.proveAddress({ ...connection, attemptId }));
  const apiFor = openMollieApi(deps.apiUrl, connection);
  const open = (signal: AbortSignal) => ({ api: apiFor(signal), connection, webhookUrlOf });
  return {
    name,
    // The customer enters the card at Mollie, never here.
    refuseCard: () => 'unsupported_test_card',
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

function bad(code: string, detail: string): CredentialCheck {
  return { kind: 'bad', faults: [{ field: 'apiKey', code, detail }] };
}

async function check(
  deps: MollieDeps,
  connection: ProcessorConnection,
  signal: AbortSignal,
): Promise<CredentialCheck> {
  const [, keyMode] = apiKeyPattern.exec(connection.credentials.apiKey ?? '') ?? [];
  if (keyMode === undefined)
    return bad('malformed', 'An API key begins with live_ or test_, followed by letters and digits.');
  if (keyMode !== connection.mode)
    return bad(
      'wrong_mode',
      `This key is for ${keyMode} mode, but the connection is in ${connection.mode} mode.`,
    );
  const response = await openMollieApi(deps.apiUrl, connection)(signal).get('/v2/profiles/me');
  if (response.status === 401 || response.status === 403)
    return bad('refused', 'Mollie rejected this key. Check that it is complete and not revoked.');
  const profile = fieldsOf(response.body);
  const holder = textOf(profile.name);
  const account = textOf(profile.id);
  if (response.status !== 200 || holder === null || account === null)
    throw unexpectedResponse('the profile of a key', response);
  if (profile.status === 'blocked') return bad('blocked', 'Mollie has blocked the profile of this key.');
  return { kind: 'good', holder, account, offers: await listOffers(deps, connection, signal) };
}

/** Methods without a brand: their names depend on the language. */
const unbranded: ReadonlySet<unknown> = new Set([
  'creditcard',
  'banktransfer',
  'directdebit',
  'giftcard',
  'voucher',
]);

const offersTimeoutMs = 3_000;

/**
 * The brands that the profile has enabled for euros, in Mollie's order. None if Mollie does not list them in time: the
 * connection works all the same.
 */
async function listOffers(
  deps: MollieDeps,
  connection: ProcessorConnection,
  signal: AbortSignal,
): Promise<string[]> {
  const soon = AbortSignal.any([signal, AbortSignal.timeout(offersTimeoutMs)]);
  const listed = await openMollieApi(
    deps.apiUrl,
    connection,
  )(soon)
    .get('/v2/methods?includeWallets=applepay')
    .catch(() => null);
  if (listed?.status !== 200) return [];
  const { methods } = fieldsOf(fieldsOf(listed.body)._embedded);
  const all = Array.isArray(methods) ? methods.map(fieldsOf) : [];
  return all.flatMap(({ id, description }) => (unbranded.has(id) ? [] : (textOf(description) ?? [])));
}

export function createMollie(deps: MollieDeps): ProcessorKind {
  const misses = createUnknownPaymentCache(deps.clock);
  return {
    name,
    title: 'Mollie',
    takes: 'page',
    modes: ['test', 'live'],
    currencies: ['EUR', 'USD'],
    // Mollie's expiry cannot be set; each method has its own, up to 3 hours (PayPal). After an hour an open payment is
    // cancelled if Mollie allows it, otherwise it is waited for.
    actionLifeMs: 60 * 60 * 1000,
    mayOutliveLink: true,
    fields: [
      {
        name: 'apiKey',
        label: 'API key',
        isSecret: true,
        isRequired: true,
        help: 'In the Mollie dashboard under Developers, API keys: live_… for live mode, test_… for test mode.',
        maxLength: 128,
      },
    ],
    check: async (connection, signal) => await check(deps, connection, signal),
    connect: (connection) => connect(deps, connection),
    readNotice: async (connection, webhook, signal) =>
      await readWebhook({ api: openMollieApi(deps.apiUrl, connection)(signal), misses, connection }, webhook),
  };
}
