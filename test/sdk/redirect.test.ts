import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { mock, test } from 'node:test';
import fc from 'fast-check';
import {
  type KeySet,
  PaylinkConnectionError,
  SignatureError,
  type VerifyRedirectOptions,
  verifyRedirect,
} from '../../sdk/src/index.ts';
import { createTestService } from '../../sdk/src/testing.ts';
import { answer, openStub } from './stub.ts';

const baseUrl = 'https://pay.example.com';
const companyId = 'co_w25j88cf';
const signedAt = new Date('2026-11-20T12:00:00Z');
const service = await createTestService();
const wanted = { baseUrl, companyId, signedAt, customerOrderId: 'order-7', amount: 19.99, currency: 'EUR' };
const parameters = await service.signRedirect(wanted);
const options = { baseUrl, companyId, keySet: service.keySet, now: signedAt };

const refusedWith = (code: string) => (error: unknown) =>
  error instanceof SignatureError && error.code === code;
const verify = async (changes: Partial<VerifyRedirectOptions>, given = parameters) =>
  await verifyRedirect(given, { ...options, ...changes });
const jwtOf = (given: URLSearchParams) => given.get('paymentResult') ?? '';
const carrying = (jwt: string) => new URLSearchParams({ paymentResult: jwt });

test('a valid result returns the signed values, from an address, a path or parameters', async () => {
  const expected = {
    PaymentLinkCode: parameters.get('PaymentLinkCode'),
    customerOrderId: 'order-7',
    amount: 19.99,
    currency: 'EUR',
    status: 'paid',
    signedAt,
    expiresAt: new Date('2026-11-20T12:15:00Z'),
  };
  const address = `https://shop.example/thanks?cart=7&${parameters}#top`;
  for (const given of [address, new URL(address), `/thanks?${parameters}`, parameters])
    assert.deepEqual(await verifyRedirect(given, options), expected);
  assert.deepEqual(await verifyRedirect(parameters, { ...options, baseUrl: `${baseUrl}/` }), expected);
});

test('a result for another company, another service or of another kind is refused', async () => {
  await assert.rejects(verify({ companyId: 'co_other' }), refusedWith('not_for_you'));
  await assert.rejects(verify({ baseUrl: 'https://pay.example.org' }), refusedWith('not_for_you'));
  const [, claims = ''] = jwtOf(parameters).split('.');
  for (const change of [{ typ: 'at+jwt' }, { alg: 'none' }, { alg: 'HS256' }, { crit: ['exp'] }]) {
    const header = { alg: 'EdDSA', kid: 'test-key', typ: 'payment-result+jwt', ...change };
    const head = Buffer.from(JSON.stringify(header)).toString('base64url');
    // Signed with the public key as if it were a secret, a well-known attack on verifiers.
    const signature = createHmac('sha256', String(service.keySet.keys[0]?.x)).update(`${head}.${claims}`);
    const jwt = `${head}.${claims}.${signature.digest('base64url')}`;
    await assert.rejects(verify({}, carrying(jwt)), refusedWith('not_for_you'));
  }
});

test('a result is valid from its signing to its expiry, with the leeway', async () => {
  const at = (seconds: number) => new Date(signedAt.getTime() + seconds * 1_000);
  await verify({ now: at(15 * 60 + 29) });
  await verify({ now: at(-30) });
  await assert.rejects(verify({ now: at(15 * 60 + 30) }), refusedWith('expired'));
  await assert.rejects(verify({ now: at(15 * 60), leewaySeconds: 0 }), refusedWith('expired'));
  await assert.rejects(verify({ now: at(-31) }), refusedWith('too_early'));
});

test('a valid result of another order is refused', async () => {
  await verify({ expect: { customerOrderId: 'order-7', amount: 19.99, currency: 'EUR' } });
  await verify({ expect: { amount: 19.99 } });
  for (const expect of [{ customerOrderId: 'order-8' }, { amount: 20 }, { currency: 'USD' }])
    await assert.rejects(verify({ expect }), refusedWith('differs'));
});

