// A cookie works in live mode only while its company has a live key that is good: a model of the keys counts along, whatever
// is made, rolled and revoked, and however much time passes. On real PostgreSQL.

import assert from 'node:assert/strict';
import { after, before } from 'node:test';
import fc from 'fast-check';
import { createApiKey } from '../../src/api-keys/create-api-key.ts';
import { revokeApiKey } from '../../src/api-keys/revoke-api-key.ts';
import { rollApiKey } from '../../src/api-keys/roll-api-key.ts';
import { newApiKeyId } from '../../src/base/ids.ts';
import { findAccount } from '../../src/companies/account-store.ts';
import type { Principal } from '../../src/http/authentication.ts';
import { openBrowserSession } from '../../src/sign-in/browser-session.ts';
import { manualClock } from '../harness/manual-clock.ts';
import { type Paylink, startPaylink } from '../harness/paylink.ts';
import { guarantee } from './plant.ts';

const clock = manualClock(new Date());
const hourMs = 60 * 60 * 1000;
let paylink: Paylink;
before(async () => {
  const settings = { BASE_URL: 'https://pay.example' };
  paylink = await startPaylink('server', { clock, settings, isAtWork: false, isSearched: false });
});
after(async () => await paylink.stop());

const file = 'src/sign-in/verify-cookie.ts';
const store = 'src/sign-in/browser-session-store.ts';
type Module = typeof import('../../src/sign-in/verify-cookie.ts');

/** What happens to live keys; `key` is the place of one among those that were made. */
type Step =
  | { act: 'make' }
  | { act: 'roll'; key: number; overlapHours: number }
  | { act: 'revoke'; key: number }
  | { act: 'pass'; ms: number }
  /** So long before or after the end of a key that ends. */
  | { act: 'pass to the end'; fromEndMs: number };

type Key = { keyId: string; endsAtMs: number | null; isRevoked: boolean };

/** A company of its own, its live keys as they should stand, and whether a new cookie of its owner works in live mode. */
async function openShop(verifyCookie: Module['verifyCookie']) {
  const { deps } = paylink.app;
  const { companyId, accountId } = await paylink.createMerchant();
  const caller: Principal = {
    ...{ companyId, accountId, sessionId: '', roles: ['owner'], keyId: null, mode: 'live' },
  };
  const keys: Key[] = [];
  const add = (keyId: string) => keys.push({ keyId, endsAtMs: null, isRevoked: false });
  const acts = {
    make: async () => {
      const keyId = newApiKeyId(companyId);
      await createApiKey(deps, caller, { keyId, mode: 'live' });
      add(keyId);
    },
    roll: async (key: Key, overlapHours: number) => {
      if (key.isRevoked || key.endsAtMs !== null) return;
      const newKeyId = newApiKeyId(companyId);
      await rollApiKey(deps, caller, { keyId: key.keyId, newKeyId, overlapHours });
      key.endsAtMs = clock.now().getTime() + overlapHours * hourMs;
      add(newKeyId);
    },
    revoke: async (key: Key) => {
      await revokeApiKey(deps, caller, key.keyId);
      key.isRevoked = true;
    },
  };
  const isAdmitted = async () => {
    const now = clock.now();
    const cookie = await deps.db.inCompany(companyId, async (tx) => {
      const account = await findAccount(tx, accountId);
      assert.ok(account);
      return await openBrowserSession(tx, { companyId, account, factor: 'none' }, now);
    });
    const credentials = { cookie, mode: 'live', isInBackground: true } as const;
    return await verifyCookie(deps, credentials).then(
      ({ mode }) => mode === 'live',
      (error) => {
        assert.equal(error.code, 'no_key_of_mode');
        return false;
      },
    );
  };
  return { keys, acts, isAdmitted };
}

type Shop = Awaited<ReturnType<typeof openShop>>;

async function take({ keys, acts }: Shop, step: Step): Promise<void> {
  if (step.act === 'make') return await acts.make();
  if (step.act === 'pass') return clock.advanceMs(step.ms);
  const nowMs = clock.now().getTime();
  if (step.act === 'pass to the end') {
    const endsAtMs = keys.map((key) => key.endsAtMs ?? 0).find((each) => each > nowMs) ?? nowMs;
    return clock.advanceMs(Math.max(0, endsAtMs + step.fromEndMs - nowMs));
  }
  const key = keys[step.key % Math.max(1, keys.length)];
  if (!key) return;
  await (step.act === 'roll' ? acts.roll(key, step.overlapHours) : acts.revoke(key));
}

const steps: fc.Arbitrary<Step> = fc.oneof(
  fc.constant({ act: 'make' } as const),
  fc.record({
    act: fc.constant('roll' as const),
    key: fc.nat(3),
    overlapHours: fc.integer({ min: 0, max: 168 }),
  }),
  fc.record({ act: fc.constant('revoke' as const), key: fc.nat(3) }),
  fc.record({ act: fc.constant('pass' as const), ms: fc.integer({ min: 1, max: 100 * hourMs }) }),
  fc.record({ act: fc.constant('pass to the end' as const), fromEndMs: fc.constantFrom(-1, 0, 1) }),
);

/** The one live key is rolled, the new one is revoked, and the old one ends. */
const runsOut: Step[] = [
  { act: 'make' },
  { act: 'roll', key: 0, overlapHours: 24 },
  { act: 'revoke', key: 1 },
  { act: 'pass to the end', fromEndMs: -1 },
  { act: 'pass', ms: 1 },
];

guarantee<Module>(
  'a cookie works in live mode exactly while the company has a live key that is neither revoked nor at its end',
  file,
  async ({ verifyCookie }) => {
    const proof = fc.asyncProperty(fc.array(steps, { minLength: 2, maxLength: 8 }), async (walk) => {
      const shop = await openShop(verifyCookie);
      assert.equal(await shop.isAdmitted(), false, 'without a live key');
      for (const step of walk) {
        await take(shop, step);
        const nowMs = clock.now().getTime();
        const isGood = shop.keys.some(
          ({ isRevoked, endsAtMs }) => !isRevoked && (endsAtMs === null || endsAtMs > nowMs),
        );
        assert.equal(await shop.isAdmitted(), isGood, JSON.stringify(step));
      }
    });
    await fc.assert(proof, { numRuns: 8, examples: [[runsOut]] });
  },
  [
    {
      fault: 'a live key that has ended is enough',
      ...{
        file: store,
        from: `
                   and (k.expires_at is null or k.expires_at > $3)) as`,
        to: ') as',
      },
    },
    {
      fault: 'a live key that is at its end is enough',
      ...{ file: store, from: 'k.expires_at > $3)) as', to: 'k.expires_at >= $3)) as' },
    },
    {
      fault: 'a live key that will end is not enough',
      ...{
        file: store,
        from: '(k.expires_at is null or k.expires_at > $3)) as',
        to: 'k.expires_at is null) as',
      },
    },
    {
      fault: 'a live key that was revoked is enough',
      ...{
        file: store,
        from: "k.mode = 'live' and k.revoked_at is null\n",
        to: "k.mode = 'live'\n",
      },
    },
    {
      fault: 'a test key is enough',
      ...{ file: store, from: "and k.mode = 'live' and", to: 'and' },
    },
  ],
);
