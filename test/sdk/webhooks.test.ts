import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { PaylinkError, SignatureError } from '../../sdk/src/index.ts';
import { createTestService, makeWebhookSecret, signWebhook } from '../../sdk/src/testing.ts';
import { type RawBody, verifyWebhook } from '../../sdk/src/webhooks.ts';

const payload = { type: 'payment.paid', data: { PaymentLinkCode: 'abc', note: 'grün – 支付' } };
const refusedWith = (code: string) => (error: unknown) =>
  error instanceof SignatureError && error.code === code;

// The example of the specification's reference libraries.
const example = {
  secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  body: '{"test": 2432232314}',
  headers: {
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  },
  sentAt: new Date(1_614_265_330_000),
};

test('the published example of Standard Webhooks is valid', async () => {
  const now = example.sentAt;
  const message = await verifyWebhook(example.body, example.headers, example.secret, { now });
  assert.deepEqual(message, {
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    sentAt: example.sentAt,
    payload: { test: 2432232314 },
  });
});

test('a message is read from text and bytes, with the headers of fetch and of Node', async () => {
  const secret = makeWebhookSecret();
  const { body, headers } = await signWebhook({ payload, secret, id: 'msg_1' });
  const bytes = new TextEncoder().encode(body);
  const upper = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toUpperCase(), value]),
  );
  for (const raw of [body, bytes, bytes.buffer, Buffer.from(body)])
    for (const given of [headers, new Headers(headers), upper]) {
      const message = await verifyWebhook<typeof payload>(raw, given, secret);
      assert.deepEqual([message.id, message.payload], ['msg_1', payload]);
    }
});

test('during a change of secrets, either side may use both', async () => {
  const [old, fresh] = [makeWebhookSecret(), makeWebhookSecret()];
  const [first, second] = [await signWebhook({ payload, secret: old, id: 'm' }), makeWebhookSecret()];
  await verifyWebhook(first.body, first.headers, [fresh, old]);
  const sentAt = new Date();
  const one = await signWebhook({ payload, secret: old, id: 'm', sentAt });
  const two = await signWebhook({ payload, secret: fresh, id: 'm', sentAt });
  const both = [one, two].map(({ headers }) => headers['webhook-signature']).join(' ');
  for (const secret of [old, fresh])
    await verifyWebhook(one.body, { ...one.headers, 'webhook-signature': `v9,x ${both}` }, secret);
  const stranger = verifyWebhook(one.body, { ...one.headers, 'webhook-signature': both }, second);
  await assert.rejects(stranger, refusedWith('wrong_signature'));
});

test('only signatures of the published key and of its kind are valid', async () => {
  const [service, other] = [await createTestService(), await createTestService()];
  const { body, headers } = await service.signWebhook({ payload });
  assert.deepEqual((await verifyWebhook(body, headers, { keySet: service.keySet })).payload, payload);
  const both = { keySet: { keys: [...other.keySet.keys, ...service.keySet.keys] } };
  await verifyWebhook(body, headers, both);
  const wrong = refusedWith('wrong_signature');
  await assert.rejects(verifyWebhook(body, headers, { keySet: other.keySet }), wrong);
  await assert.rejects(verifyWebhook(body, headers, { keySet: { keys: [] } }), wrong);
  await assert.rejects(verifyWebhook(body, headers, makeWebhookSecret()), wrong);
});

/** A text with one changed byte, at a position and by a difference derived from the numbers. */
function changeOneByte(text: string, at: number, by: number): Buffer {
  const bytes = Buffer.from(text);
  const place = at % bytes.length;
  bytes[place] = ((bytes[place] ?? 0) + 1 + (by % 255)) % 256;
  return bytes;
}

