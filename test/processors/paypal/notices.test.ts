// Forged webhooks of PayPal: foreign and expired certificates, and changes of every signed part. A server on loopback
// serves certificates and counts requests.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { systemClock } from '../../../src/base/clock.ts';
import { checkCertificateUrl } from '../../../src/processors/paypal/certificates.ts';
import { createPaypal } from '../../../src/processors/paypal/paypal.ts';
import type { ProcessorKind, ProcessorWebhookRequest } from '../../../src/processors/processor.ts';
import { newConnection, unproven } from '../kit/rig.ts';
import { createSigning, type Signing } from './signing.ts';

const webhookId = '1FAKE00000000001A';
const connection = newConnection({ clientId: 'AW', clientSecret: 'EJ', webhookId });
const { connectionId, companyId } = connection;
const guard = () => AbortSignal.timeout(60_000);

const theirs = createSigning();
const strangers = createSigning('/CN=paypal.com.evil.example');
const at = new Date();
const served = new Map<string, { status: number; text: string }>();
const certificatePath = ({ certificateId }: Signing) => `/v1/notifications/certs/${certificateId}`;
for (const signing of [theirs, strangers])
  served.set(certificatePath(signing), { status: 200, text: signing.certificate });

let asked: string[] = [];
const server = createServer((request, response) => {
  asked.push(request.url ?? '');
  const { status, text } = served.get(request.url ?? '') ?? { status: 404, text: '' };
  response.writeHead(status, { 'content-type': 'application/x-pem-file' }).end(text);
});
let url = '';
let kind: ProcessorKind;
before(async () => {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  kind = createPaypal({ apiUrl: url, clock: systemClock });
});
after(() => {
  server.closeAllConnections();
  server.close();
});

const customId = `att_1/${connectionId}/${companyId}`;
const amount = { currency_code: 'EUR', value: '19.99' };
const eventOf = (type: string, resource: unknown) =>
  JSON.stringify({ id: 'WH-1', event_type: type, resource });
const captured = eventOf('PAYMENT.CAPTURE.COMPLETED', {
  id: 'C1',
  amount,
  custom_id: customId,
  invoice_id: 'att_1',
});

function sign(
  body: string,
  signing: Signing = theirs,
  certUrl = url + certificatePath(signing),
): ProcessorWebhookRequest {
  const headers = signing.transmit(certUrl, webhookId)(body, at);
  return { headers, body: Buffer.from(body), now: at, ...unproven };
}
const read = async (notice: ProcessorWebhookRequest) => await kind.readNotice?.(connection, notice, guard());
const changed = (
  notice: ProcessorWebhookRequest,
  headers: Record<string, string | undefined>,
): ProcessorWebhookRequest => ({
  ...notice,
  headers: { ...notice.headers, ...headers },
});

test('a webhook of PayPal is news, with its claims', async () => {
  const news = [{ attemptId: 'att_1', refundId: null, connectionId, amountMinor: 1999, currency: 'EUR' }];
  assert.deepEqual(await read(sign(captured)), { kind: 'news', noticeId: 'WH-1', news });
});

test('the webhook of a refund names the refund and its attempt', async () => {
  const refund = { id: 'R1', amount, custom_id: `ref_1/${customId}`, invoice_id: 'ref_1' };
  const notice = await read(sign(eventOf('PAYMENT.CAPTURE.REFUNDED', refund)));
  const news = [{ attemptId: 'att_1', refundId: 'ref_1', connectionId, amountMinor: 1999, currency: 'EUR' }];
  assert.deepEqual(notice, { kind: 'news', noticeId: 'WH-1', news });
});

test('a failed refund is news, both ours and an external one', async () => {
  const ours = { id: 'R1', status: 'FAILED', amount, custom_id: `ref_1/${customId}`, invoice_id: 'ref_1' };
  assert.deepEqual(await read(sign(eventOf('PAYMENT.REFUND.FAILED', ours))), {
    ...{ kind: 'news', noticeId: 'WH-1' },
    news: [{ attemptId: 'att_1', refundId: 'ref_1', connectionId, amountMinor: 1999, currency: 'EUR' }],
  });
  const theirs = { ...ours, amount: { ...amount, value: '5.00' }, custom_id: customId, invoice_id: 'att_1' };
  assert.deepEqual(await read(sign(eventOf('PAYMENT.REFUND.FAILED', theirs))), {
    ...{ kind: 'news', noticeId: 'WH-1' },
    // The amount of the refund differs from that of the attempt.
    news: [{ attemptId: 'att_1', refundId: null, connectionId, amountMinor: null, currency: 'EUR' }],
  });
});

