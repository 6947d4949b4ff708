// A Vendure server with a small shop: one product, one way of shipping, Paylink and another way to pay. What staff does goes
// through the admin API, what customers do through the shop API.

import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import type { Json } from '../harness/client.ts';
import { blocksOf, read } from '../harness/documents.ts';
import { createDatabase, type TestDatabase } from '../harness/services.ts';
import { awaitServer, type HostShop, installShop, type Program } from './host-shop.ts';
import { environmentOf, type PaylinkSide } from './paylink-side.ts';

/** Where the plugin receives webhooks. */
export const webhookPath = '/paylink/webhook';

export type VendureShop = {
  shop: HostShop;
  server: Program;
  url: string;
  staffToken: string;
  variantId: string;
  close(): Promise<void>;
};

const readme = () => read('integrations/vendure/README.md');

/** The program of a shop with the block of the README. */
const program = () => `
const { bootstrap, DefaultLogger, dummyPaymentHandler, LogLevel } = require('@vendure/core');
${blocksOf(readme(), 'js')[0] ?? ''}
bootstrap({
  apiOptions: { hostname: '127.0.0.1', port: Number(process.env.PORT), adminApiPath: 'admin-api', shopApiPath: 'shop-api' },
  authOptions: {
    tokenMethod: ['bearer'],
    superadminCredentials: { identifier: 'staff', password: process.env.SECRET },
  },
  dbConnectionOptions: { type: 'postgres', url: process.env.DATABASE_URL, synchronize: true },
  paymentOptions: { paymentMethodHandlers: [dummyPaymentHandler] },
  logger: new DefaultLogger({ level: LogLevel.Info }),
  plugins: [paylink],
}).catch((error) => {
  process.stderr.write(String(error && error.stack) + '\\n');
  process.exit(1);
});
`;

/** The mutations that the README shows, in its order. */
export const [createLink = '', confirmLink = ''] = blocksOf(readme(), 'graphql');

export async function openVendureShop(side: PaylinkSide, port: number): Promise<VendureShop> {
  const shop = await installShop('vendure', { pg: '8.23.1' });
  let database: TestDatabase | null = null;
  const close = async () => {
    await shop.remove();
    await database?.drop();
  };
  try {
    database = await createDatabase();
    await shop.write('shop.js', program());
    const password = randomBytes(24).toString('hex');
    const server = shop.start(['node', 'shop.js'], {
      ...{
        DATABASE_URL: database.url,
        PORT: String(port),
        SECRET: password,
        VENDURE_DISABLE_TELEMETRY: 'true',
      },
      ...environmentOf(side),
    });
    const url = `http://127.0.0.1:${port}`;
    await awaitServer(server, `${url}/health`);
    const { token, data } = await send(`${url}/admin-api`, logInAsStaff, { variables: { password } });
    assert.equal(data.login?.identifier, 'staff', JSON.stringify(data));
    const variantId = await seed({ url, staffToken: token });
    return { shop, server, url, staffToken: token, variantId, close };
  } catch (error) {
    await close();
    throw error;
  }
}

const logInAsStaff = `mutation ($password: String!) {
  login(username: "staff", password: $password) { ... on CurrentUser { identifier } ... on ErrorResult { message } }
}`;

type Fields = Record<string, Json & Json[]>;
type Answer = { data: Fields; errors: { message: string }[]; token: string };

/** A request of GraphQL. `token` is that of the session, which the server may have begun. */
async function send(
  url: string,
  query: string,
  { variables = {}, token = '' }: { variables?: Json; token?: string },
): Promise<Answer> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) },
    body: JSON.stringify({ query, variables }),
  });
  const { data, errors } = (await response.json()) as { data: Fields | null; errors?: { message: string }[] };
  return {
    data: data ?? {},
    errors: errors ?? [],
    token: response.headers.get('vendure-auth-token') ?? token,
  };
}

type Staff = Pick<VendureShop, 'url' | 'staffToken'>;

/** A request of the admin API, with any answer. */
export async function askAsStaff(
  { url, staffToken }: Staff,
  query: string,
  variables: Json = {},
): Promise<Answer> {
  return await send(`${url}/admin-api`, query, { variables, token: staffToken });
}

