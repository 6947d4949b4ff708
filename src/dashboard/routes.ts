// Serves the merchant's dashboard, a client of the public API and nothing more: no route here knows of an account or
// a company. Every URL below /dashboard returns the same page, which decides what to show. Must not serve anything
// that the build did not make.

import type { FastifyReply, FastifyRequest } from 'fastify';
import { errors } from '../base/errors.ts';
import { sendEncoded } from '../http/content-encoding.ts';
import type { HttpServer } from '../http/http-server.ts';
import { type BuiltDashboard, readBuild } from './built-files.ts';

const usualFolder = new URL('../../web/dist/', import.meta.url);

/** Our own scripts and styles and nothing else. `blob:` is for what the page makes of API responses. */
const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  'frame-src blob:',
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
].join('; ');

const notBuilt =
  'The dashboard has not been built. Start the service with npm start, or run npm run build and start it again.\n';

export function registerDashboardRoutes(
  app: HttpServer,
  { log, folder = usualFolder }: { log: { warn(fields: object, message: string): void }; folder?: URL },
): void {
  let build: BuiltDashboard | null = null;
  // Read at the first request: a process without dashboard visits does not load it.
  const load = (): BuiltDashboard | null => {
    try {
      build ??= readBuild(folder);
    } catch (err) {
      log.warn({ err }, 'the dashboard has not been built');
    }
    return build;
  };
  const schema = { hide: true };
  app.get('/dashboard/assets/:name', { schema }, async (request, reply) => {
    const file = load()?.assets.get((request.params as { name: string }).name);
    if (!file) throw errors.notFound();
    return sendEncoded(request, reply.header('cache-control', 'public, max-age=31536000, immutable'), file);
  });
  const sendPage = async (request: FastifyRequest, reply: FastifyReply) => {
    const page = load()?.page;
    if (!page) return reply.code(503).type('text/plain; charset=utf-8').send(notBuilt);
    // Revalidated at each visit, so that an update of the service updates the page.
    const headers = { 'content-security-policy': policy, 'cache-control': 'no-cache' };
    return sendEncoded(request, reply.headers(headers), page);
  };
  app.get('/dashboard', { schema }, sendPage);
  app.get('/dashboard/*', { schema }, sendPage);
}
