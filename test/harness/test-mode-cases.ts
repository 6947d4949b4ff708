// The rows of the routes that work in test mode only, for route-cases.ts.

import type { Role } from '../../src/http/authentication.ts';
import { connectBank } from './bank.ts';
import { type Credentials, call } from './client.ts';
import type { Paylink } from './paylink.ts';

type Company = {
  paylink: Paylink;
  credentials: Credentials;
  openCode(): Promise<string>;
  paidCode(): Promise<string>;
};

const everybody: readonly Role[] = ['owner', 'admin', 'developer', 'support', 'viewer'];
const creators: readonly Role[] = ['owner', 'admin', 'developer', 'support'];

const open = async (company: Company) => ({ code: await company.openCode() });
const paid = async (company: Company) => ({ code: await company.paidCode() });
/** A new payment after an action of a test route. */
const after = (action: string) => async (company: Company) => {
  const code = await company.openCode();
  await call(company.paylink, company.credentials, ['POST', `/v1/test/payments/${code}/${action}`], {});
  return { code };
};
const withBank = async (company: Company) => {
  await connectBank(company.paylink, company.credentials);
  return { code: await company.openCode() };
};

/** How each action gets a payment on which it is possible. */
const paymentsOf = {
  ...{ open, pay: open, decline: open, process: open, expire: open, cancel: open, overpay: open },
  ...{ settle: after('process'), escalate: after('process'), 'request-link': after('decline') },
  ...{ refund: paid, transfer: withBank },
};

export const testModeCases = {
  'GET /v1/test/clock': { roles: everybody },
  // By little, because the company is used further.
  'POST /v1/test/clock/advance': { roles: creators, body: () => ({ by: 'PT1S' }) },
  'POST /v1/test/events/{type}': { roles: creators, params: async () => ({ type: 'refund.succeeded' }) },
  ...Object.fromEntries(
    Object.entries(paymentsOf).map(([action, params]) => [
      `POST /v1/test/payments/{code}/${action}`,
      { roles: creators, params },
    ]),
  ),
};