test('a result with one changed letter is refused', async () => {
  const jwt = jwtOf(parameters);
  const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.=+/ ';
  await fc.assert(
    fc.asyncProperty(fc.nat(jwt.length - 1), fc.nat(letters.length - 1), async (at, letter) => {
      const changed = jwt.slice(0, at) + letters[letter] + jwt.slice(at + 1);
      fc.pre(changed !== jwt);
      await assert.rejects(verify({}, carrying(changed)), SignatureError, changed);
    }),
    { numRuns: 500 },
  );
});

test('the last letter has only one valid spelling', async () => {
  const jwt = jwtOf(parameters);
  const others = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'];
  for (const letter of others.filter((other) => other !== jwt.at(-1)))
    await assert.rejects(verify({}, carrying(jwt.slice(0, -1) + letter)), SignatureError);
});

test('an address without a result, with two, or with a value that is no JWT is malformed', async () => {
  const twice = new URLSearchParams(parameters);
  twice.append('paymentResult', 'x');
  const wrong = ['', 'x', 'a.b.c', `${jwtOf(parameters)}.x`, jwtOf(parameters).replace('.', '=.')];
  for (const given of [new URLSearchParams(), twice, ...wrong.map(carrying)])
    await assert.rejects(verify({}, given), refusedWith('malformed'));
  await assert.rejects(verifyRedirect('http://', options), refusedWith('malformed'));
});

test('a key with the same ID that is no Ed25519 signing key is not used', async () => {
  const [key = {}] = service.keySet.keys;
  for (const change of [{ kty: 'RSA' }, { crv: 'X25519' }, { use: 'enc' }, { x: 7 }, { kid: 'other' }]) {
    const keySet: KeySet = { keys: [{ ...key, ...change }] };
    await assert.rejects(verify({ keySet }), refusedWith('unknown_key'));
  }
  await assert.rejects(verify({ keySet: { keys: [{ ...key, x: 'AAAA' }] } }), refusedWith('wrong_signature'));
});

test('keys are fetched once for many results, and for an unknown one at most once a minute', async () => {
  const stub = await openStub();
  try {
    const other = await createTestService();
    const at = { baseUrl: stub.baseUrl, companyId };
    const verifyHere = async (kid = 'test-key') => {
      const [key = {}] = service.keySet.keys;
      const given = await service.signRedirect(at);
      if (kid === 'test-key') return await verifyRedirect(given, at);
      const [, claims = '', signature = ''] = jwtOf(given).split('.');
      const header = { alg: 'EdDSA', kid, typ: 'payment-result+jwt', jwk: key };
      const head = Buffer.from(JSON.stringify(header)).toString('base64url');
      return await verifyRedirect(carrying(`${head}.${claims}.${signature}`), at);
    };
    stub.replyWith(answer(200, service.keySet), answer(200, other.keySet));
    await Promise.all([1, 2, 3].map(async () => await verifyHere()));
    assert.equal(stub.calls.length, 1);
    const laterBy = async (seconds: number, work: () => Promise<unknown>) => {
      mock.timers.enable({ apis: ['Date'], now: Date.now() + seconds * 1_000 });
      await work().finally(() => mock.timers.reset());
    };
    // Unknown key IDs, immediately and within the minute: nothing is fetched.
    for (const kid of ['made-up', 'another'])
      await assert.rejects(verifyHere(kid), refusedWith('unknown_key'));
    assert.equal(stub.calls.length, 1);
    // After the minute: fetched once, and the new set is used.
    await laterBy(61, async () => await assert.rejects(verifyHere('made-up'), refusedWith('unknown_key')));
    assert.equal(stub.calls.length, 2);
    await assert.rejects(verifyHere(), refusedWith('wrong_signature'));
    // A set older than five minutes is fetched again, even for a key that it contains.
    stub.replyWith(answer(200, service.keySet));
    await laterBy(400, async () => await verifyHere());
    assert.equal(stub.calls.length, 3);
  } finally {
    await stub.stop();
  }
});

test('if the keys cannot be fetched, the call fails and never accepts a result', async () => {
  const at = { baseUrl: 'http://127.0.0.1:1', companyId };
  const work = verifyRedirect(await service.signRedirect(at), at);
  await assert.rejects(work, PaylinkConnectionError);
});
