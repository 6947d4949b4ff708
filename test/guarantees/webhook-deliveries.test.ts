// What becomes of a delivery and its endpoint: whose word counts when a lease has run out, where the schedule of a delivery
// that is sent again begins, what is sent first, and why an endpoint is off. Each try is a real request to a receiver on this
// machine. On real PostgreSQL.

import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import fc from 'fast-check';
import { newId } from '../../src/base/ids.ts';
import { appendEvent } from '../../src/events/append-event.ts';
import type { Principal } from '../../src/http/authentication.ts';
import { createEndpoint } from '../../src/webhooks/change-endpoint.ts';
import { claimDueDeliveries, deliver } from '../../src/webhooks/deliver.ts';
import { jitter, retryDelaysMs } from '../../src/webhooks/retry-schedule.ts';
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

const deliverFile = 'src/webhooks/deliver.ts';
const changeFile = 'src/webhooks/change-endpoint.ts';
const resendFile = 'src/webhooks/resend.ts';
const store = 'src/webhooks/delivery-store.ts';

/** What the receiver does with a try. */
const behaviours = {
  taken: { status: 204 },
  refused: { status: 500 },
  gone: { status: 410 },
  dropped: 'reset',
} as const;
type Word = keyof typeof behaviours;
const words = Object.keys(behaviours) as Word[];

/** An endpoint of a company of its own, and so many events that it waits for. */
async function openHook(events: number) {
  const { deps } = paylink.app;
  const { companyId, accountId } = await paylink.createMerchant();
  const scope = { companyId, mode: 'test' as const };
  const caller: Principal = { ...scope, accountId, roles: ['owner'], sessionId: '', keyId: null };
  const endpointId = newId('whe', clock.now());
  await createEndpoint(deps, caller, {
    endpointId,
    url: receiver.at(endpointId),
    events: ['payment.created'],
  });
  const query = async (text: string, ...more: unknown[]) =>
    await deps.db.asOwner.query<Record<string, unknown>>(text, [endpointId, ...more]);
  const append = async () =>
    await deps.db.inTenant(scope, async (tx) => {
      const event = { type: 'payment.created', isPublic: true, actor: 'test', data: {}, at: clock.now() };
      await appendEvent(tx, event);
    });
  for (let made = 0; made < events; made++) await append();
  const say = (word: Word) => receiver.at(endpointId, behaviours[word]);
  const claim = async (limit = 1) => await claimDueDeliveries(deps, { ...scope, endpointId, limit });
  return { deps, scope, caller, endpointId, query, say, claim };
}
type Hook = Awaited<ReturnType<typeof openHook>>;

/** How an endpoint and its one delivery stand; without the dice of the schedule, and the tries as their statuses. */
async function statusOf({ query, endpointId }: Hook) {
  const [endpoint] = await query(
    `select is_enabled, off_reason, failing_since, (select count(*) from events e
       where e.type = 'webhook_endpoint.disabled' and e.data->'endpoint'->>'id' = $1) as told
     from webhook_endpoints where endpoint_id = $1`,
  );
  const [delivery] = await query(
    'select state, step, ended_at, leased_until from webhook_deliveries where endpoint_id = $1',
  );
  const tries = await query(
    `select status from webhook_tries join webhook_deliveries using (company_id, delivery_id)
     where endpoint_id = $1 order by try_id`,
  );
  assert.ok(endpoint && delivery, endpointId);
  return { ...endpoint, ...delivery, tries: tries.length };
}

