// Asks anew for what the feed has shown to be old. Nobody caused it, so it must never put off the end of a session, nor
// cut off what a person has asked for.

import { hashKey, type Query, type QueryClient, type QueryKey } from '@tanstack/preact-query';
import type { OperationId } from './call.ts';

/** What is being asked anew, by the hash of its key. */
const underWay = new Set<string>();

/** Whether an answer is asked for because of the feed. */
export const isFeedRefresh = (key: QueryKey): boolean => underWay.has(hashKey(key));

const isGrowing = ({ state }: Query) => state.fetchStatus === 'fetching' && state.fetchMeta?.fetchMore;

async function refreshOne(client: QueryClient, query: Query): Promise<void> {
  const { queryHash, queryKey } = query;
  // To ask anew would throw away the page that is on its way.
  if (isGrowing(query)) await query.promise?.catch(() => undefined);
  underWay.add(queryHash);
  try {
    await client.invalidateQueries({ queryKey, exact: true });
  } finally {
    underWay.delete(queryHash);
  }
}

/** Asks anew for the answers of some operations that are shown, and keeps that the others are old. */
export async function refreshFromFeed(client: QueryClient, ids: readonly OperationId[]): Promise<void> {
  const concerned = client
    .getQueryCache()
    .findAll({ predicate: ({ queryKey }) => ids.includes(queryKey[0] as OperationId) });
  await Promise.all(concerned.map(async (query) => await refreshOne(client, query)));
}
