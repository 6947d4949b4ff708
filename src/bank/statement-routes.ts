// The routes of statements. An upload must not be held in memory as a whole.

import type { FastifyRequest } from 'fastify';
import { errors } from '../base/errors.ts';
import type { TenantTx } from '../db/database.ts';
import { principalOf, type VerifyCredentials } from '../http/authentication.ts';
import type { HttpServer } from '../http/http-server.ts';
import { deriveRequestId } from '../http/idempotency.ts';
import { responses } from '../http/openapi.ts';
import { PageQuery, paginate, parsePage } from '../http/page-query.ts';
import { actorOf } from '../http/roles.ts';
import { describeSecuredRoutes } from '../http/secured-route.ts';
import type { ImportInput } from './import-statement.ts';
import { importAndMatch, type MatchDeps } from './match-lines.ts';
import { presentStatement } from './present-bank.ts';
import { ImportResponse, StatementList, StatementParams, StatementResponse } from './schema.ts';
import { maxFileBytes, type Spool, spoolUpload } from './spool.ts';
import { type BankStatement, countLines, findStatement, type LineStatus, listStatements } from './store.ts';

export type BankRouteDeps = MatchDeps & { verifyCredentials: VerifyCredentials };

const secured = describeSecuredRoutes('bank');

async function presentAll(tx: TenantTx, statements: readonly BankStatement[]): Promise<StatementResponse[]> {
  const counts = await countLines(
    tx,
    statements.map(({ statementId }) => statementId),
  );
  return statements.map((statement) => {
    const own = counts.filter(({ statementId }) => statementId === statement.statementId);
    return presentStatement(
      statement,
      new Map(own.map(({ state, count }): [LineStatus, number] => [state, count])),
    );
  });
}

async function presentOne(tx: TenantTx, statement: BankStatement): Promise<StatementResponse> {
  const [shown] = await presentAll(tx, [statement]);
  if (!shown) throw new Error('a statement has no response');
  return shown;
}

/** Makes a scope accept statements only: the body of a request is a spool, which is closed with its response. */
function useStatements(scope: HttpServer): void {
  scope.removeAllContentTypeParsers();
  const spools = new WeakMap<FastifyRequest, Spool>();
  scope.addContentTypeParser(
    ['application/xml', 'text/xml'],
    async (request: FastifyRequest, payload: NodeJS.ReadableStream) => {
      if ((request.headers['content-encoding'] ?? 'identity') !== 'identity')
        throw errors.unsupportedMediaType({ detail: 'Send the file without a Content-Encoding.' });
      const spool = await spoolUpload(payload as AsyncIterable<Uint8Array>);
      spools.set(request, spool);
      return spool;
    },
  );
  scope.addContentTypeParser('*', (_request, _payload, done) => {
    done(errors.unsupportedMediaType({ detail: 'Send Content-Type: application/xml.' }));
  });
  const endSpool = async (request: FastifyRequest) => await spools.get(request)?.close();
  // The response exists, and nothing reads the file any more. `onResponse` alone would never run for a client that
  // disconnected. It covers a response that could not be built.
  scope.addHook('onSend', endSpool);
  scope.addHook('onResponse', endSpool);
}

async function importAndPresent(deps: BankRouteDeps, order: ImportInput) {
  const { statement, isNew } = await importAndMatch(deps, order);
  const shown = await deps.db.inTenant(order, async (tx) => await presentOne(tx, statement));
  return { ...shown, isNew };
}

function registerImport(scope: HttpServer, deps: BankRouteDeps): void {
  scope.post(
    '/v1/bank-statements',
    {
      ...secured(deps, 'bank:manage', {
        operationId: 'importBankStatement',
        summary: 'Import a bank statement',
        description:
          'The body is a camt.053, camt.054 or camt.052 file (ISO 20022) of at most 100 MiB, exactly as the bank provided it. An envelope of the bank is allowed. The import is all or nothing. Importing the same file again changes nothing.',
        body: { content: { 'application/xml': { schema: {} } } },
        response: responses(ImportResponse, ['statementRefused', 'importInProgress']),
      }),
      bodyLimit: maxFileBytes,
      config: { hasNoTimeBudget: true },
    },
    async (request) => {
      const principal = principalOf(request);
      const { companyId, mode } = principal;
      const file = request.body as Spool | null;
      if (!file) throw errors.statementRefused({ detail: 'The body is empty. Send the file as the body.' });
      const statementId = deriveRequestId(request, 'bst', deps.clock);
      const order = { companyId, mode, statementId, file, createdBy: actorOf(principal) };
      return await importAndPresent(deps, order);
    },
  );
}

export async function registerStatementRoutes(app: HttpServer, deps: BankRouteDeps): Promise<void> {
  const { db } = deps;
  await app.register(async (scope: HttpServer) => {
    useStatements(scope);
    registerImport(scope, deps);
  });

  app.get(
    '/v1/bank-statements',
    secured(deps, 'bank:read', {
      operationId: 'listBankStatements',
      summary: 'List bank statements',
      querystring: PageQuery,
      response: responses(StatementList, ['invalidFields']),
    }),
    async (request) => {
      const { companyId, mode } = principalOf(request);
      const page = parsePage(request.query, ['bank-statements', companyId, mode]);
      const [before = null] = page.place ?? [];
      return await db.inTenant({ companyId, mode }, async (tx) => {
        const rows = await listStatements(tx, { mode, before, limit: page.limit + 1 });
        const { shown, nextCursor } = paginate(rows, page, ({ statementId }) => [statementId]);
        return { data: await presentAll(tx, shown), nextCursor };
      });
    },
  );

  app.get(
    '/v1/bank-statements/:statementId',
    secured(deps, 'bank:read', {
      operationId: 'getBankStatement',
      summary: 'Retrieve a bank statement',
      params: StatementParams,
      response: responses(StatementResponse),
    }),
    async (request) => {
      const { companyId, mode } = principalOf(request);
      return await db.inTenant({ companyId, mode }, async (tx) => {
        const statement = await findStatement(tx, mode, request.params.statementId);
        if (!statement) throw errors.notFound();
        return await presentOne(tx, statement);
      });
    },
  );
}