guarantee<typeof import('../../src/webhooks/deliver.ts')>(
  'of two who had the lease of a delivery, the word of the later one alone counts, for the delivery and for its endpoint',
  deliverFile,
  async (module) => {
    const check = async (late: Word, own: Word, isLateFirst: boolean) => {
      const [hook, control] = [await openHook(1), await openHook(1)];
      const [first] = await module.claimDueDeliveries(hook.deps, {
        ...hook.scope,
        endpointId: hook.endpointId,
        limit: 1,
      });
      await hook.query(
        `update webhook_deliveries set leased_until = clock_timestamp() - interval '1 second' where endpoint_id = $1`,
      );
      const [second] = await module.claimDueDeliveries(hook.deps, {
        ...hook.scope,
        endpointId: hook.endpointId,
        limit: 1,
      });
      const [alone] = await control.claim();
      assert.ok(first && second && alone);
      const order = isLateFirst ? ([first, second] as const) : ([second, first] as const);
      for (const claimed of order) {
        hook.say(claimed === first ? late : own);
        await module.deliver(hook.deps, claimed);
      }
      control.say(own);
      await deliver(control.deps, alone);
      const { tries, ...current } = await statusOf(hook);
      const { tries: _one, ...expected } = await statusOf(control);
      assert.deepEqual(current, expected, `${late} ${isLateFirst ? 'before' : 'after'} ${own}`);
      assert.equal(tries, 2, 'each try is kept');
    };
    for (const late of words)
      for (const own of words) for (const isLateFirst of [true, false]) await check(late, own, isLateFirst);
  },
  [
    {
      fault: 'the endpoint is judged by who lost the lease, too',
      ...{ file: deliverFile, from: 'if (!hasLease) return;', to: '' },
    },
    {
      fault: 'both have the same token',
      ...{ file: store, from: ', lease_token = lease_token + 1\n', to: '\n' },
    },
    {
      fault: 'any token is good',
      ...{ file: store, from: 'and lease_token = $3 and', to: 'and lease_token >= $3 and' },
    },
    {
      fault: 'a try of who lost the lease is not kept',
      ...{
        file: deliverFile,
        from: '    await insertDeliveryAttempt(tx, delivery.deliveryId',
        to: '    if (isOurs) await insertDeliveryAttempt(tx, delivery.deliveryId',
      },
    },
  ],
);

guarantee<typeof import('../../src/webhooks/resend.ts')>(
  'a delivery that is sent again is due at once and has its whole schedule before it, however often it was tried',
  resendFile,
  async ({ resendOne, resendSince }) => {
    const check = async (step: number, isAll: boolean) => {
      const hook = await openHook(1);
      const isOver = isAll || step === retryDelaysMs.length;
      await hook.query(
        `update webhook_deliveries set step = $2, tries = $2, state = $3, due_at = $4, ended_at = $5 where endpoint_id = $1`,
        ...[step, isOver ? 'failed' : 'pending', new Date(clock.now().getTime() + 60_000)],
        isOver ? clock.now() : null,
      );
      clock.advanceMs(1_000);
      const [delivery] = await hook.query(
        'select delivery_id as id from webhook_deliveries where endpoint_id = $1',
      );
      const { deps, caller, endpointId } = hook;
      if (isAll) assert.equal(await resendSince(deps, caller, { endpointId, since: new Date(0) }), 1);
      else await resendOne(deps, caller, String(delivery?.id));
      for (const [place, pauseMs] of [...retryDelaysMs.slice(1), null].entries()) {
        const [claimed] = await hook.claim();
        assert.ok(claimed, `try ${place + 1} after step ${step}`);
        hook.say('refused');
        await deliver(deps, claimed);
        // A failure of days would switch the endpoint off.
        await hook.query('update webhook_endpoints set failing_since = null where endpoint_id = $1');
        const [now] = await hook.query(
          'select state, due_at as due from webhook_deliveries where endpoint_id = $1',
        );
        assert.equal(now?.state, pauseMs === null ? 'failed' : 'pending');
        if (pauseMs === null) return;
        const waitMs = (now.due as Date).getTime() - clock.now().getTime();
        assert.ok(Math.abs(waitMs - pauseMs) <= pauseMs * jitter, `${waitMs} ms after try ${place + 1}`);
        clock.advanceMs(waitMs);
      }
    };
    for (const step of [1, 5, retryDelaysMs.length])
      for (const isAll of [false, true]) await check(step, isAll);
  },
  [
    {
      fault: 'one goes on where its schedule was',
      file: store,
      from: `step = 0, due_at = $3, ended_at = null
     where company_id = $1 and delivery_id = $2`,
      to: `due_at = $3, ended_at = null
     where company_id = $1 and delivery_id = $2`,
    },
    {
      fault: 'all go on where their schedules were',
      ...{ file: store, from: 'step = 0, due_at = $4', to: 'due_at = $4' },
    },
    {
      fault: 'one waits until it was due anyway',
      ...{ file: store, from: 'step = 0, due_at = $3', to: 'step = 0, due_at = greatest(due_at, $3)' },
    },
  ],
);

