// The client, with all operations of the API. Must not: expose its credentials. They are in closures, so that
// printing, logging or serialising a client does not reveal them.

import {
  type ApiKeys,
  apiKeysOf,
  type Invitations,
  invitationsOf,
  type Members,
  membersOf,
  type OwnAccess,
  type OwnAccount,
  type OwnCompany,
  ownAccessOf,
  ownAccountOf,
  ownCompanyOf,
  type PasswordResets,
  passwordResetsOf,
  type Requests,
  requestsOf,
  type SecondFactors,
  type ServiceKeys,
  secondFactorsOf,
  serviceKeysOf,
} from './account-resources.ts';
import { type Bank, bankOf } from './bank-resources.ts';
import {
  type CallOptions,
  createCaller,
  type PaylinkOptions,
  type RawRequest,
  type Request,
} from './call.ts';
import { withCallerStack } from './caller-stack.ts';
import { type Processors, processorsOf } from './processor-resources.ts';
import { type Expected, type RedirectResult, verifyRedirect } from './redirect.ts';
import {
  type Balances,
  balancesOf,
  type Cases,
  casesOf,
  type Events,
  eventsOf,
  type Ledger,
  ledgerOf,
  type Overviews,
  overviewsOf,
  type Payments,
  paymentsOf,
  type Refunds,
  refundsOf,
} from './resources.ts';
import {
  type TestClocks,
  type TestEvents,
  type TestPayments,
  testClockOf,
  testEventsOf,
  testPaymentsOf,
} from './test-mode-resources.ts';
import {
  type WebhookDeliveries,
  type WebhookEndpoints,
  webhookDeliveriesOf,
  webhookEndpointsOf,
} from './webhook-resources.ts';

export type Paylink = {
  payments: Payments;
  /** Refunds on their own. Those of one payment are also under `payments`. */
  refunds: Refunds;
  /** The figures of the overview. */
  overview: Overviews;
  cases: Cases;
  events: Events;
  balances: Balances;
  ledger: Ledger;
  apiKeys: ApiKeys;
  serviceKeys: ServiceKeys;
  requests: Requests;
  /** The account of this client, and its sessions. */
  me: OwnAccount;
  /** What this client's credentials may do. */
  access: OwnAccess;
  /** The account's second factors. A client that logs in by itself needs an account without any. */
  secondFactors: SecondFactors;
  members: Members;
  invitations: Invitations;
  /** Forgotten passwords. They need no credentials: this client's are not sent. */
  passwordResets: PasswordResets;
  company: OwnCompany;
  processors: Processors;
  /** Bank statements, bookings to resolve, and refunds to send by hand. */
  bank: Bank;
  webhookEndpoints: WebhookEndpoints;
  webhookDeliveries: WebhookDeliveries;
  /** The time of the company in test mode, which moves on request. */
  testClock: TestClocks;
  /** Brings payments of test mode into a state. */
  testPayments: TestPayments;
  /** Causes events in test mode. */
  testEvents: TestEvents;
  /** Performs any operation of the API by its name, typed from openapi.json. */
  request: Request;
  /** Sends a request by its method and its path, for what this version of the client does not know. */
  rawRequest: RawRequest;
  /** Verifies the address with which a customer returned; see `verifyRedirect`. */
  verifyRedirect(address: string | URL | URLSearchParams, expect?: Expected): Promise<RedirectResult>;
};

/**
 * Creates a client. With a service key it needs no login; else it logs in when first needed, and renews the login. It
 * retries what is safe to retry.
 */
export function createPaylink(options: PaylinkOptions): Paylink {
  const { baseUrl, fetch, sessions, request, rawRequest } = createCaller(options);
  return Object.freeze({
    payments: Object.freeze(paymentsOf(request)),
    refunds: Object.freeze(refundsOf(request)),
    overview: Object.freeze(overviewsOf(request)),
    cases: Object.freeze(casesOf(request)),
    events: Object.freeze(eventsOf(request)),
    balances: Object.freeze(balancesOf(request)),
    ledger: Object.freeze(ledgerOf(request)),
    apiKeys: Object.freeze(apiKeysOf(request)),
    serviceKeys: Object.freeze(serviceKeysOf(request)),
    requests: Object.freeze(requestsOf(request)),
    me: Object.freeze(ownAccountOf(request)),
    access: Object.freeze(ownAccessOf(request)),
    secondFactors: Object.freeze(secondFactorsOf(request)),
    members: Object.freeze(membersOf(request)),
    invitations: Object.freeze(invitationsOf(request)),
    passwordResets: Object.freeze(passwordResetsOf(request)),
    company: Object.freeze(ownCompanyOf(request)),
    processors: Object.freeze(processorsOf(request)),
    bank: Object.freeze(bankOf(request)),
    webhookEndpoints: Object.freeze(webhookEndpointsOf(request)),
    webhookDeliveries: Object.freeze(webhookDeliveriesOf(request)),
    testClock: Object.freeze(testClockOf(request)),
    testPayments: Object.freeze(testPaymentsOf(request)),
    testEvents: Object.freeze(testEventsOf(request)),
    request,
    rawRequest,
    verifyRedirect: async (address: string | URL | URLSearchParams, expect?: Expected) => {
      const { companyId } = await withCallerStack(async () => await sessions.current());
      return await verifyRedirect(address, { baseUrl, companyId, fetch, expect });
    },
  });
}

export type { CallOptions, PaylinkOptions };
