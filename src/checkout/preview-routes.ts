// The route that previews a company's branding.

import { Type } from 'typebox';
import { chooseLocale, locales } from '../base/locale.ts';
import { IdentityChange } from '../companies/identity-schema.ts';
import { brandingFields } from '../companies/schema.ts';
import { principalOf, type VerifyCredentials } from '../http/authentication.ts';
import type { HttpServer } from '../http/http-server.ts';
import { responses } from '../http/openapi.ts';
import { eitherOf } from '../http/page-query.ts';
import { formerName } from '../http/schema-parts.ts';
import { describeSecuredRoutes } from '../http/secured-route.ts';
import { type PreviewDeps, previewPage, previewStates } from './preview.ts';

const previewStatus = Type.Unsafe<(typeof previewStates)[number]>({
  type: 'string',
  enum: [...previewStates],
  description: 'Status of the sample payment. Default: open',
});
const PreviewRequest = Type.Object(
  {
    ...brandingFields,
    identity: Type.Optional(IdentityChange),
    locale: Type.Optional(
      Type.Unsafe<(typeof locales)[number]>({
        type: 'string',
        enum: [...locales],
        description: 'Language of the page. Default: by Accept-Language',
      }),
    ),
    status: Type.Optional(previewStatus),
    state: Type.Optional(formerName(previewStatus, 'status')),
  },
  { additionalProperties: false, examples: [{ name: 'Shop Ltd', color: '#1849a9', locale: 'de' }] },
);

const PreviewResponse = Type.Object(
  {
    html: Type.String({
      description:
        'The page as an HTML document without script. Show it by srcdoc or a blob URL in a frame with sandbox="allow-same-origin"',
    }),
    contrast: Type.Number({ description: 'Contrast of white text on the colour (WCAG 2.2), 1 to 21' }),
    isReadable: Type.Boolean({
      description: 'Whether the contrast is high enough for the colour to be used (4.5)',
    }),
  },
  {
    title: 'PagePreview',
    description: 'The page and the contrast of its colour',
    examples: [
      { html: '<!doctype html>\n<html lang="de" dir="ltr">…</html>\n', contrast: 8.18, isReadable: true },
    ],
  },
);

const secured = describeSecuredRoutes('company');

export function registerPreviewRoute(
  app: HttpServer,
  deps: PreviewDeps & { verifyCredentials: VerifyCredentials },
): void {
  app.post(
    '/v1/company/preview',
    {
      ...secured(deps, 'company:read', {
        operationId: 'previewPage',
        summary: 'Preview a hosted page with a draft of the branding',
        body: PreviewRequest,
        response: responses(PreviewResponse),
      }),
      config: { changesNothing: true },
    },
    async (request) => {
      const { locale: requested = null, status: _, state: __, ...branding } = request.body;
      const state = eitherOf(request.body, 'status', 'state') ?? 'open';
      const locale = chooseLocale({
        wanted: [requested ?? null],
        acceptLanguage: request.headers['accept-language'],
      });
      return await previewPage(deps, principalOf(request), { branding, state, locale });
    },
  );
}
