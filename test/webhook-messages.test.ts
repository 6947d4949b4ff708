// Messages of every event type, as received, against their schemas, and the API description against the same.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Check } from 'typebox/value';
import { appendEvent } from '../src/events/append-event.ts';
import { attemptGraph, paymentGraph, refundGraph, type TransitionEdge } from '../src/payments/states.ts';
import { dataFieldsOf, eventTypes, messages, testEventType } from '../src/webhooks/event-types.ts';
import { createLinkAs, credentialHeaders, logIn, post } from './harness/client.ts';
import { fencedBlocks, read } from './harness/documents.ts';
import { type Paylink, startPaylink } from './harness/paylink.ts';
import { payWith } from './harness/visitor.ts';
import { createTestEndpoint, loopbackSettings, openAsPerson, verify } from './harness/webhook-endpoints.ts';
import { type Receiver, startReceiver } from './receiver/receiver.ts';

let paylink: Paylink;
let receiver: Receiver;
before(async () => {
  paylink = await startPaylink('server', { settings: loopbackSettings });
  receiver = await startReceiver();
});
after(async () => {
  await receiver.close();
  await paylink.stop();
});

test('the event types match the state graphs, and a message of each type matches its schema', async () => {
  const fromGraphs = [paymentGraph, attemptGraph, refundGraph].flatMap((graph) =>
    Object.values<Partial<Record<string, TransitionEdge>>>(graph).flatMap((targets) =>
      Object.values(targets).flatMap((edge) => (edge?.isPublic ? [edge.event] : [])),
    ),
  );
  const known = Object.keys(eventTypes);
  assert.deepEqual(
    [...new Set(fromGraphs)].filter((type) => !known.includes(type)),
    [],
  );
  const credentials = await logIn(paylink);
  const hook = await createTestEndpoint(paylink, credentials, { url: receiver.at('types') });
  const { link, code } = await createLinkAs(paylink, credentials);
  await openAsPerson(link);
  await payWith(link, { number: '4242424242424242' });
  await post(`${paylink.baseUrl}/v1/payments/${code}/refunds`, {}, credentialHeaders(credentials));
  await appendOtherEvents(hook.id);
  await receiver.waitFor('types', known.length);
  await paylink.app.work.sweep('webhooks');
  const bodies = receiver.messages('types').map((message) => verify(hook, message));
  assert.deepEqual([...new Set(bodies.map(({ type }) => type))].sort(), [...known].sort());
  for (const body of bodies) assert.equal(Check(messages[body.type] ?? {}, body), true, JSON.stringify(body));
});

/** Writes an event of each type that a usual payment does not cause. */
async function appendOtherEvents(endpointId: string): Promise<void> {
  await paylink.app.deps.db.inTenant({ companyId: paylink.merchant.companyId, mode: 'test' }, async (tx) => {
    const [subject] = await tx.query<{ paymentId: string; attemptId: string; refundId: string }>(
      'select payment_id as "paymentId", attempt_id as "attemptId", refund_id as "refundId" from refunds',
    );
    assert.ok(subject);
    const { refundId, ...rest } = subject;
    const about = { isPublic: true, actor: 'system', at: new Date() };
    const usual = /^payment\.(created|opened|processing|paid)$|^refund\.(created|succeeded)$/;
    for (const type of Object.keys(eventTypes).filter((name) => !usual.test(name))) {
      if (type.startsWith('webhook_endpoint.')) {
        const endpoint = { id: endpointId, url: 'https://shop.example/', mode: 'test', reason: 'gone' };
        await appendEvent(tx, { ...about, type, data: { endpoint, mode: 'test' } });
      } else
        await appendEvent(tx, {
          ...about,
          ...rest,
          type,
          data: type.startsWith('refund.') ? { refundId } : {},
        });
    }
  });
}

test('an event about a payment whose type this version does not know has the payment', async () => {
  const credentials = await logIn(paylink);
  const hook = await createTestEndpoint(paylink, credentials, { url: receiver.at('later') });
  const { code } = await createLinkAs(paylink, credentials);
  await paylink.app.deps.db.inTenant({ companyId: paylink.merchant.companyId, mode: 'test' }, async (tx) => {
    const [about] = await tx.query<{ paymentId: string }>(
      'select payment_id as "paymentId" from payments where code = $1',
      [code],
    );
    const event = { isPublic: true, actor: 'system', at: new Date(), data: {} };
    await appendEvent(tx, { ...event, ...about, type: 'payment.of_a_later_version' });
  });
  const received = await receiver.waitFor('later', 2);
  const bodies = received.map((message) => verify(hook, message));
  const created = bodies.find(({ type }) => type === 'payment.created');
  const later = bodies.find(({ type }) => type === 'payment.of_a_later_version');
  assert.deepEqual(later?.data, created?.data);
  assert.equal(Check(messages['payment.created']?.properties.data ?? {}, later?.data), true);
  assert.deepEqual(dataFieldsOf('other.of_a_later_version'), []);
});

test('the API description has a schema and a valid example of every message', async () => {
  const { webhooks } = (await (await fetch(`${paylink.baseUrl}/openapi.json`)).json()) as {
    webhooks: Record<
      string,
      { post: { requestBody: { content: { 'application/json': { example: unknown } } } } }
    >;
  };
  assert.deepEqual(Object.keys(webhooks).sort(), [...Object.keys(eventTypes), testEventType].sort());
  for (const [type, { post: message }] of Object.entries(webhooks))
    assert.equal(
      Check(messages[type] ?? {}, message.requestBody.content['application/json'].example),
      true,
      type,
    );
});

type IsFromPaylink = (message: { headers: object; body: string }, keys: unknown) => boolean;

test('the code in docs/webhooks.md accepts a message with the published key, and rejects a changed one', async () => {
  const [block] = fencedBlocks(read('docs/webhooks.md')).filter(({ language }) => language === 'js');
  const lines = `data:text/javascript,${encodeURIComponent(block?.text ?? '')}`;
  const { isFromPaylink } = (await import(lines)) as { isFromPaylink: IsFromPaylink };
  const credentials = await logIn(paylink);
  await createTestEndpoint(paylink, credentials, {
    url: receiver.at('published'),
    events: ['payment.created'],
  });
  await createLinkAs(paylink, credentials);
  const [message] = await receiver.waitFor('published', 1);
  assert.ok(message);
  const { headers, body } = message;
  const { keys } = (await (await fetch(`${paylink.baseUrl}/.well-known/jwks.json`)).json()) as {
    keys: unknown;
  };
  assert.equal(isFromPaylink(message, keys), true);
  const later = String(Number(headers['webhook-timestamp']) + 1);
  for (const changed of [
    { headers, body: `${body} ` },
    { headers: { ...headers, 'webhook-id': 'evt_another' }, body },
    { headers: { ...headers, 'webhook-timestamp': later }, body },
    { headers: { ...headers, 'webhook-timestamp': String(Number(later) - 1_000) }, body },
  ])
    assert.equal(isFromPaylink(changed, keys), false);
});
