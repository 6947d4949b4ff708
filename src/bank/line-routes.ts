// The routes of bookings and of refunds that are sent by hand: list what waits for a person, and resolve it.

import { invalidField } from '../base/errors.ts';
import { principalOf } from '../http/authentication.ts';
import type { HttpServer } from '../http/http-server.ts';
import { responses } from '../http/openapi.ts';
import { eitherOf, paginate, parsePage } from '../http/page-query.ts';
import { actorOf } from '../http/roles.ts';
import { describeSecuredRoutes } from '../http/secured-route.ts';
import { listBankRefunds } from '../processors/bank-transfer/refund-store.ts';
import { presentBankRefund, presentLine } from './present-bank.ts';
import { type LineResolution, resolveLine, resolveRefund } from './resolve-line.ts';
import {
  BankRefundList,
  BankRefundParams,
  BankRefundQuery,
  BankRefundResponse,
  LineList,
  LineParams,
  LineQuery,
  LineResolutionRequest,
  LineResponse,
  RefundResolutionRequest,
} from './schema.ts';
import type { BankRouteDeps } from './statement-routes.ts';
import { listLines } from './store.ts';
import { suggestTransfers } from './suggest-transfer.ts';

const secured = describeSecuredRoutes('bank');

/** Throws `invalid_fields` if a required field is missing or a field does not apply to the action. */
function readResolution({ action, reference, note }: LineResolutionRequest): LineResolution {
  if (action === 'match') {
    if (reference === undefined)
      throw invalidField('reference', 'missing', 'This field is required to match a line.');
    return { action, reference, ...(note === undefined ? {} : { note }) };
  }
  if (note === undefined)
    throw invalidField('note', 'missing', 'This field is required to dismiss a line. Give the reason.');
  if (reference === undefined) return { action, note };
  throw invalidField('reference', 'not_allowed', 'This field is not allowed when you dismiss a line.');
}

export function registerLineRoutes(app: HttpServer, deps: BankRouteDeps): void {
  registerLists(app, deps);
  registerResolutions(app, deps);
}

function registerLists(app: HttpServer, deps: BankRouteDeps): void {
  const { db } = deps;

  app.get(
    '/v1/bank-lines',
    secured(deps, 'bank:read', {
      operationId: 'listBankLines',
      summary: 'List bank lines',
      querystring: LineQuery,
      response: responses(LineList, ['invalidFields']),
    }),
    async (request) => {
      const { companyId, mode } = principalOf(request);
      const state = eitherOf(request.query, 'status', 'state') ?? null;
      const { statementId = null } = request.query;
      const page = parsePage(request.query, ['bank-lines', companyId, mode, state, statementId]);
      const [before = null] = page.place ?? [];
      return await db.inTenant(principalOf(request), async (tx) => {
        const rows = await listLines(tx, { mode, state, statementId, before, limit: page.limit + 1 });
        const { shown, nextCursor } = paginate(rows, page, ({ lineId }) => [lineId]);
        const suggested = await suggestTransfers(tx, mode, shown);
        return { data: shown.map((line) => presentLine(line, suggested.get(line.lineId))), nextCursor };
      });
    },
  );

  app.get(
    '/v1/bank-refunds',
    secured(deps, 'bank:read', {
      operationId: 'listBankRefunds',
      summary: 'List refunds by bank transfer',
      querystring: BankRefundQuery,
      response: responses(BankRefundList, ['invalidFields']),
    }),
    async (request) => {
      const { companyId, mode } = principalOf(request);
      const state = eitherOf(request.query, 'status', 'state') ?? null;
      const page = parsePage(request.query, ['bank-refunds', companyId, mode, state]);
      const [before = null] = page.place ?? [];
      const rows = await db.inTenant(
        { companyId, mode },
        async (tx) => await listBankRefunds(tx, { mode, state, before, limit: page.limit + 1 }),
      );
      const { shown, nextCursor } = paginate(rows, page, ({ refundId }) => [refundId]);
      return { data: shown.map(presentBankRefund), nextCursor };
    },
  );
}

function registerResolutions(app: HttpServer, deps: BankRouteDeps): void {
  app.post(
    '/v1/bank-lines/:lineId/resolve',
    secured(deps, 'bank:manage', {
      operationId: 'resolveBankLine',
      summary: 'Resolve a bank line',
      description:
        'Matches a line with the reference of a transfer, or a debit with the reference of a refund, or dismisses the line. Overpayments are refunded as usual.',
      params: LineParams,
      body: LineResolutionRequest,
      response: responses(LineResponse, ['lineNotWaiting', 'bankRefundEnded']),
    }),
    async (request) => {
      const principal = principalOf(request);
      const caller = { ...principal, actor: actorOf(principal) };
      const resolution = readResolution(request.body);
      return presentLine(
        await resolveLine(deps, caller, { lineId: request.params.lineId, resolution }),
        undefined,
      );
    },
  );

  app.post(
    '/v1/bank-refunds/:refundId/resolve',
    secured(deps, 'bank:manage', {
      operationId: 'resolveBankRefund',
      summary: 'Resolve a refund by bank transfer',
      description:
        'Records that a refund was sent, or that it will not be sent. A statement that contains the transfer with its reference resolves the refund automatically. The refund of an overpayment stays waiting until it is sent.',
      params: BankRefundParams,
      body: RefundResolutionRequest,
      response: responses(BankRefundResponse, ['bankRefundEnded']),
    }),
    async (request) => {
      const principal = principalOf(request);
      const caller = { ...principal, actor: actorOf(principal) };
      const order = { refundId: request.params.refundId, resolution: request.body };
      return presentBankRefund(await resolveRefund(deps, caller, order));
    },
  );
}
