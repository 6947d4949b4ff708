// What an operator's tools ask: is the process alive, is it ready for traffic, what is this problem.

import { Type } from 'typebox';
import { errorCatalogue, errors } from '../base/errors.ts';
import type { Database } from '../db/database.ts';
import { problemResponses } from './openapi.ts';
import type { HttpServer } from './server.ts';

const Status = Type.Object({ status: Type.String() }, { description: 'It is' });

/** Registers `/healthz`, `/readyz` and the addresses that problem documents name as their `type`. */
export function registerProbeRoutes(
  app: HttpServer,
  deps: { db: Database; isStopping: () => boolean },
): void {
  app.get(
    '/healthz',
    {
      config: { logged: false },
      schema: {
        operationId: 'getHealth',
        tags: ['operations'],
        summary: 'Whether the process is alive',
        response: { 200: Status },
      },
    },
    async () => ({ status: 'ok' }),
  );
  app.get(
    '/readyz',
    {
      config: { logged: false },
      schema: {
        operationId: 'getReadiness',
        tags: ['operations'],
        summary: 'Whether the process takes traffic: not stopping, and its database answers',
        response: { 200: Status, ...problemResponses([503]) },
      },
    },
    async () => {
      const refuse = (detail: string, cause?: unknown) =>
        errors.unavailable({ detail, headers: { 'retry-after': '2' }, ...(cause ? { cause } : {}) });
      if (deps.isStopping()) throw refuse('The process is stopping.');
      await deps.db.ping().catch((cause: unknown) => {
        throw refuse('The database does not answer.', cause);
      });
      return { status: 'ready' };
    },
  );
  app.get('/problems/:code', { schema: { hide: true } }, async (request) => {
    const { code } = request.params as { code: string };
    const entry = Object.values(errorCatalogue).find((candidate) => candidate.code === code);
    if (!entry) throw errors.notFound();
    return entry;
  });
}
