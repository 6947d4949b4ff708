// When an endpoint that fails is switched off, whatever comes of its tries at which moment: a model counts along. Each try is
// a real request to a receiver on this machine. On PostgreSQL.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { newId } from '../src/base/ids.ts';
import { appendEvent } from '../src/events/append-event.ts';
import { changeEndpoint, createEndpoint, removeEndpoint } from '../src/webhooks/change-endpoint.ts';
import { claimDueDeliveries, deliver } from '../src/webhooks/deliver.ts';
import { failingLimitMs } from '../src/webhooks/retry-schedule.ts';
import { assertCaught, forgetSuccesses, shiftFailingSince } from './faults/planted-guards.ts';
import { manualClock } from './harness/manual-clock.ts';
import { type Paylink, startPaylink } from './harness/paylink.ts';
import { loopbackSettings } from './harness/webhook-endpoints.ts';
import { type Receiver, startReceiver } from './receiver/receiver.ts';

const dayMs = 24 * 60 * 60 * 1000;
const clock = manualClock(new Date());
let paylink: Paylink;
let receiver: Receiver;
before(async () => {
  paylink = await startPaylink('server', { clock, settings: loopbackSettings, isAtWork: false });
  receiver = await startReceiver();
});
after(async () => {
  await receiver.close();
  await paylink.stop();
});

/** What the receiver does: it takes the message, refuses it, or drops the connection. */
const behaviours = { taken: { status: 204 }, refused: { status: 500 }, dropped: 'reset' } as const;
/** A try some time after the one before, or as far from the end of the five days; or the merchant switches it on again. */
type Step =
  | { act: keyof typeof behaviours; gap: { ms: number } | { fromLimitMs: number } }
  | { act: 'switch on' };

type EndpointHealth = { isEnabled: boolean; failingSince: Date | null; told: number };

/** Opens an endpoint with one delivery, which is tried over and over. */
async function openHook() {
  const { deps } = paylink.app;
  const { companyId, accountId } = paylink.merchant;
  const caller = { companyId, accountId, mode: 'test' as const };
  const endpointId = newId('whe', clock.now());
  const url = receiver.at(endpointId);
  await createEndpoint(deps, caller, { endpointId, url, events: ['payment.created'] });
  await deps.db.inTenant(caller, async (tx) => {
    const event = { type: 'payment.created', isPublic: true, actor: 'test', data: {}, at: clock.now() };
    await appendEvent(tx, event);
  });
  const tryOnce = async (behaviour: keyof typeof behaviours): Promise<boolean> => {
    receiver.at(endpointId, behaviours[behaviour]);
    await deps.db.asOwner.query(
      `update webhook_deliveries set state = 'pending', step = 0, due_at = $2, ended_at = null where endpoint_id = $1`,
      [endpointId, clock.now()],
    );
    const [parcel] = await claimDueDeliveries(deps, { ...caller, endpointId, limit: 1 });
    if (parcel) await deliver(deps, parcel);
    return parcel !== undefined;
  };
  const read = async (): Promise<EndpointHealth> => {
    const [row] = await deps.db.asOwner.query<EndpointHealth>(
      `select is_enabled as "isEnabled", failing_since as "failingSince",
              (select count(*) from events e where e.type = 'webhook_endpoint.disabled'
               and e.data->'endpoint'->>'id' = w.endpoint_id) as told
       from webhook_endpoints w where endpoint_id = $1`,
      [endpointId],
    );
    assert.ok(row);
    return row;
  };
  const member = { ...caller, roles: [], sessionId: '', keyId: '' };
  const switchOn = async () => void (await changeEndpoint(deps, member, { endpointId, status: 'enabled' }));
  const remove = async () => void (await removeEndpoint(deps, member, endpointId));
  return { tryOnce, read, switchOn, remove };
}

/** What the rule says: off at a failure five days or more after the first that no success has followed. */
function createModel() {
  const state = { isEnabled: true, failingSince: null as number | null, told: 0 };
  const fail = (nowMs: number) => {
    state.failingSince ??= nowMs;
    if (nowMs - state.failingSince < failingLimitMs) return;
    state.isEnabled = false;
    state.told += 1;
  };
  const succeed = () => {
    state.failingSince = null;
  };
  const switchOn = () => {
    if (!state.isEnabled) state.failingSince = null;
    state.isEnabled = true;
  };
  return { state, fail, succeed, switchOn };
}

/** Plays steps at an endpoint of its own. Gives how often it was switched off. */
async function play(steps: readonly Step[]): Promise<number> {
  const hook = await openHook();
  const { state, fail, succeed, switchOn } = createModel();
  for (const step of steps) {
    if (step.act === 'switch on') {
      switchOn();
      await hook.switchOn();
    } else {
      const nowMs = clock.now().getTime();
      const limitMs = (state.failingSince ?? nowMs) + failingLimitMs;
      clock.advanceMs('ms' in step.gap ? step.gap.ms : Math.max(0, limitMs + step.gap.fromLimitMs - nowMs));
      assert.equal(await hook.tryOnce(step.act), state.isEnabled, 'only what is on is sent to');
      if (state.isEnabled && step.act === 'taken') succeed();
      else if (state.isEnabled) fail(clock.now().getTime());
    }
    const { failingSince, ...standing } = await hook.read();
    assert.deepEqual({ ...standing, failingSince: failingSince?.getTime() ?? null }, state);
  }
  await hook.remove();
  return state.told;
}

const gaps = fc.oneof(
  { weight: 2, arbitrary: fc.record({ ms: fc.integer({ min: 0, max: 3 * dayMs }) }) },
  { weight: 3, arbitrary: fc.record({ fromLimitMs: fc.constantFrom(-60_000, -1, 0, 1, dayMs) }) },
);
const acts = fc.oneof(
  { weight: 2, arbitrary: fc.constant('taken' as const) },
  { weight: 5, arbitrary: fc.constantFrom('refused' as const, 'dropped' as const) },
);
const steps = fc.array(
  fc.oneof(
    { weight: 7, arbitrary: fc.record({ act: acts, gap: gaps }) },
    { weight: 1, arbitrary: fc.record({ act: fc.constant('switch on' as const) }) },
  ),
  { minLength: 5, maxLength: 20 },
);

/** Holds the rule over many plays. */
async function checkLimit(numRuns: number): Promise<void> {
  let off = 0;
  const property = fc.asyncProperty(steps, async (wanted) => {
    off += await play(wanted);
  });
  await fc.assert(property, { numRuns, endOnFailure: true });
  assert.ok(off > 0, 'endpoints were switched off');
}

test('an endpoint is switched off at a failure five days after the first that no success has followed, told once, and never before', async () => {
  await checkLimit(25);
});

test('five days less a millisecond are no five days', async () => {
  const beginAndTry = (fromLimitMs: number): Step[] => [
    { act: 'refused', gap: { ms: 0 } },
    { act: 'dropped', gap: { fromLimitMs } },
  ];
  assert.equal(await play(beginAndTry(-1)), 0);
  assert.equal(await play(beginAndTry(0)), 1);
});

const faults = {
  'a millisecond before its five days': () => shiftFailingSince(paylink.app.deps.db, 1),
  'a millisecond after its five days': () => shiftFailingSince(paylink.app.deps.db, -1),
  'although a message arrived in between': () => forgetSuccesses(paylink.app.deps.db),
};
for (const [fault, plant] of Object.entries(faults))
  test(`switching an endpoint off ${fault} is caught`, async () => {
    await assertCaught(plant, async () => await checkLimit(25));
  });
