// The API reference at /docs: Swagger UI from this server, with a policy that allows no other origin.

import swaggerUi from '@fastify/swagger-ui';
import type { HttpServer } from './http-server.ts';
import type { SendDescription } from './openapi.ts';

/** Swagger UI has its icons in data URLs, and calls this service only. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "form-action 'none'",
].join('; ');

/** Serves the API description as a page. Call it after `describeApi`. */
export async function registerDocsPage(
  app: HttpServer,
  options: { icon: Buffer; sendDescription: SendDescription },
): Promise<void> {
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: policy,
    // Without the top bar: there is only one document.
    uiConfig: { layout: 'BaseLayout', displayRequestDuration: true, persistAuthorization: false },
    uiHooks: {
      // Swagger UI itself would send the description uncompressed.
      preHandler: async (request, reply) =>
        request.routeOptions.url === '/docs/json' ? await options.sendDescription(request, reply) : undefined,
    },
    logo: { type: 'image/svg+xml', content: options.icon },
    theme: {
      title: 'Paylink API',
      favicon: [
        { filename: 'icon.svg', rel: 'icon', type: 'image/svg+xml', sizes: 'any', content: options.icon },
      ],
    },
  });
}
