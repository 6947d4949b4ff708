// Deliveries and their endpoints: expired leases, the schedule of a resent delivery, the order of sending, and the reason
// why an endpoint is disabled. Each attempt is a real request to a local receiver.

import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import fc from 'fast-check';
import { movedTimeOf } from '../../src/base/clock.ts';
import { newId } from '../../src/base/ids.ts';
import { appendEvent } from '../../src/events/append-event.ts';
import type { Principal } from '../../src/http/authentication.ts';
import { createEndpoint } from '../../src/webhooks/change-endpoint.ts';
import { claimDueDeliveries, deliver } from '../../src/webhooks/deliver.ts';
import { retryDelaysMs } from '../../src/webhooks/retry-schedule.ts';
import { jitter } from '../../src/work/backoff.ts';
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

const deliverFile = 'src/webhooks/deliver.ts';
const changeFile = 'src/webhooks/change-endpoint.ts';
const resendFile = 'src/webhooks/resend.ts';
const store = 'src/webhooks/delivery-store.ts';
// Texts of src/work/due-rows.ts.
const order = `order by due_at, \${id} limit $4`;
const isDue = `and due_at <= \${businessTime(sql\`$3\`)}`;
const count = `set \${token} = \${token} + 1, `;

/** What the receiver does with a request. */
const behaviours = {
  taken: { status: 204 },
  refused: { status: 500 },
  gone: { status: 410 },
  dropped: 'reset',
} as const;
type Response = keyof typeof behaviours;
const responses = Object.keys(behaviours) as Response[];

/** An endpoint of a new company, with this many pending events. */
async function openEndpoint(events: number) {
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
  const respond = (response: Response) => receiver.at(endpointId, behaviours[response]);
  const claim = async (limit = 1) => await claimDueDeliveries(deps, { ...scope, endpointId, limit });
  return { deps, scope, caller, endpointId, query, respond, claim };
}
type TestHook = Awaited<ReturnType<typeof openEndpoint>>;

/** The status of an endpoint and its only delivery, without random times, and the number of attempts. */
async function statusOf({ query, endpointId }: TestHook) {
  const [endpoint] = await query(
    `select is_enabled, off_reason, failing_since, (select count(*) from events e
       where e.type = 'webhook_endpoint.disabled' and e.data->'endpoint'->>'id' = $1) as notifications
     from webhook_endpoints where endpoint_id = $1`,
  );
  const [delivery] = await query(
    'select state, step, ended_at, leased_until from webhook_deliveries where endpoint_id = $1',
  );
  const attempts = await query(
    `select status from webhook_tries join webhook_deliveries using (company_id, delivery_id)
     where endpoint_id = $1 order by try_id`,
  );
  assert.ok(endpoint && delivery, endpointId);
  return { ...endpoint, ...delivery, attempts: attempts.length };
}

guarantee<typeof import('../../src/webhooks/deliver.ts')>(
  'after a lease expires, only the later claim changes the delivery and its endpoint',
  deliverFile,
  async (module) => {
    const check = async (late: Response, own: Response, isLateFirst: boolean) => {
      const [hook, control] = [await openEndpoint(1), await openEndpoint(1)];
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
      for (const delivery of order) {
        hook.respond(delivery === first ? late : own);
        await module.deliver(hook.deps, delivery);
      }
      control.respond(own);
      await deliver(control.deps, alone);
      const { attempts, ...status } = await statusOf(hook);
      const { attempts: _one, ...expected } = await statusOf(control);
      assert.deepEqual(status, expected, `${late} ${isLateFirst ? 'before' : 'after'} ${own}`);
      assert.equal(attempts, 2, 'each attempt is recorded');
    };
    for (const late of responses)
      for (const own of responses)
        for (const isLateFirst of [true, false]) await check(late, own, isLateFirst);
  },
  {
    [deliverFile]: {
      'if (!hasLease) return;': { 'a claim with an expired lease changes the endpoint': '' },
      '    await insertDeliveryAttempt(tx, delivery.deliveryId': {
        'an attempt with an expired lease is not recorded':
          '    if (hasLease) await insertDeliveryAttempt(tx, delivery.deliveryId',
      },
    },
    [store]: {
      'and lease_token = $3 and': { 'any later token is accepted': 'and lease_token >= $3 and' },
    },
    'src/work/due-rows.ts': {
      [count]: { 'both claims have the same token': 'set ' },
    },
  },
);