/** A request of the admin API, which must succeed. */
export async function asStaff(staff: Staff, query: string, variables: Json = {}): Promise<Fields> {
  const { data, errors } = await askAsStaff(staff, query, variables);
  assert.deepEqual(errors, [], query);
  return data;
}

const named = (name: string) => [{ languageCode: 'en', name }];

/** Creates something, and returns its ID. */
async function make(staff: Staff, mutation: string, type: string, input: Json | Json[]): Promise<string> {
  const query = `mutation ($input: ${type}) { made: ${mutation}(input: $input) { id } }`;
  const made = (await asStaff(staff, query, { input })).made;
  return String((Array.isArray(made) ? made[0] : made)?.id);
}

async function seed(staff: Staff): Promise<string> {
  const country = { code: 'DE', enabled: true, translations: named('Germany') };
  const countryId = await make(staff, 'createCountry', 'CreateCountryInput!', country);
  const zoneId = await make(staff, 'createZone', 'CreateZoneInput!', {
    name: 'Europe',
    memberIds: [countryId],
  });
  const category = { name: 'Standard', isDefault: true };
  const categoryId = await make(staff, 'createTaxCategory', 'CreateTaxCategoryInput!', category);
  const tax = { name: 'VAT', enabled: true, value: 19, categoryId, zoneId };
  await make(staff, 'createTaxRate', 'CreateTaxRateInput!', tax);
  const { channels } = await asStaff(staff, '{ channels { items { id } } }');
  const channel = {
    ...{ id: (channels?.items as Json[])[0]?.id, defaultTaxZoneId: zoneId, defaultShippingZoneId: zoneId },
    ...{ defaultCurrencyCode: 'EUR', availableCurrencyCodes: ['EUR', 'GBP'], pricesIncludeTax: false },
  };
  await asStaff(
    staff,
    'mutation ($input: UpdateChannelInput!) { updateChannel(input: $input) { ... on Channel { id } ... on ErrorResult { message } } }',
    { input: channel },
  );
  await make(staff, 'createShippingMethod', 'CreateShippingMethodInput!', {
    ...{ code: 'post', fulfillmentHandler: 'manual-fulfillment', translations: describedAs('Post') },
    checker: {
      code: 'default-shipping-eligibility-checker',
      arguments: [{ name: 'orderMinimum', value: '0' }],
    },
    calculator: {
      code: 'default-shipping-calculator',
      arguments: [
        { name: 'rate', value: '495' },
        { name: 'includesTax', value: 'exclude' },
        { name: 'taxRate', value: '19' },
      ],
    },
  });
  const method = async (code: string, handler: Json) =>
    await make(staff, 'createPaymentMethod', 'CreatePaymentMethodInput!', {
      ...{ code, enabled: true, handler, translations: describedAs(code) },
    });
  await method('hosted-page', { code: 'paylink', arguments: [] });
  await method('invoice', {
    ...{ code: 'dummy-payment-handler', arguments: [{ name: 'automaticSettle', value: 'true' }] },
  });
  return await seedProduct(staff, categoryId);
}

const describedAs = (name: string) => [{ languageCode: 'en', name, description: '' }];

async function seedProduct(staff: Staff, taxCategoryId: string): Promise<string> {
  const productId = await make(staff, 'createProduct', 'CreateProductInput!', {
    ...{ enabled: true, translations: [{ languageCode: 'en', name: 'Cup', slug: 'cup', description: '' }] },
  });
  const variantId = await make(staff, 'createProductVariants', '[CreateProductVariantInput!]!', [
    {
      ...{ productId, sku: 'CUP', price: 999, taxCategoryId, trackInventory: 'FALSE', optionIds: [] },
      translations: named('Cup'),
    },
  ]);
  await asStaff(
    staff,
    'mutation ($input: [UpdateProductVariantInput!]!) { updateProductVariants(input: $input) { id } }',
    { input: [{ id: variantId, prices: [{ currencyCode: 'GBP', price: 900 }] }] },
  );
  return variantId;
}

