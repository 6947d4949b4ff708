// Stands between a program and the service, and does what programs must survive: it loses responses, refuses a refund
// for a moment, and adds what a newer service may add.

import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

type Seen = { name: 'create' | 'refund' | 'other'; headers: IncomingHttpHeaders };

export type DisturbingProxy = {
  url: string;
  /** Every request, in order. */
  seen: Seen[];
  /** The bodies of the service's successful responses to refunds, in order. */
  refunds: string[];
  stop(): Promise<void>;
};

/** The first creation and the second refund are carried out, but their responses are lost. The first refund is refused. */
export async function startDisturbingProxy(
  target: string,
  { addsValues = true }: { addsValues?: boolean } = {},
): Promise<DisturbingProxy> {
  const seen: Seen[] = [];
  const refunds: string[] = [];
  const handle = async (request: IncomingMessage, response: ServerResponse) => {
    const name = nameOf(request);
    seen.push({ name, headers: request.headers });
    const count = seen.filter((one) => one.name === name).length;
    if (name === 'refund' && count === 1) return void refuse(response);
    const answered = await forward(request, target);
    const body = await answered.text();
    if (name === 'refund' && answered.ok) refunds.push(body);
    if ((name === 'create' && count === 1) || (name === 'refund' && count === 2))
      return void request.socket.destroy();
    for (const [header, value] of answered.headers)
      if (!hopByHop.has(header)) response.setHeader(header, value);
    response.writeHead(answered.status).end(asNewer(body, addsValues));
  };
  const server = createServer((request, response) => {
    handle(request, response).catch((error) => response.destroy(error));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    refunds,
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function nameOf({ method, url }: IncomingMessage): Seen['name'] {
  if (method !== 'POST') return 'other';
  return url === '/v1/payment/process' ? 'create' : url?.endsWith('/refunds') ? 'refund' : 'other';
}

const hopByHop = new Set([
  ...['connection', 'content-encoding', 'content-length', 'expect', 'host', 'keep-alive'],
  'transfer-encoding',
]);

async function forward(request: IncomingMessage, target: string): Promise<Response> {
  const { method = '' } = request;
  const headers = Object.entries(request.headers).filter(([header]) => !hopByHop.has(header));
  const body = await buffer(request);
  return await fetch(target + request.url, {
    method,
    headers: headers.map(([header, value]) => [header, String(value)]),
    ...(body.length === 0 ? {} : { body }),
  });
}

/** As a service that is being restarted. */
function refuse(response: ServerResponse): void {
  const problem = {
    type: 'http://localhost/problems/unavailable',
    title: 'The service is unavailable',
    status: 503,
    detail: 'Send the request again.',
    instance: 'urn:paylink:request:req_0',
    code: 'unavailable',
    requestId: 'req_0',
    errors: [],
    responseCode: '503',
    responseMessage: 'The service is unavailable',
  };
  response
    .writeHead(503, { 'content-type': 'application/problem+json', 'retry-after': '1' })
    .end(JSON.stringify(problem));
}

/** Payments and refunds have another field and, if wanted, values that the description does not list. */
function asNewer(body: string, addsValues: boolean): string {
  const newer = (_name: string, value: unknown) => {
    if (typeof value !== 'object' || value === null || !('currency' in value)) return value;
    const values = {
      ...('mode' in value && { mode: 'later' }),
      ...('refundId' in value && { kind: 'later' }),
    };
    return { ...value, addedLater: { at: 1 }, ...(addsValues && values) };
  };
  return body === '' ? body : JSON.stringify(JSON.parse(body, newer));
}