guarantee<typeof import('../../src/webhooks/resend.ts')>(
  'a resent delivery is due immediately and restarts its schedule, whatever its number of attempts',
  resendFile,
  async ({ resendOne, resendSince }) => {
    const check = async (step: number, isAll: boolean) => {
      const hook = await openEndpoint(1);
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
        assert.ok(claimed, `attempt ${place + 1} after step ${step}`);
        hook.respond('refused');
        await deliver(deps, claimed);
        // Failures for days would disable the endpoint.
        await hook.query('update webhook_endpoints set failing_since = null where endpoint_id = $1');
        const [now] = await hook.query(
          'select state, due_at as due from webhook_deliveries where endpoint_id = $1',
        );
        assert.equal(now?.state, pauseMs === null ? 'failed' : 'pending');
        if (pauseMs === null) return;
        const waitMs = (now.due as Date).getTime() - clock.now().getTime();
        assert.ok(Math.abs(waitMs - pauseMs) <= pauseMs * jitter, `${waitMs} ms after attempt ${place + 1}`);
        clock.advanceMs(waitMs);
      }
    };
    for (const step of [1, 5, retryDelaysMs.length])
      for (const isAll of [false, true]) await check(step, isAll);
  },
  {
    [store]: {
      'step = 0, due_at = least($3, statement_timestamp())': {
        'one delivery continues its schedule': 'due_at = least($3, statement_timestamp())',
        'one delivery keeps a later due time': 'step = 0, due_at = greatest(due_at, $3)',
      },
      'step = 0, due_at = least($4, statement_timestamp())': {
        'all deliveries continue their schedules': 'due_at = least($4, statement_timestamp())',
      },
    },
  },
);

guarantee<typeof import('../../src/webhooks/delivery-store.ts')>(
  'the delivery that has waited longest is sent first, and none before it is due',
  store,
  async ({ dueDeliveries }) => {
    const hook = await openEndpoint(8);
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
      const wanted = { lane: endpointId, limit, leaseSeconds: 60, at: movedTimeOf(clock) };
      for (let from = 0; from <= due.length; from += limit) {
        const claims = await hook.deps.db.inTenant(
          hook.scope,
          async (tx) => await dueDeliveries.claim(tx, wanted),
        );
        const got = claims.map(({ deliveryId }) => deliveryId).toSorted();
        assert.deepEqual(got, due.slice(from, from + limit).toSorted());
      }
    });
    await fc.assert(proof, { numRuns: 8, endOnFailure: true });
  },
  {
    'src/work/due-rows.ts': {
      [order]: {
        'the latest is first': `order by due_at desc, \${id} limit $4`,
        'they are sent in order of creation': `order by \${id} limit $4`,
      },
      [isDue]: {
        'deliveries that are not due are sent': 'and $3::float8 is not null',
      },
    },
  },
);

guarantee<typeof import('../../src/webhooks/change-endpoint.ts')>(
  'the reason of a disabled endpoint is kept until it is enabled, whatever else changes',
  changeFile,
  async ({ changeEndpoint }) => {
    const changes = [
      { description: 'Shop' },
      { events: ['payment.paid'] },
      { status: 'disabled' as const },
      { status: 'disabled' as const, description: null },
    ];
    for (const reason of [null, 'switched_off', 'gone', 'failing'] as const) {
      const hook = await openEndpoint(0);
      const { deps, caller, endpointId } = hook;
      await hook.query(
        'update webhook_endpoints set is_enabled = $2, off_reason = $3 where endpoint_id = $1',
        ...[reason === null, reason],
      );
      for (const change of changes) {
        const expected = reason ?? (change.status ? 'switched_off' : null);
        const { isEnabled, offReason } = await changeEndpoint(deps, caller, { endpointId, ...change });
        assert.deepEqual([isEnabled, offReason], [expected === null, expected], JSON.stringify(change));
        if (reason === null) await changeEndpoint(deps, caller, { endpointId, status: 'enabled' });
      }
      const on = await changeEndpoint(deps, caller, { endpointId, status: 'enabled' });
      assert.deepEqual([on.isEnabled, on.offReason], [true, null]);
    }
  },
  {
    [changeFile]: {
      "(existing.offReason ?? 'switched_off')": {
        'any change sets the reason to switched_off': "'switched_off'",
      },
      'status === undefined ? existing.isEnabled': {
        'a change without a status enables it': 'status === undefined ? true',
      },
      'const offReason = isEnabled ? null :': {
        'an enabled endpoint keeps its reason': 'const offReason = isEnabled && !existing.offReason ? null :',
      },
    },
  },
);
