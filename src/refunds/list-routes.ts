// The routes that read refunds on their own: one, and all of a company.

import { errors } from '../base/errors.ts';
import { readIdRange } from '../base/id-bound.ts';
import type { Database, TenantScope, TenantTx } from '../db/database.ts';
import { requirePaymentId } from '../events/payment-codes.ts';
import { principalOf, type VerifyCredentials } from '../http/authentication.ts';
import { readExpand } from '../http/expand.ts';
import type { HttpServer } from '../http/http-server.ts';
import { responses } from '../http/openapi.ts';
import { createdRangeOf, paginate, parsePage } from '../http/page-query.ts';
import { describeSecuredRoutes } from '../http/secured-route.ts';
import { presentPayment } from '../payments/present-payment.ts';
import { presentRefund } from '../payments/present-refund.ts';
import { listPaymentsById } from '../payments/presented-store.ts';
import { findRefundWithCode, type RefundWithCode, searchRefunds } from './list-refunds.ts';
import {
  ExpandableRefund,
  ExpandableRefundList,
  RefundListQuery,
  RefundParams,
  RefundQuery,
  refundExpansions,
} from './schema.ts';

export type RefundListDeps = { db: Database; baseUrl: string; verifyCredentials: VerifyCredentials };

const secured = describeSecuredRoutes('payments');

// Checked before the database is queried: it accepts no text with a NUL.
const refundIdForm = /^ref_[0-9a-z]{26}$/;

/** The refunds in their API form, with their payments if the caller wants them: one more statement. */
async function presentAll(
  { baseUrl }: RefundListDeps,
  tx: TenantTx,
  refunds: readonly RefundWithCode[],
  given: string | undefined,
) {
  const isExpanded = readExpand(given, refundExpansions).has('payment');
  const ids = isExpanded ? [...new Set(refunds.map(({ paymentId }) => paymentId))] : [];
  const found = ids.length === 0 ? [] : await listPaymentsById(tx, ids);
  const payments = new Map(
    found.map((payment) => [
      payment.paymentId,
      presentPayment(payment, { baseUrl, message: `The payment is ${payment.state}.` }),
    ]),
  );
  return refunds.map((refund) => {
    const payment = payments.get(refund.paymentId);
    return { ...presentRefund(refund, refund.code), ...(payment ? { payment } : {}) };
  });
}

async function readList(deps: RefundListDeps, scope: TenantScope, query: RefundListQuery) {
  const { paymentLinkCode = null, status = null, expand } = query;
  const { fromId, beforeId } = readIdRange('ref', createdRangeOf(query));
  const page = parsePage(query, ['refunds', scope.companyId, fromId, beforeId, paymentLinkCode, status]);
  const [before = beforeId] = page.place ?? [];
  return await deps.db.inTenant(scope, async (tx) => {
    const paymentId = paymentLinkCode === null ? null : await requirePaymentId(tx, paymentLinkCode);
    const search = { paymentId, status, fromId, beforeId: before, limit: page.limit + 1 };
    const found = await searchRefunds(tx, search);
    const { shown, nextCursor } = paginate(found, page, ({ refundId }) => [refundId]);
    return { data: await presentAll(deps, tx, shown, expand), nextCursor };
  });
}

/** Registers the routes. */
export function registerRefundListRoutes(app: HttpServer, deps: RefundListDeps): void {
  app.get(
    '/v1/refunds',
    secured(deps, 'payments:read', {
      operationId: 'findRefunds',
      summary: 'List refunds, newest first',
      description: 'In the mode of the call, including refunds of overpayments.',
      querystring: RefundListQuery,
      response: responses(ExpandableRefundList, ['paymentNotFound', 'invalidFields']),
    }),
    async (request) => await readList(deps, principalOf(request), request.query),
  );

  app.get(
    '/v1/refunds/:refundId',
    secured(deps, 'payments:read', {
      operationId: 'getRefund',
      summary: 'Retrieve a refund',
      description: 'An ID of another company gives the same response as an unknown ID.',
      params: RefundParams,
      querystring: RefundQuery,
      response: responses(ExpandableRefund, ['notFound', 'invalidFields']),
    }),
    async (request) => {
      const { refundId } = request.params;
      if (!refundIdForm.test(refundId)) throw errors.notFound();
      return await deps.db.inTenant(principalOf(request), async (tx) => {
        const refund = await findRefundWithCode(tx, refundId);
        const [shown] = refund ? await presentAll(deps, tx, [refund], request.query.expand) : [];
        if (!shown) throw errors.notFound();
        return shown;
      });
    },
  );
}
