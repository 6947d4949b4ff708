// The short form of the campaign: the plugin for Vendure as it is compiled, loaded by require, with stand-ins for the
// server and its database. The campaign runs it in a real server.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import type { Paylink as Client, createPaylink } from '../../sdk/src/index.ts';
import { makeWebhookSecret, signWebhook } from '../../sdk/src/testing.ts';
import { logIn } from '../harness/client.ts';
import { type Paylink, startPaylink } from '../harness/paylink.ts';
import { createServiceKey } from '../harness/service-keys.ts';
import { payWith } from '../harness/visitor.ts';
import { type CompiledPackage, compilePackage } from './compiled-package.ts';

/** Every name is a class, except the decorators, which do nothing, and what a test needs. */
const standInOf = (decorators: string, others = '') => `
const decorate = () => () => undefined;
const known = { ${others} };
for (const name of ${JSON.stringify(decorators.split(' '))}) known[name] = decorate;
module.exports = new Proxy(known, {
  get: (target, name) => (target[name] ??= class { constructor(given) { Object.assign(this, given); } }),
});
`;

const standIns = {
  '@vendure/core': standInOf(
    'Allow Ctx EntityId',
    'VendurePlugin: (parts) => (plugin) => { plugin.parts = parts; }, UserInputError: class extends Error {}',
  ),
  '@nestjs/common': standInOf('Inject Injectable'),
  '@nestjs/graphql': standInOf('Args Mutation Resolver'),
  typeorm: standInOf('Column Entity Index', 'In: (list) => list, Not: (value) => value'),
  graphql: 'module.exports = { parse: (text) => text };',
};

type Row = { code: string; orderId: string; state: string; refundCount: number };

/** The tables of the shop: its links, and the payments and refunds that the tests have stored. */
function createTables(linkEntity: unknown) {
  const links: Row[] = [];
  const stored = { payments: 0, refunds: [] as { state: string; total: number }[] };
  const matching = (where: Partial<Row>) =>
    links.filter((row) => Object.entries(where).every(([name, value]) => row[name as keyof Row] === value));
  const linkTable = {
    createQueryBuilder: () => ({
      insert: () => ({
        values: (row: Row) => ({
          orIgnore: () => ({
            execute: () => {
              if (matching({ code: row.code }).length === 0) links.push({ ...row, refundCount: 0 });
            },
          }),
        }),
      }),
    }),
    update: (where: Partial<Row>, change: Partial<Row>) => {
      const rows = matching(where);
      for (const row of rows) Object.assign(row, change);
      return { affected: rows.length };
    },
    increment: (where: Partial<Row>, _column: string, by: number) => {
      for (const row of matching(where)) row.refundCount += by;
    },
    findBy: matching,
    findOneBy: (where: Partial<Row>) => matching(where)[0] ?? null,
    findOneByOrFail: (where: Partial<Row>) => matching(where)[0],
  };
  const otherTable = { countBy: () => stored.payments, findBy: () => stored.refunds };
  const connection = {
    getRepository: (_ctx: unknown, entity: unknown) => (entity === linkEntity ? linkTable : otherTable),
  };
  return { connection, links, stored };
}

type Handler = {
  init(injector: { get(): unknown }): void;
  createPayment(ctx: object, order: object, amount: number, args: object, metadata: object): Promise<object>;
  createRefund(ctx: object, input: object, amount: number, order: object, payment: object): Promise<object>;
  cancelPayment(ctx: object, order: object, payment: object): object;
};

/** The configuration of a server, to which the plugin adds its parts. */
const emptyConfiguration = () => ({
  paymentOptions: { paymentMethodHandlers: [] as Handler[], refundProcess: [] as object[] },
  orderOptions: { process: [] as object[] },
  apiOptions: { middleware: [] as { route: string; handler: Parameters<typeof createServer>[1] }[] },
});

type Plugin = {
  init(options: object): Plugin;
  parts: { configuration(config: ReturnType<typeof emptyConfiguration>): void };
};

let compiled: CompiledPackage;
let service: Paylink;
let client: Client;
let tables: ReturnType<typeof createTables>;
const returnUrl = 'https://shop.example/return';
const configuration = emptyConfiguration();
const webhookSecret = makeWebhookSecret();
let handler: Handler;

