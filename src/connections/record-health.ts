// The circuit breaker of a connection. It changes which methods are offered, never the outcome of an attempt.

import type { Clock } from '../base/clock.ts';
import type { Database, TenantScope } from '../db/database.ts';
import { countFailure, resetFailures } from './store.ts';

/** How many failures in a row open the circuit, and for how long. */
const failureThreshold = 3;
const downMs = 60_000;

/** Records whether a processor responded. True when this opened the circuit. */
export async function recordHealth(
  deps: { db: Database; clock: Clock },
  seen: TenantScope & { connectionId: string | null; isUp: boolean },
): Promise<boolean> {
  const { connectionId, isUp } = seen;
  if (connectionId === null) return false;
  const openUntil = new Date(deps.clock.now().getTime() + downMs);
  return await deps.db.inTenant(seen, async (tx) => {
    if (isUp) {
      await resetFailures(tx, connectionId);
      return false;
    }
    const counted = await countFailure(tx, connectionId, { threshold: failureThreshold, openUntil });
    return counted.failures === failureThreshold;
  });
}
