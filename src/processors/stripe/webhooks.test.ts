import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import { systemClock } from '../../base/clock.ts';
import type { ProcessorWebhook } from '../processor.ts';
import type { UntrustedFields } from '../untrusted-fields.ts';
import type { StripeAccount } from './client.ts';
import { readWebhook } from './webhooks.ts';

const secret = 'whsec_ofTheChairs';
const now = new Date('2026-11-21T10:00:00Z');
const stamp = now.getTime() / 1000;
const account: StripeAccount = {
  apiUrl: null,
  clock: systemClock,
  signal: new AbortController().signal,
  connection: {
    connectionId: 'con_1',
    companyId: 'co_1',
    mode: 'test',
    credentials: { secretKey: 'sk_test_x', webhookSecret: secret },
  },
};
const metadata = { paylink_company: 'co_1', paylink_connection: 'con_1', paylink_attempt: 'att_1' };
const session = {
  ...{ id: 'cs_test_1', object: 'checkout.session', client_reference_id: 'att_1', metadata },
  ...{ amount_total: 1999, currency: 'eur' },
};
const refund = {
  ...{ id: 're_1', object: 'refund', amount: 500, currency: 'eur' },
  metadata: { ...metadata, paylink_refund: 'ref_1' },
};
const sessionNews = {
  attemptId: 'att_1',
  refundId: null,
  connectionId: 'con_1',
  amountMinor: 1999,
  currency: 'EUR',
};

const eventOf = (type: string, object: object, changes: UntrustedFields = {}) =>
  JSON.stringify({ id: 'evt_1', object: 'event', type, livemode: false, data: { object }, ...changes });
const macOf = (body: string | Buffer, at = stamp, key = secret) =>
  createHmac('sha256', key).update(`${at}.`).update(body).digest('hex');
const read = (body: string | Buffer, signature?: string): ProcessorWebhook =>
  readWebhook(account, { headers: { 'stripe-signature': signature }, body: Buffer.from(body), now });
const readSigned = (body: string | Buffer) => read(body, `t=${stamp},v1=${macOf(body)}`);
const completed = eventOf('checkout.session.completed', session);

test('the webhook of a session has the attempt and its claims', () => {
  for (const word of ['completed', 'expired', 'async_payment_succeeded', 'async_payment_failed'])
    assert.deepEqual(readSigned(eventOf(`checkout.session.${word}`, session)), {
      ...{ kind: 'news', noticeId: 'evt_1' },
      news: [sessionNews],
    });
});

test('the webhook of a refund names the refund', () => {
  const news = { ...sessionNews, refundId: 'ref_1', amountMinor: 500 };
  for (const type of ['refund.updated', 'refund.failed'])
    assert.deepEqual(readSigned(eventOf(type, refund)), { kind: 'news', noticeId: 'evt_1', news: [news] });
});

test('a webhook about other business or of another type is irrelevant', () => {
  const irrelevant = { kind: 'irrelevant', noticeId: 'evt_1' };
  assert.deepEqual(
    readSigned(eventOf('checkout.session.completed', { ...session, metadata: {} })),
    irrelevant,
  );
  assert.deepEqual(
    readSigned(eventOf('charge.refunded', { id: 'ch_1', metadata: { cart: '7' } })),
    irrelevant,
  );
  for (const type of ['customer.created', 'constructor', 'toString'])
    assert.deepEqual(readSigned(eventOf(type, session)), irrelevant);
});

test('a signature is valid for 300 seconds before and after the given time', () => {
  const old = (seconds: number) =>
    read(completed, `t=${stamp - seconds},v1=${macOf(completed, stamp - seconds)}`).kind;
  assert.equal(old(300), 'news');
  assert.equal(old(301), 'forged');
  assert.equal(old(-300), 'news');
  assert.equal(old(-301), 'forged');
  const ahead = stamp + 301;
  const twice = `t=${stamp},t=${ahead},v1=${macOf(completed, ahead)}`;
  assert.equal(read(completed, twice).kind, 'forged', 'of two times, none may be out of bounds');
});

test('one valid signature of several is enough during a rotation', () => {
  const signature = `t=${stamp},v1=${macOf(completed, stamp, 'whsec_old')},v1=${macOf(completed)}`;
  assert.equal(read(completed, signature).kind, 'news');
});

test('a webhook that is not signed for this connection is forged', () => {
  const mac = macOf(completed);
  const signatures = {
    'no header': undefined,
    'an empty header': '',
    'another secret': `t=${stamp},v1=${macOf(completed, stamp, 'whsec_other')}`,
    'another scheme': `t=${stamp},v0=${mac}`,
    'no time': `v1=${mac}`,
    'another time': `t=${stamp + 1},v1=${mac}`,
    'a time that is none': `t=now,v1=${mac}`,
    'a signature cut short': `t=${stamp},v1=${mac.slice(0, -2)}`,
    'no signature': `t=${stamp}`,
  };
  for (const [what, signature] of Object.entries(signatures))
    assert.equal(read(completed, signature).kind, 'forged', what);
});

test('a body with any changed byte is forged', () => {
  const signature = `t=${stamp},v1=${macOf(completed)}`;
  const bytes = Buffer.from(completed);
  for (const place of [0, 40, bytes.length - 1]) {
    const changed = Buffer.from(bytes);
    changed[place] = (changed[place] ?? 0) ^ 1;
    assert.equal(read(changed, signature).kind, 'forged', `byte ${place}`);
  }
  assert.equal(read(Buffer.concat([bytes, Buffer.from('\n')]), signature).kind, 'forged');
  assert.equal(read(Buffer.concat([Buffer.from('\ufeff'), bytes]), signature).kind, 'forged');
});

test('a body that is not UTF-8 is forged, even if its text was signed', () => {
  const body = Buffer.concat([Buffer.from(completed), Buffer.from([0xff])]);
  const signed = macOf(body.toString('utf8'));
  assert.deepEqual(read(body, `t=${stamp},v1=${signed}`), { kind: 'forged', why: 'the body is not UTF-8' });
});

test('a signed body that is no event of this mode is forged', () => {
  const type = 'checkout.session.completed';
  const bodies = [
    ...['', 'null', '[]', '"evt_1"', '{', '<html>'],
    eventOf(type, session, { livemode: true }),
    eventOf(type, session, { livemode: undefined }),
    eventOf(type, session, { object: 'v2.core.event' }),
    eventOf(type, session, { id: null }),
    eventOf(type, session, { data: null }),
    eventOf(type, { ...session, amount_total: '19.99' }),
    eventOf(type, { ...session, metadata: 'none' }),
  ];
  for (const body of bodies) assert.equal(readSigned(body).kind, 'forged', body);
});

test('a connection without a signing secret accepts no webhook, not even one signed with an empty secret', () => {
  for (const credentials of [{}, { secretKey: 'sk_test_x' }, { secretKey: 'sk_test_x', webhookSecret: '' }]) {
    const bare: StripeAccount = { ...account, connection: { ...account.connection, credentials } };
    const headers = { 'stripe-signature': `t=${stamp},v1=${macOf(completed, stamp, '')}` };
    const notice = readWebhook(bare, { headers, body: Buffer.from(completed), now });
    assert.deepEqual(notice, { kind: 'forged', why: 'the connection has no signing secret' });
  }
});