test('a message with one changed byte of body, ID, time or signature is refused', async () => {
  const secret = makeWebhookSecret();
  const service = await createTestService();
  const now = new Date();
  const signed = [
    { key: secret, ...(await signWebhook({ payload, secret, sentAt: now })) },
    { key: { keySet: service.keySet }, ...(await service.signWebhook({ payload, sentAt: now })) },
  ];
  const parts = ['body', 'webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;
  await fc.assert(
    fc.asyncProperty(fc.nat(), fc.nat(), async (at, by) => {
      for (const { key, body, headers } of signed) {
        await verifyWebhook(body, headers, key, { now });
        for (const part of parts) {
          const changed = changeOneByte(part === 'body' ? body : (headers[part] ?? ''), at, by);
          const given = part === 'body' ? headers : { ...headers, [part]: changed.toString('latin1') };
          const work = verifyWebhook(part === 'body' ? changed : body, given, key, { now });
          await assert.rejects(work, SignatureError, `${part}: ${changed.toString('latin1')}`);
        }
      }
    }),
    { numRuns: 200 },
  );
});

test('another encoding of the same signature is refused', async () => {
  const secret = makeWebhookSecret();
  const { body, headers } = await signWebhook({ payload, secret });
  const signature = headers['webhook-signature'] ?? '';
  for (const spelling of [signature.replace('=', ''), `${signature}=`, signature.replace(',', ', '), ''])
    await assert.rejects(
      verifyWebhook(body, { ...headers, 'webhook-signature': spelling }, secret),
      SignatureError,
    );
});

test('a message is valid for five minutes around its time, or for the caller’s tolerance', async () => {
  const secret = makeWebhookSecret();
  const sentAt = new Date('2026-11-20T12:00:00Z');
  const { body, headers } = await signWebhook({ payload, secret, sentAt });
  const verifyAt = async (seconds: number, toleranceSeconds?: number) => {
    const now = new Date(sentAt.getTime() + seconds * 1_000);
    return await verifyWebhook(body, headers, secret, { now, toleranceSeconds });
  };
  await verifyAt(300);
  await verifyAt(-300);
  await verifyAt(900, 1_000);
  await assert.rejects(verifyAt(301), refusedWith('expired'));
  await assert.rejects(verifyAt(-301), refusedWith('too_early'));
  await assert.rejects(verifyAt(11, 10), refusedWith('expired'));
});

test('missing and repeated headers, and a body that is not JSON, are malformed', async () => {
  const secret = makeWebhookSecret();
  const { body, headers } = await signWebhook({ payload, secret });
  for (const name of ['webhook-id', 'webhook-timestamp', 'webhook-signature']) {
    const { [name]: value = '', ...rest } = headers;
    for (const given of [rest, { ...rest, [name]: [value, value] }])
      await assert.rejects(verifyWebhook(body, given, secret), refusedWith('malformed'));
  }
  const { now, text } = { now: example.sentAt, text: 'no JSON' };
  const { createHmac } = await import('node:crypto');
  const mac = createHmac('sha256', Buffer.from(example.secret.slice(6), 'base64'));
  const signature = mac.update(`m.1614265330.${text}`).digest('base64');
  const given = { ...example.headers, 'webhook-id': 'm', 'webhook-signature': `v1,${signature}` };
  await assert.rejects(verifyWebhook(text, given, example.secret, { now }), refusedWith('malformed'));
});

test('an invalid secret is reported without showing it', async () => {
  const { body, headers } = await signWebhook({ payload, secret: makeWebhookSecret() });
  for (const secret of ['', 'whsec_', 'whsec_c2hvcnQ=', 'not base64 at all!'])
    await assert.rejects(
      verifyWebhook(body, headers, secret),
      (error) =>
        error instanceof PaylinkError && error.code === 'invalid_option' && !error.message.includes('c2h'),
    );
});

test('a body that was parsed or not read is a mistake of the program, and the error asks for the raw body', async () => {
  const secret = makeWebhookSecret();
  const { body, headers } = await signWebhook({ payload, secret });
  for (const given of [JSON.parse(body), [], 7, null, undefined])
    await assert.rejects(
      verifyWebhook(given as RawBody, headers, secret),
      (error) =>
        error instanceof PaylinkError &&
        !(error instanceof SignatureError) &&
        error.code === 'parsed_body' &&
        /Pass the raw body/.test(error.message),
    );
  const rewritten = JSON.stringify(JSON.parse(body), null, 1);
  await assert.rejects(verifyWebhook(rewritten, headers, secret), /pass the raw body/);
});

test('the error says what may be wrong: the secret, the body, the kind of signature, the time', async () => {
  const [secret, other] = [makeWebhookSecret(), makeWebhookSecret()];
  const { body, headers } = await signWebhook({ payload, secret });
  await assert.rejects(verifyWebhook(body, headers, other), /the secret is of another endpoint, or the body/);
  const service = await createTestService();
  const published = await service.signWebhook({ payload });
  await assert.rejects(
    verifyWebhook(published.body, published.headers, other),
    /no signature of the kind v1,/,
  );
  await assert.rejects(verifyWebhook(body, headers, { keySet: service.keySet }), /of the kind v1a,/);
  for (const missing of [undefined as unknown as string, '', []])
    await assert.rejects(verifyWebhook(body, headers, missing), /The webhook secret is missing/);
  const sentAt = new Date('2026-01-01T12:00:00Z');
  const old = await signWebhook({ payload, secret, sentAt });
  await assert.rejects(
    verifyWebhook(old.body, old.headers, secret, { now: new Date(sentAt.getTime() + 900_000) }),
    /sent 900 s ago, and 300 s are allowed/,
  );
});
