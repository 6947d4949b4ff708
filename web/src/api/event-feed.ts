// Follows the feed of events, so that a page shows what happened without being loaded again. It asks in the
// background, never keeps a session alive, and rests while nobody looks at the page. When the service is back after it was away, what
// could not be loaded is asked for again.

import { useQueryClient } from '@tanstack/preact-query';
import { useEffect } from 'preact/hooks';
import type { OperationId } from './call.ts';
import { useApi } from './queries.ts';
import { refreshFromFeed } from './refresh.ts';

const waitSeconds = 25;
const pauseAfterErrorMs = 5_000;
/** Where much happens, what is shown is refreshed once in this time, and not with every event. */
const pauseAfterEventsMs = 1_000;
/** A refresh that takes long, as of a list of many pages, is followed by a rest so many times as long. */
const pauseFactor = 4;

/** Answers that an event about a payment, a refund or a mail makes old. */
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

/** Refreshes what is shown when something happens, for as long as the component stands. */
export function useEventFeed(): void {
  const api = useApi();
  const client = useQueryClient();
  useEffect(() => {
    const leaving = new AbortController();
    const { signal } = leaving;
    const refresh = async () => {
      const begun = performance.now();
      await refreshFromFeed(client, affectedOperations);
      await pause(Math.max(pauseAfterEventsMs, pauseFactor * (performance.now() - begun)));
    };
    const retryFailed = () =>
      void client.refetchQueries({ type: 'active', predicate: ({ state }) => state.status === 'error' });
    const run = async () => {
      let after = 'latest';
      let wasUnreachable = false;
      while (!signal.aborted) {
        try {
          await untilVisible();
          // After a fault the first answer is wanted at once: it tells that the service is back.
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