before(async () => {
  compiled = await compilePackage('vendure', standIns);
  service = await startPaylink('server');
  const { key } = await createServiceKey(service, await logIn(service), { scopes: ['payments'] });
  // The plugin knows the errors of its own copy of the client.
  const sdk = compiled.load('sdk/src/index.js') as { createPaylink: typeof createPaylink };
  client = sdk.createPaylink({ baseUrl: service.baseUrl, serviceKey: key });
  const { PaylinkPlugin, PaylinkLink } = compiled.load() as { PaylinkPlugin: Plugin; PaylinkLink: unknown };
  const options = { baseUrl: service.baseUrl, serviceKey: key, webhookSecret, returnUrl };
  PaylinkPlugin.init(options).parts.configuration(configuration);
  tables = createTables(PaylinkLink);
  const { OrderPayments } = compiled.load('integrations/vendure/src/order-payments.js') as {
    OrderPayments: new (...parts: unknown[]) => unknown;
  };
  const payments = new OrderPayments({ links: client, returnUrl }, tables.connection);
  const [first] = configuration.paymentOptions.paymentMethodHandlers;
  assert.ok(first);
  handler = first;
  handler.init({ get: () => payments });
});
after(async () => {
  await service?.stop();
  await compiled?.remove();
});

const order = { id: '1', code: 'VENDURE1', currencyCode: 'EUR' };

/** A link that the plugin would make for an order. */
async function createLink(orderCode: string) {
  return await client.payments.create({
    ...{ customerOrderId: orderCode, amount: 29.67, currency: 'EUR', email: 'grace@example.com' },
    ...{ firstName: 'Grace', lastName: 'Hopper', success_url: returnUrl, failure_url: returnUrl },
    metadata: { vendure_order: orderCode, vendure_channel: 'shop', vendure_method: 'hosted-page' },
  });
}

test('the built package requires what Vendure brings and its own files only', () => {
  assert.deepEqual(compiled.required, Object.keys(standIns).sort());
});

test('a paid link becomes one payment of its order with the amount that was collected, and no second one', async () => {
  const { paymentLinkCode, PaymentLink } = await createLink(order.code);
  const record = async (of: object) =>
    await handler.createPayment(
      { channel: { token: 'shop' } },
      of,
      2_967,
      {},
      { paymentLinkCode: paymentLinkCode },
    );
  assert.deepEqual(await record(order), {
    ...{ amount: 2_967, state: 'Error', errorMessage: 'The payment is open at Paylink.' },
  });
  await payWith(PaymentLink, { number: '4242424242424242' });
  assert.deepEqual(await record({ ...order, code: 'VENDURE2' }), {
    ...{ amount: 2_967, state: 'Error', errorMessage: 'The payment link is not the one of this order.' },
  });
  const { metadata: _, ...first } = (await record(order)) as { metadata: object };
  assert.deepEqual(first, { amount: 2_967, state: 'Settled', transactionId: paymentLinkCode });
  tables.stored.payments = 1;
  const again = { amount: 2_967, state: 'Error', errorMessage: 'The payment is already recorded.' };
  assert.deepEqual(await record(order), again);
  assert.deepEqual(
    tables.links.map(({ code, state }) => [code, state]),
    [[paymentLinkCode, 'recorded']],
  );

  const payment = { id: '7', amount: 2_967, state: 'Settled', transactionId: paymentLinkCode };
  const { state } = (await handler.createRefund({}, {}, 1_000, order, payment)) as { state: string };
  assert.equal(state, 'Settled');
  assert.equal((await client.payments.get(paymentLinkCode)).refundedAmount, 10);
  // The shop has lost the refund: its next one is refused, and not made twice.
  await assert.rejects(
    handler.createRefund({}, {}, 1_000, order, payment),
    /has a refund of .* that this shop does not know/,
  );
  assert.throws(() => handler.cancelPayment({}, order, payment), /cannot be cancelled\. Refund it\.$/);
});

test('a webhook with another signature is refused', async () => {
  const [middleware] = configuration.apiOptions.middleware;
  assert.equal(middleware?.route, '/paylink/webhook');
  const server = createServer(middleware.handler);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  try {
    const payload = { type: 'payment.paid', data: {} };
    const { body, headers } = await signWebhook({ payload, secret: makeWebhookSecret() });
    const { status } = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body, headers });
    assert.equal(status, 400);
  } finally {
    server.close();
  }
});
