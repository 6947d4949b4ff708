// However endpoints fail and recover, a sweep tries all that is due, and no more requests are under way than the bounds say:
// in all, and to endpoints whose last try failed. Each try is a real request to a receiver on this machine.

import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { newId } from '../../src/base/ids.ts';
import { appendEvent } from '../../src/events/append-event.ts';
import { createEndpoint } from '../../src/webhooks/change-endpoint.ts';
import { manualClock } from '../harness/manual-clock.ts';
import { type Paylink, startPaylink } from '../harness/paylink.ts';
import { loopbackSettings } from '../harness/webhook-endpoints.ts';
import { type Receiver, startReceiver } from '../receiver/receiver.ts';
import { guarantee } from './plant.ts';

const clock = manualClock(new Date());
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

const file = 'src/webhooks/dispatch.ts';
const lanes = 'src/webhooks/endpoint-queues.ts';
type Module = typeof import('../../src/webhooks/dispatch.ts');

const endpoints = 5;
const limits = { perNew: 2, perEndpoint: 2, total: 4, failingTotal: 2 };
/** Which endpoints refuse what comes, and how many events there are. */
type Round = { refuses: boolean[]; events: number };

/** Counts what is under way at the receiver, in all and of the first requests to endpoints that fail. */
function createWatch() {
  const most = { total: 0, failing: 0 };
  let failing = new Set<string>();
  let inAll = 0;
  let ofFailing = 0;
  return {
    most,
    begin: (failingNow: ReadonlySet<string>) => {
      failing = new Set(failingNow);
    },
    hold: async (endpointId: string) => {
      const isFirstOfFailing = failing.delete(endpointId);
      inAll += 1;
      if (isFirstOfFailing) ofFailing += 1;
      most.total = Math.max(most.total, inAll);
      most.failing = Math.max(most.failing, ofFailing);
      await sleep(5);
      inAll -= 1;
      if (isFirstOfFailing) ofFailing -= 1;
    },
  };
}

/** A company with endpoints, which is sent events in rounds by one dispatcher. */
async function openShop({ openDispatcher }: Module) {
  const { deps } = paylink.app;
  const { companyId, accountId } = await paylink.createMerchant();
  const caller = { companyId, accountId, mode: 'test' as const };
  const { query } = deps.db.asOwner;
  const ids = Array.from({ length: endpoints }, () => newId('whe', clock.now()));
  for (const endpointId of ids) {
    const url = receiver.at(endpointId);
    await createEndpoint(deps, caller, { endpointId, url, events: ['payment.created'] });
  }
  const watch = createWatch();
  const dispatcher = openDispatcher(deps, limits);
  const play = async ({ refuses, events }: Round): Promise<void> => {
    for (const [place, endpointId] of ids.entries())
      receiver.at(endpointId, {
        status: refuses[place] ? 500 : 204,
        after: async () => await watch.hold(endpointId),
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
    watch.begin(new Set(failing.map(({ id }) => id)));
    await dispatcher.sweep();
  };
  const countDue = async () => {
    const text = `select count(*) as count from webhook_deliveries
                  where company_id = $1 and state = 'pending' and due_at <= $2`;
    const [row] = await query<{ count: number }>(text, [companyId, clock.now()]);
    return row?.count;
  };
  return { play, countDue, most: watch.most };
}

const rounds: fc.Arbitrary<Round> = fc.record({
  refuses: fc.array(fc.boolean(), { minLength: endpoints, maxLength: endpoints }),
  events: fc.integer({ min: 1, max: 2 }),
});
const all = (refuse: boolean): Round => ({ refuses: Array(endpoints).fill(refuse), events: 2 });

guarantee<Module>(
  'a sweep tries all that is due within its bounds, however endpoints fail and recover',
  file,
  async (module) => {
    const proof = fc.asyncProperty(fc.array(rounds, { minLength: 2, maxLength: 3 }), async (walk) => {
      const { play, countDue, most } = await openShop(module);
      for (const round of walk) {
        await play(round);
        assert.equal(await countDue(), 0, 'nothing that is due was left');
      }
      assert.ok(most.total <= limits.total, `${most.total} requests at once`);
      assert.ok(most.failing <= limits.failingTotal, `${most.failing} requests at once to what fails`);
    });
    const examples: [Round[]][] = [[[all(true), all(false), all(true)]]];
    await fc.assert(proof, { numRuns: 3, examples, endOnFailure: true });
  },
  [
    {
      fault: 'a request is counted out by how its endpoint stands when it ends',
      file: lanes,
      from: `    changeInFlight(state, queue, { by: -1, isFailing });
    startClaiming`,
      to: `    changeInFlight(state, queue, { by: -1, isFailing: queue.isFailing });
    startClaiming`,
    },
    {
      fault: 'places that were taken and not used are not given back',
      file: lanes,
      from: 'changeInFlight(state, queue, { by: deliveries.length - limit, isFailing });',
      to: 'changeInFlight(state, queue, { by: 0, isFailing });',
    },
    {
      fault: 'what fails may take every place',
      file: lanes,
      from: 'queue.isFailing ? limits.failingTotal - state.failingUnderWay : own',
      to: 'own',
    },
    {
      fault: 'the places in all are not counted',
      file: lanes,
      from: 'Math.min(own, limits.total - state.underWay, failing)',
      to: 'Math.min(own, failing)',
    },
  ],
);
