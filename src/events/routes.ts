// Routes for events: the feed of a company, and the timeline of one payment.

import { Type } from 'typebox';
import { invalidCursor } from '../base/cursor.ts';
import type { Keyring } from '../base/keyring.ts';
import type { Database, TenantScope } from '../db/database.ts';
import { principalOf, requireCredentials, type VerifyCredentials } from '../http/authentication.ts';
import type { HttpServer } from '../http/http-server.ts';
import { problemResponses, securityFor } from '../http/openapi.ts';
import {
  listSchema,
  PageQuery,
  pageParameters,
  paginate,
  parseLimit,
  parsePage,
  querySchema,
} from '../http/page-query.ts';
import { paymentScopeOf } from '../http/payment-scope.ts';
import { checkRight, type Right } from '../http/roles.ts';
import { LinkCodeParams } from '../http/schema-parts.ts';
import { createFeedCursors, type FeedCursors } from './feed-cursor.ts';
import { openFeed } from './follow-feed.ts';
import { type FeedPosition, listPaymentEvents } from './list-events.ts';
import { requirePaymentId } from './payment-codes.ts';
import {
  EventResponse,
  eventExample,
  HistoryEntry,
  historyExample,
  presentHistory,
} from './present-event.ts';

export type EventRouteDeps = {
  db: Database;
  keyring: Keyring;
  /** Whether the process is stopping: then no request may wait. */
  isStopping: () => boolean;
  verifyCredentials: VerifyCredentials;
};

const common = { tags: ['events'] };

const FeedQuery = querySchema({
  after: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'The nextCursor of the previous call; latest for the current end',
    }),
  ),
  limit: pageParameters.limit,
  wait: Type.Optional(
    Type.String({
      pattern: '^([0-9]|[12][0-9]|30)$',
      'x-hint': 'This must be a whole number of seconds from 0 to 30.',
      description: 'Seconds to wait for a new event, 0 to 30; default: 0',
      examples: ['20'],
    }),
  ),
});
const FeedPage = Type.Object(
  {
    data: Type.Array(EventResponse),
    nextCursor: Type.String({ description: 'Pass it as after to continue; always present' }),
  },
  {
    title: 'EventFeed',
    description: 'Public events, oldest first',
    examples: [{ data: [eventExample], nextCursor: 'NzUxIGV2dF8wMW03d2Yzd3N3YXZ5d2VzemcxdjRlOW1ubg' }],
  },
);
const Timeline = listSchema(HistoryEntry, {
  description: 'All events of the payment, its attempts and its refunds, oldest first',
  examples: [{ data: [historyExample], nextCursor: null }],
});

/** Registers the routes. */
export function registerEventRoutes(app: HttpServer, deps: EventRouteDeps): void {
  const allow = (right: Right) => [requireCredentials(deps.verifyCredentials), checkRight(right)];
  registerFeedRoute(app, deps, allow('events:read'));
  app.get(
    '/v1/payments/:code/events',
    {
      onRequest: allow('payments:read'),
      schema: {
        ...common,
        security: securityFor('payments:read'),
        operationId: 'listPaymentEvents',
        summary: 'List the events of a payment, and who caused them',
        params: LinkCodeParams,
        querystring: PageQuery,
        response: {
          200: Timeline,
          ...problemResponses(['roleNotAllowed', 'paymentNotFound', 'invalidFields']),
        },
      },
    },
    async (request) => {
      const payment = paymentScopeOf(principalOf(request), request.params.code);
      return await readTimeline(deps, { ...payment, query: request.query });
    },
  );
}

type TimelineRequest = TenantScope & { code: string; query: PageQuery };

async function readTimeline(deps: EventRouteDeps, request: TimelineRequest) {
  const page = parsePage(request.query, ['payment-events', request.companyId, request.code], 2);
  const cursors = createFeedCursors(deps.keyring);
  const after = toPosition(cursors, request.companyId, page.place);
  return await deps.db.inTenant(request, async (tx) => {
    const paymentId = await requirePaymentId(tx, request.code);
    const found = await listPaymentEvents(tx, paymentId, { after, limit: page.limit + 1 });
    const { shown, nextCursor } = paginate(found, page, (event) => [
      '',
      cursors.encode(request.companyId, event),
    ]);
    return { data: await presentHistory(tx, shown), nextCursor };
  });
}

/** The position in a cursor: encrypted after an empty part, or in the former plain text. */
function toPosition(
  cursors: FeedCursors,
  companyId: string,
  parts: readonly string[] | null,
): FeedPosition | null {
  if (parts === null) return null;
  const [xact = '', eventId = ''] = parts;
  if (/^\d{1,19}$/.test(xact)) return { xact, eventId };
  const position = xact === '' ? cursors.decode(companyId, eventId) : null;
  if (!position) throw invalidCursor();
  return position;
}

function registerFeedRoute(
  app: HttpServer,
  deps: EventRouteDeps,
  onRequest: ReturnType<typeof requireCredentials>[],
): void {
  const feed = openFeed(deps);
  app.get(
    '/v1/events',
    {
      onRequest,
      schema: {
        ...common,
        security: securityFor('events:read'),
        operationId: 'listEvents',
        summary: 'Follow the public events',
        querystring: FeedQuery,
        response: {
          200: FeedPage,
          ...problemResponses(['roleNotAllowed', 'invalidFields', 'rateLimited', 'unavailable']),
        },
      },
    },
    async (request, reply) => {
      const { companyId, mode } = principalOf(request);
      const { after = null, limit, wait = '0' } = request.query;
      return await feed.follow({
        companyId,
        mode,
        after,
        limit: parseLimit(limit),
        waitMs: Number(wait) * 1000,
        isGone: () => reply.raw.destroyed,
      });
    },
  );
}
