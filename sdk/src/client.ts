// The client: everything of the API under one roof. It must never show what it is made with: credentials
// live in closures, so printing, logging or serialising a client gives none of them away.

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
  /** How business stands. */
  overview: Overviews;
  cases: Cases;
  events: Events;
  balances: Balances;
  ledger: Ledger;
  apiKeys: ApiKeys;
  /** The account that this client is logged in with, and its sessions. */
  me: OwnAccount;
  /** What this account has beside its password. A client that logs in by itself needs an account without. */
  secondFactors: SecondFactors;
  members: Members;
  invitations: Invitations;
  /** Forgotten passwords. They take no credentials: those of this client are not sent. */
  passwordResets: PasswordResets;
  company: OwnCompany;
  processors: Processors;
  /** Bank statements, what waits for a person, and refunds that are sent by hand. */
  bank: Bank;
  webhookEndpoints: WebhookEndpoints;
  webhookDeliveries: WebhookDeliveries;
  /** Performs any operation of the API by its name, typed from openapi.json. */
  request: Request;
  /** Verifies the address that a customer came back by; see `verifyRedirect`. */
  verifyRedirect(address: string | URL | URLSearchParams, expect?: Expected): Promise<RedirectResult>;
};

/** Makes a client. It logs in when first needed, renews the login by itself, and repeats what may be repeated. */
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