test('a reversed approval is news without an amount', async () => {
  const resource = { order_id: 'O1', purchase_units: [{ custom_id: customId, invoice_id: 'att_1' }] };
  const notice = await read(sign(eventOf('CHECKOUT.PAYMENT-APPROVAL.REVERSED', resource)));
  const news = [{ attemptId: 'att_1', refundId: null, connectionId, amountMinor: null, currency: null }];
  assert.deepEqual(notice, { kind: 'news', noticeId: 'WH-1', news });
});

test('an authentic but unrelated webhook is irrelevant', async () => {
  const irrelevant = { kind: 'irrelevant', noticeId: 'WH-1' };
  const foreign = { id: 'C1', amount, custom_id: 'their own shop', invoice_id: 'INV-4711' };
  assert.deepEqual(await read(sign(eventOf('PAYMENT.CAPTURE.COMPLETED', foreign))), irrelevant);
  const pounds = { ...foreign, amount: { currency_code: 'GBP', value: '1.00' } };
  assert.deepEqual(await read(sign(eventOf('PAYMENT.CAPTURE.COMPLETED', pounds))), irrelevant);
  assert.deepEqual(await read(sign(eventOf('CUSTOMER.DISPUTE.CREATED', {}))), irrelevant);
  assert.deepEqual(await read(sign(eventOf('toString', {}))), irrelevant);
});

test('an impossible claim about our payment is reported as far as it is readable', async () => {
  const claims = [
    { amount: { currency_code: 'GBP', value: '1.00' }, amountMinor: null, currency: 'GBP' },
    { amount: { currency_code: 'EUR', value: '0.00' }, amountMinor: null, currency: 'EUR' },
    { amount: 19.99, amountMinor: null, currency: null },
  ];
  for (const { amount: claimed, ...wanted } of claims) {
    const event = eventOf('PAYMENT.CAPTURE.COMPLETED', { id: 'C1', amount: claimed, custom_id: customId });
    const news = [{ attemptId: 'att_1', refundId: null, connectionId, ...wanted }];
    assert.deepEqual(await read(sign(event)), { kind: 'news', noticeId: 'WH-1', news });
  }
});

test('a change of any signed part makes a webhook forged', async () => {
  const notice = sign(captured);
  const forged: ProcessorWebhookRequest[] = [
    { ...notice, body: Buffer.from(captured.replace('19.99', '19.98')) },
    { ...notice, body: Buffer.from(`${captured} `) },
    changed(notice, { 'paypal-transmission-id': 'another' }),
    changed(notice, { 'paypal-transmission-time': new Date(at.getTime() - 60_000).toISOString() }),
    changed(notice, { 'paypal-transmission-sig': sign('{}').headers['paypal-transmission-sig'] }),
    changed(notice, { 'paypal-transmission-sig': 'AAAA' }),
    changed(notice, { 'paypal-auth-algo': 'SHA1withRSA' }),
    changed(notice, { 'paypal-cert-url': url + certificatePath(strangers) }),
  ];
  for (const name of Object.keys(notice.headers)) forged.push(changed(notice, { [name]: undefined }));
  for (const one of forged) assert.equal((await read(one))?.kind, 'forged', JSON.stringify(one.headers));
  const other = { ...connection, credentials: { ...connection.credentials, webhookId: '2FAKE' } };
  assert.equal((await kind.readNotice?.(other, notice, guard()))?.kind, 'forged');
});

test('a connection without a webhook ID accepts no webhook', async () => {
  const { webhookId: _, ...credentials } = connection.credentials;
  const read = await kind.readNotice?.({ ...connection, credentials }, sign(captured), guard());
  assert.deepEqual(read, { kind: 'forged', why: 'the connection has no webhook ID' });
});

test('an old webhook is forged, but one that PayPal retries for days is not', async () => {
  const notice = sign(captured);
  const afterHours = (hours: number) => ({ ...notice, now: new Date(at.getTime() + hours * 3_600_000) });
  for (const [hours, wanted] of [
    [-1, 'forged'],
    [0, 'news'],
    [72, 'news'],
    [74, 'forged'],
  ] as const)
    assert.equal((await read(afterHours(hours)))?.kind, wanted, `${hours} h`);
  const timeless = changed(notice, { 'paypal-transmission-time': 'yesterday' });
  assert.equal((await read(timeless))?.kind, 'forged');
});

