// A Medusa server with a small shop: taxes that give prices more decimals than the currency has, one product, and one way of
// shipping. What staff does goes through the admin API, what customers do through the store API.

import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import type { Json } from '../harness/client.ts';
import { blocksOf, read } from '../harness/documents.ts';
import { createDatabase, type TestDatabase } from '../harness/services.ts';
import { awaitServer, type HostShop, installShop, type Program } from './host-shop.ts';
import { environmentOf, type PaylinkSide } from './paylink-side.ts';

export const providerId = 'pp_paylink_paylink';

/** Where Medusa receives the webhooks of the provider with the ID `paylink`. */
export const webhookPath = '/hooks/payment/paylink_paylink';

export type MedusaShop = {
  shop: HostShop;
  server: Program;
  url: string;
  adminToken: string;
  publishableKey: string;
  euroRegion: string;
  poundRegion: string;
  variantId: string;
  /** A product of which there is one piece. */
  lastPieceId: string;
  shippingOption: string;
  close(): Promise<void>;
};

/** The configuration of a shop with the block of the README. */
const config = () => `
const { defineConfig } = require('@medusajs/framework/utils');
${blocksOf(readReadme(), 'js')[0] ?? ''}
module.exports = defineConfig({
  admin: { disable: true },
  projectConfig: {
    databaseUrl: process.env.DATABASE_URL,
    databaseDriverOptions: { connection: { ssl: false } },
    http: {
      storeCors: '*',
      adminCors: '*',
      authCors: '*',
      jwtSecret: process.env.SECRET,
      cookieSecret: process.env.SECRET,
    },
  },
  modules: [payment],
});
`;

const readReadme = () => read('integrations/medusa/README.md');

const admin = { email: 'staff@shop.example', password: 'a long password' };

