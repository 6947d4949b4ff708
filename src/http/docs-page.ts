// The reference page at /docs: Swagger UI from our own server, under a policy that lets it load nothing from
// anywhere else. Must never send what is typed into it to anybody but this service.

import swaggerUi from '@fastify/swagger-ui';
import type { HttpServer } from './http-server.ts';

/** Swagger UI draws its icons from data addresses, and asks this service alone. */
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

/** Serves the description as a page that people read. Call it after `describeApi`. */
export async function registerDocsPage(app: HttpServer, options: { icon: Buffer }): Promise<void> {
  await app.register(swaggerUi, {
    routePrefix: '/docs',
    staticCSP: policy,
    // Without the bar on top: there is one document, and nothing to choose.
    uiConfig: { layout: 'BaseLayout', displayRequestDuration: true, persistAuthorization: false },
    logo: { type: 'image/svg+xml', content: options.icon },
    theme: {
      title: 'Paylink API',
      favicon: [
        { filename: 'icon.svg', rel: 'icon', type: 'image/svg+xml', sizes: 'any', content: options.icon },
      ],
    },
  });
}
