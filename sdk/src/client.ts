// The client, with all operations of the API. Must not: expose its credentials. They are in closures, so that
// printing, logging or serialising a client does not reveal them.

import {
  type ApiKeys,
  apiKeysOf,
  type Invitations,
  invitationsOf,
  type Members,
  membersOf,
  type OwnAccount,
  type OwnCompany,
  ownAccountOf,
  ownCompanyOf,
  type PasswordResets,
  passwordResetsOf,
  type SecondFactors,
  secondFactorsOf,
} from './account-resources.ts';
import { type Bank, bankOf } from './bank-resources.ts';
import { type CallOptions, createCaller, type PaylinkOptions, type Request } from './call.ts';
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
} from './resources.ts';
import {
  type WebhookDeliveries,
  type WebhookEndpoints,
  webhookDeliveriesOf,
  webhookEndpointsOf,
} from './webhook-resources.ts';

export type Paylink = {
  payments: Payments;
  /** The figures of the overview. */
  overview: Overviews;
  cases: Cases;
  events: Events;
  balances: Balances;
  ledger: Ledger;
  apiKeys: ApiKeys;
  /** The account of this client, and its sessions. */
  me: OwnAccount;
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
  /** Performs any operation of the API by its name, typed from openapi.json. */
  request: Request;
  /** Verifies the address with which a customer returned; see `verifyRedirect`. */
  verifyRedirect(address: string | URL | URLSearchParams, expect?: Expected): Promise<RedirectResult>;
};

/** Creates a client. It logs in when first needed, renews the login, and retries what is safe to retry. */
export function createPaylink(options: PaylinkOptions): Paylink {
  const { baseUrl, fetch, sessions, request } = createCaller(options);
  return Object.freeze({
    payments: Object.freeze(paymentsOf(request)),
    overview: Object.freeze(overviewsOf(request)),
    cases: Object.freeze(casesOf(request)),
    events: Object.freeze(eventsOf(request)),
    balances: Object.freeze(balancesOf(request)),
    ledger: Object.freeze(ledgerOf(request)),
    apiKeys: Object.freeze(apiKeysOf(request)),
    me: Object.freeze(ownAccountOf(request)),
    secondFactors: Object.freeze(secondFactorsOf(request)),
    members: Object.freeze(membersOf(request)),
    invitations: Object.freeze(invitationsOf(request)),
    passwordResets: Object.freeze(passwordResetsOf(request)),
    company: Object.freeze(ownCompanyOf(request)),
    processors: Object.freeze(processorsOf(request)),
    bank: Object.freeze(bankOf(request)),
    webhookEndpoints: Object.freeze(webhookEndpointsOf(request)),
    webhookDeliveries: Object.freeze(webhookDeliveriesOf(request)),
    request,
    verifyRedirect: async (address: string | URL | URLSearchParams, expect?: Expected) => {
      const { companyId } = await withCallerStack(async () => await sessions.current());
      return await verifyRedirect(address, { baseUrl, companyId, fetch, expect });
    },
  });
}

export type { CallOptions, PaylinkOptions };
