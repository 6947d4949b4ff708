// A sweep attempts every due delivery, whatever endpoints fail and recover, and keeps the limits of concurrent requests: in
// total, and to failing endpoints. Each attempt is a real request to a local receiver.

import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { newId } from '../../src/base/ids.ts';
import { appendEvent } from '../../src/events/append-event.ts';
import { createEndpoint } from '../../src/webhooks/change-endpoint.ts';
import { createDeliveryWork } from '../../src/webhooks/delivery-work.ts';
import type { WorkKind } from '../../src/work/work-kind.ts';
import { manualClock } from '../harness/manual-clock.ts';
import { type Paylink, startPaylink } from '../harness/paylink.ts';
import { loopbackSettings } from '../harness/webhook-endpoints.ts';
import { type Receiver, startReceiver } from '../receiver/receiver.ts';
import { guarantee } from './plant.ts';

const clock = manualClock();
let paylink: Paylink;
let receiver: Receiver;
before(async () => {
  const options = { clock, settings: loopbackSettings, isAtWork: false, isSearched: false };
  paylink = await startPaylink('server', options);
  receiver = await startReceiver();
});
after(async () => {
  await receiver.close();
  await paylink.stop();
});

const file = 'src/work/worker.ts';
const lanes = 'src/work/lanes.ts';
type Module = typeof import('../../src/work/worker.ts');

const endpoints = 5;
const limits = { perNew: 2, perLane: 2, total: 4, failingTotal: 2 };
/** Which endpoints refuse requests, and the number of events. */
type Round = { refuses: boolean[]; events: number };

/** Counts concurrent requests at the receiver, in total and first requests to failing endpoints. */
function createMonitor() {
  const most = { total: 0, failing: 0 };
  let failing = new Set<string>();
  let total = 0;
  let ofFailing = 0;
  return {
    most,
    begin: (failingNow: ReadonlySet<string>) => {
      failing = new Set(failingNow);
    },
    hold: async (endpointId: string) => {
      const isFirstOfFailing = failing.delete(endpointId);
      total += 1;
      if (isFirstOfFailing) ofFailing += 1;
      most.total = Math.max(most.total, total);
      most.failing = Math.max(most.failing, ofFailing);
      await sleep(5);
      total -= 1;
      if (isFirstOfFailing) ofFailing -= 1;
    },
  };
}

/** A company with endpoints. One worker sends their events in rounds. */
async function openShop({ openWorker }: Module) {
  const { deps } = paylink.app;
  const { companyId, accountId } = await paylink.createMerchant();
  const caller = { companyId, accountId, mode: 'test' as const };
  const { query } = deps.db.asOwner;
  const ids = Array.from({ length: endpoints }, () => newId('whe', clock.now()));
  for (const endpointId of ids) {
    const url = receiver.at(endpointId);
    await createEndpoint(deps, caller, { endpointId, url, events: ['payment.created'] });
  }
  const monitor = createMonitor();
  const work = createDeliveryWork({ ...deps, webhookLimits: limits });
  const worker = openWorker(deps, [work as WorkKind<never>]);
  const play = async ({ refuses, events }: Round): Promise<void> => {
    for (const [place, endpointId] of ids.entries())
      receiver.at(endpointId, {
        status: refuses[place] ? 500 : 204,
        after: async () => await monitor.hold(endpointId),
      });
    clock.advanceMs(1_000);
    await deps.db.inTenant(caller, async (tx) => {
      const event = { type: 'payment.created', isPublic: true, actor: 'test', data: {}, at: clock.now() };
      for (let made = 0; made < events; made++) await appendEvent(tx, event);
    });
    const due = `update webhook_deliveries set due_at = $2 where company_id = $1 and state = 'pending'`;
    await query(due, [companyId, clock.now()]);
    const failing = await query<{ id: string }>(
      'select endpoint_id as id from webhook_endpoints where company_id = $1 and failing_since is not null',
      [companyId],
    );
    monitor.begin(new Set(failing.map(({ id }) => id)));
    await worker.sweep('webhooks');
  };
  const countDue = async () => {
    const text = `select count(*) as count from webhook_deliveries
                  where company_id = $1 and state = 'pending' and due_at <= $2`;
    const [row] = await query<{ count: number }>(text, [companyId, clock.now()]);
    return row?.count;
  };
  return { play, countDue, most: monitor.most };
}

const rounds: fc.Arbitrary<Round> = fc.record({
  refuses: fc.array(fc.boolean(), { minLength: endpoints, maxLength: endpoints }),
  events: fc.integer({ min: 1, max: 2 }),
});
const all = (refuse: boolean): Round => ({ refuses: Array(endpoints).fill(refuse), events: 2 });

guarantee<Module>(
  'a sweep attempts every due delivery within its limits, whatever endpoints fail and recover',
  file,
  async (module) => {
    const proof = fc.asyncProperty(fc.array(rounds, { minLength: 2, maxLength: 3 }), async (walk) => {
      const { play, countDue, most } = await openShop(module);
      for (const round of walk) {
        await play(round);
        assert.equal(await countDue(), 0, 'no due delivery is left');
      }
      assert.ok(most.total <= limits.total, `${most.total} concurrent requests`);
      assert.ok(
        most.failing <= limits.failingTotal,
        `${most.failing} concurrent requests to failing endpoints`,
      );
    });
    const examples: [Round[]][] = [[[all(true), all(false), all(true)]]];
    await fc.assert(proof, { numRuns: 3, examples, endOnFailure: true });
  },
  {
    [lanes]: {
      '  changeUnderWay(state, queue, { by: -1, isFailing });': {
        'the end of a request is counted by the new status of its endpoint':
          '  changeUnderWay(state, queue, { by: -1, isFailing: queue.isFailing });',
      },
      'changeUnderWay(state, queue, { by: items.length - limit, isFailing });': {
        'unused capacity is not released': 'changeUnderWay(state, queue, { by: 0, isFailing });',
      },
      'queue.isFailing ? limits.failingTotal - state.failingUnderWay : own': {
        'failing endpoints may use all capacity': 'own',
      },
      'Math.min(own, limits.total - state.underWay, failing)': {
        'the total is not limited': 'Math.min(own, failing)',
      },
    },
  },
);
