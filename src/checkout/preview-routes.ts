// The route that shows a company how its pages would look before it changes anything.

import { Type } from 'typebox';
import { chooseLocale, locales } from '../base/locale.ts';
import { brandingFields } from '../companies/schema.ts';
import { principalOf, requireCredentials, type VerifyCredentials } from '../http/authentication.ts';
import type { HttpServer } from '../http/http-server.ts';
import { problemResponses, security } from '../http/openapi.ts';
import { checkRight } from '../http/roles.ts';
import { type PreviewDeps, previewPage, previewStates } from './preview.ts';

const PreviewRequest = Type.Object(
  {
    ...brandingFields,
    locale: Type.Optional(
      Type.Unsafe<(typeof locales)[number]>({
        type: 'string',
        enum: [...locales],
        description: 'The language of the page; without it, by Accept-Language',
      }),
    ),
    state: Type.Optional(
      Type.Unsafe<(typeof previewStates)[number]>({
        type: 'string',
        enum: [...previewStates],
        description: 'Which page: that of a payment in this state; open without it',
      }),
    ),
  },
  { additionalProperties: false, examples: [{ name: 'Shop Ltd', color: '#1849a9', locale: 'de' }] },
);

const PreviewResponse = Type.Object(
  {
    html: Type.String({
      description:
        'The page as a whole document, without script. Show it as srcdoc or by a blob address in a frame with sandbox="allow-same-origin"',
    }),
    contrast: Type.Number({ description: 'Contrast of white text on the colour (WCAG 2.2), 1 to 21' }),
    isReadable: Type.Boolean({ description: 'Whether the company can have the colour: a contrast of 4.5' }),
  },
  {
    title: 'PagePreview',
    description: 'The page and its contrast',
    examples: [{ html: '<!doctype html>\n<html lang="de">…</html>\n', contrast: 8.18, isReadable: true }],
  },
);

/** Registers the route. */
export function registerPreviewRoute(
  app: HttpServer,
  deps: PreviewDeps & { verifyCredentials: VerifyCredentials },
): void {
  app.post(
    '/v1/company/preview',
    {
      onRequest: [requireCredentials(deps.verifyCredentials), checkRight('company:read')],
      config: { changesNothing: true },
      schema: {
        security,
        tags: ['company'],
        operationId: 'previewPage',
        summary: 'A hosted page with a look that is only tried on; changes nothing',
        body: PreviewRequest,
        response: { 200: PreviewResponse, ...problemResponses(['roleNotAllowed', 'invalidFields']) },
      },
    },
    async (request) => {
      const { locale: requested = null, state = 'open', ...look } = request.body;
      const locale = chooseLocale({ requested, acceptLanguage: request.headers['accept-language'] });
      return await previewPage(deps, principalOf(request), { look, state, locale });
    },
  );
}
