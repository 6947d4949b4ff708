// When a failing endpoint is disabled: random attempts compared with a model. Each attempt is a real request to a local
// receiver.

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
const clock = manualClock();
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

/** What the receiver does: accepts the message, refuses it, or drops the connection. */
const behaviours = { taken: { status: 204 }, refused: { status: 500 }, dropped: 'reset' } as const;
/** An attempt some time after the previous one, or at an offset from the end of the five days; or the merchant enables it. */
type Step =
  | { act: keyof typeof behaviours; gap: { ms: number } | { fromLimitMs: number } }
  | { act: 'switch on' };

type EndpointHealth = { isEnabled: boolean; failingSince: Date | null; notifications: number };

/** Opens an endpoint with one delivery, which is attempted repeatedly. */
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
  const attemptOnce = async (behaviour: keyof typeof behaviours): Promise<boolean> => {
    receiver.at(endpointId, behaviours[behaviour]);
    await deps.db.asOwner.query(
      `update webhook_deliveries set state = 'pending', step = 0, due_at = $2, ended_at = null where endpoint_id = $1`,
      [endpointId, clock.now()],
    );
    const [delivery] = await claimDueDeliveries(deps, { ...caller, endpointId, limit: 1 });
    if (delivery) await deliver(deps, delivery);
    return delivery !== undefined;
  };
  const read = async (): Promise<EndpointHealth> => {
    const [row] = await deps.db.asOwner.query<EndpointHealth>(
      `select is_enabled as "isEnabled", failing_since as "failingSince",
              (select count(*) from events e where e.type = 'webhook_endpoint.disabled'
               and e.data->'endpoint'->>'id' = w.endpoint_id) as notifications
       from webhook_endpoints w where endpoint_id = $1`,
      [endpointId],
    );
    assert.ok(row);
    return row;
  };
  const member = { ...caller, roles: [], sessionId: '', keyId: '' };
  const switchOn = async () => void (await changeEndpoint(deps, member, { endpointId, status: 'enabled' }));
  const remove = async () => void (await removeEndpoint(deps, member, endpointId));
  return { attemptOnce, read, switchOn, remove };
}

/** The rule: disabled at a failure at least five days after the first failure since the last success. */
function createModel() {
  const state = { isEnabled: true, failingSince: null as number | null, notifications: 0 };
  const fail = (nowMs: number) => {
    state.failingSince ??= nowMs;
    if (nowMs - state.failingSince < failingLimitMs) return;
    state.isEnabled = false;
    state.notifications += 1;
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

/** Runs steps with a new endpoint. Returns how often it was disabled. */
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
      assert.equal(await hook.attemptOnce(step.act), state.isEnabled, 'only an enabled endpoint is sent to');
      if (state.isEnabled && step.act === 'taken') succeed();
      else if (state.isEnabled) fail(clock.now().getTime());
    }
    const { failingSince, ...health } = await hook.read();
    assert.deepEqual({ ...health, failingSince: failingSince?.getTime() ?? null }, state);
  }
  await hook.remove();
  return state.notifications;
}

const gaps = fc.oneof(
  { weight: 2, arbitrary: fc.record({ ms: fc.integer({ min: 0, max: 3 * dayMs }) }) },
  { weight: 3, arbitrary: fc.record({ fromLimitMs: fc.constantFrom(-60_000, -1, 0, 1, dayMs) }) },
);
const acts = fc.oneof(
  { weight: 2, arbitrary: fc.constant('taken' as const) },
  { weight: 5, arbitrary: fc.constantFrom('refused' as const, 'dropped' as const) },
);
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 7, arbitrary: fc.record({ act: acts, gap: gaps }) },
    { weight: 1, arbitrary: fc.record({ act: fc.constant('switch on' as const) }) },
  ),
  { minLength: 5, maxLength: 20 },
);

/** A millisecond before the five days, at their end, and a success: random runs may have none of them. */
const sure: Step[] = [
  { act: 'refused', gap: { ms: 0 } },
  { act: 'dropped', gap: { fromLimitMs: -1 } },
  { act: 'refused', gap: { fromLimitMs: 0 } },
  { act: 'switch on' },
  { act: 'refused', gap: { ms: dayMs } },
  { act: 'taken', gap: { ms: dayMs } },
];

/** Checks the rule over many random runs. */
async function checkLimit(numRuns: number): Promise<void> {
  let off = 0;
  const property = fc.asyncProperty(steps, async (wanted) => {
    off += await play(wanted);
  });
  await fc.assert(property, { numRuns: numRuns + 1, endOnFailure: true, examples: [[sure]] });
  assert.ok(off > 0, 'endpoints were disabled');
}

test('an endpoint is disabled at a failure five days after the first failure without a success, with one event, and never earlier', async () => {
  await checkLimit(25);
});

test('an endpoint is not disabled one millisecond before the five days', async () => {
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
  test(`disabling an endpoint ${fault} is detected`, async () => {
    await assertCaught(plant, async () => await checkLimit(25));
  });
