// The routes that upload and delete a company's logo. The body of an upload is the file itself.

import type { FastifyRequest } from 'fastify';
import { errors } from '../base/errors.ts';
import { principalOf } from '../http/authentication.ts';
import type { HttpServer } from '../http/http-server.ts';
import { responses } from '../http/openapi.ts';
import { describeSecuredRoutes } from '../http/secured-route.ts';
import { deleteLogo, maxLogoFileBytes, refuseLargeFile, uploadLogo } from './change-logo.ts';
import type { LogoType } from './logo-store.ts';
import { type CompanyRouteDeps, presentCompany } from './routes.ts';
import { CompanyResponse, LogoQuery } from './schema.ts';

const secured = describeSecuredRoutes('company');

type LogoBody = { contentType: LogoType; bytes: Buffer };

/** Makes a scope accept the two types of files only. */
function useLogoFiles(scope: HttpServer): void {
  scope.removeAllContentTypeParsers();
  for (const contentType of ['image/png', 'image/svg+xml'] as const)
    scope.addContentTypeParser(contentType, { parseAs: 'buffer' }, (request, bytes, done) => {
      if ((request.headers['content-encoding'] ?? 'identity') !== 'identity')
        return done(errors.unsupportedMediaType({ detail: 'Send the file without a Content-Encoding.' }));
      done(null, { contentType, bytes });
    });
  scope.addContentTypeParser('*', (_request, _payload, done) => {
    done(errors.unsupportedMediaType({ detail: 'Send Content-Type: image/png or image/svg+xml.' }));
  });
  // The handler of all routes would name their limit.
  scope.setErrorHandler((error: Error & { code?: string }, request) => {
    if (error.code !== 'FST_ERR_CTP_BODY_TOO_LARGE') throw error;
    const length = Number(request.headers['content-length']);
    refuseLargeFile(length > 0 ? length : null);
  });
}

function readBody(request: FastifyRequest): LogoBody {
  const body = request.body as LogoBody | null | undefined;
  if (body && body.bytes.length > 0) return body;
  throw errors.invalidFields({
    errors: [{ field: 'body', code: 'missing', detail: 'The body is empty. Send the file as the body.' }],
  });
}

function registerUpload(scope: HttpServer, deps: CompanyRouteDeps): void {
  scope.put(
    '/v1/company/logo',
    {
      ...secured(deps, 'company:manage', {
        operationId: 'uploadLogo',
        summary: 'Upload the logo',
        description:
          'The body is a PNG of at most 1,024 × 1,024 pixels or an SVG, of at most 100,000 bytes. An SVG is rewritten with what draws a still picture; one with scripts, event handlers, references outside of the file, a DOCTYPE or animations is refused.',
        querystring: LogoQuery,
        body: { content: { 'image/png': { schema: {} }, 'image/svg+xml': { schema: {} } } },
        response: responses(CompanyResponse),
      }),
      bodyLimit: maxLogoFileBytes,
    },
    async (request) => {
      const { variant = 'light' } = request.query;
      const order = { variant, ...readBody(request) };
      return presentCompany(deps, await uploadLogo(deps, principalOf(request), order));
    },
  );
}

export async function registerLogoRoutes(app: HttpServer, deps: CompanyRouteDeps): Promise<void> {
  await app.register(async (scope: HttpServer) => {
    useLogoFiles(scope);
    registerUpload(scope, deps);
  });

  app.delete(
    '/v1/company/logo',
    secured(deps, 'company:manage', {
      operationId: 'deleteLogo',
      summary: 'Delete the uploaded logo',
      description:
        'Deletes the uploaded logo with its dark variant, or with `variant=dark` only that. `branding.logo` stays.',
      querystring: LogoQuery,
      response: responses(CompanyResponse, ['invalidFields']),
    }),
    async (request) => {
      const { variant = 'light' } = request.query;
      return presentCompany(deps, await deleteLogo(deps, principalOf(request), variant));
    },
  );
}
