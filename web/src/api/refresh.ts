// Refreshes the data that the feed has marked as stale. No person caused it, so it must not extend the session, nor
// cancel a query that a person started.

import { hashKey, type Query, type QueryClient, type QueryKey } from '@tanstack/preact-query';
import type { OperationId } from './call.ts';

/** The queries being refreshed, by the hash of their keys. */
const refreshing = new Set<string>();

export const isFeedRefresh = (key: QueryKey): boolean => refreshing.has(hashKey(key));

const isGrowing = ({ state }: Query) => state.fetchStatus === 'fetching' && state.fetchMeta?.fetchMore;

async function refreshOne(client: QueryClient, query: Query): Promise<void> {
  const { queryHash, queryKey } = query;
  // A refresh now would discard the page that is loading.
  if (isGrowing(query)) await query.promise?.catch(() => undefined);
  refreshing.add(queryHash);
  try {
    await client.invalidateQueries({ queryKey, exact: true });
  } finally {
    refreshing.delete(queryHash);
  }
}

/** Refreshes the visible queries of some operations, and marks the others as stale. */
export async function refreshFromFeed(client: QueryClient, ids: readonly OperationId[]): Promise<void> {
  const affected = client
    .getQueryCache()
    .findAll({ predicate: ({ queryKey }) => ids.includes(queryKey[0] as OperationId) });
  await Promise.all(affected.map(async (query) => await refreshOne(client, query)));
}
