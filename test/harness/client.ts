// A client written from the documentation alone: fetch, and no code of the service.

import { randomUUID } from 'node:crypto';
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';
import { type Merchant, type Paylink, password } from './paylink.ts';

export type Credentials = { token: string; apiKey: string; companyId: string };
export type Json = Record<string, unknown>;
export type At = Pick<Paylink, 'baseUrl' | 'merchant'>;
export type Answer = { status: number; headers: Headers; body: Json };

export async function readAnswer(response: Response): Promise<Answer> {
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text ? (JSON.parse(text) as Json) : {} };
}

export async function post(
  url: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: text,
  });
  return await readAnswer(response);
}

export async function logIn(paylink: At, merchant: Merchant = paylink.merchant): Promise<Credentials> {
  const answer = await post(`${paylink.baseUrl}/v1/auth/login`, { email: merchant.email, password });
  if (answer.status !== 200)
    throw new Error(`the login answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return {
    token: String(answer.body.token),
    apiKey: answer.headers.get('x-api-key') ?? '',
    companyId: answer.headers.get('x-company-id') ?? '',
  };
}

export function credentialHeaders(credentials: Partial<Credentials>): Record<string, string> {
  return {
    ...(credentials.token === undefined ? {} : { authorization: `Bearer ${credentials.token}` }),
    ...(credentials.apiKey === undefined ? {} : { 'x-api-key': credentials.apiKey }),
    ...(credentials.companyId === undefined ? {} : { 'x-company-id': credentials.companyId }),
  };
}

/** A call of the API with any method; without a body, none is sent. */
export async function call(
  at: Pick<At, 'baseUrl'>,
  credentials: Partial<Credentials>,
  [method, path]: readonly [method: string, path: string],
  body?: unknown,
): Promise<Answer> {
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const type: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' };
  const headers = { ...type, ...credentialHeaders(credentials) };
  return await readAnswer(await fetch(at.baseUrl + path, { method, headers, ...sent }));
}

/** Repeats a call while it is refused because it waited too long for the database, which many calls at once may cause. */
export async function repeatRefused(send: () => Promise<Answer>): Promise<Answer> {
  let answer = await send();
  while (answer.status === 503 && answer.headers.has('retry-after')) {
    await pause(500);
    answer = await send();
  }
  return answer;
}

/** A payment request with every field of the interface. */
export function orderOf(fields: Json = {}): Json {
  return {
    firstName: 'Ada',
    lastName: 'Lovelace',
    customerOrderId: randomUUID(),
    email: 'ada@example.com',
    amount: 19.99,
    currency: 'EUR',
    phone: '+44 20 7946 0018',
    success_url: 'https://shop.example/thanks?cart=7#top',
    failure_url: 'https://shop.example/sorry',
    ...fields,
  };
}

export async function processPayment(
  paylink: Pick<At, 'baseUrl'>,
  credentials: Partial<Credentials>,
  body: unknown,
): Promise<Answer> {
  return await post(`${paylink.baseUrl}/v1/payment/process`, body, credentialHeaders(credentials));
}

export async function createLink(paylink: At, fields: Json = {}): Promise<{ link: string; code: string }> {
  return await createLinkAs(paylink, await logIn(paylink), fields);
}

export async function createLinkAs(
  paylink: Pick<At, 'baseUrl'>,
  credentials: Credentials,
  fields: Json = {},
): Promise<{ link: string; code: string }> {
  const answer = await processPayment(paylink, credentials, orderOf(fields));
  if (answer.status !== 200)
    throw new Error(`process answered ${answer.status}: ${JSON.stringify(answer.body)}`);
  return { link: String(answer.body.PaymentLink), code: String(answer.body.PaymentLinkCode) };
}

/** A request with any method and headers, including those that fetch does not let callers set, such as Host. */
export async function sendRaw(
  url: string,
  options: { method: string; headers?: Record<string, string>; body?: string },
): Promise<{ status: number; headers: IncomingHttpHeaders; text: string }> {
  const { promise, resolve, reject } = Promise.withResolvers<{
    status: number;
    headers: IncomingHttpHeaders;
    text: string;
  }>();
  const { method, body = '' } = options;
  const length = body ? { 'content-length': String(Buffer.byteLength(body)) } : {};
  const sent = httpRequest(url, { method, headers: { ...options.headers, ...length } }, (response) => {
    let text = '';
    response.on('data', (chunk) => {
      text += String(chunk);
    });
    response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }));
  });
  sent.on('error', reject);
  sent.end(body);
  return await promise;
}

/** The first event of a new payment, as the parameter of a route. */
export async function eventOfPayment(company: {
  paylink: Pick<Paylink, 'baseUrl'>;
  credentials: Credentials;
  openCode(): Promise<string>;
}): Promise<{ eventId: string }> {
  const path = `/v1/payments/${await company.openCode()}/events`;
  const { body } = await call(company.paylink, company.credentials, ['GET', path]);
  return { eventId: String((body.data as Json[])[0]?.id) };
}
