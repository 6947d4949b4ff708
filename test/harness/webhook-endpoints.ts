// A merchant with webhook endpoints, who verifies messages with the Standard Webhooks package.

import assert from 'node:assert/strict';
import { Webhook } from 'standardwebhooks';
import type { Received } from '../receiver/journal.ts';
import { type Answer, type Credentials, call, type Json } from './client.ts';
import type { Paylink } from './paylink.ts';
import { visit } from './visitor.ts';

/** Allows endpoints on this machine. */
export const loopbackSettings = { WEBHOOKS_ALLOW_LOOPBACK: 'true' };

export type TestEndpoint = { id: string; secret: string };
export type ReceivedMessage = {
  id: string;
  type: string;
  timestamp: string;
  version: number | null;
  data: Json;
};

export const endpointsPath = '/v1/webhook-endpoints';

export async function postEndpoint(
  paylink: Pick<Paylink, 'baseUrl'>,
  credentials: Credentials,
  wanted: Json,
): Promise<Answer> {
  return await call(paylink, credentials, ['POST', endpointsPath], { events: ['*'], ...wanted });
}

/** An endpoint, by default for all events. */
export async function createTestEndpoint(
  paylink: Pick<Paylink, 'baseUrl'>,
  credentials: Credentials,
  wanted: Json,
): Promise<TestEndpoint> {
  const { status, body } = await postEndpoint(paylink, credentials, wanted);
  assert.equal(status, 200, JSON.stringify(body));
  return { id: String(body.id), secret: String(body.secret) };
}

/** The content of a message. Throws if its signature is invalid. */
export function verify(
  { secret }: Pick<TestEndpoint, 'secret'>,
  { body, headers }: Received,
): ReceivedMessage {
  return new Webhook(secret).verify(body, headers) as ReceivedMessage;
}

export function read({ body }: Received): ReceivedMessage {
  return JSON.parse(body) as ReceivedMessage;
}

/** The deliveries to an endpoint as the API lists them, newest event first. */
export async function listDeliveries(
  paylink: Pick<Paylink, 'baseUrl'>,
  credentials: Credentials,
  hook: Pick<TestEndpoint, 'id'>,
): Promise<Json[]> {
  const { body } = await call(paylink, credentials, [
    'GET',
    `${endpointsPath}/${hook.id}/deliveries?limit=100`,
  ]);
  return body.data as Json[];
}

/** A delivery with its attempts and its request. */
export async function getDelivery(
  paylink: Pick<Paylink, 'baseUrl'>,
  credentials: Credentials,
  delivery: Json,
): Promise<Json & { history: Json[]; request: Json }> {
  const path = `/v1/webhook-deliveries/${String(delivery.deliveryId)}`;
  const { status, body } = await call(paylink, credentials, ['GET', path]);
  assert.equal(status, 200, JSON.stringify(body));
  return body as Json & { history: Json[]; request: Json };
}

/** Opens a link with a browser's User-Agent; without it, a visit counts as a program's. */
export async function openAsPerson(link: string): Promise<void> {
  const userAgent = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
  await visit(link, { headers: { 'user-agent': userAgent } });
}
