// Follows the event feed, so that a page shows changes without a reload. It polls in the background, does not extend a
// session, and pauses while the page is hidden. When the service is back after an outage, failed queries are repeated.

import { useQueryClient } from '@tanstack/preact-query';
import { useEffect } from 'preact/hooks';
import type { OperationId } from './call.ts';
import { useApi } from './queries.ts';
import { refreshFromFeed } from './refresh.ts';

const waitSeconds = 25;
const pauseAfterErrorMs = 5_000;
/** With many events, invalidates once in this time, and not with every event. */
const pauseAfterEventsMs = 1_000;
/** After a slow refresh, such as a list of many pages, pauses for this many times its duration. */
const pauseFactor = 4;

/** Operations whose data an event about a payment, a refund or an email makes stale. */
const affectedOperations: readonly OperationId[] = [
  'getOverview',
  'listPayments',
  'getPayment',
  'listPaymentEvents',
  'listPaymentDeliveries',
  'listRefunds',
  'listCases',
  'listWebhookDeliveries',
  'listBalances',
  'listLedgerEntries',
];

const pause = async (ms: number) => await new Promise((resolve) => setTimeout(resolve, ms));

async function untilVisible(): Promise<void> {
  if (document.visibilityState === 'visible') return;
  await new Promise<void>((resolve) => {
    const check = () => {
      if (document.visibilityState !== 'visible') return;
      document.removeEventListener('visibilitychange', check);
      resolve();
    };
    document.addEventListener('visibilitychange', check);
  });
}

/** Refreshes the shown data after events, while the component is mounted. */
export function useEventFeed(): void {
  const api = useApi();
  const client = useQueryClient();
  useEffect(() => {
    const leaving = new AbortController();
    const { signal } = leaving;
    const refresh = async () => {
      const startedAt = performance.now();
      await refreshFromFeed(client, affectedOperations);
      await pause(Math.max(pauseAfterEventsMs, pauseFactor * (performance.now() - startedAt)));
    };
    const retryFailed = () =>
      void client.refetchQueries({ type: 'active', predicate: ({ state }) => state.status === 'error' });
    const run = async () => {
      let after = 'latest';
      let wasUnreachable = false;
      while (!signal.aborted) {
        try {
          await untilVisible();
          // After an error the first response is wanted at once: it shows that the service is back.
          const wait = after === 'latest' || wasUnreachable ? 0 : waitSeconds;
          const query = { after, wait, limit: 100 };
          const { data, nextCursor } = await api.call(
            'listEvents',
            { query },
            { signal, isBackground: true },
          );
          after = nextCursor;
          if (wasUnreachable) retryFailed();
          wasUnreachable = false;
          if (data.length > 0) await refresh();
        } catch {
          wasUnreachable = true;
          if (!signal.aborted) await pause(pauseAfterErrorMs);
        }
      }
    };
    void run();
    return () => leaving.abort();
  }, [api, client]);
}
