// The link of a payment as a QR code, to print or to show on another screen.

import { Type } from 'typebox';
import { errors } from '../base/errors.ts';
import type { Database } from '../db/database.ts';
import { principalOf, requireCredentials, type VerifyCredentials } from '../http/authentication.ts';
import type { HttpServer } from '../http/http-server.ts';
import { problemResponses, securityFor } from '../http/openapi.ts';
import { querySchema } from '../http/page-query.ts';
import { paymentScopeOf } from '../http/payment-scope.ts';
import { checkRight } from '../http/roles.ts';
import { LinkCodeParams } from '../http/schema-parts.ts';
import { paymentLink } from '../payments/present-payment.ts';
import { findPaymentByCode } from '../payments/store.ts';
import { drawQrPng, drawQrSvg } from './draw-qr.ts';

export type QrRouteDeps = { db: Database; baseUrl: string; verifyCredentials: VerifyCredentials };

const QrQuery = querySchema({
  format: Type.Optional(Type.String({ enum: ['svg', 'png'], description: 'Default: svg' })),
  size: Type.Optional(
    Type.String({
      pattern: '^(6[4-9]|[7-9][0-9]|[1-9][0-9]{2}|10[01][0-9]|102[0-4])$',
      'x-hint': 'This must be a whole number from 64 to 1024.',
      description: 'Width and height in pixels, 64 to 1024. Default: 256',
      examples: ['512'],
    }),
  ),
});

export function registerQrRoute(app: HttpServer, deps: QrRouteDeps): void {
  const picture = Type.Unsafe<string | Buffer>({ type: 'string', description: 'The image' });
  app.get(
    '/v1/payments/:code/qr',
    {
      onRequest: [requireCredentials(deps.verifyCredentials), checkRight('payments:read')],
      schema: {
        security: securityFor('payments:read'),
        tags: ['payments'],
        operationId: 'drawQrCode',
        summary: 'Retrieve a payment link as a QR code',
        params: LinkCodeParams,
        querystring: QrQuery,
        response: {
          200: {
            description: 'The image',
            content: { 'image/svg+xml': { schema: picture }, 'image/png': { schema: picture } },
          },
          ...problemResponses(['roleNotAllowed', 'paymentNotFound', 'invalidFields']),
        },
      },
    },
    async (request, reply) => {
      const { code, ...scope } = paymentScopeOf(principalOf(request), request.params.code);
      const payment = await deps.db.inTenant(scope, async (tx) => await findPaymentByCode(tx, code));
      if (!payment) throw errors.paymentNotFound();
      const link = paymentLink(deps.baseUrl, code);
      const size = Number(request.query.size ?? '256');
      if (request.query.format === 'png') return reply.type('image/png').send(drawQrPng(link, size));
      return reply.type('image/svg+xml').send(drawQrSvg(link, size));
    },
  );
}
