// The routes that find payments, export them, and change an open one.

import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { Type } from 'typebox';
import type { Clock } from '../base/clock.ts';
import type { Database } from '../db/database.ts';
import { principalOf, requireCredentials, type VerifyCredentials } from '../http/authentication.ts';
import { readExpand } from '../http/expand.ts';
import type { HttpServer } from '../http/http-server.ts';
import { problemResponses, securityFor } from '../http/openapi.ts';
import { paymentScopeOf } from '../http/payment-scope.ts';
import { checkRight, type Right, requireOwnMode } from '../http/roles.ts';
import { LinkCodeParams } from '../http/schema-parts.ts';
import { updatePayment } from '../links/update-payment.ts';
import { paymentExpansions, presentExpanded } from '../payments/expand-payments.ts';
import { presentPayment } from '../payments/present-payment.ts';
import { PaymentList, PaymentResponse, PaymentUpdate } from '../payments/schema.ts';
import { abortUnread } from './abort-unread.ts';
import { type ExportFormat, exportPayments, recordExport } from './export-payments.ts';
import { findPayments } from './find-payments.ts';
import { ExportQuery, isByWord, PaymentListQuery, readPaymentQuery } from './payment-query.ts';

export type FindRouteDeps = {
  db: Database;
  clock: Clock;
  baseUrl: string;
  verifyCredentials: VerifyCredentials;
};

const common = { tags: ['payments'] };

/** Registers the routes. */
export function registerFindRoutes(app: HttpServer, deps: FindRouteDeps): void {
  const allow = (right: Right) => [requireCredentials(deps.verifyCredentials), checkRight(right)];
  const { baseUrl } = deps;

  app.get(
    '/v1/payments',
    {
      onRequest: allow('payments:read'),
      schema: {
        ...common,
        security: securityFor('payments:read'),
        operationId: 'listPayments',
        summary: 'Find payments',
        querystring: PaymentListQuery,
        response: {
          200: PaymentList,
          ...problemResponses(['roleNotAllowed', 'modeNotAllowed', 'invalidFields']),
        },
      },
    },
    async (request) => {
      requireOwnMode(principalOf(request), request.query.mode);
      const scope = principalOf(request);
      const { payments, nextCursor } = await findPayments(deps, scope, request.query);
      const expand = readExpand(request.query.expand, paymentExpansions);
      return { data: await presentExpanded(deps, scope, { payments, expand }), nextCursor };
    },
  );

  app.patch(
    '/v1/payments/:code',
    {
      onRequest: allow('payments:update'),
      schema: {
        ...common,
        security: securityFor('payments:update'),
        operationId: 'updatePayment',
        summary: 'Update an open payment',
        params: LinkCodeParams,
        body: PaymentUpdate,
        response: {
          200: PaymentResponse,
          ...problemResponses([
            'roleNotAllowed',
            'paymentNotFound',
            'paymentInProgress',
            'paymentEnded',
            'invalidFields',
          ]),
        },
      },
    },
    async (request) => {
      const order = { ...paymentScopeOf(principalOf(request), request.params.code), update: request.body };
      return presentPayment(await updatePayment(deps, order), {
        baseUrl,
        message: 'The payment was updated.',
      });
    },
  );

  registerExportRoute(app, deps, allow('exports:read'));
}

const contentTypes: Readonly<Record<ExportFormat, string>> = {
  csv: 'text/csv',
  ndjson: 'application/x-ndjson',
};

function registerExportRoute(
  app: HttpServer,
  deps: FindRouteDeps,
  onRequest: ReturnType<typeof requireCredentials>[],
): void {
  const running = new Map<ReturnType<typeof exportPayments>, FastifyReply>();
  app.addHook('preClose', async () => {
    for (const [stream, reply] of running) abortUnread(stream, reply.raw);
  });
  const file = (type: string, description: string) => [type, { schema: Type.String({ description }) }];
  const content = Object.fromEntries([
    file(contentTypes.csv, 'RFC 4180 in UTF-8 with a byte order mark; the first line has the field names'),
    file(contentTypes.ndjson, 'One JSON object per line'),
  ]);

  app.get(
    '/v1/exports/payments',
    {
      onRequest,
      config: { hasNoTimeBudget: true },
      schema: {
        ...common,
        security: securityFor('exports:read'),
        operationId: 'exportPayments',
        summary: 'Export the matching payments as a file, oldest first',
        querystring: ExportQuery,
        response: {
          200: { description: 'The file, as a stream', content },
          ...problemResponses(['roleNotAllowed', 'modeNotAllowed', 'invalidFields']),
        },
      },
    },
    async (request, reply) => {
      requireOwnMode(principalOf(request), request.query.mode);
      const { format: _, ...filters } = request.query;
      const format = (request.query.format ?? 'csv') as ExportFormat;
      const query = readPaymentQuery(isByWord(filters) ? filters : { ...filters, sort: 'createdAt' });
      const caller = principalOf(request);
      const { companyId, mode } = caller;
      void reply
        .type(`${contentTypes[format]}; charset=utf-8`)
        .header('content-disposition', `attachment; filename="payments.${format}"`);
      // For HEAD, the framework would read the whole stream only to discard it.
      if (request.method === 'HEAD') return reply.send(Readable.from([]));
      await recordExport(deps, caller, { format, filters: Object.keys(filters) });
      const stream = exportPayments(deps.db, {
        companyId,
        mode,
        query,
        format,
        baseUrl: deps.baseUrl,
      });
      running.set(stream, reply);
      stream.once('close', () => running.delete(stream));
      return reply.send(stream);
    },
  );
}
