// The route of the audit log: all events of a company, newest first.

import { type Static, Type } from 'typebox';
import { runInTestTime } from '../base/clock.ts';
import { encodeCursor } from '../base/cursor.ts';
import { readIdRange } from '../base/id-bound.ts';
import type { Database, TenantTx } from '../db/database.ts';
import { principalOf, requireCredentials, type VerifyCredentials } from '../http/authentication.ts';
import type { HttpServer } from '../http/http-server.ts';
import { problemResponses, securityFor } from '../http/openapi.ts';
import {
  createdRangeOf,
  eitherOf,
  listSchema,
  pageParameters,
  parsePage,
  querySchema,
} from '../http/page-query.ts';
import { checkRight } from '../http/roles.ts';
import { exampleCode, formerName } from '../http/schema-parts.ts';
import { type AuditSource, type AuditTextMatch, listAudit } from './list-audit.ts';
import { requirePaymentId } from './payment-codes.ts';
import { HistoryEntry, historyExample, presentHistory } from './present-event.ts';

export type AuditRouteDeps = { db: Database; verifyCredentials: VerifyCredentials };

const bound = (description: string) =>
  Type.String({ minLength: 1, description: `${description}; RFC 3339`, examples: ['2026-11-20T00:00:00Z'] });
const createdFrom = bound('Events at this time or later');
const createdTo = bound('Events before this time');
const ofPayment = Type.String({
  minLength: 1,
  maxLength: 64,
  description: 'Only events of this payment',
  examples: [exampleCode],
});
// The characters of types and actors: other texts match nothing.
const word = (description: string, example: string) =>
  Type.Optional(
    Type.String({
      maxLength: 80,
      pattern: '^[A-Za-z0-9_.:-]+\\*?$',
      'x-hint': 'This must be a name such as key.created, or the start of one followed by *.',
      description,
      examples: [example],
    }),
  );

const AuditQuery = querySchema({
  type: word('Event type; a * at the end matches any ending', 'key.*'),
  actor: word('Who caused it; a * at the end matches any ending', 'account:*'),
  about: Type.Optional(
    Type.String({
      enum: ['company'],
      description: 'Only events about the company itself: keys, members, logins, settings',
      examples: ['company'],
    }),
  ),
  paymentLinkCode: Type.Optional(ofPayment),
  createdFrom: Type.Optional(createdFrom),
  createdTo: Type.Optional(createdTo),
  PaymentLinkCode: Type.Optional(formerName(ofPayment, 'paymentLinkCode')),
  from: Type.Optional(formerName(createdFrom, 'createdFrom')),
  to: Type.Optional(formerName(createdTo, 'createdTo')),
  ...pageParameters,
});
type AuditQuery = Static<typeof AuditQuery>;

const AuditList = listSchema(HistoryEntry, {
  description: 'Events, public or not, newest first',
  examples: [{ data: [historyExample], nextCursor: null }],
});

const readMatch = (given: string): AuditTextMatch =>
  given.endsWith('*') ? { text: given.slice(0, -1), isPrefix: true } : { text: given, isPrefix: false };

/** Throws `invalid_fields` with every fault that the schema cannot express. */
function readRange(query: AuditQuery, code: string | undefined): { fromId: string; beforeId: string } {
  const isAmbiguous = query.about !== undefined && code !== undefined;
  const detail = '`about` and `paymentLinkCode` cannot be combined: leave one out.';
  return readIdRange(
    'evt',
    createdRangeOf(query),
    isAmbiguous ? [{ field: 'about', code: 'not_allowed', detail }] : [],
  );
}

async function findSource(
  tx: TenantTx,
  { about, code }: { about: AuditQuery['about'] | undefined; code: string | undefined },
): Promise<AuditSource> {
  if (code !== undefined) return { paymentId: await requirePaymentId(tx, code) };
  return about === 'company' ? 'company' : 'all';
}

async function readAudit(deps: AuditRouteDeps, companyId: string, query: AuditQuery) {
  const code = eitherOf(query, 'paymentLinkCode', 'PaymentLinkCode');
  const { fromId, beforeId } = readRange(query, code);
  const { type, actor, about } = query;
  const asked = [type, actor, about, code].map((given) => given ?? null);
  const page = parsePage(query, ['audit-events', companyId, fromId, beforeId, ...asked]);
  const [before = beforeId] = page.place ?? [];
  const filters = {
    ...(type === undefined ? {} : { type: readMatch(type) }),
    ...(actor === undefined ? {} : { actor: readMatch(actor) }),
  };
  const read = async (tx: TenantTx) => {
    const range = { source: await findSource(tx, { about, code }), fromId, beforeId: before };
    const { events, next } = await listAudit(tx, range, { filters, limit: page.limit });
    const nextCursor = next === null ? null : encodeCursor(page.question, [next]);
    return { data: await presentHistory(tx, events), nextCursor };
  };
  // It is about both modes.
  return await runInTestTime(null, async () => await deps.db.inBothModes(companyId, read));
}

/** Registers the route. */
export function registerAuditRoutes(app: HttpServer, deps: AuditRouteDeps): void {
  app.get(
    '/v1/audit-events',
    {
      onRequest: [requireCredentials(deps.verifyCredentials), checkRight('audit:read')],
      schema: {
        security: securityFor('audit:read'),
        tags: ['events'],
        operationId: 'listAuditEvents',
        summary: 'List all events of the company, and who caused them',
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
