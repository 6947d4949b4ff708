// Follows the feed of events, so that a page shows what happened without being loaded again. It asks in the
// background, never keeps a session alive, and rests while nobody looks at the page. When the service is back after it was away, what
// could not be loaded is asked for again.

import { useQueryClient } from '@tanstack/preact-query';
import { useEffect } from 'preact/hooks';
import { useApi } from './ask.ts';
import type { OperationId } from './call.ts';
import { refreshByFeed } from './refresh.ts';

const waitSeconds = 25;
const pauseAfterFaultMs = 5_000;
/** Where much happens, what is shown is refreshed once in this time, and not with every event. */
const pauseAfterNewsMs = 1_000;
/** A refresh that takes long, as of a list of many pages, is followed by a rest so many times as long. */
const restShare = 4;

/** Answers that an event about a payment, a refund or a mail makes old. */
const concerned: readonly OperationId[] = [
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
    const look = () => {
      if (document.visibilityState !== 'visible') return;
      document.removeEventListener('visibilitychange', look);
      resolve();
    };
    document.addEventListener('visibilitychange', look);
  });
}

/** Refreshes what is shown when something happens, for as long as the component stands. */
export function useFollow(): void {
  const api = useApi();
  const client = useQueryClient();
  useEffect(() => {
    const leaving = new AbortController();
    const { signal } = leaving;
    const refresh = async () => {
      const begun = performance.now();
      await refreshByFeed(client, concerned);
      await pause(Math.max(pauseAfterNewsMs, restShare * (performance.now() - begun)));
    };
    const retryFailed = () =>
      void client.refetchQueries({ type: 'active', predicate: ({ state }) => state.status === 'error' });
    const run = async () => {
      let after = 'latest';
      let wasAway = false;
      while (!signal.aborted) {
        try {
          await untilVisible();
          // After a fault the first answer is wanted at once: it tells that the service is back.
          const wait = after === 'latest' || wasAway ? 0 : waitSeconds;
          const query = { after, wait, limit: 100 };
          const { data, nextCursor } = await api.call(
            'listEvents',
            { query },
            { signal, isBackground: true },
          );
          after = nextCursor;
          if (wasAway) retryFailed();
          wasAway = false;
          if (data.length > 0) await refresh();
        } catch {
          wasAway = true;
          if (!signal.aborted) await pause(pauseAfterFaultMs);
        }
      }
    };
    void run();
    return () => leaving.abort();
  }, [api, client]);
}
