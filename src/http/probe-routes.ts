// Routes for operators' tools: is the process alive, is it ready, and what does a problem type mean.

import { Type } from 'typebox';
import { errorCatalogue, errors } from '../base/errors.ts';
import { isReadOnlyError } from '../db/connection.ts';
import type { Database } from '../db/database.ts';
import type { HttpServer } from './http-server.ts';
import { responses } from './openapi.ts';

const Status = (status: string) =>
  Type.Object({ status: Type.String() }, { title: 'Health', description: 'It is', examples: [{ status }] });

const Entry = Type.Object(
  {
    code: Type.String({ description: 'What a program branches on' }),
    status: Type.Integer({ description: 'The HTTP status' }),
    title: Type.String({ description: 'The problem in a few words' }),
    detail: Type.String({ description: 'What to do about it, in general' }),
  },
  {
    title: 'ProblemType',
    description: 'The entry of the catalogue',
    examples: [errorCatalogue.orderConflict],
  },
);

/** Registers `/healthz`, `/readyz` and the addresses that problem documents use as `type`. */
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
        description: 'It only checks the process itself.',
        response: { 200: Status('ok') },
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
        summary: 'Whether the process takes traffic',
        description:
          'It does when it is not stopping and its database answers within 2 seconds and takes writes; otherwise 503.',
        response: { 200: Status('ready') },
      },
    },
    async () => {
      const refuse = (detail: string, cause?: unknown) =>
        errors.unavailable({ detail, headers: { 'retry-after': '2' }, ...(cause ? { cause } : {}) });
      if (deps.isStopping()) throw refuse('The process is stopping.');
      await deps.db.ping().catch((cause: unknown) => {
        const isReadOnly = cause instanceof Error && isReadOnlyError(cause);
        throw refuse(
          isReadOnly
            ? 'The database takes no writes: it is a standby, or is set to read only.'
            : 'The database does not answer.',
          cause,
        );
      });
      return { status: 'ready' };
    },
  );
  registerProblemRoute(app);
}

function registerProblemRoute(app: HttpServer): void {
  app.get(
    '/problems/:code',
    {
      schema: {
        operationId: 'getProblem',
        tags: ['operations'],
        summary: 'What a code of a problem document means',
        description: 'The address that problem documents name as their type.',
        params: Type.Object({
          code: Type.String({ description: 'The code of a problem', examples: ['order_conflict'] }),
        }),
        response: responses(Entry, ['notFound']),
      },
    },
    async (request) => {
      const entry = Object.values(errorCatalogue).find(({ code }) => code === request.params.code);
      if (!entry) throw errors.notFound();
      return entry;
    },
  );
}
