// Reads the request log of a company in one mode, newest first. Must not: read more than a bounded number of rows.

import { encodeCursor } from '../base/cursor.ts';
import { readIdRange } from '../base/id-bound.ts';
import type { Database, TenantScope } from '../db/database.ts';
import { createdRangeOf, parsePage } from '../http/page-query.ts';
import type { ApiRequest, ApiRequestDetails, ApiRequestQuery } from './schema.ts';
import {
  type CallFilters,
  findCall,
  findScanEnd,
  type LoggedRequest,
  listCalls,
  type StatusRange,
} from './store.ts';

function presentRequest({ at, client, isReplay, logId: _, ...call }: LoggedRequest): ApiRequest {
  return { ...call, createdAt: at.toISOString(), clientAddress: client, idempotentReplayed: isReplay };
}

function readStatus(text: string): StatusRange {
  if (!text.endsWith('xx')) return { from: Number(text), to: Number(text) };
  const first = Number(text[0]) * 100;
  return { from: first, to: first + 99 };
}

function readFilters({ status, method, path, keyId }: ApiRequestQuery): CallFilters {
  return {
    ...(status === undefined ? {} : { status: readStatus(status) }),
    ...(method === undefined ? {} : { method }),
    ...(path === undefined ? {} : { pathPrefix: path }),
    ...(keyId === undefined ? {} : { keyId }),
  };
}

export type RequestPage = { data: ApiRequest[]; nextCursor: string | null };

/**
 * A page of the log. With selective filters it may have fewer than `limit` entries, or none, although more pages follow.
 */
export async function listRequests(
  db: Database,
  scope: TenantScope,
  query: ApiRequestQuery,
): Promise<RequestPage> {
  const { fromId, beforeId } = readIdRange('rql', createdRangeOf(query));
  const { status, method, path, keyId, requestId = null } = query;
  const asked = [status, method, path, keyId, requestId].map((given) => given ?? null);
  const page = parsePage(query, ['requests', scope.companyId, scope.mode, fromId, beforeId, ...asked]);
  const [before = beforeId] = page.place ?? [];
  const filters = readFilters(query);
  // The calls with one request ID are few.
  const isScan = Object.keys(filters).length > 0 && requestId === null;
  const range = { fromId, beforeId: before, requestId };
  return await db.inTenant(
    scope,
    async (tx) => {
      // Find the end first: calls that are written between the two statements are after it, or on this page.
      const end = isScan ? await findScanEnd(tx, range) : null;
      const found = await listCalls(tx, { ...range, fromId: end ?? fromId }, { filters, limit: page.limit });
      const shown = found.slice(0, page.limit);
      const last = found.length > page.limit ? shown.at(-1)?.logId : (end ?? undefined);
      return {
        data: shown.map(presentRequest),
        nextCursor: last === undefined ? null : encodeCursor(page.question, [last]),
      };
    },
    // Those of one ID are sorted, which must not cost more than reading them.
    { prefersIndexScans: requestId === null },
  );
}

/** The last call with a request ID, with its bodies; null if there is none. */
export async function readRequest(
  db: Database,
  scope: TenantScope,
  requestId: string,
): Promise<ApiRequestDetails | null> {
  const call = await db.inTenant(scope, async (tx) => await findCall(tx, requestId));
  if (!call) return null;
  const { requestBody, responseBody, ...request } = call;
  return { ...presentRequest(request), requestBody, responseBody };
}
