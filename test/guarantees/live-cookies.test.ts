// A cookie works in live mode only while its company has a valid live key. Random walks are compared with a model of the keys.

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

const clock = manualClock();
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

/** A change to live keys; `key` is the index of a key. */
type Step =
  | { act: 'create' }
  | { act: 'roll'; key: number; overlapHours: number }
  | { act: 'revoke'; key: number }
  | { act: 'advance'; ms: number }
  /** Advances the clock to this offset from the expiry of a key. */
  | { act: 'advance to expiry'; offsetMs: number };

type Key = { keyId: string; expiresAtMs: number | null; isRevoked: boolean };

/** A new company, a model of its live keys, and a check whether a new cookie of its owner works in live mode. */
async function openShop(verifyCookie: Module['verifyCookie']) {
  const { deps } = paylink.app;
  const { companyId, accountId } = await paylink.createMerchant();
  const caller: Principal = {
    ...{ companyId, accountId, sessionId: '', roles: ['owner'], keyId: null, mode: 'live' },
  };
  const keys: Key[] = [];
  const add = (keyId: string) => keys.push({ keyId, expiresAtMs: null, isRevoked: false });
  const acts = {
    create: async () => {
      const keyId = newApiKeyId(companyId);
      await createApiKey(deps, caller, { keyId, mode: 'live' });
      add(keyId);
    },
    roll: async (key: Key, overlapHours: number) => {
      if (key.isRevoked || key.expiresAtMs !== null) return;
      const newKeyId = newApiKeyId(companyId);
      await rollApiKey(deps, caller, { keyId: key.keyId, newKeyId, overlapHours });
      key.expiresAtMs = clock.now().getTime() + overlapHours * hourMs;
      add(newKeyId);
    },
    revoke: async (key: Key) => {
      await revokeApiKey(deps, caller, key.keyId);
      key.isRevoked = true;
    },
  };
  const isLiveAllowed = async () => {
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
  return { keys, acts, isLiveAllowed };
}

type Shop = Awaited<ReturnType<typeof openShop>>;

async function take({ keys, acts }: Shop, step: Step): Promise<void> {
  if (step.act === 'create') return await acts.create();
  if (step.act === 'advance') return clock.advanceMs(step.ms);
  const nowMs = clock.now().getTime();
  if (step.act === 'advance to expiry') {
    const expiresAtMs = keys.map((key) => key.expiresAtMs ?? 0).find((each) => each > nowMs) ?? nowMs;
    return clock.advanceMs(Math.max(0, expiresAtMs + step.offsetMs - nowMs));
  }
  const key = keys[step.key % Math.max(1, keys.length)];
  if (!key) return;
  await (step.act === 'roll' ? acts.roll(key, step.overlapHours) : acts.revoke(key));
}

const steps: fc.Arbitrary<Step> = fc.oneof(
  fc.constant({ act: 'create' } as const),
  fc.record({
    act: fc.constant('roll' as const),
    key: fc.nat(3),
    overlapHours: fc.integer({ min: 0, max: 168 }),
  }),
  fc.record({ act: fc.constant('revoke' as const), key: fc.nat(3) }),
  fc.record({ act: fc.constant('advance' as const), ms: fc.integer({ min: 1, max: 100 * hourMs }) }),
  fc.record({ act: fc.constant('advance to expiry' as const), offsetMs: fc.constantFrom(-1, 0, 1) }),
);

/** The only live key is rolled, the new one is revoked, and the old one expires. */
const keysExpire: Step[] = [
  { act: 'create' },
  { act: 'roll', key: 0, overlapHours: 24 },
  { act: 'revoke', key: 1 },
  { act: 'advance to expiry', offsetMs: -1 },
  { act: 'advance', ms: 1 },
];

guarantee<Module>(
  'a cookie works in live mode exactly while the company has a live key that is neither revoked nor expired',
  file,
  async ({ verifyCookie }) => {
    const proof = fc.asyncProperty(fc.array(steps, { minLength: 2, maxLength: 8 }), async (walk) => {
      const shop = await openShop(verifyCookie);
      assert.equal(await shop.isLiveAllowed(), false, 'without a live key');
      for (const step of walk) {
        await take(shop, step);
        const nowMs = clock.now().getTime();
        const isGood = shop.keys.some(
          ({ isRevoked, expiresAtMs }) => !isRevoked && (expiresAtMs === null || expiresAtMs > nowMs),
        );
        assert.equal(await shop.isLiveAllowed(), isGood, JSON.stringify(step));
      }
    });
    await fc.assert(proof, { numRuns: 8, examples: [[keysExpire]] });
  },
  {
    [store]: {
      [`
                   and (k.expires_at is null or k.expires_at > $3)) as`]: {
        'an expired live key is enough': ') as',
      },
      'k.expires_at > $3)) as': { 'a live key that expires now is enough': 'k.expires_at >= $3)) as' },
      '(k.expires_at is null or k.expires_at > $3)) as': {
        'a live key with an expiry is not enough': 'k.expires_at is null) as',
      },
      "k.mode = 'live' and k.revoked_at is null\n": { 'a revoked live key is enough': "k.mode = 'live'\n" },
      "and k.mode = 'live' and": { 'a test key is enough': 'and' },
    },
  },
);
