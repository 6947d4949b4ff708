// Sign-in with passkeys. Manipulated, moved and repeated responses are refused.

import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { purgeOldSignIns } from '../src/sign-in/purge-sign-ins.ts';
import { type Answer, type Credentials, call, type Json, logIn } from './harness/client.ts';
import { browse, browserOf } from './harness/dashboard.ts';
import { manualClock } from './harness/manual-clock.ts';
import { type Bent, createDevice, type Device } from './harness/passkey-device.ts';
import { engines, type Merchant, type Paylink, password, startPaylink } from './harness/paylink.ts';
import { addMember } from './harness/people.ts';
import { addPasskey, addTotp, passkeyOptions, signInOptions } from './harness/second-factors.ts';

const minuteMs = 60_000;
const codeOf = ({ status, body }: Answer) => [status, body.code];

for (const engine of engines) {
  describe(`passkeys on the ${engine} database`, () => {
    const clock = manualClock();
    let paylink: Paylink;
    before(async () => {
      paylink = await startPaylink(engine, { clock });
    });
    after(async () => await paylink.stop());

    async function newOwner(): Promise<{ merchant: Merchant; owner: Credentials }> {
      const merchant = await paylink.createMerchant();
      return { merchant, owner: await logIn(paylink, merchant) };
    }
    const send = async (response: Json) =>
      await browse(paylink, null, ['POST', '/v1/session/passkey'], { body: { response } });
    const signIn = async (device: Device, bent: Bent = {}) =>
      await send(device.get(await signInOptions(paylink), bent));
    const signInByWord = async ({ email }: Merchant, more: Json = {}) =>
      await browse(paylink, null, ['POST', '/v1/session'], { body: { email, password, ...more } });
    const factorsOf = async (who: Credentials) =>
      (await call(paylink, who, ['GET', '/v1/me/second-factors'])).body;
    const add = async (who: Credentials, response: Json) =>
      await call(paylink, who, ['POST', '/v1/me/passkeys'], { name: 'Phone', response });

    test('a passkey signs its owner in, and the account shows when it was used', async () => {
      const { merchant, owner } = await newOwner();
      const { passkeyId, device, recoveryCodes } = await addPasskey(paylink, owner);
      assert.equal(recoveryCodes?.length, 10);
      clock.advanceMs(minuteMs);
      for (const round of [1, 2]) {
        const browser = browserOf(await signIn(device));
        const me = await browse(paylink, browser, ['GET', '/v1/me']);
        assert.equal(me.body.accountId, merchant.accountId, `${round}`);
      }
      const [shown] = (await factorsOf(owner)).passkeys as Json[];
      const lastUsedAt = clock.now().toISOString();
      assert.deepEqual([shown?.passkeyId, shown?.name, shown?.lastUsedAt], [passkeyId, 'Laptop', lastUsedAt]);
    });

    test('with a passkey the password alone is not enough, but a password with a recovery code is', async () => {
      const { merchant, owner } = await newOwner();
      const { recoveryCodes } = await addPasskey(paylink, owner);
      const refused = await signInByWord(merchant);
      const fields = (refused.body.errors as Json[]).map(({ field }) => field);
      assert.deepEqual([...codeOf(refused), fields], [401, 'second_factor_required', ['passkey']]);
      assert.equal((await signInByWord(merchant, { recoveryCode: recoveryCodes?.[0] })).status, 200);
      const app = await addTotp(paylink, owner);
      assert.deepEqual(app.recoveryCodes, [], 'codes come with the first factor alone');
      const both = (await signInByWord(merchant)).body.errors as Json[];
      assert.deepEqual(
        both.map(({ field }) => field),
        ['otp', 'passkey'],
      );
    });

    test('a manipulated response is refused', async () => {
      const { owner } = await newOwner();
      const { device } = await addPasskey(paylink, owner);
      const bents: Bent[] = [
        { origin: 'https://evil.example' },
        { rpId: 'evil.example' },
        { isVerified: false },
        { type: 'webauthn.create' },
        { counter: 0 },
      ];
      for (const bent of bents)
        assert.deepEqual(
          codeOf(await signIn(device, bent)),
          [401, 'wrong_second_factor'],
          JSON.stringify(bent),
        );
      const good = device.get(await signInOptions(paylink));
      const { response } = good as { response: Json };
      const stranger = createDevice(paylink.baseUrl).get(await signInOptions(paylink));
      const signature = (stranger.response as Json).signature;
      for (const changed of [{ signature }, { userHandle: '' }, { userHandle: 'eA' }])
        assert.deepEqual(codeOf(await send({ ...good, response: { ...response, ...changed } })), [
          401,
          'wrong_second_factor',
        ]);
      assert.equal((await signIn(device)).status, 200);
    });

    test('a challenge is valid once, for five minutes and for its purpose', async () => {
      const { owner } = await newOwner();
      const { device } = await addPasskey(paylink, owner);
      const answer = device.get(await signInOptions(paylink));
      const ends = await Promise.all(Array.from({ length: 4 }, async () => await send(answer)));
      assert.equal(ends.filter(({ status }) => status === 200).length, 1);
      const late = device.get(await signInOptions(paylink));
      clock.advanceMs(5 * minuteMs);
      assert.deepEqual(codeOf(await send(late)), [401, 'wrong_second_factor']);
      const forAdding = device.get(await passkeyOptions(paylink, owner));
      assert.deepEqual(codeOf(await send(forAdding)), [401, 'wrong_second_factor']);
      assert.deepEqual(codeOf(await send(device.get({ challenge: 'AAAAAAAAAAAAAAAAAAAAAAAA' }))), [
        401,
        'wrong_second_factor',
      ]);
    });

    test('a device whose counter goes back is refused', async () => {
      const { owner } = await newOwner();
      const { device } = await addPasskey(paylink, owner);
      assert.equal((await signIn(device, { counter: 9 })).status, 200);
      for (const counter of [9, 8])
        assert.deepEqual(codeOf(await signIn(device, { counter })), [401, 'wrong_second_factor']);
      assert.equal((await signIn(device, { counter: 10 })).status, 200);
    });

    test('a passkey is added to the requesting account, by a valid response, once', async () => {
      const { owner } = await newOwner();
      const member = await addMember(paylink, owner, ['viewer']);
      const device = createDevice(paylink.baseUrl);
      const bents: Bent[] = [
        { origin: 'https://evil.example' },
        { rpId: 'evil.example' },
        { isVerified: false },
      ];
      for (const bent of bents) {
        const answer = await add(owner, device.create(await passkeyOptions(paylink, owner), bent));
        assert.deepEqual(codeOf(answer), [422, 'invalid_fields'], JSON.stringify(bent));
      }
      const others = device.create(await passkeyOptions(paylink, owner));
      assert.deepEqual(codeOf(await add(member.credentials, others)), [422, 'invalid_fields']);
      assert.deepEqual((await factorsOf(owner)).passkeys, []);
      assert.equal((await add(owner, device.create(await passkeyOptions(paylink, owner)))).status, 200);
      const again = device.create(await passkeyOptions(paylink, owner));
      assert.deepEqual(codeOf(await add(owner, again)), [422, 'invalid_fields']);
      const { excludeCredentials } = await passkeyOptions(paylink, owner);
      assert.equal((excludeCredentials as Json[]).length, 1);
    });

    test('a passkey is removed with the password, by its own account only, and no longer works', async () => {
      const { merchant, owner } = await newOwner();
      const { passkeyId, device } = await addPasskey(paylink, owner);
      const remove = async (who: Credentials, currentPassword = password) =>
        await call(paylink, who, ['POST', `/v1/me/passkeys/${passkeyId}/remove`], { currentPassword });
      const member = await addMember(paylink, owner, ['owner']);
      assert.deepEqual(codeOf(await remove(member.credentials)), [404, 'not_found']);
      assert.deepEqual(codeOf(await remove(owner, 'wrong')), [422, 'invalid_fields']);
      assert.equal((await remove(owner)).status, 204);
      assert.deepEqual(codeOf(await signIn(device)), [401, 'wrong_second_factor']);
      assert.deepEqual(await factorsOf(owner), { totp: null, passkeys: [], recoveryCodesLeft: 0 });
      assert.equal((await signInByWord(merchant)).status, 200);
    });

    test('a removed member cannot sign in with a passkey', async () => {
      const { owner } = await newOwner();
      const member = await addMember(paylink, owner, ['viewer']);
      const { device } = await addPasskey(paylink, member.credentials);
      await call(paylink, owner, ['DELETE', `/v1/members/${member.accountId}`]);
      assert.deepEqual(codeOf(await signIn(device)), [401, 'wrong_second_factor']);
    });

    test('the nightly job deletes expired challenges only', async () => {
      await signInOptions(paylink);
      clock.advanceMs(5 * minuteMs + 1);
      await signInOptions(paylink);
      assert.ok((await purgeOldSignIns(paylink.app.deps)) >= 1);
      const text = 'select challenge from passkey_challenges';
      assert.equal((await paylink.app.deps.db.asOwner.query(text)).length, 1);
    });
  });
}