/** A customer with a session of the shop API. */
export type Customer = {
  /** A request with any answer. */
  ask(query: string, variables?: Json): Promise<Answer>;
};

function newCustomer({ url }: VendureShop, currency: string): Customer {
  let token = '';
  return {
    ask: async (query, variables = {}) => {
      const answer = await send(`${url}/shop-api?currencyCode=${currency}`, query, { variables, token });
      token = answer.token;
      return answer;
    },
  };
}

/** Runs a mutation whose result may be an error of Vendure's kind, and fails if it is. */
async function expectDone({ ask }: Customer, call: string): Promise<void> {
  const { data, errors } = await ask(
    `mutation { done: ${call} { __typename ... on ErrorResult { message } } }`,
  );
  assert.deepEqual([errors, data.done?.message], [[], undefined], call);
}

export type Basket = { customer: Customer; orderCode: string };

export const transition = (state: string) => `transitionOrderToState(state: "${state}")`;

/** A customer with an order of cups that is ready to be paid. */
export async function fillBasket(shop: VendureShop, quantity: number, currency = 'EUR'): Promise<Basket> {
  const customer = newCustomer(shop, currency);
  await expectDone(customer, `addItemToOrder(productVariantId: "${shop.variantId}", quantity: ${quantity})`);
  const email = `grace-${randomUUID()}@example.com`;
  await expectDone(
    customer,
    `setCustomerForOrder(input: { firstName: "Grace", lastName: "Hopper", emailAddress: "${email}" })`,
  );
  await expectDone(
    customer,
    'setOrderShippingAddress(input: { streetLine1: "Street 2", countryCode: "DE" })',
  );
  const { data } = await customer.ask('{ eligibleShippingMethods { id } activeOrder { code } }');
  await expectDone(
    customer,
    `setOrderShippingMethod(shippingMethodId: ["${data.eligibleShippingMethods?.[0]?.id}"])`,
  );
  await expectDone(customer, transition('ArrangingPayment'));
  return { customer, orderCode: String(data.activeOrder?.code) };
}

export type LinkOfOrder = { code: string; url: string; status: string; orderCode: string };

export async function openLink({ customer }: Basket): Promise<LinkOfOrder> {
  const { data, errors } = await customer.ask(createLink);
  assert.deepEqual(errors, []);
  return data.createPaylinkPayment as unknown as LinkOfOrder;
}

/** What the storefront does when the customer has returned. */
export async function confirm({ customer }: Basket, code: string): Promise<LinkOfOrder> {
  const { data, errors } = await customer.ask(confirmLink, { code });
  assert.deepEqual(errors, []);
  return data.confirmPaylinkPayment as unknown as LinkOfOrder;
}

export type OrderOfShop = {
  id: string;
  state: string;
  totalWithTax: number;
  payments: {
    id: string;
    state: string;
    amount: number;
    method: string;
    transactionId: string | null;
    refunds: { state: string; total: number; transactionId: string | null }[];
  }[];
  history: { items: { type: string; data: { note?: string; to?: string } }[] };
};

/** An order as staff sees it. */
export async function getOrder(shop: VendureShop, code: string): Promise<OrderOfShop> {
  const fields = `id state totalWithTax
    payments { id state amount method transactionId refunds { state total transactionId } }
    history { items { type data } }`;
  const { orders } = await asStaff(
    shop,
    `query ($code: String!) { orders(options: { filter: { code: { eq: $code } } }) { items { ${fields} } } }`,
    { code },
  );
  const [order] = orders?.items as unknown as OrderOfShop[];
  assert.ok(order, code);
  return order;
}

/** Asks for a refund in the admin API. Returns the state of the refund, or the message of the error. */
export async function refund(shop: VendureShop, paymentId: string, amount: number): Promise<string> {
  const { data, errors } = await askAsStaff(
    shop,
    `mutation ($input: RefundOrderInput!) {
      refundOrder(input: $input) { ... on Refund { state } ... on ErrorResult { message } }
    }`,
    { input: { paymentId, amount, lines: [], shipping: 0, adjustment: 0, reason: 'broken' } },
  );
  return String(errors[0]?.message ?? data.refundOrder?.state ?? data.refundOrder?.message);
}