test('a certificate issued to another subject is refused, even from PayPal’s host', async () => {
  const notice = await read(sign(captured, strangers));
  assert.deepEqual(notice, { kind: 'forged', why: 'the certificate is not issued to PayPal' });
});

test('an expired certificate is refused', async () => {
  const later = new Date(at.getTime() + 11 * 365 * 24 * 3_600_000);
  const headers = theirs.transmit(url + certificatePath(theirs), webhookId)(captured, later);
  const notice = await read({ headers, body: Buffer.from(captured), now: later, ...unproven });
  assert.deepEqual(notice, { kind: 'forged', why: 'the certificate is not valid at this time' });
});

test('a certificate is fetched once, and only from PayPal’s addresses', async () => {
  await read(sign(captured));
  asked = [];
  await read(sign(captured));
  const elsewhere = [
    'https://evil.example/v1/notifications/certs/CERT-1',
    `${url}/latest/meta-data`,
    'not an address',
  ];
  for (const certUrl of elsewhere)
    assert.equal((await read(sign(captured, theirs, certUrl)))?.kind, 'forged', certUrl);
  assert.deepEqual(asked, []);
});

test('a certificate without a response throws; a missing one makes the webhook forged', async () => {
  const path = '/v1/notifications/certs/CERT-0';
  for (const status of [500, 503, 302]) {
    served.set(path, { status, text: '' });
    await assert.rejects(read(sign(captured, theirs, url + path)), `${status}`);
  }
  served.set(path, { status: 200, text: '<h1>Everything is fine</h1>' });
  assert.equal((await read(sign(captured, theirs, url + path)))?.kind, 'forged');
  served.delete(path);
  assert.equal((await read(sign(captured, theirs, url + path)))?.kind, 'forged');
});

test('without a budget no certificate is fetched, but a webhook with a cached one is read', async () => {
  await read(sign(captured));
  asked = [];
  const broke = { provenAttemptId: null, mayAsk: () => false };
  assert.equal((await read({ ...sign(captured), ...broke }))?.kind, 'news');
  const unknown = sign(captured, theirs, `${url}/v1/notifications/certs/CERT-unknown`);
  assert.deepEqual(await read({ ...unknown, ...broke }), { kind: 'deferred' });
  assert.deepEqual(asked, []);
});

test('an address without a certificate is fetched once, also for many concurrent webhooks', async () => {
  asked = [];
  let budget = 0;
  const counting = { provenAttemptId: null, mayAsk: () => ++budget > 0 };
  const path = '/v1/notifications/certs/CERT-missing';
  const webhook = { ...sign(captured, theirs, url + path), ...counting };
  const read20 = async () => await Promise.all(Array.from({ length: 20 }, async () => await read(webhook)));
  for (const notice of [...(await read20()), ...(await read20())]) assert.equal(notice?.kind, 'forged');
  assert.deepEqual([asked, budget], [[path], 1]);
});

test('a signed body that is no event is rejected', async () => {
  for (const body of ['', 'null', '[]', '{']) assert.equal((await read(sign(body)))?.kind, 'forged', body);
});

test('certificates come only from PayPal’s hosts for the connection’s mode', () => {
  const path = '/v1/notifications/certs/CERT-360caa42-fca2a594-a5cafa77';
  const good = [
    ['https://api.paypal.com', 'live'],
    ['https://api-m.paypal.com', 'live'],
    ['https://api.sandbox.paypal.com', 'test'],
    ['https://api-m.sandbox.paypal.com', 'test'],
  ] as const;
  for (const [origin, mode] of good) {
    assert.equal(checkCertificateUrl(origin + path, mode, null), origin + path);
    assert.equal(checkCertificateUrl(origin + path, mode === 'live' ? 'test' : 'live', null), null);
  }
  const bad = [
    `http://api.paypal.com${path}`,
    `https://api.paypal.com:8443${path}`,
    `https://api.paypal.com.evil.example${path}`,
    `https://evil.example\\@api.paypal.com${path}`,
    `https://me@api.paypal.com${path}`,
    `https://www.paypal.com${path}`,
    `https://api.paypal.com${path}?next=https://evil.example`,
    `https://api.paypal.com${path}/../../../evil`,
    'https://api.paypal.com/v1/notifications/certs/',
  ];
  for (const address of bad) assert.equal(checkCertificateUrl(address, 'live', null), null, address);
});
