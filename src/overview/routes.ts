// The route of the overview, and its response. It changes nothing.

import { type Currency, toMajorSum } from '../base/money.ts';
import { principalOf, type VerifyCredentials } from '../http/authentication.ts';
import type { HttpServer } from '../http/http-server.ts';
import { responses } from '../http/openapi.ts';
import { isEntitled } from '../http/roles.ts';
import { describeSecuredRoutes } from '../http/secured-route.ts';
import { presentPayment } from '../payments/present-payment.ts';
import {
  add,
  type CurrencyOverview,
  type Overview,
  type OverviewDeps,
  readOverview,
  type Sum,
} from './read-overview.ts';
import { OverviewQuery, OverviewResponse } from './schema.ts';

export type OverviewRouteDeps = OverviewDeps & { baseUrl: string; verifyCredentials: VerifyCredentials };

const secured = describeSecuredRoutes('payments');

function presentSum({ count, amountMinor }: Sum, currency: Currency) {
  return { count, amount: toMajorSum(amountMinor, currency) };
}

function presentCurrency(overview: CurrencyOverview): OverviewResponse['currencies'][number] {
  const { currency, created, byState, series } = overview;
  const present = (sum: Sum) => presentSum(sum, currency);
  return {
    currency,
    paid: present(overview.paid),
    refunded: present(overview.refunded),
    created: present(created),
    converted: present(byState.paid),
    open: present(add([byState.open, byState.processing])),
    failed: present(byState.failed),
    expired: present(byState.expired),
    cancelled: present(byState.cancelled),
    conversion: created.count === 0 ? null : byState.paid.count / created.count,
    series: series.map((slot) => ({
      at: slot.at.toISOString(),
      createdCount: slot.created.count,
      failedCount: slot.failed.count,
      paidCount: slot.paid.count,
      paidAmount: toMajorSum(slot.paid.amountMinor, currency),
    })),
  };
}

function presentAttention(
  { cases, unknown, expiring, endpoints }: Overview['attention'],
  baseUrl: string,
): OverviewResponse['attention'] {
  return {
    cases,
    unknown,
    expiring: {
      count: expiring.count,
      payments: expiring.payments.map((payment) =>
        presentPayment(payment, { baseUrl, message: `The payment is ${payment.state}.` }),
      ),
    },
    failingEndpoints: endpoints?.failing ?? null,
    disabledEndpoints: endpoints?.disabled ?? null,
  };
}

export function registerOverviewRoute(app: HttpServer, deps: OverviewRouteDeps): void {
  app.get(
    '/v1/overview',
    secured(deps, 'payments:read', {
      operationId: 'getOverview',
      summary: 'Get an overview: what was created and paid in the last days, and what needs attention',
      description: 'In the mode of the call. Days begin at midnight in the time zone; the last day is today.',
      querystring: OverviewQuery,
      response: responses(OverviewResponse, ['invalidFields']),
    }),
    async (request) => {
      const caller = principalOf(request);
      const { companyId, mode } = caller;
      const { days = '7', timeZone = 'UTC' } = request.query;
      const overview = await readOverview(deps, {
        companyId,
        mode,
        days: Number(days) as 1 | 7 | 30,
        timeZone,
        seesEndpoints: isEntitled(caller, 'webhooks:read'),
      });
      const [startsAt, endsAt] = [overview.from.toISOString(), overview.to.toISOString()];
      return {
        ...{ startsAt, endsAt, from: startsAt, to: endsAt },
        timeZone,
        mode,
        currencies: overview.currencies.map(presentCurrency),
        attention: presentAttention(overview.attention, deps.baseUrl),
      };
    },
  );
}