export async function openMedusaShop(side: PaylinkSide, port: number): Promise<MedusaShop> {
  const shop = await installShop('medusa', {});
  let database: TestDatabase | null = null;
  const close = async () => {
    await shop.remove();
    await database?.drop();
  };
  try {
    database = await createDatabase();
    await shop.write('medusa-config.js', config());
    const env = {
      DATABASE_URL: database.url,
      MEDUSA_DISABLE_TELEMETRY: 'true',
      NODE_ENV: 'production',
      SECRET: randomBytes(24).toString('hex'),
      ...environmentOf(side),
    };
    const cli = ['node', 'node_modules/@medusajs/cli/cli.js'];
    await shop.run([...cli, 'db:migrate', '--skip-scripts'], env);
    await shop.run([...cli, 'user', '-e', admin.email, '-p', admin.password], env);
    const server = shop.start([...cli, 'start', '--port', String(port), '--host', '127.0.0.1'], env);
    const url = `http://127.0.0.1:${port}`;
    await awaitServer(server, `${url}/health`);
    return { shop, server, url, ...(await seed(url)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

type Call = { body?: unknown; headers?: Record<string, string> };

async function send(
  url: string,
  method: string,
  { body, headers = {} }: Call,
): Promise<{ status: number; body: Json }> {
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const response = await fetch(url, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...sent,
  });
  const text = await response.text();
  return { status: response.status, body: (text ? JSON.parse(text) : {}) as Json };
}

type Fields = Record<string, Json & Json[]>;

async function expectOk(url: string, method: string, call: Call): Promise<Fields> {
  const answer = await send(url, method, call);
  assert.equal(answer.status, 200, `${method} ${url}: ${JSON.stringify(answer.body)}`);
  return answer.body as Fields;
}

/** A call of the admin API, which must succeed. */
export async function asStaff(
  { url, adminToken }: Pick<MedusaShop, 'url' | 'adminToken'>,
  method: string,
  path: string,
  body?: unknown,
): Promise<Fields> {
  return await expectOk(`${url}/admin/${path}`, method, {
    body,
    headers: { authorization: `Bearer ${adminToken}` },
  });
}

/** A call of the store API, with any answer. */
export async function asCustomer(
  { url, publishableKey }: MedusaShop,
  method: string,
  path: string,
  body?: unknown,
): Promise<{ status: number; body: Fields }> {
  const headers = { 'x-publishable-api-key': publishableKey };
  return (await send(`${url}/store/${path}`, method, { body, headers })) as { status: number; body: Fields };
}

type Seeded = Pick<
  MedusaShop,
  | 'adminToken'
  | 'publishableKey'
  | 'euroRegion'
  | 'poundRegion'
  | 'variantId'
  | 'lastPieceId'
  | 'shippingOption'
>;

async function seed(url: string): Promise<Seeded> {
  const { token } = await expectOk(`${url}/auth/user/emailpass`, 'POST', { body: admin });
  const adminToken = String(token);
  const at = { url, adminToken };
  const make = async (path: string, body: unknown) => await asStaff(at, 'POST', path, body);
  const region = async (name: string, currency: string, country: string) => {
    const made = await make('regions', {
      ...{ name, currency_code: currency, countries: [country] },
      payment_providers: [providerId],
    });
    return String(made.region?.id);
  };
  const euroRegion = await region('Euro', 'eur', 'de');
  const poundRegion = await region('Pound', 'gbp', 'gb');
  await make('tax-regions', {
    ...{ country_code: 'de', provider_id: 'tp_system' },
    default_tax_rate: { name: 'VAT', code: 'vat', rate: 19 },
  });
  const { sales_channels: channels } = await asStaff(at, 'GET', 'sales-channels');
  const channel = String(channels?.[0]?.id);
  const { shippingOption, profile, place } = await seedShipping(at, channel);
  const variantId = await seedProduct(at, { channel, profile });
  const lastPieceId = await seedProduct(at, { channel, profile, place });
  const { api_key: key } = await make('api-keys', { title: 'Storefront', type: 'publishable' });
  await make(`api-keys/${key?.id}/sales-channels`, { add: [channel] });
  return {
    ...{ adminToken, publishableKey: String(key?.token), euroRegion, poundRegion },
    ...{ variantId, lastPieceId, shippingOption },
  };
}

/** A product of 9.99 EUR and 9 GBP; with a `place` there is one piece of it. Returns its variant. */
async function seedProduct(
  at: Pick<MedusaShop, 'url' | 'adminToken'>,
  { channel, profile, place }: { channel: string; profile: string; place?: string },
): Promise<string> {
  const prices = [
    { currency_code: 'eur', amount: 9.99 },
    { currency_code: 'gbp', amount: 9 },
  ];
  const { product } = await asStaff(at, 'POST', 'products?fields=*variants,*variants.inventory_items', {
    ...{ title: place ? 'Last cup' : 'Cup', status: 'published', shipping_profile_id: profile },
    options: [{ title: 'Size', values: ['M'] }],
    variants: [{ title: 'M', manage_inventory: place !== undefined, options: { Size: 'M' }, prices }],
    sales_channels: [{ id: channel }],
  });
  const [variant] = product?.variants as { id: string; inventory_items?: { inventory_item_id: string }[] }[];
  if (place) {
    const path = `inventory-items/${variant?.inventory_items?.[0]?.inventory_item_id}/location-levels`;
    await asStaff(at, 'POST', path, { location_id: place, stocked_quantity: 1 });
  }
  return variant?.id ?? '';
}

async function seedShipping(
  at: Pick<MedusaShop, 'url' | 'adminToken'>,
  channel: string,
): Promise<{ shippingOption: string; profile: string; place: string }> {
  const make = async (path: string, body: unknown) => await asStaff(at, 'POST', path, body);
  const address = { address_1: 'Street 1', city: 'Berlin', country_code: 'de' };
  const { stock_location: place } = await make('stock-locations', { name: 'Store room', address });
  const ofPlace = `stock-locations/${place?.id}`;
  await make(`${ofPlace}/sales-channels`, { add: [channel] });
  await make(`${ofPlace}/fulfillment-providers`, { add: ['manual_manual'] });
  const sets = await make(`${ofPlace}/fulfillment-sets?fields=*fulfillment_sets`, {
    name: 'Parcels',
    type: 'shipping',
  });
  const set = (sets.stock_location?.fulfillment_sets as Json[])[0]?.id;
  const geoZones = ['de', 'gb'].map((country) => ({ type: 'country', country_code: country }));
  const zones = await make(`fulfillment-sets/${set}/service-zones?fields=*service_zones`, {
    ...{ name: 'Everywhere', geo_zones: geoZones },
  });
  const zone = (zones.fulfillment_set?.service_zones as Json[])[0]?.id;
  const { shipping_profile: profile } = await make('shipping-profiles', { name: 'Parcel', type: 'parcel' });
  const { shipping_option: option } = await make('shipping-options', {
    ...{ name: 'Post', service_zone_id: zone, shipping_profile_id: profile?.id },
    ...{ provider_id: 'manual_manual', price_type: 'flat', rules: [] },
    type: { label: 'Post', description: 'By post', code: 'post' },
    prices: [
      { currency_code: 'eur', amount: 4.95 },
      { currency_code: 'gbp', amount: 5 },
    ],
  });
  return { shippingOption: String(option?.id), profile: String(profile?.id), place: String(place?.id) };
}

type Wanted = { quantity?: number; regionId?: string; variantId?: string };

/** A cart with an address and shipping, by default with one cup in euros. */
export async function fillCart(shop: MedusaShop, wanted: Wanted = {}): Promise<string> {
  const { quantity = 1, regionId = shop.euroRegion, variantId = shop.variantId } = wanted;
  const country = regionId === shop.euroRegion ? 'de' : 'gb';
  const made = await asCustomer(shop, 'POST', 'carts', {
    ...{ region_id: regionId, email: 'grace@example.com' },
    items: [{ variant_id: variantId, quantity }],
    shipping_address: {
      ...{ first_name: 'Grace', last_name: 'Hopper', address_1: 'Street 2' },
      ...{ city: 'Berlin', postal_code: '10115', country_code: country },
    },
  });
  assert.equal(made.status, 200, JSON.stringify(made.body));
  const cartId = String(made.body.cart?.id);
  const shipped = await asCustomer(shop, 'POST', `carts/${cartId}/shipping-methods`, {
    option_id: shop.shippingOption,
  });
  assert.equal(shipped.status, 200, JSON.stringify(shipped.body));
  return cartId;
}

export type Session = { sessionId: string; code: string; link: string };

/** Asks for a payment session, with any answer. */
export async function askForSession(
  shop: MedusaShop,
  cartId: string,
  data: Json = { email: 'grace@example.com' },
): Promise<{ status: number; body: Fields }> {
  const made = await asCustomer(shop, 'POST', 'payment-collections', { cart_id: cartId });
  assert.equal(made.status, 200, JSON.stringify(made.body));
  const path = `payment-collections/${made.body.payment_collection?.id}/payment-sessions`;
  return await asCustomer(shop, 'POST', path, { provider_id: providerId, data });
}

export async function openSession(shop: MedusaShop, cartId: string, data?: Json): Promise<Session> {
  const { status, body } = await askForSession(shop, cartId, data);
  assert.equal(status, 200, JSON.stringify(body));
  const [session] = body.payment_collection?.payment_sessions as {
    id: string;
    data: Record<string, string>;
  }[];
  const { payment_link_code: code = '', payment_link: link = '' } = session?.data ?? {};
  return { sessionId: session?.id ?? '', code, link };
}

/** What the storefront does when the customer has returned. */
export async function completeCart(
  shop: MedusaShop,
  cartId: string,
): Promise<{ status: number; body: Fields }> {
  return await asCustomer(shop, 'POST', `carts/${cartId}/complete`);
}

/** The orders of a customer's address with their payments, newest first. */
export async function listOrders(shop: MedusaShop): Promise<Json[]> {
  const fields = '*payment_collections,*payment_collections.payments,*payment_collections.payments.refunds';
  const { orders } = await asStaff(
    shop,
    'GET',
    `orders?order=-created_at&limit=100&fields=id,payment_status,${fields}`,
  );
  return orders ?? [];
}