guarantee<typeof import('../../src/webhooks/delivery-store.ts')>(
  'what has waited longest is sent first, and nothing before it is due',
  store,
  async ({ claimDeliveries }) => {
    const hook = await openHook(8);
    const look = async () =>
      await hook.query(
        `select delivery_id as id, due_at as due from webhook_deliveries where endpoint_id = $1 order by due_at, delivery_id`,
      );
    const ids = (await look()).map(({ id }) => id);
    const waits = fc.array(fc.integer({ min: -5, max: 60 }), { minLength: 8, maxLength: 8 });
    const proof = fc.asyncProperty(waits, fc.integer({ min: 1, max: 4 }), async (minutes, limit) => {
      const now = clock.now();
      for (const [place, id] of ids.entries())
        await hook.query(
          `update webhook_deliveries set due_at = $3, leased_until = null where endpoint_id = $1 and delivery_id = $2`,
          ...[id, new Date(now.getTime() - (minutes[place] ?? 0) * 60_000)],
        );
      const due = (await look()).filter((row) => (row.due as Date) <= now).map(({ id }) => id);
      const { endpointId } = hook;
      const wanted = { endpointId, now, limit, leaseSeconds: 60 };
      for (let from = 0; from <= due.length; from += limit) {
        const claims = await hook.deps.db.inTenant(
          hook.scope,
          async (tx) => await claimDeliveries(tx, wanted),
        );
        const got = claims.map(({ deliveryId }) => deliveryId).toSorted();
        assert.deepEqual(got, due.slice(from, from + limit).toSorted());
      }
    });
    await fc.assert(proof, { numRuns: 8, endOnFailure: true });
  },
  [
    {
      fault: 'the last comes first',
      ...{
        file: store,
        from: 'order by due_at, delivery_id limit $4',
        to: 'order by due_at desc, delivery_id limit $4',
      },
    },
    {
      fault: 'they come in the order in which they were made',
      ...{ file: store, from: 'order by due_at, delivery_id limit $4', to: 'order by delivery_id limit $4' },
    },
    {
      fault: 'what is not due comes, too',
      ...{
        file: store,
        from: "state = 'pending' and due_at <= $3\n",
        to: "state = 'pending' and $3::timestamptz is not null\n",
      },
    },
  ],
);

guarantee<typeof import('../../src/webhooks/change-endpoint.ts')>(
  'why an endpoint is off stands until it is on again, whatever else is changed',
  changeFile,
  async ({ changeEndpoint }) => {
    const changes = [
      { description: 'Shop' },
      { events: ['payment.paid'] },
      { status: 'disabled' as const },
      { status: 'disabled' as const, description: null },
    ];
    for (const reason of [null, 'switched_off', 'gone', 'failing'] as const) {
      const hook = await openHook(0);
      const { deps, caller, endpointId } = hook;
      await hook.query(
        'update webhook_endpoints set is_enabled = $2, off_reason = $3 where endpoint_id = $1',
        ...[reason === null, reason],
      );
      for (const change of changes) {
        const stood = reason ?? (change.status ? 'switched_off' : null);
        const { isEnabled, offReason } = await changeEndpoint(deps, caller, { endpointId, ...change });
        assert.deepEqual([isEnabled, offReason], [stood === null, stood], JSON.stringify(change));
        if (reason === null) await changeEndpoint(deps, caller, { endpointId, status: 'enabled' });
      }
      const on = await changeEndpoint(deps, caller, { endpointId, status: 'enabled' });
      assert.deepEqual([on.isEnabled, on.offReason], [true, null]);
    }
  },
  [
    {
      fault: 'any change is as if the merchant had switched it off',
      ...{ file: changeFile, from: "(existing.offReason ?? 'switched_off')", to: "'switched_off'" },
    },
    {
      fault: 'a change that says nothing of it switches it on',
      ...{
        file: changeFile,
        from: 'status === undefined ? existing.isEnabled',
        to: 'status === undefined ? true',
      },
    },
    {
      fault: 'one that is on again keeps why it was off',
      ...{
        file: changeFile,
        from: 'const offReason = isEnabled ? null :',
        to: 'const offReason = isEnabled && !existing.offReason ? null :',
      },
    },
  ],
);
