// The pause after ten wrong logins, in any order and at any time, compared with a model. On PostgreSQL.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { ApiError } from '../src/base/errors.ts';
import { randomBase32 } from '../src/base/ids.ts';
import { clearLoginFailures, countLoginAttempt, type LoginSource } from '../src/passwords/login-pause.ts';
import { assertCaught, countRefusedLogins, shiftPause } from './faults/planted-guards.ts';
import { manualClock } from './harness/manual-clock.ts';
import { type Paylink, startPaylink } from './harness/paylink.ts';

const windowMs = 30 * 60 * 1000;
const failuresToPause = 10;

const clock = manualClock();
let paylink: Paylink;
before(async () => {
  paylink = await startPaylink('server', { clock, isAtWork: false });
});
after(async () => await paylink.stop());

/** Who logs in: a stranger at one of two addresses, a session of the account, or someone who knows the password. */
const kinds = ['stranger', 'session', 'factor'] as const;
type Kind = (typeof kinds)[number];
/** An attempt after the previous one: some time later, or at an offset from the end of the pause. */
type Attempt = { gap: { ms: number } | { fromEndMs: number }; place: number; isRight: boolean };

function guesserOf(account: string, kind: Kind, place: number): LoginSource {
  if (kind === 'stranger') return { account, clients: [`address-${account}-${place}`] };
  if (kind === 'session') return { account, clients: [], session: `session-${place}` };
  return { account, clients: [], isCounterShared: true };
}

/** The rule: failures by the counter that counts them, and the addresses that have logged in. */
function createModel(kind: Kind) {
  const failures = new Map<string, number[]>();
  const known = new Set<number>();
  const counterOf = (place: number) =>
    kind === 'factor' || (kind === 'stranger' && !known.has(place)) ? 'anybody' : `own-${place}`;
  const ofCounter = (place: number) => failures.get(counterOf(place)) ?? [];
  /** The end of the pause that an attempt now would meet; null without a pause. */
  const pauseEnd = (place: number, nowMs: number): number | null => {
    const counting = ofCounter(place).filter((at) => at > nowMs - windowMs);
    const tenth = counting.toSorted((a, b) => b - a)[failuresToPause - 1];
    return tenth === undefined ? null : tenth + windowMs;
  };
  const fail = (place: number, nowMs: number) =>
    void failures.set(counterOf(place), [...ofCounter(place), nowMs]);
  const succeed = (place: number) => {
    if (counterOf(place) !== 'anybody' || kind === 'factor') failures.delete(counterOf(place));
    if (kind === 'stranger') known.add(place);
  };
  return { pauseEnd, fail, succeed };
}

/** All stored rows about logins, with their physical locations, so that an update without a change is detected, too. */
async function readKept(): Promise<unknown> {
  const { db } = paylink.app.deps;
  return [
    await db.asOwner.query(
      'select *, xmin::text as xmin, ctid::text as ctid from login_failures order by ctid',
    ),
    await db.asOwner.query(
      'select *, xmin::text as xmin, ctid::text as ctid from known_clients order by ctid',
    ),
  ];
}

/** The seconds that a refusal says to wait; null for an attempt that is not refused. */
async function attempt(guesser: LoginSource, isRight: boolean): Promise<number | null> {
  const { deps } = paylink.app;
  try {
    const spent = await countLoginAttempt(deps, guesser, clock.now());
    if (isRight) await clearLoginFailures(deps, spent);
    return null;
  } catch (error) {
    assert.ok(error instanceof ApiError, String(error));
    assert.equal(error.code, 'login_paused');
    return Number(error.headers['retry-after']);
  }
}

const gaps = fc.oneof(
  { weight: 4, arbitrary: fc.record({ ms: fc.constantFrom(0, 1, 1_000, 60_000) }) },
  { weight: 1, arbitrary: fc.record({ ms: fc.integer({ min: 0, max: windowMs }) }) },
  { weight: 3, arbitrary: fc.record({ fromEndMs: fc.constantFrom(-60_000, -1_000, -1, 0, 1) }) },
);
const attempts = fc.array(
  fc.record({
    gap: gaps,
    place: fc.nat(1),
    isRight: fc.nat(14).map((dice) => dice === 0),
  }),
  { minLength: 20, maxLength: 45 },
);

/** Plays attempts at a separate account. Returns how many a pause refused. */
async function play(kind: Kind, wanted: readonly Attempt[]): Promise<number> {
  const account = `${kind}-${randomBase32(10)}`;
  const model = createModel(kind);
  let refused = 0;
  for (const { gap, place, isRight } of wanted) {
    const end = model.pauseEnd(place, clock.now().getTime());
    const gapMs = 'ms' in gap ? gap.ms : end === null ? 0 : end + gap.fromEndMs - clock.now().getTime();
    clock.advanceMs(Math.max(0, gapMs));
    const nowMs = clock.now().getTime();
    const pausedUntil = model.pauseEnd(place, nowMs);
    const kept = pausedUntil === null ? null : await readKept();
    const waitSeconds = await attempt(guesserOf(account, kind, place), isRight);
    if (pausedUntil === null) {
      assert.equal(waitSeconds, null, 'an attempt that no pause refuses');
      if (isRight) model.succeed(place);
      else model.fail(place, nowMs);
      continue;
    }
    refused += 1;
    assert.equal(waitSeconds, Math.max(1, Math.ceil((pausedUntil - nowMs) / 1000)), 'how long to wait');
    assert.deepEqual(await readKept(), kept, 'a refused attempt writes nothing');
  }
  return refused;
}

/** Forty consecutive failures, so that some attempts of every run meet a pause. */
const flood: Attempt[] = Array.from({ length: 40 }, () => ({ gap: { ms: 0 }, place: 0, isRight: false }));

/** Checks the rule over many random runs. */
async function checkPauses(numRuns: number): Promise<void> {
  let refused = 0;
  const property = fc.asyncProperty(fc.constantFrom(...kinds), attempts, async (kind, wanted) => {
    refused += await play(kind, wanted);
  });
  await fc.assert(property, { numRuns, endOnFailure: true, examples: kinds.map((kind) => [kind, flood]) });
  assert.ok(refused > numRuns, 'pauses were met');
}

test('a pause starts at the tenth failure within 30 minutes and ends 30 minutes after it; refused attempts change nothing', async () => {
  await checkPauses(15);
});

test('refused attempts do not move the end of a pause, to the millisecond', async () => {
  const account = `account-${randomBase32(10)}`;
  const guesser = guesserOf(account, 'stranger', 0);
  for (let failure = 0; failure < failuresToPause; failure++)
    assert.equal(await attempt(guesser, false), null);
  for (let minute = 29; minute >= 0; minute--) {
    clock.advanceMs(60_000 - (minute === 0 ? 1 : 0));
    assert.equal(await attempt(guesser, true), Math.max(1, minute * 60));
  }
  clock.advanceMs(1);
  assert.equal(await attempt(guesser, true), null);
});

const faults = {
  'that counts what it refuses': () => countRefusedLogins(paylink.app.deps.db),
  'that begins one failure later': () => shiftPause(paylink.app.deps.db, 1),
  'that begins one failure sooner': () => shiftPause(paylink.app.deps.db, -1),
};
for (const [fault, plant] of Object.entries(faults))
  test(`a pause ${fault} is detected`, async () => {
    await assertCaught(plant, async () => await checkPauses(25));
  });
