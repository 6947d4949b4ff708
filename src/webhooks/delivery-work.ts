// Webhook deliveries as a kind of due work: a lane for each endpoint, so that a slow or dead one delays no other.

import { movedTimeOf } from '../base/clock.ts';
import type { LaneLimits, WorkKind } from '../work/work-kind.ts';
import { type ClaimedDelivery, claimDueDeliveries, type DeliverDeps, deliver } from './deliver.ts';
import { dueDeliveries } from './delivery-store.ts';

export type DeliveryWorkDeps = DeliverDeps & {
  /** How many webhooks may be in progress at once. */
  webhookLimits?: LaneLimits;
};

// An endpoint starts with few, and the number doubles with each accepted message. An endpoint whose last attempt failed
// gets one at a time, and all failing ones together get half of the capacity: they may time out after 15 s each, and the
// others keep the rest.
const defaultLimits: LaneLimits = { perNew: 2, perLane: 8, total: 200, failingTotal: 100 };

/** Sends what is due to each endpoint, at once after its event. */
export function createDeliveryWork(deps: DeliveryWorkDeps): WorkKind<ClaimedDelivery> {
  return {
    name: 'webhooks',
    limits: deps.webhookLimits ?? defaultLimits,
    wakesOn: { notifications: ['public_event', 'deliveries_due'], minPollMs: 10 },
    listLanes: async (tx, companyIds) =>
      await dueDeliveries.listLanes(tx, companyIds, movedTimeOf(deps.clock)),
    findNextDue: dueDeliveries.findNextDue,
    claim: async ({ companyId, mode, lane }, limit) =>
      mode === null ? [] : await claimDueDeliveries(deps, { companyId, mode, endpointId: lane, limit }),
    run: async (delivery) => await deliver(deps, delivery),
  };
}
