// The audit log: everything that happened in a company, newest first, for those who are responsible for it.

import { type Static, Type } from 'typebox';
import { encodeCursor } from '../base/cursor.ts';
import { errors, type FieldError } from '../base/errors.ts';
import { readIdBound } from '../base/id-bound.ts';
import { companyOfLinkCode, firstIdAt } from '../base/ids.ts';
import type { Database, TenantTx } from '../db/database.ts';
import { principalOf, requireCredentials, type VerifyCredentials } from '../http/authentication.ts';
import type { HttpServer } from '../http/http-server.ts';
import { problemResponses, security } from '../http/openapi.ts';
import { listSchema, pageParameters, parsePage, querySchema } from '../http/page-query.ts';
import { checkRight } from '../http/roles.ts';
import { exampleCode } from '../http/schema-parts.ts';
import { type AuditSource, type AuditTextMatch, listAudit } from './list-audit.ts';
import { findPaymentId } from './payment-codes.ts';
import { HistoryEntry, historyExample, presentHistory } from './present-event.ts';

export type AuditRouteDeps = { db: Database; verifyCredentials: VerifyCredentials };

const moment = (description: string) =>
  Type.Optional(Type.String({ minLength: 1, description, examples: ['2026-11-20T00:00:00Z'] }));
// The characters of types and actors: other texts match nothing.
const word = (description: string, example: string) =>
  Type.Optional(
    Type.String({
      maxLength: 80,
      pattern: '^[A-Za-z0-9_.:-]+\\*?$',
      'x-hint': 'This must be a name such as key.created, or the beginning of one with a * at its end.',
      description,
      examples: [example],
    }),
  );

const AuditQuery = querySchema({
  type: word('What happened; with a * at the end, all that begin so', 'key.*'),
  actor: word('Who did it; with a * at the end, all that begin so', 'account:*'),
  about: Type.Optional(
    Type.String({
      enum: ['company'],
      description: 'Only what is of no payment: keys, people, sign-ins, settings',
      examples: ['company'],
    }),
  ),
  PaymentLinkCode: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 64,
      description: 'Only what happened to this payment',
      examples: [exampleCode],
    }),
  ),
  from: moment('Events of this moment and later; RFC 3339'),
  to: moment('Events before this moment; RFC 3339'),
  ...pageParameters,
});
type AuditQuery = Static<typeof AuditQuery>;

const AuditList = listSchema(HistoryEntry, {
  description: 'Events, public or not, newest first',
  examples: [{ data: [historyExample], nextCursor: null }],
});

/** Greater than every event ID: the largest time that an ID can hold. */
const afterAllIds = firstIdAt('evt', new Date(2 ** 50 - 1));

function readMatch(given: string): AuditTextMatch {
  return given.endsWith('*')
    ? { text: given.slice(0, -1), isPrefix: true }
    : { text: given, isPrefix: false };
}

/** Throws `invalid_fields` with every fault that the schema cannot express. */
function readRange(query: AuditQuery): { from: string; below: string } {
  const faults: FieldError[] = [];
  const from = readIdBound('evt', 'from', query.from, faults) ?? '';
  const below = readIdBound('evt', 'to', query.to, faults) ?? afterAllIds;
  if (query.about !== undefined && query.PaymentLinkCode !== undefined) {
    const detail = 'What happened to a payment is about it: leave one of the two out.';
    faults.push({ field: 'about', code: 'not_allowed', detail });
  }
  if (faults.length > 0) throw errors.invalidFields({ errors: faults });
  return { from, below };
}

async function findSource(
  tx: TenantTx,
  { about, PaymentLinkCode: code }: Pick<AuditQuery, 'about' | 'PaymentLinkCode'>,
): Promise<AuditSource> {
  if (code === undefined) return about === 'company' ? 'company' : 'all';
  const paymentId = companyOfLinkCode(code) === tx.companyId ? await findPaymentId(tx, code) : null;
  if (paymentId === null) throw errors.paymentNotFound();
  return { paymentId };
}

async function readAudit(deps: AuditRouteDeps, companyId: string, query: AuditQuery) {
  const { from, below } = readRange(query);
  const { type, actor, about, PaymentLinkCode } = query;
  const asked = [type, actor, about, PaymentLinkCode].map((given) => given ?? null);
  const page = parsePage(query, ['audit-events', companyId, from, below, ...asked]);
  const [before = below] = page.place ?? [];
  const filters = {
    ...(type === undefined ? {} : { type: readMatch(type) }),
    ...(actor === undefined ? {} : { actor: readMatch(actor) }),
  };
  return await deps.db.inBothModes(companyId, async (tx) => {
    const walk = { source: await findSource(tx, query), from, below: before };
    const { events, next } = await listAudit(tx, walk, { filters, limit: page.limit });
    const nextCursor = next === null ? null : encodeCursor(page.question, [next]);
    return { data: await presentHistory(tx, events), nextCursor };
  });
}

/** Registers the route. */
export function registerAuditRoutes(app: HttpServer, deps: AuditRouteDeps): void {
  app.get(
    '/v1/audit-events',
    {
      onRequest: [requireCredentials(deps.verifyCredentials), checkRight('audit:read')],
      schema: {
        security,
        tags: ['events'],
        operationId: 'listAuditEvents',
        summary: 'Everything that happened to the company, and who did it',
        querystring: AuditQuery,
        response: {
          200: AuditList,
          ...problemResponses(['roleNotAllowed', 'paymentNotFound', 'invalidFields']),
        },
      },
    },
    async (request) => await readAudit(deps, principalOf(request).companyId, request.query),
  );
}
