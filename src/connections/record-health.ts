// The circuit of a connection: after failures in a row its processor counts as down for a while, for every
// process. It changes what is offered first, and never what is known of an attempt.

import type { Clock } from '../base/clock.ts';
import type { Database, TenantScope } from '../db/database.ts';
import { countFailure, resetFailures } from './store.ts';

/** How many failures in a row are borne before a processor counts as down, and for how long. */
const failureThreshold = 3;
const downMs = 60_000;

/** Notes whether a processor answered. True when its circuit opened by this. */
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
    const counted = await countFailure(tx, connectionId, { borne: failureThreshold, openUntil });
    return counted.failures === failureThreshold;
  });
}
