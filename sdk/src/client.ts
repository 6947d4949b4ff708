// The client: everything of the API under one roof. It must never show what it is made with: credentials
// live in closures, so printing, logging or serialising a client gives none of them away.

import { type CallOptions, createCaller, type PaylinkOptions, type Request } from './call.ts';
import { type Expected, type RedirectResult, verifyRedirect } from './redirect.ts';
import { type Cases, casesOf, type Payments, paymentsOf } from './resources.ts';

export type Paylink = {
  payments: Payments;
  cases: Cases;
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
    cases: Object.freeze(casesOf(request)),
    request,
    verifyRedirect: async (address: string | URL | URLSearchParams, expect?: Expected) => {
      const { companyId } = await sessions.current();
      return await verifyRedirect(address, { baseUrl, companyId, fetch, expect });
    },
  });
}

export type { CallOptions, PaylinkOptions };
